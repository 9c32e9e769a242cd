"""The SOP as a document: its structure, what each passage states, and its marks."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from review.artifact import Artifact
from review.pages.parts.sop_reading import MARKS, build_blocks, count_marks, group_stated_items
from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style, read_sop
from sopforge.artifacts.rendering.sop.marks import make_own_paragraph
from sopforge.workspace import SOP_TEXT, SOP_TRACE
from tests.worlds.reviewed import page, page_text, with_files

LINES = (
    Statement(Style.TITLE, "Title"),
    Statement(Style.SECTION, "1. Look"),
    make_own_paragraph("Be kind & patient."),
    Statement(Style.BULLET, "Call.", ("rule eligibility.E1",)),
    Statement(Style.NESTED, "At once."),
    Statement(Style.ROW, "| a | b |"),
    Statement(Style.ROW, "| 1 | 2 |", ("rule eligibility.E2",)),
    Statement(Style.PARAGRAPH, "Void.", excused="superseded"),
)


@pytest.fixture
def sop(refunds: Mapping[str, Artifact]) -> Artifact:
    return refunds["sop"]


def with_lines(sop: Artifact, *lines: Statement) -> Artifact:
    document = SopDocument(lines)
    return with_files(sop, {SOP_TEXT: document.as_text(), SOP_TRACE: document.as_trace()})


def test_lines_become_headings_lists_and_tables() -> None:
    found = [
        (block.kind, block.level, [part.text for part in block.passages])
        for block in build_blocks(LINES, {})
    ]

    assert found == [
        ("heading", 2, ["Title"]),
        ("heading", 3, ["1. Look"]),
        ("paragraph", 0, ["Be kind & patient."]),
        ("list", 0, ["Call.", "At once."]),
        ("table", 0, ["| a | b |", "| 1 | 2 |"]),
        ("paragraph", 0, ["Void."]),
    ]
    assert [part.cells for part in build_blocks(LINES, {})[4].passages] == [("a", "b"), ("1", "2")]


def test_every_passage_is_on_the_page_word_for_word(sop: Artifact) -> None:
    lines = read_sop(sop.workspace.files[SOP_TEXT], sop.workspace.files[SOP_TRACE]).lines
    text = page(sop, {}).one("div", id="text").text

    for line in lines:
        if line.style is not Style.ROW:
            assert line.text in text


def test_each_rule_leads_to_the_passages_that_state_it(sop: Artifact) -> None:
    made = page(sop, {})
    listed = made.one("li", id="i-rule_eligibility.E1")
    aims = [link.attributes["href"].removeprefix("#") for link in listed.all("a")]
    stated = [
        part
        for part in made
        if "rule eligibility.E1" in part.attributes.get("data-items", "").split(";")
    ]

    assert aims == [part.attributes["id"] for part in stated]
    assert 'is "excluded" if the days since delivery are more than 30 and' in stated[0].text
    assert "#i-rule_eligibility.E1" in [link.attributes["href"] for link in stated[0].all("a")]
    assert 'eligibility of the order is "excluded" if' in listed.text


def test_a_rule_that_no_passage_states_is_reported(sop: Artifact) -> None:
    made = page(with_lines(sop, *LINES[:4]), {})

    assert made.one("div", kind="error").text == (
        'The SOP does not state:eligibility of the order is "eligible" in every other case'
    )


def test_own_words_and_superseded_passages_are_marked(sop: Artifact) -> None:
    made = page(with_lines(sop, *LINES), {})

    assert "own words" in made.one(kind="mark-own-words", id="sp3").text
    assert "superseded" in made.one(kind="mark-superseded", id="sp8").text
    assert "no proof covers it" in made.one("ul", kind="legend").text
    assert count_marks(build_blocks(LINES, {}))["superseded"][1] == 1


def test_a_passage_that_states_what_the_model_lacks_says_so_by_its_id() -> None:
    found = group_stated_items([Statement(Style.BULLET, "Call.", ("rule gone.G1",))], {})

    assert found["Others"][0].item.words == "rule gone.G1"


def test_every_excuse_of_a_harder_level_has_a_mark(refunds: Mapping[str, Artifact]) -> None:
    files = refunds["complexity"].workspace.files
    start = "complexity/L1/"
    lines = read_sop(files[start + SOP_TEXT], files[start + SOP_TRACE]).lines
    excuses = {line.excused for line in lines if line.excused}

    assert {"superseded", "tangential", "reminder", "reference", "limit"} <= excuses <= set(MARKS)


def test_a_trace_that_does_not_fit_is_reported(sop: Artifact) -> None:
    broken = with_files(sop, {SOP_TEXT: sop.workspace.files[SOP_TEXT] + "more <i>words</i>"})

    assert "the trace does not fit the text" in page(broken, {}).one("div", role="alert").text
    assert "more &lt;i&gt;words" in page_text(broken, {})
