"""The cases for the judge lie on both sides of what a rule decides, as near as can be."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
import yaml

from sopforge.authors.judging.cases import Case, make_cases
from sopforge.authors.judging.forks import list_forks, work_out
from sopforge.authors.sources.account import build_account
from sopforge.language.domain.documents.remarks_schema import RemarksDocument
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import Value
from tests.unit.checks.sources.test_brief_and_model import BRIEF

MODEL = read_brief(BRIEF, "refunds.yaml").model


def make(text: str) -> list[Case]:
    brief = read_brief(text, "refunds.yaml")
    return list(make_cases(brief.model, build_account(brief, brief.model, brief.parts.remarks)))


def decide(row: Mapping[str, Value | None]) -> str:
    """Return the verdict of a refund as the prose has it; amounts are cents."""
    age, amount = row["age"], row["amount"]
    assert isinstance(age, int)
    assert isinstance(amount, int)
    if age > (60 if row["member"] else 30) or (row["sale"] and not row["damaged"]):
        return "declined"
    return "referred" if amount > 50_000 else "approved"


def test_each_rule_has_a_case_in_which_it_applies_and_the_nearest_in_which_not() -> None:
    cases = [case for case in make(BRIEF) if case.fork.label == "verdict"]

    for case in cases:
        assert case.fork.answer(work_out(MODEL, case.row)) == decide(case.row)
    shown = {rule: [case for case in cases if case.item.endswith(rule)] for rule in ("R1", "R2")}
    # No member is declined by the second rule, and nobody else by the first: with 31 days, nobody.
    assert [(case.row["age"], case.row["member"]) for case in shown["R1"]] == [(61, 1), (60, 1)]
    assert [(case.row["age"], case.row["member"]) for case in shown["R2"]] == [
        *((31, 0), (30, 0), (31, 1)),
    ]
    facts = [(case.row["sale"], case.row["damaged"]) for case in cases if case.item[-2:] == "R3"]
    assert facts == [(1, 0), (1, 1)]
    assert [case.row["amount"] for case in cases if case.item[-2:] == "R4"] == [50_001, 50_000]
    # Of all other cases there is none in which they are not.
    assert [decide(case.row) for case in cases if case.item[-2:] == "R5"] == ["approved"]


def test_a_rule_on_a_number_and_a_label_has_a_case_beyond_each() -> None:
    text = BRIEF.replace("when: amount > most", "when: amount > most and not sale")

    found = [case.row for case in make(text) if case.item == "decisions.verdict.R4"]

    # A fact that the passage mentions, and the rule reads no more, is shown as it mentions it.
    assert [(row["amount"], row["sale"]) for row in found] == [
        (50_001, 0),
        (50_000, 0),
        (50_001, 1),
    ]


def test_each_of_several_conditions_is_met_alone() -> None:
    text = BRIEF.replace("when: amount > most", "when: amount > most or age > 25")

    found = [case.row for case in make(text) if case.item == "decisions.verdict.R4"]

    # Beyond the one limit, with the other kept; then the other round.
    assert [(row["amount"], row["age"]) for row in found] == [
        *((50_001, 25), (50_000, 25), (50_000, 26), (50_000, 25)),
    ]


def test_a_fact_that_another_item_of_the_passage_reads_is_not_tried() -> None:
    text = BRIEF.replace("sale and not damaged", "sale").replace(
        "items: [decisions.verdict.R3]", "items: [decisions.verdict.R3, decisions.postage.P1]"
    )

    found = [case for case in make(text) if case.item == "decisions.verdict.R3"]

    assert not [case for case in found if "damaged" in case.shown]


def test_a_fact_that_a_passage_mentions_and_a_rule_ignores_is_tried() -> None:
    text = BRIEF.replace("sale and not damaged", "sale")

    found = [case for case in make(text) if case.item == "decisions.verdict.R3"]

    assert [case.describe(MODEL) for case in found if "damaged" in case.shown] == [
        'The age is 30 days, the member is "no", the sale is "yes" and the damaged is "yes".',
        'The age is 30 days, the member is "no", the sale is "yes" and the damaged is "no".',
    ]
    (key,) = [fact.label for fact in found[-1].list_facts(MODEL) if fact.is_key][1:]
    assert key == "damaged"


def test_sentences_of_constants_go_with_those_of_a_rule() -> None:
    whole = yaml.safe_load(BRIEF)
    said = "The most without a manager is 500 EUR."
    whole["task_context"] = f"{said} {whole['task_context']}"
    sources = whole["remarks"]["sources"]
    (most,) = [item for item in sources if "policy.most" in item["items"]]
    most["items"].remove("policy.most")
    sources.append({"says": said, "items": ["policy.most"]})

    cases = make(yaml.safe_dump(whole))

    (passages,) = {case.passages for case in cases if case.item == "decisions.verdict.R4"}
    assert passages == (said, most["says"])


def test_what_is_assumed_has_no_case() -> None:
    assert not [case for case in make(BRIEF) if case.item == "decisions.postage.P2"]


LATE = "  predicates:\n    late: {is: age > days, description: the refund is late}\n"
OTHERS = (
    BRIEF.replace("  decisions:\n", f"{LATE}  decisions:\n", 1)
    .replace("not member and age > days", "not member and late")
    .replace("edges: [{to: close}]", "edges: [{when: amount > most, to: ask}, {to: close}]")
    .replace(
        "      close: {title",
        "      ask: {title: Ask the manager, end: {}}\n      close: {title",
    )
    .replace(
        "returns: [age, member, sale, damaged]",
        "returns: [age, member, sale, damaged], requires: {id: G, is: amount <= 800,"
        " refusal: too_much, says: the amount is too high}",
    )
    .replace(
        "    postage:\n      hit: first\n      rules:\n"
        "        - {id: P1, when: damaged and verdict != 'declined', then: 4.50}\n"
        "        - {id: P2, otherwise: missing}\n",
        "    postage:\n      table: verdict\n"
        "      rows: {approved: 3.00, declined: missing, referred: 4.50}\n",
    )
)


@pytest.fixture(scope="module")
def others() -> DomainModel:
    return read_brief(OTHERS, "refunds.yaml").model


@pytest.mark.parametrize(
    ("about", "results", "age", "amount", "answer"),
    [
        ("predicates.late", ("true", "false"), 31, 100, "true"),
        ("predicates.late", ("true", "false"), 30, 100, "false"),
        ("steps.look", ("Ask the manager", "Close the case"), 1, 50_001, "Ask the manager"),
        ("steps.look", ("Ask the manager", "Close the case"), 1, 50_000, "Close the case"),
        ("tools.orders", ("refused", "carried out"), 1, 80_001, "refused"),
        ("tools.orders", ("refused", "carried out"), 1, 80_000, "carried out"),
        ("decisions.postage", ("no postage",), 1, 60_000, "4.50"),
        ("decisions.postage", ("no postage",), 80, 60_000, "no postage"),
    ],
)
def test_what_items_decide_is_said_in_words(  # noqa: PLR0917 - a row of the table
    others: DomainModel, about: str, results: tuple[str, ...], age: int, amount: int, answer: str
) -> None:
    (fork,) = [item for item in list_forks(others) if item.about == about]
    row = {"age": age, "amount": amount, "member": 0, "sale": 0, "damaged": 1}

    assert fork.results == results
    assert fork.answer(work_out(others, row)) == answer


def test_entries_of_a_look_up_are_tried_where_a_passage_names_them(others: DomainModel) -> None:
    brief = read_brief(OTHERS, "refunds.yaml")
    remarks = {
        "sources": [
            {"says": "Goods from the sale are declined too", "items": ["decisions.postage"]},
        ]
    }
    account = build_account(brief, others, RemarksDocument.model_validate(remarks))

    (case,) = make_cases(others, account)

    assert (case.item, case.fork.answer(work_out(others, case.row))) == (
        "decisions.postage",
        "no postage",
    )
