"""What is said of the entries of lists, of two labels and of what is missing, each with faults."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.rendering.sop.sop import render_sop
from tests.conftest import BRIEFS
from tests.worlds.edited_sops import list_edit_errors

TEXT = (BRIEFS.parent / "tests/worlds/said_of_entries.yaml").read_text(encoding="utf-8")
BRIEF = read_brief(TEXT, "said_of_entries.yaml")
MODEL = BRIEF.model
LINES = render_sop(MODEL, "", (), None, control=BRIEF.parts.document).lines
NEAREST = "the smallest journey time of the engineers on duty for which all of the following apply"
ABLE = "the number of engineers on duty for which all of the following apply"
SEEN = 'the discovery day of a fault found of the kind "Leak"'
AGE = (
    f"the smallest number of days from {SEEN} to the day of the report, or 90 days if there is"
    " none, but at least 0 days."
)
MIRRORED = AGE.replace(f"{SEEN} to the day of the report", f"the day of the report to {SEEN}")
FEE = "given) and (twice the shortest journey), but at least 20 EUR."
CRACK = 'there is a fault found of the kind "Crack"'
DEEP = "any fault found has a depth of at least 5 mm"
TRACK = 'Set the track to "fast" if any of the following applies, and otherwise to "normal":'
REBATE = "the fee multiplied by the rate of the rebate, rounded to 2 decimal places."
REST = "(rest), in EUR: fee \N{MINUS SIGN} advance payment \N{MINUS SIGN} rebate."
LESS = "(rest), in EUR: the fee less the advance payment and the rebate."
DUE = "Work out the due date (due_on): 7 days after the day of the report."
LATEST = "the due date is no later than 90 days after the last inspection"
SOON = "the due date is no later than 9 days after the last inspection"
MISSING = "any paper is missing"
POINTS = "Work out the points. Add up all that apply; if none applies, it is zero:"
ADDED = (
    "Work out the points by adding up all of the following that apply; if none of them applies, the"
    " number is zero:"
)
SHEET = '"gas sheet" if there is a fault found for which any of the following applies:'


def find_errors(old: str, new: str) -> list[str]:
    return list_edit_errors(MODEL, LINES, (old, new))


@pytest.mark.parametrize(
    "said",
    [
        f"{NEAREST}, or 999 minutes if there is none:",
        f"{ABLE}:",
        AGE,
        FEE,
        f"3 points if {CRACK}.",
        f"2 points if {DEEP}.",
        '1 point if the means of transport is "Bicycle".',
        "1 point if there is more than one fault found.",
        TRACK,
        SHEET,
        "otherwise: 0 EUR.",
        "the fee exceeds the cost limit of the tenant;",
        "Work out the total depth, in mm: the total depth of the faults found.",
        'callout_no: callout number; form: "C", then 5 digits.',
        'a number with 2 decimal places, or "no limit named".',
        'last_seen (last inspection): day of the last inspection; a date, or "never inspected".',
    ],
)
def test_it_is_said_so(said: str) -> None:
    assert [line.text for line in LINES if said in line.text]


def test_all_of_it_is_read_back() -> None:
    assert list(read_back_findings(MODEL, LINES)) == []


def test_a_day_is_counted_by_its_number() -> None:
    lines = [replace(line, text=line.text.replace(LATEST, SOON)) for line in LINES]
    model = read_brief(TEXT.replace("last_seen, 90", "last_seen, 9"), "said_of_entries.yaml").model

    assert list_edit_errors(model, lines, (SOON, SOON)) == []
    for said in ("falls on or before the ninth day after", "is on or before the ninth day after"):
        new = SOON.replace("is no later than 9 days after", said)
        assert list_edit_errors(model, lines, (SOON, new)) == []
        for other in (
            new.replace("ninth", "eighth"),
            new.replace("or before", "or after"),
            new.replace("day after", "day before"),
            new.replace("day after", "working day after"),
        ):
            assert list_edit_errors(model, lines, (SOON, other)), other


def test_words_of_a_sum_stay_together_where_they_have_a_default_of_their_own() -> None:
    visits = (
        "        visits: {role: input, type: integer, min: 0, max: 3, missing: not counted,"
        " missing_share: 20, description: visits so far}\n"
    )
    counted = 'value: "count(e for e in engineers if e.free'
    summed = 'value: "sum(visits if present(visits) else 1 for e in engineers if e.free'
    text = TEXT.replace("        nearest: {label", f"{visits}        nearest: {{label", 1)
    text = text.replace(counted, summed).replace(
        "min: 0, max: 3, description: engineers", "min: 0, max: 9, description: engineers"
    )
    model = read_brief(text, "said_of_entries.yaml").model
    lines = render_sop(model, "", (), None, control=BRIEF.parts.document).lines

    (said,) = [line.text for line in lines if "(able): the sum of" in line.text]
    assert said.endswith("for all engineers on duty for which all of the following apply:")
    assert list(read_back_findings(model, lines)) == []


def test_a_condition_that_only_says_its_name_is_not_defined() -> None:
    said = [line.text for line in LINES if "exceeds the cost limit" in line.text]

    assert said == ["the fee exceeds the cost limit of the tenant;"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (CRACK, 'there is a fault found whose kind of fault is "Crack"'),
        (CRACK, 'any fault found has the kind of fault "Crack"'),
        (CRACK, 'at least one fault found has the kind of fault "Crack"'),
        (MISSING, "one or more papers are missing"),
        (MISSING, "any papers are still missing"),
        (REBATE, REBATE.replace("fee multiplied by the rate", "product of the fee and the rate")),
        (REST, LESS),
        (DUE, "Work out the due date (due_on) by adding 7 days to the day of the report."),
        (POINTS, ADDED),
        (CRACK, CRACK.replace("a fault", "at least one fault")),
        (CRACK, 'the kind of fault of any fault found is "Crack"'),
        (REBATE, REBATE.replace("rebate", "rebate (in percent)")),
        (REBATE, REBATE.replace("multiplied by", "times")),
        (DEEP, DEEP.replace("any", "at least one")),
        (DEEP, "there is a fault found with a depth of at least 5 mm"),
        ("more than one fault found", "more than 1 fault found"),
        (FEE, "given) and (twice the shortest journey), and never less than 20 EUR."),
        (', or "no limit named".', '; "no limit named" if there is none.'),
        ('form: "C", then 5 digits.', 'well formed only as "C", then 5 digits.'),
        (', or "never inspected".', '; "never inspected" if there is none.'),
    ],
)
def test_other_words_of_one_meaning_are_read(old: str, new: str) -> None:
    assert [line for line in LINES if old in line.text], old
    assert find_errors(old, new) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (NEAREST, NEAREST.replace("smallest", "largest")),
        (NEAREST, NEAREST.replace("all of the following apply", "any of the following applies")),
        ("or 999 minutes if", "or 99 minutes if"),
        ("or 999 minutes if", "or 999 days if"),
        ("the entry's state is", "the entry's state is not"),
        (ABLE, ABLE.replace("number of", "total journey time of the")),
        (AGE, AGE.replace("smallest", "largest")),
        (AGE, AGE.replace('"Leak"', '"Crack"')),
        (AGE, AGE.replace('of the kind "Leak"', 'whose kind of fault is not "Leak"')),
        (AGE, AGE.replace("90 days", "90 working days")),
        (AGE, AGE.replace("number of days", "number of working days")),
        (AGE, AGE.replace(", but at least 0 days", "")),
        (AGE, AGE.replace("but at least", "but at most")),
        (AGE, MIRRORED),
        (FEE, FEE.replace("at least 20", "at least 30")),
        (FEE, FEE.replace("but at least", "but at most")),
        ("the smaller of (the cost", "the larger of (the cost"),
        (CRACK, CRACK.replace('"Crack"', '"Leak"')),
        (CRACK, CRACK.replace("is a", "is no")),
        (CRACK, 'any fault found has the kind of fault "Leak"'),
        (CRACK, 'no fault found has the kind of fault "Crack"'),
        (CRACK, 'any fault found has the kind of fault "Crack" or "Leak"'),
        (MISSING, "no papers are missing"),
        (MISSING, "two or more papers are missing"),
        (REBATE, REBATE.replace("fee multiplied by the rate", "sum of the fee and the rate")),
        (REBATE, REBATE.replace("fee multiplied by", "product of the advance payment and")),
        (REST, LESS.replace("and the rebate", "plus the rebate")),
        (REST, LESS.replace("fee less the advance payment", "advance payment less the fee")),
        (DUE, "Work out the due date (due_on) by adding 8 days to the day of the report."),
        (DUE, "Work out the due date (due_on) by adding 7 working days to the day of the report."),
        (LATEST, LATEST.replace("no later", "no earlier")),
        (POINTS, ADDED.replace("is zero", "is 1")),
        (CRACK, 'no fault found has "Crack" as its kind of fault'),
        (DEEP, DEEP.replace("at least 5", "more than 5")),
        (DEEP, DEEP.replace("at least 5 mm", "at least 6 mm")),
        (DEEP, DEEP.replace("5 mm", "5 cm")),
        (DEEP, DEEP.replace("any", "no")),
        (DEEP, DEEP.replace("any", "every")),
        (CRACK, 'every fault found has the kind of fault "Crack"'),
        ("more than one fault found", "more than 2 faults found"),
        ("more than one fault found", "at least one fault found"),
        (TRACK, TRACK.replace("any of the following applies", "all of the following apply")),
        (TRACK, TRACK.replace('"fast"', '"slow"').replace('"normal"', '"fast"')),
        ('"fast" if any', '"normal" if any'),
        ("the points are at least 5;", "the points are more than 5;"),
        (SHEET, SHEET.replace("there is a", "there is no")),
        (SHEET, SHEET.replace("any of the following applies", "all of the following apply")),
        ("the fault cannot wait;", "the fault can wait;"),
        ("otherwise: 0 EUR.", "otherwise: 10 EUR."),
        ("the fee exceeds the cost", "the fee is at least the cost"),
        (', or "no limit named".', ', or "no limit".'),
        (', or "no limit named".', "."),
        (', or "never inspected".', ', or "inspected".'),
    ],
)
def test_a_fault_in_it_is_found(old: str, new: str) -> None:
    assert [line for line in LINES if old in line.text], old
    assert find_errors(old, new)


@pytest.mark.parametrize("form", ['"D", then 5 digits', '"C", then 6 digits', '"C", then 5 dots'])
def test_another_form_of_an_entry_is_found(form: str) -> None:
    assert find_errors('"C", then 5 digits', form)
