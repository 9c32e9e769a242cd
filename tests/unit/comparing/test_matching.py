"""Facts of two readings are matched by names, labels, words and types, and else stay open."""

from __future__ import annotations

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain
from sopforge.proof.comparing.aligning.matching import find_yes_label, match_models
from sopforge.proof.comparing.aligning.wording import is_alike, list_key_stems, pair_labels

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
        number:
          role: input
          type: string
          pattern: "N[0-9]{{6}}"
          unique: true
          description: number
        seen: {{role: observed, type: boolean, description: whether somebody saw it}}
        {fact}
        {outcome}
  decisions:
    {target}:
      description: what is decided
      hit: first
      rules:
        - {{id: A, when: "{when}", then: {then}}}
        - {{id: B, otherwise: {other}}}
  tools:
    readLoan: {{kind: lookup, description: Reads it., takes: [number], returns: [seen]}}
  procedure:
    start: judge
    steps:
      judge:
        title: Judge
        instruction: Judge it.
        call: readLoan
        decide: [{target}]
        edges: [{{to: done}}]
      done: {{title: Close, instruction: Close it., end: {{}}}}
"""


def field(name: str, kind: str, description: str, label: str = "", role: str = "input") -> str:
    """Return the declaration of a field; ``kind`` has its type and what that needs."""
    named = f"label: {label}, " if label else ""
    return f"{name}: {{{named}role: {role}, type: {kind}, description: {description}}}"


VERDICT = "enum, primary: true, values: [Granted, Refused]"
GRANTED = field("verdict", VERDICT, "what is decided", role="outcome")


def loan(
    fact: str, when: str, outcome: str = GRANTED, results: str = "Granted Refused"
) -> DomainModel:
    then, other = results.split(" ")
    target = outcome.partition(":")[0]
    text = LOAN.format(fact=fact, when=when, outcome=outcome, then=then, other=other, target=target)
    return read_domain(text, "loan.yaml")


EUROS = "number, places: 2, min: 1.00, max: 900.00, unit: EUR"
AMOUNT = field("amount", EUROS, "money that is asked for", "amount asked for")
KIND = field("kind", "enum, values: [Private, Business]", "who asks", "kind of customer")
INSURED = field("insured", "boolean", "whether it is insured")
COVER = field("cover", "enum, values: [not insured, insured]", "cover")
SMALL = "integer, min: 0, max: 9"


@pytest.mark.parametrize(
    ("ours", "reads", "theirs", "asks", "expected"),
    [
        (AMOUNT, "amount > 5", AMOUNT, "amount > 5", "amount"),
        (
            AMOUNT,
            "amount > 5",
            field("sum_asked", EUROS, "sum", "Amounts asked-for"),
            "sum_asked > 5",
            "amount",
        ),
        (
            AMOUNT,
            "amount > 5",
            field("whole", "integer, min: 1, max: 900, unit: EUR", "sum", "amount asked for"),
            "whole > 5",
            "round(amount, 0)",
        ),
        (
            KIND,
            "kind == 'Private'",
            field("sort", "enum, values: [business, private]", "sort", "kind of customer"),
            "sort == 'private'",
            "'business' if kind == 'Business' else 'private'",
        ),
        (
            INSURED,
            "insured",
            COVER,
            "cover == 'insured'",
            "'insured' if insured else 'not insured'",
        ),
        (COVER, "cover == 'insured'", INSURED, "insured", "cover == 'insured'"),
        (
            field("wait", f"{SMALL}, unit: weeks", "time", "waiting time"),
            "wait > 5",
            field("waited", "integer, min: 0, max: 99, unit: days", "time", "waiting time"),
            "waited > 35",
            "wait * 7",
        ),
    ],
    ids=["same", "alike", "places", "labels", "yes as label", "label as yes", "units"],
)
def test_a_field_of_the_same_words_is_matched(
    ours: str, reads: str, theirs: str, asks: str, expected: str
) -> None:
    found = match_models(loan(ours, reads), loan(theirs, asks))

    (aligned,) = found.fields.values()
    assert aligned.text == expected
    assert found.open == ()


KILOS = "number, places: 2, min: 1.00, max: 900.00, unit: kg"
DAYS = "date, min: 2026-01-01, max: 2026-12-31"


@pytest.mark.parametrize(
    ("theirs", "asks"),
    [
        # Nothing makes kilograms of euros, and no number a day.
        (field("amount", KILOS, "money that is asked for", "amount asked for"), "amount > 5"),
        (field("amount", DAYS, "day"), "amount > '2026-05-05'"),
        (field("weather", SMALL, "sunshine of the week"), "weather > 3"),
    ],
    ids=["unit", "type", "words"],
)
def test_what_does_not_fit_stays_open(theirs: str, asks: str) -> None:
    found = match_models(loan(AMOUNT, "amount > 5"), loan(theirs, asks))

    assert found.fields == {}
    assert [item.kind for item in found.open] == ["field"]


def test_labels_of_which_some_have_no_partner_are_somebody_elses_to_match() -> None:
    ours = field("kind", "enum, values: [injury, illness, move]", "kind", "kind of reason")
    theirs = field("kind", "enum, values: [injury or illness, move]", "kind", "kind of reason")

    found = match_models(loan(ours, "kind == 'move'"), loan(theirs, "kind == 'move'"))

    assert found.fields == {}
    assert found.open[0].candidates == ("'move' if kind == 'move' else 'injury or illness'",)


def test_a_number_that_only_one_reading_may_lack_is_some_number_there() -> None:
    ours = field("wait", f"{SMALL}, missing: no wait", "time", "waiting time")
    theirs = field("wait", SMALL, "time", "waiting time")

    found = match_models(loan(ours, "present(wait) and wait > 5"), loan(theirs, "wait > 5"))

    assert found.fields["wait"].text == "wait if present(wait) else 0"


def test_of_two_that_are_alike_none_is_taken() -> None:
    first = field("first", SMALL, "share", "share of the owner")
    second = field("second", SMALL, "share", "share of the tenant")
    two = f"{first}\n        {second}"
    theirs = field("part", SMALL, "share", "share")

    found = match_models(loan(two, "first > second"), loan(theirs, "part > 3"))

    assert found.fields == {}
    assert set(found.open[0].candidates) == {"first", "second"}


def test_outcomes_are_matched_by_their_labels() -> None:
    labels = "enum, primary: true, values: [refused, granted]"
    other = field("answer", labels, "reply", role="outcome")
    theirs = loan(AMOUNT, "amount > 5", other, "granted refused")

    found = match_models(loan(AMOUNT, "amount > 5"), theirs)

    assert found.outcomes["answer"].name == "verdict"
    assert found.outcomes["answer"].labels == {"refused": "Refused", "granted": "Granted"}


def test_labels_are_alike_up_to_case_hyphens_and_endings() -> None:
    assert pair_labels(["non-refundable", "Vouchers"], ["Voucher", "Non refundable"]) == {
        "non-refundable": "Non refundable",
        "Vouchers": "Voucher",
    }
    assert pair_labels(["Class 1", "Class 2"], ["Class 2", "Class 1"]) == {
        "Class 1": "Class 1",
        "Class 2": "Class 2",
    }
    assert is_alike("days since the purchase", "Days since purchases")
    assert not is_alike("paid by the customer", "not paid by the customer")
    assert list_key_stems("the of a") == ()


def test_which_label_says_yes_is_read_from_its_words() -> None:
    fields = loan(INSURED, "insured").fields

    assert find_yes_label(["not insured", "insured"], fields["insured"]) == "insured"
    assert find_yes_label(["Private", "Business"], fields["insured"]) == ""
    assert find_yes_label(["no", "yes"], fields["insured"]) == "yes"
