"""Changing a document keeps the lines and the comments of what stays as it is."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from sopforge.language.domain.documents.changing import change_document
from sopforge.language.domain.documents.yaml_documents import read_document

TEXT = """\
# Bicycles are lent by the day.
title:   "Bike hire"   # shown on the door
fees:
  # per day
  adult: 12.50   # from May on
  child: 6.00
  # not on Sundays
  night: 3.00

# Who does what.
roles: [clerk,   mechanic]
rules:
  - {id: R1, when: days > 7, then: weekly}   # long
  # else
  - id: R2
    then: daily
notes: >
  Bring the lock
  back, too.
"""


def change(**parts: object) -> str:
    return change_document(TEXT, {**read(TEXT), **parts})


def read(text: str) -> Any:  # noqa: ANN401 - parsed YAML
    return read_document(text, "bikes.yaml").value


def test_equal_value_leaves_the_text_as_it_is() -> None:
    assert change() == TEXT


def test_value_is_changed_within_its_line() -> None:
    fees = {**read(TEXT)["fees"], "adult": Decimal("14.00")}
    assert change(fees=fees) == TEXT.replace("12.50", "14.00")


def test_part_that_goes_leaves_the_comment_on_the_next_one() -> None:
    fees = {"adult": Decimal("12.50"), "night": Decimal("3.00")}
    assert change(fees=fees) == TEXT.replace("  child: 6.00\n", "")


def test_new_part_stands_before_the_comment_on_the_next_section() -> None:
    fees = {**read(TEXT)["fees"], "week": 60}
    assert change(fees=fees) == TEXT.replace("  night: 3.00\n", "  night: 3.00\n  week: 60\n")


def test_new_section_is_added_below_all_others() -> None:
    assert change(context=["Locks cost extra."]) == TEXT + "context:\n- Locks cost extra.\n"


def test_item_is_added_to_a_list_and_taken_from_it() -> None:
    rules = [*read(TEXT)["rules"], {"id": "R3"}]
    assert change(rules=rules) == TEXT.replace("    then: daily\n", "    then: daily\n  - id: R3\n")
    assert change(rules=rules[1:2]) == TEXT.replace(
        "  - {id: R1, when: days > 7, then: weekly}   # long\n", ""
    )


def test_value_within_braces_is_changed_there() -> None:
    first, second = read(TEXT)["rules"]
    rules = [{**first, "when": "days > 6, or so"}, second]
    assert change(rules=rules) == TEXT.replace("days > 7", "'days > 6, or so'")


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("one line\nand another\n", id="lines"),
        pytest.param("it's: not, [a list", id="marks"),
        pytest.param("0123", id="digits"),
        pytest.param(None, id="nothing"),
        pytest.param(["a", {"b": Decimal("1.0")}], id="list"),
        pytest.param({}, id="empty"),
    ],
)
@pytest.mark.parametrize("name", ["title", "fees", "roles", "rules", "notes"])
def test_any_value_is_read_back_beside_all_comments_elsewhere(name: str, value: object) -> None:
    changed = change(**{name: value})
    assert read(changed) == {**read(TEXT), name: value}
    assert "# Bicycles are lent by the day.\n" in changed
    assert "# Who does what.\n" in changed


def test_text_without_a_last_line_end_is_added_to() -> None:
    assert change_document("a: 1", {"a": 1, "b": 2}) == "a: 1\nb: 2\n"


def test_other_order_of_names_is_written() -> None:
    assert change_document("a: 1\nb: 2\n", {"b": 2, "a": 1}) == "b: 2\na: 1\n"


def test_number_that_becomes_an_equal_truth_is_changed() -> None:
    assert change_document("a: 1\n", {"a": True}) == "a: true\n"
