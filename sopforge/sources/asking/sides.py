"""The two sides that are compared: what a brief says, and what the conditions of a model ask."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sopforge.domain.fields import Role
from sopforge.domain.model import DomainModel
from sopforge.sources.account import Account, Passage
from sopforge.sources.asking.cases import Cases
from sopforge.sources.asking.conditions import Condition, Conditions
from sopforge.sources.asking.vocabulary import Vocabulary
from sopforge.sources.prose.markers import split_clauses
from sopforge.sources.prose.sentences import Kind, Sentence

_GOES_ON = re.compile(
    r"^\W*(?:(?:and|but|if|unless|when|where|for|in|with|only) )?"
    r"(?:it|they|he|she|this|that|these|those|one|then|otherwise|such|so|both|either|neither|there"
    r"|here|its|their|them|in (?:this|that|these|those|such) cases?)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:than|of|from|beyond|besides|after|before|in|on top of)"
    r" (?:that|this|these|those|it|them)\b",
    re.IGNORECASE,
)
_BACK = 2
"""So many sentences a sentence may go on from."""


@dataclass(frozen=True, slots=True)
class CitedClause:
    """A clause of a passage, with the conditions that cite it and what stands in the passage."""

    text: str
    start: int
    passage: Passage
    quoted: str
    items: tuple[Condition, ...]


@dataclass(frozen=True)
class Sides:
    """The account of a brief, and what its model asks, is called and decides."""

    account: Account
    model: DomainModel
    conditions: Conditions = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "conditions", Conditions(self.model))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What the facts of the model are called."""
        texts = (prose.text for prose in self.account.prose.values())
        return Vocabulary(self.conditions, " ".join(texts))

    @cached_property
    def cases(self) -> Cases:
        """The cases that the model has."""
        return Cases(self.conditions)

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The passages in prose that items cite; of the row of a table, an item has a cell."""
        return tuple(filter(self.account.is_prose, self.account.cited_passages))

    def iterate_clauses(self) -> Iterator[CitedClause]:
        """Yield the clauses of all passages that a condition cites."""
        for passage in self.passages:
            quoted = self.account.quote(passage)
            for text, start in split_clauses(quoted):
                at = passage.start + start
                cited = self.account.list_items_at(passage.part, at, at + len(text))
                items = self.list_conditions(item.name for item in cited)
                if items:
                    yield CitedClause(text, start, passage, quoted, tuple(items))

    def list_conditions(self, names: Iterable[str]) -> list[Condition]:
        """Return those of some items that are conditions."""
        known = self.conditions.by_name
        return [known[name] for name in names if name in known]

    def call(self, name: str) -> str:
        """Return how a message names a fact."""
        item = self.account.fields.get(name)
        return f"'{item.label if item else name}'"

    def call_all(self, names: Iterable[str]) -> str:
        """Return how a message names several facts."""
        return " and ".join(map(self.call, sorted(names)))

    def is_outcome(self, name: str) -> bool:
        """Return whether a fact is a result of the procedure."""
        item = self.account.fields.get(name)
        return item is not None and item.role is Role.OUTCOME

    def quote(self, name: str) -> str:
        """Return all that is cited for an item."""
        return " … ".join(self.account.list_own_quotes(name))

    def list_around(self, passage: Passage) -> list[Sentence]:
        """Return the sentences in which a passage stands, with those from which they go on.

        Before an item of a list, what leads it in, and all that the item says before; beside a row
        of a table, those above it.
        """
        sentences = self.account.prose[passage.part].sentences
        found = list(self.account.prose[passage.part].list_at(passage.start, passage.end))
        place, is_item = sentences.index(found[0]), found[0].kind is Kind.ITEM
        for before in reversed(sentences[0 if is_item else max(0, place - _BACK) : place]):
            is_sequel = is_item or _is_sequel(found[0].text)
            if before.block != found[0].block or not is_sequel:
                break
            found.insert(0, before)
        return [*_list_leading(sentences, place), *found]

    def find_heading(self, passage: Passage) -> str:
        """Return the heading under which a passage stands, "" where there is none."""
        sentences = self.account.prose[passage.part].sentences
        above = [s for s in sentences if s.kind is Kind.HEADING and s.start <= passage.start]
        return above[-1].text if above else ""


def _is_sequel(text: str) -> bool:
    """Return whether a sentence goes on from the one before it."""
    return bool(_GOES_ON.match(text) or _POINTS_BACK.search(text))


def _list_leading(sentences: Sequence[Sentence], place: int) -> list[Sentence]:
    """Return what stands before an item of a list and leads it in, or the table of a row."""
    own = sentences[place]
    if own.kind not in (Kind.ITEM, Kind.ROW):
        return []
    found: list[Sentence] = []
    for other in reversed(sentences[:place]):
        if other.kind is not own.kind:
            return [other, *found]
        if own.kind is Kind.ROW:
            found.insert(0, other)
    return found
