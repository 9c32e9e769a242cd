from decimal import Decimal

from sopforge.environment.events import Called, Reply, Said
from sopforge.layers.writes.files import OWN_DESK, CaseFile, Change, read_journals, write_value
from sopforge.layers.writes.rules import FREE, Act, Standing, Status

ACTS = {act.value: act for act in Act}
RESERVE, RELEASE = Change(Act.RESERVE), Change(Act.RELEASE)


def test_a_file_stands_as_its_last_change_left_it_and_keeps_all_of_them() -> None:
    reserved = CaseFile().change(RESERVE)
    released = reserved.change(Change(Act.ENTER, ("verdict", "paid"))).change(RELEASE)
    noted = CaseFile(Status(Standing.RESERVED, "audit desk")).change(
        Change(Act.NOTE, ("audit desk",))
    )

    assert reserved.status == Status(Standing.RESERVED, OWN_DESK)
    assert released.status == Status(Standing.CLOSED)
    assert [item.act for item in released.journal] == [Act.RESERVE, Act.ENTER, Act.RELEASE]
    assert noted.status == Status(Standing.RESERVED, "audit desk")
    assert released.change(Change(Act.REOPEN, ("R101",))).status == FREE


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
        "F": (RESERVE, Change(Act.ENTER, ("charge", "12.50"))),
        "G": (RESERVE,),
    }


def test_a_value_is_written_as_cells_are() -> None:
    assert write_value(["Asthma", "Migraine"]) == "Asthma; Migraine"
    assert (write_value("a"), write_value(3), write_value(value=True)) == ("a", "3", "true")
