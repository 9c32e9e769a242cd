"""A task's story names the steps, the rules and the comparisons that decided."""

from __future__ import annotations

from pathlib import Path

from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.explaining import Storyteller
from sopforge.proof.dataset.oracle import label_row
from tests.worlds.small_models import claim, claims, line, parcel, rebooking, row

REFUND = Path(__file__).parents[2] / "briefs" / "refund.yaml"
MODEL = read_brief(REFUND.read_text(), "refund.yaml").model


def story(**cells: str) -> str:
    """Return the story of a request with the given cells."""
    given = {
        "request_id": "R12345",
        "order_number": "ORD-123456",
        "payment_reference": "PAY-123456",
        **cells,
    }
    row = {name: MODEL.fields[name].parse(cell) for name, cell in given.items()}
    return "\n".join(Storyteller(MODEL).explain_walk(label_row(MODEL, row)))


def test_a_rule_that_applies_is_explained_with_its_values() -> None:
    text = story(reason="Changed mind", days_since_delivery="31", order_amount="20.00")
    assert "rule E1 applies" in text
    assert "days since delivery: 31" in text
    assert "so eligibility of the order: excluded" in text
    assert "on to Refuse the refund" in text
    assert "refund_status: refused" in text


def test_a_rule_that_does_not_apply_is_explained_with_what_kept_it_from_applying() -> None:
    text = story(reason="Damaged", days_since_delivery="31", order_amount="20.00")
    assert "rule E1 does not apply" in text
    assert "reason for the request: Damaged" in text
    assert "days since delivery: 31" not in text


def test_what_a_tool_returned_is_listed() -> None:
    text = story(reason="Damaged", days_since_delivery="3", order_amount="20.00")
    assert "lookUpOrder returned days_since_delivery = 3, order_amount = 20.00" in text
    assert "payRefund returned payment_reference = PAY-123456" in text


def test_a_story_names_each_step_each_rule_and_each_outcome() -> None:
    model = parcel()
    assert list(Storyteller(model).explain_walk(label_row(model, row()))) == [
        "Look",
        "  findParcel returned service = Express, due_on = no due date",
        (
            '  rule C1 does not apply: the fragile is "no" (fragile: no),'
            ' and the contents do not include "Glass" (contents: Books)'
        ),
        "  rule C2 applies: it is for every other case",
        "  so care: plain",
        "  on to Price: there is no due date (due date: no due date)",
        "Price",
        "  priceParcel returned surcharge = 0.0000, service_points = 2",
        "Let it go",
        "  releaseParcel returned slip_number = S-0001",
        "Done",
        "Outcomes",
        "  care: plain",
        "  release: released",
    ]


def test_a_formula_is_explained_by_its_value_and_a_refusal_with_its_code() -> None:
    model = parcel(
        ("decide: [care]", "decide: [care, service_points]"),
        ("takes: [parcel_id, weight, service]", "takes: [parcel_id, weight]"),
        ("returns: [surcharge, service_points]", "returns: [surcharge]"),
    )
    assert list(Storyteller(model).explain_walk(label_row(model, row(fragile=1)))) == [
        "Look",
        "  findParcel returned service = Express, due_on = no due date",
        '  rule C1 applies: the fragile is "yes" (fragile: yes)',
        "  so care: careful",
        "  service points: 2",
        "  on to Price: there is no due date (due date: no due date)",
        "Price",
        "  priceParcel returned surcharge = 0.0000",
        "Let it go",
        "  releaseParcel refused: care is not covered (not_covered)",
        "Outcomes",
        "  care: careful",
        "  release: ",
    ]


def test_all_rules_that_are_collected_are_listed() -> None:
    """K1 gives 3 points and K2 gives 2; only one late claim and a late receipt give none."""
    model = claims()
    lines = list(
        Storyteller(model).explain_walk(
            label_row(model, claim(lines=(line(1, 12_100, receipt=False),)))
        )
    )
    judged = lines[lines.index("Judge the risk") + 1 : lines.index("Ask for receipts")]

    assert [words.partition(":")[0] for words in judged] == [
        "  rule K1 applies",
        "  rule K2 applies",
        "  rule K3 does not apply",
        "  rule K4 does not apply",
        "  so risk",
        "  rule W1 applies",
        "  so review",
    ]
    assert lines[lines.index("Judge the risk") - 1] == (
        "  on to Judge the risk: the day of receipt is on or before"
        " the last day to claim (last day to claim: 2026-06-06;"
        " time of receipt: 2026-03-18 09:30), and the working days taken are at most"
        " 12 (working days taken: 8)"
    )
    assert judged[1].endswith("(dearest line: 121.00; limit of a line: 120)")
    assert judged[4:] == [
        "  so risk: 5",
        "  rule W1 applies: the risk is at least 5 points (risk: 5)",
        "  so review: thorough",
    ]


def rebooking_story(**changes: Value | None) -> list[str]:
    """Return the story of a rebooking, with some values of its record changed."""
    plain: dict[str, Value | None] = {
        "booking_id": "B-000001",
        "member": 1,
        "nights": 2,
        "price": 10_000,
        "level": 0,
        "points": 100,
        "stays": ({"spent": 5, "late": 0},),
        "holds": 0,
        "released": 0,
        "voucher": "V-0001",
    }
    model = rebooking()
    return list(Storyteller(model).explain_walk(label_row(model, {**plain, **changes})))


def test_what_a_loop_looks_up_again_is_explained_as_it_was_each_time() -> None:
    lines = rebooking_story(holds=2)

    returned = [line.rpartition(", ")[2] for line in lines if "getBooking returned" in line]
    assert returned == ["holds = 2", "holds = 1"]
    decided = [line for line in lines if "(holds: " in line]
    assert [line.rpartition("(")[2] for line in decided] == ["holds: 2)", "holds: 1)", "holds: 1)"]


def test_a_condition_is_explained_without_what_the_case_does_not_know() -> None:
    lines = rebooking_story(member=0, level=2)

    assert "  rule R2 does not apply: the guest is not a member (member: no)" in lines
    assert not any("level" in line for line in lines)
