"""Witnesses: as near to a drawn row as asked for, and rows even where the budget runs out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pytest

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    Compare,
    Constant,
    Expression,
    Not,
    Presence,
    Read,
    Relation,
)
from sopforge.language.domain.expressions.numbers import make_number_constant
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import (
    BooleanType,
    Value,
    list_items,
)
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving import budgets
from sopforge.proof.solving.questions import NoRow, Row, Undecided, ask, find_row
from sopforge.proof.solving.search.witnesses import find_witness
from tests.worlds.small_models import claims, condition, orders

CLAIMS = claims()
SPENT = "sum(i.amount for i in lines) > 20 and count(i for i in lines if i.has_receipt) >= 1"
Drawn = Mapping[str, Value | None]


def drawn_claims(count: int, *conditions: Expression) -> Sequence[Drawn]:
    """Return drawn rows that satisfy the constraints and the conditions."""
    tests = (*CLAIMS.constraints, *conditions)
    rows = sample_rows(CLAIMS, 11, range(400))
    return [row for row in rows if all(holds(test, row) for test in tests)][:count]


def test_a_drawn_row_that_meets_the_condition_stays_as_it_is() -> None:
    """Its lists too, of which the condition reads only some parts."""
    spent = condition(CLAIMS, SPENT)
    rows = drawn_claims(40, spent)

    assert len(rows) == 40
    assert [find_witness(CLAIMS, spent, row) for row in rows] == rows


def test_a_list_changes_in_no_more_than_it_must() -> None:
    """Of a claim in which each line has its receipt, one loses it."""
    lacking = condition(CLAIMS, "any(not i.has_receipt for i in lines if i.amount > 1)")
    rows = drawn_claims(4, Not(lacking), condition(CLAIMS, "count(i for i in lines) > 0"))

    assert len(rows) == 4
    for row in rows:
        found = find_witness(CLAIMS, lacking, row)
        assert isinstance(found, dict)
        pairs = list(zip(list_items(found["lines"]), list_items(row["lines"]), strict=True))
        assert {**found, "lines": row["lines"]} == row
        changed = [one for one, other in pairs if one != other]
        assert len(changed) == 1
        assert [item["amount"] for item, _ in pairs] == [item["amount"] for _, item in pairs]


def assert_fits(model: DomainModel, row: Drawn) -> None:
    for name, value in row.items():
        if name in model.fields and value is not None:
            # A cell that lies outside of what its field allows is refused.
            item = model.fields[name]
            assert item.parse(item.format_cell(value)) == value, name


@pytest.mark.parametrize("units", [1, 2_000, 20_000, 200_000])
def test_no_budget_is_too_small_for_values_in_their_ranges(
    units: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("EASY_WITNESS", "GUESS", "PIN"):
        monkeypatch.setattr(budgets, name, units)
    dear = condition(CLAIMS, "sum(i.amount for i in lines) > 1700 and trip_end < '2026-01-05'")
    found = [find_witness(CLAIMS, dear, row, units) for row in drawn_claims(3)]

    for row in found:
        if isinstance(row, Undecided):
            assert row.used >= units
        else:
            assert isinstance(row, dict)
            assert all(holds(test, row) for test in (*CLAIMS.constraints, dear))
            assert_fits(CLAIMS, row)


def test_a_row_is_found_where_each_pin_has_next_to_no_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It stays farther from the drawn row, but it is one."""
    monkeypatch.setattr(budgets, "PIN", 1)
    dear = condition(CLAIMS, "sum(i.amount for i in lines) > 1700")

    for row in drawn_claims(3, Not(dear)):
        found = find_witness(CLAIMS, dear, row)
        assert isinstance(found, dict)
        assert all(holds(test, found) for test in (*CLAIMS.constraints, dear))
        assert_fits(CLAIMS, found)


def test_a_question_that_is_left_open_says_what_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "EASY_WITNESS", 1)
    monkeypatch.setattr(budgets, "GUESS", 1)
    dear = condition(CLAIMS, "sum(i.amount for i in lines) > 1700")
    (row,) = drawn_claims(1, Not(dear))

    for found in (find_witness(CLAIMS, dear, row, 1), ask(CLAIMS, [dear], units=1)):
        assert isinstance(found, Undecided)
        assert found.used >= 1


RESERVED = Read(BooleanType(), "reserved")
MAYBE = orders(
    (
        "reserved: {role: observed, type: boolean,",
        "reserved: {role: observed, type: boolean, missing: not asked, missing_share: 20,",
    ),
    ("is: not reserved,", "is: not (present(reserved) and reserved),"),
)


def found(*conditions: Expression) -> Value | NoRow | None:
    """Return the reservation of the least row that meets conditions, which is checked."""
    row = find_row(MAYBE, [*conditions, Presence("customer_id")])
    if isinstance(row, NoRow):
        return row
    assert isinstance(row, Row)
    assert all(holds(item, row.values) for item in conditions)
    return row.values["reserved"]


READ = {
    "there, and yes": ([AllOf((Presence("reserved"), RESERVED))], 1),
    "yes is there": ([RESERVED], 1),
    "there, and no": ([Not(RESERVED), Presence("reserved")], 0),
    "missing is read as no": ([Not(RESERVED), Not(Presence("reserved"))], None),
    "missing is never yes": ([RESERVED, Not(Presence("reserved"))], NoRow()),
    "not the two": (
        [Not(AllOf((Presence("reserved"), RESERVED))), Not(Presence("reserved"))],
        None,
    ),
}


@pytest.mark.parametrize(("conditions", "expected"), READ.values(), ids=READ)
def test_a_missing_value_is_read_as_evaluation_reads_it(
    conditions: Iterable[Expression], expected: Value | NoRow | None
) -> None:
    assert found(*conditions) == expected


def test_a_missing_number_is_read_as_nothing() -> None:
    """A case without a customer owes less than a dollar, and never more than none."""
    model = orders()
    owed = model.fields["open_amount"].type
    small = Compare(Relation.LT, Read(owed, "open_amount"), make_number_constant(100, 2))
    drawn = next(row for row in sample_rows(model, 5, range(99)) if row["customer_id"] is None)

    assert holds(small, drawn)
    witness = find_witness(model, AllOf((small, Not(Presence("customer_id")))), drawn)
    assert witness == drawn
    much = Compare(Relation.GT, Read(owed, "open_amount"), Constant(owed, 0))
    assert isinstance(
        find_witness(model, AllOf((much, Not(Presence("customer_id")))), drawn), NoRow
    )
