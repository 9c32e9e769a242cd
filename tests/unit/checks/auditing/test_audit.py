"""An audit finds nothing in a sound package, and each defect by the code of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from sopforge.checks.auditing.audit import RULES, audit
from sopforge.checks.auditing.rows import find_repetitions
from sopforge.checks.auditing.subject import Subject
from sopforge.findings import Finding, Severity

SOP = """Refunds

1. Look the order up: call findOrder with order_id. It returns amount_eur and paid_on.
2. Call checkStamp with order_id and stamp.
3. If the amount is above 50 EUR, the decision is "refuse"; otherwise it is "pay back" if the
   stamp is valid, and "ask again" if not.
State the result in an element named decision.
"""
TOOLS = '''"""Tools of refunds."""

import csv
from pathlib import Path


class ToolRefusal(Exception):
    """A call was refused."""

    code = "refused"


class RefundManager:
    """The tools."""

    def __init__(self):
        with open(Path(__file__).with_name("records.csv"), newline="", encoding="utf-8") as file:
            self.records = {row["order_id"]: row for row in csv.DictReader(file)}

    def findOrder(self, order_id):
        record = self.records.get(str(order_id))
        if record is None:
            raise ToolRefusal("no such order")
        return {"amount_eur": int(record["amount_eur"]), "paid_on": record["paid_on"]}

    def checkStamp(self, order_id, stamp):
        record = self.records.get(str(order_id))
        if record is None or not isinstance(stamp, str):
            raise ToolRefusal("no such order or stamp")
        return {"stamp_state": "valid" if record["stamp"] == stamp else "void"}
'''
RECORDS = """order_id,amount_eur,paid_on,stamp
O-1,20,2026-01-02,KX
O-2,80,2026-02-03,LM
O-3,30,2026-03-04,NP
O-4,45,2026-04-05,QR
"""
ASKED = """order_id,stamp
O-1,KX
O-2,LM
O-3,ZZ
O-4,QR
"""
ANSWERED = """order_id,stamp,decision
O-1,KX,pay back
O-2,LM,refuse
O-3,ZZ,ask again
O-4,QR,pay back
"""
METADATA: dict[str, Any] = {
    "name": "refunds",
    "input_columns": ["order_id", "stamp"],
    "output_columns": ["decision"],
}


def spec(name: str, **parameters: dict[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", "properties": parameters, "required": list(parameters)}
    return {
        "toolSpec": {"name": name, "description": f"Do {name}.", "inputSchema": {"json": schema}}
    }


ORDER = {"type": "string", "pattern": "^O-[0-9]$", "description": "the order"}
STAMP = {"type": "string", "enum": ["KX", "LM", "NP", "QR", "ZZ"], "description": "the stamp"}
SPECS = [spec("findOrder", order_id=ORDER), spec("checkStamp", order_id=ORDER, stamp=STAMP)]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return the folder of a package in which nothing is wrong."""
    files = {
        "sop.txt": SOP,
        "tools.py": TOOLS,
        "records.csv": RECORDS,
        "test_set_without_outputs.csv": ASKED,
        "test_set_with_outputs.csv": ANSWERED,
        "metadata.json": json.dumps(METADATA),
        "toolspecs.json": json.dumps(SPECS),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def codes(folder: Path) -> set[str]:
    return {finding.id for finding in audit(folder).findings}


def test_nothing_is_found_in_a_sound_package(package: Path) -> None:
    made = audit(package)
    assert made.findings == ()
    assert made.calls > 2 * 8
    assert made.scores["most frequent answer"] == 0.5
    assert made.scores["all labels at once"] == 1.0
    assert made.scores["nothing"] == 0.0


def swap(name: str, old: str, new: str) -> Callable[[Path], None]:
    """Return what replaces a text of a file, everywhere in it."""

    def spoil(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return spoil


def describe(**changes: object) -> Callable[[Path], None]:
    """Return what changes keys of the metadata."""

    def spoil(folder: Path) -> None:
        (folder / "metadata.json").write_text(json.dumps({**METADATA, **changes}))

    return spoil


def both(*spoils: Callable[[Path], None]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        for part in spoils:
            part(folder)

    return spoil


def answers(old: str, new: str) -> Callable[[Path], None]:
    """Return what renames an answer in table and SOP."""
    return both(
        swap("test_set_with_outputs.csv", f",{old}\n", f",{new}\n"),
        swap("sop.txt", f'"{old}"', f'"{new}"'),
    )


def more_rows(count: int) -> Callable[[Path], None]:
    """Return what adds rows with the answer "pay back"."""

    def spoil(folder: Path) -> None:
        names = {"records.csv": "O-{n},2{n},2026-05-0{n},KX\n",
                 "test_set_without_outputs.csv": "O-{n},KX\n",
                 "test_set_with_outputs.csv": "O-{n},KX,pay back\n"}  # fmt: skip
        for name, line in names.items():
            with (folder / name).open("a", encoding="utf-8") as file:
                file.write("".join(line.format(n=5 + place) for place in range(count)))

    return spoil


def rewrite_specs(edit: Callable[[list[dict[str, Any]]], object]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        specs = json.loads(json.dumps(SPECS))
        edit(specs)
        (folder / "toolspecs.json").write_text(json.dumps(specs), encoding="utf-8")

    return spoil


def schema_of(specs: list[dict[str, Any]], place: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = specs[place]["toolSpec"]["inputSchema"]["json"]
    return found


FIND = '        return {"amount_eur": int(record["amount_eur"]), "paid_on": record["paid_on"]}'
LOOKED_UP = "        record = self.records.get(str(order_id))\n        if record is None:"
DEFECTS: dict[str, Callable[[Path], None]] = {
    "answer-shown": swap("records.csv", "stamp\n", "decision\n"),
    "column-in-both-lists": describe(input_columns=["order_id", "stamp", "decision"]),
    "input-column-absent": describe(input_columns=["order_id", "stamp", "reason"]),
    "count-differs": describe(num_tasks=5),
    "named-file-missing": swap("test_set_with_outputs.csv", ",ZZ,", ",scans/O-3.png,"),
    "inputs-differ": swap("test_set_without_outputs.csv", "O-3,ZZ", "O-3,NP"),
    "answer-nan": answers("ask again", "None"),
    "cell-read-as-missing": swap("test_set_with_outputs.csv", ",ZZ,", ",null,"),
    "answer-read-differently": both(
        answers("pay back", "1.50"), answers("refuse", "2.50"), answers("ask again", "3.50")
    ),
    "answer-contains-answer": answers("ask again", "pay back later"),
    "answer-reads-as-none": answers("ask again", "unknown"),
    "answer-majority": more_rows(3),
    "column-not-a-tag": both(
        swap("test_set_with_outputs.csv", "stamp,decision", "final stamp,decision"),
        describe(input_columns=["order_id"], output_columns=["final stamp", "decision"]),
    ),
    "right-answer-fails": both(
        swap("test_set_with_outputs.csv", "stamp,decision", "stamp,decisions"),
        describe(input_columns=["order_id"], output_columns=["stamp", "decisions"]),
    ),
    "tasks-contradict": both(
        swap("test_set_with_outputs.csv", "O-3,ZZ", "O-1,KX"),
        swap("test_set_without_outputs.csv", "O-3,ZZ", "O-1,KX"),
    ),
    "tasks-repeat": both(
        swap("records.csv", "45,2026-04-05,QR", "20,2026-01-02,KX"),
        swap("test_set_with_outputs.csv", "O-4,QR", "O-4,KX"),
        swap("test_set_without_outputs.csv", "O-4,QR", "O-4,KX"),
    ),
    "parameter-refuses-rows": swap("toolspecs.json", "^O-[0-9]$", "^O-[0-9]{3}$"),
    "parameter-misfits-rows": swap("toolspecs.json", '"ZZ"', '"YY"'),
    "parameter-without-source": rewrite_specs(
        lambda specs: (
            schema_of(specs)["properties"].update(clerk={"type": "string"}),
            schema_of(specs)["required"].append("clerk"),
        )
    ),
    "spec-incomplete": rewrite_specs(lambda specs: schema_of(specs, 1)["properties"].pop("stamp")),
    "answer-not-in-sop": swap("sop.txt", '"ask again"', "to be asked for once more"),
    "tool-not-in-sop": swap("sop.txt", "checkStamp", "the stamp service"),
    "column-not-in-sop": both(
        swap("test_set_with_outputs.csv", "stamp,decision", "stamp,verdict"),
        describe(output_columns=["verdict"]),
    ),
    "answer-never-comes": swap("sop.txt", '"refuse"; o', '"refuse" or "escalate"; o'),
    "tool-absent": both(
        swap("sop.txt", "3. If", "   Call sendMail.\n3. If"),
        rewrite_specs(lambda specs: specs.append(spec("sendMail", order_id=ORDER))),
    ),
    "tool-is-stub": swap("tools.py", FIND, "        record['paid_on']"),
    "tool-rereads-files": swap(
        "tools.py", LOOKED_UP, f"        open(Path(__file__).with_name('records.csv'))\n{LOOKED_UP}"
    ),
    "tools-read-answers": swap("tools.py", "records.csv", "test_set_with_outputs.csv"),
    "number-not-stated": swap("tools.py", FIND, f"        record['x'] = 3 * 17\n{FIND}"),
    "tool-misbehaves": swap("tools.py", FIND, "        raise SystemExit"),
    "tool-answers-by-chance": swap(
        "tools.py", FIND, FIND.replace('record["paid_on"]', 'list({"a", "b", "c", "d", "e"})')
    ),
    "tool-differs-outside": swap(
        "tools.py", FIND, FIND.replace('record["paid_on"]', '__import__("os").environ.get("HOME")')
    ),
    "refusal-has-answer": swap("tools.py", "no such order", "no order to 'refuse'"),
    "tool-refuses-rows": swap("tools.py", "        if record is None:\n", "        if True:\n"),
    # On record, the stamp of O-3 is another than the one that its task states.
    "result-contradicts-row": swap(
        "tools.py", FIND, FIND.replace('"paid_on": record', '"Stamp": record["stamp"], "p": record')
    ),
    "result-contradicts-column": swap(
        "tools.py", FIND, FIND.replace('"paid_on": record', '"mark": record["stamp"], "p": record')
    ),
    "tool-crashes": swap("tools.py", FIND, FIND.replace('"paid_on": record["', '"p": record["no_')),
    "tool-says-nothing": swap("tools.py", FIND, "        return {}"),
    "tool-never-tried": both(
        swap("sop.txt", "Call checkStamp", "Work out the batch_code.\nCall checkStamp"),
        rewrite_specs(
            lambda specs: (
                schema_of(specs, 1)["properties"].update(batch_code={"type": "string"}),
                schema_of(specs, 1)["required"].append("batch_code"),
            )
        ),
    ),
    "result-is-answer": both(
        swap("records.csv", "20,2026-01-02", "20,pay back"),
        swap("records.csv", "80,2026-02-03", "80,refuse"),
        swap("records.csv", "30,2026-03-04", "30,ask again"),
        swap("records.csv", "45,2026-04-05", "45,pay back"),
    ),
    "parameter-ignored": swap(
        "tools.py",
        "        if record is None or not isinstance(stamp, str):",
        "        stamp = 'KX'\n        if record is None:",
    ),
}


ALONE = {
    *("count-differs", "inputs-differ", "answer-contains-answer", "answer-majority"),
    *("tool-not-in-sop", "answer-never-comes", "tool-absent", "number-not-stated"),
    *("parameter-ignored", "result-is-answer"),
}
"""The defects that must not be taken for others."""


def test_every_rule_has_its_defect() -> None:
    assert sorted(DEFECTS) == sorted(rule.code for rule in RULES)


@pytest.mark.parametrize("code", DEFECTS)
def test_a_defect_is_found_by_its_code(package: Path, code: str) -> None:
    DEFECTS[code](package)
    found = codes(package)
    assert code in found
    assert code not in ALONE or found - {"tool-misbehaves"} == {code}


def drop_last(count: int, *names: str) -> Callable[[Path], None]:
    """Return what drops the last rows of tables."""

    def drop_rows(folder: Path) -> None:
        for name in names:
            lines = (folder / name).read_text(encoding="utf-8").splitlines(keepends=True)
            (folder / name).write_text("".join(lines[:-count]), encoding="utf-8")

    return drop_rows


TABLES = ("test_set_with_outputs.csv", "test_set_without_outputs.csv")
# For each warning the edit that its hint names, in a package with the defect of that code.
EDITS: dict[str, Callable[[Path], None]] = {
    "count-differs": describe(),
    "cell-read-as-missing": swap("test_set_with_outputs.csv", ",null,", ",no stamp,"),
    "answer-read-differently": both(
        answers("1.50", "1.50 EUR"), answers("2.50", "2.50 EUR"), answers("3.50", "3.50 EUR")
    ),
    "answer-majority": swap("test_set_with_outputs.csv", "O-7,KX,pay back", "O-7,KX,refuse"),
    "tasks-repeat": drop_last(1, *TABLES),
    "parameter-misfits-rows": swap("toolspecs.json", '"YY"', '"ZZ"'),
    "spec-incomplete": rewrite_specs(lambda specs: None),  # noqa: ARG005 - all are described
    "tool-not-in-sop": swap("sop.txt", "the stamp service", "checkStamp"),
    "column-not-in-sop": swap("sop.txt", "named decision", "named verdict"),
    "answer-never-comes": swap("sop.txt", ' or "escalate"', ""),
    "tool-rereads-files": swap(
        "tools.py", "        open(Path(__file__).with_name('records.csv'))\n", ""
    ),
    "tools-read-answers": swap("tools.py", "test_set_with_outputs.csv", "records.csv"),
    "number-not-stated": swap("sop.txt", "State the", "A stamp has 17 x 3 mm. State the"),
    "refusal-has-answer": swap("tools.py", "no order to 'refuse'", "no order to refuse"),
    "result-contradicts-column": swap("records.csv", ",NP", ",ZZ"),
    "tool-never-tried": rewrite_specs(lambda specs: None),  # noqa: ARG005 - it takes what rows have
    "parameter-ignored": swap(
        "tools.py",
        "        stamp = 'KX'\n        if record is None:",
        "        if record is None or not isinstance(stamp, str):",
    ),
}


def test_every_warning_of_a_rule_has_its_edit() -> None:
    warned = [rule.code for rule in RULES if rule.severity is Severity.WARNING]
    assert sorted(EDITS) == sorted(warned)


@pytest.mark.parametrize("code", EDITS)
def test_a_warning_is_gone_after_the_edit_that_its_hint_names(package: Path, code: str) -> None:
    DEFECTS[code](package)
    (found, *_) = [item for item in audit(package).findings if item.id == code]
    assert found.severity is Severity.WARNING
    assert found.hint

    EDITS[code](package)

    assert code not in codes(package)


@pytest.mark.parametrize(("places", "is_stated"), [(2, True), (1, False)])
def test_a_tool_may_hold_numbers_in_units_of_their_last_place(
    package: Path, places: int, *, is_stated: bool
) -> None:
    held = f"        record['x'] = dict(places={places}) and 3 * 1700\n{FIND}"
    swap("tools.py", FIND, held)(package)
    swap("sop.txt", "State the", "A stamp has 17 x 3 mm. State the")(package)

    assert ("number-not-stated" not in codes(package)) is is_stated


def test_tools_that_need_to_be_run_in_their_folder_are_tried_there_all_the_same(
    package: Path,
) -> None:
    code = package / "tools.py"
    text = code.read_text(encoding="utf-8")
    code.write_text(f"open('records.csv').close()\n{text}", encoding="utf-8")
    made = audit(package)
    (found,) = [item for item in made.findings if item.id == "tool-differs-outside"]
    assert found.message.startswith("the tools fail in a plain run from a folder: ")
    assert made.calls > 2 * 8


def test_tools_that_the_checks_of_a_model_try_are_not_reported_as_untried(package: Path) -> None:
    DEFECTS["tool-never-tried"](package)
    (package / "grader").mkdir()
    (package / "grader" / "domain.yaml").write_text("name: orders\n", encoding="utf-8")

    assert "tool-never-tried" not in codes(package)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(
            both(
                swap("test_set_with_outputs.csv", "stamp,decision", "stamp,final decision"),
                swap("sop.txt", "named decision", "named final decision"),
                describe(output_columns=["final decision"]),
            ),
            id="a lone answer may stand in an element of any name",
        ),
        pytest.param(
            swap("test_set_without_outputs.csv", "O-", "Q-"),
            id="the table without answers may be of other tasks",
        ),
        pytest.param(
            both(
                swap(
                    "records.csv",
                    "stamp\nO-1,20,2026-01-02,KX",
                    "stamp,marks\nO-1,20,2026-01-02,KX,[]",
                ),
                swap("records.csv", ",LM", ',LM,"[""torn""]"'),
                swap("records.csv", ",NP", ',NP,"[""torn""]"'),
                swap("records.csv", ",QR", ',QR,"[""torn""]"'),
                rewrite_specs(
                    lambda specs: schema_of(specs)["properties"].update(
                        marks={"type": "array", "minItems": 1}
                    )
                ),
            ),
            id="an empty list on record is no argument",
        ),
    ],
)
def test_what_harms_nobody_is_no_finding(package: Path, change: Callable[[Path], None]) -> None:
    change(package)
    assert not codes(package) & {"column-not-a-tag", "inputs-differ", "parameter-misfits-rows"}


def test_what_is_the_matter_with_many_tools_is_said_once(package: Path) -> None:
    swap("toolspecs.json", "^O-[0-9]$", "^O-[0-2]$")(package)
    swap("sop.txt", "checkStamp", "the stamp service")(package)
    swap("sop.txt", "findOrder", "the order desk")(package)
    found = {(item.id, item.message, item.where) for item in audit(package).findings}

    assert (
        "parameter-misfits-rows",
        "2 of 4 values of 'order_id' in the rows do not match its description",
        "toolspecs.json, findOrder and 1 more",
    ) in found
    assert ("tool-not-in-sop", "the SOP never names 2 of the 2 tools", "sop.txt") in found
    assert [code for code, *_ in found].count("tool-not-in-sop") == 1


def test_whole_rows_are_shown_without_column_lists(package: Path) -> None:
    swap("test_set_with_outputs.csv", "decision", "final_decision")(package)
    describe(input_columns=[], output_columns=[])(package)
    assert "answer-shown" in codes(package)


def test_a_folder_that_cannot_be_loaded_is_a_finding_and_the_rest_is_audited(
    package: Path,
) -> None:
    DEFECTS["tool-crashes"](package)
    (package / "sop.txt").unlink()
    describe(output_columns=["decision", "verdict"])(package)
    made = audit(package)
    assert {item.id for item in made.findings} == {
        *("package-file-missing", "output-column-missing", "tool-crashes")
    }
    assert made.calls > 2 * 8


def test_without_a_table_of_tasks_nothing_is_audited(package: Path) -> None:
    (package / "test_set_with_outputs.csv").unlink()
    (package / "sop.txt").unlink()
    made = audit(package)
    assert {item.id for item in made.findings} == {"package-file-missing"}
    assert len(made.findings) == 2
    assert not made.calls


def test_what_was_not_examined_is_said(package: Path) -> None:
    (package / "tools.py").unlink()
    assert codes(package) == {"tools-missing"}


def test_tools_get_the_files_that_they_name_and_no_answers(package: Path) -> None:
    listing = "' '.join(sorted(os.listdir(Path(__file__).parent)))"
    snoop = f"        import os\n        return {{'paid_on': {listing}}}"
    swap("tools.py", FIND, snoop)(package)
    from sopforge.checks.auditing.subject import read_subject

    answers = read_subject(package).trials.list_calls("findOrder")
    assert "records.csv" in str(answers[0].answer)
    assert "outputs" not in str(answers[0].answer)


# Published packages


def published(name: str) -> tuple[Finding, ...]:
    data = os.environ.get("SOPFORGE_PEER_DATA")
    if not data or not (Path(data) / name).is_dir():
        pytest.skip(f"SOPFORGE_PEER_DATA does not hold {name}")
    return audit(Path(data) / name).findings


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("customer_service", "tasks-repeat", "16 rows"),
        ("customer_service", "parameter-misfits-rows", "17 of 156 values of 'account_id'"),
        ("dangerous_goods", "tasks-repeat", "50 rows"),
        ("dangerous_goods", "parameter-misfits-rows", "5 of 274 values of 'product_id'"),
        ("patient_intake", "parameter-refuses-rows", "66 of 66 values of 'patient_id'"),
        ("patient_intake", "parameter-refuses-rows", "66 of 66 values of 'coverage_start_date'"),
        ("patient_intake", "answer-contains-answer", "'valid' is contained in 'invalid'"),
        ("referral_abuse_detection_v2", "cell-read-as-missing", "187 cells"),
        ("referral_abuse_detection_v2", "answer-majority", "134 of 200"),
        ("video_annotation", "answer-majority", "85 of 125"),
        ("video_annotation", "tool-not-in-sop", "of the 26 tools"),
    ],
)
def test_what_is_known_of_published_packages_is_found(name: str, code: str, message: str) -> None:
    found = [finding.message for finding in published(name) if finding.id == code]
    assert any(message in text for text in found), found


def test_tasks_that_differ_in_an_amount_do_not_repeat_where_one_has_none() -> None:
    def repetitions(amounts: list[str]) -> list[str]:
        rows = tuple({"order_id": f"O-{n}", "amount": text} for n, text in enumerate(amounts))
        subject = SimpleNamespace(facts=rows, test_set="test_set_with_outputs.csv")
        return [item.message for item in find_repetitions(cast("Subject", subject))]

    # Nothing was looked up of the second: its call is refused.
    assert repetitions(["12.50", "", "80.00", "7.25"]) == []
    assert repetitions(["12.50", "", "80.00", "80.00"]) == [
        "1 row equals an earlier row except for order_id"
    ]
