"""What decides that a case changes nothing: a check of a tool, a rule, or an edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Expression,
    Not,
    collect_all_read_fields,
)
from sopforge.language.domain.fields import STORED
from sopforge.language.domain.model import DomainModel, Edge, Step, ToolKind
from sopforge.language.domain.rules import Decision, Rule, Table, collect_decision_inputs
from sopforge.language.domain.tool_checks import list_tool_checks
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.stated_inputs import derive_marks, derive_stated_inputs
from sopforge.language.logic.tool_calls import Frame, Refused, begin_session
from sopforge.language.logic.walking import Walk, decide, iterate_finished_steps
from sopforge.proof.solving.unfolding import FALSE, build_disjunction, unfold


@dataclass(frozen=True, slots=True)
class Leaf:
    """A comparison by which a node decides: its id, and the fields of records that it reads."""

    id: str
    test: Expression
    reads: tuple[str, ...]


def has_acted(model: DomainModel, walk: Walk) -> bool:
    """Return whether a case has changed a record of a table."""
    return any(
        not isinstance(call.result, Refused) and is_acting(model, call.tool) for call in walk.calls
    )


def is_acting(model: DomainModel, tool: str) -> bool:
    """Return whether a tool changes records of tables; to open a session is no such change."""
    found = model.tools[tool]
    return found.kind is ToolKind.ACTION and any(model.fields[name].table for name in found.effects)


def build_acting_condition(model: DomainModel) -> Expression:
    """Return the condition that a case changes a record.

    Raises:
        TooManyStepsError: the procedure unfolds into too many steps.
    """
    passed = [
        place.passed
        for place in unfold(model)
        if place.step.call is not None and is_acting(model, place.step.call)
    ]
    return reduce(build_disjunction, passed, FALSE)


@dataclass(frozen=True, slots=True)
class Branch:
    """What decided a branching: its step, its node, and what that tests.

    ``refusal`` is the code where a tool refused. Of several tests none decided alone. ``seen`` is
    what they were judged by there.
    """

    step: str
    node: str
    tests: tuple[Expression, ...]
    seen: Frame
    refusal: str = ""

    @property
    def is_one_test(self) -> bool:
        """Whether what decided is one condition."""
        return len(self.tests) == 1

    def list_parts(self) -> list[tuple[str, Expression]]:
        """Return the comparisons of the tests by their ids."""
        parts = [part for test in self.tests for part in _iterate_parts(test)]
        if len(parts) == 1:
            return [(self.node, parts[0])]
        return [(f"{self.node}, part {number}", part) for number, part in enumerate(parts, 1)]


def list_deciding_leaves(model: DomainModel, row: Frame, walk: Walk) -> tuple[Leaf, ...]:
    """Return the leaves of what decided the last branching of a case; none where it has none."""
    branch = find_deciding_branch(model, row, walk)
    return tuple(
        Leaf(name, part, _list_stored(model, collect_all_read_fields([part])))
        for name, part in (branch.list_parts() if branch else ())
    )


def find_deciding_branch(model: DomainModel, row: Frame, walk: Walk) -> Branch | None:
    """Return the last branching of a case that something decided; None where it has none."""
    nodes = walk.path
    for place in range(len(nodes) - 1, 0, -1):
        step = model.steps.get(nodes[place - 1])
        edge = _find_edge(step, nodes[place]) if step else None
        if step is not None and edge is not None:
            is_refused = edge in step.refusals.values()
            before = nodes[:place]
            seen = (observe_call if is_refused else observe_step)(model, row, walk, before)
            node, tests = _describe_branch(model, walk, step, edge, seen)
            if node:
                return Branch(step.id, node, tuple(tests), seen, edge.name if is_refused else "")
    return None


def observe_step(model: DomainModel, row: Frame, walk: Walk, path: Sequence[str]) -> Frame:
    """Return by what a case went on after the first nodes of its path: what it knew by then."""
    inputs = derive_stated_inputs(model, row)
    done = Walk({**inputs, **derive_marks(model, inputs)})
    calls = iter(walk.calls)
    for step in iterate_finished_steps(model, path):
        result = next(calls).result if step.call is not None else {}
        if not isinstance(result, Refused):
            done.known.update(result)
            for target in step.decide:
                decide(model, target, done)
    return {**begin_session(model, row), **done.known}


def observe_call(model: DomainModel, row: Frame, walk: Walk, path: Sequence[str]) -> Frame:
    """Return what the last call on the first nodes of a path was judged by."""
    steps = [model.steps[node] for node in path if node in model.steps]
    place = sum(step.call is not None for step in steps) - 1
    return {**begin_session(model, row), **walk.seen[place], **walk.calls[place].arguments}


def observe(model: DomainModel, row: Frame, walk: Walk) -> Frame:
    """Return all by which tests of a case are read: what it came to know, and what is on record.

    The records are those of the beginning: what the case's own action changed decided nothing.
    """
    return {**walk.known, **begin_session(model, row)}


def _find_edge(step: Step, name: str) -> Edge | None:
    edges = (*step.edges, *step.refusals.values())
    return next((edge for edge in edges if edge.id == name), None)


def _describe_branch(
    model: DomainModel, walk: Walk, step: Step, edge: Edge, seen: Frame
) -> tuple[str, list[Expression]]:
    """Return the node that decided for an edge, and what it tests; nothing where nothing did."""
    if edge in step.refusals.values():
        return _describe_refusal(model, step, edge.name, seen)
    if len(step.edges) == 1:
        return "", []
    tests = [item.when for item in step.edges[: step.edges.index(edge) + 1] if item.when]
    decided = [name for name in walk.rules if name in collect_all_read_fields(tests)]
    if not decided:
        return edge.id, tests
    rules = _list_rules(model.decisions[decided[-1]])
    hit = walk.rules[decided[-1]]
    chosen = [rule.when for rule in rules if rule.id in hit and rule.when]
    every = [rule.when for rule in rules if rule.when]
    # Of rules whose results are added up or listed, none need apply.
    return ".".join((decided[-1], *hit[:1])), chosen or every


def _list_rules(decision: Decision) -> tuple[Rule, ...]:
    return decision.rules if isinstance(decision, Table) else ()


def _describe_refusal(
    model: DomainModel, step: Step, code: str, seen: Frame
) -> tuple[str, list[Expression]]:
    tool = model.tools[step.call or ""]
    checks = [check for check in list_tool_checks(model, tool) if check.refusal == code]
    failed = next((check for check in checks if not holds(check.test, seen)), None)
    if failed is None:
        return "", []
    return f"{tool.offered_name}.{failed.id}", [failed.test]


def _iterate_parts(test: Expression) -> Iterator[Expression]:
    match test:
        case AllOf() | AnyOf():
            for operand in test.operands:
                yield from _iterate_parts(operand)
        case Not():
            yield from _iterate_parts(test.operand)
        case _:
            yield test


def _list_stored(model: DomainModel, names: Iterable[str]) -> tuple[str, ...]:
    """Return the fields of records from which values come, in declared order.

    That a record is there follows from the reference.
    """
    keys = {entity.name: entity.key for entity in model.references}
    found: set[str] = set()
    left = [keys.get(name, name) for name in names]
    seen: set[str] = set()
    while left:
        name = left.pop()
        if name in seen or name not in model.fields:
            continue
        seen.add(name)
        if model.fields[name].role in STORED:
            found.add(name)
        elif name in model.decisions:
            left += collect_decision_inputs(model.decisions[name])
    return tuple(name for name in model.fields if name in found)
