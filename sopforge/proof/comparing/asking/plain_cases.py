"""The plainest of the cases that turn on one thing: few facts, none of them odd, at the limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sopforge.language.domain.expressions.expressions import Expression, collect_read_fields
from sopforge.language.domain.values.malformed_inputs import find_marked_field, name_malformed_mark
from sopforge.language.domain.values.types import (
    ListType,
    NumberType,
    OrderedType,
    SetType,
    Value,
    require_integer,
)
from sopforge.proof.comparing.answers import AnswerPair
from sopforge.proof.comparing.asking.tracing import Trace, trace_case
from sopforge.proof.comparing.cases import Cases, keep_held
from sopforge.proof.comparing.limit_cases import Limit, is_case, list_limits, move_row
from sopforge.proof.comparing.translating import Row, Translation, collect_rows_read
from sopforge.proof.dataset.sampling.bulk import as_columns, as_rows

MOST_TRIED = 80
_MOST_LIMITS = 40
_MOST_CONFIRMED = 6
_TEN = 10


@dataclass(frozen=True, slots=True)
class PlainCase:
    """A case that is decided otherwise: its row in both readings, and how each comes to its answer.

    ``apart`` are the answers that differ, the one first that the case is about. ``facts`` are the
    facts of ours that matter for it, in the model's order, ``others`` those of theirs of which ours
    knows nothing.
    """

    row: Row
    their_row: Row
    ours: Trace
    theirs: Trace
    facts: tuple[str, ...]
    others: tuple[str, ...]
    apart: tuple[AnswerPair, ...]

    @property
    def course(self) -> object:
        """What decided it in both readings, and what came of it."""
        answers = [(pair.ours.name, self.ours.answers[pair.ours.name]) for pair in self.apart]
        theirs = [self.theirs.answers[pair.theirs.name] for pair in self.apart]
        return set(self.ours.items), set(self.theirs.items), answers, theirs


@dataclass(slots=True)
class CaseChooser:
    """Chooses plain cases; ``limits`` are the numbers at which either reading decides otherwise.

    No case is chosen that turns on ``unknown`` facts of theirs: what they are in ours is yet to be
    said.
    """

    cases: Cases
    unknown: frozenset[str] = frozenset()
    limits: list[Limit] = field(init=False)

    def __post_init__(self) -> None:
        self.limits = list_limits(self.translation)

    @property
    def translation(self) -> Translation:
        """How rows of ours are rows of theirs."""
        return self.cases.translation

    def choose_case(self, places: Sequence[int]) -> PlainCase | None:
        """Return the plainest of some cases, none where no walk confirms that they differ."""
        tried = [self.look_at_place(place) for place in _choose_evenly(places)]
        found = [item for item in tried if item is not None]
        if not found:
            return None
        return self.settle_case(min(found, key=self.rank_case))

    def look_at_place(self, place: int) -> PlainCase | None:
        """Return one of the cases as both readings walk it."""
        (row,) = as_rows(self.translation.ours, self.cases.ours.slice_rows(place, place + 1))
        (other,) = as_rows(self.translation.theirs, self.cases.theirs.slice_rows(place, place + 1))
        return self.look_at(row, other)

    def look_at_row(self, row: Row) -> PlainCase | None:
        """Return a row of ours as both readings walk it, if theirs can hold it."""
        if not keep_held(self.translation, [row]):
            return None
        return self.look_at(row, self.translation.translate_row(row, self.cases.seed))

    def look_at(self, row: Row, other: Row) -> PlainCase | None:
        pairs = self.cases.pairs
        try:
            ours = trace_case(self.translation.ours, row, [pair.ours.name for pair in pairs])
            names = [pair.theirs.name for pair in pairs]
            theirs = trace_case(self.translation.theirs, other, names)
        except TypeError:
            # A model that never asks for an input's form may compare a malformed text with a date.
            # Of such a case nobody can say what the model decides.
            return None
        apart = [
            pair
            for pair in pairs
            if pair.is_apart(ours.answers[pair.ours.name], theirs.answers[pair.theirs.name])
        ]
        if not apart:
            return None
        found = {pair.ours.name: self.collect_facts(pair, ours, theirs) for pair in apart}
        apart.sort(key=lambda pair: (not pair.ours.primary, len(found[pair.ours.name])))
        first = apart[0]
        read, named = found[first.ours.name], theirs.facts[first.theirs.name]
        facts = tuple(name for name in self.translation.ours.fields if name in read)
        if named & self.unknown:
            return None
        others = tuple(name for name in self.translation.lacking if name in named)
        return PlainCase(row, other, ours, theirs, facts, others, tuple(apart))

    def collect_facts(self, pair: AnswerPair, ours: Trace, theirs: Trace) -> frozenset[str]:
        """Return the facts of ours that an answer takes in either reading."""
        return ours.facts[pair.ours.name] | self.map_facts(theirs.facts[pair.theirs.name])

    def map_facts(self, names: Iterable[str]) -> frozenset[str]:
        """Return the facts of ours that facts of theirs are worked out from."""
        known = self.translation.known
        read = collect_rows_read(known[name] for name in names if name in known)
        entities = {item.name: item.key for item in self.translation.ours.references}
        return frozenset(find_marked_field(name) or entities.get(name, name) for name in read)

    def rank_case(self, case: PlainCase) -> tuple[int, ...]:
        """Return how plain a case is: the least is the plainest."""
        is_primary = any(pair.ours.primary for pair in case.apart)
        odd = sum(self.count_oddity(case.row, name) for name in case.facts)
        return not is_primary, len(case.facts) + len(case.others), odd

    def count_oddity(self, row: Row, name: str) -> int:
        """Return how unusual the value of a fact is."""
        value, kind = row.get(name), self.translation.ours.fields[name].type
        if row.get(name_malformed_mark(name)):
            return 3
        if value is None:
            return 2
        if isinstance(kind, ListType):
            return len(value) if isinstance(value, tuple) else 0
        if isinstance(kind, SetType):
            return require_integer(value).bit_count()
        if isinstance(kind, OrderedType):
            return int(value in kind.bounds)
        return 0

    # values at limits, and round ones

    def settle_case(self, case: PlainCase) -> PlainCase:
        """Return a case with its numbers at limits, else round, as long as it is decided so."""
        for row in self.list_boundary_rows(case)[:_MOST_CONFIRMED]:
            moved = self.look_at_row(row)
            if moved is not None and moved.course == case.course:
                case = moved
                break
        for name in case.facts:
            case = self.round_fact(case, name)
        return case

    def list_boundary_rows(self, case: PlainCase) -> list[Row]:
        """Return the case moved to where the difference ends: one unit on, both decide alike.

        Those at the very limit of a reading come first.
        """
        facts = set(case.facts)
        limits = [limit for limit in self.limits if _is_about(limit[0], facts)]
        moves: dict[tuple[int, int], Row] = {}
        for number, (subject, limit) in enumerate(limits[:_MOST_LIMITS]):
            for value in range(limit - 2, limit + 3):
                moved = move_row(self.translation.ours, case.row, subject, value)
                if moved is not None:
                    moves[number, value] = moved
        apart = dict(zip(moves, self.find_apart(list(moves.values())), strict=True))
        found = [
            (abs(value - limits[number][1]), number, value)
            for number, value in moves
            if apart[number, value]
            and False in {apart.get((number, value - 1)), apart.get((number, value + 1))}
        ]
        return [moves[number, value] for _, number, value in sorted(found)]

    def find_apart(self, rows: list[Row]) -> list[bool | None]:
        """Return for each row whether it is decided otherwise; None where theirs cannot hold it."""
        if not rows:
            return []
        columns = as_columns(self.translation.ours, rows)
        unheld = self.translation.find_unheld(columns).values()
        missed = np.logical_or.reduce([np.zeros(len(rows), dtype=bool), *unheld])
        kept = np.flatnonzero(~missed)
        cases = self.cases
        apart = Cases(self.translation, cases.pairs, cases.seed, columns.take_rows(kept)).differing
        found: list[bool | None] = [None] * len(rows)
        for place, is_apart in zip(kept.tolist(), apart.tolist(), strict=True):
            found[place] = is_apart
        return found

    def round_fact(self, case: PlainCase, name: str) -> PlainCase:
        """Return a case with a round number in the place of one that is at no limit."""
        kind, value = self.translation.ours.fields[name].type, case.row.get(name)
        if not isinstance(kind, NumberType) or not isinstance(value, int):
            return case
        if any(limit == value for subject, limit in self.limits if _is_read_alone(subject, name)):
            return case
        for other in iterate_round_numbers(value, kind.places):
            low, high = kind.bounds
            row: Mapping[str, Value | None] = {**case.row, name: other}
            if low <= other <= high and is_case(self.translation.ours, row):
                moved = self.look_at_row(row)
                if moved is not None and moved.course == case.course:
                    return moved
        return case


def iterate_round_numbers(value: int, places: int) -> Iterator[int]:
    """Yield numbers near to one that people would write, the roundest first."""
    digits = max(len(str(abs(value))) - 1, 0)
    for exponent in range(digits, -1, -1):
        step = _TEN**exponent
        rounded = round(value / step) * step
        if rounded == value:
            return
        if exponent >= places or not places:
            yield rounded


def _is_about(subject: Expression, facts: set[str]) -> bool:
    """Return whether a number is worked out from facts of a case alone."""
    read = collect_read_fields(subject)
    return bool(read) and read <= facts


def _is_read_alone(subject: object, name: str) -> bool:
    return getattr(subject, "field", "") == name


def _choose_evenly(places: Sequence[int]) -> list[int]:
    if len(places) <= MOST_TRIED:
        return list(places)
    # Both ends: drawn cases come first, cases at limits and those of the solver last.
    head = list(places[: MOST_TRIED // 2])
    step = max(1, len(places) // (MOST_TRIED // 2))
    return [*head, *(place for place in places[::-step] if place not in head)]
