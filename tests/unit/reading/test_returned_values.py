"""What calls return: in words whose names the data dictionary has, else by these names."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.rendering.sop.sop import render_sop
from tests.conftest import BRIEFS
from tests.worlds.edited_sops import list_edit_errors
from tests.worlds.small_models import claims, parcel

TEXT = (BRIEFS.parent / "tests/briefs/tool_hire.yaml").read_text(encoding="utf-8")
HIRE = read_brief(TEXT, "tool_hire.yaml").model
MANUAL = render_sop(HIRE, "").lines
INSTRUCTION = render_sop(HIRE, "", form="instruction").lines
BOOKED = "It returns the booking number."
TAKEN = "hire_no, balance, check and fee"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (BOOKED, "This returns the booking number."),
        (
            f"Call book with {TAKEN}. {BOOKED}",
            f"Call the tool book with {TAKEN}, which returns the booking number.",
        ),
        (BOOKED, "It returns booking (booking number)."),
    ],
)
def test_other_words_for_what_a_call_returns_are_read(old: str, new: str) -> None:
    assert list_edit_errors(HIRE, MANUAL, (old, new)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (BOOKED, "It returns the type of tool."),
        (BOOKED, "It returns the booking."),
        (BOOKED, "It returns the booking number and the booking number."),
        (BOOKED, "It returns no booking number."),
        ("the wear of the tool;", "the deposit of the hire;"),
    ],
)
def test_another_value_than_the_call_returns_is_found(old: str, new: str) -> None:
    assert list_edit_errors(HIRE, MANUAL, (old, new))


def test_a_value_that_a_step_names_by_its_label_needs_a_line_in_the_dictionary() -> None:
    defined = next(line for line in MANUAL if line.text.startswith("deposit (deposit of the hire)"))

    without = [line for line in MANUAL if line is not defined]

    (error,) = list_edit_errors(HIRE, without)
    assert "deposit" in error


@pytest.mark.parametrize(
    ("old", "new", "other"),
    [
        (
            'note (day of the reminder, or "no reminder").',
            'note (day of the reminder; "no reminder" if there is none).',
            'note (day of the reminder; "no day" if there is none).',
        ),
        (
            "deposit (deposit of the hire, in EUR);",
            "deposit (in EUR);",
            "deposit (deposit of the hire, in USD);",
        ),
    ],
)
def test_without_a_dictionary_steps_name_units_and_missing_values(
    old: str, new: str, other: str
) -> None:
    assert list_edit_errors(HIRE, INSTRUCTION, (old, new)) == []
    assert list_edit_errors(HIRE, INSTRUCTION, (old, other))


def test_labels_with_joints_of_their_own_stand_one_below_the_other() -> None:
    model = parcel(("service: {role", "service: {label: speed and care, role"))
    texts = [line.text for line in render_sop(model, "").lines]
    place = texts.index("Call findParcel with parcel_id, sent_on and fragile. It returns:")

    assert texts[place + 1 : place + 3] == ["the speed and care;", "the due date."]
    assert list(read_back_findings(model, render_sop(model, "").lines)) == []


PAID = 'each entry has paid (in USD; a number with 2 decimal places) and was_late ("yes" or "no")'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"; {PAID}", ""),
        ("each entry has paid (in USD;", "every entry has paid (in EUR;"),
        ('; "no earlier claim" if there is none, "file not found" if it is missing', ""),
        (', "file not found" if it is missing', ""),
        ("days_taken (working days taken)", "days_taken"),
    ],
)
def test_what_the_dictionary_alone_says_is_not_left_out(old: str, new: str) -> None:
    lines = render_sop(claims(), "").lines

    assert any(old in line.text for line in lines), [line.text for line in lines]
    assert list_edit_errors(claims(), lines, (old, new))
