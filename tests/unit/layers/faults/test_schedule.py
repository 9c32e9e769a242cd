"""Which fault a call meets, by how often it was made."""

from __future__ import annotations

from sopforge.harness.layers.call_names import name_call
from sopforge.harness.layers.faults.faulty import Faults
from sopforge.harness.layers.faults.recovery import Recovery
from sopforge.harness.layers.faults.schedule import FaultKind, Schedule, ToolFault

CALL = name_call("getOrder", {"order_id": "O-1"})


def find_kinds(*faults: ToolFault, calls: int, name: str = CALL) -> list[str | None]:
    """Return which kind of fault each of so many equal calls meets."""
    recovery = Recovery(3, {}, "copied_on", "changed_on")
    layer = Faults(1, 7, recovery, frozenset(), {"task": Schedule({CALL: faults})}).in_session
    met = [layer.find_fault("task", name, made) for made in range(calls)]
    return [fault["kind"] if fault else None for fault in met]


def test_faults_are_met_one_after_the_other_and_the_last_for_good() -> None:
    partial = ToolFault(FaultKind.PARTIAL, 1, left_out=("total",))

    assert find_kinds(
        ToolFault(FaultKind.BUSY, 2), partial, ToolFault(FaultKind.CLOSED), calls=6
    ) == [
        FaultKind.BUSY,
        FaultKind.BUSY,
        FaultKind.PARTIAL,
        FaultKind.CLOSED,
        FaultKind.CLOSED,
        FaultKind.CLOSED,
    ]


def test_a_call_is_sound_after_faults_that_pass_and_where_there_are_none() -> None:
    other = name_call("getOrder", {"order_id": "O-2"})

    assert find_kinds(ToolFault(FaultKind.LATE, 1), calls=2) == [FaultKind.LATE, None]
    assert find_kinds(ToolFault(FaultKind.LATE, 1), calls=1, name=other) == [None]
