"""The one retry loop: what passes is tried again, for a while, with growing and random waits."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception_type

from sopforge.authors.providers.adapters.endpoints import Endpoint
from sopforge.authors.providers.completion import PassingError
from sopforge.errors import Fault, ProviderError

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Patience:
    """How often, and for how many seconds, one question is tried again.

    Waits are drawn evenly between ``shortest`` and twice as much for each failure, up to
    ``longest``; a wait that the endpoint asks for is obeyed up to ``longest_asked``.
    """

    attempts: int = 6
    shortest: float = 1
    longest: float = 60
    longest_asked: float = 120
    whole: float = 600


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed attempt, as the log lists it."""

    reason: str
    waited: float
    may_be_billed: bool


@dataclass(slots=True)
class Trial:
    """What became of the attempts at one question; no wait follows the last failure.

    ``heard`` receives each failure that is waited for.
    """

    failures: list[Failure] = field(default_factory=list)
    heard: Callable[[Failure], None] | None = None

    @property
    def attempts(self) -> int:
        """How many attempts it took to get an answer."""
        return len(self.failures) + 1


class RetryLoop:
    """Runs an attempt until it answers, fails for good, or patience ends.

    Throttling is reported to the endpoint, so that other workers wait as well.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        patience: Patience | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        random: Random | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._patience = patience or Patience()
        self._clock = clock
        self._sleep = sleep
        self._random = random or Random()  # noqa: S311 - spreads waits, keeps no secret

    def run(self, attempt: Callable[[], Answer], trial: Trial) -> Answer:
        """Return the answer; each failed attempt is noted in ``trial``.

        Raises:
            ProviderError: the attempt failed for good, or too often.
        """
        end = self._clock() + self._patience.whole
        retrying = Retrying(
            retry=retry_if_exception_type(PassingError),
            wait=self._wait,
            stop=lambda state: self._is_over(state, end),
            before_sleep=lambda state: self._note_failure(state, trial),
            sleep=self._sleep,
            reraise=True,
        )
        try:
            answer: Answer = retrying(self._run_in_slot, attempt)
        except PassingError as error:
            trial.failures.append(Failure(error.reason, 0, error.may_be_billed))
            count = len(trial.failures)
            message = f"no answer after {count} attempt{'s' if count > 1 else ''}: {error.reason}"
            hint = "run again later; earlier answers are recorded and cost nothing"
            raise ProviderError(Fault("model-unavailable", message, "", hint)) from error
        return answer

    def _run_in_slot(self, attempt: Callable[[], Answer]) -> Answer:
        # A slot for the attempt alone: whoever waits for the next one keeps nobody out.
        with self._endpoint.hold_slot():
            return attempt()

    def _wait(self, state: RetryCallState) -> float:
        error = _get_error(state)
        if error.retry_after is not None:
            return min(error.retry_after, self._patience.longest_asked)
        # By chance in a range that grows, so that those who failed together do not meet again.
        most = min(self._patience.longest, self._patience.shortest * 2**state.attempt_number)
        return self._random.uniform(self._patience.shortest, most)

    def _is_over(self, state: RetryCallState, end: float) -> bool:
        if state.attempt_number >= self._patience.attempts:
            return True
        return self._clock() + state.upcoming_sleep > end

    def _note_failure(self, state: RetryCallState, trial: Trial) -> None:
        error = _get_error(state)
        wait = state.upcoming_sleep
        failure = Failure(error.reason, round(wait, 3), error.may_be_billed)
        trial.failures.append(failure)
        if trial.heard is not None:
            trial.heard(failure)
        if error.is_throttled:
            self._endpoint.slow_down(wait)


def _get_error(state: RetryCallState) -> PassingError:
    error = state.outcome.exception() if state.outcome else None
    if not isinstance(error, PassingError):
        message = f"only attempts that failed in passing are tried again, not {error!r}"
        raise TypeError(message)
    return error
