"""A dial: what makes tasks harder, in doses. One object says all of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeAlias

from pydantic import TypeAdapter

from sopforge.harness.layers.desk import Desk, Solver
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import Judge, Layer
from sopforge.harness.layers.layered import Cases, LayeredCases
from sopforge.language.domain.model import DomainModel


class Ability(StrEnum):
    """What an agent needs that works amid layers."""

    REPEATING = "repeats a call that failed, as often as it may"
    TURNING_AWAY = "turns to a stand-in where a tool gives no answer"
    DOUBTING = "looks at a result before it uses it"
    REFUSING = "refuses what is not to be carried out"
    CARRYING_OUT = "carries out what says more than it must, and may be carried out"
    LINKING = "decides a case by those before it"
    REMEMBERING = "remembers a session as long as it lasts"
    COMPARING = "compares the records that are found before one is taken"
    COMPARING_ALL = "compares all entries of a record"
    LOOKING_FIRST = "looks at what is there before it writes"
    WRITING_ONCE = "writes once what is to be written once"
    HEARING_OUT = "goes by what was stated last"
    GOING_BY_RECORDS = "goes by records, whatever somebody says of them"
    STANDING_FIRM = "does what the procedure says, whatever is demanded"
    WEIGHING = "weighs each word, and looks up what is said elsewhere"
    FOLLOWING = "follows references until it has all that it needs"
    DATING = "looks at the day from which an edition holds"
    READING_ON = "reads what is said of a tool before it calls it"


Skill: TypeAlias = Callable[[Desk, DomainModel, Solver, Collection[str]], str]
"""Works at a desk as somebody who lacks some abilities, by how cases are solved within."""
Made: TypeAlias = tuple[Layer[Any], Judge | None]
"""A layer, and what judges it, if anything does."""


@dataclass(frozen=True)
class Dial:
    """A dial by its layer, which has its name, and by what is drawn when a package is built.

    ``make`` draws the layer of a dose by a seed, and ``judge`` is the type of what judges it.
    ``work`` is how programs work amid it; those of ``ablated`` lack one ability, and fall on it.
    One that ``rewords_sop`` changes what the SOP says: programs read it before all else.
    """

    layer: type[Layer[Any]]
    make: Callable[[Ground, int, int], Made]
    work: Skill
    ablated: Mapping[str, str]
    judge: type[Judge] | None = None
    rewords_sop: bool = False

    @property
    def name(self) -> str:
        """The name by which doses are asked for."""
        return str(self.layer.name)

    def put(self, ground: Ground, layer: Layer[Any], judge: Judge | None) -> Cases:
        """Return the cases of a package with the layer around them."""
        return LayeredCases(ground.cases, layer, judge)

    def read_layer(self, data: object) -> Layer[Any]:
        """Return the layer that was written as data; pydantic's error where it is none."""
        found: Layer[Any] = self._layers.validate_python(data)
        return found

    def read_judge(self, judges: Mapping[str, object]) -> Judge | None:
        """Return what judges the layer, from the data of all dials by their names."""
        if self.judge is None:
            return None
        found: Judge = TypeAdapter[Any](self.judge).validate_python(judges[self.name])
        return found

    @cached_property
    def _layers(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.layer)
