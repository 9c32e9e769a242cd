"""Follows an answer up until it is good: one that is cut is continued, one out of form corrected.

Each step is a question of its own, whose answer comes from whoever fetches it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from sopforge.authors.providers.completion import Block, Completion, Message, Request, StopReason
from sopforge.authors.providers.ledger import Purpose
from sopforge.authors.providers.record import CompletionRecord, Question
from sopforge.authors.providers.structured_answers import Unfit, read_value
from sopforge.errors import Fault, ProviderError

Fetch: TypeAlias = Callable[[Request], Completion]

MOST_REPAIRS = 2
MOST_CONTINUATIONS = 3
# Shorter repeats than this are found by chance in any text.
SHORTEST_REPEAT = 20
LONGEST_REPEAT = 400

GO_ON = (
    "Your answer was cut at its limit. Go on exactly where it stopped: repeat nothing of it, "
    "and add no introduction."
)


class NotRecordedError(Exception):
    """A question has no answer on record."""


def find_good_answer(request: Request, purpose: Purpose, fetch: Fetch) -> Completion:
    """Return an answer that is whole and in form, asking for corrections and continuations.

    Raises:
        ProviderError: the model refuses, or its answers stay truncated or out of form.
    """
    if request.schema is None:
        return _fetch_whole_answer(request, purpose, fetch)
    asked, problems = request, [""]
    for _ in range(MOST_REPAIRS + 1):
        completion = _fetch_whole_answer(asked, purpose, fetch)
        try:
            return replace(completion, value=read_value(completion.text, request.schema))
        except Unfit as unfit:
            problems = unfit.problems
            asked = _build_repair_request(request, completion.text, problems)
    message = (
        f"after {MOST_REPAIRS} corrections, the answer still does not have the required form:"
        f" {problems[0]}"
    )
    hint = "run again, and the model is asked anew; or name a stronger model"
    raise ProviderError(Fault("completion-malformed", message, purpose.template, hint))


def find_recorded_value(
    record: CompletionRecord, family: str, request: Request, purpose: Purpose
) -> Any:  # noqa: ANN401 - JSON
    """Return the value that ``Client.ask`` would find on record without asking, if there is one."""
    try:
        return find_good_answer(request, purpose, partial(fetch_recorded, record, family)).value
    except (NotRecordedError, ProviderError):
        return None


def fetch_recorded(record: CompletionRecord, family: str, request: Request) -> Completion:
    """Return the answer on record, of whatever worth.

    Raises:
        NotRecordedError: there is none.
    """
    found = record.find(Question(family, request))
    if found is None:
        raise NotRecordedError
    return found


def _fetch_whole_answer(request: Request, purpose: Purpose, fetch: Fetch) -> Completion:
    """Return an answer that ended by itself."""
    completion = fetch(request)
    if completion.stop is StopReason.TRUNCATED:
        completion = _fetch_longer_answer(request, completion, fetch)
    if completion.stop is not StopReason.END:
        raise ProviderError(_make_not_whole_fault(request, completion, purpose))
    return completion


def _fetch_longer_answer(request: Request, first: Completion, fetch: Fetch) -> Completion:
    """Return the answer again with twice the room, or, of plain text, with what follows it."""
    # A cut JSON value cannot be joined safely, and an empty answer has nothing to go on from.
    if request.schema is not None or not first.text.strip():
        return fetch(_build_roomier_request(request))
    text, last = first.text, first
    for _ in range(MOST_CONTINUATIONS):
        last = fetch(_build_continuation_request(request, text))
        text = join_parts(text, last.text)
        if last.stop is not StopReason.TRUNCATED:
            break
    return replace(last, text=text)


def join_parts(before: str, after: str) -> str:
    """Return both parts as one text; what the second repeats of the first's end stands once."""
    # The longest first: after a shorter one, the rest of the repeat would stand twice.
    for size in range(min(len(before), len(after), LONGEST_REPEAT), SHORTEST_REPEAT - 1, -1):
        if before.endswith(after[:size]):
            return before + after[size:]
    return before + after


def _build_roomier_request(request: Request) -> Request:
    return replace(request, max_tokens=2 * request.max_tokens)


def _build_continuation_request(request: Request, text: str) -> Request:
    return _with_turns(request, text, GO_ON)


def _build_repair_request(request: Request, text: str, problems: list[str]) -> Request:
    listed = "\n".join(f"- {problem}" for problem in problems)
    asked = "Your answer does not have the form that was asked for:\n"
    return _with_turns(request, text, f"{asked}{listed}\nGive the whole answer again, corrected.")


def _with_turns(request: Request, text: str, asked: str) -> Request:
    # An empty turn is refused; trailing blanks are as well.
    said = Message("assistant", (Block(text.rstrip() or "(nothing)"),))
    return replace(request, messages=(*request.messages, said, Message("user", (Block(asked),))))


def _make_not_whole_fault(request: Request, completion: Completion, purpose: Purpose) -> Fault:
    model, where = request.model, f"{purpose.stage}, {purpose.template}"
    match completion.stop:
        case StopReason.REFUSED:
            reason = f": {completion.detail}" if completion.detail else ", without a reason"
            hint = (
                "run again, and the model is asked anew; or reword the passage of the brief that it"
                " refused, or name another model"
            )
            return Fault("completion-refused", f"'{model}' refused to answer{reason}", where, hint)
        case StopReason.CONTEXT_FULL:
            message = f"the question and its answer are together too long for '{model}'"
            hint = "name a model that reads more text, or make the domain smaller"
            return Fault("completion-too-long", message, where, hint)
        case _:
            message = f"the answer was still cut off after {2 * request.max_tokens} tokens"
            if request.schema is None:
                message = f"the answer was still cut off after {MOST_CONTINUATIONS} continuations"
            hint = "make the domain smaller, or raise 'max_tokens' in the template"
            return Fault("completion-truncated", message, where, hint)
