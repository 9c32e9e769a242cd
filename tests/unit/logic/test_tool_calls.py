from __future__ import annotations

import pytest

from sopforge.artifacts.rendering.tools.module import render_tools
from sopforge.checks.schema.known_values import CHECK as KNOWN_VALUES
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.tool_calls import Refused, answer_tool_call
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.small_models import PARCEL, changed, claim, claims, day, line, minute, parcel, row

MODEL, CLAIMS = parcel(), claims()


def test_a_look_up_returns_what_the_record_holds() -> None:
    arguments: dict[str, Value | None] = {
        "parcel_id": "PX00001",
        "sent_on": day("2026-03-01"),
        "fragile": 0,
    }

    said = answer_tool_call(MODEL, MODEL.tools["findParcel"], arguments, row(service=2))

    assert said == {"service": 2, "due_on": None}


@pytest.mark.parametrize(
    ("name", "other"),
    [
        pytest.param("sent_on", day("2026-03-02"), id="another day"),
        pytest.param("fragile", 1, id="another flag"),
    ],
)
def test_a_look_up_refuses_what_contradicts_the_record(name: str, other: int) -> None:
    arguments: dict[str, Value | None] = {
        "parcel_id": "PX00001",
        "sent_on": day("2026-03-01"),
        "fragile": 0,
    }

    said = answer_tool_call(MODEL, MODEL.tools["findParcel"], {**arguments, name: other}, row())

    assert said == Refused("record_mismatch", f"{name} does not agree with the record")


def test_a_calculator_works_with_what_it_is_given() -> None:
    arguments: dict[str, Value | None] = {"parcel_id": "PX00001", "weight": 1500, "service": 2}

    said = answer_tool_call(MODEL, MODEL.tools["priceParcel"], arguments, row(weight=0, service=0))

    # 10 kg above the free 5 kg, at 1.50 each
    assert said == {"surcharge": 150_000, "service_points": 4}


POINTS = (
    "{table: service, rows: {Standard: 0, Express: 2, Night: 4}}",
    '{value: "2 if surcharge > 10 else 0"}',
)
TOOLS = (
    "      takes: [parcel_id, weight, service]\n      returns: [surcharge, service_points]\n",
    (
        "      takes: [parcel_id, weight]\n      returns: [surcharge]\n"
        "    countPoints: {kind: compute, description: Count, takes: [parcel_id, surcharge],"
        " returns: [service_points]}\n"
    ),
)


def test_an_argument_is_taken_as_given_even_if_it_could_be_worked_out() -> None:
    model = parcel(POINTS, TOOLS)
    arguments: dict[str, Value | None] = {"parcel_id": "PX00001", "surcharge": 100_001}

    said = answer_tool_call(model, model.tools["countPoints"], arguments, row(weight=0))

    assert said == {"service_points": 2}
    source = render_tools(model).partition("def countPoints")[2]
    assert "weight" not in source.partition("    def ")[0]


def test_a_tool_may_take_what_another_tool_works_out(patient_brief: Brief) -> None:
    text = changed(PARCEL, POINTS, TOOLS)
    weight = ("takes: [parcel_id, surcharge],", "takes: [parcel_id],")

    def found(document: str) -> list[str]:
        workspace = Workspace(patient_brief, {DOMAIN: document})
        return [f"{item.where}: {item.message}" for item in KNOWN_VALUES.examine(workspace)]

    assert found(text) == []
    assert found(changed(text, weight)) == [
        "tools.countPoints: countPoints uses 'weight' but does not take it"
    ]


@pytest.mark.parametrize(
    ("care", "surcharge", "expected"),
    [
        pytest.param(0, 300_000, {"slip_number": "S-0001"}, id="30.0000 is allowed"),
        pytest.param(
            0, 300_001, Refused("too_dear", "the surcharge is too high"), id="30.0001 is not"
        ),
        pytest.param(1, 100_001, {"slip_number": "S-0001"}, id="one of two is enough"),
        pytest.param(1, 100_000, Refused("not_covered", "care is not covered"), id="none of two"),
    ],
)
def test_an_action_checks_its_guard_in_order(care: int, surcharge: int, expected: object) -> None:
    arguments: dict[str, Value | None] = {
        "parcel_id": "PX00001",
        "care": care,
        "surcharge": surcharge,
    }

    assert answer_tool_call(MODEL, MODEL.tools["releaseParcel"], arguments, row()) == expected


def test_the_guard_of_a_look_up_is_checked_after_the_record() -> None:
    guarded = parcel(
        (
            "      returns: [service, due_on]\n",
            """\
      returns: [service, due_on]
      requires: {id: N, is: not fragile, refusal: breakable, says: it breaks}
""",
        )
    )
    arguments: dict[str, Value | None] = {
        "parcel_id": "PX00001",
        "sent_on": day("2026-03-01"),
        "fragile": 1,
    }

    said = answer_tool_call(guarded, guarded.tools["findParcel"], arguments, row(fragile=1))

    assert said == Refused("breakable", "it breaks")


PAY: dict[str, Value | None] = {"claim_id": "EX000001", "pin": "K7Q", "payable": 12_000}


@pytest.mark.parametrize(
    ("arguments", "record", "code"),
    [
        pytest.param({}, {}, None, id="all is well"),
        pytest.param({"pin": "M2X"}, {}, "wrong_code", id="another code"),
        pytest.param({"payable": 90_001}, {}, "not_payable", id="900.01 is not"),
        pytest.param({}, {"frozen": 1}, "account_frozen", id="a frozen account"),
        pytest.param(
            {"pin": "M2X", "payable": 0}, {"frozen": 1}, "wrong_code", id="the first of three"
        ),
    ],
)
def test_a_guard_reads_the_record_where_the_tool_does_not_take_it(
    arguments: dict[str, Value | None], record: dict[str, Value | None], code: str | None
) -> None:
    said = answer_tool_call(CLAIMS, CLAIMS.tools["payClaim"], {**PAY, **arguments}, claim(**record))

    if code is None:
        assert said == {"voucher": "V-A001", "posted_at": minute("2026-07-01 08:00")}
    else:
        assert isinstance(said, Refused)
        assert said.code == code


def test_a_look_up_refuses_a_list_that_is_not_on_file() -> None:
    arguments: dict[str, Value | None] = {
        "claim_id": "EX000001",
        "handed_in_at": minute("2026-03-18 09:30"),
        "signed_by": "Ada",
    }
    tool = CLAIMS.tools["findClaimant"]

    same = answer_tool_call(CLAIMS, tool, {**arguments, "lines": claim()["lines"]}, claim())
    other = answer_tool_call(CLAIMS, tool, {**arguments, "lines": (line(0, 1_250),)}, claim())

    assert isinstance(same, dict)
    assert same["earlier_claims"] == ({"paid": 0, "was_late": 1},)
    assert other == Refused("record_mismatch", "lines does not agree with the record")
