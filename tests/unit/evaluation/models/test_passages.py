"""An SOP in passages, found by their words."""

from __future__ import annotations

from sopforge.evaluation.models.passages import LONGEST, PassageIndex, cut_passages

SOP = """Refunds

1. Purpose
Refunds are paid by these rules.

2. Main procedure
2.1 Open the file
Open the file of the case.

2.2 Decide
A refund above 200 dollars needs the supervisor.
"""


def test_passages_begin_with_their_heading() -> None:
    passages, headings = cut_passages(SOP)

    assert headings == ["1. Purpose", "2. Main procedure", "2.1 Open the file", "2.2 Decide"]
    assert passages == [
        "Refunds",
        "1. Purpose\nRefunds are paid by these rules.",
        "2.1 Open the file\nOpen the file of the case.",
        "2.2 Decide\nA refund above 200 dollars needs the supervisor.",
    ]


def test_a_long_section_is_cut_between_lines_and_nothing_is_lost() -> None:
    lines = [f"- Rule {number} holds for the cases of kind {number}." for number in range(100)]
    passages, _ = cut_passages("3. Rules\n" + "\n".join(lines))

    assert all(passage.startswith("3. Rules\n") for passage in passages)
    assert max(map(len, passages)) <= LONGEST + len("3. Rules\n")
    assert [line for passage in passages for line in passage.split("\n")[1:]] == lines


def test_the_passage_that_shares_most_words_comes_first() -> None:
    index = PassageIndex(SOP)

    assert index.find("who decides above 200 dollars?").startswith("2.2 Decide")
    assert index.find("zebra") == ""
    assert index.find("") == ""
