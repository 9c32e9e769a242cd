# ruff: noqa: E501 - a brief is easier to read with an item on each line
"""Mistakes planted in the model of a brief in prose, each found by what it differs in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.sources.brief_and_model import CHECK
from sopforge.checks.sources.sources_stand import CHECK as STAND
from sopforge.findings import Severity
from sopforge.language.domain.reading import Brief, read_brief
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


PLANTED: Mapping[str, tuple[str, str, set[str]]] = {
    "a figure": ("{value: 30,", "{value: 29,", {"figure-not-in-model", "figure-not-in-source"}),
    "a unit": (
        "value: 60, unit: days",
        "value: 60, unit: weeks",
        {"figure-not-in-model", "figure-not-in-source"},
    ),
    "a figure in a rule": (
        "then: 4.50",
        "then: 5.40",
        {"figure-not-in-model", "figure-not-in-source"},
    ),
    "a figure in a condition": ("amount > most", "amount > 550", {"figure-not-in-source"}),
    "a result": (
        "when: amount > most, then: referred",
        "when: amount > most, then: declined",
        {"label-differs"},
    ),
    "the rule of all other cases": (
        "otherwise: approved",
        "otherwise: referred",
        {"label-differs"},
    ),
    "a label that the brief names": (
        "values: [approved, declined, referred]",
        "values: [approved, declined, escalated]",
        {"outcome-labels-differ"},
    ),
    "a word for no value": (
        "missing: no postage",
        "missing: nothing paid",
        {"outcome-word-differs"},
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_mistake_is_found(name: str) -> None:
    old, new, codes = PLANTED[name]
    assert BRIEF.count(old) == 1
    text = BRIEF.replace(old, new)
    if "escalated" in new:
        text = text.replace("then: referred", "then: escalated")

    assert codes <= set(find_codes(text))


def test_a_finding_shows_the_passage_beside_what_the_model_has() -> None:
    (found, _) = CHECK.examine(build_workspace(BRIEF.replace("{value: 30,", "{value: 29,")))

    assert found.message == (
        "the brief says '30 days', but 'policy.days' and 'decisions.verdict.R2' contain days = 29"
    )
    assert found.evidence.splitlines() == [
        "A refund is asked for within 30 days of delivery",
        "in the passage: 30 days",
        "in the model: days = 29",
    ]


def test_a_comparison_and_an_exception_are_for_the_judge_of_clauses() -> None:
    text = BRIEF.replace("age > member_days", "age >= member_days")

    assert find_codes(text.replace("sale and not damaged", "sale")) == []


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


def test_most_of_a_sentence_that_binds_is_quoted() -> None:
    said = "Goods from the sale are declined too, unless they are damaged"
    cut = BRIEF.replace(f'"{said}"', '"damaged"')

    # That is eight of its 62 letters.
    assert find_codes(cut) == ["sentence-not-accounted"]
    assert find_codes(cut.replace('"damaged"', '"Goods from the sale"')) == []


def test_a_sentence_that_names_a_result_binds() -> None:
    text = BRIEF.replace("In 2019 the shop", "Late cards are declined. In 2019 the shop", 1)

    assert find_codes(text) == ["sentence-not-accounted"]


MOST = "A refund above 500 EUR is referred to a manager."


def reworded(said: str, *items: str) -> str:
    """Return the brief with other words about high refunds, which these items cite."""
    whole = yaml.safe_load(BRIEF)
    prose = " ".join(whole["task_context"].split())
    assert MOST in prose
    whole["task_context"] = prose.replace(MOST, said)
    (source,) = [item for item in whole["remarks"]["sources"] if item["says"] == MOST]
    source |= {"says": said, "items": [*source["items"], *items]}
    return yaml.safe_dump(whole, sort_keys=False)


def test_a_quoted_label_is_one_of_the_items_that_cite_it() -> None:
    said = 'Above 500 EUR it is "referred", where others were "declined".'

    assert find_codes(reworded(said)) == ["label-differs"]
    assert find_codes(reworded(said, "decisions.verdict.R3")) == []


def test_a_denied_result_is_no_difference() -> None:
    said = "Above 500 EUR clerks have it {}approved by a manager."

    assert find_codes(reworded(said.format(""))) == ["label-differs"]
    assert find_codes(reworded(said.format("not "))) == []


def test_an_addition_is_no_history() -> None:
    whole = yaml.safe_load(BRIEF)
    addition = "From now on the limit is 400 EUR, no longer 500 EUR."
    whole["context"] = [addition]
    aside, sources = whole["remarks"]["set_aside"], whole["remarks"]["sources"]
    aside[:] = [{"says": addition, "because": "history"}]
    whole["task_context"] = whole["task_context"].replace("In 2019 the shop had 12 clerks.", "")

    assert find_codes(yaml.safe_dump(whole)) == ["addition-set-aside"]

    aside[:] = [{"says": "no longer 500 EUR", "because": "history"}]
    whole["model"]["policy"]["most"]["value"] = 400
    whole["task_context"] = " ".join(whole["task_context"].split()).replace(MOST, "")
    (source,) = [item for item in sources if item["says"] == MOST]
    source["says"] = "From now on the limit is 400 EUR"
    assert find_codes(yaml.safe_dump(whole)) == []


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
        "    - {says: So far it was read as from 510 on., items: [decisions.verdict.R4]}\nmodel:"
    )
    text = BRIEF.replace("amount > most", "amount > 510").replace("model:", assumed, 1)

    (found,) = CHECK.examine(build_workspace(text))

    assert (found.id, found.severity) == ("figure-not-in-source", Severity.WARNING)


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
