"""The documents that bind nobody here: editions of other days, of other desks, and papers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import cycle, islice

from sopforge.harness.layers.documents.composing.binding import EARLIER, SINCE, TextInPieces
from sopforge.harness.layers.documents.composing.changes import (
    ChangeFinder,
    LineChange,
    put_changes,
)
from sopforge.harness.layers.documents.composing.papers import iterate_papers
from sopforge.harness.layers.documents.composing.register import Register
from sopforge.harness.layers.documents.document import Document, DocumentStanding
from sopforge.harness.layers.layer import make_dial_error
from sopforge.seeds import draw_below, permute_items

OTHER_DESKS = 4
"""How many other desks have rules of a subject: with all editions, one search brings them up."""
_LATER = 200
_OTHERWISE, _OF = 3, 5
"""Of so many tasks, how many come out otherwise by the editions of later days."""
_HALF = 2


@dataclass(frozen=True)
class Others:
    """Makes what stands beside the documents that bind; ``rules`` have the text in its order."""

    text: TextInPieces
    rules: Sequence[Document]
    finder: ChangeFinder
    procedure: str
    register: Register

    @property
    def least(self) -> int:
        """How many there have to be: what decides most tasks otherwise, and one of each kind."""
        return len(self._later) + 3

    def make(self, count: int) -> list[Document]:
        """Return so many documents, of each kind as many as of the others while there are some."""
        kinds = [
            self._iterate_later(),
            self._iterate_superseded(),
            self._iterate_of_other_desks(),
            self._iterate_papers(),
        ]
        found = list(islice(kinds[0], len(self._later)))
        for kind in cycle([*kinds[1:], kinds[0]]):
            if len(found) >= count:
                return found
            found += islice(kind, 1)
        raise AssertionError("papers have no end")

    @cached_property
    def _changes(self) -> Mapping[int, Sequence[LineChange]]:
        """The changes of each piece that has some, by its place, in drawn order."""
        changes = self.finder.find()
        if not changes:
            raise make_dial_error(
                "documents",
                "no step has a limit, a result or an end whose change would show in a task",
                "leave the dial out, or give the model a rule by which an agent decides",
            )
        # What turns most tasks round is no rule that anybody would have had.
        most = len(self.finder.rows) // _HALF
        chosen = [item for item in changes if len(item.tasks) <= most] or changes
        found: dict[int, list[LineChange]] = {}
        for change in permute_items(chosen, self.register.seed, "changes"):
            found.setdefault(self.text.find_piece(change.at), []).append(change)
        return {place: found[place] for place in sorted(found)}

    # editions of later days

    def _iterate_later(self) -> Iterator[Document]:
        """Yield editions of a day to come, those first by which most tasks come out otherwise."""
        others = [place for place in self._changes if place not in self._later]
        for place in [*self._later, *others]:
            changes = self._later.get(place, self._changes[place][:1])
            rule = self.rules[place]
            yield replace(
                rule,
                number=self.register.give_number(),
                edition=rule.edition + 1,
                since=self.register.draw_day_after(self.register.today, _LATER, "later", place),
                lines=self._change(place, changes),
                standing=DocumentStanding.LATER,
                in_force=rule.number,
            )

    @cached_property
    def _later(self) -> Mapping[int, Sequence[LineChange]]:
        """By place, the changes of as many editions as decide most tasks otherwise."""
        differing, left = frozenset[str](), list(self._changes)
        found: dict[int, Sequence[LineChange]] = {}
        while left and not self._is_enough(differing):
            place = max(left, key=lambda at: _count_further(self._changes[at], differing))
            changes = self._choose(place, differing)
            if not changes:
                break
            left.remove(place)
            found[place] = changes
            differing = self.finder.find_differing(
                [item for items in found.values() for item in items]
            )
        return found

    def _choose(self, place: int, differing: Collection[str]) -> Sequence[LineChange]:
        """Return for lines of a piece the changes that add most, until enough tasks differ."""
        found: list[LineChange] = []
        known, left = set(differing), list(self._changes[place])
        while left and not self._is_enough(known):
            best = max(left, key=lambda item: len(item.tasks - known))
            if not best.tasks - known:
                break
            found.append(best)
            known |= best.tasks
            left = [item for item in left if item.at != best.at]
        return found

    def _is_enough(self, differing: Collection[str]) -> bool:
        return len(differing) * _OF >= len(self.finder.rows) * _OTHERWISE

    # the others

    def _iterate_superseded(self) -> Iterator[Document]:
        """Yield editions that others took the place of, of each document in turn."""
        days = {place: self.rules[place].since for place in self._changes}
        for turn in range(EARLIER):
            for place, changes in self._changes.items():
                if len(changes) <= turn:
                    continue
                rule = self.rules[place]
                days[place] = self.register.draw_day_before(days[place], SINCE, "old", place, turn)
                yield replace(
                    rule,
                    number=self.register.give_number(),
                    edition=rule.edition - 1 - turn,
                    since=days[place],
                    lines=self._change(place, [changes[-1 - turn]]),
                    standing=DocumentStanding.SUPERSEDED,
                    in_force=rule.number,
                )

    def _iterate_of_other_desks(self) -> Iterator[Document]:
        """Yield what other desks have in the place of a document, of each document in turn."""
        register = self.register
        for turn, desk in enumerate(register.desks[1 : 1 + OTHER_DESKS]):
            for place, changes in self._changes.items():
                change = changes[draw_below(len(changes), register.seed, "other", turn, place)]
                yield Document(
                    number=register.give_number(),
                    title=self.rules[place].title,
                    owner=desk,
                    edition=register.draw_edition(1, "other", turn, place),
                    since=register.draw_day_before(register.today, SINCE, "other", turn, place),
                    lines=self._change(place, [change]),
                )

    def _iterate_papers(self) -> Iterator[Document]:
        register = self.register
        for place, paper in enumerate(iterate_papers(self.procedure, register.seed)):
            yield Document(
                number=register.give_number(),
                title=paper.title,
                owner=paper.office,
                edition=register.draw_edition(1, "paper", place),
                since=register.draw_day_before(register.today, SINCE, "paper", place),
                lines=paper.lines,
                standing=DocumentStanding.PAPER,
            )

    def _change(self, place: int, changes: Sequence[LineChange]) -> tuple[str, ...]:
        piece = self.text.pieces[place]
        return tuple(put_changes(self.text.lines, changes)[piece.start : piece.end])


def refer_to_earlier(documents: Sequence[Document], seed: int) -> list[Document]:
    """Return documents with some of their references to editions before those in force.

    Those name the ones that took their place.
    """
    earlier: dict[int, int] = {}
    for document in documents:
        is_drawn = draw_below(_HALF, seed, "led", document.in_force)
        if document.standing is DocumentStanding.SUPERSEDED and is_drawn:
            earlier.setdefault(document.in_force, document.number)
    return [
        replace(
            item, references={name: earlier.get(at, at) for name, at in item.references.items()}
        )
        for item in documents
    ]


def _count_further(changes: Sequence[LineChange], differing: Collection[str]) -> int:
    return len(frozenset[str]().union(*(item.tasks for item in changes)) - frozenset(differing))
