"""A task's story names the steps, the rules and the comparisons that decided."""

from __future__ import annotations

from pathlib import Path

from sopforge.dataset.oracle import label
from sopforge.domain.reading import read_brief
from sopforge.logic.explaining import explain

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
    return "\n".join(explain(MODEL, label(MODEL, row)))


def test_a_rule_that_applies_is_told_with_its_values() -> None:
    told = story(reason="Changed mind", days_since_delivery="31", order_amount="20.00")
    assert "rule E1 applies" in told
    assert "days since delivery: 31" in told
    assert "so eligibility of the order: excluded" in told
    assert "on to Refuse the refund" in told
    assert "refund_status: refused" in told


def test_a_rule_that_does_not_apply_is_told_with_what_kept_it_from_applying() -> None:
    told = story(reason="Damaged", days_since_delivery="31", order_amount="20.00")
    assert "rule E1 does not apply" in told
    assert "reason for the request: Damaged" in told
    assert "days since delivery: 31" not in told


def test_what_a_tool_returned_is_told() -> None:
    told = story(reason="Damaged", days_since_delivery="3", order_amount="20.00")
    assert "lookUpOrder returned days_since_delivery = 3, order_amount = 20.00" in told
    assert "payRefund returned payment_reference = PAY-123456" in told
