"""Faults, made on the grader's side: pure functions of a package, the dose and the seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, cast

from sopforge.harness.environment.events import Called
from sopforge.harness.layers.call_names import find_free_name, name_call
from sopforge.harness.layers.faults.faulty import Faults
from sopforge.harness.layers.faults.recovery import Recovery
from sopforge.harness.layers.faults.schedule import PASSING, FaultKind, Schedule, ToolFault
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import Done, make_dial_error
from sopforge.harness.layers.stated_cases import get_result
from sopforge.harness.scoring.agents import Call
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import Tool, ToolKind
from sopforge.language.domain.values.types import (
    NumberType,
    ScalarType,
)
from sopforge.language.logic.tool_calls import Refused
from sopforge.sandbox.answers import Scalar, as_json
from sopforge.seeds import draw_below, permute_items

REPEATS = 3
_HALF = 2
_TRIED = 24
"""How many other values of a result are rehearsed for a task before its calls are left sound."""
_DRAWN = 3
_CLASSES = (
    (FaultKind.STALE, FaultKind.DAMAGED),
    (FaultKind.BUSY, FaultKind.PARTIAL, FaultKind.LATE),
    (FaultKind.CLOSED,),
)
"""What one ability recovers from stands together: each of them is asked for in turn."""


class NumberedCase(NamedTuple):
    """A case of a task, by its number among the cases of the task."""

    task: str
    number: int
    path: str


def make_faults(ground: Ground, dose: int, seed: int) -> tuple[Faults, None]:
    """Return the layer of so many faults a case, on half of the cases that have room for them.

    Which half, nothing that a case states shows: of the cases of one path every other one is drawn.
    """
    return _FaultMaker(ground, dose, seed).make(), None


@dataclass(frozen=True)
class _FaultMaker:
    """Makes the faults of one package."""

    ground: Ground
    dose: int
    seed: int

    def make(self) -> Faults:
        placed: dict[str, dict[str, tuple[ToolFault, ...]]] = {}
        for case in sorted(self._choose_cases()) if self.dose else ():
            placed.setdefault(case.task, {}).update(self._make_faults(case))
        if self.dose and not placed:
            message = "no tool returns a value that would change the answer of a case"
            raise make_dial_error(
                Faults.name, message, "leave this dial out, or give the procedure a look-up"
            )
        schedules = {task: Schedule(faults) for task, faults in placed.items()}
        return Faults(self.dose, self.seed, self.recovery, frozenset(self.lookups), schedules)

    @cached_property
    def lookups(self) -> Mapping[str, Tool]:
        """The tools that read a record, by the names under which agents call them."""
        tools = self.ground.model.offered.tools
        return {name: tool for name, tool in tools.items() if tool.kind is ToolKind.LOOKUP}

    @cached_property
    def recovery(self) -> Recovery:
        """The rules of recovery, with names that nothing else of the domain has."""
        tools = self.ground.model.offered.tools
        stand_ins: dict[str, str] = {}
        for tool in (item for item in self.ground.shown.tools if item.name in tools):
            stand_ins[tool.name] = find_free_name(
                f"{tool.name}StandIn", {*tools, *stand_ins.values()}
            )
        values = {*chain(*(tool.results.values() for tool in tools.values()))}
        values |= set(self.ground.model.fields)
        copied, changed = find_free_name("copied_on", values), find_free_name("changed_on", values)
        return Recovery(REPEATS, stand_ins, copied, changed, self._collect_ranges())

    def _collect_ranges(self) -> dict[str, dict[str, tuple[Decimal, Decimal]]]:
        """Return the least and the largest value of each number that a look-up returns."""
        found: dict[str, dict[str, tuple[Decimal, Decimal]]] = {}
        fields = self.ground.model.offered.fields
        for tool in self.lookups.values():
            for name, result in tool.results.items():
                kind = fields[name].type
                if isinstance(kind, NumberType):
                    low, high = (Decimal(at).scaleb(-kind.places) for at in kind.bounds)
                    found.setdefault(tool.offered_name, {})[result] = (low, high)
        return found

    @cached_property
    def cases(self) -> Sequence[NumberedCase]:
        """All cases of all tasks."""
        return [
            NumberedCase(task, number, path)
            for task, paths in self.ground.paths.items()
            for number, path in enumerate(paths)
        ]

    def _choose_cases(self) -> list[NumberedCase]:
        """Return every other case that has room for faults, of each path in drawn order."""
        drawn = permute_items(self.cases, self.seed, "faulty")
        # A case at which no false value matters says nothing of who looks at what is returned.
        fit = [case for case in drawn if self._find_false_value(case) is not None]
        return sorted(fit, key=lambda case: case.path)[::_HALF]

    def _get_calls(self, case: NumberedCase) -> Mapping[str, Called]:
        """Return the right calls of a case that are answered, by their names.

        Those that an earlier case of the session makes too are left out: they are faulty there.
        """
        return self._calls[case.task][case.number]

    @cached_property
    def _calls(self) -> Mapping[str, Sequence[Mapping[str, Called]]]:
        return {task: list(self._iterate_fresh_calls(task)) for task in self.ground.paths}

    def _iterate_fresh_calls(self, task: str) -> Iterator[Mapping[str, Called]]:
        tools, seen = self.ground.model.offered.tools, set[str]()
        for calls in self.ground.list_calls(task):
            own = {name_call(call.tool, call.arguments): call for call in calls}
            yield {
                name: call for name, call in own.items() if name not in seen and call.tool in tools
            }
            seen |= own.keys()

    def _make_faults(self, case: NumberedCase) -> Mapping[str, tuple[ToolFault, ...]]:
        """Return as many faults as the dose says, as far as there is room for them."""
        placed: dict[str, list[ToolFault]] = {}
        for number in range(self.dose):
            kinds = _CLASSES[number % len(_CLASSES)]
            for kind in permute_items(kinds, self.seed, "kind", *case, number):
                if found := self._place(case, kind, placed, number):
                    call, fault = found
                    placed.setdefault(call, []).append(fault)
                    break
        # What passes comes before what stays.
        return {
            call: tuple(sorted(placed[call], key=lambda fault: fault.times is None))
            for call in self._get_calls(case)
            if call in placed
        }

    def _place(
        self,
        case: NumberedCase,
        kind: FaultKind,
        placed: Mapping[str, Sequence[ToolFault]],
        number: int,
    ) -> tuple[str, ToolFault] | None:
        """Return where a fault of a kind goes, and the fault; None where there is no room."""
        drawn = permute_items(list(self._get_calls(case)), self.seed, "place", *case, number)
        for name in sorted(drawn, key=lambda name: len(placed.get(name, ()))):
            if _has_room(kind, placed.get(name, ())):
                fault = self._make_fault(case, kind, name, placed.get(name, ()), number)
                if fault is not None:
                    return name, fault
        return None

    def _make_fault(
        self,
        case: NumberedCase,
        kind: FaultKind,
        name: str,
        there: Sequence[ToolFault],
        number: int,
    ) -> ToolFault | None:
        call = self._get_calls(case)[name]
        is_lookup = call.tool in self.lookups and bool(get_result(call))
        left = REPEATS - sum(fault.times or 0 for fault in there)
        times = 1 + draw_below(max(left, 1), self.seed, "times", *case, number)
        match kind:
            case FaultKind.BUSY | FaultKind.LATE:
                return ToolFault(kind, times)
            case FaultKind.CLOSED:
                return ToolFault(kind)
            case FaultKind.PARTIAL:
                lacking = self._draw_lacking(case, call, number) if is_lookup else ()
                return ToolFault(kind, times, left_out=lacking) if lacking else None
            case FaultKind.STALE:
                found = self._find_false_value(case)
                return ToolFault(kind, values=found[1]) if found and found[0] == name else None
            case FaultKind.DAMAGED:
                beyond = self._draw_beyond(case, call, number) if is_lookup else {}
                return ToolFault(kind, values=beyond) if beyond else None

    def _draw_lacking(self, case: NumberedCase, call: Called, number: int) -> tuple[str, ...]:
        """Return a value of a result that is left out."""
        names = list(self.lookups[call.tool].results.values())
        return (names[draw_below(len(names), self.seed, "lacking", *case, number)],)

    def _draw_beyond(self, case: NumberedCase, call: Called, number: int) -> dict[str, Scalar]:
        """Return a number of a result beyond its range."""
        ranges = self.recovery.ranges.get(call.tool, {})
        names = [name for name in get_result(call) if name in ranges]
        if not names:
            return {}
        name = names[draw_below(len(names), self.seed, "beyond", *case, number)]
        high = ranges[name][1]
        value = high + 1 + draw_below(9, self.seed, "by", *case, number)
        return {name: int(value) if value == int(value) and high == int(high) else value}

    def _find_false_value(self, case: NumberedCase) -> tuple[str, dict[str, Scalar]] | None:
        """Return a call, and a value of its result by which the answer would be another one."""
        if case not in self._false:
            self._false[case] = next(self._iterate_false_values(case), None)
        return self._false[case]

    @cached_property
    def _false(self) -> dict[NumberedCase, tuple[str, dict[str, Scalar]] | None]:
        return {}

    def _iterate_false_values(self, case: NumberedCase) -> Iterator[tuple[str, dict[str, Scalar]]]:
        calls = self._get_calls(case)
        found = [
            (name, result, value)
            for name, call in calls.items()
            if call.tool in self.lookups
            for field, result in self.lookups[call.tool].results.items()
            for value in self._draw_values(case, self.ground.model.offered.fields[field], call)
            if value != as_json(get_result(call)[result])
        ]
        drawn = permute_items(found, self.seed, "false", *case)
        for name, result, value in drawn[:_TRIED]:
            values: dict[str, Scalar] = {result: value}
            if self.ground.is_other(*case[:2], self._run_with(case, name, values)):
                yield name, values

    def _draw_values(self, case: NumberedCase, item: Field, call: Called) -> list[Scalar]:
        """Return a few values of a field's type, as tools return them."""
        if not isinstance(item.type, ScalarType):
            return []
        low, high = item.type.bounds
        codes: Sequence[int] = range(low, high + 1)
        if len(codes) > _DRAWN:
            drawn = (
                draw_below(len(codes), self.seed, "value", *case, call.tool, item.name, n)
                for n in range(_DRAWN)
            )
            codes = [codes[place] for place in drawn]
        # Of these types no value is a list.
        return [cast("Scalar", as_json(item.as_json(code))) for code in codes]

    def _run_with(self, case: NumberedCase, name: str, values: Mapping[str, Scalar]) -> Done:
        """Return what the procedure comes to where one call shows other values."""

        def tamper(call: Call) -> Call:
            def call_changed(tool: str, given: Mapping[str, Any]) -> Mapping[str, object] | Refused:
                found = call(tool, given)
                if isinstance(found, Refused) or name_call(tool, given) != name:
                    return found
                return {**found, **values}

            return call_changed

        return self.ground.work(case.task, tamper, until=case.number)


def _has_room(kind: FaultKind, there: Sequence[ToolFault]) -> bool:
    """Return whether a fault of a kind can be added to those of a call."""
    if kind in PASSING:
        return sum(fault.times or 0 for fault in there) < REPEATS
    return all(fault.times is not None for fault in there)
