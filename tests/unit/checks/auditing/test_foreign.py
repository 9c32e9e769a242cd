"""Every tool of a package of others is called, and what is wrong with one hides no other."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sopforge.checks.auditing import trials
from sopforge.checks.auditing.audit import Audit, audit
from sopforge.checks.auditing.results import is_same_value
from sopforge.sandbox.answers import JSON
from tests.worlds.foreign import METADATA, write_parcels


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trials, "TIME_LIMIT", 2.0)
        return audit(write_parcels(tmp_path_factory.mktemp("parcels") / "parcels"))


def find(made: Audit, code: str, *words: str) -> list[str]:
    """Return the messages of a code that hold some words, each with its evidence."""
    found = [f"{item.message} | {item.evidence}" for item in made.findings if item.id == code]
    return [text for text in found if all(word in text for word in words)]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("tool-absent", ("'callBack'",)),
        ("tool-says-nothing", ("'weighParcel' returned nothing on all 4 rows",)),
        ("tool-says-nothing", ("'askOffice'", "3 calls with made-up arguments")),
        ("tool-answers-by-chance", ("'drawTicket' answers 4 of 4 calls", "task 0")),
        ("tool-answers-by-chance", ("'countCalls' answers 4 of 4 repeated calls", "differently")),
        ("result-contradicts-row", ("'findParcel'", "'depot'", "1 of 3 rows", "task 0", "'Nord'")),
        ("result-contradicts-row", ("'countDays'", "'days'", "1 of 4 rows", "task 3: 2", "'3'")),
        ("parameter-refuses-rows", ("4 of 4 values of 'parcel_id'",)),
        ("answer-nan", ("1 of 4 answers in 'decision'", "task 3")),
        ("parameter-without-source", ("'office_key'",)),
        ("tool-crashes", ("'rateSender' crashes on 3 of 3", "required parameters alone")),
        ("tool-misbehaves", ("'waitForVan'", "1 of 3 calls", "tool-too-slow", "task 2")),
        ("tool-misbehaves", ("'sumWeights'", "4 of 4", "result-not-json", "int64")),
        ("tool-misbehaves", ("'findParcel'", "1 of 4", "result['postage'] is nan", "task 2")),
    ],
)
def test_each_defect_is_found_by_running_the_tools(
    audited: Audit, code: str, words: tuple[str, ...]
) -> None:
    assert len(find(audited, code, *words)) == 1, find(audited, code)


def test_a_sound_tool_has_no_finding_of_its_own(audited: Audit) -> None:
    codes = ("tool-misbehaves", "tool-crashes", "tool-says-nothing", "tool-answers-by-chance")
    assert not [text for code in codes for text in find(audited, code, "'countDays'")]


def test_libraries_that_are_there_are_no_finding(audited: Audit) -> None:
    assert not find(audited, "tool-imports")


def test_a_wrong_column_ends_no_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "TIME_LIMIT", 1.0)
    outputs = [*METADATA["output_columns"], "verdict"]
    made = audit(write_parcels(tmp_path / "parcels", output_columns=outputs))

    assert find(made, "output-column-missing", "'verdict'")
    assert find(made, "tool-says-nothing", "'weighParcel'")
    assert find(made, "answer-nan", "'decision'")


def test_without_column_lists_the_declared_answers_are_audited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "TIME_LIMIT", 1.0)
    made = audit(write_parcels(tmp_path / "parcels", input_columns=[]))

    assert find(made, "output-column-missing", "'expected_output' or 'final_decision'")
    assert find(made, "answer-shown", "'decision'")
    assert find(made, "answer-nan", "'decision'")


def test_a_module_that_does_not_load_is_said_once(tmp_path: Path) -> None:
    folder = write_parcels(tmp_path / "parcels")
    code = folder / "tools.py"
    code.write_text("import requests\n" + code.read_text(encoding="utf-8"), encoding="utf-8")
    made = audit(folder)

    (said,) = find(made, "tool-misbehaves")
    assert "No module named 'requests'" in said
    assert not find(made, "tool-never-tried")
    assert not made.calls


@pytest.mark.parametrize(
    ("cell", "value", "verdict"),
    [
        ("4.10", 4.1, True),
        ("4.10", "4.1", True),
        ("4.10", 4, False),
        ("True", True, True),
        ("yes", True, True),
        ("0", True, False),
        ("", None, True),
        ("None", None, True),
        ("open", None, False),
        ("Open ", "open", True),
        ("['a', 'b']", ["a", "b"], True),
        ('["a"]', ["a", "b"], False),
        ("open", ["open"], False),
        ("12", "twelve", False),
    ],
)
def test_a_cell_and_a_result_are_compared_as_values(
    cell: str, value: JSON, verdict: object
) -> None:
    assert is_same_value(cell, value) is verdict


# Published packages, with their code


PUBLISHED = {
    "content_flagging": [
        ("tool-answers-by-chance", "'calculateBotProbabilityIndex' answers 168"),
        ("result-contradicts-row", "'content_severity_index' on 168 of 168 rows"),
    ],
    "warehouse_package_inspection": [
        ("tool-answers-by-chance", "'generateProblemReport' answers 150 of 150"),
        ("output-column-missing", "'expected_output' or 'final_decision'"),
    ],
    "email_intent": [("tool-absent", "'classifyEmailIntent'")],
    "aircraft_inspection": [("answer-nan", "3 of 112 answers in 'aircraft_ready'")],
    "video_annotation": [("result-contradicts-row", "'object_distance' on 76 of 125 rows")],
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_is_known_of_the_tools_of_published_packages_is_found(name: str) -> None:
    folder = Path(os.environ.get("SOPFORGE_PEER_DATA", "")) / name
    if not (folder / "tools.py").is_file():
        pytest.skip(f"SOPFORGE_PEER_DATA does not hold {name} with its tools")
    made = audit(folder)
    for code, words in PUBLISHED[name]:
        assert find(made, code, words), find(made, code)
    tools = len(json.loads((folder / "toolspecs.json").read_text(encoding="utf-8")))
    assert made.calls >= 2 * tools
    if name == "video_annotation":
        assert len(find(made, "tool-says-nothing")) == 20
