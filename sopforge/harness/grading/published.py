"""An attempt at a task of a package without a model, graded against the columns of its row."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from sopforge.harness.environment.events import Called, Event
from sopforge.harness.grading.grades import Attempt, Divergence, Grade, Stop
from sopforge.harness.grading.published_outcomes import Outcome, is_right, is_value, read_stated
from sopforge.harness.scoring.sop_bench_answers import ParserBreaksError, is_match, parse_answer
from sopforge.harness.scoring.sop_bench_package import PeerTask
from sopforge.language.domain.values.composing import compose
from sopforge.sandbox.answers import JSON, as_text
from sopforge.session.score import Call, compare_calls, count_calls, find_divergence

Arguments: TypeAlias = Mapping[str, JSON]
Parameter: TypeAlias = tuple[str, str]
"""A tool, and the name of one of its parameters."""
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is right for a task: cells of its row, and calls where a mapping gives any."""

    cells: Mapping[str, str]
    calls: Sequence[tuple[str, Arguments]] | None
    peer: PeerTask
    columns: Sequence[str]
    """Those that SOP-Bench's own evaluator compares."""
    texts: Collection[Parameter] = frozenset()
    """The parameters whose values are compared as texts."""


def grade_published(outcomes: Sequence[Outcome], wanted: Wanted, attempt: Attempt) -> Grade:
    """Return the grade of an attempt; what needs expected calls is None where there are none."""
    stated = read_stated(attempt.answer or "", outcomes)
    right = {
        item.name: is_right(item, wanted.cells[item.name], stated.get(item.name))
        for item in outcomes
    }
    is_complete = attempt.stop is Stop.ANSWER and all(
        is_value(item, stated.get(item.name)) for item in outcomes
    )
    is_all_right = is_complete and all(right.values())
    called = [event for event in attempt.events if isinstance(event, Called)]
    made = [
        _make_call(call.tool, call.arguments, call.reply.refusal, wanted.texts) for call in called
    ]
    return Grade(
        is_complete=is_complete,
        is_right=is_all_right,
        outcomes=right,
        stated=stated,
        intermediates={},
        **_grade_calls(wanted, made, is_right=is_all_right),
        expected={item.name: wanted.cells[item.name].strip() or item.missing for item in outcomes},
        is_compatible=is_compatible(wanted, attempt),
    )


def is_compatible(wanted: Wanted, attempt: Attempt) -> bool:
    """Return whether SOP-Bench's own evaluator would count an attempt as right, holes included."""
    if attempt.stop is not Stop.ANSWER:
        return False
    answer = attempt.answer or ""
    try:
        parsed = parse_answer(answer, write_trace(attempt.events, answer), wanted.columns)
    except ParserBreaksError:
        return False
    return is_match(wanted.peer.expected, parsed, wanted.columns)


def write_trace(events: Sequence[Event], answer: str) -> str:
    """Return what happened as SOP-Bench's own agent keeps it: the messages of its talk, as JSON."""
    messages: list[dict[str, object]] = []
    for number, event in enumerate(events):
        if isinstance(event, Called):
            use = {"type": "tool_use", "id": str(number), "name": event.tool}
            block = {**use, "input": json.loads(as_text(dict(event.arguments)))}
            result = {"type": "tool_result", "tool_use_id": str(number)}
            reply = event.reply
            said = f"Error: {reply.message}" if reply.refusal else reply.as_text()
            messages += [
                {"role": "assistant", "content": [block]},
                {"role": "user", "content": [{**result, "content": said}]},
            ]
        else:
            messages.append({"role": "assistant", "content": [_make_text(event.text)]})
    messages.append({"role": "assistant", "content": [_make_text(answer)]})
    return json.dumps(messages, indent=2)


def _make_text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def _grade_calls(task: Wanted, made: Sequence[Call], *, is_right: bool) -> dict[str, Any]:
    """Return the figures of the calls of an attempt."""
    if task.calls is None:
        # Only the answer can be compared with something.
        unknown = dict.fromkeys(("precision", "recall", "parameters", "is_in_order", "is_gold"))
        divergence = Divergence.NONE if is_right else Divergence.WRONG_ANSWER
        return {**unknown, **count_calls(made), "beside": 0, "divergence": divergence}
    gold = [_make_call(tool, arguments, "", task.texts) for tool, arguments in task.calls]
    # Nobody says which expected calls are refused: one that is counts as made.
    alike = [(call._replace(refusal=""), call.refusal) for call in made]
    counted = [call for call, refusal in alike if not refusal or call in gold]
    divergence = Divergence(find_divergence(gold, counted, is_right=is_right))
    return {**compare_calls(gold, made, counted), "divergence": divergence}


def _make_call(tool: str, arguments: Arguments, refusal: str, texts: Collection[Parameter]) -> Call:
    """Return a call whose arguments are equal where they say the same: 5 is 5.0 and "5".

    A text stays one: "007" is not 7.
    """
    given = {
        name: compose(str(value)).strip().casefold()
        if (tool, name) in texts and isinstance(value, str | int | Decimal)
        else _normalize_argument(value)
        for name, value in arguments.items()
    }
    return Call(tool, given, refusal)


def _normalize_argument(value: JSON) -> object:
    if isinstance(value, bool | None):
        return str(value).lower()
    if isinstance(value, int | float | Decimal):
        return Decimal(str(value))
    if isinstance(value, str):
        text = value.strip()
        return Decimal(text) if _NUMBER.fullmatch(text) else compose(text).casefold()
    return as_text(value)
