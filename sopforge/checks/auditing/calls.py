"""The tools, called: they answer, twice alike, by their parameters, and not with the answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from sopforge.checks.auditing.code import ABSENT
from sopforge.checks.auditing.rule import AuditRule, Spot
from sopforge.checks.auditing.subject import Subject
from sopforge.checks.auditing.trials import Changed, Said, TriedCall
from sopforge.errors import Fault
from sopforge.findings import Severity
from sopforge.sandbox.answers import JSONValue, Observation, Refusal, as_text

TOOLS = "tools.py"
_BROKEN = frozenset({"TypeError", "KeyError", "AttributeError", "NameError", "IndexError"})
_LONGEST = 160


def find_misbehaviour(subject: Subject) -> Iterator[Spot]:
    """Find calls that the sandbox ends or has no answer to, and why: each reason once by tool."""
    if fault := subject.trials.fault:
        message = f"the module: {fault.code}: {fault.message}"
        yield Spot(message, fault.where or TOOLS, fault.hint)
    for tool, calls in _iterate_calls_by_tool(subject):
        found = [(call.answer, call) for call in calls if isinstance(call.answer, Fault)]
        for code in dict.fromkeys(fault.code for fault, _ in found if fault.code != ABSENT):
            alike = [item for item in found if item[0].code == code]
            fault, first = alike[0]
            message = f"'{tool}' gives no answer to {len(alike)} of {len(calls)} calls"
            evidence = f"{_format_row(subject, first)}: {_format_call(first)}"
            yield Spot(f"{message}: {code}: {fault.message}", _name_place(fault), evidence)


def find_chance(subject: Subject) -> Iterator[Spot]:
    """Find tools that answer the same call otherwise in another process, or once more in one."""
    unsteady = set()
    if not subject.trials.outside:
        for tool, spot in _find_differing_answers(
            subject, "differently when they are repeated", "then"
        ):
            unsteady.add(tool)
            yield spot
    for tool, calls in _iterate_calls_by_tool(subject):
        repeated = [(call, call.later) for call in calls if call.later is not None]
        other = [(call, later) for call, later in repeated if later != call.answer]
        if other and tool not in unsteady:
            message = f"'{tool}' answers {len(other)} of {len(repeated)} repeated calls differently"
            yield Spot(message, TOOLS, _format_pair(subject, *other[0], "then"))


def find_differences_outside(subject: Subject) -> Iterator[Spot]:
    """Find tools that answer otherwise where they are run as an agent's harness runs them."""
    if outside := subject.trials.outside:
        how = "differently in a plain run from a folder"
        found = [spot for _, spot in _find_differing_answers(subject, how, "there")]
        yield from found or [Spot(f"the tools fail in a plain run from a folder: {outside}", TOOLS)]


def _find_differing_answers(subject: Subject, how: str, then: str) -> Iterator[tuple[str, Spot]]:
    for tool, calls in _iterate_calls_by_tool(subject):
        other = [call for call in calls if call.answer != call.again]
        if other:
            message = f"'{tool}' answers {len(other)} of {len(calls)} calls {how}"
            evidence = _format_pair(subject, other[0], other[0].again, then)
            yield tool, Spot(message, TOOLS, evidence)


def find_crashes(subject: Subject) -> Iterator[Spot]:
    """Find tools that fail with an error of the code on rows, or without what is not required."""
    for tool, calls in _iterate_calls_by_tool(subject):
        tried = [call for call in calls if not call.is_guess]
        yield from _find_broken(subject, tool, tried, "rows")
        how = "calls with the required parameters alone"
        yield from _find_broken(subject, tool, subject.trials.list_bare_calls(tool), how)


def _find_broken(
    subject: Subject, tool: str, calls: Sequence[TriedCall], how: str
) -> Iterator[Spot]:
    crashed = [
        call for call in calls if isinstance(call.answer, Refusal) and call.answer.code in _BROKEN
    ]
    if crashed:
        message = f"'{tool}' crashes on {len(crashed)} of {len(calls)} {how}"
        evidence = f"{_format_row(subject, crashed[0])}: {_format_answer(crashed[0].answer)}"
        yield Spot(message, TOOLS, evidence)


def find_refused_rows(subject: Subject) -> Iterator[Spot]:
    """Find tools that refuse every call which the package's own rows have the arguments for."""
    if subject.has_model:
        return
    for tool, calls in _iterate_calls_by_tool(subject):
        tried = [call for call in calls if not call.is_guess]
        refused = [
            call
            for call in tried
            if isinstance(call.answer, Refusal) and call.answer.code not in _BROKEN
        ]
        if refused and len(refused) == len(tried):
            message = f"'{tool}' refuses all {len(tried)} calls whose arguments come from the rows"
            evidence = f"{_format_row(subject, tried[0])}: {_format_answer(tried[0].answer)}"
            yield Spot(message, TOOLS, evidence)


def find_silence(subject: Subject) -> Iterator[Spot]:
    """Find tools that never return anything."""
    for tool, calls in _iterate_calls_by_tool(subject):
        if all(_is_empty(call.answer) for call in calls):
            how = "calls with made-up arguments" if calls[0].is_guess else "rows"
            yield Spot(f"'{tool}' returned nothing on all {len(calls)} {how}", TOOLS)


def find_uncalled(subject: Subject) -> Iterator[Spot]:
    """Find tools for which no row has all parameters, so that nobody has tried them.

    Those of a package with its model are tried on every case by the checks of its stages.
    """
    if subject.tools and not subject.has_model and not subject.trials.fault:
        for tool in subject.peer.toolspecs:
            if not subject.trials.list_calls(tool.name):
                yield Spot(
                    f"no row has all the parameters that '{tool.name}' requires", "toolspecs.json"
                )


def find_returned_answers(subject: Subject) -> Iterator[Spot]:
    """Find tools whose result holds the answer itself, so that copying it solves the task."""
    for tool, calls in _iterate_calls_by_tool(subject):
        for column, truths in () if calls[0].is_guess else subject.truths.items():
            for key in _find_common_keys(calls):
                pairs = [
                    (truths[call.row], str(_get_answer_part(call.answer, key))) for call in calls
                ]
                wanted = {truth for truth, _ in pairs}
                # With one answer for all tasks, any constant in a result would seem to be it.
                if len(wanted) > 1 and all(t.lower() == found.lower() for t, found in pairs):
                    message = f"'{tool}' returns the answer '{column}' as '{key}'"
                    yield Spot(message, TOOLS)


def find_ignored_parameters(subject: Subject) -> Iterator[Spot]:
    """Find parameters that can be anything without changing what is answered."""
    changed = sorted(subject.trials.changed, key=lambda item: (item.tool, item.parameter))
    for (tool, parameter), group in groupby(changed, key=lambda item: (item.tool, item.parameter)):
        tries = list(group)
        if all(item.before == item.after for item in tries):
            message = f"'{tool}' gives the same answer for every value of '{parameter}'"
            yield Spot(message, TOOLS, f"{len(tries)} calls, such as {_format_call(tries[0])}")


def find_refusals_with_answers(subject: Subject) -> Iterator[Spot]:
    """Find refusals whose message is an answer, or has one in quotes that the caller lacks.

    Those of a package with its model are compared with derived ones by the checks of its stages.
    """
    labels = sorted({label for column in subject.truths.values() for label in column if label})
    for tool in subject.peer.toolspecs if subject.tools and not subject.has_model else ():
        allowed = json.dumps(tool.input_schema, ensure_ascii=False)
        answers = [label for label in labels if label not in allowed]
        for refusal, arguments in _iterate_refusals(subject, tool.name):
            found = [label for label in answers if _is_quoted(label, refusal.message)]
            if new := [label for label in found if label not in map(str, arguments.values())]:
                message = f"'{tool.name}' refuses with the answer '{new[0]}' in its message"
                yield Spot(message, TOOLS, _format_answer(refusal))
                break


def _is_quoted(label: str, message: str) -> bool:
    return message == label or any(f"{quote}{label}{quote}" in message for quote in ("'", '"'))


def _iterate_refusals(
    subject: Subject, tool: str
) -> Iterator[tuple[Refusal, Mapping[str, JSONValue]]]:
    """Return a tool's refusals, with the arguments of their calls; broken code is found apart."""
    changed = [call for call in subject.trials.changed if call.tool == tool]
    answers = [
        *((call.answer, call.arguments) for call in subject.trials.list_calls(tool)),
        *((call.after, call.arguments) for call in changed),
    ]
    for answer, arguments in answers:
        if isinstance(answer, Refusal) and answer.code not in _BROKEN:
            yield answer, arguments


def _iterate_calls_by_tool(subject: Subject) -> Iterator[tuple[str, list[TriedCall]]]:
    if subject.tools:
        for tool in subject.peer.toolspecs:
            calls = subject.trials.list_all_calls(tool.name)
            if calls:
                yield tool.name, calls


def _is_empty(answer: Said) -> bool:
    return isinstance(answer, Observation) and answer.value in (None, {}, [], "")


def _find_common_keys(calls: Sequence[TriedCall]) -> list[str]:
    """Return the keys that all answers have, "" for an answer that is no object."""
    values = [call.answer.value for call in calls if isinstance(call.answer, Observation)]
    if len(values) < len(calls):
        return []
    objects = [set(value) for value in values if isinstance(value, dict)]
    if len(objects) == len(values):
        return sorted(set.intersection(*objects))
    return [""]


def _get_answer_part(answer: Said, key: str) -> object:
    value = answer.value if isinstance(answer, Observation) else None
    return value.get(key) if isinstance(value, Mapping) else value


def _format_row(subject: Subject, call: TriedCall) -> str:
    return (
        "made-up arguments"
        if call.is_guess and not call.is_bare
        else f"task {subject.peer.tasks[call.row].id}"
    )


def _format_pair(subject: Subject, call: TriedCall, other: Said, then: str) -> str:
    pair = f"{_format_answer(call.answer)}, {then} {_format_answer(other)}"
    return f"{_format_row(subject, call)}: {pair}"


def _format_call(call: TriedCall | Changed) -> str:
    given = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
    return f"{call.tool}({given})"[:_LONGEST]


def _format_answer(answer: Said) -> str:
    text = as_text(answer.value) if isinstance(answer, Observation) else answer.message
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _name_place(fault: Fault) -> str:
    return fault.where or TOOLS


RULES = (
    AuditRule(
        "tool-misbehaves",
        find_misbehaviour,
        "correct the module; docs/sandbox.md lists what tools may do",
    ),
    AuditRule(
        "tool-answers-by-chance",
        find_chance,
        "make the answer independent of the clock, of random numbers and of the order of a set",
    ),
    AuditRule(
        "tool-differs-outside",
        find_differences_outside,
        "compute the answer only from the arguments and from the records next to __file__",
    ),
    AuditRule(
        "tool-crashes", find_crashes, "return an answer, or refuse with an error code of the tool"
    ),
    AuditRule(
        "tool-refuses-rows",
        find_refused_rows,
        "make the tool accept the arguments that the package's rows contain",
    ),
    AuditRule(
        "refusal-has-answer",
        find_refusals_with_answers,
        "name the parameter, what was given and what is allowed",
        Severity.WARNING,
    ),
    AuditRule("tool-says-nothing", find_silence, "return the result of the call"),
    AuditRule(
        "tool-never-tried",
        find_uncalled,
        "add a task or a record that contains values for its parameters",
        Severity.WARNING,
    ),
    AuditRule(
        "result-is-answer",
        find_returned_answers,
        "remove it from the result, so that the agent must decide it",
    ),
    AuditRule(
        "parameter-ignored",
        find_ignored_parameters,
        "compare the parameter with the record, or remove it from the tool",
        Severity.WARNING,
    ),
)
