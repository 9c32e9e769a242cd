from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from sopforge.errors import PackageUnreadableError
from sopforge.harness.scoring.sop_bench_package import (
    Cell,
    PeerPackage,
    PeerTask,
    PeerTool,
    find_manager,
    list_managers,
    read_package,
)

METADATA = {
    "name": "refunds",
    "domain": "retail",
    "description": "Decides refunds.",
    "input_columns": ["order", "days"],
    "output_columns": ["refund"],
}
SPEC = {
    "toolSpec": {
        "name": "look_up",
        "description": "Returns the order.",
        "inputSchema": {"json": {"type": "object", "required": ["order"]}},
    }
}
CSV = "days,order,stock,refund\n3,A-1,9,full\n40,A-2,9,nothing\n"
TOOLS = "class RefundManager:\n    pass\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    package = tmp_path / "refunds_folder"
    package.mkdir()
    write_json(package / "metadata.json", METADATA)
    write_json(package / "toolspecs.json", [SPEC])
    (package / "sop.txt").write_text("Decide the refund.\n", encoding="utf-8")
    (package / "tools.py").write_text(TOOLS, encoding="utf-8")
    (package / "test_set_with_outputs.csv").write_text(CSV, encoding="utf-8")
    return package


@pytest.fixture(params=["python", "pyarrow"])
def _texts_kept_by(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have pandas keep texts as it does without pyarrow, which only tests have, and with it."""
    with pd.option_context("mode.string_storage", request.param):
        yield


def write_json(file: Path, document: object) -> None:
    file.write_text(json.dumps(document), encoding="utf-8")


def describe(folder: Path, **changes: object) -> None:
    write_json(folder / "metadata.json", METADATA | changes)


def write_rows(folder: Path, text: str) -> None:
    (folder / "test_set_with_outputs.csv").write_text(text, encoding="utf-8")


def read_with_rows(folder: Path, text: str) -> PeerPackage:
    write_rows(folder, text)
    return read_package(folder)


def test_a_package_is_read_whole(folder: Path) -> None:
    assert read_package(folder) == PeerPackage(
        name="refunds",
        domain="retail",
        description="Decides refunds.",
        sop="Decide the refund.\n",
        toolspecs=(
            PeerTool("look_up", "Returns the order.", {"type": "object", "required": ["order"]}),
        ),
        tasks=(
            PeerTask("0", {"days": 3, "order": "A-1"}, "full"),
            PeerTask("1", {"days": 40, "order": "A-2"}, "nothing"),
        ),
        input_columns=("days", "order"),
        output_columns=("refund",),
        manager_name="RefundManager",
        num_tasks=2,
        num_tools=1,
        is_legacy=False,
    )


def test_inputs_keep_the_order_of_the_csv(folder: Path) -> None:
    describe(folder, input_columns=["stock", "order", "days"])
    assert list(read_package(folder).tasks[0].inputs) == ["days", "order", "stock"]


def test_a_listed_input_that_the_csv_lacks_is_silently_absent(folder: Path) -> None:
    describe(folder, input_columns=["order", "colour"])
    assert read_package(folder).tasks[0].inputs == {"order": "A-1"}


def test_a_column_in_both_lists_is_output_only(folder: Path) -> None:
    describe(folder, input_columns=["order", "refund"])
    task = read_package(folder).tasks[0]
    assert (task.inputs, task.expected) == ({"order": "A-1"}, "full")


def test_several_output_columns_are_expected_as_a_dict(folder: Path) -> None:
    describe(folder, output_columns=["refund", "stock"])
    assert read_package(folder).tasks[0].expected == {"refund": "full", "stock": 9}


def test_a_listed_output_that_the_csv_lacks_is_refused(folder: Path) -> None:
    describe(folder, output_columns=["refund", "reason"])
    with pytest.raises(PackageUnreadableError) as caught:
        read_package(folder)
    assert str(caught.value) == (
        f"{folder / 'test_set_with_outputs.csv'}: output-column-missing: "
        "no output column 'reason'; columns are days, order, stock, refund\n"
        "  hint: name columns of the CSV under 'input_columns' and 'output_columns' "
        "in metadata.json"
    )


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"input_columns": []}, id="no inputs"),
        pytest.param({"output_columns": []}, id="no outputs"),
        pytest.param({"input_columns": [], "output_columns": []}, id="neither"),
    ],
)
def test_one_empty_list_shows_the_agent_the_whole_row(
    folder: Path, changes: dict[str, object]
) -> None:
    describe(folder, **changes)
    package = read_with_rows(folder, "order,refund,final_decision\nA-1,full,pay\n")
    row: dict[str, Cell] = {"order": "A-1", "refund": "full", "final_decision": "pay"}
    assert package.is_legacy
    assert package.tasks == (PeerTask("0", row, "pay"),)
    assert package.input_columns == ("order", "refund", "final_decision")
    assert package.output_columns == ("final_decision",)


def test_legacy_truth_is_expected_output_before_final_decision(folder: Path) -> None:
    describe(folder, output_columns=[])
    package = read_with_rows(folder, "final_decision,expected_output\npay,refuse\n")
    assert package.tasks[0].expected == "refuse"


@pytest.mark.parametrize(
    ("word", "value"),
    [
        pytest.param("approve", "approve", id="text"),
        pytest.param("007", 7, id="leading zeros are lost"),
        pytest.param("2.50", 2.5, id="decimals are shortened"),
        pytest.param("True", True, id="booleans"),
        pytest.param("[1, 2]", "[1, 2]", id="json-like text stays text"),
    ],
)
@pytest.mark.usefixtures("_texts_kept_by")
def test_cells_are_converted(folder: Path, word: str, value: object) -> None:
    package = read_with_rows(folder, f'order,refund\nA-1,"{word}"\n')
    expected = package.tasks[0].expected
    assert (expected, type(expected)) == (value, type(value))


@pytest.mark.usefixtures("_texts_kept_by")
@pytest.mark.parametrize("word", ["None", "N/A", ""])
def test_null_words_become_nan(folder: Path, word: str) -> None:
    package = read_with_rows(folder, f"order,refund\nA-1,{word}\nA-2,full\n")
    expected = package.tasks[0].expected
    assert isinstance(expected, float)
    assert math.isnan(expected)


def test_a_row_of_numbers_alone_has_one_type(folder: Path) -> None:
    package = read_with_rows(folder, "order,days,refund\n7,0.5,12\n")
    assert str(package.tasks[0].expected) == "12.0"
    assert str(package.tasks[0].inputs["order"]) == "7.0"


def test_the_bare_test_set_is_read_first(folder: Path) -> None:
    (folder / "test_set.csv").write_text("order,refund\nB-1,half\n", encoding="utf-8")
    assert [task.expected for task in read_package(folder).tasks] == ["half"]


def test_an_sop_that_is_not_utf_8_is_read_as_latin_1(folder: Path) -> None:
    (folder / "sop.txt").write_bytes("Gebühr prüfen".encode("latin-1"))
    assert read_package(folder).sop == "Gebühr prüfen"


@pytest.mark.parametrize(
    ("name", "content", "code", "where"),
    [
        ("sop.txt", b"", "sop-empty", ""),
        ("sop.txt", b" \n", "sop-empty", ""),
        *(
            (name, content, "json-malformed", "")
            for name in ("metadata.json", "toolspecs.json")
            for content in (b"{'a': 1}", b"", b"\xff")
        ),
        ("metadata.json", b"[]", "metadata-malformed", ""),
        ("metadata.json", b'{"input_columns": "order"}', "metadata-malformed", ""),
        ("metadata.json", b'{"output_columns": [1]}', "metadata-malformed", ""),
        ("metadata.json", b"{}", "output-column-missing", "test_set_with_outputs.csv"),
        ("toolspecs.json", b'{"tools": []}', "toolspecs-not-a-list", ""),
        ("toolspecs.json", b'[{"toolSpec": {}}]', "toolspec-malformed", "toolspecs.json[0]"),
        ("toolspecs.json", b'[{"description": "x"}]', "toolspec-malformed", "toolspecs.json[0]"),
        ("toolspecs.json", b'["look_up"]', "toolspec-malformed", "toolspecs.json[0]"),
        ("toolspecs.json", b'[{"toolSpec": ["x"]}]', "toolspec-malformed", "toolspecs.json[0]"),
        ("test_set_with_outputs.csv", b"", "csv-malformed", ""),
        ("test_set_with_outputs.csv", b"order,refund\nA-1,full\nA-2,x,y,z\n", "csv-malformed", ""),
        ("test_set_with_outputs.csv", b"order,refund\nA-1,\xff\n", "csv-malformed", ""),
        ("test_set_with_outputs.csv", b"order,refund\n", "test-set-empty", ""),
    ],
)
def test_a_file_that_would_not_load_is_named(
    folder: Path, name: str, content: bytes, code: str, where: str
) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(PackageUnreadableError) as caught:
        read_package(folder)
    (fault,) = caught.value.faults
    assert (fault.code, fault.where) == (code, str(folder / (where or name)))
    assert fault.hint


def test_all_missing_files_are_named_together(tmp_path: Path) -> None:
    with pytest.raises(PackageUnreadableError) as caught:
        read_package(tmp_path)
    assert [fault.message for fault in caught.value.faults] == [
        "no sop.txt",
        "no tools.py",
        "no toolspecs.json",
        "no test_set.csv or test_set_with_outputs.csv",
    ]
    assert {fault.code for fault in caught.value.faults} == {"package-file-missing"}


def test_without_tools_the_manager_is_not_looked_for(folder: Path) -> None:
    (folder / "tools.py").unlink()
    assert read_package(folder, with_tools=False).manager_name == ""


def test_without_metadata_the_folder_names_the_package_less_its_sop(folder: Path) -> None:
    (folder / "metadata.json").unlink()
    write_rows(folder, "order,final_decision\nA-1,pay\n")
    package = read_package(folder.rename(folder.with_name("refunds_sop")))
    assert package.name == "refunds"
    assert package.is_legacy


def test_metadata_without_a_name_leaves_the_folder_name_whole(folder: Path) -> None:
    write_json(folder / "metadata.json", {k: v for k, v in METADATA.items() if k != "name"})
    assert read_package(folder.rename(folder.with_name("refunds_sop"))).name == "refunds_sop"


@pytest.mark.parametrize(
    ("declared", "counts"),
    [
        pytest.param({}, (2, 1), id="absent"),
        pytest.param({"num_tasks": 0, "num_tools": 0}, (2, 1), id="zero"),
        pytest.param({"num_tasks": 200, "num_tools": 8}, (200, 8), id="declared"),
    ],
)
def test_declared_counts_win_unless_zero(
    folder: Path, declared: dict[str, object], counts: tuple[int, int]
) -> None:
    describe(folder, **declared)
    package = read_package(folder)
    assert (package.num_tasks, package.num_tools) == counts


def test_a_byte_order_mark_is_no_part_of_a_file(folder: Path) -> None:
    known = read_package(folder)
    for name in ("metadata.json", "toolspecs.json", "sop.txt"):
        (folder / name).write_bytes(b"\xef\xbb\xbf" + (folder / name).read_bytes())

    assert read_package(folder) == known


def test_a_flat_spec_with_a_name_loads(folder: Path) -> None:
    write_json(folder / "toolspecs.json", [SPEC["toolSpec"]])
    assert [tool.name for tool in read_package(folder).toolspecs] == ["look_up"]


def test_tools_are_never_executed(folder: Path) -> None:
    (folder / "tools.py").write_text(f"raise SystemExit\n{TOOLS}", encoding="utf-8")
    assert read_package(folder).manager_name == "RefundManager"


MANAGERS: list[tuple[str, tuple[str, ...]]] = [
    ("class AManager: pass", ("AManager",)),  # class
    ("class Manager: pass", ("Manager",)),  # nothing before it
    ("class _AManager: pass", ()),  # underscore
    ("class ManagerA: pass", ()),  # not at the end
    ("class Amanager: pass", ()),  # small m
    ("from x import AManager", ("AManager",)),  # from import
    ("from x import AManager as A", ()),  # renamed away
    ("from x import A as AManager", ("AManager",)),  # renamed to
    ("import AManager.depot", ("AManager",)),  # import binds the first part
    ("import depot.AManager", ()),  # import does not bind the last part
    ("AManager = dict", ("AManager",)),  # assignment
    ("AManager: type = dict", ("AManager",)),  # annotated assignment
    ("AManager: type", ()),  # annotation alone
    ("(BManager, *AManager) = x", ("AManager", "BManager")),  # unpacking
    ("if (AManager := x): pass", ("AManager",)),  # walrus
    ("for AManager in x: pass", ("AManager",)),  # loop
    ("def AManager(): pass", ("AManager",)),  # function
    ("try:\n  class AManager: pass\nexcept E: pass", ("AManager",)),  # in a try
    ("class A:\n  class BManager: pass", ()),  # inside a class
    ("def make():\n  AManager = 1", ()),  # inside a function
    ("[AManager for AManager in x]", ()),  # inside a comprehension
    ("f = lambda AManager: AManager", ()),  # inside a lambda
    ("print(AManager)", ()),  # only read
    ("class b_Manager: pass\nclass BManager: pass", ("BManager", "b_Manager")),  # capitals first
]


def test_managers_are_the_public_names_of_the_module() -> None:
    assert [(source, list_managers(source)) for source, _ in MANAGERS] == MANAGERS


def test_tools_in_a_declared_encoding_are_read() -> None:
    source = "# coding: latin-1\n# Gebühr\nclass FeeManager: pass\n".encode("latin-1")
    assert find_manager(source) == "FeeManager"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        pytest.param(
            "class Refunds: pass",
            "tools.py: manager-missing: no name at module level ends in 'Manager'\n"
            "  hint: define one class such as 'ClaimsManager', without a leading underscore",
            id="none",
        ),
        pytest.param(
            "from x import StockManager\nclass ClaimsManager: pass",
            "tools.py: manager-ambiguous: 2 names end in 'Manager': ClaimsManager, StockManager; "
            "the first would be taken\n"
            "  hint: leave one; import the others under a name that ends otherwise",
            id="two",
        ),
        pytest.param(
            "class :",
            "tools.py: tools-malformed: not Python: invalid syntax (<unknown>, line 1)",
            id="not python",
        ),
    ],
)
def test_tools_without_exactly_one_manager_are_refused(source: str, message: str) -> None:
    with pytest.raises(PackageUnreadableError) as caught:
        find_manager(source)
    assert str(caught.value) == message
