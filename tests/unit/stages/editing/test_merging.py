"""Merges as by diff3: changes of a person and of the later text stay, clashes are reported."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.pipeline.stages.editing.merging import Conflict, LineChange, merge

BEFORE = "one\ntwo\nthree\nfour\n"
TEXTS = st.lists(st.sampled_from("abcd"), max_size=6).map(
    lambda lines: "".join(f"{x}\n" for x in lines)
)


@pytest.mark.parametrize(
    ("later", "edited", "merged"),
    [
        (BEFORE, "one\nTWO\nthree\nfour\n", "one\nTWO\nthree\nfour\n"),
        ("one\ntwo\nthree\nFOUR\n", "ONE\ntwo\nthree\nfour\n", "ONE\ntwo\nthree\nFOUR\n"),
        ("one\ntwo\nthree\nfour\nfive\n", "two\nthree\nfour\n", "two\nthree\nfour\nfive\n"),
        ("one\nTWO\nthree\nfour\n", "one\nTWO\nthree\nfour\n", "one\nTWO\nthree\nfour\n"),
        ("", BEFORE, ""),
    ],
    ids=["only edited", "apart", "cut and added", "alike", "all gone"],
)
def test_changes_apart_are_both_made(later: str, edited: str, merged: str) -> None:
    found = merge(BEFORE, later, edited)
    assert (found.text, found.conflicts) == (merged, ())


def test_a_clash_keeps_the_later_text_and_reports_both() -> None:
    found = merge(BEFORE, "one\n2\nthree\nfour\n", "one\nzwei\nthree\nFOUR\n")
    assert found.text == "one\n2\nthree\nFOUR\n"
    assert found.conflicts == (Conflict("two\n", "2\n", "zwei\n", LineChange(1, 2, ("zwei\n",))),)


def test_two_insertions_at_one_place_clash() -> None:
    found = merge("a\nb\n", "a\nx\nb\n", "a\ny\nb\n")
    assert found.text == "a\nx\nb\n"
    assert found.conflicts == (Conflict("", "x\n", "y\n", LineChange(1, 1, ("y\n",))),)


@given(before=TEXTS, other=TEXTS)
def test_who_changed_nothing_decides_nothing(before: str, other: str) -> None:
    assert merge(before, other, before).text == other
    assert merge(before, before, other).text == other
    assert merge(before, other, other).text == other
    assert merge(before, other, before).conflicts == merge(before, before, other).conflicts == ()


@given(before=TEXTS, later=TEXTS, edited=TEXTS)
def test_without_clashes_it_is_the_same_from_either_side(
    before: str, later: str, edited: str
) -> None:
    one, other = merge(before, later, edited), merge(before, edited, later)
    assert bool(one.conflicts) == bool(other.conflicts)
    if not one.conflicts:
        assert one.text == other.text
