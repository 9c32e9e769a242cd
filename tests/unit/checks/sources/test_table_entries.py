# ruff: noqa: E501 - a brief is easier to read with an item on each line
"""Look-ups by two labels, entry by entry, against a table of the brief."""

from __future__ import annotations

import pytest

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.sources.brief_and_model import CHECK
from sopforge.domain.reading import read_brief
from sopforge.findings import Finding
from sopforge.workspace import DOMAIN, Workspace

BRIEF = """
format: 1
domain: timber
title: Prices of Timber
business_task: Say what a load of timber costs.
task_context: |
  Graders look the load up in the yard book.

  | Species | sound | stained | rotten |
  | --- | --- | --- | --- |
  | Pine | 98 EUR | 82 EUR | 55 EUR |
  | Larch | 168 EUR | 138 EUR | 74 EUR |
  | Spruce | 124 EUR | 104 EUR | 62 EUR |

  A load above 20 tonnes goes to the buyer, any other is taken.
remarks:
  sources:
    - {says: A load above 20 tonnes goes to the buyer, items: [policy.heavy, decisions.taker.T1]}
    - {says: any other is taken, items: [decisions.taker.T2]}
    - {says: Pine | 98 EUR | 82 EUR | 55 EUR, items: [decisions.price]}
    - {says: Larch | 168 EUR | 138 EUR | 74 EUR, items: [decisions.price]}
    - {says: Spruce | 124 EUR | 104 EUR | 62 EUR, items: [decisions.price]}
model:
  policy:
    heavy: {value: 20, unit: t, meaning: heaviest load}
  entities:
    load:
      key: load_id
      fields:
        load_id: {role: input, type: string, pattern: "L[0-9]{6}", unique: true, description: number}
        species: {role: observed, type: enum, values: [Pine, Larch, Spruce], description: species}
        state: {role: observed, type: enum, values: [whole, blue, soft], description: state of the wood}
        weight: {role: observed, type: integer, min: 1, max: 40, unit: t, description: weight}
        taker: {role: outcome, type: enum, values: [buyer, taken], primary: true, description: who decides}
        price: {role: outcome, type: integer, min: 0, max: 200, unit: EUR, description: price}
  decisions:
    taker:
      hit: first
      rules:
        - {id: T1, when: weight > heavy, then: buyer}
        - {id: T2, otherwise: taken}
    price:
      table: [species, state]
      rows:
        Pine: {whole: 98, blue: 82, soft: 55}
        Larch: {whole: 168, blue: 138, soft: 74}
        Spruce: {whole: 124, blue: 104, soft: 62}
  tools:
    yardBook: {kind: lookup, description: The yard book, takes: [load_id], returns: [species, state, weight]}
  procedure:
    start: look
    steps:
      look: {title: Look the load up, call: yardBook, decide: [taker, price], edges: [{to: close}]}
      close: {title: Close the case, end: {}}
dataset: {n_samples: 20, seed: 1}
complexity: {levels: [L0]}
"""


def find(old: str, new: str) -> list[Finding]:
    text = BRIEF.replace(old, new)
    brief = read_brief(text, "timber.yaml")
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    return [item for item in CHECK.examine(workspace) if item.id == "entry-differs"]


def test_a_faithful_table_is_accepted() -> None:
    assert not find("", "")


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("blue: 138, soft: 74", "blue: 74, soft: 138", {"Larch, blue: 74", "Larch, soft: 138"}),
        ("Pine: {whole: 98,", "Pine: {whole: 168,", {"Pine, whole: 168"}),
    ],
)
def test_an_entry_of_another_column_or_row_is_found(old: str, new: str, found: set[str]) -> None:
    assert {item.message.rpartition(" contains ")[2] for item in find(old, new)} == found


LISTED = """
  A load above 20 tonnes goes to the buyer, any other is taken.
  It is kept ten days for Pine, eight for Larch or Spruce, and a day more in winter.
"""


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ("{Pine: 10, Larch: 8, Spruce: 8}", set()),
        ("{Pine: 10, Larch: 8, Spruce: 6}", {'"Spruce": 6'}),
        ("{Pine: 10, Larch: 6, Spruce: 6}", {'"Larch": 6', '"Spruce": 6'}),
    ],
)
def test_labels_side_by_side_have_the_figure_of_their_clause(rows: str, found: set[str]) -> None:
    first, text = BRIEF.index("  | Species"), BRIEF
    text = text[:first] + LISTED.lstrip("\n") + text[text.index("remarks:") :]
    start, stop = text.index("    - {says: Pine"), text.index("model:")
    said = "It is kept ten days for Pine, eight for Larch or Spruce, and a day more in winter."
    text = f"{text[:start]}    - {{says: '{said}', items: [decisions.price]}}\n{text[stop:]}"
    start, stop = text.index("      table: [species, state]"), text.index("  tools:")
    text = f"{text[:start]}      table: species\n      rows: {rows}\n{text[stop:]}"
    brief = read_brief(text, "timber.yaml")
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    differing = [item for item in CHECK.examine(workspace) if item.id == "entry-differs"]
    assert {item.message.rpartition(" contains ")[2] for item in differing} == found
