"""Nouns, verbs and figures: the number of a label, the verb after it, a figure with its unit.

None of it carries meaning: a text with "is" for "are" reads the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.language.domain.values.kinds.duration import HOURS_AND_MINUTES, MINUTES, say_duration
from sopforge.language.domain.values.types import NumberType, ValueType
from sopforge.morphology import (
    is_modifier,
    is_participle,
    is_plural_word,
    pluralize_verb,
    pluralize_word,
    singularize_unit,
    singularize_word,
)

SHOWN_PLACES = 2
PERCENT = "percent"
_PERCENT = (PERCENT, "per cent", "%")
_PREPOSITIONS = frozenset(
    [
        "of",
        "at",
        "for",
        "in",
        "on",
        "since",
        "to",
        "from",
        "by",
        "with",
        "without",
        "per",
        "after",
        "before",
        "under",
        "over",
        "until",
        "within",
        "about",
        "against",
        "that",
        "between",
        "during",
        "through",
        "above",
        "below",
        "than",
        "as",
        "who",
        "which",
        "the",
        "a",
        "an",
    ]
)
"""Words before which the noun of a label stands: "number" of "number of earlier visits"."""
_AFTER_NOUNS = frozenset({"due", "given", "left", "remaining"})
_OFFICES = frozenset(
    [
        "accounting",
        "accounts",
        "administration",
        "assurance",
        "compliance",
        "control",
        "dispatch",
        "engineering",
        "finance",
        "logistics",
        "maintenance",
        "management",
        "marketing",
        "operations",
        "payroll",
        "procurement",
        "production",
        "purchasing",
        "reception",
        "sales",
        "security",
        "transport",
    ]
)
"""Offices that have no article."""


def _is_after_noun(noun: str, word: str) -> bool:
    """Return whether a word says of the noun before it what was done, or how it is."""
    # "Hit" may be a noun, but one that is made of two has the first in the singular.
    is_done = is_plural_word(noun) and is_participle(word)
    return is_done or word in _AFTER_NOUNS or is_modifier(word)


def split_noun(label: str) -> tuple[list[str], list[str]]:
    """Return the words of a label up to its noun, and those after it.

    >>> split_noun("number of earlier visits"), split_noun("services hit")
    ((['number'], ['of', 'earlier', 'visits']), (['services'], ['hit']))
    """
    words = label.split()
    cuts = (n for n, word in enumerate(words) if n and word.lower() in _PREPOSITIONS)
    end = next(cuts, len(words))
    while end > 1 and _is_after_noun(words[end - 2], words[end - 1]):
        end -= 1
    return words[:end], words[end:]


def is_plural(label: str) -> bool:
    """Return whether "are" stands after a label.

    >>> is_plural("hazard statements"), is_plural("class of the goods"), is_plural("gas")
    (True, False, False)
    """
    words, _ = split_noun(label)
    return bool(words) and is_plural_word(words[-1])


def conjugate_be(label: str) -> str:
    """Return the form of "be" that stands after a label.

    >>> conjugate_be("strike points"), conjugate_be("license")
    ('are', 'is')
    """
    return "are" if is_plural(label) else "is"


def singularize(label: str) -> str:
    """Return what one of several things is called, "" where a label names no plural.

    >>> singularize("lines of the claim"), singularize("stock")
    ('line of the claim', '')
    """
    words, after = split_noun(label)
    if not words or not is_plural_word(words[-1]) or words[-1] == "data":
        return ""
    return " ".join([*words[:-1], singularize_word(words[-1]), *after])


def pluralize(label: str) -> str:
    """Return what several things are called.

    >>> pluralize("head of the desk")
    'heads of the desk'
    """
    words, after = split_noun(label)
    return " ".join([*words[:-1], pluralize_word(words[-1]), *after])


def add_article(noun: str) -> str:
    """Return a noun after "a" or "an"."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def name_office(office: str) -> str:
    """Return an office or a person as a sentence names it.

    >>> name_office("quality assurance"), name_office("claims adjuster")
    ('quality assurance', 'the claims adjuster')
    """
    is_bare = office.rsplit(" ", 1)[-1] in _OFFICES and " of " not in office
    return office if is_bare and office[:1].islower() else f"the {office}"


def conjugate_after(office: str, verb: str) -> str:
    """Return a verb of the third person as it stands after an office.

    >>> conjugate_after("stores", "takes"), conjugate_after("store", "takes")
    ('take', 'takes')
    """
    return pluralize_verb(verb) if is_plural(office) else verb


# figures


def format_figure(kind: NumberType, value: int) -> str:
    """Return a number without the zeros that only its scale adds."""
    return trim_zeros(kind.to_cell(value))


def trim_zeros(number: str) -> str:
    """Return a number in digits as all texts write it.

    >>> [trim_zeros(number) for number in ("5.00", "12.50", "1.5000")]
    ['5', '12.50', '1.50']
    """
    whole, point, digits = number.partition(".")
    kept = digits.rstrip("0")
    if not kept:
        return whole
    return f"{whole}{point}{kept.ljust(min(SHOWN_PLACES, len(digits)), '0')}"


def format_quantity(number: str, unit: str) -> str:
    """Return a figure with its unit, in the singular after 1.

    A part of a minute, which no duration has but rules may compare it with, stays a figure.

    >>> format_quantity("90", HOURS_AND_MINUTES), format_quantity("0.5", HOURS_AND_MINUTES)
    ('1 hour and 30 minutes', '0.5 minutes')
    """
    if unit == HOURS_AND_MINUTES:
        return f"{number} {MINUTES}" if "." in number else say_duration(int(number))
    return f"{number} {singularize_unit(unit) if number.lstrip('-') == '1' else unit}".rstrip()


def is_percent(unit: str) -> bool:
    """Return whether a unit says "of a hundred"."""
    return unit in _PERCENT


def list_unit_forms(unit: str) -> list[str]:
    """Return a unit as it may stand after a figure, in the singular too."""
    if unit == HOURS_AND_MINUTES:
        return []
    return list(dict.fromkeys(_PERCENT if is_percent(unit) else (unit, singularize_unit(unit))))


def names_unit(label: str, unit: str) -> bool:
    """Return whether a label says in what it counts, as "number of service points" does."""
    return bool(unit) and f" {unit} " in f" {label} "


def contains_unit(label: str, kind: ValueType) -> bool:
    """Return whether a label names the unit of a number, as "service points" does."""
    return isinstance(kind, NumberType) and names_unit(label, kind.unit)


def join_items(items: Sequence[str], word: str = "and") -> str:
    """Return "a, b and c", or with another word before the last."""
    return f"{', '.join(items[:-1])} {word} {items[-1]}" if len(items) > 1 else items[0]
