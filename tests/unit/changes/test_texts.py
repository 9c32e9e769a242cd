"""Texts are compared passage by passage, and what is reworded word by word."""

from __future__ import annotations

import random

import pytest

from sopforge.pipeline.changes.changelog import describe_text
from sopforge.pipeline.changes.texts import (
    Mark,
    TextChange,
    TextPassage,
    Words,
    compare_passages,
    compare_texts,
    compare_words,
)

OLD = """# Refunds

A refund is due for 30 days.
Ask the customer for the order number.

Close the case.
"""
SAME, ADDED, REMOVED = Mark.SAME, Mark.ADDED, Mark.REMOVED


def test_equal_texts_have_no_changes() -> None:
    assert compare_passages(OLD, OLD) == ()


def test_blank_lines_are_no_passages() -> None:
    assert compare_passages(OLD, OLD.replace("\n\n", "\n")) == ()


def test_a_reworded_passage_shows_its_words_and_its_line() -> None:
    assert compare_passages(OLD, OLD.replace("30", "31")) == (
        TextPassage(
            Mark.REWORDED,
            3,
            (
                Words(SAME, "A refund is due for "),
                Words(REMOVED, "30"),
                Words(ADDED, "31"),
                Words(SAME, " days."),
            ),
        ),
    )


def test_a_new_passage_is_added_at_its_line() -> None:
    new = OLD.replace("Close", "Call the supervisor.\nClose")
    assert compare_passages(OLD, new) == (
        TextPassage(ADDED, 6, (Words(ADDED, "Call the supervisor."),)),
    )


def test_a_lost_passage_is_shown_before_the_line_that_follows_it() -> None:
    new = OLD.replace("Ask the customer for the order number.\n", "")
    assert compare_passages(OLD, new) == (
        TextPassage(REMOVED, 5, (Words(REMOVED, "Ask the customer for the order number."),)),
    )


def test_a_clause_that_moves_is_a_rewording() -> None:
    old = "Go to step 2 if the order is old.\n"
    (passage,) = compare_passages(old, "If the order is old, go to step 2.\n")
    assert passage.mark is Mark.REWORDED


def test_a_passage_about_something_else_takes_the_place_of_one_that_goes() -> None:
    found = compare_passages("Pay the refund at once.\n", "Nobody answers on Sundays.\n")
    assert sorted(passage.mark for passage in found) == [ADDED, REMOVED]


@pytest.mark.parametrize(
    ("old", "new"), [("12.50", "8.75"), ("1,250", "1,300"), ("2026-01-05", "2026-02-05")]
)
def test_a_number_or_a_day_is_one_word(old: str, new: str) -> None:
    assert compare_words(f"pay {old}.", f"pay {new}.") == (
        Words(SAME, "pay "),
        Words(REMOVED, old),
        Words(ADDED, new),
        Words(SAME, "."),
    )


@pytest.mark.parametrize("seed", range(20))
def test_words_give_both_passages_back(seed: int) -> None:
    drawn = random.Random(seed)  # noqa: S311 - examples
    old, new = (
        " ".join(drawn.choice(["the", "order", "30", "days,", "(paid)", "x"]) for _ in range(12))
        for _ in range(2)
    )
    words = compare_words(old, new)
    assert "".join(part.text for part in words if part.mark is not ADDED) == old
    assert "".join(part.text for part in words if part.mark is not REMOVED) == new


@pytest.mark.parametrize("seed", range(20))
def test_passages_give_the_new_text_back(seed: int) -> None:
    drawn = random.Random(seed)  # noqa: S311 - examples
    lines = ["Pay 30 EUR now.", "Pay 31 EUR now.", "Ask Ada.", "Stop here.", "Ask Ada or Grace."]
    old, new = ([drawn.choice(lines) for _ in range(8)] for _ in range(2))
    found = compare_passages("\n".join(old), "\n".join(new))
    for passage in found:
        if passage.mark is not REMOVED:
            kept = "".join(part.text for part in passage.words if part.mark is not REMOVED)
            assert kept == new[passage.line - 1]
    lost = sum(1 for passage in found if passage.mark is REMOVED)
    come = sum(1 for passage in found if passage.mark is ADDED)
    assert len(old) - lost + come == len(new)


def test_a_file_of_one_side_is_added_or_removed() -> None:
    found = compare_texts({"sop/a.md": "one\n"}, {"sop/b.md": "two\n"})
    assert [(item.file, item.mark) for item in found] == [
        ("sop/b.md", Mark.ADDED),
        ("sop/a.md", Mark.REMOVED),
    ]


BRACES = """# Who gets what back, and until when.
policy:
  # Agreed in spring.
  days: {value: 30, unit: days, meaning: days to ask in}
  limit: {value: 200.00, unit: USD, meaning: what a clerk may pay}
rules: [{id: E1, when: "asked > days", then: refused}, {id: E2, otherwise: paid}]
"""
BLOCKS = """policy:
  days:
    value: 20
    unit: days
    meaning: days to ask in
  limit:
    value: 200.00
    unit: USD
    meaning: what a clerk may pay
rules:
- id: E1
  when: asked > days
  then: refused
- id: E2
  otherwise: paid
"""


def one_change(old: str, new: str, name: str = "schema/domain.yaml") -> TextChange:
    [change] = compare_texts({name: old}, {name: new})
    return change


def test_a_document_that_was_laid_out_anew_is_compared_in_one_layout() -> None:
    change = one_change(BRACES, BLOCKS)

    assert change.are_laid_out
    words = (Words(SAME, "    value: "), Words(REMOVED, "30"), Words(ADDED, "20"))
    assert change.passages == (TextPassage(Mark.REWORDED, 3, words),)
    line = "schema/domain.yaml: passages 1 reworded, but for its layout and its comments."
    assert describe_text(change) == line


def test_a_document_that_says_the_same_in_another_layout_says_so() -> None:
    change = one_change(BRACES, BLOCKS.replace("value: 20\n", "value: 30\n"))

    assert (change.are_laid_out, change.passages) == (True, ())
    assert (
        describe_text(change)
        == "schema/domain.yaml: the same, but for its layout and its comments."
    )


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        # A comment that somebody changed is shown, as long as the layout stays.
        (BRACES, BRACES.replace("in spring", "in autumn"), 1),
        (BLOCKS, BLOCKS.replace("value: 20\n", "value: 25\n"), 1),
        # Another document differs in either layout.
        (BLOCKS, "tools:\n  look_up:\n    takes: [request]\n", 18),
        # Nobody can read one of them.
        (BLOCKS, "policy: {days: [\n", 16),
    ],
    ids=["a comment", "a value", "all of it", "no YAML"],
)
def test_a_document_is_else_compared_as_it_is_written(old: str, new: str, count: int) -> None:
    change = one_change(old, new)

    assert (change.are_laid_out, len(change.passages)) == (False, count)


def test_a_text_has_no_other_layout() -> None:
    assert not one_change(BRACES, BLOCKS, "sop/sop.md").are_laid_out


def test_tables_of_tasks_are_no_texts() -> None:
    assert compare_texts({"dataset/coverage.md": "a"}, {"dataset/coverage.md": "b"}) == ()
    assert compare_texts({"sop/trace.json": "a"}, {"sop/trace.json": "b"}) == ()


def test_a_level_says_which_plain_file_it_stands_for() -> None:
    (change,) = compare_texts({"complexity/L1/sop/sop.md": "a"}, {"complexity/L1/sop/sop.md": "b"})
    assert (change.level, change.plain_file) == ("L1", "sop/sop.md")


def test_a_passage_as_long_as_data_is_shown_as_a_whole() -> None:
    old, new = ("word " * 3_000, "word " * 2_999 + "end")
    assert compare_words(old, new) == (Words(REMOVED, old), Words(ADDED, new))
