from __future__ import annotations

from collections.abc import Mapping

import pytest

from sopforge.harness.scoring.agents import (
    OneLetterAgent,
    ReferenceAgent,
    SilentAgent,
    WrongAgent,
    make_wrong_answer,
)
from sopforge.harness.scoring.trajectories import AgentCall, Trajectory
from sopforge.language.logic.tool_calls import Refused
from tests.worlds.small_models import parcel

MODEL = parcel()
INPUTS = {
    "parcel_id": "PX00001",
    "weight": "10.00",
    "fragile": "no",
    "sent_on": "2026-03-01",
    "contents": "Books; Medicine",
}
REPLIES: dict[str, Mapping[str, object] | Refused] = {
    "findParcel": {"service": "Night", "due_on": "no due date"},
    "priceParcel": {"surcharge": 7.5, "service_points": 4},
    "releaseParcel": {"slip_number": "S-0001"},
}


def solved(**replies: Mapping[str, object] | Refused) -> Trajectory:
    """Return what the reference agent does where tools answer as written down."""
    return ReferenceAgent(MODEL).solve(INPUTS, lambda tool, _: {**REPLIES, **replies}[tool])


def test_the_reference_agent_calls_with_plain_values_and_states_all_outcomes() -> None:
    assert solved() == Trajectory(
        (
            AgentCall(
                "findParcel", {"parcel_id": "PX00001", "sent_on": "2026-03-01", "fragile": "no"}
            ),
            AgentCall("priceParcel", {"parcel_id": "PX00001", "weight": 10.0, "service": "Night"}),
            AgentCall("releaseParcel", {"parcel_id": "PX00001", "care": "plain", "surcharge": 7.5}),
        ),
        "<care>plain</care>\n<release>released</release>",
    )


def test_a_refusal_is_in_the_trajectory_and_ends_the_work() -> None:
    trajectory = solved(priceParcel=Refused("unknown_record", "no such parcel"))

    assert [call.refusal for call in trajectory.calls] == ["", "unknown_record"]
    assert "<care>plain</care>" in trajectory.answer


@pytest.mark.parametrize(
    "reply",
    [{}, {"service": "Night"}, {"service": "By balloon", "due_on": "no due date"}],
    ids=["empty", "a field left out", "no value of the field"],
)
def test_a_result_that_is_none_ends_the_work_like_a_refusal(reply: dict[str, object]) -> None:
    trajectory = solved(findParcel=reply)

    assert [call.tool for call in trajectory.calls] == ["findParcel"]
    assert "released" not in trajectory.answer


def test_the_wrong_agent_states_another_label_for_every_outcome() -> None:
    trajectory = WrongAgent(ReferenceAgent(MODEL)).solve(INPUTS, lambda tool, _: REPLIES[tool])

    assert trajectory.calls == solved().calls
    assert trajectory.answer == "<care>careful</care>\n<release>held</release>"


def test_the_other_agents_call_nothing() -> None:
    assert SilentAgent().solve(INPUTS, lambda tool, _: REPLIES[tool]) == Trajectory((), "")
    assert OneLetterAgent(MODEL).solve(INPUTS, lambda tool, _: REPLIES[tool]) == Trajectory(
        (), "<care>e</care>\n<release>e</release>"
    )


def test_another_value_is_never_the_right_one() -> None:
    assert make_wrong_answer(MODEL.fields["care"], "plain") == "careful"
    assert make_wrong_answer(MODEL.fields["care"], "not judged") == "plain"
    assert make_wrong_answer(MODEL.fields["weight"], "5.00") != "5.00"
