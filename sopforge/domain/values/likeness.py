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

from sopforge.domain.values import words
from sopforge.domain.values.phrases import Phrase

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


def _given_name() -> Phrase:
    return Phrase((words.given_names(),))


def _family_name() -> Phrase:
    return Phrase((words.family_names(),))


def _person_name() -> Phrase:
    return Phrase((words.given_names(), (" ",), words.family_names()))


def _company() -> Phrase:
    names = words.family_names()
    return Phrase((names, (" and ",), names, (" ",), words.TRADES))


def _city() -> Phrase:
    return Phrase((words.city_starts(), words.family_names(), words.city_ends()))


def _street_address() -> Phrase:
    street = (_HOUSES, (" ",), words.family_names(), (" ",), words.STREETS)
    return Phrase((*street, (", ",), *_city().parts))


def _postal_code() -> Phrase:
    letters = tuple(ascii_uppercase)
    inner = (tuple(digits), letters, letters)
    return Phrase((_UNUSED_AREAS, letters, tuple(digits[1:]), (" ",), *inner))


def _email() -> Phrase:
    given, family = map(_lower, (words.given_names(), words.family_names()))
    return Phrase((given, (".",), family, ("", *_NUMBERS), ("@",), words.RESERVED_DOMAINS))


def _phone() -> Phrase:
    return Phrase((words.area_codes(), ("-555-01",), tuple(digits), tuple(digits)))


def _web_domain() -> Phrase:
    family, trades = map(_lower, (words.family_names(), words.TRADES))
    return Phrase((family, ("-",), family, ("-",), trades, (".example",)))


def _product() -> Phrase:
    return Phrase((words.MAKES, (" ",), words.MATERIALS, (" ",), words.THINGS))


def _lower(listed: words.Words) -> words.Words:
    return tuple(dict.fromkeys(word.lower() for word in listed))


_PHRASES: Mapping[Likeness, Callable[[], Phrase]] = MappingProxyType(
    {
        Likeness.GIVEN_NAME: _given_name,
        Likeness.FAMILY_NAME: _family_name,
        Likeness.PERSON_NAME: _person_name,
        Likeness.COMPANY: _company,
        Likeness.STREET_ADDRESS: _street_address,
        Likeness.CITY: _city,
        Likeness.POSTAL_CODE: _postal_code,
        Likeness.COUNTRY: lambda: Phrase((words.countries(),)),
        Likeness.EMAIL: _email,
        Likeness.PHONE: _phone,
        Likeness.WEB_DOMAIN: _web_domain,
        Likeness.PRODUCT: _product,
        Likeness.JOB_TITLE: lambda: Phrase((words.job_titles(),)),
        Likeness.DEPARTMENT: lambda: Phrase((words.DEPARTMENTS,)),
    }
)


@cache
def phrase_like(likeness: Likeness) -> Phrase:
    """Return the phrase of the texts that are like something."""
    return _PHRASES[likeness]()


# texts that follow from another


def _first_word(text: str, _domain: str) -> str:
    return text.partition(" ")[0]


def _last_word(text: str, _domain: str) -> str:
    return text.rpartition(" ")[2]


def _address_of(name: str, domain: str) -> str:
    return f"{name.lower().replace(' ', '.')}@{domain}"


def _domain_of(company: str, _domain: str) -> str:
    return f"{company.lower().replace(' and ', '-').replace(' ', '-')}.example"


_FOLLOWING: Mapping[tuple[Likeness, Likeness], Callable[[str, str], str]] = MappingProxyType(
    {
        (Likeness.GIVEN_NAME, Likeness.PERSON_NAME): _first_word,
        (Likeness.FAMILY_NAME, Likeness.PERSON_NAME): _last_word,
        (Likeness.EMAIL, Likeness.PERSON_NAME): _address_of,
        (Likeness.WEB_DOMAIN, Likeness.COMPANY): _domain_of,
    }
)


def sources_of(likeness: Likeness | None) -> tuple[Likeness, ...]:
    """Return what a text may be taken from, as an email is from a person's name."""
    return tuple(source for follower, source in _FOLLOWING if follower is likeness)


def following(likeness: Likeness, source: Likeness, text: str, domain: str) -> str:
    """Return the text that follows from another; of an email, at a reserved domain.

    >>> following(Likeness.EMAIL, Likeness.PERSON_NAME, "Ann Hill", "example.org")
    'ann.hill@example.org'
    """
    return _FOLLOWING[likeness, source](text, domain)
