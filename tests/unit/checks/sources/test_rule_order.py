# ruff: noqa: E501 - a brief is easier to read with an item on each line
"""Rules in another order than the brief's words give them: found where both apply, and only there."""

from __future__ import annotations

import pytest

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.sources.brief_and_model import CHECK
from sopforge.domain.reading import read_brief
from sopforge.findings import Finding
from sopforge.workspace import DOMAIN, Workspace

BRIEF = """
format: 1
domain: kennel
title: Places in a Kennel
business_task: Decide on requests for a place.
task_context: |
  Clerks look requests up in the list.

  ## Checks

  ORDER

  1. A dog without a vaccination is refused.
  2. A dog of more than 40 kg is put on the list.
  3. LAST
  4. Any other dog gets a place.

  ## Price

  1. Members pay 12 EUR a day.
  2. In winter it is 9 EUR a day.
  3. Otherwise it is 15 EUR. CHOICE
remarks:
  sources:
    - {says: A dog without a vaccination is refused, items: [decisions.verdict.R1]}
    - {says: A dog of more than 40 kg is put on the list, items: [policy.heavy, decisions.verdict.R2]}
    - {says: "LAST", items: [decisions.verdict.R3]}
    - {says: Any other dog gets a place, items: [decisions.verdict.R4]}
    - {says: Members pay 12 EUR a day, items: [decisions.price.P1]}
    - {says: In winter it is 9 EUR a day, items: [decisions.price.P2]}
    - {says: "Otherwise it is 15 EUR. CHOICE", items: [decisions.price.P3]}
  set_aside:
    - {says: "ORDER", because: heading}
model:
  policy:
    heavy: {value: 40, unit: kg, meaning: heaviest dog}
  entities:
    request:
      key: request_id
      fields:
        request_id: {role: input, type: string, pattern: "R[0-9]{6}", unique: true, description: number}
        weight: {role: observed, type: integer, min: 1, max: 90, unit: kg, description: weight of the dog}
        vaccination: {role: observed, type: boolean, description: vaccination}
        bites: {role: observed, type: boolean, description: whether it bites}
        member: {role: observed, type: boolean, description: whether the owner is a member}
        winter: {role: observed, type: boolean, description: whether it is winter}
        verdict: {role: outcome, type: enum, values: [refused, list, place], primary: true, description: what is decided}
        price: {role: outcome, type: integer, min: 0, max: 20, unit: EUR, description: price a day}
  decisions:
    verdict:
      hit: first
      rules:
        - {id: R1, when: not vaccination, then: refused}
        - {id: R2, when: weight > heavy, then: list}
        - {id: R3, when: bites, then: refused}
        - {id: R4, otherwise: place}
    price:
      hit: first
      rules:
        - {id: P1, when: member, then: 12}
        - {id: P2, when: winter, then: 9}
        - {id: P3, otherwise: 15}
  tools:
    list: {kind: lookup, description: The list, takes: [request_id], returns: [weight, vaccination, bites, member, winter]}
  procedure:
    start: look
    steps:
      look: {title: Look the request up, call: list, decide: [verdict, price], edges: [{to: close}]}
      close: {title: Close the case, end: {}}
dataset: {n_samples: 20, seed: 1}
complexity: {levels: [L0]}
"""
R2 = "        - {id: R2, when: weight > heavy, then: list}\n"
R3 = "        - {id: R3, when: bites, then: refused}\n"
FIRST = "The first point that applies counts."
IN_TURN = "Each point is looked at."
BITES = "A dog that bites is refused."
PLAIN = "Prices are in the list."


def find(order: str, *, last: str = BITES, choice: str = PLAIN, model: str = "") -> list[Finding]:
    """Return the rules that are tried too early; ``model`` exchanges R2 and R3, or P1 and P2."""
    text = BRIEF.replace("ORDER", order).replace("LAST", last).replace("CHOICE", choice)
    if model == "verdict":
        text = text.replace(R2 + R3, R3 + R2)
    if model == "price":
        text = text.replace("when: member, then: 12", "when: winter, then: 9", 1).replace(
            "id: P2, when: winter, then: 9", "id: P2, when: member, then: 12"
        )
        text = text.replace("decisions.price.P1", "X").replace("decisions.price.P2", "Y")
        text = text.replace("[X]", "[decisions.price.P2]").replace("[Y]", "[decisions.price.P1]")
    brief = read_brief(text, "kennel.yaml")
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    return [item for item in CHECK.examine(workspace) if item.id == "rule-tried-too-early"]


@pytest.mark.parametrize(
    "order",
    [
        FIRST,
        "Checks are made in this order.",
        "First hit counts.",
        "Stop at the first that applies.",
        "The first check that gives a result ends the matter.",
    ],
)
def test_a_rule_before_one_that_the_text_has_first_is_found(order: str) -> None:
    [found] = find(order, model="verdict")
    assert "'decisions.verdict.R3' and 'decisions.verdict.R2'" in found.message
    assert "weight 41 kg" in found.message
    assert not find(order)


def test_where_no_words_say_that_the_first_counts_either_order_is_right() -> None:
    assert not find(IN_TURN, model="verdict")
    assert not find(
        "Go through all of them, do not stop at the first that applies.", model="verdict"
    )


def test_an_order_holds_in_its_own_section_alone() -> None:
    assert not find(FIRST, model="price")
    assert find("The first point that applies counts, in all sections.", model="price")


def test_an_exception_may_be_tried_before_what_it_excepts_from() -> None:
    assert not find(FIRST, last="A dog that bites is refused whatever its weight.", model="verdict")


def test_rules_that_never_meet_may_stand_in_any_order() -> None:
    apart = BRIEF.replace("when: bites, then", "when: bites and weight < 10, then")
    text = apart.replace(R2, "").replace("        - {id: R4,", f"{R2}        - {{id: R4,")
    text = text.replace("ORDER", FIRST).replace("LAST", BITES).replace("CHOICE", PLAIN)
    brief = read_brief(text, "kennel.yaml")
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    assert not [item for item in CHECK.examine(workspace) if item.id == "rule-tried-too-early"]


def test_a_rule_that_holds_for_all_counts_before_the_others() -> None:
    all_dogs = "A dog that bites is refused, no matter what it weighs."
    [found] = find(IN_TURN, last=all_dogs)
    assert "by the brief ('no matter what it weighs') R3 takes precedence" in found.message
    assert not find(IN_TURN, last=all_dogs, model="verdict")


@pytest.mark.parametrize(
    ("choice", "right", "wrong"),
    [
        ("Who has both pays the higher one.", "", "price"),
        ("The lower of the two counts.", "price", ""),
    ],
)
def test_the_larger_or_the_smaller_of_two_results_is_tried_first(
    choice: str, right: str, wrong: str
) -> None:
    assert find(IN_TURN, choice=choice, model=wrong)
    assert not find(IN_TURN, choice=choice, model=right)


@pytest.mark.parametrize(
    "order",
    [
        "Should you find a ground to refuse and a ground to wait in one case, refuse.",
        "Any ground to refuse beats the waiting list.",
    ],
)
def test_what_wins_is_known_by_one_word_of_its_label(order: str) -> None:
    text = BRIEF.replace("[refused, list, place]", "[refused, waiting list, place]")
    text = text.replace("then: list", "then: waiting list").replace("LAST", BITES)
    text = text.replace("CHOICE", PLAIN)
    assert _find_in(text.replace("ORDER", order))
    assert not _find_in(text.replace("ORDER", IN_TURN))
    waits = R2.replace("list", "waiting list")
    turned = text.replace(waits + R3, R3 + waits)
    assert not _find_in(turned.replace("ORDER", order))


EDGES = """
      look:
        title: Look the request up
        call: list
        decide: [price]
        edges:
          - {when: FIRST, to: FIRST_END}
          - {when: SECOND, to: SECOND_END}
          - {to: close}
      wait: {title: Put it on the list, end: {verdict: list}}
      refuse: {title: Refuse it, end: {verdict: refused}}
      close: {title: Give it a place, end: {verdict: place}}
"""


@pytest.mark.parametrize(("is_turned", "is_found"), [(False, False), (True, True)])
def test_edges_are_tried_in_the_order_in_which_their_results_win(
    is_turned: bool,  # noqa: FBT001 - a case of the table
    is_found: bool,  # noqa: FBT001 - a case of the table
) -> None:
    one, other = ("weight > heavy", "wait"), ("not vaccination", "refuse")
    pairs = (one, other) if is_turned else (other, one)
    numbers = {when: place for place, (when, _) in enumerate(pairs, start=1)}
    edges = EDGES
    for word, (when, end) in zip(("FIRST", "SECOND"), pairs, strict=True):
        edges = edges.replace(f"{word}_END", end).replace(f"when: {word}", f"when: {when}")
    start, stop = BRIEF.index("    verdict:\n      hit"), BRIEF.index("    price:\n      hit")
    text = BRIEF[:start] + BRIEF[stop:]
    start, stop = text.index("      look: {title"), text.index("dataset:")
    text = text[:start] + edges.lstrip("\n") + text[stop:]
    text = text.replace("decisions.verdict.R1", f"steps.look.{numbers[other[0]]}")
    text = text.replace("decisions.verdict.R2", f"steps.look.{numbers[one[0]]}")
    text = text.replace("decisions.verdict.R3", "steps.refuse").replace(
        "decisions.verdict.R4", "steps.look.3"
    )
    order = "A dog with grounds to be refused and for the list is refused."
    text = text.replace("ORDER", order).replace("LAST", BITES).replace("CHOICE", PLAIN)
    found = _find_in(text)
    assert bool(found) is is_found
    assert not found or "edge 2 takes precedence, but edge 1 comes first" in found[0].message


def _find_in(text: str) -> list[Finding]:
    brief = read_brief(text, "kennel.yaml")
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    return [item for item in CHECK.examine(workspace) if item.id == "rule-tried-too-early"]
