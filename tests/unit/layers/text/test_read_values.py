"""What a text says of values: a condition in one implies, as elsewhere, that a value is there."""

from __future__ import annotations

from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.unit.domain.minimal_brief import read_model as build_model
from tests.worlds.read_models import read_model

DAYS = "      value: days_between(bought_on, returned_on)"
AGE = (DAYS, f"{DAYS} if present(returned_on) and returned_on <= '2026-06-30' else 0")
EACH = (
    "          - {when: present(returned_on), to: decide}\n          - {to: wait}",
    "          - {to: decide}",
)
POINTS = (
    "points: {role: derived, type: integer, min: 0, max: 9,",
    "points: {role: derived, type: boolean,",
)
IN_TIME = (
    "      table: kind\n      rows: {Book: 1, Toy: 2}\n",
    "      value: present(returned_on) and returned_on <= '2026-06-30'\n",
)
ALL = ("decide: [refund]", "decide: [age, points, refund]")
OFTEN = ("missing: not yet", "missing: not yet\n          missing_share: 50")


def test_a_value_that_is_missing_meets_no_comparison_in_a_value() -> None:
    model = build_model(AGE, EACH, OFTEN, POINTS, IN_TIME, ALL)

    read = read_model(model, render_sop(model, "")).model

    rows = sample_rows(model, 5, range(60))
    assert {row["returned_on"] is None for row in rows} == {True, False}
    for row in rows:
        said, meant = (label_row(x, row).known for x in (read, model))
        assert (said["age"], said["points"]) == (meant["age"], meant["points"]), row
