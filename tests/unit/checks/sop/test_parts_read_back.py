"""A text in which a part, or the return from it, differs from the model is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.rendering.sop import frames
from sopforge.rendering.sop.document import Line
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import callers

MODEL = callers()
LINES = render_sop(MODEL, "").lines
CARRY = "Carry out section 7 (Sub-procedure: Verify the customer)."


def changed(old: str, new: str) -> list[Line]:
    place = next(place for place, line in enumerate(LINES) if old in line.text)
    line = replace(LINES[place], text=LINES[place].text.replace(old, new))
    return [*LINES[:place], line, *LINES[place + 1 :]]


def without(text: str) -> list[Line]:
    assert any(line.text == text for line in LINES)
    return [line for line in LINES if line.text != text]


def test_the_section_of_a_part_stands_once_and_says_where_to_go_back() -> None:
    texts = [line.text for line in LINES]

    assert texts.count("7. Sub-procedure: Verify the customer") == 1
    assert sum(text.startswith(CARRY) for text in texts) == 2
    assert texts.count(frames.RETURN) == 3
    assert texts.count(frames.COUNT_ANEW) == 1
    assert list(read_back_findings(MODEL, LINES)) == []


@pytest.mark.parametrize(
    "lines",
    [
        lambda: changed(
            CARRY,
            CARRY.replace(
                "7 (Sub-procedure: Verify the customer)", "8 (Sub-procedure: Look up the account)"
            ),
        ),
        lambda: changed(CARRY, CARRY.replace("7", "8")),
        lambda: changed(CARRY, f"If you doubt, {CARRY.lower()}"),
        lambda: without(frames.RETURN),
        lambda: changed(frames.RETURN, "Go on with the next step."),
        lambda: without(frames.COUNT_ANEW),
        lambda: changed(
            "refers to it. Begin with step 7.1 (Ask for the code)",
            "refers to it. Begin with step 7.2 (Check the account)",
        ),
        lambda: changed(
            "7. Sub-procedure: Verify the customer", "7. Sub-procedure: Verify the caller"
        ),
        lambda: changed("Carry out this section when a step refers to it.", "Skip this section."),
    ],
)
def test_another_part_another_return_or_another_start_is_found(
    lines: Callable[[], list[Line]],
) -> None:
    assert list(read_back_findings(MODEL, lines()))
