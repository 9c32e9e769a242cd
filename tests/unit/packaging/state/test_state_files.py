"""A package with tables as data: what its files say, and what is wrong with spoiled ones.

Customer C1 holds the accounts A1, with 1000.00 and the PIN K1111, and A2, with 7.00. The task moves
30.00 from A1 to A2.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sopforge.artifacts.packaging.state.files import build_state_files
from sopforge.artifacts.packaging.state.reading import load_state, read_state
from sopforge.artifacts.packaging.state.shapes import FRAMES, GOLD, REQUESTS, STATE_FILES, TOOLS
from sopforge.artifacts.rendering.api.openapi import render_openapi
from sopforge.artifacts.rendering.api.toolspecs import render_toolspecs
from sopforge.errors import PackageUnreadableError
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.records import write_records
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.tasks.writing import as_task
from tests.unit.dataset.gold.test_minimal import MODEL, make_row
from tests.worlds.small_models import claims

SCHEMA = Path(__file__).parents[4] / "docs" / "schemas" / "state.schema.json"
ROW = make_row()
RECORDS = write_records(MODEL, [ROW])
TASK = as_task(MODEL, Candidate("task-7", "", 1, ROW, label_row(MODEL, ROW)), 0)
FILES = build_state_files(MODEL, [TASK], RECORDS, render_toolspecs(render_openapi(MODEL, {})))


def read_json(name: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads(FILES[name])


def spoil(name: str, path: str, value: object) -> dict[str, str]:
    """Return the files with another value at a place of the first object of one, or without it."""
    whole = json.loads(FILES[name])
    *parents, last = path.split(".")
    place = whole
    for part in parents:
        place = place[int(part) if part.isdigit() else part]
    if value is GONE:
        del place[last]
    else:
        place[last] = value
    return {**FILES, name: json.dumps(whole) + "\n"}


def list_faults(files: dict[str, str]) -> list[tuple[str, str, str]]:
    with pytest.raises(PackageUnreadableError) as raised:
        read_state(files)
    return [(fault.code, str(fault.where), fault.message) for fault in raised.value.faults]


def test_all_files_have_the_published_shape() -> None:
    whole = json.loads(SCHEMA.read_text("utf-8"))
    found = {
        "frames": read_json(FRAMES),
        "tools": read_json(TOOLS),
        "requests": [read_json(REQUESTS)],
        "gold": [read_json(GOLD)],
    }

    assert set(FILES) == set(STATE_FILES)
    assert whole["required"] == list(found)
    assert list(Draft202012Validator(whole).iter_errors(found)) == []
    found["gold"][0]["calls"][0]["note"] = "x"
    assert list(Draft202012Validator(whole).iter_errors(found)) != []


def test_the_frames_hold_the_records_and_the_session_as_they_begin() -> None:
    frames = read_json(FRAMES)
    accounts = frames["tables"]["account"]

    assert accounts["key"] == "account_no"
    assert accounts["records"]["A000001"] == {
        "account_no": "A000001",
        "owner": "C00001",
        "balance": 1000.0,
        "blocked": "no",
        "code": "K1111",
    }
    assert accounts["columns"]["code"]["role"] == "secret"
    assert accounts["columns"]["owner"]["refers_to"] == "customer"
    assert frames["session"]["logged_in"]["starts"] == "no"
    assert frames["tasks"] == {}


def test_the_frames_are_the_records_that_tools_read() -> None:
    tables = read_state(FILES).frames.tables
    for file, text in RECORDS.items():
        name = file.removeprefix("records_").removesuffix(".csv")
        table = tables.get(name, tables["request"])
        rows = list(csv.DictReader(io.StringIO(text)))
        assert rows
        for row in rows:
            record = table.records[row[table.key]]
            assert list(record) == list(row)
            for column, cell in row.items():
                held = record[column]
                assert cell == (f"{held:.2f}" if isinstance(held, float) else held)


def test_effects_and_checks_are_data() -> None:
    move = next(tool for tool in read_json(TOOLS)["tools"] if tool["name"] == "transferMoney")

    assert move["refusals"] == [
        *("invalid_parameter", "unknown_record"),
        *("no_session", "same_record", "out_of_range"),
    ]
    assert [read["by"] for read in move["reads"]] == ["source", "target"]
    assert move["checks"][0] == {
        "id": "T",
        "refusal": "no_session",
        "says": "nobody is logged in",
        "test": {"node": "Read", "fact": "logged_in"},
    }
    source, target = (read["record"] for read in move["reads"])
    assert move["effects"] == [
        {
            "record": record,
            "column": "balance",
            "value": {
                "node": "Arithmetic",
                "operation": sign,
                "left": {"node": "Read", "record": record, "column": "balance"},
                "right": {"node": "Read", "parameter": "amount"},
            },
        }
        for record, sign in ((source, "-"), (target, "+"))
    ]


def test_a_request_says_field_by_field_what_the_task_states() -> None:
    request = read_json(REQUESTS)

    assert request["request"]["amount"] == {
        "shape": {"type": "number", "places": 2, "least": "1.00", "most": "2000.00"},
        "value": 30.0,
    }
    assert request["request"]["payer"] == {
        "shape": {"type": "text", "refers_to": "account"},
        "value": "A000001",
    }
    assert set(request) == {"task_id", "split", "text", "request"}
    # Nothing that only tools or graders know.
    assert "K2222" not in FILES[REQUESTS]


def test_the_gold_has_answers_end_state_and_calls() -> None:
    gold = read_json(GOLD)

    assert gold["end_state"] == {
        "account": {"A000001": {"balance": 970.0}, "A000002": {"balance": 37.0}}
    }
    assert [call["is_minimal"] for call in gold["calls"]] == [True, True, True, False, True]
    assert gold["calls"][3]["needs"] == [0, 1]
    assert gold["decided_by"]["node"] == "reason.R5"


def test_a_domain_without_tables_has_no_such_files() -> None:
    assert build_state_files(claims(), [], {}, "[]") == {}


def test_a_folder_is_loaded(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    assert load_state(tmp_path) == read_state(FILES)
    (tmp_path / GOLD).unlink()
    with pytest.raises(PackageUnreadableError, match=r"gold\.jsonl"):
        load_state(tmp_path)


UNKNOWN, MALFORMED, GONE = "state-unknown", "state-malformed", object()
A1 = "tables.account.records.A000001"
ODD_BALANCE = {"tables": {"account": {"A000002": {"balance": "much"}}}}
SPOILED: list[tuple[str, str, object, str, str, str]] = [
    (FRAMES, f"{A1}.colour", "red", UNKNOWN, f", {A1}", "no column 'colour'"),
    (FRAMES, f"{A1}.balance", GONE, UNKNOWN, f", {A1}", "'balance' is missing"),
    (FRAMES, f"{A1}.balance", 5000.01, UNKNOWN, f", {A1}.balance", "not a value of its type"),
    (FRAMES, f"{A1}.account_no", "A000009", UNKNOWN, f", {A1}", "under 'A000001'"),
    (FRAMES, "tasks.task-1", {}, UNKNOWN, ", tasks", "no task 'task-1'"),
    (
        *(FRAMES, f"tasks.{TASK.id}", ODD_BALANCE, UNKNOWN),
        *(f", tasks.{TASK.id}.tables.account.A000002.balance", "not a value"),
    ),
    (
        *(FRAMES, "session.logged_in.starts", "perhaps", UNKNOWN),
        *(", session.logged_in.starts", "not a value"),
    ),
    (FRAMES, "format", 2, MALFORMED, "", "format"),
    (
        *(TOOLS, "tools.3.effects.0.column", "colour", UNKNOWN),
        *(", transferMoney.effects", "no column 'colour'"),
    ),
    (REQUESTS, "request.amount.value", "3", UNKNOWN, ":1, request.amount", "not a value"),
    (REQUESTS, "text", GONE, MALFORMED, ":1", "text"),
    (
        *(GOLD, "end_state.account.A000009", {"balance": 1.0}, UNKNOWN),
        *(":1, end_state.account", "no record 'A000009'"),
    ),
    (GOLD, "task_id", "task-1", UNKNOWN, "", "no task 'task-1'"),
    (GOLD, "calls.1.needs", [1], UNKNOWN, ":1, calls.1.needs", "come before it"),
    (
        *(GOLD, "calls.0.arguments.colour", "red", UNKNOWN),
        *(":1, calls.0.arguments", "no parameter 'colour'"),
    ),
    (GOLD, "calls.0.refusal", "no", UNKNOWN, ":1, calls.0", "not both"),
    (GOLD, "calls.0.needs", GONE, MALFORMED, ":1", "calls.0.needs"),
]


def test_a_spoiled_file_is_named_with_its_line_and_field() -> None:
    for name, path, value, code, place, says in SPOILED:
        faults = list_faults(spoil(name, path, value))
        assert [x for x in faults if x[:2] == (code, f"{name}{place}") and says in x[2]], faults


def test_a_file_that_is_cut_off_is_named() -> None:
    for name in STATE_FILES:
        # Without its last line end, JSON says the same.
        for cut in (2, 40) if name.endswith(".json") else (1, 2, 40):
            (code, where, _), *_ = list_faults({**FILES, name: FILES[name][:-cut]})
            assert code == MALFORMED
            assert where.startswith(name)


def test_a_file_of_anything_gets_a_fault() -> None:
    for text in ("", "null\n", "[]\n", '{"a": NaN}\n', "[" * 99_999, "\x00", '"\ud800"'):
        for name in STATE_FILES:
            assert list_faults({**FILES, name: text})
