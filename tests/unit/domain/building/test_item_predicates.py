"""Predicates that take an item of a list."""

from __future__ import annotations

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.schema.unused_fields import CHECK
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.workspace import DOMAIN, Workspace
from tests.unit.domain.minimal_brief import SOURCE, fault_of, read_model, replaced

RULE = "when: age <= return_days, then: full"
LIST = (
    "parts: {type: list, role: observed, size: 3, empty: no part, description: parts, items: {"
    "cost: {type: integer, min: 0, max: 9, description: c},"
    " broken: {type: boolean, description: b}}}"
)
DEAR = "dear: {takes: [part], is: part.cost > 5 and not part.broken}"
CHEAP = "cheap: {takes: [part, most], is: not dear(part) and part.cost < most}"


def changes(when: str, *predicates: str) -> tuple[tuple[str, str], ...]:
    """Return the changes of the brief for a list of parts, some predicates and a condition."""
    lines = "".join(f"    {line}\n" for line in predicates)
    parts = [("  constraints:\n", f"  predicates:\n{lines}  constraints:\n")] if lines else []
    return (
        *parts,
        (RULE, f'when: "{when}", then: full'),
        ("        age: {role", f"        {LIST}\n        age: {{role"),
    )


def read(when: str, *predicates: str) -> DomainModel:
    """Return the model with a condition that is about a list of parts."""
    return read_model(*changes(when, *predicates))


@pytest.mark.parametrize(
    ("named", "plain"),
    [
        ("count(i for i in parts if dear(i)) > 1", "count(i for i in parts if {dear}) > 1"),
        (
            "any(dear(i) and i.cost < 8 for i in parts)",
            "any(({dear}) and i.cost < 8 for i in parts)",
        ),
        (
            "sum(i.cost for i in parts if cheap(i, 4)) > 3",
            "sum(i.cost for i in parts if not ({dear}) and i.cost < 4) > 3",
        ),
        ("all(not dear(i) for i in parts)", "all(not ({dear}) for i in parts)"),
    ],
)
def test_a_predicate_of_an_item_is_what_it_stands_for(named: str, plain: str) -> None:
    model = read(named, DEAR, CHEAP)
    written_out = plain.replace("{dear}", "i.cost > 5 and not i.broken")
    assert model.decisions == read(written_out).decisions


def test_what_is_asked_of_items_is_used_and_has_no_truth_in_the_row() -> None:
    """Whatever evaluates predicates on a row never meets a condition on an item."""
    model = read("count(i for i in parts if cheap(i, 4)) > 1", DEAR, CHEAP)
    for name in ("dear", "cheap"):
        assert model.predicates[name].is_of_items
        assert not model.predicates[name].uses


def test_one_predicate_serves_fields_and_items() -> None:
    above = "above: {takes: [most, part], is: part.cost > most}"
    model = read("any(above(age, i) for i in parts) or any(above(3, i) for i in parts)", above)
    plain = read("any(i.cost > age for i in parts) or any(i.cost > 3 for i in parts)")
    assert model.decisions == plain.decisions


@pytest.mark.parametrize(
    ("when", "message", "hint"),
    [
        (
            "dear(parts)",
            "'parts' is not something that a predicate can take",
            (
                "pass a field, a path such as payer.owner, a policy constant, a number, or the item"
                " of a list"
            ),
        ),
        (
            "any(wide(i) for i in parts)",
            "in the predicate 'wide': items of 'parts' have no field 'width'",
            "items have the fields part.cost, part.broken",
        ),
        (
            "any(bare(i) for i in parts)",
            "in the predicate 'bare': 'part' is an item; compare one of its fields instead",
            "items have the fields part.cost, part.broken",
        ),
    ],
)
def test_what_is_no_item_is_refused(when: str, message: str, hint: str) -> None:
    wide = "wide: {takes: [part], is: part.width > 5}"
    bare = "bare: {takes: [part], is: part}"
    fault = fault_of(*changes(when, DEAR, wide, bare))
    assert fault.message.startswith(f"{message} (at column")
    assert fault.hint == hint


def test_only_a_predicate_that_nothing_asks_is_noticed() -> None:
    brief = read_brief(replaced(*changes("any(dear(i) for i in parts)", DEAR, CHEAP)), SOURCE)
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    found = [item.where for item in CHECK.examine(workspace) if item.id == "predicate-not-used"]
    assert found == ["predicates.cheap"]
