"""What decided a case, worked out by taking one comparison after another for its opposite.

It shares no code with SOPForge.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from tests.judges.brute_calls import Course, Made, Recorder
from tests.judges.reference_tables import Document, Record, meaning


@dataclass(frozen=True)
class Decided:
    """The last branching of a case: its step, its node, and the conditions that it asked.

    Of a refusal by something else than a guard there are none.
    """

    step: str
    node: str
    refusal: str
    tests: tuple[str, ...]
    seen: Record

    @property
    def is_own(self) -> bool:
        """Whether a tool refused by itself, not by its guard."""
        return bool(self.refusal and not self.tests)


def find_decided(recorder: Recorder, course: Course) -> Decided | None:
    """Return what decided a case; nothing where it never could have gone elsewhere."""
    path, steps = course.walk.path, recorder.model["procedure"]["steps"]
    calls = 0
    places: list[tuple[int, Made | None]] = []
    for place, node in enumerate(path):
        if node in steps:
            made = course.made[calls] if steps[node].get("call") else None
            calls += made is not None
            places.append((place, made))
    for place, made in reversed(places):
        step = steps[path[place]]
        if made is not None and made.refusal:
            return _decide_refusal(recorder, made)
        if len(step.get("edges", ())) > 1:
            return _decide_edge(recorder, step, path[place : place + 2], course.known[place + 1])
    return None


def _decide_refusal(recorder: Recorder, made: Made) -> Decided:
    guard = recorder.model["tools"][made.tool].get("requires", {})
    if made.refusal == guard.get("refusal"):
        assert made.seen is not None
        node, tests = f"{made.tool}.{guard['id']}", (str(guard["is"]),)
        return Decided(made.step, node, made.refusal, tests, made.seen)
    return Decided(made.step, f"{made.tool}.", made.refusal, (), made.seen or {})


def _decide_edge(
    recorder: Recorder, step: Document, nodes: Sequence[str], known: Record
) -> Decided:
    """Return the edge that was taken, or the rule by whose result it was."""
    taken = int(nodes[1].rpartition(".")[2])
    tests = [str(edge["when"]) for edge in step["edges"][:taken] if "when" in edge]
    nodes_read = [node for test in tests for node in ast.walk(ast.parse(test))]
    read = {node.id for node in nodes_read if isinstance(node, ast.Name)}
    ruled = [
        name
        for name, document in recorder.model["decisions"].items()
        if name in read and "rules" in document
    ]
    if not ruled:
        return Decided(nodes[0], nodes[1], "", tuple(tests), known)
    rules = recorder.model["decisions"][ruled[-1]]["rules"]
    met = [rule for rule in rules if "when" not in rule or meaning(str(rule["when"]))(known)]
    every = [str(rule["when"]) for rule in rules if "when" in rule]
    asked = [str(met[0]["when"])] if "when" in met[0] else every
    return Decided(nodes[0], f"{ruled[-1]}.{met[0]['id']}", "", tuple(asked), known)


def list_leaves(test: str) -> list[str]:
    """Return the comparisons of a condition from left to right."""
    return [ast.unparse(leaf) for leaf in _iterate_leaves(_parse(test))]


def list_turning(test: str, seen: Record) -> tuple[list[int], list[int]]:
    """Return which comparisons would alone have changed a condition, and which may have.

    They are known by their places from 1. A condition that would then read what is not there may
    have come to either.
    """
    before = _evaluate(_parse(test), seen, [], 0)
    places = range(1, len(list_leaves(test)) + 1)
    found = {place: _evaluate(_parse(test), seen, [], place) for place in places}
    return (
        [place for place in places if found[place] not in (before, None)],
        [place for place in places if found[place] != before],
    )


def holds_leaf(leaf: str, seen: Record) -> bool | None:
    """Return whether a comparison holds; nothing where what it reads is not there."""
    try:
        return bool(meaning(leaf)(seen))
    except (AssertionError, KeyError):
        return None


def _evaluate(node: ast.expr, seen: Record, counted: list[int], turned: int) -> bool | None:
    """Return whether a condition holds with the comparison of one place taken for its opposite."""
    match node:
        case ast.BoolOp():
            found = [_evaluate(value, seen, counted, turned) for value in node.values]
            decides = isinstance(node.op, ast.Or)
            if decides in found:
                return decides
            return None if None in found else not decides
        case ast.UnaryOp(op=ast.Not()):
            inner = _evaluate(node.operand, seen, counted, turned)
            return None if inner is None else not inner
        case _:
            pass
    counted.append(1)
    value = holds_leaf(ast.unparse(node), seen)
    return value if value is None or len(counted) != turned else not value


def _iterate_leaves(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.BoolOp():
            return [leaf for value in node.values for leaf in _iterate_leaves(value)]
        case ast.UnaryOp(op=ast.Not()):
            return _iterate_leaves(node.operand)
        case _:
            return [node]


def _parse(test: str) -> ast.expr:
    return ast.parse(test, mode="eval").body
