"""Papers of offices that decide nothing, drawn from what is true of any trade."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from sopforge.artifacts.complexity.trade.pools.services import OFFICES
from sopforge.artifacts.complexity.trade.pools.tangents import SENTENCES
from sopforge.seeds import permute_index, permute_items

_SENTENCES = 3
_GENERAL = [text for text in SENTENCES if "this document" not in text and "this text" not in text]
"""What speaks of no text in which it stands."""
_TOPICS = ("notice", "advice to staff", "yearly report", "answers to questions", "circular")


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper of an office: what it is called, and its lines."""

    office: str
    title: str
    lines: tuple[str, ...]


def iterate_papers(procedure: str, seed: int) -> Iterator[Paper]:
    """Yield papers on a procedure without end, each under a title of its own."""
    size = len(OFFICES) * len(_TOPICS)
    for number in count():
        turn, place = divmod(number, size)
        drawn = permute_index(place, size, seed, "paper", turn)
        office, topic = OFFICES[drawn // len(_TOPICS)], _TOPICS[drawn % len(_TOPICS)]
        again = f" ({turn + 1})" if turn else ""
        title = f"{procedure}: {topic} of the {office}{again}"
        yield Paper(office, title, tuple(_iterate_sentences(number, seed)))


def _iterate_sentences(number: int, seed: int) -> Iterator[str]:
    yield from permute_items(_GENERAL, seed, "sentences", number)[:_SENTENCES]
