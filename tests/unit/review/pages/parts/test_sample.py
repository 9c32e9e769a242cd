"""A sample rules out what exact counting says it does, wherever the wrong tasks lie."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest

from review.pages.parts.sample import allocate_shares, count_ruled_out, draw_sample
from sopforge.language.domain.tasks import Task


def task(number: int, *path: str) -> Task:
    return Task(f"task-{number}", f"fill:{number}", {}, {}, path, {}, ())


def worst(groups: Sequence[tuple[int, int]], wrong: int) -> Fraction:
    """Return the greatest probability that all wrong tasks escape, by trying every split."""
    splits = product(*(range(size + 1) for size, _ in groups))
    return max(
        prod(
            (
                Fraction(comb(size - put, looked), comb(size, looked))
                for (size, looked), put in zip(groups, split, strict=True)
            ),
            start=Fraction(1),
        )
        for split in splits
        if sum(split) == wrong
    )


@pytest.mark.parametrize(
    "groups",
    [[(12, 5)], [(8, 3), (6, 3)], [(9, 4), (5, 1), (3, 3)], [(6, 5), (6, 5)], [(7, 0), (7, 7)]],
    ids=str,
)
def test_the_bound_is_the_least_that_exact_counting_gives(groups: list[tuple[int, int]]) -> None:
    total = sum(size for size, _ in groups)
    ruled = [wrong for wrong in range(1, total + 1) if worst(groups, wrong) <= Fraction(1, 20)]

    assert count_ruled_out(groups) == (ruled[0] if ruled else None)


def test_fifty_nine_of_very_many_rule_out_five_percent() -> None:
    """The rule of three: 0.95 ** 59 is the first power of it below 0.05."""
    assert count_ruled_out([(100_000, 59)]) in range(4_900, 5_001)
    assert (count_ruled_out([(100_000, 58)]) or 0) > 5_000


def test_each_path_gives_one_task_before_any_gives_more() -> None:
    assert allocate_shares([90, 8, 2], 3) == [1, 1, 1]
    assert allocate_shares([90, 8, 2], 2) == [1, 1, 0]
    assert allocate_shares([90, 8, 2], 20) == [17, 2, 1]
    assert allocate_shares([3, 2], 50) == [3, 2]


def test_a_sample_is_drawn_from_every_path_and_stays_the_same() -> None:
    tasks = [task(number, "a", "b" if number % 10 else "c") for number in range(200)]
    found = draw_sample(tasks, 20, 7)

    assert found == draw_sample(tasks, 20, 7)
    assert (len(found.tasks), found.paths, found.paths_total) == (20, 2, 2)
    assert sum(item.path == ("a", "c") for item in found.tasks) == 3
    assert {item.id for item in found.tasks} != {
        item.id for item in draw_sample(tasks, 20, 8).tasks
    }
    assert not found.is_all


def test_few_tasks_are_all_looked_at() -> None:
    tasks = [task(number, "a") for number in range(5)]
    found = draw_sample(tasks, 59, 7)

    assert found.is_all
    assert (found.wrong, found.rate) == (1, "20.0")


def test_a_path_without_a_task_in_it_rules_nothing_out_there() -> None:
    tasks = [task(number, f"p{number}") for number in range(30)]

    assert draw_sample(tasks, 20, 7).wrong == 11
