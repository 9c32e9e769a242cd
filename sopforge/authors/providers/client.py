"""Asking a model: from the record if it is there, else paid for, whole, in form, and logged."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial

from sopforge.authors.providers.budget import Budget, estimate_prompt
from sopforge.authors.providers.completion import Completion, PassingError, Provider, Request
from sopforge.authors.providers.following_up import (
    NotRecordedError,
    fetch_recorded,
    find_good_answer,
)
from sopforge.authors.providers.ledger import Call, Ledger, Purpose
from sopforge.authors.providers.pricing import Prices
from sopforge.authors.providers.record import CompletionRecord, Question
from sopforge.authors.providers.retrying import RetryLoop, Trial
from sopforge.authors.providers.structured_answers import Outcome, assess_completion
from sopforge.errors import Fault, ProviderError, StoreError


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
        taken = _Taken(is_anew=self._is_stuck_on_record(request, purpose))
        return find_good_answer(
            request, purpose, lambda asked: self._fetch_answer(asked, purpose, taken)
        )

    def _is_stuck_on_record(self, request: Request, purpose: Purpose) -> bool:
        """Return whether what is on record leads to a refusal, or to an answer of no use."""
        if self._record.is_replay_only:
            return False
        fetch = partial(fetch_recorded, self._record, self._provider.family)
        try:
            find_good_answer(request, purpose, fetch)
        except NotRecordedError:
            return False
        except ProviderError:
            return True
        return False

    def _fetch_answer(self, request: Request, purpose: Purpose, taken: _Taken) -> Completion:
        """Return one answer as it came, from the record or paid for."""
        question, name = Question(self._provider.family, request), self._provider.name
        key = question.key
        # Whoever asks the same meanwhile waits here, and then finds the answer on record.
        with self._record.lock_question(key):
            found = self._record.find(question)
            if found is not None:
                self._ledger.settle(key, found, request, self._compute_cost(request, found))
            is_used = taken.accept(key, request, found) or self._record.is_replay_only
            if found is not None and is_used:
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


@dataclass(slots=True)
class _Taken:
    """The answers on record that one asking has used, by the keys of their questions.

    One that ``is_anew`` has come to a bad end by them before, and uses none but good ones.
    """

    is_anew: bool
    keys: set[str] = field(default_factory=set)

    def accept(self, key: str, request: Request, found: Completion | None) -> bool:
        """Return whether there is an answer on record to be used; a bad one is not used twice."""
        is_fresh = key not in self.keys and not self.is_anew
        self.keys.add(key)
        if found is None:
            return False
        return is_fresh or assess_completion(request, found) is Outcome.ANSWER


def _make_not_kept_fault(call: Call, cause: StoreError) -> Fault:
    trouble = cause.faults[0]
    asked = f"call {call.number} ({call.purpose.stage}, {call.purpose.template})"
    message = f"the answer to {asked} arrived, but could not be stored: {trouble.message}"
    hint = (
        "free some disk space or make the store writable, then run again; all earlier answers are"
        " recorded"
    )
    return Fault("answer-not-kept", message, trouble.where, hint)
