"""The meaning of a constant stands in each step in which the constant rules."""

from __future__ import annotations

from dataclasses import replace

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.complexity.operators import indirect_thresholds
from sopforge.complexity.variant import Variant
from sopforge.rendering.sop.added.indirect_limits import is_limit_entry
from sopforge.rendering.sop.document import SopDocument, Style
from sopforge.rendering.sop.meanings import drop_meanings
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import parcel

MODEL = parcel()
LINES = render_sop(MODEL, "").lines
OPENING = "Limits and amounts: "
NOTES = [line for line in LINES if line.text.startswith(OPENING)]


def test_each_constant_is_explained_where_it_rules() -> None:
    texts = [line.text for line in NOTES]

    assert f"{OPENING}3 days (days after the due date that are forgiven)." in texts
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


def test_a_text_can_do_without_them() -> None:
    text = SopDocument(LINES).as_text()

    assert OPENING in text
    assert drop_meanings(text).split("\n") == [
        line for line in text.split("\n") if OPENING not in line
    ]


def test_a_limit_that_stands_in_an_annex_is_not_explained_by_its_figure() -> None:
    plain = Variant(MODEL, SopDocument(LINES))

    changed = indirect_thresholds.OPERATOR.apply(plain, 1, 7).sop.lines

    (entry,) = [line.text for line in changed if is_limit_entry(line.text)]
    meaning = entry.split(" | ")[1]
    assert any(meaning in line.text for line in NOTES)
    assert not [line for line in changed if line.text.startswith(OPENING) and meaning in line.text]


def test_a_wrong_amount_is_found() -> None:
    lines = [replace(line, text=line.text.replace("3 days (", "4 days (")) for line in LINES]

    assert lines != list(LINES)
    assert [finding.id for finding in read_back_findings(MODEL, lines)] == ["sop-not-read"]
