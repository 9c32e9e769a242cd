"""Figures of passages and of the items that cite them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import combinations

from sopforge.domain.fields import STORED, Field
from sopforge.domain.values.types import DateType
from sopforge.sources.account import Account, Passage
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.facts import Figure
from sopforge.sources.items import Item
from sopforge.sources.prose.bounds import read_limits
from sopforge.sources.prose.markers import split_clauses
from sopforge.sources.prose.quantities import Quantity
from sopforge.sources.prose.stems import list_stems

_AT = re.compile(r"\bat \W*$", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:not|instead of|rather than|no longer|formerly|previously|in place of|replac\w+)"
    r" (?:the |above |below |under |over |at (?:least|most) |(?:more|less) than )?$",
    re.IGNORECASE,
)

_OR_NOT = re.compile(r"\s+or not\b", re.IGNORECASE)
_OF_THESE = re.compile(
    r"\s+of (?:(?:the )?following|th(?:e|ese|ose|em)(?: (?:\w+ ){0,2}?"
    r"(?:conditions|reasons|grounds|points|cases|things|requirements|criteria))?)"
    r"(?=\W*(?:$|[:;,.]|is\b|are\b|holds?\b|appl|must\b|has\b|have\b|met\b|fulfil))",
    re.IGNORECASE,
)
"""What "at least one of these holds" goes on with: that is an alternative and no figure."""
_AFTER_WHAT = re.compile(
    r"\s+(?:after|from|since)\s+(?:the\s+)?((?:[\w'-]+\s?){1,8})", re.IGNORECASE
)
_DAYS = list_stems("day date time last first")
_PLAIN = 2


def find_figures(account: Account) -> Iterator[Doubt]:
    """Yield the quantities of passages that no item has which cites them."""
    for passage in account.cited_passages:
        quoted = account.quote(passage)
        for quantity in list_binding_quantities(account, passage):
            start = passage.start + quantity.start
            if account.is_set_aside(passage.part, start, passage.start + quantity.end):
                continue
            items = list_citing_items(account, passage, quantity)
            if not any(has_figure(item, quantity) for item in items):
                figures = [figure for item in items for figure in item.facts.figures]
                held = ", ".join(dict.fromkeys(map(format_figure, figures))) or "no figure"
                citing = tuple(item.name for item in items)
                yield Doubt(Kind.FIGURE, quoted, citing, quantity.text, held)


def find_exchanged_figures(account: Account) -> Iterator[Doubt]:
    """Yield the constants whose figures stand with each other's words in a passage of both."""
    for passage in account.cited_passages:
        constants = [
            item
            for name in passage.items
            if name.startswith("policy.") and (item := account.items[name]).own
        ]
        if len(constants) > 1:
            quoted = account.quote(passage)
            places = _list_places(account, quoted)
            for one, other in combinations(constants, 2):
                if _are_exchanged(one, other, places):
                    held = ", ".join(format_figure(item.own[0]) for item in (one, other))
                    yield Doubt(Kind.EXCHANGED, quoted, (one.name, other.name), "", held)


def _list_places(account: Account, quoted: str) -> list[tuple[Quantity, frozenset[str]]]:
    """Return the quantities of a passage, each with the words between it and its neighbours."""
    found = account.read_quantities(quoted)
    clauses = list(split_clauses(quoted))
    return [
        (item, list_stems(clause))
        for item in found
        for clause, start in clauses
        if start <= item.start < start + len(clause)
    ]


def _are_exchanged(
    one: Item, other: Item, places: Iterable[tuple[Quantity, frozenset[str]]]
) -> bool:
    """Return whether the words of each of two constants stand with the figure of the other."""
    mine, theirs = one.words - other.words, other.words - one.words
    found = list(places)
    first = {
        (bool(words & mine), bool(words & theirs))
        for quantity, words in found
        if one.own[0].is_said_by(quantity)
    }
    second = {
        (bool(words & mine), bool(words & theirs))
        for quantity, words in found
        if other.own[0].is_said_by(quantity)
    }
    return first == {(False, True)} and second == {(True, False)}


def list_binding_quantities(account: Account, passage: Passage) -> list[Quantity]:
    """Return the quantities of a passage that an item has to have.

    A small number in words without a unit is one only where it is a limit ("one or more").
    """
    quoted = account.quote(passage)
    found = account.read_quantities(quoted)
    limits = {limit.quantity for limit in read_limits(quoted, found)}
    return [
        item
        for item in found
        if (not item.is_small or item in limits)
        and (item.value or item in limits or _AT.search(quoted[: item.start]))
        and not is_said_not_to_count(quoted, item)
        and not (item.value == 1 and item.is_small and _OF_THESE.match(quoted, item.end))
    ]


def is_said_not_to_count(text: str, quantity: Quantity) -> bool:
    """Return whether a text says that a quantity does not count, or no longer does."""
    return bool(_DENIED.search(text[: quantity.start]) or _OR_NOT.match(text, quantity.end))


def find_own_figures(account: Account) -> Iterator[Doubt]:
    """Yield the figures that stand in an item and in none of its passages."""
    for name, passages in account.cited.items():
        item = account.items[name]
        quotes = [account.quote(passage) for passage in passages]
        said = [quantity for quote in quotes for quantity in account.read_quantities(quote)]
        for figure in item.own:
            # By so little a model says "none", "there is" and "the day after tomorrow".
            is_plain = abs(figure.value) <= _PLAIN and not name.startswith("policy.")
            if not is_plain and not any(figure.is_said_by(quantity) for quantity in said):
                words = ", ".join(quantity.text for quantity in said) or "no figure"
                quoted = " … ".join(quotes)
                yield Doubt(Kind.OWN_FIGURE, quoted, (name,), words, format_figure(figure))


def list_citing_items(account: Account, passage: Passage, item: Quantity) -> tuple[Item, ...]:
    """Return the items that cite a passage in which a quantity of this one stands."""
    return account.list_items_at(passage.part, passage.start + item.start, passage.start + item.end)


def format_figure(figure: Figure) -> str:
    """Return a figure as a message shows it."""
    if figure.is_day:
        return date.fromordinal(int(figure.value)).isoformat()
    value = figure.value
    number = str(value.numerator) if value.denominator == 1 else str(float(value))
    return f"{figure.name} = {number}" if figure.name else number


def has_figure(item: Item, quantity: Quantity) -> bool:
    """Return whether an item has a quantity: itself, in a rule before it, or in a field's words."""
    figures: Iterable[Figure] = (*item.facts.figures, *item.before)
    return any(figure.is_said_by(quantity) for figure in figures) or any(
        (other.value, other.unit) == (quantity.value, quantity.unit) for other in item.described
    )


def find_other_starts(account: Account) -> Iterator[Doubt]:
    """Yield the spans that are counted from another day than their passage names.

    "8 days after the foaling" is not counted from the inspection.
    """
    days = [
        item
        for item in account.fields.values()
        if isinstance(item.type, DateType) and item.role in STORED
    ]
    for passage in account.cited_passages:
        quoted = account.quote(passage)
        for quantity in account.read_quantities(quoted):
            said = _AFTER_WHAT.match(quoted, quantity.end)
            words = list_stems(said[1]) if said else frozenset()
            named = [item for item in days if words & _list_own_stems(item, days)]
            if said and len(named) == 1:
                shown = f"{quantity.text}{said[0].rstrip()}"
                for item in list_citing_items(account, passage, quantity):
                    starts = {of for figure, of in item.facts.spans if figure.is_said_by(quantity)}
                    if starts and starts <= {day.name for day in days} - {named[0].name}:
                        held = ", ".join(sorted(account.fields[name].label for name in starts))
                        yield Doubt(Kind.FIGURE, quoted, (item.name,), shown, f"from {held}")


def _list_own_stems(item: Field, others: Iterable[Field]) -> frozenset[str]:
    """Return the stems of a field's label that no other has."""
    rest = (list_stems(other.label) for other in others if other is not item)
    return list_stems(item.label) - _DAYS.union(*rest)
