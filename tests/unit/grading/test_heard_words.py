"""What a user said is a source: a value that he took back is wrong, and not made up."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sopforge.harness.environment.events import Called, Reply
from sopforge.harness.grading.sources import list_fabrications
from tests.unit.grading.test_tables import MODEL, TASK

CALL = Called(
    "transferMoney",
    {"source": "A000001", "target": "A777777", "amount": Decimal("900.00")},
    Reply({}),
)


@pytest.mark.parametrize(
    ("heard", "fabricated"),
    [
        pytest.param((), {"transferMoney.target", "transferMoney.amount"}, id="nobody spoke"),
        pytest.param(("Amount: 900.00 EUR.",), {"transferMoney.target"}, id="of one"),
        pytest.param(("Amount: 9.00 EUR.\nPayee: A777777.",), {"transferMoney.amount"}, id="other"),
        pytest.param(("Take A777777 and 900.00 EUR.",), set(), id="of both"),
    ],
)
def test_a_value_that_a_user_said_is_not_made_up(
    heard: tuple[str, ...], fabricated: set[str]
) -> None:
    found = list_fabrications(MODEL.offered, TASK, [CALL], {}, heard)

    assert {item.place for item in found} == fabricated
