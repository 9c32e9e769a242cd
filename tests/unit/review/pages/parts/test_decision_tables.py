"""A decision stands as a table: a column for each field, a row for each rule, the rule hit lit."""

from __future__ import annotations

import pytest

from review.pages.parts.decision_tables import (
    NOTHING,
    CaseFacts,
    Cell,
    DecisionTable,
    build_decision_table,
    build_decision_tables,
    phrase_without_field,
)
from sopforge.language.domain.parsing import parse_condition, parse_value
from sopforge.language.domain.rules import HitPolicy, Rule, Table
from sopforge.language.domain.values.types import EnumType
from tests.worlds.small_models import claims, parcel, scope_of

RESULTS = EnumType(("plain", "careful"))


def table(*conditions: str | None, known: CaseFacts = NOTHING) -> DecisionTable:
    """Return the care of a parcel as a table with these rules."""
    model = parcel()
    scope = scope_of(model)
    rules = [
        Rule(
            f"R{place}",
            parse_condition(condition, scope) if condition else None,
            parse_value("'careful'", scope, RESULTS),
        )
        for place, condition in enumerate(conditions, start=1)
    ]
    return build_decision_table(model, Table("care", HitPolicy.FIRST, tuple(rules), ""), known)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("weight > 5.00", "more than 5 kg"),
        ("weight >= free_weight", "at least 5 kg"),
        ("5 > weight", "less than 5 kg"),
        ("service == 'Night'", '"Night"'),
        ("service != 'Night'", 'not "Night"'),
        ("service in ['Night', 'Express']", '"Night" or "Express"'),
        ("service not in ['Night', 'Express']", 'neither "Night" nor "Express"'),
        ("'Glass' in contents", "has “Glass”"),
        ("contents <= ['Glass', 'Books']", 'has nothing besides "Books" and "Glass"'),
        ("not contents <= ['Glass']", 'has something besides "Glass"'),
        ("'Glass' not in contents", "has no “Glass”"),
        ("fragile", "yes"),
        ("not fragile", "no"),
        ("sent_on < '2026-02-01'", "before 2026-02-01"),
        ("sent_on >= '2026-02-01'", "on or after 2026-02-01"),
        ("present(due_on)", "is there"),
        ("not present(due_on)", "is missing"),
        ("weight < 1 or weight > 9", "less than 1 kg, or more than 9 kg"),
        ("weight * 2 > 5", None),
        ("sent_on > due_on", None),
    ],
)
def test_a_condition_is_phrased_without_its_field(condition: str, words: str | None) -> None:
    assert phrase_without_field(parse_condition(condition, scope_of(parcel()))) == words


def test_conjunctions_fill_the_columns_of_their_fields() -> None:
    made = table("fragile and weight > 5", "weight > 2 and weight < 4", None)

    assert [column.label for column in made.columns] == ["fragile", "weight"]
    assert [[cell.words for cell in row.cells] for row in made.rows] == [
        ["yes", "more than 5 kg"],
        ["", "more than 2 kg and less than 4 kg"],
        [],
    ]
    assert made.rows[2].sentence == "in every other case"
    assert made.rows[0].result == '"careful"'


def test_what_is_no_conjunction_is_a_sentence_among_rows_of_cells() -> None:
    made = table("fragile or 'Glass' in contents", "fragile and weight > 5")

    assert made.rows[0].cells == ()
    assert "or the contents include" in made.rows[0].sentence
    assert made.rows[1].sentence == ""


def test_a_condition_on_two_fields_stands_beside_those_on_one() -> None:
    made = table("fragile and present(due_on) and sent_on > due_on")

    assert [column.label for column in made.columns] == ["fragile", "due date", "and also"]
    assert made.rows[0].cells[2].words == "the day of dispatch is after the due date"


def test_many_fields_are_shown_as_sentences() -> None:
    all_of_them = (
        "fragile and weight > 5 and service == 'Night' and present(due_on) and 'Glass' in contents"
        " and sent_on < '2026-02-01' and not fragile and colour == 'Brown'"
    )

    assert table(all_of_them).columns == ()
    assert table(all_of_them).rows[0].sentence


def test_a_case_lights_its_rule_and_says_which_conditions_it_meets() -> None:
    values = {"fragile": 1, "weight": 450, "care": 1}
    made = table("fragile and weight > 5", "fragile", known=CaseFacts(values, {"care": ("R2",)}))

    assert [row.is_hit for row in made.rows] == [False, True]
    assert made.rows[0].cells == (Cell("yes", True), Cell("more than 5 kg", False))  # noqa: FBT003
    assert made.rows[1].cells[1] == Cell("")
    assert [column.value for column in made.columns] == ["yes", "4.50"]
    assert made.came_to == "careful"


def test_what_a_case_does_not_know_is_neither_met_nor_not() -> None:
    values = {"fragile": 1, "due_on": None}
    made = table("weight > 5", "present(due_on)", known=CaseFacts(values))

    assert made.rows[0].cells[0].met is None
    assert made.rows[1].cells[1].met is False


def test_the_hit_policy_is_described_in_words() -> None:
    described = {item.name: item.policy for item in build_decision_tables(claims())}
    policies = {
        name: decision.hit
        for name, decision in claims().decisions.items()
        if isinstance(decision, Table)
    }

    assert {HitPolicy.COLLECT, HitPolicy.ANY} <= set(policies.values())
    for name, hit in policies.items():
        assert ("added up" in described[name]) == (hit is HitPolicy.COLLECT)
        assert ("have the same result" in described[name]) == (hit is HitPolicy.ANY)


def test_a_formula_is_a_sentence_with_what_it_comes_to() -> None:
    model = parcel()
    known = CaseFacts({"surcharge": 15_000})
    made = build_decision_table(model, model.decisions["surcharge"], known)

    assert made.is_formula
    assert made.came_to == "1.5000"
    assert "the weight" in made.rows[0].result
    assert made.rows[0].is_hit
    assert not build_decision_table(model, model.decisions["surcharge"], NOTHING).rows[0].is_hit
