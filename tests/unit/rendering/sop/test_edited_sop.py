"""A text that a person edited keeps the trace of the lines that are still there."""

from __future__ import annotations

from sopforge.rendering.sop.document import Line, SopDocument, Style
from sopforge.rendering.sop.edited_sop import with_text

AIM = Line(Style.PARAGRAPH, "Let parcels go without delay.", excused="draft")
RULE = Line(Style.PARAGRAPH, "A parcel of more than 5 kg is held.", states=("policy limit",))
DOCUMENT = SopDocument((Line(Style.TITLE, "Parcels"), AIM, RULE))


def traced(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    lines = with_text(DOCUMENT, text).lines[1:]
    return [(line.text, line.excused, line.states) for line in lines]


def edited(*lines: str) -> list[tuple[str, str, tuple[str, ...]]]:
    return traced("\n".join(["Parcels", "", *lines]) + "\n")


def test_a_line_that_was_reworded_states_what_it_did() -> None:
    assert edited(AIM.text, "Parcels of more than 5 kg are held.") == [
        (AIM.text, "draft", ()),
        ("Parcels of more than 5 kg are held.", "", ("policy limit",)),
    ]


def test_a_line_put_before_reworded_ones_takes_nobodys_trace() -> None:
    assert edited("Be kind to all.", "Let all parcels go without delay.", RULE.text + " ") == [
        ("Be kind to all.", "", ()),
        ("Let all parcels go without delay.", "draft", ()),
        (RULE.text, "", ("policy limit",)),
    ]


def test_of_lines_that_became_fewer_each_has_the_trace_of_its_own() -> None:
    assert edited("Parcels of more than 5 kg are held.") == [
        ("Parcels of more than 5 kg are held.", "", ("policy limit",)),
    ]


def test_blanks_at_the_end_of_a_line_are_no_change() -> None:
    assert edited(AIM.text + "  ", RULE.text) == edited(AIM.text, RULE.text)
