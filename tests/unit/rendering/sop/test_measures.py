from __future__ import annotations

import json

from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style
from sopforge.artifacts.rendering.sop.measures import measure_sop

DOCUMENT = SopDocument(
    (
        Statement(Style.TITLE, "On cats"),
        Statement(Style.SECTION, "1. Feeding"),
        Statement(Style.STEP, "1.1 Look"),
        Statement(Style.PARAGRAPH, "The cat sat on the table. Go to step 1.1 (Look)."),
        Statement(Style.BULLET, "If (a and (b or c)), wait:"),
        Statement(Style.NESTED, "all of these hold: (a) it is late; (b) it rains."),
        Statement(Style.ROW, "| cats | fish |"),
    )
)
MEASURES = json.loads(measure_sop(DOCUMENT))


def test_an_sop_is_measured() -> None:
    expected = {
        # title 2; headings 2 and 2; 6 and 5; bullet 8 with its mark; nested 12 with its; row 5.
        "words": 2 + 2 + 2 + 6 + 5 + 8 + 12 + 5,
        "sentences": 2 + 1 + 3,
        "longest_sentence": 7,
        "sections": 1,
        "steps": 1,
        "references": 1,
        "depth": {"headings": 2, "lists": 3, "brackets": 2},
    }

    assert {name: MEASURES[name] for name in expected} == expected


def test_the_criteria_of_the_second_paper_are_measured() -> None:
    lines = (
        Statement(Style.SECTION, "1. Rules"),
        Statement(Style.STEP, "1.1 Look"),
        Statement(Style.BULLET, "Call the PBM promptly.", ("tool ask", "rule a.R1")),
        Statement(
            Style.PARAGRAPH, "Go to step 1.2 (End), see section 2 (Words).", ("edge look.0",)
        ),
        Statement(Style.STEP, "1.2 End"),
        Statement(Style.SECTION, "2. Words"),
        Statement(Style.BULLET, 'SDS: a sheet; the EDTA (ethylene) tube, "ABC".'),
    )
    measured = json.loads(measure_sop(SopDocument(lines)))["criteria"]

    # 31 words, one of them vague; 2 lines ask for something in 2 steps; PBM and EDTA are explained
    # nowhere; one of 2 sections is referred to.
    assert measured == {
        "length": 0.1,
        "ambiguity": round(1000 / 31, 1),
        "step_complexity": 1.0,
        "implicit_knowledge": 2,
        "modularity": 50.0,
    }


def test_tokens_are_words_figures_and_marks() -> None:
    document = SopDocument((Statement(Style.PARAGRAPH, "due_on is 2026-03-01."),))

    # due _ on is 2026 - 03 - 01 .
    assert json.loads(measure_sop(document))["tokens"] == 10


def test_the_reading_grade_is_that_of_flesch_and_kincaid() -> None:
    document = SopDocument((Statement(Style.PARAGRAPH, "The cat sat on the table. Take it home."),))

    # 9 words in 2 sentences; the cat sat on the ta-ble take it home: 10 syllables.
    # 0.39 * 4.5 + 11.8 * 10 / 9 - 15.59 = -0.724
    assert json.loads(measure_sop(document))["reading_grade"] == -0.7


def test_longer_sentences_and_words_ask_for_a_higher_grade() -> None:
    def grade(text: str) -> float:
        measured = json.loads(measure_sop(SopDocument((Statement(Style.PARAGRAPH, text),))))
        return float(measured["reading_grade"])

    assert grade("Send it. Wait.") < grade("Send it and wait.")
    assert grade("Send it and wait.") < grade("Administer authorization immediately.")
