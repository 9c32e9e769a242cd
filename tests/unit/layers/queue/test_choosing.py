"""What sessions count, chosen by how often labels come up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sopforge.harness.layers.queue.choosing import Known, choose_rules
from sopforge.harness.layers.queue.tallies import Total
from sopforge.language.domain.model import DomainModel
from tests.worlds.small_models import dispatch, judged, observed

JUDGED = judged(
    {"age": observed(0, 50)}, {"R1": ("age >= 30", "good"), "R2": ("age >= 10", "fair")}
)


def list_counted(model: DomainModel, outcomes: Sequence[Mapping[str, str]]) -> list[str]:
    """Return what is counted in sessions of tasks that come to some outcomes."""
    inputs = {item.name: "" for item in model.inputs}
    tasks = [Known(inputs, found, calls=1, has_acted=False) for found in outcomes]
    return [
        f"{item.name} {item.outcome} {'the sum' if isinstance(item, Total) else item.label}"
        for item in choose_rules(model, tasks, 5).counters
    ]


def test_labels_are_counted_the_one_nearest_to_half_first_but_for_the_last() -> None:
    labels = ["good"] * 5 + ["fair"] * 3 + ["poor"] * 2

    assert list_counted(JUDGED, [{"result": label} for label in labels]) == [
        "count_1 result good",
        "count_2 result fair",
    ]


def test_outcomes_take_turns_the_primary_one_first() -> None:
    model = dispatch()
    labels = ["a", "a", "a", "a", "b", "b", "b", "c", "c", "d"]
    found = list_counted(model, [{item.name: label for item in model.outcomes} for label in labels])

    # Half of ten is five: four are nearer to it than three, and three than two.
    assert found == [
        "count_1 consent a",
        "count_2 team a",
        "count_3 crew a",
        "count_4 van a",
        "count_5 consent b",
        "count_6 team b",
    ]


def test_a_number_is_added_up_in_its_turn_if_some_case_has_one() -> None:
    model = dispatch()
    labels = {item.name: "a" for item in model.outcomes}

    found = list_counted(model, [{**labels, "rank": "3"}, {**labels, "rank": "none"}])

    assert found == [
        "count_1 consent a",
        "count_2 team a",
        "count_3 rank the sum",
        "count_4 crew a",
        "count_5 van a",
    ]
