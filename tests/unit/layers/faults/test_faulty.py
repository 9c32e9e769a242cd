"""Replies as faults change them, and attempts as they would have been without faults."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal

import pytest

from sopforge.harness.environment.events import Called, Reply, Said
from sopforge.harness.layers.call_names import name_call
from sopforge.harness.layers.faults.faulty import Faults
from sopforge.harness.layers.faults.recovery import BUSY, Recovery
from sopforge.harness.layers.faults.schedule import FaultKind, Schedule, ToolFault
from sopforge.harness.layers.layer import Done

ARGUMENTS = {"order_id": "O-1"}
CALL = name_call("getOrder", ARGUMENTS)
TRUE = Reply({"total": Decimal("12.50"), "region": "north"})


def make_faults(*faults: ToolFault) -> Faults:
    recovery = Recovery(
        3, {"getOrder": "getOrderStandIn", "ship": "shipStandIn"}, "copied_on", "changed_on"
    )
    return Faults(1, 7, recovery, frozenset({"getOrder"}), {"task-1": Schedule({CALL: faults})})


@pytest.mark.parametrize("place", range(20))
def test_a_sound_look_up_was_copied_after_the_change_and_a_stale_one_before(place: int) -> None:
    faults, call = make_faults(), name_call("getOrder", {"order_id": f"O-{place}"})
    stale = ToolFault(FaultKind.STALE, values={"total": Decimal("3.00")})
    sound, *_ = faults.in_session.change("task-1", "getOrder", call, TRUE, None)
    old, *_ = faults.in_session.change("task-1", "getOrder", call, TRUE, asdict(stale))

    assert isinstance(sound, dict)
    assert isinstance(old, dict)
    assert str(sound["copied_on"]) >= str(sound["changed_on"])
    assert str(old["copied_on"]) < str(old["changed_on"])
    assert sound["changed_on"] == old["changed_on"]
    assert (sound["total"], old["total"]) == (Decimal("12.50"), Decimal("3.00"))
    assert old["region"] == "north"


def test_a_partial_result_lacks_what_is_left_out_and_a_refusal_has_no_days() -> None:
    faults = make_faults()
    partial = ToolFault(FaultKind.PARTIAL, 1, left_out=("region",))
    refusal = Reply(None, "not_found", "no such order")

    change = faults.in_session.change
    found, *_ = change("task-1", "getOrder", CALL, TRUE, asdict(partial))
    assert isinstance(found, dict)
    assert set(found) == {"total", "copied_on", "changed_on"}
    assert change("task-1", "getOrder", CALL, refusal, None) == refusal
    shipped = Reply({"done": True})
    assert change("task-1", "ship", "ship {}", shipped, None) == shipped


def test_what_failed_was_not_called_and_a_stand_in_is_its_tool() -> None:
    faults = make_faults(
        ToolFault(FaultKind.BUSY, 1), ToolFault(FaultKind.STALE, values={"total": Decimal("3.00")})
    )
    days = {"copied_on": "2025-03-02", "changed_on": "2025-03-01"}
    busy = Called("getOrder", ARGUMENTS, Reply(None, BUSY, ""))
    stale = Called("getOrder", ARGUMENTS, Reply({"total": Decimal("3.00"), **days}))
    other = Called("getOrderStandIn", ARGUMENTS, Reply({"total": Decimal("12.50"), **days}))
    shipped = Called("ship", ARGUMENTS, Reply({"copied_on": "a value of its own"}))

    done = faults.unwrap("task-1", Done((Said("Hm."), busy, stale, other, shipped), "north"))

    assert done == Done(
        (
            Said("Hm."),
            Called("getOrder", ARGUMENTS, Reply({"total": Decimal("12.50")})),
            shipped,
        ),
        "north",
    )
