"""Answers that depend on anything but the arguments are found by asking twice."""

from __future__ import annotations

import pytest

from sopforge.errors import ToolProcessError
from sopforge.sandbox.answers import Observation, Refusal
from sopforge.sandbox.twice import answers_twice

LIMIT = 5.0


def module(body: str) -> dict[str, bytes]:
    """Return the files of a module whose tool ``run`` has this body."""
    source = f"import random, time, uuid\nclass AManager:\n    def run(self, n):\n        {body}\n"
    return {"tools.py": source.encode()}


def test_answers_and_refusals_that_agree_are_returned() -> None:
    files = module("return [10 // n, sorted({'b', 'a'})]")
    answers = answers_twice(files, [("run", {"n": 2}), ("run", {"n": 0})], time_limit=LIMIT)
    assert answers[0] == Observation([5, ["a", "b"]])
    assert answers[1] == Refusal("ZeroDivisionError", "integer division or modulo by zero")


@pytest.mark.parametrize(
    "body",
    [
        "return random.random()",
        "return time.time_ns()",
        "return str(uuid.uuid4())",
        "return list({'one', 'two', 'three', 'four', 'five', 'six'})",
        "return hash('text')",
        "return id(object())",
        "raise ValueError(str({'one', 'two', 'three', 'four', 'five', 'six'}))",
    ],
    ids=["chance", "clock", "uuid", "set order", "hash", "address", "refusal"],
)
def test_answers_that_differ_are_a_fault(body: str) -> None:
    calls = [("run", {"n": 1}), ("run", {"n": 2})]
    with pytest.raises(ToolProcessError) as caught:
        answers_twice(module(body), calls, time_limit=LIMIT)
    (fault,) = caught.value.faults
    assert (fault.code, fault.where) == ("tools-not-deterministic", "tools.py, run()")
    assert "run(n=1)" in fault.message


def test_a_seed_makes_chance_the_same() -> None:
    files = module("return random.Random(n).random()")
    assert len(answers_twice(files, [("run", {"n": 7})], time_limit=LIMIT)) == 1
