"""What is read of the steps of an SOP, or of a part of one, and what is left as it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from string import Formatter

import pytest

from sopforge.dataset.oracle import label_row
from sopforge.dataset.sampling.sampling import sample_rows
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Table
from sopforge.domain.values.types import Value
from sopforge.reading import read_steps as module
from sopforge.reading.read_steps import ReadSteps, StepReader, number_steps, read_steps
from sopforge.rendering.sop.added.superseded import DATED, FRAMES, collect_first_days
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import (
    callers,
    claims,
    dispatch,
    held_parcels,
    judged,
    observed,
    orders,
)

JUDGED = judged(
    {"age": observed(0, 50)}, {"R1": ("age >= 30", "good"), "R2": ("age >= 10", "fair")}
)
TEXT = render_sop(JUDGED, "").as_text()


def find_main(text: str) -> int:
    """Return the number of the section that holds the steps."""
    found = re.search(r"^(\d+)\. Main procedure$", text, re.MULTILINE)
    assert found is not None
    return int(found[1])


MAIN = find_main(TEXT)
STEP = TEXT[TEXT.index(f"\n{MAIN}.1 ") + 1 : TEXT.index(f"\n{MAIN}.2 ")]


def read_result(model: DomainModel, age: int) -> object:
    """Return the label of the result of an age, by its place: good, fair or bad."""
    row: dict[str, Value | None] = {"case_id": "C000001", "age": age}
    code = label_row(model, row).known["result"]
    return ("good", "fair", "bad")[code] if isinstance(code, int) else code


def without_rules(model: DomainModel) -> DomainModel:
    """Return a model whose tables and steps have their last rule and transition alone."""
    decisions = {
        name: replace(item, rules=item.rules[-1:]) if isinstance(item, Table) else item
        for name, item in model.decisions.items()
    }
    steps = {name: replace(step, edges=step.edges[-1:]) for name, step in model.steps.items()}
    return replace(model, decisions=decisions, steps=steps)


@pytest.mark.parametrize("make", [dispatch, callers, held_parcels, orders])
def test_a_model_without_rules_decides_as_the_model_does_by_what_is_read(
    make: Callable[[], DomainModel],
) -> None:
    model = make()
    text = render_sop(model, "").as_text()
    read = read_steps(without_rules(model), text, find_main(text)).model

    for row in sample_rows(model, 5, range(40)):
        right, walked = label_row(model, row), label_row(read, row)
        assert walked.path == right.path
        assert walked.known == right.known


def test_a_limit_is_what_the_words_say() -> None:
    read = read_steps(JUDGED, TEXT.replace("at least 30", "at least 40"), MAIN).model

    assert [read_result(read, age) for age in (9, 10, 39, 40)] == ["bad", "fair", "fair", "good"]


def test_a_step_alone_is_read_though_other_steps_are_only_named() -> None:
    read = read_steps(without_rules(JUDGED), STEP, MAIN).model

    assert [read_result(read, age) for age in (9, 10, 30)] == ["bad", "fair", "good"]


def test_steps_of_which_a_text_says_nothing_stay_as_they_are() -> None:
    assert read_steps(JUDGED, "1. Purpose\nIt is judged.", MAIN).model == JUDGED


@pytest.mark.parametrize("frame", FRAMES)
def test_what_is_void_decides_nothing(frame: str) -> None:
    slots = {name: "5" for _, name, _, _ in Formatter().parse(frame) if name}
    rule = 'If the age is at least 20, the result is "good".'
    days = {"until": "31 March 2024", "since": "1 April 2024"}
    void = frame.format(**slots | days | {"reason": rule})
    lines = STEP.splitlines()
    text = "\n".join([*lines[:2], void, *lines[2:], void])

    read = read_steps(JUDGED, text, MAIN)

    assert read_result(read.model, 25) == "fair"
    assert read == read_steps(JUDGED, STEP, MAIN)


@pytest.mark.parametrize("frame", [frame for frames in DATED.values() for frame in frames])
def test_a_rule_for_days_before_every_case_decides_nothing(frame: str) -> None:
    model = claims()
    text = render_sop(model, "").as_text()
    slots = {name: "5" for _, name, _, _ in Formatter().parse(frame) if name}
    entry, first = next(iter(collect_first_days(model).items()))
    step = text.index("\n", text.index(f"{find_main(text)}.1 "))

    def read(day: str) -> ReadSteps:
        line = frame.format(**slots | {"entry": entry, "day": day})
        return read_steps(model, f"{text[:step]}\n{line}{text[step:]}", find_main(text))

    plain = read_steps(model, text, find_main(text))
    assert read(first.isoformat()) == plain
    assert read(first.replace(year=first.year + 1).isoformat()) != plain


def test_what_only_begins_as_a_void_passage_is_read() -> None:
    void = 'Until 1 May the result is "good" if the age is at least 20.'

    assert void in read_steps(JUDGED, f"{STEP}{void}\n", MAIN).unread


def test_sentences_that_are_no_rules_are_named() -> None:
    before = read_steps(JUDGED, STEP, MAIN).unread
    after = read_steps(JUDGED, f"{STEP}Take your time over it.\n", MAIN).unread

    assert set(after) - set(before) == {"Take your time over it."}


def test_steps_are_numbered_by_the_sections_of_their_parts() -> None:
    model = callers()
    text = render_sop(model, "").as_text()

    numbers = number_steps(model, 6)

    assert {number.partition(".")[0] for number in numbers.values()} == {"6", "7", "8"}
    for step, number in numbers.items():
        assert f"\n{number} {' '.join(model.steps[step].title.split())}\n" in text


def test_a_text_is_read_once_and_again_for_another_model(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[DomainModel] = []

    def count(model: DomainModel, text: str, main: int) -> module.ReadSteps:
        read.append(model)
        return read_steps(model, text, main)

    monkeypatch.setattr(module, "read_steps", count)
    reader, other = StepReader(), without_rules(JUDGED)
    first = reader(JUDGED, STEP, MAIN)

    assert reader(JUDGED, STEP, MAIN) is first
    reader(other, STEP, MAIN)
    assert [item is JUDGED for item in read] == [True, False]
