"""Two mistakes in one model: both are made, unless they meet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.evaluation.diagnosis.hypotheses import answer_by
from sopforge.evaluation.diagnosis.merging import MergeConflictError, merge_models
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Rule, Table
from sopforge.proof.dataset.records import Row
from tests.worlds.small_models import judged, observed

MODEL = judged(
    {"age": observed(0, 50)},
    {"R1": ("age >= 30", "good"), "R2": ("age >= 10", "fair")},
)
ROWS: dict[str, Row] = {str(age): {"case_id": f"C{age:06}", "age": age} for age in range(51)}


def change(**rules: tuple[str, str]) -> DomainModel:
    """Return the model with other conditions and results of some rules."""
    known = {"R1": ("age >= 30", "good"), "R2": ("age >= 10", "fair")}
    return judged({"age": observed(0, 50)}, {**known, **rules})


def put_rules(model: DomainModel, *names: str) -> DomainModel:
    """Return a model with some of its rules, in another order."""
    table = model.decisions["result"]
    assert isinstance(table, Table)
    rules: dict[str, Rule] = {rule.id: rule for rule in table.rules}
    changed = replace(table, rules=tuple(rules[name] for name in names))
    return replace(model, decisions={**model.decisions, "result": changed})


def label(model: DomainModel) -> list[str]:
    return [answer["result"] for answer in answer_by(model, ROWS, ROWS).values()]


def test_both_mistakes_are_made() -> None:
    merged = merge_models(
        MODEL, [change(R1=("age >= 40", "good")), change(R2=("age >= 10", "bad"))]
    )

    assert label(merged) == ["bad"] * 40 + ["good"] * 11


def test_a_condition_and_a_result_of_one_rule_do_not_meet() -> None:
    one, other = change(R1=("age >= 40", "good")), change(R1=("age >= 30", "bad"))

    assert label(merge_models(MODEL, [one, other])) == ["bad"] * 10 + ["fair"] * 30 + ["bad"] * 11


def test_a_rule_is_dropped_and_another_one_changed() -> None:
    merged = merge_models(MODEL, [put_rules(MODEL, "R2", "REST"), change(R2=("age >= 20", "fair"))])

    assert label(merged) == ["bad"] * 20 + ["fair"] * 31


def test_rules_change_places_and_one_of_them_its_limit() -> None:
    swapped = put_rules(MODEL, "R2", "R1", "REST")

    merged = merge_models(MODEL, [swapped, change(R2=("age >= 20", "fair"))])

    assert label(merged) == ["bad"] * 20 + ["fair"] * 31


@pytest.mark.parametrize(
    "others",
    [
        (change(R1=("age >= 40", "good")), change(R1=("age >= 41", "good"))),
        (put_rules(MODEL, "R2", "REST"), change(R1=("age >= 41", "good"))),
        (put_rules(MODEL, "R2", "R1", "REST"), put_rules(MODEL, "R1", "REST", "R2")),
    ],
)
def test_mistakes_that_meet_are_refused(others: tuple[DomainModel, DomainModel]) -> None:
    with pytest.raises(MergeConflictError):
        merge_models(MODEL, others)


def test_without_others_the_model_stays() -> None:
    assert merge_models(MODEL, []) == MODEL
    assert merge_models(MODEL, [MODEL, MODEL]) == MODEL
