from __future__ import annotations

import pytest

from sopforge.rendering.sop.added.moved_rules import (
    POINTERS,
    make_item_heading,
    make_pointer,
    put_back,
)
from sopforge.rendering.sop.document import Line, Style

BEFORE = Line(Style.STEP, "3.1 Look")
RULE = Line(Style.BULLET, "If it rains, stay.", ("rule stay.R1",))
RESULTS = Line(Style.SECTION, "4. Results")
ANNEX = Line(Style.SECTION, "5. Annex A: Particular rules")
LIMITS = Line(Style.SECTION, "6. Annex B: Table of limits")


@pytest.mark.parametrize("wording", range(len(POINTERS)))
def test_a_rule_is_put_back_in_its_place_and_the_annex_is_gone(wording: int) -> None:
    moved = [
        BEFORE,
        make_pointer(RULE, "A1", ANNEX, wording),
        RESULTS,
        ANNEX,
        make_item_heading("A1"),
        RULE,
        LIMITS,
    ]

    assert put_back(moved) == (BEFORE, RULE, RESULTS, LIMITS)


def test_pointers_are_followed_over_other_items() -> None:
    chain = [
        make_item_heading("A1"),
        make_pointer(RULE, "A2", ANNEX),
        make_item_heading("A2"),
        RULE,
    ]

    assert put_back([BEFORE, make_pointer(RULE, "A1", ANNEX), ANNEX, *chain]) == (BEFORE, RULE)


@pytest.mark.parametrize(
    "items",
    [
        pytest.param([], id="no item"),
        pytest.param(
            [make_item_heading("A1"), RULE, make_item_heading("A1"), RULE], id="two items"
        ),
        pytest.param([make_item_heading("A1"), make_pointer(RULE, "A1", ANNEX)], id="a circle"),
        pytest.param([make_item_heading("A2"), RULE], id="another item"),
    ],
)
def test_a_pointer_without_one_rule_stays(items: list[Line]) -> None:
    assert put_back([BEFORE, make_pointer(RULE, "A1", ANNEX), ANNEX, *items]) == (
        BEFORE,
        make_pointer(RULE, "A1", ANNEX),
    )


def test_a_pointer_into_another_section_than_the_annex_stays() -> None:
    astray = make_pointer(RULE, "A1", LIMITS)

    assert put_back([BEFORE, astray, ANNEX, make_item_heading("A1"), RULE]) == (BEFORE, astray)


@pytest.mark.parametrize("changed", ["Apply perhaps the rule in {}.", "The rule in {} is void."])
def test_a_line_in_other_words_is_no_pointer(changed: str) -> None:
    astray = Line(RULE.style, changed.format("item A1 of Annex A"), excused="reference")

    assert put_back([BEFORE, astray, ANNEX, make_item_heading("A1"), RULE]) == (BEFORE, astray)
