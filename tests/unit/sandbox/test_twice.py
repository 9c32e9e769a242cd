"""Answers that depend on anything but the arguments are found by asking twice."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sopforge.errors import ToolProcessError
from sopforge.sandbox.answers import JSON, Observation, Refusal
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.twice import ask_twice

LIMIT = 5.0


def module(body: str) -> dict[str, bytes]:
    """Return the files of a module whose tool ``run`` has this body."""
    imports = "import datetime, os, random, time, uuid"
    source = f"{imports}\nclass AManager:\n    def run(self, n):\n        {body}\n"
    return {"tools.py": source.encode()}


def test_answers_and_refusals_that_agree_are_returned() -> None:
    files = module("return [10 // n, sorted({'b', 'a'})]")
    answers = ask_twice(files, [("run", {"n": 2}), ("run", {"n": 0})], time_limit=LIMIT)
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
        "return datetime.datetime(2024, 1, 1).timestamp()",
        "return str(datetime.datetime.fromtimestamp(0))",
        "return time.mktime(time.strptime('2024', '%Y'))",
        "return str(datetime.date.today())",
        "return os.getpid()",
        "raise ValueError(str({'one', 'two', 'three', 'four', 'five', 'six'}))",
    ],
    ids=[
        *("chance", "clock", "uuid", "set order", "hash", "address"),
        *("naive time", "local time", "made local time", "day", "number"),
        "refusal",
    ],
)
def test_answers_that_differ_are_a_fault(body: str) -> None:
    calls = [("run", {"n": 1}), ("run", {"n": 2})]
    with pytest.raises(ToolProcessError) as caught:
        ask_twice(module(body), calls, time_limit=LIMIT)
    (fault,) = caught.value.faults
    assert (fault.code, fault.where) == ("tools-not-deterministic", "tools.py, run()")
    assert "run(n=1)" in fault.message


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ("return (datetime.date(2024, 3, 1) - datetime.date(2024, 2, 28)).days", 2),
        (
            "a = datetime.datetime; return a(2024, 3, 1).timestamp() - a(2024, 2, 28).timestamp()",
            Decimal("172800.0"),
        ),
        (
            "return str(datetime.datetime.fromtimestamp(0, datetime.timezone.utc))[:10]",
            "1970-01-01",
        ),
    ],
    ids=["days", "difference of naive times", "aware time"],
)
def test_what_no_time_zone_changes_is_the_same(body: str, answer: JSON) -> None:
    assert ask_twice(module(body), [("run", {"n": 1})], time_limit=LIMIT) == [Observation(answer)]


def test_the_local_time_is_utc() -> None:
    files = module("return [time.tzname[0], str(datetime.datetime.fromtimestamp(0))]")
    with ToolProcess(files=files) as tools:
        assert tools.call("run", {"n": 1}) == Observation(["UTC", "1970-01-01 00:00:00"])


def test_a_seed_makes_chance_the_same() -> None:
    files = module("return random.Random(n).random()")
    assert len(ask_twice(files, [("run", {"n": 7})], time_limit=LIMIT)) == 1


@pytest.mark.parametrize(
    "body",
    [
        "return os.getcwd() == os.path.dirname(__file__)",
        "return dict(os.environ)",
        "return type(open).__name__",
        "return sys.path",
        "return 1 / (os.getcwd() == os.path.dirname(__file__))",
        "return os._exit(4) if os.environ else 1",
    ],
    ids=["working directory", "environment", "open", "imports", "refuses", "ends"],
)
def test_what_a_plain_run_answers_otherwise_is_reported_as_that(body: str) -> None:
    source = module(f"import sys; {body}")
    with pytest.raises(ToolProcessError) as caught:
        ask_twice(source, [("run", {"n": 1})], time_limit=LIMIT)
    (fault,) = caught.value.faults
    assert fault.code == "tools-differ-outside"
    assert "in a plain run from a folder" in fault.message


def test_a_path_that_is_another_each_time_is_in_no_message() -> None:
    with pytest.raises(ToolProcessError) as caught:
        ask_twice(module("return __file__"), [("run", {"n": 1})], time_limit=LIMIT)
    assert caught.value.faults[0].message == (
        "run(n=1) answered Observation(value='/tmp/tmp.../tools.py') in one process and"
        " Observation(value='/tmp/tmp.../tools.py') in another"
    )


def test_the_command_line_names_no_sandbox_and_no_module_is_ours() -> None:
    body = (
        "import sys; ours = [name for name in sys.modules if name.startswith('sopforge')];"
        " return [sys.argv, sys.orig_argv, ours, __spec__.name]"
    )
    answers = ask_twice(module(body), [("run", {"n": 1})], time_limit=LIMIT)
    assert answers == [Observation([["main.py"], ["python3", "main.py"], [], "tools"])]
