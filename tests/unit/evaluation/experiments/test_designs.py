"""Designs: the conditions that each name stands for, and what is refused."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from sopforge.errors import MaterialError
from sopforge.evaluation.experiments.designs import read_design

Shown: TypeAlias = tuple[str, str, dict[str, int] | None, int]


def conditions(*asked: str) -> list[Shown]:
    """Return the conditions of a design: name, level, doses, branches."""
    return [
        (item.name, item.level, None if item.doses is None else dict(item.doses), item.branches)
        for item in read_design(*asked).conditions
    ]


def test_levels_are_the_four_as_the_brief_asks_for_them() -> None:
    assert conditions("levels") == [(level, level, None, 0) for level in ("L0", "L1", "L2", "L3")]


def test_tools_are_doses_of_general_tools() -> None:
    wanted: list[Shown] = [("general_tools-0", "L0", {}, 0)]
    wanted += [(f"general_tools-{n}", "L2", {"general_tools": n}, 0) for n in (5, 10, 20)]

    assert conditions("tools") == wanted
    assert conditions("doses:general_tools", "0,5,10,20") == wanted
    assert conditions("tools", "6, 0") == [
        ("general_tools-6", "L2", {"general_tools": 6}, 0),
        ("general_tools-0", "L0", {}, 0),
    ]


@pytest.mark.parametrize(
    ("operator", "level"),
    [("tangents", "L1"), ("superseded_tools", "L2"), ("distractor_inputs", "L3")],
)
def test_an_operator_is_put_in_alone_at_its_own_level(operator: str, level: str) -> None:
    assert conditions(f"doses:{operator}", "0,3") == [
        (f"{operator}-0", "L0", {}, 0),
        (f"{operator}-3", level, {operator: 3}, 0),
    ]
    assert [item[0] for item in conditions(f"doses:{operator}")] == [
        f"{operator}-{dose}" for dose in (0, 1, 2, 4, 8)
    ]


def test_a_factorial_crosses_length_with_branches() -> None:
    long = {"tangents": 8, "redundant_detail": 8}

    assert conditions("factorial", "0,8", "0,2") == [
        ("length-0-branches-0", "L0", {}, 0),
        ("length-8-branches-0", "L1", long, 0),
        ("length-0-branches-2", "L0", {}, 2),
        ("length-8-branches-2", "L1", long, 2),
    ]
    assert len(conditions("factorial", "0,8,16", "0,2")) == 6
    assert [item[0] for item in conditions("factorial")] == [
        f"length-{length}-branches-{count}" for count in (0, 3) for length in (0, 32)
    ]


def test_a_condition_is_compared_with_the_first_of_its_own_model() -> None:
    design = read_design("factorial", "0,8", "0,2")
    found = [design.find_reference(item).name for item in design.conditions]

    assert found == ["length-0-branches-0"] * 2 + ["length-0-branches-2"] * 2


@pytest.mark.parametrize(
    ("asked", "code", "says"),
    [
        (("tols",), "design-unknown", "no design 'tols'"),
        (("",), "design-unknown", "no design ''"),
        (("tools:tangents",), "design-unknown", "no design 'tools:tangents'"),
        (("doses",), "design-unknown", "no operator is named"),
        (("doses:more_steps",), "design-unknown", "'more_steps' is not a complexity operator"),
        (("factorial", None, None, "tangents"), "design-unknown", "adds branches"),
        (("tools", "0,x"), "counts-malformed", "'x' is not a whole number from 0 to 64"),
        (("tools", "0,-1"), "counts-malformed", "'-1'"),
        (("tools", "0,1.5"), "counts-malformed", "'1.5'"),
        (("tools", "0,65"), "counts-malformed", "'65' is not a whole number from 0 to 64"),
        (("tools", ""), "counts-malformed", "''"),
        (("tools", "5"), "counts-malformed", "5 is not a list of two or more different"),
        (("tools", "5,5"), "counts-malformed", "5,5 is not a list of two or more different"),
        (("factorial", "0,1", "0,9"), "counts-malformed", "'9' is not a whole number from 0 to 8"),
        (("levels", "0,1"), "counts-malformed", "levels does not accept doses"),
        (("tools", None, "0,1"), "counts-malformed", "tools does not accept branches"),
    ],
)
def test_what_is_no_design_is_named(asked: tuple[str, ...], code: str, says: str) -> None:
    with pytest.raises(MaterialError) as caught:
        read_design(*asked)
    (fault,) = caught.value.faults
    assert fault.code == code
    assert says in fault.message
    assert fault.hint


def test_64_is_the_largest_dose() -> None:
    assert conditions("tools", "0,64")[1][2] == {"general_tools": 64}
