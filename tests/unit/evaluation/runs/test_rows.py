"""The folder of a run: what is there stays, and what a kill tore is made again."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from sopforge.errors import MaterialError
from sopforge.evaluation.runs.rows import (
    LOGS,
    ROWS,
    Asked,
    Attempted,
    Row,
    RunFolder,
    iterate_logs,
    read_asked,
)
from sopforge.harness.environment.events import Called, Reply, Said, read_events
from sopforge.harness.grading.grades import Attempt, Divergence, Grade, Stop

GRADE = Grade(
    is_complete=True,
    is_right=False,
    outcomes={"care": True, "release": False},
    stated={"care": "careful", "release": "held"},
    intermediates={},
    precision=0.5,
    recall=None,
    parameters=1.0,
    is_in_order=True,
    is_gold=False,
    calls=2,
    refused=1,
    unknown=0,
    faults=0,
    redundant=0,
    beside=1,
    divergence=Divergence.WRONG_PARAMETER,
    path=("look", "hold"),
)
EVENTS = (
    Called("findParcel", {"weight": Decimal("5.00")}, Reply({"fee": Decimal("12.50")})),
    Said("Und jetzt \u2028 weiter."),
)
ATTEMPT = Attempt(EVENTS, "<care>careful</care>", Stop.ANSWER)


def ask(number: int) -> Asked:
    """Return one of several attempts."""
    return Asked("parcels", "abc", f"task-{number}", "gold", 7)


def make_row(number: int) -> Row:
    """Return the row of one of several attempts."""
    return Row(ask(number), Stop.ANSWER, "", 0.25, GRADE)


def fill(folder: Path, numbers: range) -> None:
    """Add rows to a folder."""
    found = RunFolder(folder)
    for number in numbers:
        found.add(make_row(number), ATTEMPT)


def test_two_commands_do_not_add_to_one_folder(tmp_path: Path) -> None:
    first, second = RunFolder(tmp_path), RunFolder(tmp_path)
    with first.hold(), pytest.raises(MaterialError) as refused, second.hold():
        raise AssertionError("both add to it")
    assert refused.value.faults[0].code == "run-folder-in-use"


def test_rows_are_read_as_they_were_added(tmp_path: Path) -> None:
    fill(tmp_path / "deep" / "run", range(3))
    again = RunFolder(tmp_path / "deep" / "run")

    assert list(again.rows.values()) == [make_row(number) for number in range(3)]
    assert again.has(ask(2))
    assert not again.has(ask(3))


def test_a_log_has_all_events_with_the_places_of_their_numbers(tmp_path: Path) -> None:
    fill(tmp_path, range(1))
    text = (tmp_path / LOGS).read_text()
    log = json.loads(text)

    assert '"fee": 12.50' in text
    assert (log["key"], log["answer"]) == (ask(0).key, ATTEMPT.answer)
    assert read_events(json.dumps(log["events"]))[1] == EVENTS[1]


def test_half_of_a_pair_of_characters_is_kept(tmp_path: Path) -> None:
    attempt = Attempt((Said("\ud800"),), "<care>\udfff</care>", Stop.ANSWER)
    RunFolder(tmp_path).add(replace(make_row(0), says="\ud800"), attempt)

    assert RunFolder(tmp_path).rows[ask(0).key].says == "\ud800"
    ((_, log),) = iterate_logs(tmp_path, {ask(0).key})
    assert (log.events, log.answer) == (attempt.events, attempt.answer)


@pytest.mark.parametrize("kept", [1, 40, 400])
def test_a_row_that_a_kill_tore_never_was(tmp_path: Path, kept: int) -> None:
    fill(tmp_path, range(3))
    for name in (ROWS, LOGS):
        lines = (tmp_path / name).read_bytes().splitlines(keepends=True)
        (tmp_path / name).write_bytes(
            b"".join(lines[:2]) + lines[2][: min(kept, len(lines[2]) - 1)]
        )

    assert list(RunFolder(tmp_path).rows) == [ask(0).key, ask(1).key]
    fill(tmp_path, range(2, 3))
    assert len((tmp_path / ROWS).read_text().splitlines()) == 3
    assert list(RunFolder(tmp_path).rows) == [ask(number).key for number in range(3)]


def test_what_decides_an_attempt_decides_its_key() -> None:
    others = [
        Asked("parcels", "abd", "task-0", "gold", 7),
        Asked("parcels", "abc", "task-1", "gold", 7),
        Asked("parcels", "abc", "task-0", "wrong", 7),
        Asked("parcels", "abc", "task-0", "gold", 8),
        Asked("parcels", "abc", "task-0", "gold", 7, epoch=1),
        Asked("parcels", "abc", "task-0", "gold", 7, settings="temperature=0.5"),
    ]

    assert len({ask(0).key, *(asked.key for asked in others)}) == 7
    # A package that was copied under another name is the same.
    assert Asked("copy", "abc", "task-0", "gold", 7).key == ask(0).key


OTHERS: dict[str, tuple[object, ...]] = {
    "is_right": ("yes", None),
    "outcomes": (["care"],),
    "stated": (None,),
    "precision": ("0.5",),
    "calls": (1.5,),
    "path": ("look",),
    "divergence": ("odd",),
    "task": ({"id": 1},),
    "agent": (None,),
    "seconds": ("0.1", float("nan")),
    "cost": ("much",),
    "settings": (None,),
    "stop": (5,),
}


def test_a_line_that_is_no_row_is_named(tmp_path: Path) -> None:
    sound = make_row(1).as_record()
    spoiled = [json.dumps({**sound, name: x}) for name, wrong in OTHERS.items() for x in wrong]
    lines = [*map(str.encode, spoiled), b'{"key": "x"}', b"\xff", b"[" * 100_000, b"null"]

    for line in lines:
        (tmp_path / ROWS).write_bytes(json.dumps(sound).encode() + b"\n" + line + b"\n")
        with pytest.raises(MaterialError) as refused:
            RunFolder(tmp_path)
        (fault,) = refused.value.faults
        named = fault.code, fault.where
        assert named == ("run-row-malformed", f"{tmp_path / ROWS}, line 2"), line


def test_who_reads_a_folder_leaves_it_as_it_is(tmp_path: Path) -> None:
    fill(tmp_path, range(2))
    torn = (tmp_path / ROWS).read_bytes() + b'{"key": "be'
    (tmp_path / ROWS).write_bytes(torn)

    assert len(RunFolder(tmp_path, is_read=True).rows) == 2
    assert (tmp_path / ROWS).read_bytes() == torn


def test_logs_that_are_none_are_passed_over(tmp_path: Path) -> None:
    fill(tmp_path, range(1))
    key = ask(0).key
    called = {"tool": "t", "arguments": {}, "result": 1}
    wrong: list[dict[str, Any]] = [
        {"key": key, "answer": 5, "events": []},
        {"key": key, "answer": None, "events": [{**called, "arguments": None}]},
        {"key": key, "answer": None, "events": [{**called, "refusal": 5}]},
        {"key": key, "answer": None, "events": [{"said": 5}]},
    ]
    lines = [json.dumps(entry).encode() for entry in wrong]
    lines += [b'{"key": "%s", "answer": 1e99999999999999999999}' % key.encode(), b"\xff"]
    whole = (tmp_path / LOGS).read_bytes()
    (tmp_path / LOGS).write_bytes(b"\n".join(lines) + b"\n" + whole)

    assert [found for _, found in iterate_logs(tmp_path, {key})] == [
        Attempted(EVENTS, "<care>careful</care>")
    ]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(MaterialError) as caught:
        RunFolder(tmp_path / "file")
    assert caught.value.faults[0].code == "run-folder-unusable"


def test_what_was_asked_for_is_noted_once_and_a_torn_line_says_nothing(tmp_path: Path) -> None:
    asked = [ask(number) for number in range(3)]
    RunFolder(tmp_path).note_asked(asked[:2])
    RunFolder(tmp_path).note_asked(asked)
    with (tmp_path / "asked.jsonl").open("a") as file:
        file.write('{"package": "p"}\n{"pack')

    assert read_asked(tmp_path) == asked
    assert read_asked(tmp_path / "none") == []
    RunFolder(tmp_path).note_asked([*asked, ask(3)])
    assert read_asked(tmp_path) == [*asked, ask(3)]
