from __future__ import annotations

import json
from itertools import pairwise

import pytest

from sopforge.artifacts.rendering.sop.alignment import attach_terms
from sopforge.artifacts.rendering.sop.document import ITEM, SopDocument, Statement, Style, read_sop
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.errors import StoreError
from sopforge.language.domain.documents.schema import ControlDocument
from tests.worlds.small_models import parcel

MODEL = parcel()


def lines_of(draft: str = "", context: tuple[str, ...] = ()) -> list[str]:
    return render_sop(MODEL, draft, context).as_text().splitlines()


def read_again(document: SopDocument) -> SopDocument:
    """Return a document as it is read from its text and trace, with the terms of what it says."""
    return attach_terms(document, read_sop(document.as_text(), document.as_trace()))


def test_the_draft_comes_first_in_the_words_of_the_expert() -> None:
    draft = "# Aim\n\nLet parcels go\nwithout delay.\n\n# Words\n\n- **Depot**: where parcels wait."

    assert lines_of(draft)[2:8] == [
        "1. Aim",
        "Let parcels go without delay.",
        "",
        "2. Words",
        "- Depot: where parcels wait.",
        "",
    ]


def test_context_is_distinguished_from_the_procedure() -> None:
    document = render_sop(MODEL, "", ("The depot moved in\n1998.",))

    (line,) = [line for line in document.lines if "1998" in line.text]
    assert line == Statement(Style.BULLET, "The depot moved in 1998.", (), "tangential")


def test_each_line_names_what_it_states() -> None:
    stated = [name for line in render_sop(MODEL, "").lines for name in line.states]

    assert {
        *("rule care.C1", "rule care.C2", "edge look.1", "edge look.2", "edge price.1"),
        *("tool findParcel", "tool priceParcel", "tool releaseParcel"),
        *("guard releaseParcel.G1", "guard releaseParcel.G2"),
        *("decision surcharge", "decision service_points", "outcome care", "outcome release"),
        *("end done.release", "end hold.release", "policy free_weight", "policy grace"),
        *("field parcel_id", "field weight", "step look", "step hold"),
    } <= set(stated)


def test_a_document_is_read_as_it_was_written() -> None:
    document = render_sop(MODEL, "# Aim\n\nLet parcels go.\n\n- One.\n- Two.", ("A note.",))

    assert read_again(document) == document


def test_line_breaks_in_the_brief_do_not_break_the_trace() -> None:
    model = parcel(
        ("business_task: Decide whether", "business_task: |\n  Decide\n  whether"),
        (
            "        title: Price\n",
            "        title: Price\n        instruction: |\n          Ask\n          once.\n",
        ),
    )
    document = render_sop(model, "")

    assert read_again(document) == document
    assert "Ask once." in document.as_text().splitlines()


def test_spans_cover_the_text_without_gaps() -> None:
    document = render_sop(MODEL, "")
    text = document.as_text()

    spans = json.loads(document.as_trace())["spans"]

    assert spans[0]["start"] == 0
    assert spans[-1]["end"] == len(text)
    assert all(left["end"] == right["start"] for left, right in pairwise(spans))
    late = next(span for span in spans if span["states"][:1] == ["edge look.1"])
    assert text[late["start"] : late["end"]] == (
        "If the day of dispatch is more than 3 days after the due date, go to step 6.5 (Hold).\n"
    )


def test_a_trace_that_does_not_fit_the_text_is_refused() -> None:
    document = render_sop(MODEL, "")

    with pytest.raises(StoreError, match="the trace does not fit the text"):
        read_sop(document.as_text() + "One more line.\n", document.as_trace())


def test_markdown_has_headings_and_the_same_words() -> None:
    document = SopDocument(
        (
            Statement(Style.TITLE, "Title"),
            Statement(Style.SECTION, "1. Part"),
            Statement(Style.STEP, "1.1 Step"),
            Statement(Style.PARAGRAPH, "Words."),
            Statement(Style.BULLET, "One"),
            Statement(Style.BULLET, "Two"),
        )
    )

    assert document.as_markdown() == (
        "# Title\n\n\n## 1. Part\n\n\n### 1.1 Step\n\nWords.\n\n- One\n- Two\n"
    )


def test_a_table_is_one_in_markdown_too() -> None:
    document = SopDocument(
        (
            Statement(Style.BULLET, "The points, by service:"),
            Statement(Style.ROW, "| service | points |"),
            Statement(Style.ROW, '| "Express" | 2 |'),
            Statement(Style.BULLET, f"If all of the following apply, wait:{ITEM}it rains."),
            Statement(Style.PARAGRAPH, "Go on."),
        )
    )

    assert document.as_markdown() == (
        "- The points, by service:\n\n| service | points |\n| --- | --- |\n"
        '| "Express" | 2 |\n\n- If all of the following apply, wait:\n  - it rains.\n\nGo on.\n\n'
    )
    assert read_sop(document.as_text(), document.as_trace()) == document


def test_the_definitions_of_a_draft_stay_as_they_are() -> None:
    lines = lines_of("# Definitions\n\n- **Due date**: the day of the promise.")

    assert lines[2:5] == ["1. Definitions", "- Due date: the day of the promise.", ""]


HANDED = parcel(
    ("end: {release: held}", "end: {release: held}, hand_to: shift lead"),
)


def test_an_end_hands_the_case_to_a_role_that_escalation_and_roles_name() -> None:
    document = render_sop(HANDED, "")
    lines = document.as_text().splitlines()

    assert ('Record the release as "held" and hand the case over to the shift lead.') in lines
    assert "The shift lead takes over at step 6.5 (Hold) and decides how to proceed." in lines
    assert any("or hands it over; state its results" in line for line in lines)
    assert not any("hands it over" in line for line in lines_of())
    assert "- The shift lead takes over the cases listed in section 9 (Escalation)." in lines


def test_a_role_that_the_draft_names_is_not_named_again() -> None:
    draft = "# Roles\n\n- The Shift lead decides.\n\n# escalation\n\nBe brief."
    lines = render_sop(HANDED, draft).as_text().splitlines()

    assert lines[2:9] == [
        "1. Roles",
        "- The Shift lead decides.",
        (
            "- The person responsible for this procedure takes over any case in which a step"
            " cannot be carried out, as set out in section 2 (escalation)."
        ),
        "",
        "2. escalation",
        "Be brief.",
        "The shift lead takes over at step 6.5 (Hold) and decides how to proceed.",
    ]


def test_several_roles_that_take_cases_over_are_listed() -> None:
    model = parcel(
        ("end: {release: released}", "end: {release: released}, hand_to: driver"),
        ("end: {release: held}", "end: {release: held}, hand_to: shift lead"),
    )
    document = render_sop(model, "")
    lines = document.as_text().splitlines()

    place = lines.index("Cases are handed over as follows:")
    assert lines[place + 1 : place + 3] == [
        "- The driver takes over at step 6.4 (Done).",
        "- The shift lead takes over at step 6.5 (Hold).",
    ]


def test_the_head_and_the_retention_say_what_the_brief_says_of_the_document() -> None:
    control = ControlDocument(
        number="SOP-7, edition 3",
        owner="depot manager",
        effective_on="2026-03-01",
        retention="5 years",
    )
    document = render_sop(MODEL, "", control=control)
    lines = document.as_text().splitlines()

    assert lines[1:3] == [
        "| Document number | Owner | Effective from |",
        "| SOP-7, edition 3 | depot manager | 2026-03-01 |",
    ]
    assert "Keep case records for 5 years." in lines
    assert (
        "- The depot manager is responsible for this procedure and takes over any case in which a"
        " step cannot be carried out, as set out in section 9 (Escalation)."
    ) in lines
    assert any("pass it to the depot manager with your findings" in line for line in lines)


def test_lists_and_tables_of_the_draft_stay_what_they_are() -> None:
    table = "| kind | fee |\n| --- | --- |\n| Glass | low |"
    draft = f"# Fees\n\n1. Weigh it.\n2. Pay.\n\n{table}\n\n* Ask."
    document = render_sop(MODEL, draft)

    assert document.as_text().splitlines()[2:8] == [
        "1. Fees",
        "1. Weigh it.",
        "2. Pay.",
        "| kind | fee |",
        "| Glass | low |",
        "- Ask.",
    ]


def test_a_draft_keeps_its_exceptions_and_gets_those_of_the_tools() -> None:
    document = render_sop(MODEL, "# Exceptions\n\nAsk the depot.\n\n# Records\n\nKeep the slip.")
    lines = document.as_text().splitlines()

    place = lines.index("1. Exceptions")
    assert lines[place + 1] == "Ask the depot."
    assert lines[place + 2].startswith("When a tool refuses a call")
    assert [line for line in lines if line.endswith(("Exceptions", "Records"))] == [
        "1. Exceptions",
        "2. Records",
    ]
