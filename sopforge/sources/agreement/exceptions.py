"""Exceptions of passages, and whether an item reads what they are about."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.sources.account import Account
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.prose.markers import iterate_exceptions
from sopforge.sources.prose.stems import has_shared_word, list_stems


def find_exceptions(account: Account) -> Iterator[Doubt]:
    """Yield the exceptions of which no citing item reads anything."""
    for passage in account.cited_passages:
        quoted = account.quote(passage)
        for clause in iterate_exceptions(quoted):
            start = passage.start + clause.start
            end = min(passage.start + clause.end, passage.end)
            items = account.list_items_at(passage.part, start, end)
            words = list_stems(clause.text)
            set_aside = account.is_set_aside(passage.part, start, end)
            if set_aside or not words or any(has_shared_word(words, item.words) for item in items):
                continue
            names = tuple(item.name for item in items)
            yield Doubt(Kind.EXCEPTION, quoted, names, clause.text, "nothing of it")
