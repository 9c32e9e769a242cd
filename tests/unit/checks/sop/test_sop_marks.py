from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_marks import (
    check_control_lines,
    check_draft_passages,
    check_sop_marks,
    find_unused_terms,
)
from sopforge.domain.documents.schema import ControlDocument
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import parcel

MODEL = parcel()


def ids(*lines: Line) -> list[str]:
    return [item.id for item in check_sop_marks(MODEL, lines)]


def aside(text: str, excused: str = "tangential") -> Line:
    return Line(Style.PARAGRAPH, text, excused=excused)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('Staff like "careful" parcels.', id="label"),
        pytest.param("Where in doubt, go to step 6.5 (Hold).", id="step"),
        pytest.param("Ask findParcel twice.", id="tool"),
    ],
)
def test_a_tangential_passage_does_not_speak_as_a_rule_does(text: str) -> None:
    assert ids(aside(text)) == ["sop-not-marked"]
    assert ids(aside("Keep the desk free of papers.")) == []


def test_a_section_may_say_that_it_changes_no_rule() -> None:
    lines = render_sop(MODEL, "", ('The depot says "careful" a lot.',)).lines

    assert ids(*lines) == []
    assert ids(*(line for line in lines if "information only" not in line.text)) == [
        "sop-not-marked"
    ]


def test_a_superseded_passage_says_so() -> None:
    assert ids(aside("The limit was 4 kg.", "superseded")) == ["sop-not-marked"]
    assert ids(aside("The limit was 4 kg; this is superseded.", "superseded")) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Write <final_decision>held</final_decision>.", id="tag"),
        pytest.param('Answer with {"release": "held"}.', id="object"),
        pytest.param('Final answer: "held"', id="plain answer"),
    ],
)
def test_a_sample_that_passes_for_an_answer_is_reported(text: str) -> None:
    assert "sop-sample-answer" in ids(Line(Style.PARAGRAPH, text, excused="draft"))


def test_what_passes_for_the_draft_is_in_the_draft() -> None:
    draft = "# Aim\n\nLet **parcels** go\nwithout delay.\n\n- Soon."
    lines = render_sop(MODEL, draft).lines

    assert list(check_draft_passages(MODEL, lines, [draft])) == []
    (finding,) = check_draft_passages(MODEL, [*lines, aside("Hold all of 5 kg.", "draft")], [draft])
    assert finding.evidence == "Hold all of 5 kg."


@pytest.mark.parametrize(
    ("text", "more"),
    [
        pytest.param("Let parcels go without any delay.", "", id="other words"),
        pytest.param("Let 5 parcels go without delay.", "5", id="a number"),
        pytest.param("Parcels must go without delay.", "must", id="a duty"),
        pytest.param("Never let parcels go without delay.", "Never", id="a bound"),
        pytest.param("Let careful parcels go without delay.", "careful", id="a label"),
        pytest.param("Be kind to people on the phone.", "nothing there", id="something else"),
    ],
)
def test_prose_of_the_brief_that_was_worded_anew_says_no_more_than_it_did(
    text: str, more: str
) -> None:
    draft = (
        "# Aim\n\nLet **parcels** go\nwithout delay.\n\nThe depot is where all of them are kept."
    )

    found = list(check_draft_passages(MODEL, [aside(text, "draft")], [draft]))

    assert [item.id for item in found] == ["sop-not-marked"] * bool(more)
    assert all(more.lower() in item.message.lower() for item in found)


def test_what_the_text_says_of_itself_is_what_the_brief_says() -> None:
    control = ControlDocument(number="SOP-7", retention="5 years")
    lines = render_sop(MODEL, "", control=control).lines

    assert list(check_control_lines(lines, control)) == []
    other = control.model_copy(update={"retention": "6 years"})
    assert [item.id for item in check_control_lines(lines, other)] == [
        "sop-not-marked",
        "sop-not-stated",
    ]
    assert {item.id for item in check_control_lines(lines, ControlDocument())} == {"sop-not-marked"}


def test_a_term_that_only_its_definition_names_is_reported() -> None:
    draft = (
        "# Aim\n\nCategories count; the mood: calm.\n\n"
        "# Definitions\n\n- **Category (CAT)**: a kind.\n- **Depot and hall**: a hall.\n"
        "- A parcel waits."
    )
    lines = render_sop(MODEL, draft).lines

    (finding,) = find_unused_terms(lines)

    assert (finding.id, finding.evidence) == ("sop-term-unused", "Depot and hall: a hall.")
