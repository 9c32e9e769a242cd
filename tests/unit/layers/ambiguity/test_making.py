"""Passages that ask for care, found and put into an SOP, and what a careless reader makes of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from sopforge.artifacts.rendering.sop.ambiguous import TITLE
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.errors import MaterialError
from sopforge.harness.environment.shown import Shown
from sopforge.harness.layers.ambiguity.ambiguous import AMENDMENT, Ambiguity, AmbiguousPassage
from sopforge.harness.layers.ambiguity.finding import TERM, WORDING, PassageFinder
from sopforge.harness.layers.ambiguity.making import AmbiguityMaker
from sopforge.harness.layers.ambiguity.misreading import misread, work_amid_ambiguity
from sopforge.harness.layers.desk import Desk
from sopforge.harness.layers.dial import Ability
from sopforge.harness.layers.layer import Done
from sopforge.harness.layers.text.passages import find_main
from sopforge.harness.layers.text.read_steps import StepReader
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.worlds.small_models import dispatch, judged, observed

MODEL = dispatch()
JUDGED = judged(
    {"age": observed(0, 50)}, {"R1": ("age >= 30", "good"), "R2": ("age >= 10", "fair")}
)


def make_maker(model: DomainModel, seed: int = 3, count: int = 60) -> AmbiguityMaker:
    rows = {f"t{number}": row for number, row in enumerate(sample_rows(model, 3, range(count)))}
    return AmbiguityMaker(model, rows, render_sop(model, "").as_text(), seed)


def work(sop: str, model: DomainModel, lacks: Sequence[Ability]) -> DomainModel:
    """Return the model by which a program works that has an SOP before it."""
    worked = []

    def solve(_: Desk, by: DomainModel) -> str:
        worked.append(by)
        return ""

    desk = Desk(sop, "", {}, lambda _tool, _arguments: {})
    work_amid_ambiguity(desk, model, solve, lacks, read=StepReader())
    return worked[0]


@pytest.fixture(scope="module")
def layer() -> Ambiguity:
    return make_maker(MODEL).make(3)


@pytest.mark.parametrize("kind", [WORDING, TERM, AMENDMENT])
def test_each_kind_of_passage_is_another_line_of_a_step(kind: str) -> None:
    sop = render_sop(MODEL, "").as_text()
    found = PassageFinder(MODEL, sop, find_main(sop), 3).find(kind)

    assert {item.kind for item in found} == {kind}
    assert all(item.before in sop and item.before != item.after for item in found)
    assert all(bool(item.entry) == (kind != WORDING) for item in found)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("elsewhere", "is_amended"),
    [
        ("More is too much.", True),
        ("More than 1400 years is too much.", False),
        ("More than 1,400 years is too much.", False),
        ("More than 11,400 years is too much.", True),
        ("More than 1400 EUR is too much.", True),
    ],
)
def test_a_limit_is_amended_where_no_other_passage_states_it(
    elsewhere: str, *, is_amended: bool
) -> None:
    first, second, *_ = MODEL.steps.values()
    asked = "the age of the heating is at least 1400 years"
    edge = f"If {asked}, go to step 6.2 ({second.title})."
    sop = f"1. Delays\n{elsewhere}\n\n6. Main procedure\nGo.\n\n6.1 {first.title}\n{edge}\n"

    assert bool(PassageFinder(MODEL, sop, 6, 3).find(AMENDMENT)) == is_amended


def test_a_careless_reader_errs_where_walks_by_what_he_takes_it_for_do(layer: Ambiguity) -> None:
    maker = make_maker(MODEL)
    taken = misread(MODEL, layer.reword(maker.sop), StepReader())
    assert taken is not None
    names = [item.name for item in MODEL.outcomes]
    erring = 0
    for row in maker.rows.values():
        known, other = (label_row(model, row).known for model in (MODEL, taken))
        erring += any(known.get(name) != other.get(name) for name in names)

    assert 100 * erring // len(maker.rows) == maker.measure(layer) >= 30


def test_no_line_has_two_passages(layer: Ambiguity) -> None:
    many = make_maker(MODEL).make(20)

    assert len(many.passages) >= len(layer.passages)
    assert len({(item.step, item.before) for item in many.passages}) == len(many.passages)


def make_judged_maker(*ages: int) -> AmbiguityMaker:
    """Return what makes ambiguity by cases of some ages; only a case of 10 or 30 shows any."""
    maker = make_maker(JUDGED, count=len(ages))
    rows = {
        name: {**row, "age": age} for (name, row), age in zip(maker.rows.items(), ages, strict=True)
    }
    # With its condition ahead a rule has no "unless", which would show in all cases.
    sop = re.sub(
        r'^- ("\w+") if (.+)\.$', r"- If \2, the result is \1.", maker.sop, flags=re.MULTILINE
    )
    return replace(maker, rows=rows, sop=sop)


@pytest.mark.parametrize(
    ("ages", "says"),
    [
        ((20, 29, 31), "no rule of a step can be worded so that a careless reader misreads it"),
        ((20, 29, 30, 31), "a careless reader errs in 25 percent of the cases; 30 are needed"),
    ],
)
def test_a_domain_without_room_says_so(ages: Sequence[int], says: str) -> None:
    with pytest.raises(MaterialError) as raised:
        make_judged_maker(*ages).make(3)

    (fault,) = raised.value.faults
    assert (fault.code, fault.message, fault.where) == (
        "dial-not-possible",
        says,
        "dial ambiguity",
    )


def test_a_limit_is_misread_where_it_is_just_met() -> None:
    layer = make_judged_maker(20, 29, 30).make(1)

    assert [(item.before, item.after) for item in layer.passages] == [
        (
            '- If the age is at least 30, the result is "good".',
            '- If the age is not less than 30, the result is "good".',
        )
    ]


def test_who_weighs_words_works_by_the_model_and_who_does_not_by_another(layer: Ambiguity) -> None:
    sop = render_sop(MODEL, "").as_text()
    worded = layer.reword(sop)

    assert work(worded, MODEL, ()) is MODEL
    assert work(worded, MODEL, (Ability.WEIGHING,)) != MODEL
    assert work(sop, MODEL, (Ability.WEIGHING,)) == MODEL
    assert work("No steps.", MODEL, (Ability.WEIGHING,)) is MODEL


def test_a_layer_changes_the_text_that_agents_see_and_nothing_else() -> None:
    layer = Ambiguity(
        2,
        (
            AmbiguousPassage(WORDING, "6.1", "- It is at most 5.", "- It is not more than 5."),
            AmbiguousPassage(TERM, "6.1", "- A.", "- B.", "- An entry."),
        ),
    )
    sop = "6. Main\nGo.\n\n6.1 One\n- It is at most 5.\n- A.\n\n6.2 Two\n- A.\n"
    shown = Shown("a", "a world", sop, (), {}, {})

    found = layer.show(shown)

    assert found.sop.startswith(
        "6. Main\nGo.\n\n6.1 One\n- It is not more than 5.\n- B.\n\n6.2 Two"
    )
    assert found.sop.count("- A.") == 1
    assert f"\n\n7. {TITLE}\n" in found.sop
    assert found.sop.endswith("- An entry.\n")
    assert replace(found, sop=sop) == shown
    assert layer.describe("t") == {"dose": 2, TERM: 1, WORDING: 1}
    assert (layer.find_inner("t"), layer.find_kind("t")) == ("t", "")
    assert layer.unwrap("t", Done((), "Done.")) == Done((), "Done.")
