# ruff: noqa: E501 - a brief is easier to read with an item on each line
"""What has to stand alone by the brief does so in the model, whichever form its author chose."""

from __future__ import annotations

import pytest

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.sources.brief_and_model import CHECK
from sopforge.domain.reading import read_brief
from sopforge.workspace import DOMAIN, Workspace

BRIEF = """
format: 1
domain: deliveries
title: Charges for Deliveries
business_task: Decide on charges for deliveries.
task_context: |
  Clerks look deliveries up in the book.

  SAID
remarks:
  sources:
    - {says: "SAID", items: [CITED]}
  assumptions:
    - {says: The rest is as the clerk sees fit., items: [REST]}
model:
  entities:
    delivery:
      key: delivery_id
      fields:
        delivery_id: {role: input, type: string, pattern: "D[0-9]{6}", unique: true, description: number}
        grounds: {role: observed, type: set, values: [lateness, damage, loss], empty: no reason, description: reasons to complain}
        weather: {role: observed, type: boolean, description: bad weather}
        member: {role: observed, type: boolean, description: membership}
        price: {label: price, role: observed, type: integer, min: 0, max: 90, unit: EUR, description: price}
        weight: {label: weight, role: observed, type: integer, min: 0, max: 90, unit: kg, description: weight}
        length: {label: length, role: observed, type: integer, min: 0, max: 90, unit: cm, description: length}
        height: {label: height, role: observed, type: integer, min: 0, max: 90, unit: cm, description: height}
        width: {label: width, role: observed, type: integer, min: 0, max: 90, unit: cm, description: width}
        verdict: {role: outcome, type: enum, values: [charged, free, referred], primary: true, description: what is decided}
  predicates:
    meant: {is: IS, description: what the passage means}
  decisions:
    verdict:
      hit: first
      rules: [RULES]
  tools:
    book: {kind: lookup, description: The book, takes: [delivery_id], returns: [grounds, weather, member, price, weight, length, height, width]}
  procedure:
    start: look
    steps:
      look: {title: Look the delivery up, call: book, decide: [verdict], edges: [{to: close}]}
      close: {title: Close the case, end: {}}
dataset: {n_samples: 20, seed: 1}
complexity: {levels: [L0]}
"""
MEANT = "{id: V1, when: meant, then: free}, {id: V2, otherwise: charged}"
V1, PREDICATE = "decisions.verdict.V1", "predicates.meant"


def find(said: str, condition: str, rules: str = MEANT, cited: str = PREDICATE) -> set[str]:
    """Return the findings of a brief with a sentence, and a predicate or a table that cites it."""
    count = rules.count("id: ")
    names = [f"decisions.verdict.V{number}" for number in range(1, count + 1)]
    rest = ", ".join(name for name in names if name not in cited.split(", "))
    text = BRIEF.replace("SAID", said).replace("CITED", cited).replace("REST", rest)
    text = text.replace("IS,", f'"{condition}",').replace("RULES", rules)
    brief = read_brief(text, "deliveries.yaml")
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    return {item.id for item in CHECK.examine(workspace)}


LATE = "It is free if lateness is the only reason to complain."


@pytest.mark.parametrize(
    ("condition", "is_found"),
    [
        pytest.param("'lateness' in grounds", True, id="one of several"),
        pytest.param("'lateness' in grounds and count(grounds) == 1", False, id="counted"),
        pytest.param(
            "'lateness' in grounds and not ('damage' in grounds or 'loss' in grounds)",
            False,
            id="others denied",
        ),
    ],
)
def test_a_label_that_stands_alone_is_the_only_one_of_its_set(
    condition: str, *, is_found: bool
) -> None:
    assert ("others-not-excluded" in find(LATE, condition)) is is_found
    plain = LATE.replace("the only reason", "a reason")
    assert "others-not-excluded" not in find(plain, condition)


def test_rules_that_are_tried_before_exclude_the_others() -> None:
    rules = (
        "{id: V1, when: \"'damage' in grounds or 'loss' in grounds\", then: charged},"
        " {id: V2, when: \"'lateness' in grounds\", then: free}, {id: V3, otherwise: charged}"
    )
    assert "others-not-excluded" not in find(LATE, "member", rules, "decisions.verdict.V2")
    alone = "{id: V1, when: \"'lateness' in grounds\", then: free}, {id: V2, otherwise: charged}"
    assert "others-not-excluded" in find(LATE, "member", alone, V1)


@pytest.mark.parametrize(
    ("condition", "is_found"),
    [
        pytest.param("weight > 20 and length <= 50 and width <= 40", True, id="three of four"),
        pytest.param(
            "weight > 20 and length <= 50 and width <= 40 and height <= 30", False, id="all four"
        ),
        pytest.param("weight > 20 and length <= 50 and width <= 40 and weather", False, id="a yes"),
        pytest.param("weight > 20", False, id="the others elsewhere"),
    ],
)
def test_as_many_facts_are_looked_at_as_are_counted(condition: str, *, is_found: bool) -> None:
    said = "It is referred if the weight is the only one of these four limits that it misses."
    assert ("others-not-excluded" in find(said, condition)) is is_found


@pytest.mark.parametrize(
    ("said", "first", "second", "is_found"),
    [
        pytest.param(
            "It is charged on account of the price alone.",
            "member",
            "weight > 20",
            False,
            id="what is enough alone",
        ),
        pytest.param(
            "No member is charged on account of the price alone.",
            "member",
            "weight > 20",
            True,
            id="an exemption before another ground",
        ),
        pytest.param(
            "No member is charged on account of the price alone.",
            "member",
            "price > 20",
            False,
            id="an exemption before its own ground",
        ),
        pytest.param(
            "No member is charged on account of the price alone.",
            "member and weight <= 20",
            "weight > 20",
            False,
            id="an exemption that excludes the other ground",
        ),
        pytest.param(
            "It is free if the weight is the only reason to charge.",
            "weight > 20",
            "height > 20",
            True,
            id="the only reason before another one",
        ),
        pytest.param(
            "It is free if the weight is the only reason to charge.",
            "weight > 20 and height <= 20",
            "height > 20",
            False,
            id="the only reason without the others",
        ),
    ],
)
def test_other_grounds_are_tried_before_what_stands_alone(
    said: str, first: str, second: str, *, is_found: bool
) -> None:
    rules = (
        f"{{id: V1, when: {first}, then: free}}, {{id: V2, when: {second}, then: charged}},"
        " {id: V3, otherwise: free}"
    )
    found = find(said, "weather", rules, f"{V1}, decisions.verdict.V2")
    assert ("rule-tried-too-early" in found) is is_found
