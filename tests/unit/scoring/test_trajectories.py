from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.harness.scoring.trajectories import (
    AgentCall,
    Trajectory,
    read_answer,
    score_trajectory,
    write_answer,
)
from sopforge.language.domain.tasks import GoldCall, Task
from tests.worlds.small_models import parcel

MODEL = parcel()
TASK = Task(
    id="task-000001",
    key="fill:1",
    inputs={"parcel_id": "PX00001"},
    outcomes={"care": "careful", "release": "held"},
    path=("look", "look.1", "hold"),
    rules={"care": ("C1",)},
    calls=(
        GoldCall("findParcel", {"parcel_id": "PX00001", "fragile": "yes"}, {"service": "Night"}),
        GoldCall("priceParcel", {"parcel_id": "PX00001", "weight": 5.0}, {"surcharge": 0.0}),
    ),
)
GOLD = tuple(AgentCall(call.tool, call.arguments) for call in TASK.calls)


def is_right(answer: str) -> bool:
    return score_trajectory(MODEL, TASK, Trajectory((), answer)).is_right


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("<care>careful</care><release>held</release>", id="bare"),
        pytest.param("<release>held</release>\n<care>careful</care>", id="other order"),
        pytest.param("<care> careful </care>\n<release>\nheld\n</release>", id="blanks around"),
        pytest.param(
            "I found glass.\n<care>careful</care> and so <release>held</release>. Done.",
            id="text around",
        ),
        pytest.param("<results><care>careful</care><release>held</release></results>", id="nested"),
        pytest.param(
            "<care>plain</care> No: <care>careful</care><release>held</release>", id="corrected"
        ),
    ],
)
def test_the_right_values_count_wherever_the_elements_stand(answer: str) -> None:
    assert is_right(answer)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("", id="silence"),
        pytest.param("careful, held", id="no elements"),
        pytest.param("<care>careful</care>", id="one outcome left out"),
        pytest.param("<care>plain</care><release>held</release>", id="another label"),
        pytest.param("<care>Careful</care><release>held</release>", id="case"),
        pytest.param("<care>HELD</care><release>CAREFUL</release>", id="changed places"),
        pytest.param("<care>be careful</care><release>held</release>", id="contains the label"),
        pytest.param("<care>care</care><release>held</release>", id="part of the label"),
        pytest.param("<care>e</care><release>e</release>", id="one letter"),
        pytest.param("<care>careful plain</care><release>held</release>", id="both labels"),
        pytest.param("<care>careful.</care><release>held</release>", id="a full stop"),
        pytest.param('<care>"careful"</care><release>held</release>', id="quotes"),
        pytest.param("<care></care><release></release>", id="empty elements"),
        pytest.param("<care>not judged</care><release>held</release>", id="word for missing"),
        pytest.param("<care>1</care><release>1</release>", id="positions"),
        pytest.param("<Care>careful</Care><release>held</release>", id="name in other case"),
        pytest.param("<care>careful</cure><release>held</release>", id="element not closed"),
        pytest.param(
            "<care>careful</care><care>plain</care><release>held</release>", id="taken back"
        ),
        pytest.param("<care><b>careful</b></care><release>held</release>", id="inner element"),
    ],
)
def test_anything_but_the_exact_values_is_wrong(answer: str) -> None:
    assert not is_right(answer)


def test_the_word_for_missing_is_right_where_nothing_was_decided() -> None:
    task = replace(TASK, outcomes={"care": "not judged", "release": "held"})

    right = Trajectory((), "<care>not judged</care><release>held</release>")
    absent = Trajectory((), "<release>held</release>")

    assert score_trajectory(MODEL, task, right).is_right
    assert not score_trajectory(MODEL, task, absent).is_right


SCORED = parcel(("surcharge: {role: derived,", "surcharge: {role: derived, scored: true,"))


@pytest.mark.parametrize(
    ("expected", "stated", "is_right"),
    [
        ("7.5000", "<surcharge>7.5000</surcharge>", True),
        ("7.5000", "<surcharge>7.5</surcharge>", True),
        ("7.5000", "<surcharge>7.6</surcharge>", False),
        ("7.5000", "<surcharge>a lot</surcharge>", False),
        ("7.5000", "", False),
        (None, "", True),
        (None, "<surcharge>7.5</surcharge>", False),
    ],
)
def test_scored_values_are_reported_and_decide_no_answer(
    expected: str | None,
    stated: str,
    is_right: bool,  # noqa: FBT001 - the claim of the example
) -> None:
    task = replace(TASK, intermediates={} if expected is None else {"surcharge": expected})
    answer = f"<care>careful</care><release>held</release>{stated}"

    found = score_trajectory(SCORED, task, Trajectory((), answer))

    assert found.intermediates == {"surcharge": is_right}
    assert found.are_intermediates_right is is_right
    assert found.is_right


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        pytest.param(GOLD, True, id="gold"),
        pytest.param(GOLD[::-1], False, id="other order"),
        pytest.param(GOLD[:1], False, id="one left out"),
        pytest.param((*GOLD, GOLD[0]), False, id="one twice"),
        pytest.param((), False, id="none"),
        pytest.param((replace(GOLD[0], tool="priceParcel"), GOLD[1]), False, id="other tool"),
        pytest.param(
            (replace(GOLD[0], arguments={"parcel_id": "PX00001", "fragile": "no"}), GOLD[1]),
            False,
            id="other argument",
        ),
        pytest.param(
            (replace(GOLD[0], arguments={"parcel_id": "PX00002"}, refusal="no"), *GOLD),
            True,
            id="a refused call before",
        ),
    ],
)
def test_the_trajectory_is_gold_only_call_by_call(
    calls: tuple[AgentCall, ...],
    expected: bool,  # noqa: FBT001 - the claim of the example
) -> None:
    assert score_trajectory(MODEL, TASK, Trajectory(calls, "")).is_trajectory_gold is expected


def test_an_answer_is_read_as_it_was_written() -> None:
    outcomes = {"care": "careful", "release": "not held, but > 5 & more"}

    assert read_answer(write_answer({"care": "careful"})) == {"care": "careful"}
    assert read_answer(write_answer(outcomes))["care"] == "careful"
