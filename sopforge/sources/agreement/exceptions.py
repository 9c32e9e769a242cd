"""Exceptions, inclusions and lists of passages, and whether an item reads what they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sopforge.sources.account import Account
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.agreement.figures import has_figure
from sopforge.sources.agreement.label_mentions import find_labels, join_labels
from sopforge.sources.facts import Labels
from sopforge.sources.items import Item
from sopforge.sources.prose.markers import (
    count_negations,
    iterate_exceptions,
    iterate_lists,
    split_clauses,
)
from sopforge.sources.prose.stems import has_shared_word, list_stems

_INCLUDING = re.compile(
    r"\b(?:too|also|as well|likewise|equally|includ(?:ing|ed|es))\b", re.IGNORECASE
)
_SPARING = re.compile(
    r"\b(?:free of|free from|exempt\w*|exceptions?|excepted|spared|excluded|waived)\b",
    re.IGNORECASE,
)
_EXCEPTING = re.compile(r"^(?:unless|except\w*|do|does)\b(?!.*\bno\b)", re.IGNORECASE)
_EVEN = re.compile(r"even (?:if|when|where)\b", re.IGNORECASE)
_MARKING = list_stems("unless except even save apart provided regardless only long")
_HALF = 2


def find_exceptions(account: Account) -> Iterator[Doubt]:
    """Yield the exceptions of which no citing item reads anything.

    What makes no difference ("even if it is warm") other rules of the same decisions may read.
    """
    for passage in account.cited_passages:
        quoted = account.quote(passage)
        for clause in iterate_exceptions(quoted):
            start = passage.start + clause.start
            end = min(passage.start + clause.end, passage.end)
            items = account.list_items_at(passage.part, start, end)
            beside = _list_beside(account, items) if _EVEN.match(clause.text) else []
            words = list_stems(clause.text) - _MARKING
            is_read = any(has_shared_word(words, item.words) for item in (*items, *beside))
            if account.is_set_aside(passage.part, start, end) or not words or is_read:
                continue
            if _is_limit_alone(account, clause.text, items):
                continue
            names = tuple(item.name for item in items)
            yield Doubt(Kind.EXCEPTION, quoted, names, clause.text, "nothing of it")


def _list_beside(account: Account, items: Sequence[Item]) -> list[Item]:
    """Return all rules of the decisions of which some items are rules."""
    groups = {item.name.rpartition(".")[0] for item in items if _is_condition(item)}
    return [item for name, item in account.items.items() if name.rpartition(".")[0] in groups]


def _is_limit_alone(account: Account, text: str, items: Sequence[Item]) -> bool:
    """Return whether an exception has no words but a limit, which an item reads.

    "Only if it does so by more than 10 cm" goes on from what stands before it.
    """
    rest = text
    found = account.read_quantities(text)
    for quantity in reversed(found):
        rest = f"{rest[: quantity.start]} {rest[quantity.end :]}"
    is_read = all(any(has_figure(item, quantity) for item in items) for quantity in found)
    return bool(found) and is_read and not list_stems(rest) - _MARKING


def find_unread_things(account: Account) -> Iterator[Doubt]:
    """Yield the things of a list of which no citing item reads anything, where they read the rest.

    That is what is left of a list from which a thing was dropped.
    """
    for passage in account.cited_passages:
        quoted = account.quote(passage)
        for things in iterate_lists(quoted):
            start, end = (passage.start + place for place in (things[0].start, things[-1].end))
            items = account.list_items_at(passage.part, start, end)
            if not any(_is_condition(item) for item in items):
                continue
            words = frozenset[str]().union(*(item.words for item in items))
            unread = [
                thing
                for thing in things
                if (stems := list_stems(thing.text))
                and not has_shared_word(stems, words)
                and not count_negations(thing.text)
                and not account.read_quantities(thing.text)
            ]
            if len(unread) * _HALF <= len(things) and len(things) - len(unread) >= _HALF:
                names = tuple(item.name for item in items)
                for thing in unread:
                    yield Doubt(Kind.LISTED, quoted, names, thing.text, "nothing of it")


def _is_condition(item: Item) -> bool:
    """Return whether an item is a rule, an edge or a predicate: what a list may be the cases of."""
    group, _, rest = item.name.partition(".")
    return group == "predicates" or (group in {"decisions", "steps"} and "." in rest)


def find_left_out(account: Account) -> Iterator[Doubt]:
    """Yield the rules that leave out what their passage says is so too."""
    for quoted, item in _iterate_cited_rules(account):
        denied = item.facts.labels - item.facts.meant - item.facts.given
        for text, _ in split_clauses(quoted):
            is_in = _INCLUDING.search(text) and not _SPARING.search(text)
            if is_in and not count_negations(text):
                yield from _compare_scope(quoted, text, item, denied, account)


def find_turned_exceptions(account: Account) -> Iterator[Doubt]:
    """Yield the rules that ask for what their passage excepts from the result that they give."""
    for quoted, item in _iterate_cited_rules(account):
        for clause in iterate_exceptions(quoted):
            rest = quoted[: clause.start] + quoted[clause.end :]
            is_plain = _EXCEPTING.search(clause.text) and count_negations(clause.text) < _HALF
            if is_plain and any(label in find_labels(rest, of) for label, of in item.facts.given):
                yield from _compare_scope(quoted, clause.text, item, item.facts.meant, account)


def _iterate_cited_rules(account: Account) -> Iterator[tuple[str, Item]]:
    """Yield the passages of decisions and rules, each with one that cites it."""
    for passage in account.cited_passages:
        for name in passage.items:
            if name.startswith("decisions."):
                yield account.quote(passage), account.items[name]


def _compare_scope(
    quoted: str, text: str, item: Item, held: frozenset[tuple[str, Labels]], account: Account
) -> Iterator[Doubt]:
    """Yield a label that a text names and a rule has where it should not."""
    for labels in {of for _, of in held} & account.stored_labels:
        having = {label for label, of in held if of == labels}
        if having == find_labels(text, labels):
            yield Doubt(Kind.SCOPE, quoted, (item.name,), text.strip(), join_labels(having))
