"""Ambiguity, made on the grader's side: what a careless reader gets wrong, and nobody else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from sopforge.artifacts.rendering.sop.ambiguous import TITLE
from sopforge.harness.layers.ambiguity.ambiguous import Ambiguity, AmbiguousPassage
from sopforge.harness.layers.ambiguity.finding import KINDS, PassageFinder
from sopforge.harness.layers.ambiguity.misreading import misread
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import make_dial_error
from sopforge.harness.layers.text.passages import find_main, list_spans, name_step
from sopforge.harness.layers.text.read_decisions import find_decided_otherwise
from sopforge.harness.layers.text.read_steps import StepReader
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.distinguishing import find_distinguished
from sopforge.proof.dataset.records import Row

LEAST = 30
"""In how many percent of the cases the careless reading leads to something else, at least."""
_ENOUGH = 20
"""What shows in so many percent of the cases by itself comes no later than what shows in more."""
_LOOKED_AT = 40
"""How many passages of a kind are looked at."""


class UnsoundAmbiguityError(AssertionError):
    """An SOP with ambiguity does not say what it said without."""


class _Choice(Enum):
    """How passages are chosen, each manner if the one before it shows in too few cases."""

    IN_TURN = "each kind in turn, what shows often enough in a keyed order"
    MOST_FIRST = "of all kinds what shows most, but for what most cases hang on"
    ANY = "of all kinds what shows most"


@dataclass(frozen=True, slots=True)
class _Shown:
    """A passage, and the cases at which somebody who takes it otherwise comes to another end."""

    passage: AmbiguousPassage
    tasks: frozenset[str]


def make_ambiguity(ground: Ground, dose: int, seed: int) -> tuple[Ambiguity, None]:
    """Return the layer of so many passages, or of as many as there is room for.

    Raises:
        MaterialError: there is no such passage, or a careless reader errs in too few cases.
        UnsoundAmbiguityError: the SOP with the passages does not decide as the model does.
    """
    return AmbiguityMaker(ground.model, ground.rows, ground.shown.sop, seed).make(dose), None


@dataclass(frozen=True)
class AmbiguityMaker:
    """Chooses passages of an SOP by what comes of a careless reading of them.

    ``rows`` are the cases in which that is looked at.
    """

    model: DomainModel
    rows: Mapping[str, Row]
    sop: str
    seed: int

    def make(self, dose: int) -> Ambiguity:
        """Return the layer of so many passages, or of as many as there is room for.

        Raises:
            MaterialError: there is no such passage, or a careless reader errs in too few cases.
            UnsoundAmbiguityError: the SOP with the passages does not decide as the model does.
        """
        if not any(self.found.values()):
            raise make_dial_error(
                Ambiguity.name,
                "no rule of a step can be worded so that a careless reader misreads it",
                "leave the dial out, or give the domain limits or rules with several conditions",
            )
        share = 0
        for choice in _Choice:
            layer = Ambiguity(dose, tuple(self.choose(dose, choice)))
            share = self.measure(layer)
            if share >= LEAST:
                self.prove(layer)
                return layer
        raise make_dial_error(
            Ambiguity.name,
            f"a careless reader errs in {share} percent of the cases; {LEAST} are needed",
            "give the dial a larger dose, or leave it out",
        )

    @cached_property
    def found(self) -> Mapping[str, Sequence[_Shown]]:
        """The passages of each kind that show in some case."""
        finder = PassageFinder(self.model, self.sop, find_main(self.sop), self.seed)
        return {kind: self._list_shown(finder.find(kind)[:_LOOKED_AT]) for kind in KINDS}

    def _list_shown(self, passages: Iterable[AmbiguousPassage]) -> list[_Shown]:
        read = StepReader()
        tried = [
            (item, model)
            for item in passages
            if (model := self._misread_step(item, read)) is not None
        ]
        apart = find_distinguished(self.model, self.rows, [model for _, model in tried])
        shown = [_Shown(item, tasks) for (item, _), tasks in zip(tried, apart, strict=True)]
        return [item for item in shown if item.tasks]

    def _misread_step(self, passage: AmbiguousPassage, read: StepReader) -> DomainModel | None:
        """Return the model of somebody who takes a passage otherwise; only its step is read."""
        text = "\n".join(_take_step(Ambiguity(1, (passage,)).reword(self.sop), passage.step))
        return misread(self.model, text, read)

    def choose(self, dose: int, choice: _Choice) -> list[AmbiguousPassage]:
        """Return so many passages, of which each adds cases to those before it."""
        chosen: list[_Shown] = []
        turns = [[kind] for kind in KINDS] if choice is _Choice.IN_TURN else [list(KINDS)]
        while turns and len(chosen) < dose:
            turn = turns.pop(0)
            left = [item for kind in turn for item in self.found[kind] if item not in chosen]
            seen = frozenset[str]().union(*(item.tasks for item in chosen))
            most = self._enough if choice is _Choice.IN_TURN else len(self.rows)
            gains = {item: min(len(item.tasks - seen), most) for item in left}
            blunt = {item for item in left if choice is not _Choice.ANY and self._is_blunt(item)}
            # What stands first in the keyed order stays first among equals.
            left.sort(key=lambda item: (item in blunt, -gains[item]))
            best = next((item for item in left if self._is_fitting(chosen, item)), None)
            if best is not None:
                chosen.append(best)
                turns.append(turn)
        return [item.passage for item in chosen]

    @property
    def _enough(self) -> int:
        return len(self.rows) * _ENOUGH // 100

    def _is_blunt(self, item: _Shown) -> bool:
        return 2 * len(item.tasks) > len(self.rows)

    def _is_fitting(self, chosen: Iterable[_Shown], item: _Shown) -> bool:
        """Return whether a passage can stand beside others: of another line and another use."""
        own, others = item.passage, [other.passage for other in chosen]
        is_free = all((own.step, own.before) != (x.step, x.before) for x in others)
        return is_free and all(not own.entry or own.use != x.use for x in others)

    def measure(self, layer: Ambiguity) -> int:
        """Return in how many percent of the cases a careless reader of all passages errs."""
        model = misread(self.model, layer.reword(self.sop), StepReader())
        if model is None:
            return 0
        (tasks,) = find_distinguished(self.model, self.rows, [model])
        return 100 * len(tasks) // len(self.rows)

    def prove(self, layer: Ambiguity) -> None:
        """Return if the text with the layer decides each case as the model does."""
        text = layer.reword(self.sop)
        differing = find_decided_otherwise(text, find_main(text), self.model, self.rows)
        if differing:
            raise UnsoundAmbiguityError(f"the text decides {min(differing)} differently")


def _take_step(text: str, number: str) -> list[str]:
    """Return the lines of a step, and of the annex that says what its words stand for."""
    lines = text.split("\n")
    return [
        line
        for item, end in list_spans(lines)
        if item.name == name_step(number) or item.title == TITLE
        for line in ("", *lines[item.at : end])
    ]
