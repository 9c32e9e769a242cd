from __future__ import annotations

import pytest

from sopforge.rendering.sop.added.moved_rules import (
    POINTERS,
    POINTERS_OF_RESULTS,
    POINTERS_OF_TRANSITIONS,
    make_part_heading,
    make_pointer,
    put_back,
)
from sopforge.rendering.sop.document import Line, Style

BEFORE = Line(Style.STEP, "3.1 Look")
RULE = Line(Style.BULLET, "If it rains, stay.", ("rule stay.R1",))
RESULTS = Line(Style.SECTION, "4. Results")
MOVED = Line(Style.SECTION, "5. Particular cases")
LIMITS = Line(Style.SECTION, "6. Limits and amounts")


@pytest.mark.parametrize("wording", range(len(POINTERS)))
def test_a_rule_is_put_back_in_its_place_and_the_section_is_gone(wording: int) -> None:
    moved = [
        BEFORE,
        make_pointer(RULE, "5.1", wording),
        RESULTS,
        MOVED,
        make_part_heading("5.1", "plan"),
        RULE,
        LIMITS,
    ]

    assert put_back(moved) == (BEFORE, RULE, RESULTS, LIMITS)


ANSWER = Line(Style.BULLET, '"stay" if it rains.', ("rule stay.R1",))
ALONE = Line(Style.BULLET, 'The plan is "stay" if it rains.', ("rule stay.R1",))


@pytest.mark.parametrize("wording", range(len(POINTERS_OF_RESULTS)))
def test_a_pointer_says_the_result_of_its_rule(wording: int) -> None:
    pointer = make_pointer(ANSWER, "5.1", wording)
    moved = [BEFORE, pointer, MOVED, make_part_heading("5.1", "plan"), ALONE]

    assert pointer.text.startswith('"stay" ')
    assert "rains" not in pointer.text
    assert put_back(moved) == (BEFORE, ALONE)


@pytest.mark.parametrize(
    "other",
    [
        'The plan is "go" if it rains.',
        'The plan is "go" if the wish is "stay".',
        'Go to step 3.2 (Stay) if the wish is "stay".',
        'If the wish is "stay", go to step 3.2 (Stay).',
    ],
)
def test_a_pointer_with_another_result_than_the_rule_stays(other: str) -> None:
    pointer = make_pointer(ANSWER, "5.1")
    item = [make_part_heading("5.1", "plan"), Line(Style.BULLET, other)]

    assert put_back([BEFORE, pointer, MOVED, *item]) == (BEFORE, pointer)


POINTS = Line(Style.BULLET, "2 points if it rains.", ("rule plan.R1",))


@pytest.mark.parametrize("wording", range(len(POINTERS_OF_RESULTS)))
def test_a_pointer_says_the_points_of_its_rule(wording: int) -> None:
    pointer = make_pointer(POINTS, "5.1", wording)

    assert pointer.text.startswith("2 points ")
    assert "rains" not in pointer.text
    assert put_back([BEFORE, pointer, MOVED, make_part_heading("5.1", "plan"), POINTS]) == (
        BEFORE,
        POINTS,
    )


@pytest.mark.parametrize(
    "points", ["12 points", "-2 points", "1.2 points", "3 points", "2 pointsx"]
)
def test_a_pointer_with_other_points_than_the_rule_stays(points: str) -> None:
    pointer = make_pointer(POINTS, "5.1")
    item = [make_part_heading("5.1", "plan"), Line(Style.BULLET, f"{points} if it rains.")]

    assert put_back([BEFORE, pointer, MOVED, *item]) == (BEFORE, pointer)


@pytest.mark.parametrize("wording", range(len(POINTERS_OF_TRANSITIONS)))
def test_a_pointer_says_to_which_step_its_rule_leads(wording: int) -> None:
    edge = Line(Style.PARAGRAPH, "If it rains, go to step 3.2 (Stay).", ("edge look.1",))
    pointer = make_pointer(edge, "5.1", wording)
    item = make_part_heading("5.1", "plan")
    astray = Line(edge.style, "If it rains, go to step 3.3 (Leave).", edge.states)

    assert pointer.text.endswith(", go to step 3.2 (Stay).")
    assert "rains" not in pointer.text
    assert put_back([BEFORE, pointer, MOVED, item, edge]) == (BEFORE, edge)
    assert put_back([BEFORE, pointer, MOVED, item, astray]) == (BEFORE, pointer)


def test_pointers_are_followed_over_other_parts() -> None:
    chain = [
        make_part_heading("5.1", "plan"),
        make_pointer(RULE, "5.2"),
        make_part_heading("5.2", "plan"),
        RULE,
    ]

    assert put_back([BEFORE, make_pointer(RULE, "5.1"), MOVED, *chain]) == (BEFORE, RULE)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([], id="no part"),
        pytest.param(
            [make_part_heading("5.1", "plan"), RULE, make_part_heading("5.1", "plan"), RULE],
            id="two parts",
        ),
        pytest.param([make_part_heading("5.1", "plan"), make_pointer(RULE, "5.1")], id="a circle"),
        pytest.param([make_part_heading("5.2", "plan"), RULE], id="another part"),
    ],
)
def test_a_pointer_without_one_rule_stays(parts: list[Line]) -> None:
    assert put_back([BEFORE, make_pointer(RULE, "5.1"), MOVED, *parts]) == (
        BEFORE,
        make_pointer(RULE, "5.1"),
    )


def test_a_pointer_into_another_section_stays() -> None:
    astray = make_pointer(RULE, "6.1")

    assert put_back([BEFORE, astray, MOVED, make_part_heading("5.1", "plan"), RULE]) == (
        BEFORE,
        astray,
    )


@pytest.mark.parametrize("changed", ["Apply perhaps the rule in {}.", "The rule in {} is void."])
def test_a_line_in_other_words_is_no_pointer(changed: str) -> None:
    astray = Line(RULE.style, changed.format("section 5.1"), excused="reference")

    assert put_back([BEFORE, astray, MOVED, make_part_heading("5.1", "plan"), RULE]) == (
        BEFORE,
        astray,
    )
