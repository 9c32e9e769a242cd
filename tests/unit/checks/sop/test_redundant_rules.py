"""Rules that are marked as redundant: whichever decides something is reported."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.model import DomainModel
from sopforge.findings import Finding
from sopforge.rendering.sop.added.redundant_rules import REDUNDANT
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import claims, judged, observed, parcel

# From 30 good, from 10 fair, else bad.
AGES = judged(
    {"age": observed(0, 50), "size": observed(0, 9)},
    {"R1": ("age >= 30", "good"), "R2": ("age >= 10", "fair")},
)


def put_in(model: DomainModel, text: str, after: str, style: Style = Style.BULLET) -> list[Line]:
    """Return the SOP with a redundant rule after the line that states an item."""
    lines = list(render_sop(model, "").lines)
    (place,) = [n for n, line in enumerate(lines) if line.states[:1] == (after,)]
    lines.insert(place + 1, Line(style, text, excused=REDUNDANT))
    return lines


def find(model: DomainModel, lines: Sequence[Line]) -> list[Finding]:
    return list(read_back_findings(model, lines))


@pytest.mark.parametrize(
    ("text", "after"),
    [
        pytest.param('"fair" if the age is at least 40.', "rule result.R1", id="taken"),
        pytest.param('"bad" if the age is at least 40.', "rule result.R2", id="taken, further on"),
        pytest.param('"fair" if the age is at least 20.', "rule result.R1", id="same result"),
        pytest.param(
            '"bad" if the age is at least 30 and the size is more than 2.',
            "rule result.R1",
            id="with a further fact",
        ),
        pytest.param('"bad" if the age is less than 5.', "rule result.R2", id="as all others"),
        pytest.param('"good" if the age is less than 0.', "rule result.R2", id="in no case"),
    ],
)
def test_a_rule_that_changes_nothing_is_accepted(text: str, after: str) -> None:
    assert find(AGES, put_in(AGES, text, after)) == []


@pytest.mark.parametrize(
    ("text", "after", "case"),
    [
        pytest.param('"bad" if the age is at least 29.', "rule result.R1", "age = 29", id="limit"),
        pytest.param('"bad" if the age is more than 9.', "rule result.R1", "age = 10", id="place"),
        pytest.param('"good" if the age is at most 5.', "rule result.R2", "age = 0", id="label"),
        pytest.param(
            '"bad" if the age is at least 10 or the size is more than 8.',
            "rule result.R1",
            "age = 10",
            id="or for and",
        ),
        pytest.param('"bad" if the age is not 40.', "rule result.R1", "age = 10", id="denial"),
    ],
)
def test_a_rule_that_decides_a_case_is_reported_with_it(text: str, after: str, case: str) -> None:
    (found,) = find(AGES, put_in(AGES, text, after))

    assert found.id == "sop-not-marked"
    assert "changes a decision" in found.message
    assert case in found.evidence


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Keep the desk free of papers.", id="no rule"),
        pytest.param('"bad" if the moon is full.', id="not understood"),
        pytest.param('"bad" in all other cases.', id="all cases"),
    ],
)
def test_what_is_no_rule_with_a_condition_is_reported(text: str) -> None:
    found = find(AGES, put_in(AGES, text, "rule result.R2"))

    assert {item.id for item in found} == {"sop-not-marked"}


# At least 30, of size 7 or of weight 60 good, else bad.
TALL = judged(
    {"age": observed(0, 50), "size": observed(0, 9), "weight": observed(0, 90)},
    {"R1": ("age >= 30 or size >= 7 or weight >= 60", "good")},
)


@pytest.mark.parametrize(
    ("text", "case"),
    [
        pytest.param("the age is at least 30 and the size is at least 2;", "", id="further fact"),
        pytest.param("the weight is at least 70;", "", id="stricter"),
        pytest.param("the size is at least 6;", "size = 6", id="limit"),
        pytest.param("the age is at least 20 and the size is at least 2;", "age = 20", id="fact"),
        pytest.param("the weight is at most 60;", "weight = ", id="comparison"),
    ],
)
def test_an_alternative_is_proved_as_a_rule_is(text: str, case: str) -> None:
    lines = list(render_sop(TALL, "").lines)
    place = next(n for n, line in enumerate(lines) if line.style is Style.NESTED)
    lines.insert(place, Line(Style.NESTED, text, excused=REDUNDANT))

    found = find(TALL, lines)

    assert [item.id for item in found] == (["sop-not-marked"] if case else [])
    assert all(case in item.evidence for item in found)


@pytest.mark.parametrize("style", [Style.STEP, Style.SECTION, Style.NESTED, Style.ROW])
def test_a_line_of_another_kind_is_reported(style: Style) -> None:
    lines = put_in(AGES, "6.9 Another step", "rule result.R2", style)

    assert "sop-not-marked" in {item.id for item in find(AGES, lines)}


def test_a_rule_among_those_that_are_collected_is_reported() -> None:
    model = claims()
    further = "5 points if the dearest line is more than the limit of a line."

    found = find(model, put_in(model, further, "rule risk.K2"))

    assert [item.id for item in found] == ["sop-not-marked"]


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        pytest.param("the day of dispatch is more than 9 days after the due date", [], id="limit"),
        pytest.param(
            'the day of dispatch is more than 3 days after the due date and the fragile is "yes"',
            [],
            id="further fact",
        ),
        pytest.param(
            "the day of dispatch is more than 2 days after the due date",
            ["sop-not-marked"],
            id="one day more",
        ),
        pytest.param('the fragile is "yes"', ["sop-not-marked"], id="another fact"),
    ],
)
def test_a_transition_is_proved_as_a_rule_is(condition: str, ids: list[str]) -> None:
    model = parcel()
    text = f"If {condition}, go to step 6.3 (Let it go)."
    (edge,) = [
        line.states[0]
        for line in render_sop(model, "").lines
        if line.text.startswith("If the day of dispatch")
    ]

    found = find(model, put_in(model, text, edge, Style.PARAGRAPH))

    assert [item.id for item in found] == ids


@pytest.mark.parametrize(
    ("days", "step", "ids"),
    [
        pytest.param(5, "price", [], id="a late one"),
        pytest.param(3, "let_go", [], id="the same limit, further on"),
        pytest.param(2, "price", ["sop-not-marked"], id="one that comes there"),
    ],
)
def test_a_transition_for_cases_that_left_earlier_is_accepted(
    days: int, step: str, ids: list[str]
) -> None:
    # Parcels that are sent more than three days late are held at the first step.
    model = parcel()
    text = f"If the day of dispatch is more than {days} days after the due date, go to step 6.5"
    lines = list(render_sop(model, "").lines)
    headings = [n for n, line in enumerate(lines) if line.style is Style.STEP]
    place = next(n for n in headings if lines[n].states == (f"step {step}",))
    lines.insert(place + 2, Line(Style.PARAGRAPH, f"{text} (Hold).", excused=REDUNDANT))

    assert [item.id for item in find(model, lines)] == ids


def test_a_rule_after_that_of_all_other_cases_is_reported() -> None:
    lines = put_in(AGES, '"good" if the age is at least 5.', "rule result.REST")

    assert {item.id for item in find(AGES, lines)} == {"sop-not-marked"}
