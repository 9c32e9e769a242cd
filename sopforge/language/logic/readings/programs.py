"""Expressions as programs: a list of steps, for what is worked out time and again.

The fold of ``interpret`` goes down an expression anew each time. A program has noted what the fold
asked of an algebra, in order, and which fields each step depends on, so that after a change only
those that depend on it are taken again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from sopforge.language.domain.expressions.algebra import Algebra, interpret_all
from sopforge.language.domain.expressions.expressions import Expression, collect_read_fields

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Step:
    """A method of an algebra, the node that it is given, and the numbers of steps as operands.

    Where the method takes a list of operands, there is a list of numbers.
    """

    visit: str
    node: Expression
    operands: tuple[int | Sequence[int], ...]


class _Recorder:
    """An algebra to which every node means the number of its step."""

    def __init__(self) -> None:
        self.steps: list[_Step] = []

    def __getattr__(self, visit: str) -> Callable[..., int]:
        def note_step(node: Expression, *operands: int | Sequence[int]) -> int:
            self.steps.append(_Step(visit, node, operands))
            return len(self.steps) - 1

        return note_step


class Program:
    """Expressions in steps, each after those whose meanings it is given.

    ``fields`` says of each step what it reads, and ``results`` which steps are the expressions.
    """

    def __init__(self, expressions: Sequence[Expression]) -> None:
        recorder = _Recorder()
        self.results = interpret_all(expressions, cast("Algebra[int]", recorder))
        self.steps = recorder.steps
        self.fields: list[frozenset[str]] = []
        for step in self.steps:
            read = [self.fields[number] for number in _iterate_numbers(step)]
            # An aggregate has no operands: what is about its items is worked out with it.
            own = frozenset[str]().union(*read) if read else collect_read_fields(step.node)
            self.fields.append(own)

    def list_dependent_steps(self, fields: Collection[str]) -> list[int]:
        """Return the steps whose meaning may change with some fields, in order."""
        return [number for number, read in enumerate(self.fields) if not read.isdisjoint(fields)]

    def run(self, algebra: Algebra[T]) -> list[T]:
        """Return the meanings of all steps."""
        values: list[Any] = [None] * len(self.steps)
        self.run_steps(algebra, range(len(self.steps)), values)
        return values

    def run_steps(self, algebra: Algebra[T], numbers: Iterable[int], values: list[T]) -> None:
        """Put the meanings of some steps among the values, which has those of all others."""
        for number in numbers:
            step = self.steps[number]
            operands = [
                values[part] if isinstance(part, int) else [values[place] for place in part]
                for part in step.operands
            ]
            values[number] = getattr(algebra, step.visit)(step.node, *operands)


def _iterate_numbers(step: _Step) -> Iterable[int]:
    for part in step.operands:
        yield from [part] if isinstance(part, int) else part
