"""The log of calls: a line when a question is asked and one when it ends, never changed again.

Each line is on the disk before its call goes on, so that a question whose end is missing was cut
off with its process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from decimal import Decimal
from threading import Lock
from typing import Any

from sopforge.authors.providers.completion import Completion, Request
from sopforge.authors.providers.retrying import Failure, Trial
from sopforge.authors.providers.structured_answers import Outcome, assess_completion
from sopforge.authors.providers.watching import Event, Watch, ignore_event
from sopforge.store.objects import Objects

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a question is asked for: the stage, and the template that it was written with.

    ``repair`` is the round in which findings went back to the model, 0 at the first writing.
    """

    stage: str
    template: str
    version: int
    digest: str = ""
    repair: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the calls: the sum of the four after it, and of those that are ``open``."""

    calls: int
    answers: int
    rejects: int
    failures: int
    interrupted: int
    from_record: int
    open: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """A question in progress: what each of its lines repeats."""

    number: int
    provider: str
    key: str
    request: Request
    purpose: Purpose

    def to_log_entry(self) -> dict[str, Any]:
        """Return the call as the log lists it."""
        request = self.request
        return {
            "call": self.number,
            "stage": self.purpose.stage,
            "template": self.purpose.template,
            "template_version": self.purpose.version,
            "template_digest": self.purpose.digest,
            "repair": self.purpose.repair,
            "provider": self.provider,
            "model": request.model,
            "parameters": {
                "max_tokens": request.max_tokens,
                "effort": request.effort,
                "has_schema": request.schema is not None,
                "replicate": request.replicate,
            },
            "key": self.key,
        }


class Ledger:
    """The log of a domain; one process writes it at a time, with as many threads as it likes."""

    def __init__(
        self,
        objects: Objects,
        name: str,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        watch: Watch = ignore_event,
    ) -> None:
        self._objects = objects
        self._name = name
        self._now = now
        self._watch = watch
        self._lock = Lock()
        events = read_events(objects, name)
        self._last = max((event.get("call", 0) for event in events), default=0)
        self._cut_off = find_cut_off_calls(events)

    def settle(
        self, key: str, completion: Completion, request: Request, cost: Decimal | None
    ) -> None:
        """Note an answer on record that was paid for just before its process was cut off."""
        with self._lock:
            # Taken out, so that of all threads that find the answer one settles the call.
            asked = self._cut_off.pop(key, None)
        if asked is not None:
            entry = {name: value for name, value in asked.items() if name not in {"event", "at"}}
            entry |= {
                **_build_answer_entry(request, completion),
                "seconds": 0,
                "failed_attempts": [],
            }
            self._write("answered", {**entry, "cost": _format_cost(cost), "is_settled_later": True})

    def record_replay(
        self, provider: str, key: str, request: Request, purpose: Purpose, completion: Completion
    ) -> None:
        """Note an answer from the record, which cost nothing."""
        call = self._number_call(provider, key, request, purpose)
        self._write(
            "replayed",
            {**call.to_log_entry(), **_build_answer_entry(request, completion), "cost": "0"},
        )

    def record_question(
        self,
        provider: str,
        key: str,
        request: Request,
        purpose: Purpose,
        *,
        highest_cost: Decimal | None = None,
    ) -> Call:
        """Note that a question is about to be asked, and what an attempt at it costs at most."""
        call = self._number_call(provider, key, request, purpose)
        highest = _format_cost(highest_cost)
        self._write("asked", {**call.to_log_entry(), "highest_cost": highest})
        return call

    def record_answer(
        self,
        call: Call,
        completion: Completion,
        trial: Trial,
        *,
        seconds: float,
        cost: Decimal | None,
    ) -> None:
        """Note an answer that was paid for, of whatever worth."""
        entry = {
            **call.to_log_entry(),
            **_build_answer_entry(call.request, completion),
            **_build_trial_entry(trial, seconds),
        }
        self._write("answered", {**entry, "cost": _format_cost(cost)})

    def record_failure(self, call: Call, code: str, trial: Trial, *, seconds: float) -> None:
        """Note that no answer came, and the code of the error that says why."""
        self._write(
            "failed", {**call.to_log_entry(), "code": code, **_build_trial_entry(trial, seconds)}
        )

    def record_wait(self, call: Call, failure: Failure) -> None:
        """Note a failed attempt; the line of the call's end has it as well, if it gets one."""
        self._write("waits", {**call.to_log_entry(), **asdict(failure)})

    def _number_call(self, provider: str, key: str, request: Request, purpose: Purpose) -> Call:
        with self._lock:
            self._last += 1
            return Call(self._last, provider, key, request, purpose)

    def _write(self, event: str, entry: Mapping[str, Any]) -> None:
        at = self._now().isoformat(timespec="seconds")
        written = {"event": event, "at": at, **entry}
        line = json.dumps(written, ensure_ascii=False) + "\n"
        with self._lock:
            self._objects.append(self._name, line.encode())
        self._watch(written)


def read_events(objects: Objects, name: str) -> list[Event]:
    """Return the lines of a log; one that a crash tore is the event ``damaged``."""
    # Not strictly: bytes that a crash tore in one line must not hide all the others.
    text = (objects.read(name) or b"").decode(errors="replace")
    # Not by splitlines: JSON leaves U+2028 in a text as it is, and it ends no line of the log.
    return [_parse_event(line) for line in text.split("\n") if line]


def reconcile(events: Iterable[Event], is_open: Callable[[str], bool] = lambda _: False) -> Counts:
    """Return what became of all calls, those included whose end is missing.

    ``is_open`` says of a question's key whether somebody waits for its answer now.
    """
    kinds: dict[str, list[Event]] = {}
    lines = list(events)
    for event in lines:
        kinds.setdefault(str(event["event"]), []).append(event)
    calls = len(kinds.get("asked", ()))
    answered = kinds.get("answered", [])
    answers = sum(event["outcome"] == Outcome.ANSWER for event in answered)
    failures = len(kinds.get("failed", ()))
    unended = calls - len(answered) - failures
    # A torn line may have been the end of a call: no more are open than lack theirs.
    waiting = sum(map(is_open, find_cut_off_calls(lines))) if unended > 0 else 0
    return Counts(
        calls,
        answers,
        len(answered) - answers,
        failures,
        unended - waiting,
        len(kinds.get("replayed", ())),
        waiting,
    )


def _format_cost(cost: Decimal | None) -> str:
    return UNKNOWN if cost is None else f"{cost:f}"


def find_cut_off_calls(events: Sequence[Event]) -> dict[str, Event]:
    """Return the last call of each question that was never answered, and has no end."""
    ended = {event["call"] for event in events if event["event"] in {"answered", "failed"}}
    answered = {event["key"] for event in events if event["event"] == "answered"}
    return {
        event["key"]: event
        for event in events
        if event["event"] == "asked" and event["call"] not in ended and event["key"] not in answered
    }


def _build_answer_entry(request: Request, completion: Completion) -> dict[str, Any]:
    usage = completion.usage
    return {
        "outcome": assess_completion(request, completion),
        "stop": completion.stop,
        "answered_by": completion.model,
        "route": completion.route,
        "request_id": completion.request_id,
        "tokens": UNKNOWN if usage is None else asdict(usage),
    }


def _build_trial_entry(trial: Trial, seconds: float) -> dict[str, Any]:
    failures = [asdict(failure) for failure in trial.failures]
    return {"seconds": round(seconds, 3), "failed_attempts": failures}


def _parse_event(line: str) -> Event:
    try:
        event = json.loads(line)
    except ValueError:
        event = None
    return event if isinstance(event, dict) and "event" in event else {"event": "damaged"}
