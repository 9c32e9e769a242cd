"""What holds on arrival at a step: checked against walks, and by hand where cases leave."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.language.domain.expressions.expressions import Constant
from sopforge.language.domain.model import DomainModel, Edge, Step
from sopforge.language.domain.procedure.known_fields import map_known_fields
from sopforge.language.logic.readings.scalar import holds
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.arrivals import iterate_leaving_edges, list_arrival_conditions
from tests.worlds.small_models import claims, orders, parcel, warranty

ROOT = Path(__file__).parents[3]
COUNTER = load_brief(ROOT / "briefs" / "tables" / "bank_counter.yaml").model
WORLDS = {
    "parcel": parcel(),
    "claims": claims(),
    "orders": orders(),
    "warranty": warranty(),
    "counter": COUNTER,
}


def holds_on_all_walks(model: DomainModel, drawn: int) -> int:
    """Return how many conditions were looked at, each of which holds where a walk comes to it."""
    conditions = {
        step.id: list_arrival_conditions(model, step)
        for step in model.steps.values()
        if step.id in map_known_fields(model)
    }
    seen = 0
    for row in sample_rows(model, 3, range(drawn)):
        if all(holds(test, row) for test in model.constraints):
            done = label_row(model, row)
            for name in conditions.keys() & set(done.path):
                for condition in conditions[name]:
                    seen += 1
                    assert holds(condition, {**row, **done.known}), name
    return seen


@pytest.mark.parametrize("model", WORLDS.values(), ids=WORLDS)
def test_every_walk_meets_what_holds_on_arrival(model: DomainModel) -> None:
    assert holds_on_all_walks(model, 300) > 0


def find_leaving(model: DomainModel, step: str) -> list[str]:
    return [edge.id for edge in iterate_leaving_edges(model, model.steps[step])]


def test_late_parcels_are_held_and_so_come_to_no_price() -> None:
    model = parcel()
    late = {"sent_on": 20, "due_on": 16}  # three days are forgiven
    in_time = {"sent_on": 19, "due_on": 16}

    (condition,) = list_arrival_conditions(model, model.steps["price"])

    assert not holds(condition, late)
    assert holds(condition, in_time)
    assert find_leaving(model, "price") == find_leaving(model, "let_go") == ["look.1"]


def test_on_the_first_step_and_where_all_others_go_nothing_is_certain() -> None:
    model = parcel()

    assert find_leaving(model, "look") == []
    assert list_arrival_conditions(model, model.steps["look"]) == []
    # Whoever is held met the condition; no edge before it leads elsewhere.
    assert find_leaving(model, "hold") == []
    (condition,) = list_arrival_conditions(model, model.steps["hold"])
    assert holds(condition, {"sent_on": 20, "due_on": 16})
    assert not holds(condition, {"sent_on": 19, "due_on": 16})


def with_look(step: Step) -> DomainModel:
    model = parcel()
    return replace(model, steps={**model.steps, "look": step})


def test_a_loop_that_comes_back_keeps_no_case_away() -> None:
    look = parcel().steps["look"]
    late, other = look.edges
    used_up = replace(late, to="look", bound=1, then="price")
    never = replace(late, to="look", bound=1, then="hold")

    assert find_leaving(with_look(replace(look, edges=(used_up, other))), "price") == []
    # After the loop the case may still come to the price: its edges are asked once more.
    assert find_leaving(with_look(replace(look, edges=(never, other))), "price") == []


def test_what_follows_on_an_edge_that_may_lead_on_keeps_no_case_away_for_certain() -> None:
    look = parcel().steps["look"]
    late, other = look.edges
    on, back = replace(late, to="price"), replace(other, to="hold")
    model = with_look(replace(look, edges=(on, back)))

    assert find_leaving(model, "price") == []
    (condition,) = list_arrival_conditions(model, model.steps["price"])
    assert holds(condition, {"sent_on": 20, "due_on": 16})
    assert not holds(condition, {"sent_on": 19, "due_on": 16})


def test_a_refused_call_that_leads_on_asks_no_edge() -> None:
    look = parcel().steps["look"]
    refused = Edge("look", "closed", "price", None)
    model = with_look(replace(look, refusals={"closed": refused}))

    assert list_arrival_conditions(model, model.steps["price"]) == []


def test_what_an_action_changes_may_be_another_thing_by_then() -> None:
    model = parcel()
    later = Constant(model.fields["due_on"].type, 90)
    release = replace(model.tools["releaseParcel"], effects={"due_on": later})
    changed = replace(model, tools={**model.tools, "releaseParcel": release})

    assert list_arrival_conditions(changed, changed.steps["price"]) == []


def test_a_step_that_some_paths_leave_out_keeps_no_case_away() -> None:
    model = parcel()
    start = replace(model.steps["look"], id="first", edges=(Edge("first", "1", "price", None),))
    steps = {**model.steps, "first": start}

    assert list_arrival_conditions(replace(model, start="first", steps=steps), steps["price"]) == []
