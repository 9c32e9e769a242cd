"""The meaning of a constant stands in each step in which the constant rules."""

from __future__ import annotations

from dataclasses import replace

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.rendering.sop.document import Style
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import parcel

MODEL = parcel()
LINES = render_sop(MODEL, "").lines
OPENING = "Limits and amounts here: "
NOTES = [line for line in LINES if line.text.startswith(OPENING)]


def test_each_constant_is_explained_where_it_rules() -> None:
    texts = [line.text for line in NOTES]

    assert f"{OPENING}days after the due date that are forgiven." in texts
    stated = {name for line in NOTES for name in line.states}
    assert stated == {f"policy {name}" for name in MODEL.policy}


def test_the_meanings_end_the_step() -> None:
    for place, line in enumerate(LINES):
        if line in NOTES and place + 1 < len(LINES):
            assert LINES[place + 1].style in {Style.STEP, Style.SECTION}


def test_a_figure_beside_a_meaning_is_found() -> None:
    lines = [
        replace(line, text=line.text.replace("days after", "4 days after"))
        if line in NOTES
        else line
        for line in LINES
    ]

    assert [finding.id for finding in read_back_findings(MODEL, lines)] == ["sop-not-read"]


def test_no_amount_is_said_twice() -> None:
    assert not [line for line in NOTES if any(letter.isdigit() for letter in line.text)]
