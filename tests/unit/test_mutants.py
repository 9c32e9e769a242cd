"""The mutation run changes what it should, one place at a time."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutation.matrix import choose_needed, list_tests
from tests.mutation.mutants import mutants, mutated, sample

SOURCE = '''\
"""What is said about the file is not a place to change."""

LIMIT = 3


def is_small(size: int, *, least: int = 1) -> bool:
    """Nor is what is said about a function."""
    assert size > 0
    return least <= size < LIMIT and not size % 2
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sizes.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def test_each_operator_and_each_constant_is_a_place(folder: Path) -> None:
    found = [(mutant.text, mutant.function, mutant.line) for mutant in mutants(folder, "sizes.py")]
    assert found == [
        ("3  ->  4", "", 3),
        ("1  ->  2", "", 6),
        (
            "least <= size < LIMIT and (not size % 2)  ->  least <= size < LIMIT or not size % 2",
            "is_small",
            9,
        ),
        ("least <= size < LIMIT  ->  least < size < LIMIT", "is_small", 9),
        ("least <= size < LIMIT  ->  least <= size <= LIMIT", "is_small", 9),
        ("not size % 2  ->  size % 2", "is_small", 9),
        ("size % 2  ->  size // 2", "is_small", 9),
        ("2  ->  3", "is_small", 9),
    ]


def test_a_mutant_differs_from_the_source_on_its_line_alone(folder: Path) -> None:
    plain = ast.unparse(ast.parse(SOURCE)).split("\n")
    start = next(line for line in plain if line.startswith("def"))
    places = {3: "LIMIT = 3", 6: start, 9: plain[-1]}
    for mutant in mutants(folder, "sizes.py"):
        changed = ast.unparse(mutated(folder, mutant)).split("\n")
        differing = [old for old, new in zip(plain, changed, strict=True) if old != new]
        assert differing == [places[mutant.line]], mutant


def test_equal_seeds_give_equal_samples(folder: Path) -> None:
    first, again, other = (sample(folder, ["sizes.py"], 0.5, 1, seed) for seed in (1, 1, 2))
    assert first == again
    assert (len(first), len(other)) == (4, 4)
    assert first != other


def test_tests_are_needed_that_kill_together_what_all_kill() -> None:
    killers = {"m1": {"a", "b"}, "m2": {"b"}, "m3": {"c"}, "m4": set[str]()}

    assert choose_needed(killers) == {"b", "c"}


def test_the_cases_of_a_test_are_one_test(tmp_path: Path) -> None:
    noted = tmp_path / "noted"
    noted.write_text("t.py::one[a]\nt.py::one[b]\nt.py::two\n", encoding="utf-8")

    assert list_tests(noted) == {"t.py::one", "t.py::two"}
