"""Which values of an attempt have a source, and which were made up."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sopforge.harness.environment.events import Called, Event, Reply
from sopforge.harness.grading.sources import Sources
from sopforge.sandbox.answers import JSON
from tests.worlds.parcel_attempts import (
    COST,
    FIND,
    GO,
    LET_GO,
    LOOK,
    MODEL,
    PRICE,
    READ,
    TASK,
    call,
    grade,
)


@pytest.mark.parametrize(
    ("name", "value", "has_source"),
    [
        ("parcel_id", "PX00001", True),
        ("parcel_id", "px-00001", True),
        ("parcel_id", "PX00002", False),
        ("weight", Decimal("10.00"), True),
        ("weight", "10", True),
        ("weight", Decimal("12.50"), False),
        # Outside its range, and no number of the task.
        ("weight", 99, False),
        # Malformed, but nothing made up.
        ("weight", "ten", True),
        ("sent_on", "2026-03-01", True),
        ("sent_on", "2026-03-02", False),
        ("sent_on", "1 March 2026", True),
        ("fragile", "no", True),
        ("fragile", "yes", False),
        ("contents", ["Books"], True),
        ("contents", ["Books", "Glass"], False),
        ("contents", [], True),
        ("due_on", "no due date", True),
        # A tool would show it.
        ("service", "Night", False),
        # By a rule that reads what no tool was asked for.
        ("service_points", 4, False),
        # By rules that read inputs alone, rightly applied or not.
        ("surcharge", Decimal("7.5"), True),
        ("surcharge", Decimal("9.5"), True),
        ("care", "careful", True),
        # By the procedure, which cannot be followed to its end yet.
        ("release", "released", False),
        ("no_such_field", "PX00001", True),
        ("no_such_field", "made up", False),
    ],
)
def test_before_any_call_the_task_is_all_there_is(
    name: str,
    value: JSON,
    has_source: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    assert Sources(MODEL, TASK.inputs).has_source(name, value) is has_source


def test_what_was_answered_is_a_source_from_then_on() -> None:
    sources = Sources(MODEL, TASK.inputs)
    sources.hear(LOOK)

    assert sources.has_source("service", "Night")
    assert not sources.has_source("service", "Express")
    # Table by service, which is known now.
    assert sources.has_source("service_points", 2)


@pytest.mark.parametrize(("refusal", "is_end_known"), [("", True), ("too_dear", False)])
def test_an_end_is_known_once_the_procedure_can_be_followed_to_it(
    refusal: str,
    is_end_known: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    sources = Sources(MODEL, TASK.inputs)
    for event in (LOOK, READ, COST):
        sources.hear(event)
        assert not sources.has_source("release", "released")
    # The edge to this end needs no further call: who states it has misread the rule.
    assert sources.has_source("release", "held")
    sources.hear(call("releaseParcel", LET_GO, refusal))

    # A refusal for which the procedure has no edge leads to no end.
    assert sources.has_source("release", "released") is is_end_known


def test_words_of_a_refusal_are_a_source() -> None:
    sources = Sources(MODEL, TASK.inputs)
    sources.hear(Called("findParcel", FIND, Reply(None, "moved", "it is PX00777 now")))

    assert sources.has_source("parcel_id", "PX00777")


HEAVY: dict[str, JSON] = {**PRICE, "weight": 12}


@pytest.mark.parametrize(
    ("events", "answer", "fabricated"),
    [
        ((LOOK, READ, COST, GO), "<care>plain</care><release>released</release>", ()),
        # A wrong result of a rule that could be applied is no fabrication.
        ((LOOK, READ, COST, GO), "<care>careful</care><release>held</release>", ()),
        ((LOOK, READ, call("priceParcel", HEAVY)), "", ("priceParcel.weight",)),
        # The same value is counted once, wherever it goes.
        (
            (call("priceParcel", {**HEAVY, "service": "Night"}), call("priceParcel", HEAVY), LOOK),
            "",
            ("priceParcel.weight", "priceParcel.service"),
        ),
        ((), "<care>plain</care><release>released</release>", ("answer.release",)),
        ((), "<care>plain</care><release>perhaps</release>", ()),
        ((call("noTool", {"weight": 12}, "unknown_tool"),), "", ()),
    ],
)
def test_arguments_and_answers_without_a_source_are_listed(
    events: tuple[Event, ...], answer: str, fabricated: tuple[str, ...]
) -> None:
    assert grade(*events, answer=answer).fabricated == fabricated
