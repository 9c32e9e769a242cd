"""What the solver and the columns make of lacking records, refusals and effects."""

from __future__ import annotations

import pytest

from sopforge.findings import Severity
from sopforge.language.domain.expressions.expressions import Not, Presence
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Table
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.walking import collect_outcomes
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.bulk import as_columns, label_columns
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.examining.procedure import examine_procedure
from sopforge.proof.solving.examining.tables import examine_table, examine_tables
from sopforge.proof.solving.questions import NoRow, Row, find_row
from tests.worlds.small_models import condition, orders

MODEL = orders()
AGAIN = """\
      again:
        title: Read the order again
        call: getOrder
        edges:
          - {when: reservations >= 3, to: no_stock}
          - {when: not reserved, to: refused_region}
          - {to: decide}
"""
# After the reservation the order is read again, and what it says then decides.
READ_AGAIN = (
    ("        edges: [{to: decide}]\n", "        edges: [{to: again}]\n"),
    (
        "      decide:\n        title",
        AGAIN + "      decide:\n        title",
    ),
    (
        "returns: [customer_id, amount, ordered_on, reserved]",
        "returns: [customer_id, amount, ordered_on, reserved, reservations]",
    ),
)
# The same from two sides: one reads the order again, the other does not.
MERGED = (
    *READ_AGAIN[1:],
    (
        "refused: {already_reserved: decide, too_many: no_stock}",
        "refused: {already_reserved: again, too_many: no_stock}",
    ),
    (
        "when: tier == 'Prime' and",
        "when: reservations < 2 and tier == 'Prime' and",
    ),
)


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(MODEL, id="plain"),
        pytest.param(orders(*READ_AGAIN), id="read again"),
        pytest.param(orders(*MERGED), id="read again on one edge only"),
    ],
)
def test_columns_give_the_outcomes_of_the_walk(model: DomainModel) -> None:
    rows = sample_rows(model, 11, range(600))
    kept = [row for row in rows if all(holds(item, row) for item in model.constraints)]

    found = label_columns(model, as_columns(model, kept))
    walks = [collect_outcomes(model, label_row(model, row)) for row in kept]

    assert len(kept) > 400
    for name, column in found.items():
        assert [int(value) for value in column.values] == [walk[name] for walk in walks], name
        assert all(column.present)


def test_an_edge_that_an_effect_rules_out_is_never_taken() -> None:
    assert examine_procedure(MODEL) == []
    findings = examine_procedure(orders(*READ_AGAIN))

    assert [(item.id, item.where) for item in findings] == [
        ("edge-never-taken", "procedure.edges.again.2")
    ]
    assert findings[0].message == "no case ever takes edge 2 out of this step"


def test_a_refusal_without_an_edge_is_reported_with_a_case() -> None:
    model = orders(("refused: {unknown_record: no_customer}", "refused: {}"))

    found = [item for item in examine_procedure(model) if item.id == "refused-on-path"]

    assert [item.message for item in found] == [
        "getCustomer refuses with unknown_record on the procedure's own path"
    ]
    assert "customer = no record" in found[0].evidence


def test_a_check_is_asked_only_where_those_before_it_have_held() -> None:
    """Who was refused as reserved already is not refused for too many reservations as well."""
    always = orders(
        ("is: not reserved, ", "is: reservations < 3, "),
        ("{id: G2, is: reservations < 3", "{id: G2, is: reservations <= 3 - 1"),
    )

    found = [item for item in examine_procedure(always) if item.id == "edge-never-taken"]

    assert [item.message for item in found] == ["no case ever takes edge too_many out of this step"]


def test_constraints_bind_only_rows_that_have_the_record() -> None:
    """Customers begin in 2010; only the date of none, which is read as nothing, lies before."""
    early = condition(MODEL, "days_between(customer_since, ordered_on) > 20000")

    answer = find_row(MODEL, [early])

    assert isinstance(answer, Row)
    assert answer.cells["customer"] == "no record"
    assert isinstance(find_row(MODEL, [early, Presence("customer")]), NoRow)


def test_a_reference_that_is_never_missing_may_still_dangle() -> None:
    model = orders(
        ("missing: walk-in, missing_share: 10, ", ""),
        ("          - {when: not present(customer_id), to: no_customer}\n", ""),
    )

    assert isinstance(find_row(model, [Presence("customer")]), Row)
    assert isinstance(find_row(model, [Not(Presence("customer"))]), Row)
    assert isinstance(find_row(model, [Not(Presence("region")), Presence("customer")]), NoRow)
    assert examine_procedure(model) == []


def test_what_was_decided_before_an_action_may_differ_from_what_it_would_be_after() -> None:
    """The release reads ``reservations``, which the action raises: it is not tied to them."""
    changing = orders(
        ("when: tier == 'Prime' and", "when: reservations < 2 and tier == 'Prime' and")
    )
    before = "release == 'released' and reservations == 3 and open_amount + amount > 5000"

    assert isinstance(find_row(changing, [condition(changing, before)]), Row)
    assert isinstance(
        find_row(MODEL, [condition(MODEL, "release == 'released' and open_amount > 15000")]), NoRow
    )


def test_a_gap_that_only_an_action_opens_is_found() -> None:
    """No order is drawn with three reservations, but the action makes the third."""
    model = orders(
        ("    - ordered_on >= customer_since\n", "    - reservations <= 2\n"),
        (
            "- {id: N2, otherwise: no credit}",
            "- {id: N2, when: reservations < 3, then: no credit}",
        ),
    )
    table = model.decisions["reason"]
    assert isinstance(table, Table)

    found = [item for item in examine_tables(model) if item.id == "gap"]

    assert [item.message for item in found] == [
        "no rule of 'reason' covers reservations 3 with release 'held'"
    ]


BACK = """\
        edges:
          - {when: reservations < 3, to: read, at_most: 4, then: no_stock}
          - {to: decide}
"""


NO_STOCK = "'no_stock': 2 times at most"


def test_a_back_edge_that_is_never_used_up_is_reported() -> None:
    """The third reservation is the last, so that no case comes back a fifth time."""
    model = orders(
        (
            "        edges: [{to: decide}]\n",
            BACK,
        ),
        ("is: not reserved, refusal", "is: reservations <= 3, refusal"),
    )

    found = [item for item in examine_procedure(model) if item.id == "loop-bound-never-reached"]

    assert [(item.severity, item.message) for item in found] == [
        (
            Severity.WARNING,
            f"no case takes edge 1 out of this step often enough to go on to {NO_STOCK}",
        )
    ]


def test_a_gap_beside_a_constraint_on_another_record_names_the_case() -> None:
    """The constraint asks whether there is a customer, which the table does not."""
    model = orders(
        (
            "- {id: N2, otherwise: no credit}",
            "- {id: N2, when: ordered_on < '2026-03-01', then: no credit}",
        )
    )
    table = model.decisions["reason"]
    assert isinstance(table, Table)
    message = "no rule of 'reason' covers ordered on 2026-03-01 with release 'held'"

    assert [item.message for item in examine_table(model, table)] == [message]
    assert [item.message for item in examine_tables(model)] == [message]
