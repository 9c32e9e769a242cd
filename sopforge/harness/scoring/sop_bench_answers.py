"""How SOP-Bench finds the answer in an agent's text and compares it with the truth."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from sopforge.harness.scoring.sop_bench_package import Expected, PeerPackage, PeerTask

Fields: TypeAlias = dict[str, str]

UNKNOWN = "unknown"
MISMATCH = "output mismatch"
LONGEST_PLAIN_ANSWER = 100

_NULLS = frozenset({"nan", "none", "null", "na", "n/a", UNKNOWN, ""})
_WRAPPERS = ("final_response", "final_decision", "response", "output")
_IDS = frozenset({"id", "task_id", "email_id", "product_id"})
_WRAPPED_IDS = _IDS | {"aircraft_id"}
_HEADINGS = ("======= Final Response =====", "Final Response:", "Output:")
_LEADS = ("final answer:", "decision:", "result:", "output:")
OUTPUT_START = re.compile(r"(?i)<final_output>\s*{")
OUTPUT_END = re.compile(r"(?i)}\s*</final_output>")
_START, _END = re.compile(r"<(\w+)>"), re.compile(r"</(\w+)>")
_FLAT_BRACES = re.compile(r"{[^{}]*}")
_BREAKS = (AttributeError, TypeError, ValueError, MemoryError, RecursionError)


class ParserBreaksError(Exception):
    """The benchmark's parser would not survive the answer, which leaves the task unfinished."""


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


def compute_rates(package: PeerPackage, results: Mapping[str, AgentResult]) -> Rates:
    """Return the rates of the results, keyed by task id; a task without a result is unfinished.

    An error that has the words for a wrong answer in it counts as a wrong answer, whoever
    wrote it.
    """
    errors = [
        _find_error(task, results.get(task.id), package.output_columns) for task in package.tasks
    ]
    right = sum(error is None for error in errors)
    wrong = sum(error is not None and MISMATCH in error.lower() for error in errors)
    return Rates(
        tasks=len(errors),
        ecr=_compute_share(right + wrong, len(errors)),
        c_tsr=_compute_share(right, right + wrong),
        tsr=_compute_share(right, len(errors)),
    )


def parse_answer(output: str, trace: str, columns: Sequence[str]) -> Fields | str:
    """Return the answer's fields, or bare text: for one column, a lone field or plain text.

    With several columns a trace that is not empty is read in place of the output.

    >>> parse_answer("<refund>12</refund><reason>Late</reason>", "", ["refund", "reason"])
    {'refund': '12', 'reason': 'late'}

    Raises:
        ParserBreaksError: the benchmark's parser fails on the text with an exception.
    """
    text = trace if len(columns) > 1 and trace else output
    if not text:
        return UNKNOWN
    try:
        return _parse(text.strip(), columns)
    except _BREAKS as cause:
        raise ParserBreaksError(f"{type(cause).__name__}: {cause}") from cause


def is_match(expected: Expected, parsed: Fields | str, columns: Sequence[str]) -> bool:
    """Say whether a parsed answer passes for the truth; of several columns all must pass.

    Columns are found in any case. A field named ``decisions`` makes several columns fail: it is
    taken for the fields.
    """
    if not isinstance(expected, dict):
        return isinstance(parsed, str) and _is_same(expected, parsed)
    if not isinstance(parsed, dict) or "decisions" in parsed:
        return False
    # Reversed, so that of names that differ in capitals alone the first one stays.
    first = {name.lower(): value for name, value in reversed(parsed.items())}
    return all(
        name.lower() in first and _is_same(expected[name], first[name.lower()]) for name in columns
    )


def _find_error(task: PeerTask, result: AgentResult | None, columns: Sequence[str]) -> str | None:
    if result is None:
        return "no result"
    if result.error is not None:
        return result.error
    try:
        parsed = parse_answer(result.output, result.trace, columns)
    except ParserBreaksError as cause:
        return str(cause)
    return None if is_match(task.expected, parsed, columns) else MISMATCH


def _compute_share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _is_same(truth: object, answer: str) -> bool:
    left, right = str(truth).lower().strip(), answer.lower().strip()
    if left in _NULLS or right in _NULLS:
        return left in _NULLS and right in _NULLS
    left, right = _replace_separators(left), _replace_separators(right)
    # The benchmark's own looseness: a letter of the right label passes for it.
    return left in right or right in left


def _replace_separators(text: str) -> str:
    return text.replace("_", " ").replace("-", " ")


def _parse(text: str, columns: Sequence[str]) -> Fields | str:
    # The benchmark's order, which decides between statements that contradict each other.
    for read in (_read_final_output, _read_tool_results, _read_tags, _read_braces, _read_literal):
        fields = read(text, columns)
        if fields:
            several = len(columns) > 1 and len(fields) > 1
            return fields if several else next(iter(fields.values()))
    return _read_plain(text)


def _read_final_output(text: str, columns: Sequence[str]) -> Fields:
    bodies = list(iterate_between(OUTPUT_START, OUTPUT_END, text))
    stated = _load_object(f"{{{bodies[-1]}}}") if bodies else {}
    by_key = {name.lower(): _format_value(value) for name, value in stated.items()}
    return {name: by_key[name.lower()] for name in columns if name.lower() in by_key}


def _read_tool_results(text: str, columns: Sequence[str]) -> Fields:
    """Return the columns that tools returned, if several are wanted and half of them are there.

    This outranks whatever the agent then answered, unless that was a final_output element.
    """
    if len(columns) <= 1 or not text.startswith("["):
        return {}
    found = {
        name: _format_value(value)
        for result in _iterate_tool_results(text)
        for name, value in result.items()
        if name in columns
    }
    return found if 2 * len(found) >= len(columns) else {}


def _iterate_tool_results(text: str) -> Iterator[dict[str, object]]:
    """Yield the objects that came back to the agent; breaks on messages of another shape."""
    try:
        messages = cast("list[dict[str, object]]", json.loads(text))
    except json.JSONDecodeError:
        return
    for message in messages:
        if message.get("role") == "user":
            blocks = cast("Iterable[object]", message.get("content", ()))
            for block in blocks:
                if isinstance(block, dict) and block.get("type") == "tool_result":
                    yield _load_object(block.get("content", ""))


def _read_tags(text: str, columns: Sequence[str]) -> Fields:
    for wrapper in _WRAPPERS:
        start, end = (re.compile(f"(?i)<{sign}{wrapper}>") for sign in ("", "/"))
        inside = next(iterate_between(start, end, text), None)
        fields = {} if inside is None else _read_wrapped(inside)
        if fields:
            return _with_column_first(fields, columns)
    return _with_column_first(_collect_tags(text), columns)


def _read_wrapped(text: str) -> Fields:
    if any(iterate_elements(text)):
        return _collect_tags(text)
    unescaped = text.replace(r"\n", "\n").replace(r"\t", "\t")
    try:
        stated = _load_literal(unescaped)
        fields = {name.lower(): _format_value(value) for name, value in stated.items()}
    except (ValueError, SyntaxError):
        return {}
    return {name: value for name, value in fields.items() if name not in _WRAPPED_IDS}


def _collect_tags(text: str) -> Fields:
    pairs = {name: value.strip().lower() for name, value in iterate_elements(text)}
    return {name: value for name, value in pairs.items() if name not in _IDS}


def iterate_between(start: re.Pattern[str], end: re.Pattern[str], text: str) -> Iterator[str]:
    """Return what stands between each start and the first end after it, from left to right."""
    # One pattern for both would search the rest of the text again from each start without an end.
    opened = start.search(text)
    while opened and (closed := end.search(text, opened.end())):
        yield text[opened.end() : closed.start()]
        opened = start.search(text, closed.end())


def iterate_elements(text: str) -> Iterator[tuple[str, str]]:
    """Return the names of elements and what is in them; those inside of others are left out."""
    ends: dict[str, list[re.Match[str]]] = defaultdict(list)
    for closed in reversed(list(_END.finditer(text))):
        ends[closed[1].lower()].append(closed)
    place = 0
    for opened in _START.finditer(text):
        left = ends.get(opened[1].lower(), [])
        while left and left[-1].start() < opened.end():
            left.pop()
        if left and opened.start() >= place:
            yield opened[1].lower(), text[opened.end() : left[-1].start()]
            place = left[-1].end()


def _with_column_first(fields: Fields, columns: Sequence[str]) -> Fields:
    own = next((name.lower() for name in columns if name.lower() in fields), None)
    return fields if own is None else {own: fields[own], **fields}


def _read_braces(text: str, _columns: Sequence[str]) -> Fields:
    group = _FLAT_BRACES.search(text)
    return _without_ids(_load_object(group[0].replace("'", '"'))) if group else {}


def _read_literal(text: str, _columns: Sequence[str]) -> Fields:
    heading = next((heading for heading in _HEADINGS if heading in text), "")
    try:
        return _without_ids(_load_literal(text.partition(heading)[2] if heading else text))
    except (ValueError, SyntaxError, AttributeError):
        return {}


def _read_plain(text: str) -> str:
    plain = text.lower()
    for lead in _LEADS:
        plain = plain.removeprefix(lead).strip()
    return plain if len(plain) <= LONGEST_PLAIN_ANSWER else UNKNOWN


def _load_object(text: object) -> dict[str, object]:
    """Return the JSON object in a text, empty if it is none; breaks on what is no text."""
    try:
        value = json.loads(cast("str", text))
    except json.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _load_literal(text: str) -> dict[str, object]:
    """Return the Python dict from the first brace to the last, empty if there is none."""
    braces = text[text.find("{") : text.rfind("}") + 1] if "{" in text else ""
    value = ast.literal_eval(braces) if braces else {}
    return value if isinstance(value, dict) else {}


def _without_ids(stated: Mapping[str, object]) -> Fields:
    return {
        name: _format_value(value) for name, value in stated.items() if name.lower() not in _IDS
    }


def _format_value(value: object) -> str:
    return str(value).lower()
