"""Rules of earlier editions stand among those of today, and hold for no case."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from sopforge.artifacts.complexity.operators import superseded
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Style
from sopforge.artifacts.rendering.sop.marks import SUPERSEDED
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.harness.layers.text.read_steps import read_steps
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.judges.level_agreement import find_main, list_steps
from tests.worlds.plain_variants import collect_first_days, find_excused, is_void, load_variant
from tests.worlds.small_models import orders, parcel

BRIEFS = ("dangerous_goods", "referral_abuse")
BEFORE = r"the .+? is before (\d{4}-\d\d-\d\d)\b"
AMONG = re.compile(rf'(?:"[^"]+"|\d[\w ]*?) if {BEFORE}.*|If {BEFORE}.*, go to step .+')
RESULT = re.compile(r'^(?:"[^"]+"|\d[\w ]*?)(?= if)|\bgo to step .+$')


def make(name: str, seed: int, dose: int = 12) -> Variant:
    return superseded.OPERATOR.apply(load_variant(name), dose, seed)


def get_day(text: str) -> str:
    """Return the day before which an older rule was in force."""
    found = AMONG.fullmatch(text)
    return next(filter(None, found.groups())) if found else ""


@pytest.mark.parametrize("name", BRIEFS)
@pytest.mark.parametrize("seed", range(3))
def test_most_stand_among_the_rules_and_are_void(name: str, seed: int) -> None:
    variant = make(name, seed)
    days = collect_first_days(variant.model)
    said = find_excused(variant, SUPERSEDED)
    among = [item for item in said if AMONG.fullmatch(item.text)]

    assert len(said) == 12
    assert len(among) >= 6
    assert all(is_void(item.text, days) for item in said)
    first = min(days.values()).isoformat()
    assert all("" < get_day(item.text) <= first for item in among)


def test_each_follows_the_rule_that_it_was() -> None:
    for before, item in pairwise(make("referral_abuse", 7).sop.statements):
        if item.excused == SUPERSEDED and AMONG.fullmatch(item.text):
            assert before.style is item.style
            assert (
                RESULT.findall(before.text) == RESULT.findall(item.text) != []
                or before.excused == SUPERSEDED
            )
            assert item.style in {Style.BULLET, Style.PARAGRAPH}


@pytest.mark.parametrize("seed", range(2))
def test_as_rules_like_others_they_decide_no_case(seed: int) -> None:
    """Read as rules, without a word on what is superseded, they change no answer."""
    variant = make("dangerous_goods", seed)
    plain, main = load_variant("dangerous_goods"), find_main(variant.sop)
    read = read_steps(variant.model, variant.sop.as_text(), main).model

    assert read.decisions != read_steps(plain.model, plain.sop.as_text(), main).model.decisions
    for row in sample_rows(variant.model, 5, range(25)):
        right, walked = label_row(variant.model, row), label_row(read, row)
        assert list_steps(walked.path) == list_steps(right.path)
        assert walked.known == right.known


def test_where_cases_state_no_day_passages_speak_of_the_past() -> None:
    model = orders()
    made = superseded.OPERATOR.apply(Variant(model, render_sop(model, "")), 6, 7)
    said = [item.text for item in find_excused(made, SUPERSEDED)]

    assert said
    assert not any(AMONG.fullmatch(text) for text in said)
    assert all(is_void(text, {}) for text in said)


@pytest.mark.parametrize(("first", "is_room"), [("0001-01-01", False), ("0009-01-01", True)])
def test_where_cases_may_lie_before_any_change_there_is_none(first: str, *, is_room: bool) -> None:
    model = parcel(("min: 2026-01-01, max: 2026-03-31", f"min: {first}, max: 2026-03-31"))
    plain = Variant(model, render_sop(model, ""))

    assert (superseded.OPERATOR.apply(plain, 3, 7) != plain) == is_room
