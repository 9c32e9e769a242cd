"""Whether each passage of a brief says what the items say that cite it, and no more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from sopforge.sources.account import Account, Passage
from sopforge.sources.facts import Figure, Labels
from sopforge.sources.items import Item
from sopforge.sources.prose.bounds import Limit, read_limits
from sopforge.sources.prose.markers import count_negations, iterate_exceptions, is_default
from sopforge.sources.prose.quantities import Quantity, read_quantities
from sopforge.sources.prose.stems import has_shared_word, list_stems

_ONLY = re.compile(
    r"\b(?:only|not|no|unless|except|other than|neither|nor|without)\b", re.IGNORECASE
)
_PART = re.compile(r"[;:,.]\s|\s[\u2013\u2014-]\s|\b(?:but|while|whereas)\b")


class Kind(StrEnum):
    """In what a passage and the items that cite it differ."""

    FIGURE = "figure"
    OWN_FIGURE = "own figure"
    LIMIT = "limit"
    DIRECTION = "direction"
    LABEL = "label"
    GIVEN_LABEL = "given label"
    CELL = "cell"
    EXCEPTION = "exception"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Doubt:
    """A difference: the words of the brief, the items, what the one says and what the others do."""

    kind: Kind
    quoted: str
    items: tuple[str, ...]
    said: str
    held: str


def find_doubts(account: Account, names: Sequence[str]) -> list[Doubt]:
    """Return all differences; figures within ``names`` (labels, tools, offices) are none."""
    cited = [passage for passage in account.passages if passage.items]
    finders: tuple[Callable[[Account, Sequence[Passage], Sequence[str]], Iterable[Doubt]], ...] = (
        _find_figures,
        _find_own_figures,
        _find_limits,
        _find_given_labels,
        _find_meant_labels,
        _find_directions,
        _find_cells,
        _find_exceptions,
        _find_defaults,
    )
    found = [doubt for find in finders for doubt in find(account, cited, names)]
    return list(dict.fromkeys(found))


def format_figure(figure: Figure) -> str:
    """Return a figure as a message shows it."""
    if figure.is_day:
        return date.fromordinal(int(figure.value)).isoformat()
    value = figure.value
    number = str(value.numerator) if value.denominator == 1 else str(float(value))
    return f"{figure.name} = {number}" if figure.name else number


def _read(passage: Passage, account: Account, names: Sequence[str]) -> tuple[Quantity, ...]:
    return read_quantities(account.quote(passage), names)


def _list_citing(account: Account, passage: Passage, item: Quantity) -> tuple[Item, ...]:
    """Return the items that cite a passage in which a quantity of this one stands."""
    return account.list_items_at(passage.part, passage.start + item.start, passage.start + item.end)


def _find_figures(
    account: Account, cited: Sequence[Passage], names: Sequence[str]
) -> Iterator[Doubt]:
    """Yield the quantities of passages that no item has which cites them."""
    for passage in cited:
        for quantity in _read(passage, account, names):
            start = passage.start + quantity.start
            if account.is_set_aside(passage.part, start, passage.start + quantity.end):
                continue
            items = _list_citing(account, passage, quantity)
            figures = [figure for item in items for figure in item.facts.figures]
            if not any(figure.is_said_by(quantity) for figure in figures):
                held = ", ".join(dict.fromkeys(map(format_figure, figures))) or "no figure"
                citing = tuple(item.name for item in items)
                yield Doubt(Kind.FIGURE, account.quote(passage), citing, quantity.text, held)


def _find_own_figures(
    account: Account, cited: Sequence[Passage], names: Sequence[str]
) -> Iterator[Doubt]:
    """Yield the figures that stand in an item and in none of its passages."""
    del cited
    for name, passages in account.cited.items():
        item = account.items[name]
        said = [quantity for passage in passages for quantity in _read(passage, account, names)]
        for figure in item.own:
            # Nought and one are how a model says "none" and "there is".
            if abs(figure.value) <= 1 and not name.startswith("policy."):
                continue
            if name.startswith("fields.") or any(figure.is_said_by(q) for q in said):
                continue
            words = ", ".join(q.text for q in said) or "no figure"
            quoted = " … ".join(account.list_own_quotes(name))
            yield Doubt(Kind.OWN_FIGURE, quoted, (name,), words, format_figure(figure))


def _find_limits(
    account: Account, cited: Sequence[Passage], names: Sequence[str]
) -> Iterator[Doubt]:
    """Yield the limits that themselves are on another side than their passage says."""
    for passage in cited:
        limits = read_limits(account.quote(passage), _read(passage, account, names))
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
                    yield Doubt(Kind.LIMIT, account.quote(passage), (name,), limit.words, shown)


def _iterate_limits(
    account: Account, passage: Passage, limit: Limit
) -> Iterator[tuple[str, Figure]]:
    """Yield the limits of the citing items that are the quantity of a limit, with their items."""
    items = _list_citing(account, passage, limit.quantity)
    direct = [
        (item.name, figure)
        for item in items
        for figure in item.facts.figures
        if figure.side and figure.is_said_by(limit.quantity)
    ]
    # Where only the constant is cited, the limits count that it is elsewhere.
    used = [use for item in items for use in item.uses if use[1].is_said_by(limit.quantity)]
    yield from direct or used


def _find_given_labels(
    account: Account, cited: Sequence[Passage], names: Sequence[str]
) -> Iterator[Doubt]:
    """Yield the rules that give a label where their passages name another one in its place."""
    del cited, names
    for name in account.cited:
        text = " ".join(account.list_own_quotes(name))
        if _ONLY.search(text):
            continue
        facts = account.items[name].facts
        for labels in {labels for _, labels in facts.given}:
            given = {label for label, of in facts.given if of == labels}
            named = find_labels(text, labels)
            if named and not given & named:
                yield Doubt(Kind.GIVEN_LABEL, text, (name,), _join(named), _join(given))


def _find_meant_labels(
    account: Account, cited: Sequence[Passage], names: Sequence[str]
) -> Iterator[Doubt]:
    """Yield the labels of passages that no citing item has, though others in their place are."""
    del names
    for passage in cited:
        text = account.quote(passage)
        items = account.list_items_at(passage.part, passage.start, passage.end)
        held = {pair for item in items for pair in (*item.facts.labels, *item.facts.given)}
        given = {labels for item in items for _, labels in item.facts.given}
        meant = {labels for item in items for _, labels in item.facts.meant}
        is_denied = _ONLY.search(text) is not None
        for labels in given | (set() if is_denied else meant):
            known = {label for label, of in held if of == labels}
            if missing := find_labels(text, labels) - known:
                citing = tuple(item.name for item in items)
                yield Doubt(Kind.LABEL, text, citing, _join(missing), _join(known))


def find_labels(text: str, labels: Labels) -> frozenset[str]:
    """Return the labels that a text names, by the stems of their words.

    A label whose words are all within another one that is named, and labels whose words have the
    same stems, are not counted.

    >>> sorted(find_labels("Declined after manual review.", ("decline", "review", "manual review")))
    ['decline', 'manual review']
    """
    stems = {label: list_stems(label) for label in labels}
    said = list_stems(text)
    named = {
        label
        for label, words in stems.items()
        if words and words <= said and sum(words == other for other in stems.values()) == 1
    }
    return frozenset(
        label for label in named if not any(stems[label] < stems[other] for other in named)
    )


def _find_directions(
    account: Account, cited: Sequence[Passage], names: Sequence[str]
) -> Iterator[Doubt]:
    """Yield the rules that give what their passage gives on the other side of the limit."""
    for passage in cited:
        quoted = account.quote(passage)
        for text, start in _split_parts(quoted):
            limits = read_limits(text, read_quantities(text, names))
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
            if len(sides) != 1 or len(given) != 1 or len(named) != 1:
                continue
            agrees = (sides[0].is_upwards == limit.is_upwards) == (given == named)
            (same.append(item.name) if agrees else turned.append(item))
    if turned and not same:
        held = ", ".join(
            f"{item.name} gives {_join(label for label, _ in item.facts.given)}" for item in turned
        )
        yield Doubt(Kind.DIRECTION, quoted, tuple(item.name for item in turned), limit.words, held)


def _split_parts(text: str) -> Iterator[tuple[str, int]]:
    """Yield the parts of a passage between its marks, and where each begins."""
    start = 0
    for found in _PART.finditer(text):
        yield text[start : found.start()], start
        start = found.end()
    yield text[start:], start


def _find_cells(
    account: Account, cited: Sequence[Passage], names: Sequence[str]
) -> Iterator[Doubt]:
    """Yield the entries of look-ups that a sentence of their own gives another figure."""
    for passage in cited:
        prose = account.prose[passage.part]
        for sentence in prose.list_at(passage.start, passage.end):
            start, end = max(sentence.start, passage.start), min(sentence.end, passage.end)
            text = prose.text[start:end]
            for part, place in _split_parts(text):
                quantities = read_quantities(part, names)
                if len(quantities) != 1:
                    continue
                items = account.list_items_at(
                    passage.part, start + place, start + place + len(part)
                )
                yield from _compare_cells(text, part, quantities[0], items)


def _compare_cells(
    text: str, part: str, quantity: Quantity, items: Iterable[Item]
) -> Iterator[Doubt]:
    for item in items:
        labels = tuple(dict.fromkeys(label for label, _ in item.facts.cells))
        named = find_labels(part, labels) if labels else frozenset()
        if len(named) != 1:
            continue
        held = [figure for label, figure in item.facts.cells if label in named]
        if not any(figure.is_said_by(quantity) for figure in held):
            shown = f"{_join(named)}: {', '.join(map(format_figure, held))}"
            yield Doubt(Kind.CELL, text, (item.name,), quantity.text, shown)


def _find_exceptions(
    account: Account, cited: Sequence[Passage], names: Sequence[str]
) -> Iterator[Doubt]:
    """Yield the exceptions of which no citing item reads anything."""
    del names
    for passage in cited:
        quoted = account.quote(passage)
        for clause in iterate_exceptions(quoted):
            start = passage.start + clause.start
            end = min(passage.start + clause.end, passage.end)
            items = account.list_items_at(passage.part, start, end)
            words = list_stems(clause.text)
            set_aside = account.is_set_aside(passage.part, start, end)
            if set_aside or not words or any(has_shared_word(words, item.words) for item in items):
                continue
            citing = tuple(item.name for item in items)
            yield Doubt(Kind.EXCEPTION, quoted, citing, clause.text, "nothing of it")


def _find_defaults(
    account: Account, cited: Sequence[Passage], names: Sequence[str]
) -> Iterator[Doubt]:
    """Yield the rules of all other cases whose passage names another label for them."""
    del names
    for passage in cited:
        quoted = account.quote(passage)
        for part, _ in _split_parts(quoted):
            if not is_default(part):
                continue
            for item in (account.items[name] for name in passage.items):
                if not item.is_default:
                    continue
                for labels in {labels for _, labels in item.facts.given}:
                    given = {label for label, of in item.facts.given if of == labels}
                    named = find_labels(part, labels)
                    if named and not given & named:
                        yield Doubt(Kind.DEFAULT, quoted, (item.name,), _join(named), _join(given))


def _join(labels: Iterable[str]) -> str:
    return ", ".join(f'"{label}"' for label in sorted(set(labels)))
