"""Which sequences of tools the gold calls of tasks have, of those that a procedure allows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from sopforge.language.domain.model import DomainModel, Step

LENGTHS = (1, 2, 3)
"""Of how many calls the sequences are that are counted."""
Tools: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SequenceCoverage:
    """The sequences of so many tools that follow each other in gold calls.

    ``allowed`` are those that the edges of the procedure allow, whether or not a case can take
    them; ``found`` may have further ones, for gold calls leave out what nothing needs.
    """

    length: int
    found: frozenset[Tools]
    allowed: frozenset[Tools]

    @property
    def share(self) -> Fraction | None:
        """The share of the allowed sequences that some task has, None where none is allowed."""
        there = len(self.found & self.allowed)
        return Fraction(there, len(self.allowed)) if self.allowed else None


def measure_sequences(
    model: DomainModel, calls: Iterable[Sequence[str]], lengths: Sequence[int] = LENGTHS
) -> list[SequenceCoverage]:
    """Return how far tasks cover the sequences of tools, by the names of the gold calls of each."""
    made = [tuple(names) for names in calls]
    following = find_following_calls(model)
    return [
        SequenceCoverage(
            length,
            frozenset(part for names in made for part in _slice_names(names, length)),
            frozenset(_list_allowed(model, following, length)),
        )
        for length in lengths
    ]


def _slice_names(names: Tools, length: int) -> Iterator[Tools]:
    return (names[start : start + length] for start in range(len(names) - length + 1))


def _list_allowed(
    model: DomainModel, following: Mapping[str, Collection[str]], length: int
) -> Iterator[Tools]:
    """Yield the names of tools along all sequences of so many calling steps."""
    paths: set[tuple[str, ...]] = {(step,) for step in following}
    for _ in range(length - 1):
        paths = {(*path, step) for path in paths for step in following[path[-1]]}
    for path in paths:
        called = (model.steps[step].call for step in path)
        yield tuple(model.tools[name].offered_name for name in called if name)


def find_following_calls(model: DomainModel) -> Mapping[str, frozenset[str]]:
    """Return for each step that calls a tool, and that is reached, which such steps come next."""
    found: dict[str, frozenset[str]] = {}
    left = sorted(_find_next_calls(model, [model.start]))
    while left:
        step = left.pop()
        if step not in found:
            found[step] = _find_next_calls(model, _list_next(model, model.steps[step]))
            left += sorted(found[step])
    return found


def _find_next_calls(model: DomainModel, steps: Iterable[str]) -> frozenset[str]:
    """Return the steps with a call that are reached from some steps without another call."""
    found: set[str] = set()
    seen: set[str] = set()
    left = list(steps)
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        step = model.steps[name]
        if step.call:
            found.add(name)
        else:
            left += _enter(model, step)
    return frozenset(found)


def _enter(model: DomainModel, step: Step) -> list[str]:
    """Return where a step without a call leads: into the part that it carries out, if to one."""
    return [model.parts[step.do].start] if step.do else _list_next(model, step)


def _list_next(model: DomainModel, step: Step) -> list[str]:
    """Return the steps to which one may lead when it is done with."""
    if step.is_return:
        callers = [other for other in model.steps.values() if other.do == step.part]
        return [name for caller in callers for name in _leave(model, caller)]
    return _leave(model, step)


def _leave(model: DomainModel, step: Step) -> list[str]:
    """Return where the edges of a step lead; one that carried out a part may end a part itself."""
    edges = [*step.edges, *step.refusals.values()]
    found = [name for edge in edges for name in (edge.to, edge.then) if name]
    return found if not (step.do and step.is_return) else [*found, *_list_next(model, step)]
