# ruff: noqa: E501 - a brief is easier to read with an item on each line
"""What the brief says of missing values holds in the model."""

from __future__ import annotations

import pytest

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.sources.brief_and_model import CHECK
from sopforge.domain.reading import read_brief
from sopforge.workspace import DOMAIN, Workspace

BRIEF = """
format: 1
domain: grain
title: Acceptance of Grain
business_task: Decide on loads of grain.
task_context: |
  Clerks look loads up in the book.

  SAID
remarks:
  sources:
    - {says: "SAID", items: [CITED]}
  assumptions:
    - {says: The rest is as the clerk sees fit., items: [REST]}
model:
  policy: {dry: {value: 15, unit: "%", meaning: moisture up to which a load is dry}}
  entities:
    load:
      key: load_id
      fields:
        load_id: {role: input, type: string, pattern: "L[0-9]{6}", unique: true, description: number}
        moisture: {label: moisture reading, role: observed, type: integer, min: 0, max: 40, unit: "%", missing: not measured, description: moisture}
        verdict: {role: outcome, type: enum, values: [stored, dried, held], primary: true, description: what is decided}
  decisions:
    verdict:
      hit: first
      rules:
        - {id: V1, when: "FIRST", then: held}
        - {id: V2, when: "SECOND", then: stored}
        - {id: V3, otherwise: dried}
  tools:
    book: {kind: lookup, description: The book, takes: [load_id], returns: [moisture]}
  procedure:
    start: look
    steps:
      look: {title: Look the load up, call: book, decide: [verdict], edges: [{to: close}]}
      close: {title: Close the case, end: {}}
dataset: {n_samples: 20, seed: 1}
complexity: {levels: [L0]}
"""
WITHOUT = "not present(moisture)"
DRY = "present(moisture) and moisture <= dry"


def find(said: str, first: str, second: str, cited: str) -> bool:
    """Return whether the sentence, cited by a rule of a table, is found to differ from it."""
    names = ["policy.dry", *(f"decisions.verdict.V{number}" for number in (1, 2, 3))]
    rest = ", ".join(name for name in names if name not in cited.split(", "))
    text = BRIEF.replace("SAID", said).replace("CITED", cited).replace("REST", rest)
    text = text.replace("FIRST", first).replace("SECOND", second)
    brief = read_brief(text, "grain.yaml")
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    return "absence-differs" in {item.id for item in CHECK.examine(workspace)}


@pytest.mark.parametrize(
    "said",
    [
        "Where there is no moisture reading, the load is held.",
        "A load without a moisture reading is held.",
        "If the moisture reading is missing, the load is held.",
        "Loads whose moisture reading was not recorded are held.",
        "A load without a moisture reading, which means no test, is held.",
    ],
)
def test_what_holds_where_a_value_is_missing_is_the_rule_that_is_cited(said: str) -> None:
    cited = "decisions.verdict.V1"
    assert find(said, "present(moisture) and moisture > dry", DRY, cited)
    assert not find(said, WITHOUT, "moisture <= dry", cited)
    either = "not present(moisture) or moisture > dry + 10"
    assert not find(said, either, "moisture <= dry", cited)


def test_a_field_that_is_cited_beside_a_rule_does_not_hold_in_its_place() -> None:
    said = "A load without a moisture reading is held."
    cited = "decisions.verdict.V1, fields.moisture"
    assert find(said, "present(moisture) and moisture > dry", DRY, cited)
    assert not find(said, WITHOUT, "moisture <= dry", cited)


def test_an_earlier_rule_may_take_what_is_missing_away() -> None:
    said = "A load without a moisture reading is stored."
    cited = "decisions.verdict.V2"
    assert find(said, WITHOUT, "not present(moisture) or moisture <= dry", cited)
    first = "present(moisture) and moisture > 30"
    assert not find(said, first, "not present(moisture) or moisture <= dry", cited)


@pytest.mark.parametrize(
    "said",
    [
        "A load is stored unless there is no moisture reading.",
        "A load without a moisture reading is not stored.",
        "A load is stored no later than its moisture reading allows.",
    ],
)
def test_what_is_denied_or_excepted_is_left_alone(said: str) -> None:
    assert not find(said, WITHOUT, "moisture <= dry", "decisions.verdict.V2")


def test_only_if_asks_for_a_value() -> None:
    said = "A load is stored only if the moisture reading is low."
    cited = "decisions.verdict.V2"
    first = "present(moisture) and moisture > 30"
    assert find(said, first, "not present(moisture) or moisture <= dry", cited)
    assert not find(said, WITHOUT, "moisture <= dry", cited)


def test_only_if_leaves_open_what_the_brief_says_elsewhere() -> None:
    said = (
        "A load is stored only if the moisture reading is low. No moisture reading counts as low."
    )
    first = "present(moisture) and moisture > 30"
    held = "not present(moisture) or moisture <= dry"
    assert not find(said, first, held, "decisions.verdict.V2")
