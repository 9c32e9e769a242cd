"""The meaning of a constant stands in the first step in which the constant rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.complexity.operators import indirect_thresholds
from sopforge.complexity.variant import Variant
from sopforge.domain.reading import read_brief
from sopforge.rendering.sop.added.indirect_limits import LIMIT
from sopforge.rendering.sop.document import SopDocument, Style
from sopforge.rendering.sop.meanings import MEANING, drop_meanings, drop_stated_meanings
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import parcel

MODEL = parcel()
LINES = render_sop(MODEL, "").lines
OPENING = "What these figures mean:"
NOTES = [line for line in LINES if line.excused == MEANING]
HIRE_BRIEF = Path(__file__).parents[3] / "briefs" / "tool_hire.yaml"
HIRE = read_brief(HIRE_BRIEF.read_text(encoding="utf-8"), "brief").model
HIRE_LINES = render_sop(HIRE, "").lines


def test_each_constant_is_explained_where_it_rules() -> None:
    texts = [line.text for line in NOTES]

    assert texts[texts.index(OPENING) + 1] == "3 days: days after the due date that are forgiven"
    stated = [name for line in NOTES for name in line.states]
    assert sorted(stated) == sorted(f"policy {name}" for name in MODEL.policy)


def test_the_meanings_end_the_step() -> None:
    for place, line in enumerate(LINES):
        if line in NOTES and place + 1 < len(LINES):
            after = LINES[place + 1]
            assert after in NOTES or after.style in {Style.STEP, Style.SECTION}


def test_a_figure_beside_a_meaning_is_found() -> None:
    lines = [
        replace(line, text=line.text.replace("days after", "4 days after"))
        if line in NOTES
        else line
        for line in LINES
    ]

    assert [finding.id for finding in read_back_findings(MODEL, lines)] == ["sop-not-read"]


def test_a_text_can_do_without_them() -> None:
    text = SopDocument(HIRE_LINES).as_text()
    without = SopDocument(tuple(line for line in HIRE_LINES if line.excused != MEANING))

    assert f"\n{OPENING}\n  - " in text
    assert drop_meanings(text) == without.as_text()


def test_several_are_a_list_of_which_each_states_its_constant() -> None:
    place = next(n for n, line in enumerate(HIRE_LINES) if line.text == OPENING)
    first, second = HIRE_LINES[place + 1 : place + 3]

    assert {first.style, second.style} == {Style.NESTED}
    assert HIRE_LINES[place].states == ()
    for line in (first, second):
        (name,) = line.states
        item = HIRE.policy[name.removeprefix("policy ")]
        assert line.text.endswith(f": {item.meaning}")


def test_the_meaning_of_one_constant_leaves_a_list_alone() -> None:
    place = next(n for n, line in enumerate(HIRE_LINES) if line.text == OPENING)
    first, second = HIRE_LINES[place + 1 : place + 3]
    others = {*first.states} ^ {name for line in HIRE_LINES for name in line.states}

    left = drop_stated_meanings(HIRE_LINES, first.states)
    none = drop_stated_meanings(HIRE_LINES, others | {*first.states})

    assert first not in left
    assert second in left
    assert HIRE_LINES[place] in left
    assert not [line for line in none if line.excused == MEANING]


@pytest.mark.parametrize("words", ["figure", "meaning", "opening", "none"])
def test_a_fault_in_a_list_of_them_is_found(words: str) -> None:
    place = next(n for n, line in enumerate(HIRE_LINES) if line.text == OPENING)
    before, (opening, item), after = (
        HIRE_LINES[:place],
        HIRE_LINES[place:][:2],
        HIRE_LINES[place:][2:],
    )
    amount, _, meaning = item.text.partition(": ")
    changed = {
        "figure": (opening, replace(item, text=f"9{amount}: {meaning}")),
        "meaning": (opening, replace(item, text=f"{amount}: {meaning} on Mondays")),
        "opening": (replace(opening, text=f"{OPENING} 9 days"), item),
        "none": (opening,),
    }[words]
    rest = after if words != "none" else [x for x in after if x.excused != MEANING]

    assert list(read_back_findings(HIRE, HIRE_LINES)) == []
    assert list(read_back_findings(HIRE, [*before, *changed, *rest]))


def test_a_limit_that_stands_in_an_annex_is_not_explained_by_its_figure() -> None:
    plain = Variant(MODEL, SopDocument(LINES))

    changed = indirect_thresholds.OPERATOR.apply(plain, 1, 7).sop.lines

    (entry,) = [line.text for line in changed if line.excused == LIMIT]
    title = entry.rpartition(": ")[0]
    meaning = f"{title[:1].lower()}{title[1:]}"
    assert any(meaning in line.text for line in NOTES)
    assert not [line for line in changed if line.excused == MEANING and meaning in line.text]


def test_a_wrong_amount_is_found() -> None:
    lines = [replace(line, text=line.text.replace("3 days: ", "4 days: ")) for line in LINES]

    assert lines != list(LINES)
    assert [finding.id for finding in read_back_findings(MODEL, lines)] == ["sop-not-read"]


def test_amounts_before_their_meanings_are_read_too() -> None:
    place = LINES.index(NOTES[0])
    (*_, name) = NOTES[1].states
    amount, _, meaning = NOTES[1].text.partition(": ")
    as_one = replace(NOTES[0], text=f"{OPENING} {amount} ({meaning}).")
    lines = [*LINES[:place], as_one, *LINES[place + 2 :]]

    assert name.startswith("policy ")
    assert list(read_back_findings(MODEL, lines)) == []
    wrong = replace(as_one, text=as_one.text.replace(amount, f"9{amount}"))
    assert list(read_back_findings(MODEL, [*LINES[:place], wrong, *LINES[place + 2 :]]))


GRACE = "days after the due date that are forgiven"


def put(words: str) -> list[str]:
    """Return the ids of what is found in a text that says so of the days of grace."""
    lines = [
        replace(line, text=line.text.replace(GRACE, words)) if line in NOTES else line
        for line in LINES
    ]
    return [finding.id for finding in read_back_findings(MODEL, lines)]


@pytest.mark.parametrize(
    "words",
    [
        GRACE,
        "the days after the due date which are forgiven",
    ],
)
def test_a_meaning_may_be_worded_otherwise(words: str) -> None:
    assert put(words) == []


@pytest.mark.parametrize(
    "words",
    [
        "days before the due date that are forgiven",
        "days after the due date that are not forgiven",
        "weeks after the due date that are forgiven",
        "days after the due date from which nothing is forgiven",
        "days after the due date that are forgiven at most",
        "2 days after the due date that are forgiven",
        "highest weight that is light",
        "",
    ],
)
def test_a_meaning_in_other_words_may_say_nothing_else(words: str) -> None:
    assert put(words) == ["sop-not-read"]


def test_what_the_rule_says_itself_is_not_explained_again() -> None:
    """A return is "late" if the delay is more than 3 days: nobody asks what the 3 days are."""
    meant = [item.meaning for item in HIRE.policy.values()]
    texts = [line.text for line in HIRE_LINES if line.excused == MEANING]
    said = [text.partition(": ")[2] for text in texts]

    assert "days after which a return is late" in meant
    assert not [text for text in said if text.startswith("days after which a return is late")]
    assert [text for text in said if text.startswith("number of hires from which a customer is")]
