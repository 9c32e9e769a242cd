"""Conditions that the brief names: defined once, used by their name, and read back from both."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sopforge.artifacts.rendering.sop.document import Statement
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.errors import SopForgeError
from sopforge.language.domain.expressions.numbers import make_number_constant
from sopforge.language.domain.reading import read_brief
from sopforge.language.logic.variants.changed_models import with_constant
from tests.conftest import BRIEFS
from tests.worlds.edited_sops import derive, find_edited
from tests.worlds.small_models import changed

FEES = (BRIEFS.parent / "tests/briefs/fees.yaml").read_text(encoding="utf-8")
PREDICATES = """\
  predicates:
    held: {is: days_late > 10, description: the item was held too long}
    known: {is: "lent_on < '2026-03-01' and days_late >= 3", description: the reader is well known}
    both: {is: "held and renewals > 2", description: the loan needs the librarian}
    unsaid: {is: renewals > 7, description: renewals without end}
    spoken: {is: renewals == 5, said: {yes: the desk is tired of it, no: the desk has patience}}
  decisions:
"""
FIELDS = """\
        lent_on: {label: day of the loan, role: observed, type: date, min: 2026-01-01,
          max: 2026-12-31, description: day on which the item was lent}
        renewals: {label: number of renewals, role: observed, type: integer, min: 0, max: 9,
          unit: renewals, description: renewals of the loan}
"""
TEXT = changed(
    FEES,
    ("        lateness: {role", f"{FIELDS}        lateness: {{role"),
    ("  decisions:\n", PREDICATES),
    ("returns: [days_late]", "returns: [days_late, lent_on, renewals]"),
    ("when: days_late > 10,", 'when: "both or unsaid or spoken or not known",'),
)
MODEL = read_brief(TEXT, "fees.yaml").model
DERIVED = derive(MODEL)
STATEMENTS = DERIVED.document.statements
HELD = "The item was held too long if the delay is more than 10 days."
KNOWN = "The reader is well known if the day of the loan is before 2026-03-01 and the delay is"
BOTH = "The loan needs the librarian if the item was held too long and there are more than"


def find_text(statements: Iterable[Statement], words: str) -> list[str]:
    return [item.text for item in statements if words in item.text]


def test_each_is_defined_once_by_those_before_it() -> None:
    assert find_text(STATEMENTS, HELD) == [HELD]
    assert len(find_text(STATEMENTS, KNOWN)) == 1
    assert len(find_text(STATEMENTS, BOTH)) == 1
    assert find_text(STATEMENTS, "The desk is tired of it if there are exactly 5 renewals.")


def test_rules_name_it_and_its_opposite() -> None:
    fee = next(x for x in STATEMENTS if x.text.startswith("12.50 EUR if any"))

    assert [line.text for line in fee.lines[1:]] == [
        "the loan needs the librarian (see section 4);",
        "there are more than 7 renewals;",
        "the desk is tired of it (see section 4);",
        "the reader is not well known (see section 4).",
    ]


def test_what_is_no_clause_is_spelled_out() -> None:
    assert not find_text(STATEMENTS, "renewals without end")


FAULTS = [
    ("the delay is more than 10 days", "the delay is at least 10 days"),
    ("the delay is more than 10 days", "the delay is more than 11 days"),
    ("The item was held too long if", "The item was not held too long if"),
    ("if the delay is more than 10 days.", "unless the delay is more than 10 days."),
    ("is before 2026-03-01", "is after 2026-03-01"),
    ("is before 2026-03-01", "is on or before 2026-03-01"),
    ("before 2026-03-01 and the", "before 2026-03-01 or the"),
    ("if the item was held too long and", "if the item was not held too long and"),
    ("if the item was held too long and", "if the reader is well known and"),
    ("the loan needs the librarian (", "the loan does not need the librarian ("),
    ("the loan needs the librarian (", "the item was held too long ("),
    ("the reader is not well known (", "the reader is well known ("),
    ("the desk is tired of it (", "the desk has patience ("),
    (HELD, "The item was held too long."),
    (HELD, "Items are lent for a while."),
    ("The item was held too long if", "The item was held very long if"),
    (HELD, f"{HELD}\n- The item is lost if the delay is more than 8 days."),
]
ALIKE = [
    ("the delay is more than 10 days.", "the delay (days_late) is more than 10 days."),
    ("the desk is tired of it (see section 4);", "the desk is tired of it;"),
]


def test_a_fault_in_a_definition_or_a_use_is_found_and_other_words_are_none() -> None:
    assert [pair for pair in FAULTS if len(find_edited(DERIVED, pair)) != 1] == []
    assert [pair for pair in ALIKE if find_edited(DERIVED, pair)] == []


def test_a_text_without_definitions_spells_conditions_out() -> None:
    text = derive(MODEL, "instruction").document.as_text()

    assert "held too long" not in text
    assert "the delay is more than 10 days and there are more than 2 renewals" in text


def test_two_with_one_clause_are_spelled_out() -> None:
    twice = TEXT.replace("the reader is well known", "the item was held too long")

    assert "held too long" not in render_sop(read_brief(twice, "fees.yaml").model, "").as_text()


def test_a_clause_with_a_meaning_of_its_own_is_no_name() -> None:
    other = TEXT.replace("the item was held too long", "the delay is long")
    assert "is long if" in render_sop(read_brief(other, "f").model, "").as_text()
    words = "the number of renewals is exactly 5"
    other = TEXT.replace("the item was held too long", words)
    assert f"{words} if" not in render_sop(read_brief(other, "f").model, "").as_text()


def test_a_clause_that_is_none_is_a_fault() -> None:
    bad = TEXT.replace("no: the desk has patience", "no: The desk")
    with pytest.raises(SopForgeError, match="not a plain clause"):
        read_brief(bad, "fees.yaml")


def test_another_limit_of_a_named_condition_is_said_by_the_same_name() -> None:
    limited = TEXT.replace("{is: days_late > 10,", "{is: days_late > grace_days,")
    model = read_brief(limited, "fees.yaml").model
    other = with_constant(model, "grace_days", make_number_constant(6))

    said = find_text(render_sop(other, "").statements, "The item was held too long if")
    assert find_text(render_sop(model, "").statements, "held too long if the delay is more than 3")
    assert said == ["The item was held too long if the delay is more than 6 days."]
