"""How SOP-Bench finds the answer in an agent's text and compares it with the truth."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from sopforge.scoring.sop_bench_package import Expected, PeerPackage, PeerTask

Fields: TypeAlias = dict[str, str]

UNKNOWN = "unknown"
MISMATCH = "output mismatch"
LONGEST_PLAIN_ANSWER = 100

_NULLS = frozenset({"nan", "none", "null", "na", "n/a", UNKNOWN, ""})
_WRAPPERS = ("final_response", "final_decision", "response", "output")
_DROPPED_TAGS = frozenset({"id", "task_id", "email_id", "product_id"})
_FINAL_OUTPUT = re.compile(r"<final_output>(.*?)</final_output>", re.DOTALL)
_TAG_PAIR = re.compile(r"<(\w+)>(.*?)</\1>", re.DOTALL)
_FLAT_BRACES = re.compile(r"\{[^{}]*\}")
_LEAD = re.compile(r"(?:final answer|decision|result|output):", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that an agent made, and whether it returned rather than raised."""

    tool: str
    success: bool


@dataclass(frozen=True, slots=True)
class AgentResult:
    """What an agent hands back for one task; ``error`` says why it did not finish."""

    output: str
    trace: str = ""
    error: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Rates:
    """The benchmark's rates, as shares between 0 and 1.

    ``ecr`` is finished of all tasks, ``c_tsr`` right of finished, ``tsr`` right of all. A share
    of nothing is 0.
    """

    tasks: int
    ecr: float
    c_tsr: float
    tsr: float


def evaluate(package: PeerPackage, results: Mapping[str, AgentResult]) -> Rates:
    """Return the rates of the results, keyed by task id; a task without a result is unfinished.

    An error that opens with the words for a wrong answer counts as a wrong answer, whoever
    wrote it.
    """
    errors = [
        _find_error(task, results.get(task.id), package.output_columns) for task in package.tasks
    ]
    right = sum(error is None for error in errors)
    wrong = sum(error is not None and error.lower().startswith(MISMATCH) for error in errors)
    return Rates(
        tasks=len(errors),
        ecr=_share(right + wrong, len(errors)),
        c_tsr=_share(right, right + wrong),
        tsr=_share(right, len(errors)),
    )


def parse_answer(output: str, trace: str, columns: Sequence[str]) -> Fields | str:
    """Return the answer's fields, or bare text: for one column, a lone field or plain text.

    With several columns a trace that is not empty is read in place of the output.

    >>> parse_answer("<refund>12</refund><reason>late</reason>", "", ["refund", "reason"])
    {'refund': '12', 'reason': 'late'}
    """
    text = trace if len(columns) > 1 and trace else output
    for read in (_read_final_output, _read_tool_results, _read_tags, _read_braces, _read_literal):
        fields = read(text, columns)
        if fields:
            return _settle(fields, columns)
    return _read_plain(text)


def is_match(expected: Expected, parsed: Fields | str, columns: Sequence[str]) -> bool:
    """Say whether a parsed answer passes for the truth; of several columns all must pass."""
    if isinstance(expected, dict):
        return isinstance(parsed, dict) and all(
            name in parsed and _is_same(expected[name], parsed[name]) for name in columns
        )
    return isinstance(parsed, str) and _is_same(expected, parsed)


def _find_error(task: PeerTask, result: AgentResult | None, columns: Sequence[str]) -> str | None:
    if result is None:
        return "no result"
    if result.error is not None:
        return result.error
    parsed = parse_answer(result.output, result.trace, columns)
    return None if is_match(task.expected, parsed, columns) else MISMATCH


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _is_same(truth: object, answer: object) -> bool:
    left, right = _text(truth).lower(), _text(answer).lower()
    if left in _NULLS or right in _NULLS:
        return left in _NULLS and right in _NULLS
    return _space(left) == _space(right) or left in right or right in left


def _space(text: str) -> str:
    return text.replace("_", " ").replace("-", " ")


def _text(value: object) -> str:
    return str(value).strip()


def _settle(fields: Fields, columns: Sequence[str]) -> Fields | str:
    """Return the fields of several columns; bare text if there is one column or one field."""
    if len(columns) > 1 and len(fields) > 1:
        return fields
    own = fields.get(columns[0]) if columns else None
    return (next(iter(fields.values())) if own is None else own) or UNKNOWN


def _read_final_output(text: str, columns: Sequence[str]) -> Fields:
    bodies = map(_load_json, _FINAL_OUTPUT.findall(text))
    objects = [_as_object(body) for body in bodies if isinstance(body, dict)]
    last = objects[-1] if objects else {}
    by_key = {key.lower(): _text(value).lower() for key, value in last.items()}
    return {name: by_key[name.lower()] for name in columns if name.lower() in by_key}


def _read_tool_results(text: str, columns: Sequence[str]) -> Fields:
    """Return the columns that tools returned, if several are wanted and half of them are there.

    This outranks whatever the agent then answered, unless that was a final_output element.
    """
    if len(columns) <= 1:
        return {}
    results = _find_tool_results(_load_json(text))
    found = {name: _text(result[name]) for result in results for name in columns if name in result}
    return found if 2 * len(found) >= len(columns) else {}


def _find_tool_results(messages: object) -> Iterator[dict[str, object]]:
    for message in _as_list(messages):
        for item in _as_list(_as_object(message).get("content")):
            block = _as_object(item)
            if block.get("type") == "tool_result":
                yield from _open_result(block.get("content"))


def _open_result(content: object) -> Iterator[dict[str, object]]:
    if isinstance(content, str):
        yield _as_object(_load_json(content))
    elif isinstance(content, list):
        for part in content:
            yield from _open_result(_as_object(part).get("text"))
    else:
        yield _as_object(content)


def _read_tags(text: str, _columns: Sequence[str]) -> Fields:
    for wrapper in _WRAPPERS:
        inside = re.search(rf"<{wrapper}>(.*?)</{wrapper}>", text, re.DOTALL)
        fields = inside and (_list_tags(inside[1]) or _read_literal(inside[1], ()))
        if fields:
            return fields
    return _list_tags(text)


def _list_tags(text: str) -> Fields:
    pairs = cast("list[tuple[str, str]]", _TAG_PAIR.findall(text))
    return {name: _text(value) for name, value in pairs if name not in _DROPPED_TAGS}


def _read_braces(text: str, _columns: Sequence[str]) -> Fields:
    group = _FLAT_BRACES.search(text)
    return _as_fields(_load_json(group[0].replace("'", '"'))) if group else {}


def _read_literal(text: str, _columns: Sequence[str]) -> Fields:
    try:
        return _as_fields(ast.literal_eval(text[text.index("{") : text.rindex("}") + 1]))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return {}


def _read_plain(text: str) -> str:
    plain = text.strip()
    if len(plain) > LONGEST_PLAIN_ANSWER:
        return UNKNOWN
    return plain[_end_of_lead(plain) :].strip() or UNKNOWN


def _end_of_lead(plain: str) -> int:
    lead = _LEAD.match(plain)
    return lead.end() if lead else 0


def _load_json(text: str) -> object:
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return None


def _as_fields(value: object) -> Fields:
    return {_text(name): _text(content) for name, content in _as_object(value).items()}


def _as_object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
