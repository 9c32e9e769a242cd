"""What a text can be like: a person's name, a firm, an address; safe by construction.

Firms, streets and cities are put together from names, telephone numbers are from the range that is
kept for fiction, domains are such as RFC 2606 reserves, and postal codes begin as none does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from string import ascii_uppercase, digits
from types import MappingProxyType

from sopforge.language.domain.values import words
from sopforge.language.domain.values.phrases import Phrase

_HOUSES = tuple(str(number) for number in range(1, 400))
_NUMBERS = tuple(str(number) for number in range(1, 100))
_UNUSED_AREAS = ("Q", "V", "X")  # no British postal code begins with one of them


class Likeness(StrEnum):
    """What a text is like, as briefs say it."""

    GIVEN_NAME = "given name"
    FAMILY_NAME = "family name"
    PERSON_NAME = "person name"
    COMPANY = "company"
    STREET_ADDRESS = "street address"
    CITY = "city"
    POSTAL_CODE = "postal code"
    COUNTRY = "country"
    EMAIL = "email"
    PHONE = "phone"
    WEB_DOMAIN = "web domain"
    PRODUCT = "product"
    JOB_TITLE = "job title"
    DEPARTMENT = "department"


def _build_first_name_phrase() -> Phrase:
    return Phrase((words.list_first_names(),))


def _build_family_name_phrase() -> Phrase:
    return Phrase((words.list_family_names(),))


def _build_person_name_phrase() -> Phrase:
    return Phrase((words.list_first_names(), (" ",), words.list_family_names()))


def _build_company_phrase() -> Phrase:
    names = words.list_family_names()
    return Phrase((names, (" and ",), names, (" ",), words.TRADES))


def _build_city_phrase() -> Phrase:
    return Phrase((words.list_city_starts(), words.list_family_names(), words.list_city_ends()))


def _build_street_address_phrase() -> Phrase:
    street = (_HOUSES, (" ",), words.list_family_names(), (" ",), words.STREETS)
    return Phrase((*street, (", ",), *_build_city_phrase().parts))


def _build_postal_code_phrase() -> Phrase:
    letters = tuple(ascii_uppercase)
    inner = (tuple(digits), letters, letters)
    return Phrase((_UNUSED_AREAS, letters, tuple(digits[1:]), (" ",), *inner))


def _build_email_phrase() -> Phrase:
    given, family = map(_lower_words, (words.list_first_names(), words.list_family_names()))
    return Phrase((given, (".",), family, ("", *_NUMBERS), ("@",), words.RESERVED_DOMAINS))


def _build_phone_phrase() -> Phrase:
    return Phrase((words.list_area_codes(), ("-555-01",), tuple(digits), tuple(digits)))


def _build_web_domain_phrase() -> Phrase:
    family, trades = map(_lower_words, (words.list_family_names(), words.TRADES))
    return Phrase((family, ("-",), family, ("-",), trades, (".example",)))


def _build_product_phrase() -> Phrase:
    return Phrase((words.MAKES, (" ",), words.MATERIALS, (" ",), words.THINGS))


def _lower_words(listed: words.Words) -> words.Words:
    return tuple(dict.fromkeys(word.lower() for word in listed))


_PHRASES: Mapping[Likeness, Callable[[], Phrase]] = MappingProxyType(
    {
        Likeness.GIVEN_NAME: _build_first_name_phrase,
        Likeness.FAMILY_NAME: _build_family_name_phrase,
        Likeness.PERSON_NAME: _build_person_name_phrase,
        Likeness.COMPANY: _build_company_phrase,
        Likeness.STREET_ADDRESS: _build_street_address_phrase,
        Likeness.CITY: _build_city_phrase,
        Likeness.POSTAL_CODE: _build_postal_code_phrase,
        Likeness.COUNTRY: lambda: Phrase((words.list_countries(),)),
        Likeness.EMAIL: _build_email_phrase,
        Likeness.PHONE: _build_phone_phrase,
        Likeness.WEB_DOMAIN: _build_web_domain_phrase,
        Likeness.PRODUCT: _build_product_phrase,
        Likeness.JOB_TITLE: lambda: Phrase((words.list_job_titles(),)),
        Likeness.DEPARTMENT: lambda: Phrase((words.DEPARTMENTS,)),
    }
)


@cache
def build_phrase(likeness: Likeness) -> Phrase:
    """Return the phrase of the texts that are like something."""
    return _PHRASES[likeness]()


# texts that follow from another


def _get_first_word(text: str, _domain: str) -> str:
    return text.partition(" ")[0]


def _get_last_word(text: str, _domain: str) -> str:
    return text.rpartition(" ")[2]


def _derive_email(name: str, domain: str) -> str:
    return f"{name.lower().replace(' ', '.')}@{domain}"


def _derive_domain(company: str, _domain: str) -> str:
    return f"{company.lower().replace(' and ', '-').replace(' ', '-')}.example"


_FOLLOWING: Mapping[tuple[Likeness, Likeness], Callable[[str, str], str]] = MappingProxyType(
    {
        (Likeness.GIVEN_NAME, Likeness.PERSON_NAME): _get_first_word,
        (Likeness.FAMILY_NAME, Likeness.PERSON_NAME): _get_last_word,
        (Likeness.EMAIL, Likeness.PERSON_NAME): _derive_email,
        (Likeness.WEB_DOMAIN, Likeness.COMPANY): _derive_domain,
    }
)


def list_sources(likeness: Likeness | None) -> tuple[Likeness, ...]:
    """Return what a text may be taken from, as an email is from a person's name."""
    return tuple(source for follower, source in _FOLLOWING if follower is likeness)


def derive_text(likeness: Likeness, source: Likeness, text: str, domain: str) -> str:
    """Return the text that follows from another; of an email, at a reserved domain.

    >>> derive_text(Likeness.EMAIL, Likeness.PERSON_NAME, "Ann Hill", "example.org")
    'ann.hill@example.org'
    """
    return _FOLLOWING[likeness, source](text, domain)
