"""Tasks as they are stored: what an agent is given, what is expected, and the gold trajectory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sopforge.language.domain.values.types import Json

FILL = "fill:"
GOAL = "goal:"
WRITTEN = "written:"
PAIR = "pair:"
"""How the keys of tasks begin: what their rows are there for."""


Changes: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Json]]]
"""What is other than at the beginning: columns of records by their keys, by their tables."""


@dataclass(frozen=True, slots=True)
class GoldCall:
    """One call of a gold trajectory, as plain JSON values: its result, or a refusal's code.

    Where records change, ``needs`` has the places of the calls that must come before it, and
    ``is_minimal`` says whether anything needs this one; None elsewhere. Both follow from the case,
    and make no call another one.
    """

    tool: str
    arguments: Mapping[str, Json]
    result: Mapping[str, Json]
    refusal: str = ""
    needs: tuple[int, ...] | None = field(default=None, compare=False)
    is_minimal: bool | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Task:
    """One benchmark item; inputs and outcomes are cells as an agent reads and writes them.

    ``key`` names the draw of its row (``fill:12``), from which the row can be made again. ``text``
    says the same as ``inputs``, in words. ``intermediates`` has the values on the path that are
    asked for beside the outcomes, ``split`` the side of the dataset, dev or test. ``end_state`` is
    what the tables of a domain hold at the end; None where a case has but its own
    record. Two tasks of one ``pair``, named by the leaf that refuses the one, differ in one datum.
    ``decided_by`` says, where records change, whether one is changed, and what decided that.
    """

    id: str
    key: str
    inputs: Mapping[str, str]
    outcomes: Mapping[str, str]
    path: tuple[str, ...]
    rules: Mapping[str, tuple[str, ...]]
    calls: tuple[GoldCall, ...]
    text: str = ""
    split: str = ""
    intermediates: Mapping[str, str] = field(default_factory=dict)
    end_state: Changes | None = None
    pair: str = ""
    decided_by: Mapping[str, Json] | None = None


def write_tasks(tasks: Iterable[Task]) -> str:
    """Return one JSON object per task, without its calls."""
    return _format_lines(
        {
            "task_id": task.id,
            "key": task.key,
            "split": task.split,
            "text": task.text,
            "inputs": task.inputs,
            "outcomes": task.outcomes,
            **({"scored": task.intermediates} if task.intermediates else {}),
            **({} if task.end_state is None else {"end_state": task.end_state}),
            **({"pair": task.pair} if task.pair else {}),
            **({} if task.decided_by is None else {"decided_by": task.decided_by}),
            "path": task.path,
            "rules": task.rules,
        }
        for task in tasks
    )


def write_shown(tasks: Iterable[Task]) -> str:
    """Return one JSON object per task with what an agent may see of it."""
    return _format_lines(
        {"task_id": task.id, "split": task.split, "text": task.text, "inputs": task.inputs}
        for task in tasks
    )


def write_explanations(explanations: Mapping[str, Iterable[str]]) -> str:
    """Return one JSON object per task id with the lines of its story."""
    return _format_lines(
        {"task_id": task_id, "lines": list(lines)} for task_id, lines in explanations.items()
    )


def read_explanations(text: str) -> dict[str, list[str]]:
    """Return the stories that ``write_explanations`` wrote, by task id."""
    return {entry["task_id"]: entry["lines"] for entry in _parse_entries(text)}


def write_trajectories(tasks: Iterable[Task]) -> str:
    """Return one JSON object per task with its gold calls in order."""
    return _format_lines(
        {
            "task_id": task.id,
            "calls": [
                {
                    "tool": call.tool,
                    "arguments": call.arguments,
                    **_build_reply(call),
                    **({} if call.needs is None else {"needs": call.needs}),
                    **({} if call.is_minimal is None else {"is_minimal": call.is_minimal}),
                }
                for call in task.calls
            ],
        }
        for task in tasks
    )


def read_tasks(tasks: str, trajectories: str) -> tuple[Task, ...]:
    """Return the tasks that ``write_tasks`` and ``write_trajectories`` wrote."""
    calls = {
        entry["task_id"]: _build_calls(entry["calls"]) for entry in _parse_entries(trajectories)
    }
    return tuple(
        Task(
            id=entry["task_id"],
            key=entry["key"],
            inputs=entry["inputs"],
            outcomes=entry["outcomes"],
            path=tuple(entry["path"]),
            rules={name: tuple(ids) for name, ids in entry["rules"].items()},
            calls=calls[entry["task_id"]],
            text=entry.get("text", ""),
            split=entry.get("split", ""),
            intermediates=entry.get("scored", {}),
            end_state=entry.get("end_state"),
            pair=entry.get("pair", ""),
            decided_by=entry.get("decided_by"),
        )
        for entry in _parse_entries(tasks)
    )


def _build_calls(entries: list[dict[str, Any]]) -> tuple[GoldCall, ...]:
    return tuple(
        GoldCall(
            entry["tool"],
            entry["arguments"],
            entry.get("result", {}),
            entry.get("refusal", ""),
            tuple(entry["needs"]) if "needs" in entry else None,
            entry.get("is_minimal"),
        )
        for entry in entries
    )


def _build_reply(call: GoldCall) -> dict[str, object]:
    return {"refusal": call.refusal} if call.refusal else {"result": call.result}


def _parse_entries(text: str) -> list[dict[str, Any]]:
    # Not splitlines: a text may hold U+2028, at which that would cut its line in two.
    return [json.loads(line) for line in text.split("\n") if line]


def _format_lines(entries: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
