"""Asking a model: from the record if it is there, else paid for, whole, in form, and logged."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from sopforge.errors import Fault, ProviderError, StoreError
from sopforge.providers.budget import Budget, estimate_prompt
from sopforge.providers.completion import (
    Block,
    Completion,
    Message,
    PassingError,
    Provider,
    Request,
    StopReason,
)
from sopforge.providers.ledger import Call, Ledger, Purpose
from sopforge.providers.pricing import Prices
from sopforge.providers.record import CompletionRecord, Question
from sopforge.providers.retrying import RetryLoop, Trial
from sopforge.providers.structured_answers import Unfit, read_value

MOST_REPAIRS = 2
MOST_CONTINUATIONS = 3
# Shorter repeats than this are found by chance in any text.
SHORTEST_REPEAT = 20
LONGEST_REPEAT = 400

GO_ON = (
    "Your answer was cut at its limit. Go on exactly where it stopped: repeat nothing of it, "
    "and add no introduction."
)


class Client:
    """Asks one provider; an answer that it returns is whole and fits its schema."""

    def __init__(
        self,
        provider: Provider,
        *,
        record: CompletionRecord,
        ledger: Ledger,
        loop: RetryLoop,
        prices: Prices,
        budget: Budget,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._provider = provider
        self._record = record
        self._ledger = ledger
        self._loop = loop
        self._prices = prices
        self._budget = budget
        self._clock = clock
        self._now = now

    def ask(self, request: Request, purpose: Purpose) -> Completion:
        """Return the answer, with its value where a schema was asked for.

        Raises:
            ProviderError: no access, an outage, the end of the budget, a refusal, or an answer that
                stays truncated or out of form; what came before is on record.
            StoreError: the answer cannot be kept, as on a full disk.
        """
        if request.schema is None:
            return self._fetch_whole_answer(request, purpose)
        asked, problems = request, [""]
        for _ in range(MOST_REPAIRS + 1):
            completion = self._fetch_whole_answer(asked, purpose)
            try:
                return replace(completion, value=read_value(completion.text, request.schema))
            except Unfit as unfit:
                problems = unfit.problems
                asked = _build_repair_request(request, completion.text, problems)
        message = (
            f"after {MOST_REPAIRS} corrections, the answer still does not have the required form:"
            f" {problems[0]}"
        )
        hint = "name a stronger model, or simplify the task"
        raise ProviderError(Fault("completion-malformed", message, purpose.template, hint))

    def _fetch_whole_answer(self, request: Request, purpose: Purpose) -> Completion:
        """Return an answer that ended by itself."""
        completion = self._fetch_answer(request, purpose)
        if completion.stop is StopReason.TRUNCATED:
            completion = self._fetch_longer_answer(request, completion, purpose)
        if completion.stop is not StopReason.END:
            raise ProviderError(_make_not_whole_fault(request, completion, purpose))
        return completion

    def _fetch_longer_answer(
        self, request: Request, first: Completion, purpose: Purpose
    ) -> Completion:
        """Return the answer again with twice the room, or, of plain text, with what follows it."""
        # A cut JSON value cannot be joined safely, and an empty answer has nothing to go on from.
        if request.schema is not None or not first.text.strip():
            return self._fetch_answer(_build_roomier_request(request), purpose)
        text, last = first.text, first
        for _ in range(MOST_CONTINUATIONS):
            last = self._fetch_answer(_build_continuation_request(request, text), purpose)
            text = join_parts(text, last.text)
            if last.stop is not StopReason.TRUNCATED:
                break
        return replace(last, text=text)

    def _fetch_answer(self, request: Request, purpose: Purpose) -> Completion:
        """Return one answer as it came, from the record or paid for."""
        question, name = Question(self._provider.family, request), self._provider.name
        key = question.key
        # Whoever asks the same meanwhile waits here, and then finds the answer on record.
        with self._record.lock_question(key):
            found = self._record.find(question)
            if found is not None:
                self._ledger.settle(key, found, request, self._compute_cost(request, found))
                self._ledger.record_replay(name, key, request, purpose, found)
                return found
            highest = self._compute_highest_cost(request)
            return self._pay(
                question,
                self._ledger.record_question(name, key, request, purpose, highest_cost=highest),
            )

    def _pay(self, question: Question, call: Call) -> Completion:
        trial = Trial(heard=lambda failure: self._ledger.record_wait(call, failure))
        start = self._clock()
        try:
            completion = self._loop.run(lambda: self._attempt(call.request), trial)
        except ProviderError as error:
            seconds = self._clock() - start
            self._ledger.record_failure(call, error.faults[0].code, trial, seconds=seconds)
            raise
        cost, seconds = self._compute_cost(call.request, completion), self._clock() - start
        try:
            # Kept before it is logged: cut off in between, the answer is there to be settled later.
            self._record.keep(
                question, completion, {**call.to_log_entry(), "at": self._now().isoformat()}
            )
            self._ledger.record_answer(call, completion, trial, seconds=seconds, cost=cost)
        except StoreError as cause:
            raise StoreError(_make_not_kept_fault(call, cause)) from cause
        return completion

    def _attempt(self, request: Request) -> Completion:
        reserved = self._budget.reserve(self._compute_highest_cost(request), request.model)
        cost: Decimal | None = Decimal(0)
        try:
            completion = self._provider.complete(request)
            cost = self._compute_cost(request, completion)
        except PassingError as error:
            # Not known, it counts as all that was set aside.
            cost = None if error.may_be_billed else cost
            raise
        finally:
            self._budget.settle(reserved, cost)
        return completion

    def _compute_highest_cost(self, request: Request) -> Decimal | None:
        """Return the most that the question can cost, or nothing where its price is not known."""
        prompt = estimate_prompt(request)
        price = self._prices.find(self._provider.name, request.model, self._now().date(), prompt)
        return price.compute_highest_cost(prompt, request.max_tokens) if price else None

    def _compute_cost(self, request: Request, completion: Completion) -> Decimal | None:
        """Return what an answer cost, or nothing where its price or its tokens are not known."""
        usage, name, today = completion.usage, self._provider.name, self._now().date()
        if usage is None:
            return None
        price = self._prices.find(name, request.model, today, usage.prompt)
        return price.compute_cost(usage) if price else None


def find_recorded_value(record: CompletionRecord, family: str, request: Request) -> Any:  # noqa: ANN401 - JSON
    """Return the value that ``Client.ask`` would find on record without asking, if there is one."""
    asked = request
    # In the very steps of `Client.ask`, for each correction is a question of its own.
    for _ in range(MOST_REPAIRS + 1):
        found = record.find(Question(family, asked))
        if found is not None and found.stop is StopReason.TRUNCATED:
            found = record.find(Question(family, _build_roomier_request(asked)))
        if found is None or found.stop is not StopReason.END or request.schema is None:
            return None
        try:
            return read_value(found.text, request.schema)
        except Unfit as unfit:
            asked = _build_repair_request(request, found.text, unfit.problems)
    return None


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


def _make_not_kept_fault(call: Call, cause: StoreError) -> Fault:
    trouble = cause.faults[0]
    asked = f"call {call.number} ({call.purpose.stage}, {call.purpose.template})"
    message = f"the answer to {asked} arrived, but could not be stored: {trouble.message}"
    hint = (
        "free some disk space or make the store writable, then run again; all earlier answers are"
        " recorded"
    )
    return Fault("answer-not-kept", message, trouble.where, hint)


def _make_not_whole_fault(request: Request, completion: Completion, purpose: Purpose) -> Fault:
    model, where = request.model, f"{purpose.stage}, {purpose.template}"
    match completion.stop:
        case StopReason.REFUSED:
            reason = f": {completion.detail}" if completion.detail else ", without a reason"
            hint = "reword the passage of the brief that it refused, or name another model"
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
