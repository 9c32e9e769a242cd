# ruff: noqa: E501 - a brief is easier to read with an item on each line
"""Mistakes planted in the model of a brief in prose, each found by what it differs in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.sources.brief_and_model import CHECK
from sopforge.checks.sources.sources_stand import CHECK as STAND
from sopforge.domain.reading import Brief, read_brief
from sopforge.findings import Severity
from sopforge.workspace import DOMAIN, Workspace

BRIEF = """
format: 1
domain: refunds
title: Refunds of a Web Shop
business_task: Decide on refunds of a web shop.
task_context: |
  Clerks ask `Orders` for the order. A refund is asked for within 30 days of delivery, by members within
  60 days; a later one is declined. Goods from the sale are declined too, unless they are damaged. A
  refund above 500 EUR is referred to a manager. In all other cases it is approved. The postage of
  4.50 EUR is paid back where the goods are damaged. In 2019 the shop had 12 clerks.
outcomes:
  verdict: {labels: [approved, declined, referred], primary: true}
  postage: {none: no postage}
remarks:
  sources:
    - {says: Clerks ask `Orders` for the order, items: [tools.orders]}
    - {says: A refund is asked for within 30 days of delivery, items: [policy.days, decisions.verdict.R2]}
    - {says: by members within 60 days, items: [policy.member_days, decisions.verdict.R1]}
    - {says: a later one is declined, items: [decisions.verdict.R1, decisions.verdict.R2]}
    - {says: "Goods from the sale are declined too, unless they are damaged", items: [decisions.verdict.R3]}
    - {says: A refund above 500 EUR is referred to a manager., items: [policy.most, decisions.verdict.R4]}
    - {says: In all other cases it is approved., items: [decisions.verdict.R5]}
    - {says: The postage of 4.50 EUR is paid back where the goods are damaged., items: [decisions.postage.P1]}
  set_aside:
    - {says: In 2019 the shop had 12 clerks., because: history}
  assumptions:
    - {says: Otherwise there is no postage., items: [decisions.postage.P2]}
model:
  policy:
    days: {value: 30, unit: days, meaning: days for everybody}
    member_days: {value: 60, unit: days, meaning: days for members}
    most: {value: 500, unit: EUR, meaning: most without a manager}
  entities:
    refund:
      key: refund_id
      fields:
        refund_id: {role: input, type: string, pattern: "R[0-9]{6}", unique: true, description: number}
        amount: {role: input, type: number, places: 2, min: 1, max: 900, unit: EUR, description: amount asked for}
        age: {role: observed, type: integer, min: 0, max: 90, unit: days, description: days since delivery}
        member: {role: observed, type: boolean, description: whether the customer is a member}
        sale: {role: observed, type: boolean, description: whether the goods are from the sale}
        damaged: {role: observed, type: boolean, description: whether the goods are damaged}
        verdict: {role: outcome, type: enum, values: [approved, declined, referred], primary: true, description: what is decided}
        postage: {role: outcome, type: number, places: 2, min: 0, max: 10, unit: EUR, missing: no postage, description: postage paid back}
  decisions:
    verdict:
      hit: first
      rules:
        - {id: R1, when: member and age > member_days, then: declined}
        - {id: R2, when: not member and age > days, then: declined}
        - {id: R3, when: sale and not damaged, then: declined}
        - {id: R4, when: amount > most, then: referred}
        - {id: R5, otherwise: approved}
    postage:
      hit: first
      rules:
        - {id: P1, when: damaged and verdict != 'declined', then: 4.50}
        - {id: P2, otherwise: missing}
  tools:
    orders: {kind: lookup, description: Ask for the order, takes: [refund_id], returns: [age, member, sale, damaged]}
  procedure:
    start: look
    steps:
      look: {title: Look the order up, call: orders, decide: [verdict, postage], edges: [{to: close}]}
      close: {title: Close the case, end: {}}
dataset: {n_samples: 20, seed: 1}
complexity: {levels: [L0]}
"""


def build_workspace(text: str) -> Workspace:
    brief: Brief = read_brief(text, "refunds.yaml")
    return Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})


def find_codes(text: str) -> list[str]:
    workspace = build_workspace(text)
    found = [*CHECK.examine(workspace), *STAND.examine(workspace)]
    return [item.id for item in found if item.id != "set-aside"]


def test_a_faithful_model_is_accepted() -> None:
    assert find_codes(BRIEF) == []


PLANTED: Mapping[str, tuple[str, str, str]] = {
    "an answer of a yes/no fact": ("sale and not damaged", "sale and damaged", "answer-differs"),
    "a figure": ("{value: 30,", "{value: 29,", "figure-not-in-model"),
    "a unit": ("value: 60, unit: days", "value: 60, unit: weeks", "figure-not-in-model"),
    "a figure in a rule": ("then: 4.50", "then: 5.40", "figure-not-in-source"),
    "a comparison": ("age > member_days", "age >= member_days", "limit-differs"),
    "a comparison of a constant": ("amount > most", "amount >= most", "limit-differs"),
    "results the other round": ("amount > most", "amount <= most", "result-differs"),
    "a result": (
        "when: amount > most, then: referred",
        "when: amount > most, then: declined",
        "label-differs",
    ),
    "an exception": ("sale and not damaged", "sale", "exception-not-read"),
    "the rule of all other cases": (
        "otherwise: approved",
        "otherwise: referred",
        "default-differs",
    ),
    "a label that the brief names": (
        "values: [approved, declined, referred]",
        "values: [approved, declined, escalated]",
        "outcome-labels-differ",
    ),
    "a word for no value": ("missing: no postage", "missing: nothing paid", "outcome-word-differs"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_mistake_is_found(name: str) -> None:
    old, new, code = PLANTED[name]
    assert BRIEF.count(old) == 1
    text = BRIEF.replace(old, new)
    if "escalated" in new:
        text = text.replace("then: referred", "then: escalated")

    assert code in find_codes(text)


def without_rule(rule: str) -> str:
    """Return the brief without a rule, and with no source for it."""
    whole: dict[str, Any] = yaml.safe_load(BRIEF)
    table = whole["model"]["decisions"]["verdict"]
    table["rules"] = [item for item in table["rules"] if item["id"] != rule]
    sources = whole["remarks"]["sources"]
    for source in sources:
        source["items"] = [item for item in source["items"] if item != f"decisions.verdict.{rule}"]
    whole["remarks"]["sources"] = [source for source in sources if source["items"]]
    return yaml.safe_dump(whole, sort_keys=False)


def test_a_rule_that_is_left_out_is_missed_by_its_sentence() -> None:
    assert "sentence-not-accounted" in find_codes(without_rule("R3"))


def test_a_sentence_that_binds_and_a_figure_lead_somewhere() -> None:
    text = BRIEF.replace(
        "In 2019 the shop", "Nobody may wait. It is 7 miles off. In 2019 the shop", 1
    )

    assert find_codes(text) == ["sentence-not-accounted", "figure-not-accounted"]


def test_an_exception_that_nobody_quotes_is_found() -> None:
    cut = BRIEF.replace(
        '"Goods from the sale are declined too, unless they are damaged"',
        '"Goods from the sale are declined too"',
    )

    assert find_codes(cut) == ["clause-not-accounted"]


def test_quoted_labels_and_names_are_the_models() -> None:
    text = BRIEF.replace(
        "Clerks ask `Orders`", 'In `Ledger`, cases are marked "on hold". Clerks ask `Orders`', 1
    )

    assert find_codes(text) == ["quoted-label-not-in-model", "quoted-name-not-in-model"]


def test_quotations_and_items_are_what_they_claim_to_be() -> None:
    text = BRIEF.replace(
        "says: by members within 60 days", "says: by members within 61 days"
    ).replace(
        "items: [decisions.postage.P1]", "items: [decisions.postage.P1, decisions.postage.P9]"
    )

    assert {"source-not-in-brief", "source-of-nothing"} <= set(find_codes(text))


def test_what_has_no_source_is_an_assumption() -> None:
    text = BRIEF.replace("items: [decisions.postage.P2]", "items: []")

    assert find_codes(text) == ["item-without-source"]


def test_a_difference_that_is_assumed_is_for_a_person_to_judge() -> None:
    assumed = (
        "    - {says: So far it was read as from 500 on., items: [decisions.verdict.R4]}\nmodel:"
    )
    text = BRIEF.replace("amount > most", "amount >= most").replace("model:", assumed, 1)

    (found,) = CHECK.examine(build_workspace(text))

    assert (found.id, found.severity) == ("limit-differs", Severity.WARNING)


def test_much_that_is_set_aside_asks_for_a_person() -> None:
    text = BRIEF.replace(
        "In 2019 the shop had 12 clerks.",
        "In 2019 the shop had 12 clerks and 90 rooms and 35 cats.",
    )

    assert find_codes(text) == ["much-set-aside"]


def test_a_person_who_names_no_sources_is_asked_for_none() -> None:
    whole = yaml.safe_load(BRIEF)
    del whole["remarks"]

    assert find_codes(yaml.safe_dump(whole)) == []


def test_prose_that_leaves_a_result_blank_is_pointed_out() -> None:
    text = BRIEF.replace(
        "In 2019 the shop", "The postage is left blank if there is none. In 2019 the shop", 1
    )

    assert "prose-leaves-blank" in find_codes(text)
    worded = text.replace("left blank", 'left blank, or "no postage",')
    assert "prose-leaves-blank" not in find_codes(worded)
