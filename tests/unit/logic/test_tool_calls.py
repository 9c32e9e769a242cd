from __future__ import annotations

from sopforge.artifacts.rendering.tools.module import render_tools
from sopforge.checks.schema.known_values import CHECK as KNOWN_VALUES
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.tool_calls import Refused, answer_tool_call
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.small_models import PARCEL, changed, claim, claims, day, line, minute, parcel, row

Frame = dict[str, Value | None]

MODEL, CLAIMS = parcel(), claims()
FIND: Frame = {"parcel_id": "PX00001", "sent_on": day("2026-03-01"), "fragile": 0}
PRICE: Frame = {"parcel_id": "PX00001", "weight": 1500, "service": 2}
RELEASE: Frame = {"parcel_id": "PX00001", "care": 0, "surcharge": 300_000}
PAY: Frame = {"claim_id": "EX000001", "pin": "K7Q", "payable": 12_000}
SLIP: Frame = {"slip_number": "S-0001"}
PAID: Frame = {"voucher": "V-A001", "posted_at": minute("2026-07-01 08:00")}
TOO_DEAR = Refused("too_dear", "the surcharge is too high")
NOT_COVERED = Refused("not_covered", "care is not covered")


def refuse_mismatch(name: str) -> Refused:
    return Refused("record_mismatch", f"{name} does not agree with the record")


def test_tools_answer_from_the_record_and_what_they_are_given() -> None:
    cases: list[tuple[str, Frame, Frame, object]] = [
        ("findParcel", {}, {"service": 2}, {"service": 2, "due_on": None}),
        ("findParcel", {"sent_on": day("2026-03-02")}, {}, refuse_mismatch("sent_on")),
        ("findParcel", {"fragile": 1}, {}, refuse_mismatch("fragile")),
        # 10 kg above the free 5 kg, at 1.50 each, whatever the record holds.
        ("priceParcel", {}, {"weight": 0}, {"surcharge": 150_000, "service_points": 4}),
        ("releaseParcel", {}, {}, SLIP),
        ("releaseParcel", {"surcharge": 300_001}, {}, TOO_DEAR),
        ("releaseParcel", {"care": 1, "surcharge": 100_001}, {}, SLIP),
        ("releaseParcel", {"care": 1, "surcharge": 100_000}, {}, NOT_COVERED),
    ]
    given = {"findParcel": FIND, "priceParcel": PRICE, "releaseParcel": RELEASE}

    for name, changes, record, expected in cases:
        arguments = {**given[name], **changes}
        assert answer_tool_call(MODEL, MODEL.tools[name], arguments, row(**record)) == expected


def test_a_guard_reads_the_record_where_the_tool_does_not_take_it() -> None:
    cases: list[tuple[Frame, Frame, str]] = [
        ({}, {}, ""),
        ({"pin": "M2X"}, {}, "wrong_code"),
        ({"pin": "M2X"}, {"stored_pin": "M2X"}, ""),
        ({}, {"pin": "M2X", "stored_pin": "M2X"}, "wrong_code"),
        ({"payable": 90_001}, {}, "not_payable"),
        ({}, {"frozen": 1}, "account_frozen"),
        ({"pin": "M2X", "payable": 0}, {"frozen": 1}, "wrong_code"),
    ]

    for changes, record, code in cases:
        arguments = {**PAY, **changes}
        said = answer_tool_call(CLAIMS, CLAIMS.tools["payClaim"], arguments, claim(**record))
        assert (said.code if isinstance(said, Refused) else said) == (code or PAID)


def test_the_guard_of_a_look_up_is_checked_after_the_record() -> None:
    returns = "      returns: [service, due_on]\n"
    guard = "      requires: {id: N, is: not fragile, refusal: breakable, says: it breaks}\n"
    guarded = parcel((returns, returns + guard))
    tool = guarded.tools["findParcel"]

    said = answer_tool_call(guarded, tool, {**FIND, "fragile": 1}, row(fragile=1))

    assert said == Refused("breakable", "it breaks")


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
    arguments: Frame = {"parcel_id": "PX00001", "surcharge": 100_001}

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


def test_a_look_up_refuses_a_list_that_is_not_on_file() -> None:
    received = minute("2026-03-18 09:30")
    arguments: Frame = {"claim_id": "EX000001", "handed_in_at": received, "signed_by": "Ada"}
    tool = CLAIMS.tools["findClaimant"]

    same = answer_tool_call(CLAIMS, tool, {**arguments, "lines": claim()["lines"]}, claim())
    other = answer_tool_call(CLAIMS, tool, {**arguments, "lines": (line(0, 1_250),)}, claim())

    assert isinstance(same, dict)
    assert same["earlier_claims"] == ({"paid": 0, "was_late": 1},)
    assert other == refuse_mismatch("lines")
