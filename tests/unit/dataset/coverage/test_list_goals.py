"""Goals of lists that are made: what can become of the entries, and which mistake each is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.rules import Formula, Table
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import evaluate, holds
from sopforge.language.logic.variants.slots import collect_slots
from sopforge.proof.dataset.coverage.goals.goal import Goal, GoalKind
from sopforge.proof.dataset.coverage.goals.list_goals import build_list_goals
from sopforge.proof.solving.unfolding import unfold

PATH = Path(__file__).parents[3] / "domains" / "repairs.yaml"
MODEL = read_brief(PATH.read_text(encoding="utf-8"), PATH.name).model
EARLY, LATE = 1_065_105_180, 1_065_119_580  # 10 and 20 February 2026, 09:00


def item(seen_at: int) -> dict[str, int | str]:
    return {
        "part": 0,
        "serial": "S000",
        "cost": 60_00,
        "hours": 9,
        "is_covered": 0,
        "tags": 0,
        "seen_at": seen_at,
    }


def row(*moments: int) -> dict[str, Value | None]:
    return {
        "rental_id": "T000000",
        "member": 0,
        "grade": 0,
        "damages": tuple(map(item, moments)),
    }


@pytest.fixture(scope="module")
def goals() -> dict[str, Goal]:
    found = build_list_goals(MODEL, unfold(MODEL), collect_slots(MODEL))
    return {goal.id: goal for goal in found}


def test_each_list_is_asked_for_with_all_that_can_become_of_its_entries(
    goals: dict[str, Goal],
) -> None:
    names = ("some", "left out", "none", "full")
    assert list(goals) == [
        f"list {target}, {name}" for target in ("repairs", "orders", "notes") for name in names
    ]
    assert {goal.kind for goal in goals.values()} == {GoalKind.LIST}
    assert goals["list notes, full"].words == (
        "in formula notes, as many entries are listed as there can be"
    )


MOMENTS = {
    "no entry": ((), {"none"}),
    "none kept": ((LATE,), {"left out", "none"}),
    "one of two kept": ((LATE, EARLY), {"some", "left out"}),
    "all of two kept": ((EARLY, EARLY), {"some"}),
    "all that there can be": ((EARLY, EARLY, EARLY), {"some", "full"}),
}


@pytest.mark.parametrize(("moments", "met"), MOMENTS.values(), ids=MOMENTS)
def test_a_goal_occurs_where_its_words_say(
    moments: tuple[int, ...], met: set[str], goals: dict[str, Goal]
) -> None:
    """Every damage costs so much that the case comes to the step that notes the early ones."""
    on_row = row(*moments)
    found = {
        name
        for name in ("some", "left out", "none", "full")
        if holds(goals[f"list notes, {name}"].condition, on_row)
    }

    assert found == met


def test_the_mistakes_are_lists_that_are_wrong_where_the_goal_occurs(
    goals: dict[str, Goal],
) -> None:
    decision = MODEL.decisions["notes"]
    assert isinstance(decision, Formula)
    some, left_out, none, full = (
        goals[f"list notes, {name}"] for name in ("some", "left out", "none", "full")
    )
    two, three = row(LATE, EARLY), row(EARLY, EARLY, EARLY)

    def made(goal: Goal, place: int = 0) -> object:
        wrong = goal.wrong[place].decisions["notes"]
        assert isinstance(wrong, Formula)
        return evaluate(wrong.value, three if goal is full else row(LATE) if goal is none else two)

    assert evaluate(decision.value, two) == ({"part": 0},)
    assert made(some) == ()
    assert made(left_out) == ({"part": 0}, {"part": 0})
    assert made(none) == ({"part": 0},)
    assert made(full) == ()
    unanswered = none.wrong[1].decisions["notes"]
    assert isinstance(unanswered, Table)
    assert [rule.when is None for rule in unanswered.rules] == [False]
