from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.documents.schema import DatasetDocument
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.coverage.drawing import Draw, draw_tasks, redraw
from sopforge.proof.dataset.sampling.rows import read_rows, write_rows
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from tests.worlds.small_models import NEVER_REFUSED, condition, parcel


def parcels(*changes: tuple[str, str]) -> DomainModel:
    """Return a model of parcels of which none is refused: each case is held, or done."""
    return parcel(*NEVER_REFUSED, *changes)


MODEL = parcels()
PLAIN = "        colour: {role: distractor"


def ask(samples: int, seed: int = 3, mix: str = "balanced") -> DatasetDocument:
    return DatasetDocument.model_validate({"n_samples": samples, "seed": seed, "mix": mix})


@cache
def drawn(samples: int, mix: str = "balanced") -> Draw:
    """Return a draw of the model, which several tests look at."""
    return draw_tasks(MODEL, ask(samples, mix=mix))


@pytest.mark.parametrize(
    ("many", "mix"),
    [
        *((many, "balanced") for many in (60, 201, 450)),
        (450, "natural"),
        (450, "outcomes"),
    ],
)
def test_more_samples_only_add_tasks_among_those_of_fewer(many: int, mix: str) -> None:
    few, more = (drawn(samples, mix=mix).tasks for samples in (50, many))

    assert len(more) == many
    assert [task for task in more if task.id in {item.id for item in few}] == list(few)


def test_the_ids_do_not_follow_the_draw() -> None:
    tasks = drawn(300).tasks

    filling = sorted((task.number, task.id) for task in tasks if task.key.startswith("fill:"))
    rises = sum(first < second for (_, first), (_, second) in pairwise(filling))
    assert 0.3 < rises / len(filling) < 0.7


def test_the_place_of_a_task_does_not_reveal_its_path() -> None:
    tasks = [task for task in drawn(200).tasks if task.key.startswith("fill:")]
    ends = [task.walk.path[-1] for task in tasks]

    pairs = [ends[place : place + 2] for place in range(0, 150, 2)]
    first = sum(pair == ["hold", "done"] for pair in pairs)
    second = sum(pair == ["done", "hold"] for pair in pairs)
    alike = sum(pair[0] == pair[1] for pair in pairs)
    assert first > 10
    assert second > 10
    # By turns of all answers, who knows one of a pair would know the other.
    assert alike > 25


def test_a_further_field_leaves_all_other_columns_as_they_were() -> None:
    line = "        depot: {role: input, type: string, pool: [North, South], description: x}\n"
    wider = parcels((PLAIN, line + PLAIN))

    plain, other = drawn(50).tasks, draw_tasks(wider, ask(50)).tasks

    assert [task.key for task in plain] == [task.key for task in other]
    (added,) = set(other[0].row) - set(plain[0].row)
    stripped = [{k: v for k, v in task.row.items() if k != added} for task in other]
    assert stripped == [dict(task.row) for task in plain]
    assert len({task.row[added] for task in other}) > 1


def test_equal_requests_give_equal_tasks_and_other_seeds_others() -> None:
    assert draw_tasks(MODEL, ask(30)).tasks == draw_tasks(MODEL, ask(30)).tasks
    assert draw_tasks(MODEL, ask(30)).tasks != draw_tasks(MODEL, ask(30, seed=4)).tasks


def test_too_few_samples_are_refused_with_the_number_that_is_needed() -> None:
    """Up to twice as many as were asked for are made for the sake of the goals."""
    with pytest.raises(MaterialError) as caught:
        draw_tasks(MODEL, ask(1))

    (fault,) = caught.value.faults
    needed = int(fault.message.partition(": ")[0].split()[-1])
    counts = [int(part.split()[0]) for part in fault.message.partition(": ")[2].split(", ")]
    least = -(-needed // 2)
    assert fault.code == "n-samples-too-small"
    assert fault.message.startswith(
        f"1 tasks were asked for, but covering every goal needs {needed}: "
    )
    assert " for rules" in fault.message
    assert sum(counts) == needed
    assert counts == sorted(counts, reverse=True)
    assert f"write n_samples: {least} or more" in fault.hint
    for samples in (least, needed):
        assert len(draw_tasks(MODEL, ask(samples)).tasks) == needed
    with pytest.raises(MaterialError):
        draw_tasks(MODEL, ask(least - 1))


def test_a_model_that_few_rows_fit_is_refused_with_the_numbers() -> None:
    tight = replace(MODEL, constraints=(condition(MODEL, "weight < 0.01"),))

    with pytest.raises(MaterialError) as caught:
        draw_tasks(tight, ask(500))

    (fault,) = caught.value.faults
    assert fault.code == "too-few-rows"
    assert fault.message.startswith("500 tasks were asked for, but only ")
    assert fault.message.endswith("of 16000 rows fit the model")


def test_rows_stop_where_unique_texts_run_out() -> None:
    scarce = parcels(('pattern: "PX[0-9]{5}"', 'pattern: "PX[0-9]{2}"'))

    draw = draw_tasks(scarce, ask(30))

    assert draw.attempts == 50  # the other texts are for the rows of goals
    assert len({task.row["parcel_id"] for task in draw.tasks}) == 30


def test_the_pattern_that_ends_the_rows_is_named() -> None:
    """Half of so few texts are kept for goals, and all rows fit: 101 tasks need twice as many."""
    scarce = parcels(('pattern: "PX[0-9]{5}"', 'pattern: "PX[0-9]{2}"'))

    with pytest.raises(MaterialError) as caught:
        draw_tasks(scarce, ask(101))

    (fault,) = caught.value.faults
    assert fault.hint == ("let 'parcel_id' have 202 texts, not 100: some are kept for goals' rows")


def test_rows_that_break_a_constraint_or_are_refused_are_counted() -> None:
    constrained = replace(parcel(), constraints=(condition(MODEL, "weight >= 20"),))

    draw = draw_tasks(constrained, ask(20))

    assert all(task.row["weight"] in range(2000, 4001) for task in draw.tasks)
    # From 20 kg the surcharge is above 10, so that the other refusal cannot happen.
    assert set(draw.rejected) == {"a constraint does not hold", "a tool refuses with too_dear"}
    assert all(task.walk.refusal is None for task in draw.tasks)


def test_a_balanced_mix_takes_the_paths_in_turn() -> None:
    """The rows that fill; those that cover are as many as the goals need."""
    tasks = drawn(100).tasks
    ends = [task.walk.path[-1] for task in tasks if task.key.startswith("fill:")]

    assert len(ends) > 50
    assert abs(ends.count("hold") - ends.count("done")) <= 1


def test_a_mix_over_outcomes_takes_the_answers_in_turn() -> None:
    tasks = drawn(100, mix="outcomes").tasks
    primary = MODEL.primary
    answers = Counter(
        task.walk.known.get(primary.name) for task in tasks if task.key.startswith("fill:")
    )

    assert len(answers) > 1
    assert max(answers.values()) - min(answers.values()) <= 1


def test_rows_are_mixed_by_the_outcomes_that_they_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of procedures that are too long to be read over columns."""
    by_columns = draw_tasks(MODEL, ask(80, mix="outcomes")).tasks

    def too_long(*_: object) -> None:
        raise TooManyStepsError

    monkeypatch.setattr("sopforge.proof.dataset.sampling.filling.label_columns", too_long)
    assert draw_tasks(MODEL, ask(80, mix="outcomes")).tasks == by_columns


def test_every_attempt_is_accounted_for() -> None:
    draw = drawn(100)

    filling = sum(task.key.startswith("fill:") for task in draw.tasks)
    assert draw.attempts == 4_000
    assert draw.attempts - filling - sum(draw.rejected.values()) > 1_000


def test_a_natural_mix_keeps_the_share_of_the_paths() -> None:
    tasks = drawn(200, mix="natural").tasks

    draws = [task.number for task in tasks if task.key.startswith("fill:")]
    assert len(draws) > 70
    assert max(draws) < 400


def test_a_task_is_drawn_again_from_its_row() -> None:
    tasks = drawn(60).tasks

    assert tuple(redraw(MODEL, 3, read_rows(MODEL, write_rows(MODEL, tasks)))) == tasks
