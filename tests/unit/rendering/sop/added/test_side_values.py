"""Lines of side values name what nothing else of the text or the model names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.rendering.sop.added.side_values import SIDE, count_side_values, find_used_side_values
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import parcel

MODEL = parcel()
PLAIN = render_sop(MODEL, "").lines
HEAD = Line(
    Style.PARAGRAPH,
    "Determine the class of the file (file_class). Use the first rule that applies:",
    excused=SIDE,
)
ANSWERS = (
    Line(Style.BULLET, '"short term" if the weight is more than 5 kg.', excused=SIDE),
    Line(Style.BULLET, '"long term" in all other cases.', excused=SIDE),
)
RECORD = Line(Style.PARAGRAPH, 'Record the cost centre as "centre 410".', excused=SIDE)
TERM = Line(
    Style.BULLET, "file_class (class of the file): class under which it is kept.", excused=SIDE
)
EVERY = (HEAD, *ANSWERS, RECORD, TERM)


def test_what_nothing_names_decides_nothing() -> None:
    assert list(find_used_side_values([*PLAIN, *EVERY], MODEL)) == []


@pytest.mark.parametrize(
    "text",
    [
        'If the class of the file is "short term", go to step 3.2 (Send it).',
        "Call keep with file_class.",
        "Use the Class of the file.",
    ],
)
def test_a_value_that_another_line_names_could_decide(text: str) -> None:
    used = Line(Style.PARAGRAPH, text)

    found = list(find_used_side_values([*PLAIN, *EVERY, used], MODEL))

    assert HEAD in found
    assert TERM in found
    assert RECORD not in found


@pytest.mark.parametrize("name", ["weight", "care"])
def test_a_value_of_the_model_is_none_on_the_side(name: str) -> None:
    label = MODEL.fields[name].label
    by_name = replace(HEAD, text=HEAD.text.replace("file_class", name))
    by_label = replace(HEAD, text=HEAD.text.replace("class of the file", label))

    assert list(find_used_side_values([by_name], MODEL)) == [by_name]
    assert list(find_used_side_values([by_label], MODEL)) == [by_label]


@pytest.mark.parametrize("text", ["Pay at once.", "Go to step 3.2 (Send it).", '"hold".'])
@pytest.mark.parametrize("style", [Style.PARAGRAPH, Style.BULLET])
def test_a_line_that_belongs_to_no_value_could_decide(text: str, style: Style) -> None:
    other = Line(style, text, excused=SIDE)

    assert list(find_used_side_values([*PLAIN, other], MODEL)) == [other]


def test_values_are_counted_once() -> None:
    assert count_side_values([*PLAIN, *EVERY]) == 2
    assert count_side_values([*PLAIN, *EVERY, RECORD]) == 2
    assert count_side_values(PLAIN) == 0
