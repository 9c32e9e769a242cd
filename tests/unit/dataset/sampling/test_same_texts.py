"""Texts that equal others in a share of the rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import Value
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.worlds.small_models import changed, orders

COUNTER = (Path(__file__).parents[4] / "docs/examples/small_counter.yaml").read_text("utf-8")
AMOUNT = "        amount: {role: observed"
TIER = "        tier: {role: observed"
PIN = 'type: string, pattern: "K[0-9]{4}"'
GIVEN = "        pin_given: {role: distractor, %s, same_as: {of: %s, share: %d}, description: p}\n"
FILED = f"        pin_filed: {{role: distractor, {PIN}, description: q}}\n"
ROWS = 3_000


def filed_in_the_case(share: int, more: str = "", kind: str = PIN) -> DomainModel:
    """Return orders that hold a PIN on file, and one that is given."""
    filed = FILED.replace(PIN, f"{PIN}{more}")
    return orders((AMOUNT, f"{filed}{GIVEN % (kind, 'pin_filed', share)}{AMOUNT}"))


def filed_with_the_customer(share: int) -> DomainModel:
    return orders(
        (AMOUNT, f"{GIVEN % (PIN, 'pin_filed', share)}{AMOUNT}"), (TIER, f"{FILED}{TIER}")
    )


def rows_of(model: DomainModel) -> list[Mapping[str, Value | None]]:
    return list(sample_rows(model, 5, range(ROWS)))


def equal_share(rows: list[Mapping[str, Value | None]]) -> float:
    return sum(row["pin_given"] == row["pin_filed"] for row in rows) / len(rows)


@pytest.mark.parametrize("share", [0, 30, 70, 100])
def test_a_text_is_the_other_one_in_the_share_of_the_rows(share: int) -> None:
    rows = rows_of(filed_in_the_case(share))

    # Two of 10,000 texts hardly ever agree by chance.
    assert equal_share(rows) == pytest.approx(share / 100, abs=0.03)
    assert len({row["pin_filed"] for row in rows}) > ROWS / 2
    assert all(str(row["pin_given"]).startswith("K") for row in rows)


def test_a_text_may_be_that_of_a_record_that_is_referred_to() -> None:
    rows = rows_of(filed_with_the_customer(60))
    found = [row for row in rows if row["customer"] is not None]
    lacking = [row for row in rows if row["customer"] is None]

    assert equal_share(found) == pytest.approx(0.6, abs=0.04)
    assert lacking
    assert all(str(row["pin_given"]).startswith("K") for row in lacking)


def test_where_the_other_text_is_missing_one_is_drawn() -> None:
    rows = rows_of(filed_in_the_case(100, ", missing: no PIN, missing_share: 40"))
    missing = [row for row in rows if row["pin_filed"] is None]

    assert 0.35 < len(missing) / ROWS < 0.45
    assert all(str(row["pin_given"]).startswith("K") for row in missing)
    assert equal_share([row for row in rows if row["pin_filed"] is not None]) == 1


def test_what_is_not_said_to_be_the_same_is_drawn_as_before() -> None:
    plain = orders((AMOUNT, f"{FILED}{AMOUNT}"))
    names = [*plain.case.fields, "pin_filed"]

    for one, other in zip(rows_of(plain)[:200], rows_of(filed_in_the_case(70))[:200], strict=True):
        assert all(one.get(name) == other.get(name) for name in names)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (lambda: filed_in_the_case(50, kind='type: string, pattern: "L[0-9]{4}"'), "pin_filed"),
        (lambda: filed_in_the_case(50, kind=f"{PIN}, unique: true"), "pin_filed"),
        (lambda: orders((AMOUNT, f"{GIVEN % (PIN, 'pin_filed', 50)}{FILED}{AMOUNT}")), "pin_filed"),
    ],
    ids=["another pattern", "unique", "drawn later"],
)
def test_what_cannot_be_the_same_is_refused(model: object, message: str) -> None:
    assert callable(model)
    with pytest.raises(MaterialError) as refused:
        model()

    assert [fault.code for fault in refused.value.faults] == ["cannot-equal"]
    assert refused.value.faults[0].message == f"'pin_given' cannot equal '{message}'"


def as_cents(value: Value | None) -> int:
    assert isinstance(value, int)
    return value


def test_case_values_are_drawn_by_the_record_of_a_table() -> None:
    pin, limits = '"K[0-9]{4}", description: PIN that', "min: 1.00, max: 2000.00, unit: EUR, descr"
    model = read_brief(
        changed(
            COUNTER,
            ("  constraints: [pin == payer.code]\n", ""),
            (pin, pin.replace("desc", "same_as: {of: payer.code, share: 70}, desc")),
            (limits, limits.replace("desc", "near: {of: payer.balance, from: -5, to: 5}, desc")),
        ),
        "counter.yaml",
    ).model
    rows = [row for row in rows_of(model) if row["payer_record"]]
    equal = sum(row["pin"] == row["payer_code"] for row in rows) / len(rows)
    near = [
        abs(as_cents(row["amount"]) - as_cents(row["payer_balance"])) <= 500
        for row in rows
        if 600 <= as_cents(row["payer_balance"]) <= 199_000
    ]

    assert equal == pytest.approx(0.7, abs=0.04)
    assert near
    assert all(near)
