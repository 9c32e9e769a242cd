# ruff: noqa: E501 - a model is easier to read with an item on each line
"""A question shows first what decided, and not what was tried before or only sums up."""

from __future__ import annotations

from sopforge.language.domain.reading import read_domain
from sopforge.proof.comparing.aligning.matching import match_models
from sopforge.proof.comparing.comparison import compare_readings

MODEL = """
format: 1
domain: trips
title: Trips
business_task: Decide on trips.
model:
  entities:
    trip:
      key: number
      fields:
        number: {role: input, type: string, pattern: "N[0-9]{6}", unique: true, description: number}
        blocked: {role: observed, type: boolean, description: blocked}
        weight: {role: observed, type: integer, min: 0, max: 90, unit: kg, description: weight}
        wait: {role: observed, type: integer, min: 0, max: 40, unit: days, description: wait}
        finding: {role: derived, type: enum, values: [stopped, heavy, late, nothing], description: finding}
        verdict: {role: outcome, type: enum, values: [Granted, Refused], primary: true, description: verdict}
  decisions:
    finding:
      hit: first
      rules:
        - {id: F1, when: blocked, then: stopped}
        - {id: F2, when: weight > 50, then: heavy}
        - {id: F3, when: wait > LIMIT, then: late}
        - {id: F4, otherwise: nothing}
    verdict:
      hit: first
      rules:
        - {id: V1, when: finding != 'nothing', then: Refused}
        - {id: V2, otherwise: Granted}
  tools:
    readTrip: {kind: lookup, description: Reads it., takes: [number], returns: [blocked, weight, wait]}
  procedure:
    start: judge
    steps:
      judge: {title: Judge, call: readTrip, decide: [finding, verdict], edges: [{to: done}]}
      done: {title: Close, end: {}}
"""


def test_a_question_turns_on_what_the_deciding_rules_read_themselves() -> None:
    ours, theirs = (read_domain(MODEL.replace("LIMIT", n), "trips.yaml") for n in ("14", "15"))

    [question] = compare_readings(ours, theirs, match_models(ours, theirs)).questions

    assert [fact.label for fact in question.case if fact.is_key] == ["wait"]
    assert {fact.label for fact in question.case} == {"blocked", "weight", "wait"}
    assert "decisions.finding.F3" in question.first.items
    assert "decisions.verdict.V1" not in question.first.items
