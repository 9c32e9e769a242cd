"""Figures and labels in which a passage of a brief and the items that cite it differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from sopforge.authors.sources.account import Account
from sopforge.authors.sources.facts import Label
from sopforge.authors.sources.labels import find_labels
from sopforge.language.english.prose.binding import is_denying

QUOTED = re.compile(r'"([^"\n]{1,80})"')
_PLAIN = 2
"""By so little a model says "none", "there is one" and "the day after tomorrow"."""


class DifferenceKind(StrEnum):
    """In what a passage and the items that cite it differ."""

    FIGURE = "figure"
    OWN_FIGURE = "own figure"
    LABEL = "label"


@dataclass(frozen=True, slots=True)
class Difference:
    """The words of the brief, the items, what the one says and what the others hold."""

    kind: DifferenceKind
    quoted: str
    items: tuple[str, ...]
    said: str
    held: str


def find_differences(account: Account) -> list[Difference]:
    """Return all differences between passages and the items that cite them, each once."""
    found = (
        *_iterate_figures(account),
        *_iterate_own_figures(account),
        *_iterate_named_results(account),
        *_iterate_quoted_labels(account),
    )
    return list(dict.fromkeys(found))


def _iterate_figures(account: Account) -> Iterator[Difference]:
    """Yield the quantities of passages that no item has which cites them."""
    for passage in account.cited_passages:
        quoted = account.quote(passage)
        for quantity in account.read_quantities(quoted):
            place = (passage.part, passage.start + quantity.start, passage.start + quantity.end)
            if quantity.is_small or account.is_set_aside(*place):
                continue
            items = account.list_items_at(*place)
            if not any(item.has_figure(quantity) for item in items):
                figures = [str(figure) for item in items for figure in item.facts.figures]
                held = ", ".join(dict.fromkeys(figures)) or "no figure"
                names = tuple(item.name for item in items)
                yield Difference(DifferenceKind.FIGURE, quoted, names, quantity.text, held)


def _iterate_own_figures(account: Account) -> Iterator[Difference]:
    """Yield the figures that stand in an item and in none of its passages."""
    for name in account.cited:
        quotes = account.list_quotes(name)
        said = [quantity for quote in quotes for quantity in account.read_quantities(quote)]
        for figure in account.items[name].own:
            is_plain = abs(figure.value) <= _PLAIN and not name.startswith("policy.")
            if not is_plain and not any(figure.is_said_by(quantity) for quantity in said):
                words = ", ".join(quantity.text for quantity in said) or "no figure"
                kind = DifferenceKind.OWN_FIGURE
                yield Difference(kind, " … ".join(quotes), (name,), words, str(figure))


def _iterate_named_results(account: Account) -> Iterator[Difference]:
    """Yield the items whose passages name other results than they give, and none that they do.

    Only results are looked for, as labels of recorded facts are often words of everyday. A passage
    that denies something may name what it rules out, and is left out.
    """
    for name, item in account.items.items():
        text = " … ".join(account.list_quotes(name))
        sets = {of for _, of in item.facts.labels} & account.outcome_labels
        for labels in sets if text and not is_denying(text) else ():
            said, held = find_labels(text, labels), _select_labels(item.facts.labels, labels)
            if said and not said & held:
                words = _join_labels(said), _join_labels(held)
                yield Difference(DifferenceKind.LABEL, text, (name,), *words)


def _iterate_quoted_labels(account: Account) -> Iterator[Difference]:
    """Yield the labels that a passage quotes and no citing item has, though some have others."""
    for passage in account.cited_passages:
        text = account.quote(passage)
        quoted = frozenset(QUOTED.findall(text))
        items = [account.items[name] for name in passage.items]
        facts = frozenset(label for item in items for label in item.facts.labels)
        for labels in {of for _, of in facts}:
            said, held = quoted & set(labels), _select_labels(facts, labels)
            if said - held:
                words = _join_labels(said - held), _join_labels(held)
                yield Difference(DifferenceKind.LABEL, text, passage.items, *words)


def _select_labels(labels: Iterable[Label], of: tuple[str, ...]) -> frozenset[str]:
    return frozenset(label for label, others in labels if others == of)


def _join_labels(labels: Iterable[str]) -> str:
    return ", ".join(f'"{label}"' for label in sorted(labels))
