"""Rules of earlier editions stand among those of today, and hold for no case."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from sopforge.briefs.brief_files import load_brief
from sopforge.complexity.operators import superseded
from sopforge.complexity.variant import Variant
from sopforge.dataset.oracle import label_row
from sopforge.dataset.sampling.sampling import sample_rows
from sopforge.reading.read_steps import read_steps
from sopforge.rendering.sop.added.superseded import SUPERSEDED, collect_first_days, is_void
from sopforge.rendering.sop.document import Style
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import orders

ROOT = Path(__file__).parents[4]
BRIEFS = ("dangerous_goods", "referral_abuse")
BEFORE = r"the .+? is before (\d{4}-\d\d-\d\d)\b"
AMONG = re.compile(rf'"[^"]+" if {BEFORE}.*|If {BEFORE}.*, go to step .+')
RESULT = re.compile(r'^"[^"]+"|\bgo to step .+$')


def make(name: str, seed: int, dose: int = 12) -> Variant:
    model = load_brief(ROOT / "briefs" / f"{name}.yaml").model
    return superseded.OPERATOR.apply(Variant(model, render_sop(model, "")), dose, seed)


def get_day(text: str) -> str:
    """Return the day before which an older rule was in force."""
    found = AMONG.fullmatch(text)
    return next(filter(None, found.groups())) if found else ""


@pytest.mark.parametrize("name", BRIEFS)
@pytest.mark.parametrize("seed", range(3))
def test_most_stand_among_the_rules_and_are_void(name: str, seed: int) -> None:
    variant = make(name, seed)
    days = collect_first_days(variant.model)
    said = [line for line in variant.sop.lines if line.excused == SUPERSEDED]
    among = [line for line in said if AMONG.fullmatch(line.text)]

    assert len(said) == 12
    assert len(among) >= 6
    assert all(is_void(line.text, days) for line in said)
    first = min(days.values()).isoformat()
    assert all("" < get_day(line.text) <= first for line in among)


def test_each_follows_the_rule_that_it_was() -> None:
    lines = make("referral_abuse", 7).sop.lines

    for before, line in pairwise(lines):
        if line.excused == SUPERSEDED and AMONG.fullmatch(line.text):
            assert before.style is line.style
            assert (
                RESULT.findall(before.text) == RESULT.findall(line.text) != []
                or before.excused == SUPERSEDED
            )
            assert line.style in {Style.BULLET, Style.PARAGRAPH}


@pytest.mark.parametrize("seed", range(2))
def test_as_rules_like_others_they_decide_no_case(seed: int) -> None:
    """Read as rules, without a word on what is superseded, they change no answer."""
    variant = make("dangerous_goods", seed)
    text = variant.sop.as_text()
    read = read_steps(variant.model, text, 6).model

    for row in sample_rows(variant.model, 5, range(25)):
        right, walked = label_row(variant.model, row), label_row(read, row)
        assert walked.path == right.path
        assert walked.known == right.known


def test_where_cases_state_no_day_passages_speak_of_the_past() -> None:
    plain = Variant(orders(), render_sop(orders(), ""))
    made = superseded.OPERATOR.apply(plain, 6, 7).sop.lines
    said = [line.text for line in made if line.excused == SUPERSEDED]

    assert said
    assert not any(AMONG.fullmatch(text) for text in said)
    assert all(is_void(text, {}) for text in said)
