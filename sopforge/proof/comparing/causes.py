"""Why two readings part: the fewest single things read otherwise by which they would agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.readings.vector import Column
from sopforge.proof.comparing.cases import Cases
from sopforge.proof.comparing.column_answers import Answers, ColumnAnswers, compare_known
from sopforge.proof.comparing.mistakes import Mistake, collect_numbers, derive_mistakes

MOST_CAUSES = 12
_MOST_PROBES = 48
_MOST_DIFFERING, _MOST_AGREEING = 1_500, 1_500


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing that the two readings read otherwise, and the places of cases that turn on it.

    ``ours`` is what ours would have read otherwise to agree with theirs there, ``theirs`` the
    reverse; one of them may be unknown. ``sides`` are the two readings without what was found
    before.
    """

    ours: Mistake | None
    theirs: Mistake | None
    sides: tuple[DomainModel, DomainModel]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """The causes that were found, the cases that none of them explains, and what agrees by now."""

    causes: tuple[Cause, ...]
    rest: tuple[int, ...]
    sides: tuple[DomainModel, DomainModel]


@dataclass(slots=True)
class Search:
    """Looks for causes among cases; ``unread`` are facts of ours of which theirs knows nothing.

    It may go on from what was explained ``before`` among fewer cases.
    """

    cases: Cases
    unread: tuple[str, ...]
    before: Explained | None = None
    sides: tuple[DomainModel, DomainModel] = field(init=False)

    def __post_init__(self) -> None:
        translation = self.cases.translation
        known = self.before
        self.sides = known.sides if known else (translation.ours, translation.theirs)

    def find_causes(self) -> Explained:
        """Return the causes, the one that explains most cases first."""
        causes = list(self.before.causes) if self.before else []
        differing = self.compare(*self.sides) if self.before else self.cases.differing
        while differing.any() and len(causes) < MOST_CAUSES:
            found = self.find_cause(differing)
            if found is None:
                break
            left = self.compare(*self.take_over(found))
            causes.append(self.describe_cause(found, np.flatnonzero(differing & ~left)))
            self.sides, differing = self.take_over(found), left
        return Explained(tuple(causes), tuple(np.flatnonzero(differing).tolist()), self.sides)

    def take_over(self, found: _Found) -> tuple[DomainModel, DomainModel]:
        """Return the readings with a thing read as the other one reads it."""
        if found.is_ours:
            return found.mistake.model, self.sides[1]
        return self.sides[0], found.mistake.model

    def compare(self, ours: DomainModel, theirs: DomainModel) -> Column:
        """Return which cases two models answer otherwise."""
        one, other = self.cases.read_ours(ours), self.cases.read_theirs(theirs)
        return self.cases.compare(one.sound, other.sound)

    def describe_cause(self, found: _Found, places: Column) -> Cause:
        pair = (found.mistake, found.other)
        ours, theirs = pair if found.is_ours else (pair[1], pair[0])
        listed = tuple(places.tolist())
        return Cause(ours, theirs, self.sides, listed)

    def find_cause(self, differing: Column) -> _Found | None:
        """Return the mistake that explains most of the cases and turns none of the others."""
        sample = self.cases.take(_choose_places(differing))
        before = differing[_choose_places(differing)]
        probes = sample.take(_choose_probes(sample, before, self.sides))
        tried = [
            trial
            for is_ours in (True, False)
            for trial in self.try_side(sample, probes, differing, before, is_ours=is_ours)
        ]
        tried.sort(key=lambda trial: -trial.count)
        for trial in tried:
            if self.is_harmless(trial, differing):
                others = [item for item in tried if item.is_ours is not trial.is_ours]
                alike = (item for item in others if np.array_equal(item.fixed, trial.fixed))
                other = next((item for item in alike if self.is_harmless(item, differing)), None)
                return _Found(trial.mistake, trial.is_ours, other.mistake if other else None)
        return None

    def is_harmless(self, trial: _Trial, differing: Column) -> bool:
        """Return whether a mistake turns none of all cases on which the readings agree."""
        found = _Found(trial.mistake, trial.is_ours)
        return not (self.compare(*self.take_over(found)) & ~differing).any()

    def try_side(
        self, sample: Cases, probes: Cases, differing: Column, before: Column, *, is_ours: bool
    ) -> Iterator[_Trial]:
        """Yield the mistakes in one reading that explain some of the cases and turn no other."""
        model, other = self.sides if is_ours else self.sides[::-1]
        quick = _Bench(probes, self.sides, is_ours=is_ours)
        whole = _Bench(sample, self.sides, is_ours=is_ours)
        unread = self.unread if is_ours else ()
        for mistake in derive_mistakes(model, collect_numbers(other), unread):
            if not quick.is_promising(mistake.model):
                continue
            after = whole.compare(mistake.model)
            fixed = before & ~after
            if fixed.any() and not (after & ~before).any():
                trial = _Trial(mistake, is_ours, fixed, int(fixed.sum()))
                yield trial
                if trial.count == before.sum() and self.is_harmless(trial, differing):
                    return  # nothing explains more


@dataclass(frozen=True, slots=True)
class _Found:
    mistake: Mistake
    is_ours: bool
    other: Mistake | None = None


@dataclass(frozen=True, slots=True)
class _Trial:
    """A mistake in one reading, and which cases of a sample it explains."""

    mistake: Mistake
    is_ours: bool
    fixed: Column
    count: int


class _Bench:
    """Compares mistakes in one reading with the other reading, on some cases."""

    def __init__(
        self, cases: Cases, sides: tuple[DomainModel, DomainModel], *, is_ours: bool
    ) -> None:
        self.cases = cases
        self.is_ours = is_ours
        readings = cases.read_ours(sides[0]), cases.read_theirs(sides[1])
        self.own: ColumnAnswers = readings[0 if is_ours else 1]
        self.other: Answers = readings[1 if is_ours else 0].sound

    def compare(self, model: DomainModel) -> Column:
        """Return which cases are answered otherwise with a mistake."""
        answers = self.own.answer(model)
        pair = (answers, self.other) if self.is_ours else (self.other, answers)
        return self.cases.compare(*pair)

    def is_promising(self, model: DomainModel) -> bool:
        """Return whether a mistake makes one of the cases agree that do not agree without it."""
        return self.own.is_noticed_where_made(model) and not self.compare(model).all()


def _choose_places(differing: Column) -> Column:
    """Return the places of cases that are looked at: of either kind, evenly spread."""
    apart, alike = np.flatnonzero(differing), np.flatnonzero(~differing)
    chosen = [_choose_evenly(apart, _MOST_DIFFERING), _choose_evenly(alike, _MOST_AGREEING)]
    return np.sort(np.concatenate(chosen))


def _choose_evenly(places: Column, most: int) -> Column:
    if len(places) <= most:
        return places
    # The last ones always: those are the cases that the solver found.
    steps = np.linspace(0, len(places) - 1, most).round().astype(int)
    chosen: Column = places[steps]
    return chosen


def _choose_probes(sample: Cases, before: Column, sides: tuple[DomainModel, DomainModel]) -> Column:
    """Return a few differing cases of each kind of difference."""
    ours, theirs = sample.read_ours(sides[0]).sound, sample.read_theirs(sides[1]).sound
    kinds: defaultdict[object, list[int]] = defaultdict(list)
    for place in np.flatnonzero(before).tolist():
        kinds[describe_answers(sample, ours, theirs, place)].append(place)
    found: list[int] = []
    each = max(1, _MOST_PROBES // max(1, len(kinds)))
    for places in kinds.values():
        found += _choose_evenly(np.array(places), each).tolist()
    return np.array(sorted(found[:_MOST_PROBES]), dtype=int)


def describe_answers(sample: Cases, ours: Answers, theirs: Answers, place: int) -> object:
    """Return what both readings answer to a case, so that like differences are found."""
    known = [
        part for pair in sample.pairs for part in (ours[pair.ours.name], theirs[pair.theirs.name])
    ]
    return tuple(str(part.value[place]) if part.present[place] else None for part in known)


def find_clear_places(cases: Cases, cause: Cause) -> tuple[int, ...]:
    """Return the cases of a cause on which nothing that was found before makes a difference."""
    sides = cases.translation.ours, cases.translation.theirs
    if cause.sides == sides or not cause.places:
        return cause.places
    taken = cases.take(np.array(cause.places, dtype=int))
    turned = np.zeros(taken.ours.count, dtype=bool)
    for read, models in ((taken.read_ours, 0), (taken.read_theirs, 1)):
        before, after = read(sides[models]).sound, read(cause.sides[models]).sound
        for name, known in before.items():
            turned |= compare_known(known, after[name])
    return tuple(
        place for place, is_other in zip(cause.places, turned, strict=True) if not is_other
    )


def count_places(places: Iterable[int], drawn: int) -> int:
    """Return how many of the cases were drawn, and not made for a limit."""
    return sum(place < drawn for place in places)
