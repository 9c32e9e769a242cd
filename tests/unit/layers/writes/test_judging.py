import pytest

from sopforge.harness.environment.events import Called, Reply
from sopforge.harness.layers.layer import Done
from sopforge.harness.layers.matching import Matching
from sopforge.harness.layers.writes.files import FileChange, Journal
from sopforge.harness.layers.writes.judging import FilingJudge
from sopforge.harness.layers.writes.rules import TAKES, Act

ENTERED: Journal = (
    FileChange(Act.RESERVE),
    FileChange(Act.ENTER, ("charge", "12.50")),
    FileChange(Act.ENTER, ("verdict", "paid")),
    FileChange(Act.RELEASE),
)
NOTED: Journal = (FileChange(Act.NOTE, ("audit desk",)),)
JUDGE = FilingJudge(
    {act.value: act for act in Act},
    {"charge": Matching.NUMBER, "verdict": Matching.TEXT},
    {"task": {"F": ENTERED, "R": NOTED}, "other": {}},
)


def make(**files: Journal) -> Done:
    """Return an attempt that left these journals."""
    events = [
        Called(
            change.act.value,
            {"file": number, **dict(zip(TAKES[change.act], change.values, strict=True))},
            Reply({"state": "free"}),
        )
        for number, journal in files.items()
        for change in journal
    ]
    return Done(tuple(events), "")


def test_files_are_right_that_hold_what_they_should_whichever_comes_first() -> None:
    assert JUDGE.judge("task", make(F=ENTERED, R=NOTED)) == {"file": True}
    assert JUDGE.judge("task", make(R=NOTED, F=ENTERED)) == {"file": True}
    assert JUDGE.judge("other", make()) == {"file": True}
    assert not JUDGE.is_settled("task")


def test_a_number_may_be_written_in_another_form_and_a_label_may_not() -> None:
    one = (*ENTERED[:1], FileChange(Act.ENTER, ("charge", "12.5")), *ENTERED[2:])
    other = (*ENTERED[:2], FileChange(Act.ENTER, ("verdict", "Paid")), *ENTERED[3:])

    assert JUDGE.judge("task", make(F=one, R=NOTED)) == {"file": True}
    assert JUDGE.judge("task", make(F=other, R=NOTED)) == {"file": False}


@pytest.mark.parametrize(
    "files",
    [
        {"F": ENTERED},
        {"F": ENTERED[:-1], "R": NOTED},
        {"F": (*ENTERED, ENTERED[1]), "R": NOTED},
        {"F": (ENTERED[0], ENTERED[2], ENTERED[1], ENTERED[3]), "R": NOTED},
        {"F": (ENTERED[1], ENTERED[0], *ENTERED[2:]), "R": NOTED},
        {"F": ENTERED, "R": ENTERED},
        {"F": ENTERED, "R": (FileChange(Act.NOTE, ("appeals desk",)),)},
        {"F": ENTERED, "R": NOTED, "G": NOTED},
    ],
    ids=[
        "a file left out",
        "not released",
        "entered twice",
        "another order",
        "entered before it is reserved",
        "entered for another desk",
        "another desk's list",
        "a file that nobody asked about",
    ],
)
def test_one_wrong_change_shows(files: dict[str, Journal]) -> None:
    assert JUDGE.judge("task", make(**files)) == {"file": False}
