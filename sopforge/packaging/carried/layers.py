"""What stands around the sessions of this benchmark domain: faults, queues, other requests.

``environment.py`` beside this file reads it, and ``layers/layers.jsonl``, which has one layer on a
line, the innermost first. Each answers calls by itself or hands them on to what is inside of it. It
needs Python's standard library alone, and holds nothing of what is right.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from hashlib import sha256
from typing import Any, NamedTuple


class Reply(NamedTuple):
    """What a call is answered: a result, or a refusal's code with its words."""

    result: Any = None
    refusal: str = ""
    message: str = ""


Call = Callable[[str, dict[str, Any]], Reply]
FILE, STATEMENT = "fileCase", "statement"
CASE, NOTICES, LEFT = "case", "notices", "cases_left"
FIRST_DAY, DAYS, LAG = date(2025, 1, 6).toordinal(), 300, 20
FAILED = {
    "busy": ("temporarily_unavailable", "the service is busy; nothing was done"),
    "late": ("no_answer_in_time", "the service did not answer in time; nothing was done"),
    "closed": ("out_of_service", "the service is closed; nothing was done"),
}


class Plain:
    """A layer that hands on what it is given; others are made from it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data

    def find_inner(self, task: str) -> str:
        """Return the task that a task is without the layer."""
        return task

    def wrap(self, task: str, call: Call) -> Call:  # noqa: ARG002 - others need it
        """Return how calls are answered in a new session of a task."""
        return call


class Refusals(Plain):
    """Requests that are those of other tasks, in other words."""

    def find_inner(self, task: str) -> str:
        """Return the task that a request is without the layer."""
        return str(self.data["inner"][task])


class Queue(Plain):
    """Several cases in one session."""

    def find_inner(self, task: str) -> str:
        """Return the task with which a session begins."""
        return str(self.data["plans"][task][0]["task"])

    def wrap(self, task: str, call: Call) -> Call:
        """Return how calls are answered, of which one files a case."""
        filed = 0

        def answer(tool: str, given: dict[str, Any]) -> Reply:
            nonlocal filed
            if tool != FILE:
                return call(tool, given)
            if not isinstance(given.get(STATEMENT), str) or len(given) != 1:
                return Reply(None, "invalid_statement", f"{FILE} takes {STATEMENT}, a text")
            if filed == len(self.data["plans"][task]):
                return Reply(None, "no_case_open", "all cases of the session are filed")
            filed += 1
            return Reply(self.bring(task, filed))

        return answer

    def bring(self, task: str, filed: int) -> dict[str, Any]:
        """Return the case that comes up after so many, or that none is left."""
        plan = self.data["plans"][task]
        if filed == len(plan):
            return {LEFT: 0, NOTICES: [], CASE: None}
        place = plan[filed]
        case = {name: place[name] for name in ("text", "entries", "is_correction")}
        return {LEFT: len(plan) - filed, NOTICES: self.data["notices"][task][filed], CASE: case}


class Faults(Plain):
    """Calls that fail as a schedule says, and results with days beside their values."""

    def wrap(self, task: str, call: Call) -> Call:
        """Return how calls are answered, some of which fail."""
        made: dict[str, int] = {}

        def answer(tool: str, given: dict[str, Any]) -> Reply:
            name = name_call(tool, given)
            fault = self.find_fault(task, name, made.get(name, 0))
            made[name] = made.get(name, 0) + 1
            if fault is not None and fault["kind"] in FAILED:
                return Reply(None, *FAILED[fault["kind"]])
            meant = self.tools.get(tool, tool)
            return self.change(task, meant, name, call(meant, given), fault)

        return answer

    @property
    def tools(self) -> dict[str, str]:
        """The tool of each stand-in."""
        stand_ins: Mapping[str, str] = self.data["recovery"]["stand_ins"]
        return {other: tool for tool, other in stand_ins.items()}

    def find_fault(self, task: str, name: str, made: int) -> Mapping[str, Any] | None:
        """Return what goes wrong at a call after so many equal ones."""
        schedule = self.data["schedules"].get(task, {"faults": {}})
        for fault in schedule["faults"].get(name, []):
            if fault["times"] is None or made < fault["times"]:
                found: Mapping[str, Any] = fault
                return found
            made -= fault["times"]
        return None

    def change(
        self, task: str, tool: str, name: str, reply: Reply, fault: Mapping[str, Any] | None
    ) -> Reply:
        """Return a reply with the days of a look-up, and with what a fault does to it."""
        if reply.refusal or tool not in self.data["lookups"] or not isinstance(reply.result, dict):
            return reply
        result, recovery = dict(reply.result), self.data["recovery"]
        lag = draw(LAG, self.data["seed"], "lag", task, name)
        changed = FIRST_DAY + draw(DAYS, self.data["seed"], "changed", task, name)
        copied = changed + lag
        if fault is not None:
            kept = {key: value for key, value in result.items() if key not in fault["left_out"]}
            result = {key: fault["values"].get(key, value) for key, value in kept.items()}
            copied = changed - 1 - lag if fault["kind"] == "stale" else copied
        days = {recovery["copied"]: copied, recovery["changed"]: changed}
        return Reply(
            {**result, **{key: date.fromordinal(day).isoformat() for key, day in days.items()}}
        )


LAYERS: Mapping[str, Callable[[Mapping[str, Any]], Plain]] = {
    "refusals": Refusals,
    "queue": Queue,
    "faults": Faults,
}


def read_layers(text: str) -> list[Plain]:
    """Return the layers of a file, the innermost first."""
    lines = [json.loads(line) for line in text.split("\n") if line]
    return [LAYERS[line["layer"]](line["data"]) for line in lines]


def begin(layers: list[Plain], task: str, call: Call) -> Call:
    """Return how calls are answered in a new session of a task with all layers around it."""
    tasks = []
    for layer in reversed(layers):
        tasks.append(task)
        task = layer.find_inner(task)
    for layer, own in zip(layers, reversed(tasks), strict=True):
        call = layer.wrap(own, call)
    return call


def draw(limit: int, *key: object) -> int:
    """Return a number from 0 to ``limit`` - 1, the same for the same key."""
    text = "|".join(map(str, key))
    return int(sha256(text.encode()).hexdigest()[:12], 16) % limit


def name_call(tool: str, given: Any) -> str:
    """Return the name by which equal calls of a tool go."""
    return f"{tool} {write_json(given)}"


def write_json(value: Any) -> str:
    """Return a value as JSON text, with keys in order, and numbers with all of their places."""
    if isinstance(value, dict):
        parts = (f"{write_json(name)}: {write_json(value[name])}" for name in sorted(value))
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(write_json, value))}]"
    if isinstance(value, float):
        return str(Decimal(repr(value)))
    return json.dumps(value, ensure_ascii=False)
