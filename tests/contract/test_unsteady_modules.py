"""Modules whose answers depend on more than the arguments are found out by asking twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.errors import ToolProcessError
from sopforge.sandbox.answers import Call
from sopforge.sandbox.twice import ask_twice

MODULES = sorted((Path(__file__).parents[1] / "modules" / "unsteady").glob("*.py"))
CALLS: list[Call] = [("answer", {"number": number}) for number in [*range(1, 90), -5, 7, 7, 60, 2]]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_an_unsteady_module_is_found_out(path: Path) -> None:
    with pytest.raises(ToolProcessError) as caught:
        ask_twice({"tools.py": path.read_bytes()}, CALLS, time_limit=10.0)
    assert [fault.code for fault in caught.value.faults] == ["tools-not-deterministic"]


def test_calls_that_are_meant_to_change_what_follows_are_asked_in_order() -> None:
    source = b"""
class DeskManager:
    def __init__(self):
        self.signed = False
    def sign(self):
        self.signed = True
    def look(self):
        return self.signed
"""
    calls: list[Call] = [("look", {}), ("sign", {}), ("look", {})]
    answers = ask_twice({"tools.py": source}, calls, time_limit=10.0, in_order=True)
    assert [getattr(answer, "value", None) for answer in answers] == [False, None, True]
