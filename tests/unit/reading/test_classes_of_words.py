"""Classes of other words, each with a near twin that means something else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.findings import has_errors
from sopforge.reading.formula_words import reword_formula
from sopforge.reading.label_words import LabelWords
from sopforge.rendering.sop.document import Line
from sopforge.rendering.sop.sop import render_sop

_BRIEF = Path(__file__).parents[2] / "briefs" / "tool_hire.yaml"
HIRE = read_brief(_BRIEF.read_text(encoding="utf-8"), "brief").model
LINES = render_sop(HIRE, "", (), 1).lines
DAYS = "the delay of the return is more than 3 days"
LADDER = 'the type of tool is not "Ladder"'
LATE = f"{DAYS} and {LADDER}"
WORN = "the wear of the tool is at least 6 points and the noise of the tool is at least 6 points"
HIRES = "there are at least 4 earlier hires"
PAID = "the hire was not paid in advance"
BALANCE = (
    "Calculate the balance of the hire (balance), in EUR: the deposit of the hire minus the late"
    " fee."
)


def findings_after(old: str, new: str) -> list[str]:
    """Return the errors of the SOP with some words, or the line that has them, replaced."""
    place = next(place for place, line in enumerate(LINES) if old in line.text)
    text = new[2:] if new.startswith("- ") else LINES[place].text.replace(old, new)
    said = [replace(LINES[place], text=part) for part in text.split("\n")]
    return list_errors([*LINES[:place], *said, *LINES[place + 1 :]])


def list_errors(lines: list[Line]) -> list[str]:
    """Return the errors of an SOP of some lines, none where it has only warnings."""
    found = list(read_back_findings(HIRE, lines))
    return [finding.message for finding in found] if has_errors(found) else []


CLASSES = yaml.safe_load(
    Path(__file__).with_name("classes_of_words.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", CLASSES)
def test_words_of_a_class_are_read_and_their_twin_is_found(name: str) -> None:
    said = CLASSES[name]

    assert findings_after(said["said"], said["same"]) == []
    assert findings_after(said["said"], said["other"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LATE, f"{DAYS}, {LADDER} or {HIRES} and {LADDER}"),  # which of both joints goes first?
        (LATE, f"only {LATE}"),
        (LADDER, 'the type of tool is not "Ladder" or not "Saw"'),
        (HIRES, "the number of earlier hires is between 4 and 30 hires"),  # with or without 4?
        (DAYS, "more than 3 days lie between the date of the agreement and the date of the return"),
        (
            BALANCE,
            BALANCE.replace(
                "the deposit of the hire minus",
                "the difference between the deposit of the hire and",
            ),
        ),
        (WORN, "the wear of the tool and the noise of the tool are at least 6 points together"),
        (WORN, WORN.replace("the noise of the tool", "its price")),
        (HIRES, "there are 4 or more hires"),
        (PAID, "the hire has not been paid"),
    ],
)
def test_words_that_may_mean_something_else_are_not_read(old: str, new: str) -> None:
    assert findings_after(old, new)


def test_what_a_tool_returns_has_no_order() -> None:
    first = next(place for place, line in enumerate(LINES) if line.text.startswith("price ("))
    price, deposit = LINES[first : first + 2]
    rest = LINES[first + 2 :]

    assert list_errors([*LINES[:first], deposit, price, *rest]) == []
    assert list_errors([*LINES[:first], price, price, *rest])
    unlike = replace(price, text="price (deposit of the hire, in EUR);")
    assert list_errors([*LINES[:first], deposit, unlike, *rest])


def test_a_name_for_what_two_things_have_stays_as_it_is() -> None:
    words = LabelWords(["wear of the tool", "price of the tool", "price of the hire", "hire"])

    assert words.reword("the wear of the tool exceeds its price") == (
        "the wear of the tool exceeds the price of the tool"
    )
    assert words.reword("the wear of the tool and the hire exceed its price").endswith("its price")


def test_those_of_another_thing_are_called_by_their_label() -> None:
    words = LabelWords(["faults of the blue tube", "faults of the red tube"])

    assert words.reword("the faults of the blue tube and those of the red tube") == (
        "the faults of the blue tube and the faults of the red tube"
    )


def test_what_was_so_need_not_have_been_so() -> None:
    words = LabelWords([], ["the shop was open", "the bill was paid", "the fee was raised before"])

    assert words.reword("the bill has been paid") == "the bill was paid"
    assert words.reword("the shop has been open") == "the shop has been open"
    assert words.reword("the fee has already been raised earlier") == "the fee was raised before"
    never = "the fee has never been raised earlier"
    assert words.reword(never) == never


def test_instructions_that_go_on_after_a_limit_are_bracketed() -> None:
    fee = "Calculate the \ue0000\ue001 (fee)"

    assert reword_formula(f"{fee}: subtract 5 EUR from 9 EUR, cap it at 3 EUR and add 1 EUR.") == (
        f"{fee}: ((9 EUR minus 5 EUR), but at most 3 EUR) plus 1 EUR."
    )


@pytest.mark.parametrize(
    ("new", "is_same"),
    [
        ("2 capital letters, followed by 5 digits", True),
        ("2 capital letters and then 5 digits", True),
        ("5 capital letters, followed by 2 digits", False),
        ("5 digits, followed by 2 capital letters", False),
    ],
)
def test_the_parts_of_a_form_keep_their_order(new: str, *, is_same: bool) -> None:
    brief = _BRIEF.read_text(encoding="utf-8").replace('"H[0-9]{5}"', '"[A-Z]{2}[0-9]{5}"')
    model = read_brief(brief, "brief").model
    lines = [
        replace(line, text=line.text.replace("2 capital letters, then 5 digits", new))
        for line in render_sop(model, "", (), 1).lines
    ]

    assert any(new in line.text for line in lines)
    assert has_errors(read_back_findings(model, lines)) != is_same
