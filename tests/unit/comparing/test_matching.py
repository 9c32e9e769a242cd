# ruff: noqa: E501 - a model is easier to read with an item on each line
"""Facts of two readings are matched by names and labels if their types fit, and else stay open."""

from __future__ import annotations

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain
from sopforge.proof.comparing.aligning.matching import match_models

LOAN = """
format: 1
domain: loans
title: Loans
business_task: Decide on loans.
model:
  entities:
    loan:
      key: number
      fields:
        number: {{role: input, type: string, pattern: "N[0-9]{{6}}", unique: true, description: number}}
        seen: {{role: observed, type: boolean, description: whether somebody saw it}}
        {fact}
        {outcome}
  decisions:
    {target}: {{hit: first, rules: [{{id: A, when: "{when}", then: {labels[0]}}}, {{id: B, otherwise: {labels[1]}}}]}}
  tools:
    readLoan: {{kind: lookup, description: Reads it., takes: [number], returns: [seen]}}
  procedure:
    start: judge
    steps:
      judge: {{title: Judge, call: readLoan, decide: [{target}], edges: [{{to: done}}]}}
      done: {{title: Close, end: {{}}}}
"""


def loan(
    fact: str, when: str, target: str = "verdict", *labels: str, label: str = ""
) -> DomainModel:
    labels = labels or ("Granted", "Refused")
    called = f"label: {label}, " if label else ""
    outcome = f"{target}: {{{called}role: outcome, type: enum, primary: true, values: [{', '.join(labels)}], description: result}}"
    return read_domain(
        LOAN.format(fact=fact, when=when, outcome=outcome, target=target, labels=labels),
        "loan.yaml",
    )


def field(name: str, kind: str, when: str, label: str = "") -> tuple[str, str]:
    """Return the declaration of a field, and a condition that reads it."""
    said = f"{name}: {{label: {label or name}, role: input, type: {kind}, description: what it is}}"
    return said, when


EUROS = "number, places: 2, min: 1.00, max: 900.00, unit: EUR"
SMALL = "integer, min: 0, max: 9"
DAY = "date, min: 2026-01-01, max: 2026-12-31"
ITEMS = (
    "list, size: 3, empty: nothing, items: {kind: {type: enum, values: [pen, ink], description: kind},"
    " note: {type: string, pattern: '[a-z]{5}', description: note}}"
)
AMOUNT = field("amount", EUROS, "amount > 5", "money asked for")
FILM = field("kind", "enum, values: [Film, Book]", "kind == 'Film'")
PARTS = field("parts", ITEMS, "count(i for i in parts) > 1")
FITTING = {
    "name": (AMOUNT, AMOUNT, "amount"),
    "label": (AMOUNT, field("total", EUROS, "total > 5", "Money asked for"), "amount"),
    "labels": (FILM, FILM, "kind"),
    "labels in small letters": (
        FILM,
        field("kind", "enum, values: [book, film]", "kind == 'film'"),
        "'book' if kind == 'Book' else 'film'",
    ),
    "a number that only one may lack": (
        field("wait", f"{SMALL}, missing: no wait", "present(wait) and wait > 5"),
        field("wait", SMALL, "wait > 5"),
        "wait if present(wait) else 0",
    ),
    "list": (PARTS, PARTS, "[item(kind=i.kind, note=i.note) for i in parts]"),
}
OPEN = {
    "fewer places": (AMOUNT, field("amount", SMALL, "amount > 5")),
    "another unit": (AMOUNT, field("amount", EUROS.replace("EUR", "kg"), "amount > 5")),
    "another type": (AMOUNT, field("amount", DAY, "amount > '2026-05-05'")),
    "another name": (AMOUNT, field("total", EUROS, "total > 5")),
    "another label": (FILM, field("kind", "enum, values: [Film, Print]", "kind == 'Film'")),
}


@pytest.mark.parametrize("what", FITTING)
def test_a_fact_of_the_same_name_is_matched_if_its_type_fits(what: str) -> None:
    ours, theirs, expected = FITTING[what]

    found = match_models(loan(*ours), loan(*theirs))

    assert [item.text for item in found.fields.values()] == [expected]
    assert found.open == ()


@pytest.mark.parametrize("what", OPEN)
def test_what_does_not_fit_stays_open(what: str) -> None:
    ours, theirs = OPEN[what]

    found = match_models(loan(*ours), loan(*theirs))

    assert found.fields == {}
    assert [item.kind for item in found.open] == ["field"]


def test_outcomes_of_the_same_label_are_matched_with_their_labels() -> None:
    ours = loan("", "seen", label="The answer")
    same = loan("", "seen", "reply", "refused", "Granted", label="the answer")
    other = loan("", "seen", "reply", "yes", "no", label="the answer")

    assert match_models(ours, same).outcomes["reply"].name == "verdict"
    assert match_models(ours, same).outcomes["reply"].labels == {"refused": "Refused"}
    assert [item.name for item in match_models(ours, other).open] == ["reply"]
