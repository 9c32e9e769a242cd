"""The procedure over all rows: dead edges, refusals on the path, influence, and equivalence."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.proof.solving.comparing.models import compare_models
from sopforge.proof.solving.examining.procedure import examine_procedure
from sopforge.proof.solving.questions import NoRow
from sopforge.proof.solving.unfolding import unfold
from tests.worlds.small_models import changed

BRIEFS = Path(__file__).parents[3] / "briefs"
REFUND = (BRIEFS / "refund.yaml").read_text()
TO_REFUSE = "- {when: eligibility == 'excluded', to: refuse}"


def model_of(*changes: tuple[str, str]) -> DomainModel:
    """Return the refund model with texts of its brief replaced."""
    text = REFUND
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return read_brief(text, "brief.yaml").model


def ids_of(model: DomainModel) -> set[str]:
    return {finding.id for finding in examine_procedure(model)}


def test_a_sound_procedure_has_no_findings() -> None:
    assert examine_procedure(model_of()) == []


FLAWS = {
    "contradicting-constraints": (
        "  decisions:\n",
        "  constraints: [days_since_delivery > 60, days_since_delivery < 50]\n  decisions:\n",
        "constraints-contradict",
    ),
    "edge-after-a-wider-one": (
        "to: pass_on}",
        "to: pass_on}\n          - {when: order_amount > 300, to: refuse}",
        "edge-never-taken",
    ),
    "guard-refuses": (
        TO_REFUSE,
        "- {when: eligibility == 'excluded' and order_amount > 100, to: refuse}",
        "refused-on-path",
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), FLAWS.values(), ids=FLAWS)
def test_a_flaw_is_found(old: str, new: str, expected: str) -> None:
    assert expected in ids_of(model_of((old, new)))


def test_a_refusal_comes_with_the_least_case() -> None:
    narrow = "- {when: eligibility == 'excluded' and order_amount > 100, to: refuse}"
    (finding,) = examine_procedure(model_of((TO_REFUSE, narrow)))
    assert finding.evidence == (
        "reason = Wrong item, days_since_delivery = 31, order_amount = 5.00"
    )


def test_a_range_that_an_action_leaves_is_named() -> None:
    counter = (Path(__file__).parents[4] / "docs/examples/small_counter.yaml").read_text("utf-8")
    forgotten = changed(counter, ("refused: {out_of_range: full}", "refused: {}"))
    found = examine_procedure(read_brief(forgotten, "counter.yaml").model)
    (message,) = [item.message for item in found if item.id == "refused-on-path"]

    assert message.startswith("transferMoney refuses with out_of_range")
    assert "the balance of the paying account would leave its range" in message


def test_a_field_that_rules_read_in_vain_is_pointed_out() -> None:
    when = "days_since_delivery > refund_days and reason != 'Damaged'"
    rule = f"- {{id: E1, when: {when}, then: excluded}}"
    same = "- {id: E1, when: order_amount < 50 or order_amount >= 50, then: excluded}"
    model = model_of((rule, same), ("order_amount > pay_limit", "reason == 'Damaged'"))
    assert "field-without-influence" in ids_of(model)


def test_rules_written_otherwise_are_the_same() -> None:
    rule = "days_since_delivery > refund_days and reason != 'Damaged'"
    other = "not (days_since_delivery <= refund_days or reason == 'Damaged')"
    assert compare_models(model_of(), model_of((rule, other))).answer == NoRow()


@pytest.mark.parametrize("bound", [1, 3])
def test_a_back_edge_is_unrolled_to_its_bound(bound: int) -> None:
    back = f"- {{when: order_amount > 350, to: look_up, at_most: {bound}, then: refuse}}"
    model = model_of((TO_REFUSE, f"{TO_REFUSE}\n          {back}"))
    steps = [place.step.id for place in unfold(model)]
    assert steps.count("look_up") == bound + 1


def test_every_place_stands_after_those_that_lead_to_it() -> None:
    places = [place.step for place in unfold(model_of())]
    order = {step.id: number for number, step in enumerate(places)}
    edges = [(step.id, edge.to) for step in places for edge in step.edges]
    assert all(order[here] < order[there] for here, there in edges)
    assert len(order) == len(places)
