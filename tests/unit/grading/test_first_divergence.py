"""What is wrong first, for attempts with one planted mistake each."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.harness.environment.events import TOOL_FAULT, UNKNOWN_TOOL, Called, Event, Reply
from sopforge.harness.grading.grades import Attempt, Divergence, DivergenceKind, Stop
from sopforge.harness.grading.proved import grade_attempt
from tests.worlds.parcel_attempts import (
    COST,
    FIND,
    GO,
    LET_GO,
    LOOK,
    MODEL,
    PRICE,
    READ,
    RIGHT,
    SLIP,
    TASK,
    call,
    grade,
)

HELD = "<care>plain</care><release>held</release>"
HEAVIER = call("priceParcel", {**PRICE, "weight": Decimal("12.00")})
CAREFUL = call("releaseParcel", {**LET_GO, "care": "careful"}, "not_covered")
OTHERWISE = call("releaseParcel", {**LET_GO, "care": "careful"})
IN_ITS_PLACE = "releaseParcel was called in its place; the right call of releaseParcel was not made"
REFUSED = call("releaseParcel", LET_GO, "too_dear")


@pytest.mark.parametrize(
    ("events", "answer", "expected"),
    [
        pytest.param(
            (LOOK, READ, HEAVIER),
            HELD,
            (
                "fabricated parameter",
                "price: priceParcel.weight",
                "10.0 is right, 12.00 was given",
            ),
            id="a weight that stands nowhere",
        ),
        pytest.param(
            (LOOK, READ, call("priceParcel", {**PRICE, "parcel_id": "Books"}, "invalid_parameter")),
            HELD,
            (
                "wrong parameter",
                "price: priceParcel.parcel_id",
                '"PX00001" is right, "Books" was given',
            ),
            id="a value of another field",
        ),
        pytest.param(
            (LOOK, READ, COST, CAREFUL),
            "<care>plain</care>",
            (
                "wrong value",
                "let_go: releaseParcel.care",
                '"plain" is right, "careful" was given (care.C2)',
            ),
            id="an argument that a rule decides",
        ),
        pytest.param(
            (LOOK, READ, COST, CAREFUL),
            "<care>careful</care><release>held</release>",
            ("wrong rule", "look: care.C2", '"plain" is right, "careful" was stated'),
            id="a rule misapplied before the call for which that matters",
        ),
        pytest.param(
            (LOOK, READ, COST, GO),
            "<care>careful</care><release>held</release>",
            ("wrong rule", "look: care.C2", '"plain" is right, "careful" was stated'),
            id="two wrong outcomes, of which the first in the procedure counts",
        ),
        pytest.param(
            (LOOK, READ, COST, GO),
            HELD,
            ("wrong rule", "done: release by let_go.1", '"released" is right, "held" was stated'),
            id="a wrong end",
        ),
        pytest.param(
            (LOOK, READ, call("findCanteen", SLIP), call("findParcel", FIND), COST, GO),
            HELD,
            ("wrong rule", "done: release by let_go.1", '"released" is right, "held" was stated'),
            id="calls that change nothing are not what is wrong",
        ),
        pytest.param(
            (LOOK, READ),
            HELD,
            ("early stop", "price: priceParcel", ""),
            id="an end before the price",
        ),
        pytest.param(
            (LOOK,),
            HELD,
            ("wrong rule", "look: release", '"released" is right, "held" was stated'),
            id="the edge to another end",
        ),
        pytest.param(
            (LOOK, READ),
            "<care>not judged</care><release>held</release>",
            ("early stop", "price: priceParcel", ""),
            id="an end before the price, with a decision left open",
        ),
        pytest.param(
            (LOOK, READ, call("priceParcel", PRICE, TOOL_FAULT)),
            HELD,
            ("early stop", "price: priceParcel", "the tool gave no answer"),
            id="a tool that died",
        ),
        pytest.param(
            (LOOK, READ, call("findCanteen", SLIP)),
            HELD,
            ("wrong tool", "price: priceParcel", "findCanteen was called in its place"),
            id="another tool",
        ),
        pytest.param(
            (LOOK, READ, call("pirceParcel", PRICE, UNKNOWN_TOOL)),
            HELD,
            ("wrong tool", "price: priceParcel", "pirceParcel was called in its place"),
            id="a tool that there is not",
        ),
        pytest.param(
            (LOOK, COST, GO, READ),
            HELD,
            ("wrong tool", "slip: readSlip", "releaseParcel was called in its place"),
            id="an action before what comes before it",
        ),
        pytest.param(
            (COST, LOOK, READ, GO),
            HELD,
            (
                "wrong tool",
                "price: priceParcel",
                "it was called before a call that it needs",
            ),
            id="a call before that which its argument comes from",
        ),
        pytest.param(
            (LOOK, READ, COST, GO), None, ("no answer", "", "gave up"), id="nothing stated"
        ),
        pytest.param(
            (LOOK, READ, COST, GO),
            "<care>plain</care><release>perhaps</release>",
            ("malformed answer", "release", '"perhaps" is none of its values'),
            id="no label",
        ),
        pytest.param(
            (LOOK, READ, COST, GO),
            "<care>plain</care>",
            ("malformed answer", "release", "it is not stated"),
            id="an outcome left out",
        ),
    ],
)
def test_what_a_wrong_attempt_gets_wrong_first(
    events: tuple[Event, ...], answer: str | None, expected: tuple[str, str, str]
) -> None:
    found = grade(*events, answer=answer, stop=Stop.GAVE_UP if answer is None else Stop.ANSWER)

    assert not found.is_right
    assert (found.divergence_kind, found.divergence_at, found.divergence_says) == expected


@pytest.mark.parametrize(
    ("events", "kind", "in_order", "in_needed_order"),
    [
        pytest.param((LOOK, READ, COST, GO), "none", True, True, id="gold"),
        pytest.param((READ, LOOK, COST, GO), "none", False, True, id="two that need nothing"),
        pytest.param((LOOK, COST, READ, GO), "none", False, True, id="one that nothing needs"),
        pytest.param((COST, LOOK, READ, GO), "wrong tool", False, False, id="before its source"),
        pytest.param((LOOK, COST, GO, READ), "wrong tool", False, False, id="after an action"),
        pytest.param((LOOK, READ, COST, GO, LOOK), "further call", True, True, id="once more"),
        pytest.param(
            (LOOK, COST, GO), "wrong tool", False, False, id="without one that nothing needs"
        ),
        pytest.param((GO,), "wrong tool", False, False, id="acted without a look"),
        pytest.param(
            (call("seekParcel", FIND), READ, COST, GO), "none", True, True, id="another name"
        ),
        pytest.param(
            (call("findParcel", {"parcel_id": "?"}, "invalid_parameter"), LOOK, READ, COST, GO),
            "none",
            True,
            True,
            id="refused and put right",
        ),
    ],
)
def test_right_answers_are_judged_by_their_calls_too(
    events: tuple[Event, ...],
    kind: str,
    in_order: bool,  # noqa: FBT001 - a parameter of the test
    in_needed_order: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    found = grade(*events)

    assert found.is_right
    assert found.divergence_kind == kind
    assert (found.is_in_order, found.is_in_needed_order) == (in_order, in_needed_order)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        pytest.param(
            (),
            ("early stop", "look: findParcel", "the right call of releaseParcel was not made"),
            id="guessed",
        ),
        pytest.param(
            (LOOK, READ, COST), ("early stop", "let_go: releaseParcel", ""), id="not acted"
        ),
        pytest.param(
            (LOOK, READ, COST, GO, GO), ("further call", "releaseParcel", ""), id="acted twice"
        ),
        pytest.param(
            (LOOK, READ, COST, OTHERWISE, GO),
            (
                "wrong value",
                "let_go: releaseParcel.care",
                '"plain" is right, "careful" was given (care.C2)',
            ),
            id="acted otherwise, and then right",
        ),
        pytest.param(
            (LOOK, OTHERWISE),
            (
                "wrong tool",
                "slip: readSlip",
                IN_ITS_PLACE,
            ),
            id="acted otherwise, and too soon",
        ),
        pytest.param(
            (LOOK, READ, COST, call("releaseParcel", LET_GO, TOOL_FAULT)),
            ("early stop", "let_go: releaseParcel", "the tool gave no answer"),
            id="the tool broke",
        ),
    ],
)
def test_right_answers_are_not_enough_where_something_had_to_be_done(
    events: tuple[Event, ...], expected: tuple[str, str, str]
) -> None:
    found = grade(*events)

    assert all(found.outcomes.values())
    assert not found.is_right
    assert (found.divergence_kind, found.divergence_at, found.divergence_says) == expected


@pytest.mark.parametrize(
    ("events", "right"),
    [
        pytest.param((LOOK, READ, COST), False, id="not tried"),
        pytest.param((LOOK, READ, COST, GO), False, id="done"),
        pytest.param((LOOK, READ, COST, CAREFUL), False, id="another one refused"),
        pytest.param((LOOK, READ, COST, CAREFUL, REFUSED), True, id="tried, corrected"),
        pytest.param((LOOK, READ, COST, REFUSED, REFUSED), True, id="tried twice"),
    ],
)
def test_an_act_that_is_refused_has_to_be_tried(
    events: tuple[Event, ...],
    right: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    last = replace(TASK.calls[-1], result={}, refusal="too_dear")
    task = replace(TASK, calls=(*TASK.calls[:-1], last))

    found = grade_attempt(MODEL, task, Attempt(events, RIGHT, Stop.ANSWER))

    assert found.is_right is right


def test_the_coarse_divergence_keeps_to_the_order_of_the_gold_calls() -> None:
    found = grade(READ, LOOK, COST, GO)

    assert found.divergence is Divergence.WRONG_TOOL
    assert found.divergence_kind is DivergenceKind.NONE


def test_an_agent_that_broke_after_its_answer_has_none() -> None:
    found = grade(LOOK, READ, COST, GO, stop=Stop.FAILED)

    assert found.divergence_kind is DivergenceKind.NO_ANSWER
    assert found.divergence_says == "failed"


def test_calls_of_tools_that_no_step_calls_are_counted() -> None:
    canteen, seek = call("findCanteen", SLIP), call("seekParcel", FIND)
    found = grade(canteen, seek, READ, canteen, COST, GO, call("noTool", {}, UNKNOWN_TOOL))

    assert (found.distractors, found.beside, found.redundant) == (2, 3, 1)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["PX00001", "Night", "no", "10.00", "2026-03-01", "no due date"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)
NAMES = st.sampled_from([*MODEL.fields, "no_such_field"])
CALLS = st.builds(
    Called,
    st.sampled_from([*MODEL.tools, "noTool"]),
    st.dictionaries(NAMES, VALUES, max_size=4),
    st.builds(Reply, VALUES | st.dictionaries(NAMES, VALUES, max_size=4))
    | st.builds(Reply, st.none(), st.sampled_from(["too_dear", "tool_fault", "x"]), st.text()),
)
EVENTS = st.lists(CALLS | st.sampled_from([LOOK, READ, COST, GO]), max_size=8)
ANSWERS = st.none() | st.text() | st.sampled_from([RIGHT, HELD, "<care>?</care>"])


@given(EVENTS, ANSWERS, st.sampled_from(Stop))
def test_whatever_an_agent_does_is_graded(
    events: list[Event], answer: str | None, stop: Stop
) -> None:
    found = grade(*events, answer=answer, stop=stop)

    assert found.divergence_kind is not None
    if found.is_in_order:
        assert found.is_in_needed_order
    if found.is_gold:
        assert (found.divergence_kind is DivergenceKind.NONE) is found.is_right
    if not found.is_right:
        assert found.divergence_kind is not DivergenceKind.NONE
