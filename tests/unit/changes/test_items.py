"""The parts of a model that changed are listed by id, and in words."""

from __future__ import annotations

import pytest

from sopforge.pipeline.changes.items import Aspect, ItemChange, compare_items
from sopforge.pipeline.changes.texts import Mark
from tests.worlds.changed_briefs import (
    DECLINED,
    FEES,
    FREE_ITEM,
    LONGER,
    NEW_TOOL,
    REFUND,
    TURNED,
    UNIQUE,
    model_of,
)
from tests.worlds.small_models import callers

CHANGED = Mark.REWORDED


def changes_of(*changes: tuple[str, str], text: str = REFUND) -> list[ItemChange]:
    return list(compare_items(model_of(text), model_of(text, *changes)))


def test_a_model_has_no_changes_against_itself() -> None:
    assert changes_of() == []


def test_a_threshold_that_moves_is_a_change_of_the_constant_alone() -> None:
    value = Aspect("value", "30 days", "32 days")
    assert changes_of(LONGER) == [
        ItemChange("policy constant", "refund_days", CHANGED, (value,)),
    ]


def test_a_constant_that_a_product_reads_changes_alone() -> None:
    value = Aspect("value", "1.25 EUR", "1.50 EUR")
    assert changes_of(("value: 1.25", "value: 1.50"), text=FEES) == [
        ItemChange("policy constant", "daily_fee", CHANGED, (value,)),
    ]


def test_a_new_rule_is_listed_with_its_condition_in_words() -> None:
    order, rule = changes_of(FREE_ITEM)
    assert order == ItemChange(
        "decision", "eligibility", CHANGED, (Aspect("order", "E1, E2", "E1, E3, E2"),)
    )
    assert rule == ItemChange(
        "rule",
        "eligibility.E3",
        Mark.ADDED,
        (
            Aspect("when", "", "the order amount is more than 350 USD"),
            Aspect("then", "", '"excluded"'),
        ),
    )


def test_a_rule_that_goes_is_listed_as_it_was() -> None:
    found = compare_items(model_of(REFUND, FREE_ITEM), model_of(REFUND))
    (rule,) = [item for item in found if item.kind == "rule"]
    assert (rule.name, rule.mark) == ("eligibility.E3", Mark.REMOVED)
    assert rule.aspects[0] == Aspect("when", "the order amount is more than 350 USD", "")


def test_a_condition_that_changes_is_shown_as_it_was_and_is() -> None:
    (rule,) = changes_of(
        ("days_since_delivery > refund_days and", "days_since_delivery >= refund_days and")
    )
    assert rule.name == "eligibility.E1"
    assert rule.aspects == (
        Aspect(
            "when",
            "the days since delivery are more than 30 and the reason for the request is not"
            ' "Damaged"',
            "the days since delivery are at least 30 and the reason for the request is not"
            ' "Damaged"',
        ),
    )


def test_a_condition_that_changes_with_its_constant_is_shown_with_both_values() -> None:
    constant, rule = changes_of(
        LONGER, ("days_since_delivery > refund", "days_since_delivery >= refund")
    )
    assert constant.name == "refund_days"
    (aspect,) = rule.aspects
    assert "more than 30 and" in aspect.old
    assert "at least 32 and" in aspect.new


def test_rules_in_another_order_keep_their_conditions() -> None:
    found = compare_items(model_of(REFUND, UNIQUE), model_of(REFUND, UNIQUE, TURNED))
    assert list(found) == [
        ItemChange("decision", "eligibility", CHANGED, (Aspect("order", "E1, E2", "E2, E1"),)),
    ]


def test_a_label_that_is_renamed_is_listed_for_the_field_and_for_what_sets_it() -> None:
    field, step = changes_of(DECLINED)
    assert field.aspects == (
        Aspect("values", "paid, passed on, refused", "paid, passed on, declined"),
    )
    assert (step.kind, step.name) == ("step", "refuse")
    assert step.aspects == (
        Aspect("ends with", "refund_status = refused", "refund_status = declined"),
    )


def test_a_range_that_widens_is_listed_for_the_field_alone() -> None:
    (field,) = changes_of(("max: 90, unit", "max: 120, unit"))
    assert (field.kind, field.name) == ("field", "days_since_delivery")
    assert field.aspects == (Aspect("values", "0 to 90 days", "0 to 120 days"),)


def test_a_new_tool_is_listed_with_what_it_takes() -> None:
    (tool,) = changes_of(NEW_TOOL)
    assert (tool.kind, tool.name, tool.mark) == ("tool", "lookUpPayment", Mark.ADDED)
    assert Aspect("takes", "", "request_id") in tool.aspects
    assert Aspect("returns", "", "payment_reference") in tool.aspects


def test_an_edge_is_known_by_where_it_leads_from_and_to() -> None:
    (edge,) = changes_of(("order_amount > pay_limit", "order_amount >= pay_limit"))
    assert (edge.kind, edge.name) == ("edge", "look_up to pass_on")
    assert edge.aspects == (
        Aspect(
            "when", "the order amount is more than 200 USD", "the order amount is at least 200 USD"
        ),
    )


def test_edges_in_another_order_are_listed_for_their_step() -> None:
    old = (
        "          - {when: eligibility == 'excluded', to: refuse}\n"
        "          - {when: order_amount > pay_limit, to: pass_on}\n"
    )
    new = "\n".join(reversed(old.splitlines())) + "\n"
    (step,) = changes_of((old, new))
    assert step.aspects == (
        Aspect("edges in order", "refuse, pass_on, pay", "pass_on, refuse, pay"),
    )


@pytest.mark.parametrize(
    ("old", "new", "aspect"),
    [
        pytest.param("meaning: highest amount", "meaning: greatest amount", "meaning", id="policy"),
        pytest.param("label: reason for", "label: cause of", "label", id="field"),
        pytest.param("title: Pay the refund", "title: Pay it back", "title", id="step"),
        pytest.param("Ask the order system for an", "Query an", "description", id="tool"),
        pytest.param("says: the order is", "says: this order is", "says", id="refusal"),
    ],
)
def test_words_that_decide_nothing_are_listed_as_such(old: str, new: str, aspect: str) -> None:
    (item,) = changes_of((old, new))
    assert [part.name for part in item.aspects] == [aspect]


def test_weights_that_change_are_listed_as_how_values_are_drawn() -> None:
    (field,) = changes_of(("weights: [40, 30, 30]", "weights: [50, 25, 25]"))
    assert field.aspects == (Aspect("drawn", "weights 40, 30, 30", "weights 50, 25, 25"),)


def test_a_part_that_begins_elsewhere_or_is_carried_out_elsewhere_is_listed() -> None:
    other = callers(
        ("        start: ask\n", "        start: check\n"),
        ("        do: look_up\n        decide", "        do: verify\n        decide"),
    )

    found = list(compare_items(callers(), other))

    assert ItemChange("part", "verify", CHANGED, (Aspect("begins with", "ask", "check"),)) in found
    carried = Aspect("carries out", "look_up", "verify")
    assert ItemChange("step", "look", CHANGED, (carried,)) in found
