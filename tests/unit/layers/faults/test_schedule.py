"""Which fault a call meets, by how often it was made."""

from __future__ import annotations

from decimal import Decimal

from sopforge.layers.call_names import name_call
from sopforge.layers.faults.schedule import Kind, Schedule, ToolFault

CALL = name_call("getOrder", {"order_id": "O-1"})
SCHEDULE = Schedule(
    {
        CALL: (
            ToolFault(Kind.BUSY, 2),
            ToolFault(Kind.PARTIAL, 1, left_out=("total",)),
            ToolFault(Kind.CLOSED),
        )
    }
)


def test_faults_are_met_one_after_the_other_and_the_last_for_good() -> None:
    met = [SCHEDULE.find(CALL, made) for made in range(6)]

    assert [fault and fault.kind for fault in met] == [
        Kind.BUSY,
        Kind.BUSY,
        Kind.PARTIAL,
        Kind.CLOSED,
        Kind.CLOSED,
        Kind.CLOSED,
    ]


def test_a_call_is_sound_after_faults_that_pass_and_where_there_are_none() -> None:
    passing = Schedule({CALL: (ToolFault(Kind.LATE, 1),)})

    assert passing.find(CALL, 1) is None
    assert passing.find(name_call("getOrder", {"order_id": "O-2"}), 0) is None


def test_equal_calls_go_by_one_name_whatever_the_order_of_what_they_hand_over() -> None:
    first = name_call("pay", {"amount": Decimal("1.50"), "to": "A"})

    assert name_call("pay", {"to": "A", "amount": Decimal("1.50")}) == first
    assert name_call("pay", {"to": "B", "amount": Decimal("1.50")}) != first
    assert name_call("payStandIn", {"to": "A", "amount": Decimal("1.50")}) != first
