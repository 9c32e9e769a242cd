# ruff: noqa: E501 - a model is easier to read with an item on each line
"""One ambiguous sentence is one question, in however many rules its two readings show."""

from __future__ import annotations

import pytest

from sopforge.language.domain.reading import read_domain
from sopforge.proof.comparing.aligning.matching import match_models
from sopforge.proof.comparing.comparison import Comparison, compare_readings

MODEL = """
format: 1
domain: swims
title: Swims
business_task: Decide on visits to a pool.
model:
  entities:
    visit:
      key: number
      fields:
        number: {role: input, type: string, pattern: "V[0-9]{6}", unique: true, description: number}
        age: {role: observed, type: integer, min: 0, max: 90, unit: years, description: age}
        lane: {role: observed, type: enum, values: [Shallow, Deep, Diving], description: lane}
        swims: {role: observed, type: boolean, description: swims}
        verdict: {role: outcome, type: enum, values: [Admitted, Escorted, Refused], primary: true, description: verdict}
        ticket: {role: outcome, type: enum, values: [Child, Adult], description: ticket}
        towel: {role: outcome, type: enum, values: [Lent, Own], description: towel}
  decisions:
    verdict:
      hit: first
      rules:
        - {id: V1, when: (YOUNG) and lane == 'Deep', then: Refused}
        - {id: V2, when: (GROWN) and not swims, then: Refused}
        - {id: V3, when: not swims, then: Escorted}
        - {id: V4, otherwise: Admitted}
    ticket:
      hit: first
      rules:
        - {id: T1, when: YOUNG, then: Child}
        - {id: T2, otherwise: Adult}
    towel:
      hit: first
      rules:
        - {id: W1, when: lane == 'Diving' and age > OLD, then: Lent}
        - {id: W2, otherwise: Own}
  tools:
    readVisit: {kind: lookup, description: Reads it., takes: [number], returns: [age, lane, swims]}
  procedure:
    start: judge
    steps:
      judge: {title: Judge, call: readVisit, decide: [verdict, ticket, towel], edges: [{to: done}]}
      done: {title: Close, end: {}}
"""
UNDER, UP_TO = ("age < 12", "age >= 12"), ("age <= 12", "age > 12")


def compare(first: tuple[str, str], second: tuple[str, str], old: str = "60") -> Comparison:
    """Return how two readings compare that differ in who is young, and perhaps in who is old."""

    def read(young: str, grown: str, old: str) -> str:
        return MODEL.replace("YOUNG", young).replace("GROWN", grown).replace("OLD", old)

    ours = read_domain(read(*first, "60"), "swims.yaml")
    theirs = read_domain(read(*second, old), "swims.yaml")
    return compare_readings(ours, theirs, match_models(ours, theirs), count=2_000)


@pytest.mark.parametrize(
    "other", [UP_TO, ("age < 15", "age >= 15"), ("not age >= 12 or age == 12", "age > 12")]
)
def test_a_limit_that_several_rules_state_is_one_question(other: tuple[str, str]) -> None:
    found = compare(UNDER, other)

    (question,) = found.questions
    assert found.is_whole
    assert question.cases > 0


def test_another_limit_is_a_question_of_its_own() -> None:
    assert len(compare(UNDER, UP_TO, old="70").questions) == 2


def test_a_rule_that_alone_differs_is_still_asked_about() -> None:
    # Theirs takes those of 12 for young in two rules, and for grown in one as ours does.
    (question,) = compare(UNDER, ("age < 12", "age > 12")).questions

    assert question.first.items[0] == "decisions.verdict.V2"
