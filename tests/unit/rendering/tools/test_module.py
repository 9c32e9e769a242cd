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
from sopforge.sandbox.answers import JSONValue, Observation, Refusal
from sopforge.sandbox.process import ToolProcess
from sopforge.workspace import TOOLS, Workspace
from tests.worlds.small_models import changed, parcel

MODEL = parcel()
RECORDS = (
    "parcel_id,sent_on,fragile,service,due_on,slip_number\n"
    "PX00001,2026-03-01,no,Night,no due date,S-0001\n"
    "PX00002,2026-03-01,yes,Standard,2026-03-05,S-0002\n"
)
FIND: dict[str, JSONValue] = {"parcel_id": "PX00001", "sent_on": "2026-03-01", "fragile": "no"}
PRICE: dict[str, JSONValue] = {"parcel_id": "PX00001", "weight": 10, "service": "Night"}
RELEASE: dict[str, JSONValue] = {"parcel_id": "PX00001", "care": "plain", "surcharge": 7.5}


@cache
def render_parcels() -> str:
    """Return the module of the parcels, which many tests call."""
    return render_tools(MODEL)


def reply_to(
    tool: str,
    arguments: Mapping[str, JSONValue],
    model: DomainModel = MODEL,
    records: str = RECORDS,
) -> object:
    """Return what the emitted tool answers, or the code with which it refuses."""
    source = render_parcels() if model is MODEL else render_tools(model)
    files = {"tools.py": source.encode(), "records.csv": records.encode()}
    with ToolProcess(Path(), files=files) as process:
        reply = process.call(tool, arguments)
    assert isinstance(reply, Observation | Refusal)
    return reply.code if isinstance(reply, Refusal) else reply.value


@pytest.mark.parametrize(
    ("tool", "given", "code"),
    [
        ("findParcel", None, "invalid_parameter"),
        ("findParcel", [], "invalid_parameter"),
        ("findParcel", "PX00001", "invalid_parameter"),
        ("findParcel", 5, "invalid_parameter"),
        (None, {}, "unknown_tool"),
        ([], {}, "unknown_tool"),
    ],
)
def test_a_call_that_is_no_name_and_no_mapping_is_refused(
    tool: object, given: object, code: str, tmp_path: Path
) -> None:
    (tmp_path / "records.csv").write_text(RECORDS, encoding="utf-8")
    scope: dict[str, Any] = {"__file__": str(tmp_path / "tools.py")}
    exec(compile(render_parcels(), "tools.py", "exec"), scope)  # noqa: S102 - our own output
    manager = next(kind for name, kind in scope.items() if name.endswith("Manager"))()

    with pytest.raises(scope["ToolRefusal"]) as caught:
        manager.process_tool_call(tool, given)

    assert caught.value.code == code


@pytest.mark.parametrize(
    ("tool", "changes", "answer"),
    [
        pytest.param("priceParcel", {"contents": []}, None, id="empty list"),
        pytest.param("priceParcel", {"contents": ["Glass"]}, None, id="list"),
        pytest.param("priceParcel", {"contents": "nothing listed"}, "invalid_parameter", id="cell"),
        pytest.param("priceParcel", {"contents": None}, "invalid_parameter", id="null for none"),
        pytest.param("findParcel", {"due_on": "no due date"}, None, id="word for missing"),
        pytest.param("findParcel", {"due_on": None}, "invalid_parameter", id="null for missing"),
        pytest.param("findParcel", {"due_on": ""}, "invalid_parameter", id="blank for missing"),
        pytest.param("releaseParcel", {"care": "not judged"}, "invalid_parameter", id="not taken"),
        pytest.param("releaseParcel", {"care": None}, "invalid_parameter", id="null not taken"),
    ],
)
def test_none_is_given_as_the_descriptions_say(
    tool: str, changes: dict[str, JSONValue], answer: str | None
) -> None:
    model = parcel(
        ("[parcel_id, weight, service]", "[parcel_id, weight, service, contents]"),
        ("[parcel_id, sent_on, fragile]", "[parcel_id, due_on]"),
    )
    given: dict[str, dict[str, JSONValue]] = {
        "priceParcel": PRICE,
        "findParcel": {"parcel_id": "PX00001"},
        "releaseParcel": RELEASE,
    }

    reply = reply_to(tool, {**given[tool], **changes}, model)
    assert (reply if isinstance(reply, str) else None) == answer


@pytest.fixture(params=["small", "shipped"])
def source(request: pytest.FixtureRequest) -> str:
    if request.param == "small":
        return render_parcels()
    shipped: Workspace = request.getfixturevalue("sound")
    return shipped.files[TOOLS]


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


def test_the_module_defines_one_name_that_ends_in_manager(source: str) -> None:
    scope: dict[str, object] = {"__file__": "tools.py"}
    exec(compile(source, "tools.py", "exec"), scope)  # noqa: S102 - our own output

    assert len([name for name in scope if name.endswith("Manager")]) == 1


def test_the_module_never_runs_text_as_code(source: str) -> None:
    names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}

    assert not names & {"eval", "exec", "compile", "__import__", "globals"}


def test_rendering_twice_gives_the_same_text() -> None:
    assert render_tools(parcel()) == render_tools(parcel())


@pytest.mark.parametrize(
    ("tool", "arguments", "result"),
    [
        pytest.param(
            "findParcel", FIND, {"service": "Night", "due_on": "no due date"}, id="look-up"
        ),
        pytest.param(
            "priceParcel", PRICE, {"surcharge": 7.5, "service_points": 4}, id="calculator"
        ),
        pytest.param(
            "priceParcel",
            PRICE | {"weight": 5.01},
            {"surcharge": 0.015, "service_points": 4},
            id="last place",
        ),
        pytest.param(
            "priceParcel",
            PRICE | {"weight": 5},
            {"surcharge": 0.0, "service_points": 4},
            id="boundary",
        ),
        pytest.param("releaseParcel", RELEASE, {"slip_number": "S-0001"}, id="action"),
        pytest.param(
            "releaseParcel",
            RELEASE | {"care": "careful", "surcharge": 10.0001},
            {"slip_number": "S-0001"},
            id="either condition",
        ),
    ],
)
def test_a_well_formed_call_is_answered(
    tool: str, arguments: dict[str, JSONValue], result: dict[str, object]
) -> None:
    said = reply_to(tool, arguments)

    assert isinstance(said, dict)
    floats = {name: float(found) for name, found in said.items() if isinstance(found, Decimal)}
    assert said | floats == result


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        pytest.param("noSuchTool", {}, "unknown_tool", id="unknown tool"),
        pytest.param("findParcel", {}, "invalid_parameter", id="nothing given"),
        pytest.param(
            "findParcel", FIND | {"further": 1}, "invalid_parameter", id="a further parameter"
        ),
        pytest.param(
            "findParcel", FIND | {"parcel_id": "PX99999"}, "unknown_record", id="unknown record"
        ),
        pytest.param(
            "findParcel", FIND | {"parcel_id": "99999"}, "invalid_parameter", id="no such pattern"
        ),
        pytest.param(
            "findParcel", FIND | {"parcel_id": "PX00001\n"}, "invalid_parameter", id="line end"
        ),
        pytest.param(
            "findParcel", FIND | {"parcel_id": "PX0000\uff11"}, "invalid_parameter", id="wide digit"
        ),
        pytest.param("findParcel", FIND | {"fragile": "yes"}, "record_mismatch", id="another flag"),
        pytest.param("findParcel", FIND | {"fragile": False}, "invalid_parameter", id="real flag"),
        pytest.param(
            "findParcel", FIND | {"sent_on": "2026-03-02"}, "record_mismatch", id="another day"
        ),
        pytest.param(
            "findParcel", FIND | {"sent_on": "2026-02-30"}, "invalid_parameter", id="no such day"
        ),
        pytest.param(
            "findParcel",
            FIND | {"sent_on": "20260301"},
            "invalid_parameter",
            id="day without dashes",
        ),
        pytest.param(
            "findParcel", FIND | {"sent_on": "2025-12-31"}, "invalid_parameter", id="too early"
        ),
        pytest.param("priceParcel", PRICE | {"weight": 40.01}, "invalid_parameter", id="too heavy"),
        pytest.param(
            "priceParcel", PRICE | {"weight": 5.001}, "invalid_parameter", id="three places"
        ),
        pytest.param("priceParcel", PRICE | {"weight": "5"}, "invalid_parameter", id="text"),
        pytest.param("priceParcel", PRICE | {"weight": True}, "invalid_parameter", id="true"),
        pytest.param("priceParcel", PRICE | {"weight": None}, "invalid_parameter", id="null"),
        pytest.param("priceParcel", PRICE | {"weight": 1e300}, "invalid_parameter", id="huge"),
        pytest.param(
            "priceParcel", PRICE | {"service": "night"}, "invalid_parameter", id="other case"
        ),
        pytest.param(
            "priceParcel", PRICE | {"service": ["Night"]}, "invalid_parameter", id="a list"
        ),
        pytest.param(
            "releaseParcel", RELEASE | {"care": "not judged"}, "invalid_parameter", id="missing"
        ),
        pytest.param(
            "releaseParcel", RELEASE | {"surcharge": 30.0001}, "too_dear", id="first guard"
        ),
        pytest.param(
            "releaseParcel",
            RELEASE | {"care": "careful", "surcharge": 10},
            "not_covered",
            id="second guard",
        ),
    ],
)
def test_a_call_that_cannot_be_answered_is_refused_with_its_code(
    tool: str, arguments: dict[str, JSONValue], code: str
) -> None:
    assert reply_to(tool, arguments) == code


SETS = parcel(
    ("takes: [parcel_id, weight, service]", "takes: [parcel_id, contents, weight, service]"),
    (
        "service_points: {table: service, rows: {Standard: 0, Express: 2, Night: 4}}",
        "service_points: {value: count(contents) + (1 if 'Glass' in contents else 0)}",
    ),
)


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        pytest.param([], 0, id="none"),
        pytest.param(["Medicine", "Glass"], 3, id="two, one of them glass"),
        pytest.param(["Glass", "Glass"], "invalid_parameter", id="twice the same"),
        pytest.param(["Rope"], "invalid_parameter", id="unknown member"),
        pytest.param("Glass", "invalid_parameter", id="text"),
        pytest.param([["Glass"]], "invalid_parameter", id="a list inside"),
    ],
)
def test_sets_are_lists_of_labels(contents: JSONValue, said: object) -> None:
    arguments = PRICE | {"contents": contents}

    reply = reply_to("priceParcel", arguments, SETS)

    assert (reply.get("service_points") if isinstance(reply, dict) else reply) == said


def test_the_guard_of_a_look_up_reads_decoded_values() -> None:
    model = parcel(
        (
            "      returns: [service, due_on]\n",
            """\
      returns: [service, due_on]
      requires:
        id: N
        is: not fragile and sent_on >= '2026-02-01'
        refusal: breakable
        says: it breaks
""",
        )
    )
    fragile: dict[str, JSONValue] = {**FIND, "parcel_id": "PX00002", "fragile": "yes"}

    assert reply_to("findParcel", FIND, model) == {"service": "Night", "due_on": "no due date"}
    assert reply_to("findParcel", fragile, model) == "breakable"


def test_texts_of_the_brief_stay_texts() -> None:
    model = parcel(
        (
            "meaning: weight that costs nothing",
            'meaning: "weight\\nimport nothing_of_the_kind"',
        ),
        ("description: Find a parcel", 'description: \'Find """ a \\ parcel\''),
        ("title: Release of Parcels", 'title: \'Release """ of \\N Parcels\''),
    )

    assert reply_to("priceParcel", PRICE, model) == {"surcharge": 7.5, "service_points": 4}


def test_a_dot_or_hyphen_in_a_pattern_means_itself() -> None:
    odd = parcel(('pattern: "PX[0-9]{5}"', 'pattern: "P.[0-9a.-]{5}"'))
    records = RECORDS.replace("PX00001", "P.0a.-9")

    assert reply_to("priceParcel", PRICE | {"parcel_id": "P.0a.-9"}, odd, records) == {
        "surcharge": 7.5,
        "service_points": 4,
    }
    assert reply_to("priceParcel", PRICE | {"parcel_id": "Px0a.-9"}, odd, records) == (
        "invalid_parameter"
    )
    assert reply_to("priceParcel", PRICE | {"parcel_id": "P.0b.-9"}, odd, records) == (
        "invalid_parameter"
    )


@pytest.mark.parametrize("name", ["key", "fields"])
def test_a_policy_constant_may_have_any_name(name: str) -> None:
    model = parcel(("free_weight:", f"{name}:"), ("free_weight", name))

    assert reply_to("priceParcel", PRICE, model) == {"surcharge": 7.5, "service_points": 4}


def test_an_operation_takes_a_decided_value_that_may_be_missing_elsewhere() -> None:
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
    files = {
        "tools.py": render_tools(model.offered).encode(),
        "records.csv": b"request_id\n",
        "records_account.csv": b"account_no,owner,balance,blocked,code\n"
        b"A000001,C00001,50.00,no,K0001\nA000002,C00001,5.00,no,K0002\n",
        "records_customer.csv": b"customer_no,standing\nC00001,Good\n",
    }
    given: dict[str, JSONValue] = {
        "source": "A000001",
        "target": "A000002",
        "amount": 10,
        "fee": 0.5,
    }
    with ToolProcess(Path(), files=files) as process:
        process.call("openSession", {"account": "A000001", "pin": "K0001"})
        refused = process.call("transferMoney", {**given, "fee": "nothing charged"})
        reply = process.call("transferMoney", given)

    assert isinstance(refused, Refusal)
    assert refused.code == "invalid_parameter"
    assert isinstance(reply, Observation)
    assert reply.value == {"source_balance": Decimal("39.5")}
