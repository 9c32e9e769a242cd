"""Drawn cases of a model: which steps they come to, and which facts about them are known there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from sopforge.language.domain.fields import GIVEN, Field, Role
from sopforge.language.domain.model import DomainModel, ToolKind
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    NumberType,
    SetType,
    Value,
    require_integer,
)
from sopforge.proof.dataset.records import Row
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.dataset.sampling.screening import screen_rows

DRAWN = 1500
"""So many rows are drawn; those that may become tasks are the cases."""
_LEAST = 30
_TWO_DIGITS = 50
_CUTS = (15, 25, 35, 45, 55, 65, 75, 85)


@dataclass(frozen=True, slots=True)
class Fact:
    """A condition on one field, as a brief says it, and in which of some cases it holds."""

    source: str
    field: str
    held: tuple[bool, ...]

    @property
    def share(self) -> int:
        """In how many percent of the cases it holds."""
        return 100 * sum(self.held) // len(self.held)


@dataclass(frozen=True)
class DrawnCases:
    """Cases as a domain's weights have them, each with its path."""

    model: DomainModel
    rows: Sequence[Row]
    paths: Sequence[tuple[str, ...]]

    def list_coming(self, step: str) -> list[int]:
        """Return the places of the cases that come to a step."""
        return [place for place, path in enumerate(self.paths) if step in path]

    def list_known_tools(self, step: str) -> list[str]:
        """Return the tools that answered every case by the time that it leaves a step."""
        found: set[str] | None = None
        for place in self.list_coming(step):
            answered = set(self._iterate_answered(self.paths[place], step))
            found = answered if found is None else found & answered
        return sorted(found or ())

    def _iterate_answered(self, path: Sequence[str], step: str) -> Iterator[str]:
        for node, after in zip(path, [*path[1:], ""], strict=True):
            found = self.model.steps.get(node)
            if found is not None and found.call and after not in self._refusal_edges:
                yield found.call
            if node == step:
                return

    @cached_property
    def _refusal_edges(self) -> frozenset[str]:
        steps = self.model.steps.values()
        return frozenset(edge.id for step in steps for edge in step.refusals.values())

    def list_known_fields(self, step: str) -> list[Field]:
        """Return the inputs and observed fields whose values every case has read by a step."""
        tools = [self.model.tools[name] for name in self.list_known_tools(step)]
        taken = {name for tool in tools for name in tool.takes}
        # What an action changes is another value before it than after it.
        changed = {name for tool in self.model.tools.values() for name in tool.effects}
        returned = {name for tool in tools if tool.kind is ToolKind.LOOKUP for name in tool.returns}
        return [
            item
            for item in self.model.with_role(*GIVEN, Role.OBSERVED)
            if not item.missing
            and item.name not in changed
            and (item.role in GIVEN or item.name in returned)
            and (not item.malformed or item.name in taken)
        ]

    def list_decided(self, step: str) -> frozenset[str]:
        """Return the fields that every case has decided by the time that it leaves a step."""
        found: frozenset[str] | None = None
        for place in self.list_coming(step):
            path = self.paths[place]
            before = path[: path.index(step) + 1]
            nodes = [self.model.steps[node] for node in before if node in self.model.steps]
            decided = frozenset(name for node in nodes for name in node.decide)
            found = decided if found is None else found & decided
        return found or frozenset()

    def list_facts(self, step: str) -> list[Fact]:
        """Return conditions on what is known at a step, which hold in some cases and not in all."""
        coming = self.list_coming(step)
        if len(coming) < _LEAST:
            return []
        found = []
        for item in self.list_known_fields(step):
            values = [self.rows[place][item.name] for place in coming]
            for source, held in _iterate_conditions(item, values):
                found.append(Fact(source, item.name, tuple(held)))
        return [fact for fact in found if any(fact.held) and not all(fact.held)]


def draw_cases(model: DomainModel, seed: int, count: int = DRAWN) -> DrawnCases:
    """Return the cases among so many drawn rows.

    Raises:
        TooManyStepsError: the procedure unfolds into too many steps.
    """
    paths = screen_rows(model, seed, range(count), completes=False).paths
    return DrawnCases(model, sample_rows(model, seed, paths), list(paths.values()))


def _iterate_conditions(
    item: Field, values: Sequence[Value | None]
) -> Iterator[tuple[str, Sequence[bool]]]:
    """Return conditions on a field in the language of briefs, each with where it holds."""
    name = item.path or item.name
    match item.type:
        case BooleanType():
            yield name, [bool(value) for value in values]
            yield f"not {name}", [not value for value in values]
        case EnumType(values=labels):
            yield from _iterate_label_conditions(name, labels, values)
        case SetType(values=labels):
            yield from _iterate_member_conditions(name, labels, list(map(_to_number, values)))
        case NumberType() as kind:
            yield from _iterate_limits(name, kind, list(map(_to_number, values)))
        case _:
            return


def _to_number(value: Value | None) -> int:
    return require_integer(value or 0)


def _iterate_label_conditions(
    name: str, labels: Sequence[str], values: Sequence[Value | None]
) -> Iterator[tuple[str, Sequence[bool]]]:
    for code, label in enumerate(labels):
        yield f"{name} == {label!r}", [value == code for value in values]
        yield f"{name} != {label!r}", [value != code for value in values]
    for code, (first, second) in enumerate(pairwise(labels)):
        both = {code, code + 1}
        yield f"{name} in [{first!r}, {second!r}]", [value in both for value in values]


def _iterate_member_conditions(
    name: str, labels: Sequence[str], values: Sequence[int]
) -> Iterator[tuple[str, Sequence[bool]]]:
    for place, label in enumerate(labels):
        yield f"{label!r} in {name}", [value >> place & 1 == 1 for value in values]
    for size in (0, 1):
        yield f"count({name}) > {size}", [value.bit_count() > size for value in values]


def _iterate_limits(
    name: str, kind: NumberType, values: Sequence[int]
) -> Iterator[tuple[str, Sequence[bool]]]:
    for limit in _list_cuts(values, kind):
        shown = kind.to_cell(limit)
        yield f"{name} >= {shown}", [value >= limit for value in values]
        yield f"{name} < {shown}", [value < limit for value in values]


def _list_cuts(numbers: Sequence[int], kind: NumberType) -> list[int]:
    """Return round values that part the numbers."""
    ordered = sorted(numbers)
    found = [_round_off(ordered[len(ordered) * cut // 100], kind) for cut in _CUTS]
    return [value for value in dict.fromkeys(found) if kind.minimum < value <= kind.maximum]


def _round_off(value: int, kind: NumberType) -> int:
    """Return a value with few digits near another."""
    coarse: int = 10**kind.places
    # Two digits are left at most, the second of them 0 or 5.
    while abs(value) >= _TWO_DIGITS * coarse:
        coarse *= 10
    step = max(1, coarse // 2 if coarse > 10**kind.places else coarse)
    return step * round(value / step)
