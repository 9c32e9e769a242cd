"""Scores sessions of this benchmark domain: a JSON row for each session of a log, and a summary.

    python score.py LOG

It needs Python's standard library and the files beside it: ``tasks.jsonl``, ``trajectories.jsonl``
and ``answers.json``. A log has a line for each session, as ``environment.py --log`` writes it:

    {"task": "task-05723013", "seed": 0, "answer": "...", "events": [...]}

with ``null`` for the answer of an attempt that ended without one. An event is a call with its reply
(``tool``, ``arguments``, and ``result`` or ``refusal`` with ``message``) or ``{"said": "..."}``.

Values are compared as the types declare them: 12.5 and "12.50" are one amount, and a label is its
exact text. Of a final text, the innermost XML elements count, the last one of each name. A task is
right if every outcome is; only a text that states a value of its type for each is complete. ECR is
the share of complete sessions, C-TSR that of right ones among these, TSR that of right ones among
all.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Context, Decimal, Inexact, InvalidOperation, Overflow
from pathlib import Path
from typing import Any, NamedTuple

TASKS, TRAJECTORIES, ANSWERS = "tasks.jsonl", "trajectories.jsonl", "answers.json"
UNKNOWN_TOOL, TOOL_FAULT = "unknown_tool", "tool_fault"
USAGE = "usage: python score.py LOG"
_ELEMENT = re.compile(r"<(\w+)>([^<>]*)</\1>")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATE_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} ([01][0-9]|2[0-3]):[0-5][0-9]")
_DIGITS = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")
_BEGINNING = datetime(1, 1, 1)
# Refuses what it would have to round, and exponents that would make integers of any length.
_EXACT = Context(prec=60, Emin=-60, Emax=60, traps=[InvalidOperation, Overflow, Inexact])


class NotAllowedError(ValueError):
    """A raw value is not one of its type."""


class LogError(ValueError):
    """A line of a log is no session of a task."""


class Call(NamedTuple):
    """A call: the tool, its arguments as values, and the code of its refusal."""

    tool: str
    arguments: dict[str, Any]
    refusal: str


class Gold(NamedTuple):
    """What is expected of a task."""

    outcomes: dict[str, str]
    intermediates: dict[str, str]
    calls: list[Call]


class Scorer:
    """What is right, task by task, and how values are read."""

    def __init__(self, folder: Path) -> None:
        """Read the grader's files in a folder.

        Raises:
            OSError: a file is missing or cannot be read.
            ValueError, KeyError: a file is malformed.
        """
        declared = json.loads(_read_text(folder / ANSWERS))
        self.fields: dict[str, dict[str, Any]] = declared["fields"]
        self.outcomes: list[str] = declared["outcomes"]
        self.intermediates: list[str] = declared["intermediates"]
        self.tools: dict[str, str] = declared["tools"]
        calls = {
            entry["task_id"]: [self._read_call(call) for call in entry["calls"]]
            for entry in _iterate_lines(_read_text(folder / TRAJECTORIES))
        }
        self.tasks = {
            entry["task_id"]: Gold(
                entry["outcomes"], entry.get("scored", {}), calls[entry["task_id"]]
            )
            for entry in _iterate_lines(_read_text(folder / TASKS))
        }

    def score_log(self, text: str) -> list[dict[str, Any]]:
        """Return a row for each session of a log.

        Raises:
            LogError: a line is no session of a task.
        """
        rows = []
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                try:
                    rows.append(self.score_session(json.loads(line, parse_float=Decimal)))
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as cause:
                    raise LogError(f"line {number} is no session of a task: {cause!r}") from cause
        return rows

    def score_session(self, session: Mapping[str, Any]) -> dict[str, Any]:
        """Return the row of a session."""
        gold, answer = self.tasks[session["task"]], session["answer"]
        stated = dict(_read_answer(answer or ""))
        events = [event for event in session["events"] if "said" not in event]
        made = [self._resolve_call(event) for event in events]
        # A call that was refused, and that is no gold call, was corrected: it counts as refused.
        counted = [call for call in made if not call.refusal or call in gold.calls]
        outcomes = {
            name: self._is_equal(name, gold.outcomes[name], stated.get(name))
            for name in self.outcomes
        }
        is_complete = answer is not None and all(
            self._is_value(name, stated.get(name)) for name in self.outcomes
        )
        is_right = is_complete and all(outcomes.values())
        return {
            "task": session["task"],
            "seed": session.get("seed", 0),
            "is_complete": is_complete,
            "is_right": is_right,
            "outcomes": outcomes,
            "stated": {name: cell for name, cell in stated.items() if name in self.fields},
            "intermediates": {
                name: self._is_equal(name, gold.intermediates.get(name), stated.get(name))
                for name in self.intermediates
            },
            **_compare_calls(gold.calls, made, counted),
            "unknown": sum(event.get("refusal") == UNKNOWN_TOOL for event in events),
            "faults": sum(event.get("refusal") == TOOL_FAULT for event in events),
            "divergence": _find_divergence(gold.calls, counted, is_right=is_right),
        }

    def _resolve_call(self, event: Mapping[str, Any]) -> Call:
        """Return a call under the name by which the procedure knows the tool."""
        call = self._read_call(event)
        return call._replace(tool=self.tools.get(call.tool, call.tool))

    def _read_call(self, entry: Mapping[str, Any]) -> Call:
        arguments = {
            name: self._read_argument(name, value) for name, value in entry["arguments"].items()
        }
        return Call(entry["tool"], arguments, entry.get("refusal", ""))

    def _read_argument(self, name: str, value: Any) -> Any:
        """Return an argument as a value of its field, what is none of these as it was given."""
        if name in self.fields:
            try:
                return read_value(self.fields[name], value)
            except NotAllowedError:
                pass
        # In a list, which no value is: 1 is no label, and the number by which one is held.
        return [_convert_floats(value)]

    def _is_value(self, name: str, cell: str | None) -> bool:
        try:
            read_value(self.fields[name], cell)
        except NotAllowedError:
            return False
        return cell is not None

    def _is_equal(self, name: str, expected: str | None, stated: str | None) -> bool:
        """Return whether a value is the expected one; None is one not asked for or not stated."""
        if stated is None or expected is None:
            return stated == expected
        field = self.fields[name]
        try:
            return bool(read_value(field, stated) == read_value(field, expected))
        except NotAllowedError:
            return False


def read_value(field: Mapping[str, Any], raw: Any) -> Any:
    """Return the value that a cell or a JSON value stands for, so that equal ones are equal.

    Raises:
        NotAllowedError: it is no value of the field.
    """
    if raw in field.get("malformed", ()):
        return str(raw)
    if field.get("missing") and raw == field["missing"]:
        return None
    return _READERS[field["type"]](field, raw)


def summarize(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the shares over all sessions."""
    complete = sum(row["is_complete"] for row in rows)
    right = sum(row["is_right"] for row in rows)
    return {
        "sessions": len(rows),
        "ECR": _compute_share(complete, len(rows)),
        "C-TSR": _compute_share(right, complete),
        "TSR": _compute_share(right, len(rows)),
    }


def _compare_calls(
    gold: Sequence[Call], made: Sequence[Call], counted: Sequence[Call]
) -> dict[str, Any]:
    tools, wanted = {call.tool for call in made}, {call.tool for call in gold}
    return {
        "precision": _compute_share(len(tools & wanted), len(tools)),
        "recall": _compute_share(len(tools & wanted), len(wanted)),
        "parameters": _compute_parameter_share(gold, made),
        "is_in_order": _is_subsequence(gold, counted),
        "is_gold": list(counted) == list(gold),
        "calls": len(made),
        "refused": sum(bool(call.refusal) for call in made),
        "redundant": sum(call in made[:place] for place, call in enumerate(made)),
        "beside": sum(call.tool not in wanted for call in made),
    }


def _compute_parameter_share(gold: Sequence[Call], made: Sequence[Call]) -> float | None:
    """Return the share of gold parameters given right; a call stands for one gold call at most."""
    free, right = list(made), 0
    for call in gold:
        alike = [other for other in free if other.tool == call.tool]
        if alike:
            best = max(alike, key=lambda other: _count_equal(call, other))
            right += _count_equal(call, best)
            free.remove(best)
    return _compute_share(right, sum(len(call.arguments) for call in gold))


def _count_equal(gold: Call, made: Call) -> int:
    given = made.arguments
    return sum(name in given and given[name] == value for name, value in gold.arguments.items())


def _is_subsequence(wanted: Sequence[Call], made: Sequence[Call]) -> bool:
    left = iter(made)
    return all(call in left for call in wanted)


def _find_divergence(gold: Sequence[Call], made: Sequence[Call], *, is_right: bool) -> str:
    """Return what leaves the gold calls first, those that were corrected left out."""
    for place, call in enumerate(gold):
        if place == len(made):
            return "early stop"
        if made[place].tool != call.tool:
            return "wrong tool"
        if made[place] != call:
            return "wrong parameter"
    if len(made) > len(gold):
        return "further call"
    return "none" if is_right else "wrong answer"


def _compute_share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _read_answer(text: str) -> Iterator[tuple[str, str]]:
    for name, value in _ELEMENT.findall(text):
        yield name, value.strip()


def _read_number(field: Mapping[str, Any], raw: Any) -> Any:
    # Decimal would also read 1e5, 1_000, NaN, blanks around a number and digits of other scripts.
    if isinstance(raw, bool) or (isinstance(raw, str) and not _DIGITS.fullmatch(raw)):
        raise NotAllowedError(raw)
    units = _scale(raw, field["places"])
    return _require_in_range(field, units, lambda cell: _scale(cell, field["places"]))


def _scale(raw: Any, places: int) -> int:
    """Return a number as a whole number of units of the last place."""
    try:
        scaled = _EXACT.scaleb(Decimal(str(raw)), places)
        units = int(scaled)
    except (ArithmeticError, ValueError) as cause:
        raise NotAllowedError(raw) from cause
    if units != scaled:
        raise NotAllowedError(raw)
    return units


def _read_boolean(_field: Mapping[str, Any], raw: Any) -> int:
    return _find_label(("no", "yes"), ("no", "yes")[raw] if isinstance(raw, bool) else raw)


def _read_label(field: Mapping[str, Any], raw: Any) -> int:
    return _find_label(field["labels"], raw)


def _read_set(field: Mapping[str, Any], raw: Any) -> int:
    if isinstance(raw, str):
        labels = [] if raw == field["empty"] else raw.split("; ")
    elif isinstance(raw, list):
        labels = raw
    else:
        raise NotAllowedError(raw)
    # A set, for a label that is named twice is one member.
    return sum({1 << _find_label(field["labels"], label) for label in labels})


def _find_label(labels: Sequence[str], raw: Any) -> int:
    if str(raw) not in labels:
        raise NotAllowedError(raw)
    return labels.index(str(raw))


def _read_date(field: Mapping[str, Any], raw: Any) -> Any:
    return _require_in_range(field, _count_days(raw), _count_days)


def _count_days(raw: Any) -> int:
    return _read_moment(_DATE, raw).toordinal()


def _read_date_time(field: Mapping[str, Any], raw: Any) -> Any:
    return _require_in_range(field, _count_minutes(raw), _count_minutes)


def _count_minutes(raw: Any) -> int:
    return (_read_moment(_DATE_TIME, raw) - _BEGINNING) // timedelta(minutes=1)


def _read_moment(shape: re.Pattern[str], raw: Any) -> datetime:
    if not shape.fullmatch(str(raw)):
        raise NotAllowedError(raw)
    try:
        return datetime.fromisoformat(str(raw))
    except ValueError as cause:
        raise NotAllowedError(raw) from cause


def _require_in_range(field: Mapping[str, Any], value: Any, read: Callable[[Any], Any]) -> Any:
    if not read(field["least"]) <= value <= read(field["most"]):
        raise NotAllowedError(value)
    return value


def _read_plain_text(_field: Mapping[str, Any], raw: Any) -> str:
    return str(raw)


def _read_list(field: Mapping[str, Any], raw: Any) -> tuple[dict[str, Any], ...]:
    items = _parse_list(field, raw)
    if not isinstance(items, list) or len(items) > field["size"]:
        raise NotAllowedError(raw)
    return tuple(_read_item(field["fields"], item) for item in items)


def _parse_list(field: Mapping[str, Any], raw: Any) -> Any:
    if raw == field["empty"]:
        return []
    try:
        return json.loads(raw, parse_float=Decimal) if isinstance(raw, str) else raw
    except (ValueError, RecursionError, InvalidOperation) as cause:
        raise NotAllowedError(raw) from cause


def _read_item(fields: Mapping[str, Any], raw: Any) -> dict[str, Any]:
    if not isinstance(raw, dict) or raw.keys() != fields.keys():
        raise NotAllowedError(raw)
    return {name: read_value(part, raw[name]) for name, part in fields.items()}


_READERS: dict[str, Callable[[Mapping[str, Any], Any], Any]] = {
    "number": _read_number,
    "yes or no": _read_boolean,
    "label": _read_label,
    "set of labels": _read_set,
    "date": _read_date,
    "date and time": _read_date_time,
    "text": _read_plain_text,
    "list": _read_list,
}


def _convert_floats(value: Any) -> Any:
    """Return a value with its numbers as a log has them."""
    if isinstance(value, float):
        return Decimal(repr(value))
    if isinstance(value, dict):
        return {name: _convert_floats(item) for name, item in value.items()}
    return [_convert_floats(item) for item in value] if isinstance(value, list) else value


def _iterate_lines(text: str) -> Iterator[dict[str, Any]]:
    # Not splitlines: a text may hold U+2028, at which that would cut its line in two.
    yield from (json.loads(line) for line in text.split("\n") if line)


def _read_text(path: Path) -> str:
    return path.read_bytes().decode()


def main(given: Sequence[str]) -> int:
    """Print a row for each session of a log, and the summary."""
    if len(given) != 1:
        sys.stderr.write(f"{USAGE}\n")
        return 2
    try:
        rows = Scorer(Path(__file__).parent).score_log(_read_text(Path(given[0])))
    except (OSError, ValueError, KeyError) as cause:
        sys.stderr.write(f"{given[0]} cannot be scored: {cause}\n")
        return 2
    _write_lines([*rows, summarize(rows)])
    return 0


def _write_lines(records: Iterable[Mapping[str, Any]]) -> None:
    sys.stdout.writelines(f"{json.dumps(record)}\n" for record in records)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
