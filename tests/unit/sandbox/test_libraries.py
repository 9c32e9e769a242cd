"""Tools of others find the libraries that they import, confined as all tools are."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from sopforge.errors import ToolProcessError
from sopforge.sandbox.answers import JSONValue, Observation, Refusal
from sopforge.sandbox.child import probes
from sopforge.sandbox.levels import Level
from sopforge.sandbox.libraries import find_libraries
from sopforge.sandbox.linter import lint
from sopforge.sandbox.machine import ACTS
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.zygotes import get_shared_zygote

SOURCE = b"""
import os

import numpy as np
import pandas as pd
from dateutil import parser

print("read at the start")


class OrderManager:
    def __init__(self):
        print("built")
        path = os.path.join(os.path.dirname(__file__), "orders.csv")
        self.orders = pd.read_csv(path)
        self.pay = pd.read_csv("orders.csv").pivot_table(index="paid_on", values="amount")

    def look_up(self, order_id):
        print("looking for", order_id)
        row = self.orders[self.orders["order_id"] == order_id].iloc[0]
        return {"amount": int(row["amount"]), "days": self.count_days(row["paid_on"])}

    def count_days(self, paid_on):
        return (parser.parse("2026-02-01") - parser.parse(paid_on)).days

    def give_raw(self):
        total = self.orders["amount"].sum()
        return {"total": total, "share": [np.float64(0.5), float("nan")], "row": (1, None)}

    def list_parts(self):
        import sys

        tops = {name.partition(".")[0] for name in sys.modules}
        return sorted(tops & {"pyarrow", "pytest", "sopforge", "jinja2", "pandas", "numpy"})

    def import_more(self):
        import jinja2

        return jinja2.__name__
"""
ORDERS = b"order_id,amount,paid_on\nO-1,20,2026-01-02\nO-2,80,2026-01-30\n"
FILES = {"tools.py": SOURCE, "orders.csv": ORDERS}
ALL = frozenset({"pandas", "numpy", "dateutil"})
LEVELS = (Level.STRONG, Level.KERNEL, Level.LIMITS)


def open_tools(level: Level = Level.STRONG, *, is_lenient: bool = False) -> ToolProcess:
    return ToolProcess(files=FILES, level=level, libraries=ALL, is_lenient=is_lenient)


@pytest.mark.parametrize("level", LEVELS)
def test_a_tool_reads_its_table_with_pandas_and_prints(level: Level) -> None:
    with open_tools(level) as tools:
        found = tools.call("look_up", {"order_id": "O-2"})
        absent = tools.call("look_up", {"order_id": "O-9"})

    # From 30 January to 1 February it is two days.
    assert found == Observation({"amount": 80, "days": 2})
    assert isinstance(absent, Refusal)
    assert absent.code == "IndexError"


def test_without_being_asked_for_they_are_not_there() -> None:
    with pytest.raises(ToolProcessError) as caught:
        ToolProcess(files=FILES).__enter__()
    assert "No module named 'numpy' that tools may import" in caught.value.faults[0].message


def test_nothing_else_that_is_installed_comes_with_them() -> None:
    with open_tools() as tools:
        assert tools.call("list_parts", {}) == Observation(["numpy", "pandas"])
        said = tools.call("import_more", {})

    assert isinstance(said, Refusal)
    assert said.code == "ModuleNotFoundError"


def test_numbers_of_numpy_are_no_json_unless_that_is_allowed_for() -> None:
    with open_tools() as tools, pytest.raises(ToolProcessError) as caught:
        tools.call("give_raw", {})
    assert caught.value.faults[0].code == "result-not-json"

    with open_tools(is_lenient=True) as tools:
        said = tools.call("give_raw", {})
    assert said == Observation({"total": 100, "share": [Decimal("0.5"), None], "row": [1, None]})


@pytest.mark.parametrize("act", [act for act in ACTS if act != "take_much_memory"])
def test_what_no_tool_may_do_is_refused_with_them_too(act: str) -> None:
    own = Path(probes.__file__).read_bytes()
    source = own.replace(b"import socket\n", b"import pandas\nimport socket\n")
    arguments: dict[str, dict[str, JSONValue]] = {
        "read_a_file": {"path": "/etc/passwd"},
        "look_at_a_file": {"path": "/etc/passwd"},
        "write_a_file": {"path": "/dev/shm/made"},  # noqa: S108 - it must fail
        "signal_a_process": {"number": get_shared_zygote(0, ALL).number},
    }
    files = {"tools.py": source}
    with ToolProcess(files=files, level=Level.STRONG, libraries=ALL, is_watched=False) as tools:
        (said,) = tools.try_many([(act, arguments.get(act, {}))])

    assert not isinstance(said, Observation), act


def test_a_module_asks_for_what_it_imports() -> None:
    assert find_libraries(SOURCE) == ALL
    assert find_libraries("import json\n\ndef f():\n    import pandas.api.types\n") == {"pandas"}
    assert find_libraries("from numpy import linalg\nimport requests\n") == {"numpy"}
    assert find_libraries("import pandas (") == frozenset()


def test_the_linter_takes_them_for_offered_where_they_are() -> None:
    source = "import numpy as np\nimport requests\n\nclass AManager:\n    pass\n"
    alone = [item.message for item in lint(source) if item.id == "tool-imports"]
    given = [
        item.message for item in lint(source, frozenset({"pandas"})) if item.id == "tool-imports"
    ]
    assert len(alone) == 2
    assert len(given) == 1
    assert "requests" in given[0]


def test_what_is_answered_before_the_process_ends_is_kept() -> None:
    source = b"""
import os


class DyingManager:
    def halve(self, number):
        if number == 7:
            os._exit(3)
        if number == 5:
            return {1, 2}
        return number // 2
"""
    calls = [("halve", {"number": number}) for number in (4, 5, 6, 7, 8)]
    with ToolProcess(files={"tools.py": source}) as tools:
        found = tools.try_many(calls)
        assert tools.is_over

    assert found[0] == Observation(2)
    assert getattr(found[1], "code", "") == "result-not-json"
    assert found[2] == Observation(3)
    assert getattr(found[3], "code", "") == "tool-process-died"
    assert len(found) == 4
