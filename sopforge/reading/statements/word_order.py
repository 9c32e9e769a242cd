"""Whether two lines have their words in one order, but for clauses that change places.

"The label on the bottle" is not "the bottle on the label", though both have the same words. A
condition may stand before or after what it is for; of the rest, each part keeps its place, and each
word its place among those of its part. A verb may move: what is asked for begins with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from sopforge.reading.statements.statement import Chunk, Statement
from sopforge.reading.statements.tokens import is_value


def has_same_order(one: Statement, other: Statement) -> bool:
    """Return whether the words of two lines stand in one order."""
    if one.passives or other.passives:
        return True  # who does it is compared by itself
    compared = {pair[1] for pair in chain(one.compared, other.compared)}
    said, known = (_list_single_words(item, compared) for item in (one, other))
    shared = said & known - _list_first_words(one) - _list_first_words(other)
    return (
        _has_same_firsts(one.chunks, other.chunks, said & known)
        and _is_kept(one.chunks, other.chunks, shared)
        and _is_kept(other.chunks, one.chunks, shared)
        and (bool(one.compared) or _is_in_turn(one.chunks, other.chunks, said & known))
    )


def _list_single_words(item: Statement, compared: Collection[str]) -> set[str]:
    """Return the words that a line has once, without those of which a comparison is checked."""
    counts = Counter(token for chunk in item.chunks for token in chunk.tokens)
    return {
        token
        for token, count in counts.items()
        if count == 1 and not is_value(token) and token not in compared
    }


def _list_first_words(item: Statement) -> set[str]:
    return {chunk.tokens[0] for chunk in item.chunks if not chunk.is_condition}


def _has_same_firsts(
    said: Sequence[Chunk], known: Sequence[Chunk], shared: AbstractSet[str]
) -> bool:
    """Return whether what begins a part is with a word of that part again."""
    for chunk in known:
        first, *others = chunk.tokens
        beside = shared & {*others}
        found = [part for part in said if first in part.tokens]
        if first in shared and beside and not any(beside & {*part.tokens} for part in found):
            return False
    return True


def _is_kept(said: Sequence[Chunk], known: Sequence[Chunk], shared: Collection[str]) -> bool:
    """Return whether the words of each part come in the order in which they are known."""
    places = _index_places(known)
    for chunk in said:
        found = [places[token] for token in chunk.tokens if token in shared]
        if found != sorted(found):
            return False
    return True


def _is_in_turn(said: Sequence[Chunk], known: Sequence[Chunk], shared: Collection[str]) -> bool:
    """Return whether the parts that are no condition come in the order in which they are known."""
    places = _index_places(known)
    found = [
        sorted(places[token] for token in chunk.tokens if token in shared)
        for chunk in said
        if not chunk.is_condition
    ]
    middles = [part[len(part) // 2] for part in found if part]
    return middles == sorted(middles)


def _index_places(chunks: Sequence[Chunk]) -> dict[str, int]:
    tokens = [token for chunk in chunks for token in chunk.tokens]
    return {token: place for place, token in reversed(list(enumerate(tokens)))}
