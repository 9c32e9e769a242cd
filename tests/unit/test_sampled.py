"""What is left to the exhaustive run is there, and no test is left out as a whole by its number."""

from __future__ import annotations

from typing import cast

import pytest

from tests.sampling import ROOT, iterate_left_out, read_list


def test_each_line_names_what_is_there() -> None:
    left_out, sampled = read_list()

    assert [name for name in sampled if not (ROOT / name).is_file()] == []
    for line in left_out:
        file, _, test = line.partition("::")
        assert f"def {test.partition('[')[0]}(" in (ROOT / file).read_text("utf-8"), line


def test_one_case_in_some_runs_and_the_first_always() -> None:
    names = ["a.py::one[1]", "a.py::one[2]", "a.py::one[3]", "a.py::two", "b.py::one", "b.py::two"]
    items = [cast("pytest.Item", Named(name)) for name in names]

    found = [item.nodeid for item in iterate_left_out(items, frozenset({"b.py::one"}), {"a.py": 2})]

    assert found == ["a.py::one[2]", "b.py::one"]


def test_cases_that_are_marked_themselves_take_no_place_of_others() -> None:
    names = ["a.py::one[1]", "a.py::one[2]", "a.py::one[3]", "a.py::one[4]"]
    items = [cast("pytest.Item", Named(name, name.endswith(("[1]", "[3]")))) for name in names]

    found = [item.nodeid for item in iterate_left_out(items, frozenset(), {"a.py": 2})]

    assert found == ["a.py::one[4]"]


class Named:
    """Stands for a test of which only its name and its mark are asked."""

    def __init__(self, nodeid: str, is_exhaustive: bool = False) -> None:  # noqa: FBT001, FBT002 - a mark
        self.nodeid = nodeid
        self.is_exhaustive = is_exhaustive

    def get_closest_marker(self, name: str) -> object:
        return self.is_exhaustive and name == "exhaustive"
