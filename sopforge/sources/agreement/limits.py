"""Limits of passages and of the items that cite them: on which side a figure itself is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from sopforge.sources.account import Account, Passage
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.agreement.figures import format_figure, list_citing_items
from sopforge.sources.agreement.label_mentions import find_labels, join_labels
from sopforge.sources.facts import Figure
from sopforge.sources.items import Item
from sopforge.sources.prose.bounds import (
    Limit,
    OpenLimit,
    Side,
    iterate_open_limits,
    read_limits,
)
from sopforge.sources.prose.markers import count_negations, split_clauses
from sopforge.sources.prose.quantities import Quantity
from sopforge.sources.prose.stems import list_stems

_CARRIES = re.compile(r"\b(?:it|this|that|they|these|limit|is|are|has|have)\b", re.IGNORECASE)


def find_limits(account: Account) -> Iterator[Doubt]:
    """Yield the limits that themselves are on another side than their passage says."""
    for passage in account.cited_passages:
        quoted = account.quote(passage)
        limits = read_limits(quoted, account.read_quantities(quoted))
        for limit in limits:
            said = {
                other.side
                for other in limits
                if (other.quantity.value, other.quantity.unit)
                == (limit.quantity.value, limit.quantity.unit)
            }
            for name, figure in _iterate_limits(account, passage, limit):
                if figure.side not in said:
                    shown = f"{format_figure(figure)} itself is on the other side"
                    yield Doubt(Kind.LIMIT, quoted, (name,), limit.words, shown)


def _iterate_limits(
    account: Account, passage: Passage, limit: Limit
) -> Iterator[tuple[str, Figure]]:
    """Yield the limits of the citing items that are the quantity of a limit, with their items."""
    items = list_citing_items(account, passage, limit.quantity)
    direct = [
        (item.name, figure)
        for item in items
        for figure in item.facts.figures
        if figure.side and figure.is_said_by(limit.quantity)
    ]
    # Where only the constant is cited, the limits count that it is elsewhere.
    used = [use for item in items for use in item.uses if use[1].is_said_by(limit.quantity)]
    yield from direct or used


def find_carried_limits(account: Account) -> Iterator[Doubt]:
    """Yield the limits on another side than the sentence before says for the same kind of figure.

    "More than 30 days is too late. For members it is 60 days": 60 days are not too late either.
    """
    for passage in account.cited_passages:
        prose = account.prose[passage.part]
        for before, sentence in pairwise(prose.sentences):
            is_cited = passage.has_place_in(passage.part, sentence.start, sentence.end)
            if before.block != sentence.block or not is_cited:
                continue
            own = account.read_quantities(sentence.text)
            limits = read_limits(before.text, account.read_quantities(before.text))
            if len(limits) != 1 or len(own) != 1 or not _CARRIES.search(sentence.text):
                continue
            [limit], [quantity] = limits, own
            if read_limits(sentence.text, own) or quantity.unit != limit.quantity.unit:
                continue
            carried = replace(limit, quantity=_move(quantity, sentence.start - passage.start))
            for name, figure in _iterate_limits(account, passage, carried):
                if figure.side is not limit.side:
                    shown = f"{format_figure(figure)} itself is on the other side"
                    said = f"{limit.words} … {quantity.text}"
                    yield Doubt(Kind.LIMIT, account.quote(passage), (name,), said, shown)


def find_open_limits(account: Account) -> Iterator[Doubt]:
    """Yield the comparisons of two facts that have equal ones on the other side."""
    for passage in account.cited_passages:
        quoted = account.quote(passage)
        for limit in iterate_open_limits(quoted):
            for name in passage.items:
                sides = _find_compared(account, account.items[name], limit)
                if sides and limit.side not in sides:
                    held = "the same value is on the other side"
                    yield Doubt(Kind.LIMIT, quoted, (name,), f"{limit.words} {limit.of}", held)


def _find_compared(account: Account, item: Item, limit: OpenLimit) -> set[Side]:
    """Return on which sides an item has what is equal to the fact that a limit names."""
    words = list_stems(limit.of)
    shared = {
        name: max(len(words & label) for label in labels)
        for name, _, _ in item.facts.compared
        if (labels := [label for label in _list_calls(account, name) if _is_named(label, words)])
    }
    most = max(shared.values(), default=0)
    nearest = [name for name, count in shared.items() if count == most]
    if not most or len(nearest) > 1:
        return set()
    return {side for name, side, _ in item.facts.compared if name == nearest[0]}


def _list_calls(account: Account, name: str) -> list[frozenset[str]]:
    """Return what a field is called, and what it follows from: the limit in force is a limit."""
    decision = account.items.get(f"decisions.{name}")
    names = [name, *sorted(decision.facts.fields if decision else ())]
    known = [account.fields[other] for other in names if other in account.fields]
    same = [item for item in known if item.type == known[0].type]
    return [list_stems(item.label) for item in same]


def _is_named(label: frozenset[str], words: frozenset[str]) -> bool:
    """Return whether words have most of a label: "the maximum age" is not the sample's age."""
    return len(label & words) * 2 > len(label)


def _move(quantity: Quantity, by: int) -> Quantity:
    return replace(quantity, start=quantity.start + by, end=quantity.end + by)


def find_directions(account: Account) -> Iterator[Doubt]:
    """Yield the rules that give what their passage gives on the other side of the limit."""
    for passage in account.cited_passages:
        quoted = account.quote(passage)
        for text, start in split_clauses(account.quote_without_names(passage)):
            limits = read_limits(text, account.read_quantities(text))
            if len(limits) != 1 or count_negations(text):
                continue
            limit = limits[0]
            items = account.list_items_at(
                passage.part,
                passage.start + start + limit.quantity.start,
                passage.start + start + limit.quantity.end,
            )
            yield from _compare_direction(quoted, text, limit, items)


def _compare_direction(
    quoted: str, text: str, limit: Limit, items: Iterable[Item]
) -> Iterator[Doubt]:
    same: list[str] = []
    turned: list[Item] = []
    for item in items:
        sides = [f for f in item.facts.figures if f.side and f.is_said_by(limit.quantity)]
        for labels in {labels for _, labels in item.facts.given}:
            given = {label for label, of in item.facts.given if of == labels}
            named = find_labels(text, labels)
            # "Refunds above 900 EUR: to a manager" names its result after the limit.
            if given <= find_labels(quoted, labels) - named:
                continue
            if len(sides) != 1 or len(given) != 1 or len(named) != 1:
                continue
            agrees = (sides[0].is_upwards == limit.is_upwards) == (given == named)
            (same.append(item.name) if agrees else turned.append(item))
    if turned and not same:
        held = ", ".join(
            f"{item.name} gives {join_labels(label for label, _ in item.facts.given)}"
            for item in turned
        )
        names = tuple(item.name for item in turned)
        yield Doubt(Kind.DIRECTION, quoted, names, limit.words, held)
