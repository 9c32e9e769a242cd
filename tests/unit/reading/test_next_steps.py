"""A step that names no next step leads to the one after it, in the text and in what is read."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import read_brief
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sop import render_sop
from tests.conftest import BRIEFS
from tests.worlds.small_models import parcel

PARCEL = parcel()
LINES = render_sop(PARCEL, "").lines
LATE = "If the day of dispatch is more than 3 days after the due date, go to step 6.5 (Hold)."
RULE = "Take the steps in order unless one sends you elsewhere. If"


def find(model: DomainModel, lines: Sequence[Line]) -> list[str]:
    return [item.message for item in read_back_findings(model, lines)]


def put_after(text: str, further: str) -> list[Line]:
    (place,) = [n for n, line in enumerate(LINES) if line.text == text]
    return [*LINES[: place + 1], Line(Style.PARAGRAPH, further), *LINES[place + 1 :]]


def test_no_line_names_a_step_that_comes_next() -> None:
    named = [line.text for line in LINES if line.text.startswith(("Otherwise", "Continue"))]

    assert named == []
    assert any(RULE in line.text for line in LINES)
    assert find(PARCEL, LINES) == []


def test_a_step_that_comes_later_is_named() -> None:
    hire = read_brief((BRIEFS.parent / "tests/briefs/fees.yaml").read_text("utf-8"), "f").model
    texts = [line.text for line in render_sop(hire, "", (), None).lines]

    assert [text for text in texts if text.endswith(" step 6.3 (Close the return).")]


@pytest.mark.parametrize(
    ("further", "is_right"),
    [
        ("Otherwise, continue with step 6.2 (Price).", True),
        ("Otherwise, continue with step 6.3 (Let it go).", False),
        ("Otherwise, go on to step 6.5 (Hold).", False),
        ("If either is the case, continue with step 6.2 (Price).", False),
        ("Heavy parcels go to step 6.3 (Let it go).", False),
        ("Heavy parcels go to step 6.3.", False),
    ],
)
def test_a_next_step_may_be_named_but_no_other(further: str, is_right: bool) -> None:  # noqa: FBT001 - the claim
    found = find(PARCEL, put_after(LATE, further))

    assert (found == []) is is_right


def test_a_step_that_sends_nobody_elsewhere_is_found() -> None:
    found = find(PARCEL, [line for line in LINES if line.text != LATE])

    assert [message for message in found if message.startswith("step 6.1")]


def test_without_the_sentence_nobody_knows_where_a_case_goes() -> None:
    lines = [
        Line(line.style, line.text.replace(RULE, "If"), line.states, line.excused) for line in LINES
    ]

    assert find(PARCEL, lines)
