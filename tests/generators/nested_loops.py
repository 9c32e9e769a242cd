"""Small procedures with loops in loops, made from a number; a count is over a visit or the case.

Each step adds 1 to a number that edges look at, so that any course can come about.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import yaml

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain
from tests.judges.document_walker import is_led_to

COURSES = 4
"""How many rows there are: the number begins at 0, 1 ..."""
_MOST = 40
_FIELDS: dict[str, dict[str, Any]] = {
    "case_id": {"role": "input", "type": "string", "pattern": "C[0-9]{6}", "unique": True},
    "n": {"role": "observed", "type": "integer", "min": 0, "max": _MOST},
    "colour": {"role": "outcome", "type": "enum", "values": ["red", "green"], "primary": True},
}


def make_nested(number: int) -> tuple[DomainModel, dict[str, Any]]:
    """Return the model of a number, and the ``model`` part of its document."""
    document = _make_document(Random(f"loops {number}"))  # noqa: S311 - no secret
    return read_domain(yaml.safe_dump(document, sort_keys=False), "made.yaml"), document["model"]


def _make_document(random: Random) -> dict[str, Any]:
    has_part = random.random() < 0.4
    loops = _make_steps(random, "back" if has_part else "red")
    last = {"red": _end("red"), "green": _end("green")}
    procedure: dict[str, Any] = {"start": "s0", "steps": {**loops, **last}}
    if has_part:
        inside = {**loops, "back": {"title": "Back", "return": True}, "out": _end("green")}
        twice = [{"when": _ask(random), "to": "again"}, {"to": "red"}]
        first = {"title": "First", "do": "part", "edges": twice}
        again = {"title": "Again", "do": "part", "edges": [{"to": "red"}]}
        part = {"title": "Part", "start": "s0", "steps": inside}
        main = {"first": first, "again": again, "red": _end("red")}
        procedure = {"start": "first", "steps": main, "parts": {"part": part}}
    fields = {n: {"description": n, "label": f"field {n}", **x} for n, x in _FIELDS.items()}
    return {
        "format": 1,
        "domain": "made",
        "title": "Made up",
        "business_task": "Decide.",
        "model": {
            "entities": {"case": {"key": "case_id", "fields": fields}},
            "constraints": [f"n < {COURSES}"],
            "decisions": {},
            "tools": {"count": _make_tool()},
            "procedure": procedure,
        },
    }


def _make_steps(random: Random, after: str) -> dict[str, Any]:
    names = [f"s{place}" for place in range(random.randint(2, 3))]
    ends = ["green" if after == "red" else "out", after]
    steps: dict[str, Any] = {}
    for place, name in enumerate(names):
        later = [*names[place + 1 :], *ends]
        edges: list[dict[str, Any]] = []
        for _ in range(random.randint(0, 2)):
            bound = {"at_most": random.randint(1, 2), "then": random.choice(later)}
            back = random.choice(names[: place + 1])
            edges.append({"when": _ask(random), "to": back, **bound})
        if random.random() < 0.4:
            edges.append({"when": _ask(random), "to": random.choice(later)})
        steps[name] = {"title": name, "call": "count", "edges": [*edges, {"to": later[0]}]}
    for name, step in steps.items():
        for edge in [edge for edge in step["edges"] if "at_most" in edge]:
            # Every case comes to the loop at the step to which the edge leads.
            is_sure = edge["to"] == "s0" or not is_led_to(_as_led(steps), "s0", name, edge["to"])
            counts = random.choice(["visit", "visit", "case", None] if is_sure else ["case", None])
            edge.update({"counts": counts} if counts else {})
    return steps


def _as_led(steps: Mapping[str, Any]) -> dict[str, Any]:
    return {**steps, **{name: {} for name in ("red", "green", "back", "out")}}


def _ask(random: Random) -> str:
    numbers = sorted(random.sample(range(1, 24), 14))
    return " or ".join(f"n == {number}" for number in numbers)


def _end(colour: str) -> dict[str, Any]:
    return {"title": colour, "end": {"colour": colour}}


def _make_tool() -> dict[str, Any]:
    effect = {"n": f"min(n + 1, {_MOST})"}
    kind = {"kind": "action", "description": "Count", "takes": ["case_id"], "returns": ["n"]}
    return {**kind, "effects": effect}
