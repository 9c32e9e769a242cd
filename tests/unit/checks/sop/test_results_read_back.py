"""The tables of results in an SOP say what the model does of each result, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import read_brief
from sopforge.findings import Finding
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import LENDING, claims, parcel

LENDING_MODEL = read_brief(LENDING, "lending.yaml").model
CLAIMS_MODEL = claims()


def found(model: DomainModel, old: str, new: str) -> list[str]:
    """Return what is found where the results say new words for old ones."""
    before, said, after = split(list(render_sop(model, "").lines))
    results = [replace(line, text=line.text.replace(old, new)) for line in said]
    assert results != said
    return [item.id for item in read_back_findings(model, [*before, *results, *after])]


def split(lines: list[Line]) -> tuple[list[Line], list[Line], list[Line]]:
    """Return the lines before the results, theirs, and those after them."""
    start = next(n for n, line in enumerate(lines) if line.text.endswith(". Results"))
    last = next(n for n, line in enumerate(lines) if line.text.endswith(". Annex: Data dictionary"))
    return lines[:start], lines[start:last], lines[last:]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("| shelf | shelf |", "| floor | shelf |", id="label"),
        pytest.param("| fee: fee that", "| deposit: fee that", id="label of a scored value"),
        pytest.param("| shelf | shelf |", "| shelf: 5 of them | shelf |", id="figure"),
        pytest.param("| shelf | shelf |", "| shelf | ending |", id="element"),
        pytest.param("| fee | ", "| raw_fee | ", id="element of a scored value"),
        pytest.param("| shelf | shelf |", "| shelf | no_field |", id="unknown element"),
        pytest.param('"film room" or ', '"cinema" or ', id="value"),
        pytest.param(', "film room" or "repairs"', ' or "repairs"', id="value left out"),
        pytest.param(
            '"yes" if a reminder is sent, otherwise "no"',
            '"yes" if no reminder is sent, otherwise "no"',
            id="clauses",
        ),
        pytest.param('| "stays at the desk" |', '| "stays on file" |', id="value that no step set"),
        pytest.param('| "stays at the desk" |', "| - |", id="no value that no step set"),
        pytest.param("| If not set |", "| If set |", id="when none is set"),
        pytest.param('"not charged" if it has', '"free" if it has', id="no value"),
        pytest.param('charged" if it has no', 'charged" if it has a', id="when there is none"),
        pytest.param("with 2 decimal", "with 3 decimal", id="places"),
        pytest.param("places, in EUR", "places, in USD", id="unit"),
        pytest.param(
            'at the desk" | step 6.2',
            'at the desk" | step 6.3',
            id="step",
        ),
        pytest.param("steps 6.3 to 6.5", "steps 6.3 to 6.4", id="end of a range"),
        pytest.param("steps 6.3 to 6.5", "steps 6.3 and 6.5", id="no range"),
        pytest.param("steps 6.3 to 6.5", "steps 6.3 to 6.5 on Mondays", id="more than steps"),
        pytest.param("steps 6.3 to 6.5", "no step", id="nowhere"),
        pytest.param("| Value | Set in |", "| Set in | Value |", id="head"),
        pytest.param("decision is the ending", "decision is the shelf", id="final decision"),
        pytest.param("exactly as shown", "roughly as shown", id="name of an element"),
        pytest.param("a step that sets them", "a step that reads them", id="scored values"),
    ],
)
def test_another_word_in_the_results_is_found(old: str, new: str) -> None:
    assert found(LENDING_MODEL, old, new)


def test_a_description_may_be_in_other_words() -> None:
    shelf = "| shelf | shelf |"

    other = ["sop-field-differs"]
    assert found(LENDING_MODEL, shelf, "| shelf: where the item goes | shelf |") == []
    assert found(LENDING_MODEL, shelf, "| shelf: where the item will go | shelf |") == []
    assert found(LENDING_MODEL, shelf, "| shelf: where the fee goes | shelf |") == other
    assert found(LENDING_MODEL, "fee that is charged", "the charged fee") == []
    assert found(LENDING_MODEL, "fee that is charged", "what is charged") == other
    assert found(LENDING_MODEL, "fee that is charged", "fee that is charged or waived") == other
    assert found(LENDING_MODEL, ": fee that is charged", "") == []


def test_the_form_of_a_number_may_be_in_other_words() -> None:
    old, new = "a number with 2 decimal places, in EUR; ", "in EUR, with 2 decimal places; "

    assert found(LENDING_MODEL, old, new) == ["sop-field-differs"]  # beside a word for no value
    assert (
        found(CLAIMS_MODEL, "with 2 decimal places, in USD", "in USD, with 2 decimal places") == []
    )


def test_a_row_belongs_into_its_table() -> None:
    before, lines, after = split(list(render_sop(LENDING_MODEL, "").lines))
    rows = [n for n, line in enumerate(lines) if line.style is Style.ROW]
    *_, last, _, scored = rows
    moved = [*lines[: last - 1], lines[scored], *lines[last - 1 : scored], *lines[scored + 1 :]]

    def find_in(results: list[Line]) -> list[Finding]:
        return list(read_back_findings(LENDING_MODEL, [*before, *results, *after]))

    assert find_in(lines) == []
    assert find_in(moved)
    assert find_in([*lines[:scored], *lines[scored + 1 :]])
    assert find_in([*lines[: scored + 1], lines[scored], *lines[scored + 1 :]])


def test_a_bullet_says_what_a_row_does() -> None:
    before, lines, after = split(list(render_sop(LENDING_MODEL, "").lines))
    row = next(n for n, line in enumerate(lines) if line.text.startswith("| fee"))
    head = row - 1
    said = Line(
        Style.BULLET,
        "fee (fee): fee that is charged. A number with 2 decimal places, in EUR, written without"
        ' the unit. Set in step 6.2; otherwise "not charged".',
    )

    bare, rest = lines[:head], [*lines[row + 1 :], *after]
    assert list(read_back_findings(LENDING_MODEL, [*before, *bare, said, *rest])) == []
    assert list(read_back_findings(LENDING_MODEL, [*before, *bare, *rest]))


def test_values_with_a_bar_are_listed_without_a_table() -> None:
    model = parcel(("held", "held | kept"))
    lines = [line.text for line in render_sop(model, "").lines]

    assert (
        'release (release): result; "released" or "held | kept"; set in steps 6.4 and 6.5.'
    ) in lines
    assert "| Result | XML element | Value | Set in |" not in lines
    assert list(read_back_findings(model, render_sop(model, "").lines)) == []


ROOMS = '"film room" or "repairs" | "stays at the desk"'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"film room" or "repairs"', '"film room", or "repairs"'),
        ('"film room" or "repairs"', 'either "film room" or "repairs"'),
    ],
)
def test_values_may_be_listed_in_other_words(old: str, new: str) -> None:
    assert found(LENDING_MODEL, ROOMS, ROOMS.replace(old, new)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('| "stays at the desk"', '| "repairs"'),
        (' | "stays at the desk"', ' or "stays at the desk" | -'),
        ('"film room" or "repairs"', '"film room" and "repairs"'),
    ],
)
def test_values_in_other_words_are_the_same_values(old: str, new: str) -> None:
    assert found(LENDING_MODEL, ROOMS, ROOMS.replace(old, new))
