from dataclasses import asdict
from decimal import Decimal

from sopforge.harness.environment.events import Called, Reply, Said
from sopforge.harness.layers.writes.files import FileChange, read_journals, write_value
from sopforge.harness.layers.writes.rules import FREE, Act, FileStanding, Status
from sopforge.session.layers import OWN_DESK
from tests.worlds.filing import LAYER

ACTS = {act.value: act for act in Act}
RESERVE = FileChange(Act.RESERVE)


def test_a_file_stands_as_its_last_change_left_it() -> None:
    def act(act: Act, status: Status, *values: str) -> Status:
        after, _ = LAYER.in_session.apply(act, values, asdict(status))
        return Status(FileStanding(after["standing"]), after["desk"])

    reserved = act(Act.RESERVE, FREE)
    released = act(Act.RELEASE, act(Act.ENTER, reserved, "verdict", "paid"))
    audited = Status(FileStanding.RESERVED, "audit desk")

    assert reserved == Status(FileStanding.RESERVED, OWN_DESK)
    assert released == Status(FileStanding.CLOSED)
    assert act(Act.NOTE, audited, "audit desk") == audited
    assert act(Act.REOPEN, released, "R101") == FREE


def test_a_journal_has_what_was_changed_by_calls_that_were_not_refused() -> None:
    done = Reply({"state": "reserved"})
    events = (
        Called("getFileStatus", {"file": "F"}, Reply({"state": "free", "desk": "none"})),
        Called("reserveFile", {"file": "F"}, done),
        Called("enterResult", {"value": Decimal("12.50"), "file": "F", "result": "charge"}, done),
        Called("noteForDesk", {"file": "F", "desk": "moon"}, Reply(None, "not_on_list", "no")),
        Said("reserveFile F"),
        Called("reserveFile", {"file": "G"}, done),
        Called("lookUp", {"file": "H"}, done),
    )

    assert read_journals(ACTS, events) == {
        "F": (RESERVE, FileChange(Act.ENTER, ("charge", "12.50"))),
        "G": (RESERVE,),
    }


def test_a_value_is_written_as_cells_are() -> None:
    assert write_value(["Asthma", "Migraine"]) == "Asthma; Migraine"
    assert (write_value("a"), write_value(3), write_value(value=True)) == ("a", "3", "true")
