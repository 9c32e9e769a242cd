from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sopforge.artifacts.rendering.tools.module import render_tools
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from tests.worlds.small_models import changed, claims, parcel

MODEL = parcel()
RECORDS = (
    "parcel_id,sent_on,fragile,service,due_on,slip_number\n"
    "PX00001,2026-03-01,no,Night,no due date,S-0001\n"
    "PX00002,2026-03-01,yes,Standard,2026-03-05,S-0002\n"
)
FIND = {"parcel_id": "PX00001", "sent_on": "2026-03-01", "fragile": "no"}
PRICE = {"parcel_id": "PX00001", "weight": 10, "service": "Night"}
PRICED = {"surcharge": 7.5, "service_points": 4}
RELEASE = {"parcel_id": "PX00001", "care": "plain", "surcharge": 7.5}
SLIP = {"slip_number": "S-0001"}
INVALID = "invalid_parameter"


@cache
def render_parcels() -> str:
    """Return the module of the parcels, which many tests call."""
    return render_tools(MODEL)


class Tools:
    """The emitted tools of a model, beside its records."""

    def __init__(self, folder: Path, model: DomainModel = MODEL, **records: str) -> None:
        for name, text in (records or {"records": RECORDS}).items():
            (folder / f"{name}.csv").write_text(text, encoding="utf-8")
        source = render_parcels() if model is MODEL else render_tools(model)
        self.scope: dict[str, Any] = {"__file__": str(folder / "tools.py")}
        exec(compile(source, "tools.py", "exec"), self.scope)  # noqa: S102 - our own output
        self.manager = next(made for name, made in self.scope.items() if name.endswith("Manager"))()

    def call(self, tool: object, arguments: object) -> object:
        """Return what a tool answers, or the code with which it refuses."""
        try:
            said = self.manager.process_tool_call(tool, arguments)
        except self.scope["ToolRefusal"] as refusal:
            return refusal.code
        return {
            name: float(found) if isinstance(found, Decimal) else found
            for name, found in said.items()
        }


def test_calls_are_answered_or_refused_with_a_code(tmp_path: Path) -> None:
    tools = Tools(tmp_path)
    cases: list[tuple[object, object, object]] = [
        ("findParcel", None, INVALID),
        ("findParcel", [], INVALID),
        ("findParcel", "PX00001", INVALID),
        (None, {}, "unknown_tool"),
        ([], {}, "unknown_tool"),
        ("noSuchTool", {}, "unknown_tool"),
        ("findParcel", {}, INVALID),
        ("findParcel", {**FIND, "further": 1}, INVALID),
        ("findParcel", {**FIND, "parcel_id": "PX99999"}, "unknown_record"),
        ("findParcel", {**FIND, "parcel_id": "PX00001\n"}, INVALID),
        ("findParcel", {**FIND, "parcel_id": "PX0000\uff11"}, INVALID),
        ("findParcel", {**FIND, "fragile": "yes"}, "record_mismatch"),
        ("findParcel", {**FIND, "fragile": False}, INVALID),
        ("findParcel", {**FIND, "sent_on": "2026-03-02"}, "record_mismatch"),
        ("findParcel", {**FIND, "sent_on": "2026-02-30"}, INVALID),
        ("findParcel", {**FIND, "sent_on": "20260301"}, INVALID),
        ("findParcel", FIND, {"service": "Night", "due_on": "no due date"}),
        ("priceParcel", {**PRICE, "weight": 40.01}, INVALID),
        ("priceParcel", {**PRICE, "weight": True}, INVALID),
        ("priceParcel", {**PRICE, "service": ["Night"]}, INVALID),
        ("priceParcel", PRICE, PRICED),
        ("priceParcel", {**PRICE, "weight": 5.01}, {**PRICED, "surcharge": 0.015}),
        ("priceParcel", {**PRICE, "weight": 5}, {**PRICED, "surcharge": 0.0}),
        ("releaseParcel", {**RELEASE, "care": "not judged"}, INVALID),
        ("releaseParcel", {**RELEASE, "care": None}, INVALID),
        ("releaseParcel", {**RELEASE, "surcharge": 30.0001}, "too_dear"),
        ("releaseParcel", {**RELEASE, "care": "careful", "surcharge": 10}, "not_covered"),
        ("releaseParcel", RELEASE, SLIP),
        ("releaseParcel", {**RELEASE, "care": "careful", "surcharge": 10.0001}, SLIP),
    ]

    assert [(tool, given, tools.call(tool, given)) for tool, given, _ in cases] == cases


def test_none_is_given_as_the_descriptions_say(tmp_path: Path) -> None:
    model = parcel(
        ("[parcel_id, weight, service]", "[parcel_id, weight, service, contents]"),
        ("[parcel_id, sent_on, fragile]", "[parcel_id, due_on]"),
    )
    tools = Tools(tmp_path, model)
    refused = {
        name: [value for value in values if tools.call(tool, {**given, name: value}) == INVALID]
        for tool, given, name, values in (
            ("priceParcel", PRICE, "contents", [[], ["Glass"], "nothing listed", None]),
            ("findParcel", {"parcel_id": "PX00001"}, "due_on", ["no due date", None, ""]),
        )
    }

    assert refused == {"contents": ["nothing listed", None], "due_on": [None, ""]}


@pytest.fixture(params=["parcel", "claims"])
def source(request: pytest.FixtureRequest) -> str:
    return render_parcels() if request.param == "parcel" else render_tools(claims())


def test_the_module_imports_the_standard_library_only(source: str) -> None:
    imported = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            imported |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(str(node.module).partition(".")[0])

    assert imported <= sys.stdlib_module_names
    assert "sopforge" not in source


def test_the_module_never_runs_text_as_code_and_has_one_manager(source: str) -> None:
    tree = ast.parse(source)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]

    assert not names & {"eval", "exec", "compile", "__import__", "globals"}
    assert len([name for name in classes if name.endswith("Manager")]) == 1


def test_sets_are_lists_of_labels(tmp_path: Path) -> None:
    points = "service_points: {table: service, rows: {Standard: 0, Express: 2, Night: 4}}"
    count = "service_points: {value: count(contents) + (1 if 'Glass' in contents else 0)}"
    model = parcel(
        ("takes: [parcel_id, weight, service]", "takes: [parcel_id, contents, weight, service]"),
        (points, count),
    )
    tools = Tools(tmp_path, model)
    cases: list[tuple[object, object]] = [
        ([], {**PRICED, "service_points": 0}),
        (["Medicine", "Glass"], {**PRICED, "service_points": 3}),
        (["Glass", "Glass"], INVALID),
        (["Rope"], INVALID),
        ("Glass", INVALID),
        ([["Glass"]], INVALID),
    ]

    said = [(given, tools.call("priceParcel", {**PRICE, "contents": given})) for given, _ in cases]

    assert said == cases


def test_the_guard_of_a_look_up_reads_decoded_values(tmp_path: Path) -> None:
    guard = (
        "      requires: {id: N, is: \"not fragile and sent_on >= '2026-02-01'\","
        " refusal: breakable, says: it breaks}\n"
    )
    returns = "      returns: [service, due_on]\n"
    tools = Tools(tmp_path, parcel((returns, returns + guard)))
    fragile = {**FIND, "parcel_id": "PX00002", "fragile": "yes"}

    assert tools.call("findParcel", FIND) == {"service": "Night", "due_on": "no due date"}
    assert tools.call("findParcel", fragile) == "breakable"


def test_texts_of_the_brief_stay_texts(tmp_path: Path) -> None:
    model = parcel(
        (
            "meaning: weight that costs nothing",
            'meaning: "weight\\nimport nothing_of_the_kind"',
        ),
        ("description: Find a parcel", 'description: \'Find """ a \\ parcel\''),
        ("title: Release of Parcels", 'title: \'Release """ of \\N Parcels\''),
    )

    assert Tools(tmp_path, model).call("priceParcel", PRICE) == PRICED


def test_a_dot_or_hyphen_in_a_pattern_means_itself(tmp_path: Path) -> None:
    odd = parcel(('pattern: "PX[0-9]{5}"', 'pattern: "P.[0-9a.-]{5}"'))
    tools = Tools(tmp_path, odd, records=RECORDS.replace("PX00001", "P.0a.-9"))

    said = [
        tools.call("priceParcel", {**PRICE, "parcel_id": key})
        for key in ("P.0a.-9", "Px0a.-9", "P.0b.-9")
    ]

    assert said == [PRICED, INVALID, INVALID]


@pytest.mark.parametrize("name", ["key", "fields"])
def test_a_policy_constant_may_have_any_name(name: str, tmp_path: Path) -> None:
    model = parcel(("free_weight:", f"{name}:"), ("free_weight", name))

    assert Tools(tmp_path, model).call("priceParcel", PRICE) == PRICED


def test_an_operation_takes_a_decided_value_that_may_be_missing_elsewhere(tmp_path: Path) -> None:
    counter = (Path(__file__).parents[4] / "docs/examples/small_counter.yaml").read_text("utf-8")
    fee = (
        "fee: {role: outcome, type: number, places: 2, min: 0.00, max: 9.00, unit: EUR,"
        " missing: nothing charged, description: what is charged}"
    )
    model = read_brief(
        changed(
            counter,
            ("        verdict: {", f"        {fee}\n        verdict: {{"),
            (
                "  decisions:\n",
                '  decisions:\n    fee: {value: "2.00 if amount > 100 else 0.50"}\n',
            ),
            ("target: account, amount: amount}", "target: account, amount: amount, fee: fee}"),
            ("source.balance - amount,", "source.balance - amount - fee,"),
            ("- {to: move}", "- {to: price}"),
            (
                "      move:\n",
                "      price: {title: Price it, decide: [fee], edges: [{to: move}]}\n      move:\n",
            ),
        ),
        "counter.yaml",
    ).model
    tools = Tools(
        tmp_path,
        model.offered,
        records="request_id\n",
        records_account="account_no,owner,balance,blocked,code\n"
        "A000001,C00001,50.00,no,K0001\nA000002,C00001,5.00,no,K0002\n",
        records_customer="customer_no,standing\nC00001,Good\n",
    )
    given: Mapping[str, object] = {"source": "A000001", "target": "A000002", "amount": 10}

    tools.call("openSession", {"account": "A000001", "pin": "K0001"})

    assert tools.call("transferMoney", {**given, "fee": "nothing charged"}) == INVALID
    assert tools.call("transferMoney", {**given, "fee": 0.5}) == {"source_balance": 39.5}
