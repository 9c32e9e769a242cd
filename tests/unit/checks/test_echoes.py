"""A finding that only follows from another one is not reported beside it; the cause stays."""

from __future__ import annotations

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.registry import examine
from sopforge.errors import MaterialError
from sopforge.language.domain.reading import read_brief
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.quick_builds import REFUND
from tests.worlds.small_models import CLAIMS, ORDERS, changed

WHEN = "days_since_delivery > refund_days and reason != 'Damaged'"
TO_REFUSE = "- {when: eligibility == 'excluded', to: refuse}"
RULES = REFUND.partition("    eligibility:\n      hit: first\n      rules:\n")[2].partition("\n\n")[
    0
]
DEAREST = next(line for line in CLAIMS.splitlines(keepends=True) if "    dearest: {value" in line)


def found(text: str, *changes: tuple[str, str]) -> list[tuple[str, str]]:
    brief = read_brief(changed(text, *changes), "brief.yaml")
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    return [(item.id, item.where) for item in examine("schema", workspace)]


@pytest.mark.parametrize(
    ("text", "change", "causes"),
    [
        pytest.param(
            REFUND,
            ("[days_since_delivery, order_amount]", "[order_amount]"),
            [("field-not-revealed", "fields.days_since_delivery")],
            id="a field that no tool returns is known nowhere",
        ),
        pytest.param(
            CLAIMS,
            (DEAREST, ""),
            [("field-not-derived", "fields.dearest")],
            id="a field without a decision is worked out by no tool",
        ),
        pytest.param(
            REFUND,
            ("        decide: [eligibility]\n", ""),
            [("outcome-not-decided", "fields.eligibility")],
            id="an outcome that nobody decides is known nowhere",
        ),
        pytest.param(
            REFUND,
            ("days_since_delivery: {role: observed", "days_since_delivery: {role: distractor"),
            [("distractor-matters", "fields.days_since_delivery")],
            id="a distractor that matters may be returned once it is none",
        ),
        pytest.param(
            REFUND,
            (WHEN, "days_since_delivery > 95 + refund_days"),
            [("unreachable-rule", "decisions.eligibility, rule E1")],
            id="the edge of a dead rule, and what it reads",
        ),
        pytest.param(
            REFUND,
            (RULES, f"        - {{id: E1, when: not ({WHEN}), then: eligible}}"),
            [("gap", "decisions.eligibility")],
            id="the edge of a value that a table with a gap does not give",
        ),
        pytest.param(
            ORDERS,
            ("        - {id: R3, otherwise: held}\n", ""),
            [("gap", "decisions.release")],
            id="the rule for a value that a table with a gap does not give",
        ),
        pytest.param(
            REFUND,
            (TO_REFUSE, "- {when: order_amount >= 5, to: refuse}"),
            [
                ("edge-never-taken", "procedure.edges.look_up.2"),
                ("edge-never-taken", "procedure.edges.look_up.3"),
            ],
            id="edges out of a step to which no case comes",
        ),
        pytest.param(
            REFUND,
            ("- {to: finish}", "- {when: order_amount > 9, to: look_up}\n          - {to: finish}"),
            [("endless-loop", "procedure.steps.pay")],
            id="a circle has one back edge",
        ),
    ],
)
def test_the_cause_alone_is_reported(
    text: str, change: tuple[str, str], causes: list[tuple[str, str]]
) -> None:
    assert found(text, change) == causes


def test_each_of_two_back_edges_is_reported() -> None:
    back = "- {{when: order_amount > {}, to: look_up}}\n          - {{to: finish}}"

    both = found(
        REFUND,
        ("- {to: finish}", back.format(9)),
        (TO_REFUSE, "- {when: order_amount > 390, to: look_up}\n          " + TO_REFUSE),
    )

    assert both == [
        ("endless-loop", "procedure.steps.look_up"),
        ("endless-loop", "procedure.steps.pay"),
    ]


def test_causes_come_first_and_then_the_order_of_the_document() -> None:
    # The constant stands above all fields, the field above the tool that returns the outcome.
    listed = found(
        REFUND,
        ("  policy:\n", "  policy:\n    spare: {value: 7, meaning: nothing}\n"),
        ("[days_since_delivery, order_amount]", "[order_amount, refund_status]"),
    )

    assert listed == [
        ("field-not-revealed", "fields.days_since_delivery"),
        ("tool-returns-answer", "tools.lookUpOrder"),
        ("policy-not-used", "policy.spare"),
    ]


def test_a_step_may_decide_what_a_decision_was_meant_to_give() -> None:
    with pytest.raises(MaterialError) as caught:
        found(REFUND, ("    eligibility:\n      hit", "    eligible:\n      hit"))

    assert [(item.code, item.where.partition(", ")[2]) for item in caught.value.faults] == [
        ("unknown-field", "model.decisions.eligible")
    ]
