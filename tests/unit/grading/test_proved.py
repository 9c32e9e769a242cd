"""What an attempt is graded, worked out by hand for attempts with known mistakes."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from sopforge.harness.environment.events import TOOL_FAULT, UNKNOWN_TOOL, Called, Event, Reply, Said
from sopforge.harness.grading.grades import Attempt, Divergence, DivergenceKind, Grade, Stop
from sopforge.harness.grading.proved import grade_attempt
from sopforge.language.domain.tasks import GoldCall, Task
from sopforge.sandbox.answers import JSON
from tests.worlds.small_models import parcel

MODEL = parcel()
FIND: dict[str, JSON] = {"parcel_id": "PX00001", "sent_on": "2026-03-01", "fragile": "yes"}
PRICE: dict[str, JSON] = {"parcel_id": "PX00001", "weight": Decimal("5.00"), "service": "Night"}
TASK = Task(
    id="task-000001",
    key="fill:1",
    inputs={
        "parcel_id": "PX00001",
        "weight": "5.00",
        "fragile": "yes",
        "sent_on": "2026-03-01",
        "contents": "nothing listed",
    },
    outcomes={"care": "careful", "release": "held"},
    path=("look", "look.1", "hold"),
    rules={"care": ("C1",)},
    calls=(
        GoldCall("findParcel", FIND, {"service": "Night"}),  # type: ignore[arg-type]
        GoldCall("priceParcel", {"parcel_id": "PX00001", "weight": 5.0, "service": "Night"}, {}),
    ),
)
RIGHT = "<care>careful</care><release>held</release>"


def call(tool: str, arguments: dict[str, JSON], refusal: str = "") -> Called:
    """Return a call that was answered, or refused."""
    shown: JSON = {"service": "Night", "due_on": "2026-02-01"}
    return Called(tool, arguments, Reply(shown if not refusal else None, refusal, "so"))


GOLD: tuple[Event, ...] = (call("findParcel", FIND), call("priceParcel", PRICE))


def grade(
    events: tuple[Event, ...] = GOLD, answer: str | None = RIGHT, stop: Stop = Stop.ANSWER
) -> Grade:
    """Return the grade of an attempt."""
    return grade_attempt(MODEL, TASK, Attempt(events, answer, stop))


def test_the_gold_calls_and_the_right_answer_are_right_in_all() -> None:
    found = grade((*GOLD[:1], Said("Next."), *GOLD[1:]))

    assert found == Grade(
        is_complete=True,
        is_right=True,
        outcomes={"care": True, "release": True},
        stated={"care": "careful", "release": "held"},
        intermediates=dict.fromkeys((item.name for item in MODEL.intermediates), True),
        precision=1.0,
        recall=1.0,
        parameters=1.0,
        is_in_order=True,
        is_gold=True,
        calls=2,
        refused=0,
        unknown=0,
        faults=0,
        redundant=0,
        beside=0,
        divergence=Divergence.NONE,
        path=TASK.path,
        expected=TASK.outcomes,
        is_in_needed_order=True,
        distractors=0,
        fabricated=(),
        divergence_kind=DivergenceKind.NONE,
    )


@pytest.mark.parametrize(
    ("answer", "complete", "right"),
    [
        (None, False, False),
        ("", False, False),
        ("<care>careful</care>", False, False),
        ("<care>careful</care><release>perhaps</release>", False, False),
        ("<care>careful</care><release>released</release>", True, False),
        ("<release> held </release> and <care>careful</care>", True, True),
    ],
)
def test_an_answer_is_complete_with_a_value_for_every_outcome(
    answer: str | None,
    complete: bool,  # noqa: FBT001 - a parameter of the test
    right: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    found = grade(answer=answer)

    assert (found.is_complete, found.is_right) == (complete, right)
    assert found.divergence is (Divergence.NONE if right else Divergence.WRONG_ANSWER)


def test_an_agent_that_broke_has_no_complete_answer_whatever_it_said() -> None:
    found = grade(stop=Stop.FAILED)

    assert not found.is_complete
    assert not found.is_right
    assert found.outcomes == {"care": True, "release": True}


@pytest.mark.parametrize(
    ("events", "divergence"),
    [
        ((), Divergence.EARLY_STOP),
        (GOLD[:1], Divergence.EARLY_STOP),
        (GOLD[::-1], Divergence.WRONG_TOOL),
        ((call("findParcel", {**FIND, "fragile": "no"}), GOLD[1]), Divergence.WRONG_PARAMETER),
        ((*GOLD, GOLD[1]), Divergence.FURTHER_CALL),
        # Refused and put right: no divergence.
        ((call("findParcel", {"parcel_id": 3}, "invalid_parameter"), *GOLD), Divergence.NONE),
    ],
)
def test_where_an_attempt_leaves_the_gold_calls_first(
    events: tuple[Event, ...], divergence: Divergence
) -> None:
    assert grade(events).divergence is divergence


def test_tools_are_counted_as_sets_and_calls_one_by_one() -> None:
    events = (
        GOLD[0],
        GOLD[0],
        call("releaseParcel", {"parcel_id": "PX00001"}, "not_covered"),
        call("fnidParcel", {}, UNKNOWN_TOOL),
    )
    found = grade(events)

    # Called: find, release and one that is not there; wanted: find and price.
    assert found.precision == pytest.approx(1 / 3)
    assert found.recall == pytest.approx(1 / 2)
    assert (found.calls, found.refused, found.unknown) == (4, 2, 1)
    assert (found.redundant, found.beside) == (1, 2)
    # Of six gold parameters, the three of the first call were given.
    assert found.parameters == pytest.approx(1 / 2)
    assert not found.is_in_order


def test_calls_that_a_tool_never_answered_are_counted_apart() -> None:
    found = grade((GOLD[0], call("priceParcel", PRICE, TOOL_FAULT), GOLD[1]))

    assert (found.calls, found.refused, found.faults) == (3, 1, 1)
    assert found.is_gold


def test_parameters_are_compared_as_values_of_their_fields() -> None:
    weight: JSON
    for weight, right in ((5, 6), (Decimal("5.0"), 6), ("5.00", 6), (Decimal("5.01"), 5)):
        events = (GOLD[0], call("priceParcel", {**PRICE, "weight": weight}))
        assert grade(events).parameters == pytest.approx(right / 6), weight


def test_what_is_no_value_equals_none() -> None:
    # Labels are held by their numbers, and a missing value as None: neither is a value by itself.
    raw: JSON
    for raw in (0, 1, 2, None, "", []):
        events = (GOLD[0], call("priceParcel", {**PRICE, "service": raw}))
        assert grade(events).parameters == pytest.approx(5 / 6), raw


def test_a_call_stands_for_one_gold_call_at_most() -> None:
    task = replace(TASK, calls=(TASK.calls[0], TASK.calls[0]))
    found = grade_attempt(MODEL, task, Attempt(GOLD[:1], RIGHT, Stop.ANSWER))

    assert found.parameters == pytest.approx(1 / 2)


def test_without_calls_there_is_no_precision() -> None:
    found = grade(())

    assert (found.precision, found.recall, found.parameters) == (None, 0.0, 0.0)
