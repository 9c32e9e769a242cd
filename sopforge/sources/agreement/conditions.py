"""Labels that a condition of a passage names, and whether an item that cites it reads their field.

"If the lot is robusta or moist" without anything that reads the species is half a condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from sopforge.sources.account import Account
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.agreement.label_mentions import Mention, is_written, list_mentions
from sopforge.sources.facts import Labels, list_type_labels
from sopforge.sources.items import Item
from sopforge.sources.prose.markers import (
    is_without_difference,
    split_clauses,
    split_last_statement,
)
from sopforge.sources.prose.stems import list_stems

_CONDITION = re.compile(
    r"\b(?:if|unless|where|when|except\w*|only|provided|other than|regardless)\b", re.IGNORECASE
)


def find_unread_labels(account: Account) -> Iterator[Doubt]:
    """Yield the labels of a condition whose field no item that cites the clause reads."""
    owners = _list_owners(account)
    for passage in filter(account.is_prose, account.cited_passages):
        quoted = account.quote(passage)
        for clause, start in split_clauses(quoted):
            at = passage.start + start
            items = account.list_items_at(passage.part, at, at + len(clause))
            if not any(map(_is_judging, items)):
                continue
            unread = _list_unread(account, items, owners)
            before = split_last_statement(quoted[:start])
            names = tuple(item.name for item in items)
            for mention in _iterate_named(clause, before, unread, owners):
                yield Doubt(Kind.LISTED, quoted, names, mention.label, "nothing of it")


def _list_owners(account: Account) -> Mapping[Labels, frozenset[str]]:
    """Return the fields that have each set of labels."""
    found: dict[Labels, frozenset[str]] = {}
    for item in account.fields.values():
        for labels in {of for _, of in list_type_labels(item.type)}:
            found[labels] = found.get(labels, frozenset()) | {item.name}
    return found


def _is_judging(item: Item) -> bool:
    return item.name.startswith(("predicates.", "decisions.")) or (
        item.name.startswith("steps.") and item.name.count(".") > 1
    )


def _list_unread(
    account: Account, items: tuple[Item, ...], owners: Mapping[Labels, frozenset[str]]
) -> frozenset[Labels]:
    """Return the labels of facts whose fields items do not read, not even by what is derived.

    None that the words of the items name.
    """
    read: set[str] = set()
    for item in items:
        _collect_read(account, item, read)
    words = frozenset[str]().union(*(item.words for item in items))
    return frozenset(
        labels
        for labels in account.stored_labels
        if not owners.get(labels, frozenset()) & read
        and not any(list_stems(label) & words for label in labels)
    )


def _collect_read(account: Account, item: Item, read: set[str]) -> None:
    for name in sorted(item.facts.fields - read):
        read.add(name)
        decision = account.items.get(f"decisions.{name}")
        if decision is not None:
            _collect_read(account, decision, read)


def _iterate_named(
    clause: str,
    before: str,
    unread: frozenset[Labels],
    owners: Mapping[Labels, frozenset[str]],
) -> Iterator[Mention]:
    """Yield the labels that a clause has after a word for a condition, as they are written.

    A word that is a label of several sets may be meant as another of them. Of what makes no
    difference nothing has to be read: "a clean log or not".
    """
    known = [label.lower() for labels in owners for label in labels]
    for mention in (found for labels in sorted(unread) for found in list_mentions(clause, labels)):
        is_clear = known.count(mention.label.lower()) == 1 and is_written(clause, mention.label)
        is_open = is_without_difference(clause[mention.end :])
        if is_clear and not is_open and _CONDITION.search(before + clause[: mention.start]):
            yield mention
