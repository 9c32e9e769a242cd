"""What is said of a difference: both sides in words, and a case that shows it."""

from __future__ import annotations

from dataclasses import replace

from sopforge.checks.sop.sop_comparison import compare_values
from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import condition, parcel

MODEL = parcel()


def test_both_sides_are_put_in_words_without_what_goes_without_saying() -> None:
    stated = condition(MODEL, "present(due_on) and due_on < sent_on")
    known = condition(MODEL, "present(due_on) and due_on <= sent_on")

    found = compare_values(MODEL, stated, known)

    assert found is not None
    assert (found.stated, found.known) == (
        "the due date is before the day of dispatch",
        "the due date is on or before the day of dispatch",
    )
    assert found.evidence.startswith(
        f"the text: {found.stated}; the model: {found.known}; a case: "
    )


def test_a_test_that_stands_before_the_rule_makes_no_difference() -> None:
    stated = condition(MODEL, "due_on < sent_on")
    known = condition(MODEL, "present(due_on) and due_on < sent_on")

    assert compare_values(MODEL, stated, known) is None


def test_a_finding_shows_what_the_text_says_and_what_the_model() -> None:
    lines = tuple(
        replace(line, text=line.text.replace("more than 3 days after", "at least 3 days after"))
        for line in render_sop(MODEL, "").lines
    )

    (finding,) = read_back_findings(MODEL, lines)

    assert finding.id == "sop-reads-differently"
    assert "the text: the day of dispatch is at least 3 days after the due date" in finding.evidence
    assert "the model: the day of dispatch is more than 3 days after the due" in finding.evidence
    assert "; a case: " in finding.evidence
