"""Questions asked at once: bounded, in order, and none begun after an error or an interrupt."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from threading import Barrier, Event, Lock
from typing import Any

import pytest

from sopforge.authors.writers.asking_together import ask_together

QUESTIONS = [("template", {"number": number}) for number in range(8)]
NAME: ContextVar[str] = ContextVar("name")


def answering(play: Callable[[int], None]) -> Callable[[str, Mapping[str, Any]], dict[str, Any]]:
    """Return who plays with the number of a question, and then answers it."""

    def ask(template: str, values: Mapping[str, Any]) -> dict[str, Any]:
        play(values["number"])
        return {template: values["number"]}

    return ask


def test_answers_come_in_the_order_of_the_questions() -> None:
    # The later a question, the earlier its answer.
    ask = answering(lambda number: time.sleep((8 - number) / 100))

    assert ask_together(ask, QUESTIONS, 8) == [{"template": number} for number in range(8)]


def test_so_many_questions_are_open_at_once_and_no_more() -> None:
    # Nobody passes the barrier before three are there.
    barrier, lock, now, most = Barrier(3, timeout=30), Lock(), [0], [0]

    def play(_: int) -> None:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        barrier.wait()
        with lock:
            now[0] -= 1

    ask_together(answering(play), QUESTIONS[:6], 3)
    assert most == [3]


def test_one_question_at_once_needs_no_thread() -> None:
    threads = set[int]()
    ask_together(answering(lambda _: threads.add(threading.get_ident())), QUESTIONS, 1)
    assert threads == {threading.get_ident()}
    assert ask_together(answering(lambda _: None), [], 4) == []


def test_after_an_error_open_questions_are_answered_and_no_other_is_begun() -> None:
    begun, answered, barrier = list[int](), list[int](), Barrier(2, timeout=30)

    def play(number: int) -> None:
        begun.append(number)
        barrier.wait()
        if number == 0:
            raise ValueError("no answer")
        time.sleep(0.1)
        answered.append(number)

    with pytest.raises(ValueError, match="no answer"):
        ask_together(answering(play), QUESTIONS, 2)
    assert sorted(begun) == [0, 1]
    assert answered == [1]


def test_of_several_errors_that_of_the_first_question_is_raised() -> None:
    barrier = Barrier(2, timeout=30)

    def play(number: int) -> None:
        barrier.wait()
        time.sleep((2 - number) / 20)
        raise ValueError(f"question {number}")

    with pytest.raises(ValueError, match="question 0"):
        ask_together(answering(play), QUESTIONS[:2], 2)


def test_who_interrupts_waits_for_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, released = list[int](), Event()

    def play(number: int) -> None:
        begun.append(number)
        released.wait(30)

    def interrupted(_: threading.Thread) -> None:
        while len(begun) < 2:
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr("sopforge.authors.writers.asking_together.Thread.join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ask_together(answering(play), QUESTIONS, 2)
    released.set()
    time.sleep(0.1)
    assert sorted(begun) == [0, 1]


def test_questions_are_asked_in_the_context_of_who_asks_them() -> None:
    seen = list[str]()
    NAME.set("a run")
    ask_together(answering(lambda _: seen.append(NAME.get())), QUESTIONS, 4)
    assert seen == ["a run"] * 8
