"""Another name of a tool is as good as the tool."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sopforge.artifacts.complexity.levels import apply_doses
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.harness.scoring.agents import Call, ReferenceAgent
from sopforge.harness.scoring.model_tools import make_tool_caller
from sopforge.harness.scoring.trajectories import AgentCall, Score, Trajectory, score_trajectory
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task
from sopforge.language.logic.tool_calls import Refused
from sopforge.proof.dataset.coverage.drawing import redraw
from sopforge.proof.dataset.sampling.rows import DrawnRow
from sopforge.proof.dataset.tasks.writing import as_task
from tests.worlds.small_models import claims, parcel

DOSES = {"equivalent_tools": 8, "partial_tools": 2, "superseded_tools": 2, "general_tools": 4}


def harder(plain: DomainModel) -> DomainModel:
    return apply_doses(Variant(plain, render_sop(plain, "")), DOSES, 7).model


def twins(model: DomainModel) -> dict[str, str]:
    return {tool.same_as: tool.name for tool in model.tools.values() if tool.same_as}


def calling_twins(call: Call, model: DomainModel) -> Call:
    """Return a call that reaches each tool under its other name."""
    other = twins(model)

    def called(name: str, sent: Mapping[str, object]) -> Mapping[str, object] | Refused:
        return call(other[name], sent)

    return called


@pytest.mark.parametrize("plain", [parcel(), claims()], ids=["parcel", "claims"])
def test_the_reference_agent_is_right_with_equivalent_tools(plain: DomainModel) -> None:
    model = harder(plain)
    agent, other = ReferenceAgent(model), twins(model)
    drawn = redraw(model, 7, [DrawnRow(f"task-{n}", f"fill:{n}", n, {}) for n in range(40)])
    for item in (item for item in drawn if item.walk.refusal is None):
        task = as_task(model, item, 20)
        trajectory = agent.solve(
            task.inputs, calling_twins(make_tool_caller(model, item.row), model)
        )
        renamed = [AgentCall(other[c.tool], c.arguments, c.refusal) for c in trajectory.calls]

        found = score_trajectory(model, task, Trajectory(tuple(renamed), trajectory.answer))

        assert found == Score(found.outcomes, True, found.intermediates)  # noqa: FBT003 - the claim
        assert found.is_right


def test_a_partial_tool_is_no_other_name() -> None:
    model = harder(parcel())
    task, trajectory = solved(model)
    parts = ({"service"}, {"due_on"})
    part = next(tool for tool in model.tools.values() if set(tool.returns) in parts)
    wrong = [AgentCall(part.name, trajectory.calls[0].arguments), *trajectory.calls[1:]]

    assert not score_trajectory(
        model, task, Trajectory(tuple(wrong), trajectory.answer)
    ).is_trajectory_gold


def solved(model: DomainModel) -> tuple[Task, Trajectory]:
    (item,) = redraw(model, 7, [DrawnRow("task-0", "fill:0", 0, {})])
    task = as_task(model, item, 20)
    return task, ReferenceAgent(model).solve(task.inputs, make_tool_caller(model, item.row))
