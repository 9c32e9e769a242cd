from __future__ import annotations

import pytest

from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.moved_rules import make_item_heading, make_pointer, put_back

BEFORE = Line(Style.STEP, "3.1 Look")
RULE = Line(Style.BULLET, "If it rains, stay.", ("rule stay.R1",))
RESULTS = Line(Style.SECTION, "4. Results")
ANNEX = Line(Style.SECTION, "5. Annex: rules to which the steps refer")
LIMITS = Line(Style.SECTION, "6. Annex: limits")


def test_a_rule_is_put_back_in_its_place_and_the_annex_is_gone() -> None:
    moved = [
        BEFORE,
        make_pointer(RULE, "A1", ANNEX),
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
