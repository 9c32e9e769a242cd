"""A rule that was moved or is repeated names the field that it decides."""

from __future__ import annotations

import pytest

from sopforge.rendering.sop.added.standing_alone import complete_line
from sopforge.rendering.sop.document import Line, Style
from tests.worlds.small_models import parcel


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ('"careful" if the weight is 5 kg.', 'The care is "careful" if the weight is 5 kg.'),
        (
            '"careful" if any of the following applies:',
            'The care is "careful" if any of the following applies:',
        ),
        ('"plain" in all other cases.', 'In all other cases, the care is "plain".'),
        ('The care is "plain" if it rains.', 'The care is "plain" if it rains.'),
        ("See the rule in section 9.1.", "See the rule in section 9.1."),
    ],
)
def test_a_rule_that_begins_with_its_value_names_its_field(text: str, whole: str) -> None:
    line = Line(Style.BULLET, text, ("rule care.R1",))

    assert complete_line(line, parcel()) == Line(Style.BULLET, whole, ("rule care.R1",))


@pytest.mark.parametrize(
    "line",
    [
        Line(Style.BULLET, '"careful" if it rains.', ("edge look.1",)),
        Line(Style.BULLET, '"careful" if it rains.', ()),
        Line(Style.BULLET, '"careful" if it rains.', ("rule unknown.R1",)),
        Line(Style.NESTED, '"careful" if it rains.', ("rule care.R1",)),
    ],
)
def test_other_lines_stay_as_they_are(line: Line) -> None:
    assert complete_line(line, parcel()) == line
