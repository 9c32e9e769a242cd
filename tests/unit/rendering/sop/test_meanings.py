"""The meaning of a constant stands in the first step in which the constant rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.artifacts.complexity.operators import indirect_thresholds
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import ITEM, SopDocument, Statement, Style
from sopforge.artifacts.rendering.sop.marks import LIMIT, MEANING
from sopforge.artifacts.rendering.sop.meanings import OPENING, drop_meanings, drop_stated_meanings
from sopforge.language.domain.reading import read_brief
from tests.worlds.edited_sops import derive, find_edited
from tests.worlds.small_models import parcel

HIRE_BRIEF = Path(__file__).parents[3] / "briefs" / "tool_hire.yaml"
MODEL = parcel()
HIRE = read_brief(HIRE_BRIEF.read_text(encoding="utf-8"), "brief").model
PARCELS, HIRES = derive(MODEL), derive(HIRE)
STATEMENTS = PARCELS.document.statements
NOTES = [item for item in STATEMENTS if item.excused == MEANING]


def find_list() -> Statement:
    """Return what several constants of one step of the hires mean."""
    return next(x for x in HIRES.document.statements if x.text.startswith(OPENING))


def test_each_constant_is_explained_once_where_it_rules() -> None:
    assert NOTES[0].text == f"{OPENING}{ITEM}3 days: days after the due date that are forgiven"
    stated = [name for item in NOTES for name in item.states]
    assert sorted(stated) == sorted(f"policy {name}" for name in MODEL.policy)


def test_the_meanings_end_the_step() -> None:
    after = [STATEMENTS[STATEMENTS.index(item) + 1 :][:1] for item in NOTES]

    assert {item.style for found in after for item in found} <= {Style.STEP, Style.SECTION}


def test_a_text_can_do_without_them() -> None:
    document = HIRES.document
    without = SopDocument(tuple(x for x in document.statements if x.excused != MEANING))

    assert any(x.text.startswith("Note: the ") for x in document.statements)
    assert drop_meanings(document.as_text()) == without.as_text()


def test_each_line_of_a_list_says_the_figure_and_the_meaning_of_its_constant() -> None:
    listed = find_list()
    meant = [HIRE.policy[name.removeprefix("policy ")].meaning for name in listed.states]

    assert [line.style for line in listed.lines] == [Style.PARAGRAPH, Style.NESTED, Style.NESTED]
    assert [line.text.partition(": ")[2] for line in listed.lines[1:]] == meant


def test_one_meaning_is_dropped_from_a_list_of_them() -> None:
    first, second = (name.removeprefix("policy ") for name in find_list().states)
    known = HIRES.document.statements

    left = list(drop_stated_meanings(HIRE, known, [first]))
    none = list(drop_stated_meanings(HIRE, known, HIRE.policy))

    (kept,) = [x for x in left if x not in known]
    assert kept.states == (f"policy {second}",)
    assert not [x for x in none if x.excused == MEANING]
    assert [x for x in none if x.excused != MEANING] == [x for x in known if x.excused != MEANING]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("3 days: days after", "4 days: days after", id="figure"),
        pytest.param("that are forgiven", "that are not forgiven", id="meaning"),
        pytest.param(OPENING, f"{OPENING} 9 days", id="opening"),
        pytest.param(NOTES[0].text, "", id="none"),
    ],
)
def test_a_fault_in_them_is_found(old: str, new: str) -> None:
    assert len(find_edited(PARCELS, (old, new))) == 1


def test_a_limit_that_stands_in_an_annex_is_not_explained_by_its_figure() -> None:
    plain = Variant(MODEL, PARCELS.document)

    changed = indirect_thresholds.OPERATOR.apply(plain, 1, 7).sop.statements

    (entry,) = [item.text for item in changed if item.excused == LIMIT]
    title = entry.rpartition(": ")[0]
    meaning = f"{title[:1].lower()}{title[1:]}"
    assert any(meaning in item.text for item in NOTES)
    assert not [item for item in changed if item.excused == MEANING and meaning in item.text]


def test_what_the_rule_says_itself_is_not_explained_again() -> None:
    """A return is "late" if the delay is more than 3 days: nobody asks what the 3 days are."""
    text = HIRES.document.as_text()

    assert "days after which a return is late" in [item.meaning for item in HIRE.policy.values()]
    assert "days after which a return is late" not in text
    assert "number of hires from which a customer is" in text
