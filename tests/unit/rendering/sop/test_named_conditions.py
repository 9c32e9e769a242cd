"""Conditions that the brief names: defined once, used by their name, and read back from both."""

from __future__ import annotations

import pytest

from sopforge.briefs.brief_files import load_brief
from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.documents.schema import SopForm
from sopforge.domain.language.numbers import make_number_constant
from sopforge.domain.reading import read_brief
from sopforge.errors import SopForgeError
from sopforge.logic.variants.changed_models import with_constant
from sopforge.rendering.sop.document import Line
from sopforge.rendering.sop.sop import render_sop
from tests.conftest import BRIEFS
from tests.worlds.edited_sops import list_edit_errors
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
LINES = render_sop(MODEL, "", (), None).lines
HELD = "The item was held too long if the delay is more than 10 days."
KNOWN = "The reader is well known if the day of the loan is before 2026-03-01 and the delay is"
BOTH = "The loan needs the librarian if the item was held too long and there are more than"


def read_errors(*edits: tuple[str, str]) -> list[str]:
    return list_edit_errors(MODEL, LINES, *edits)


def find_text(lines: tuple[Line, ...], words: str) -> list[str]:
    return [line.text for line in lines if words in line.text]


def test_each_is_defined_once_by_those_before_it() -> None:
    assert find_text(LINES, HELD) == [HELD]
    assert len(find_text(LINES, KNOWN)) == 1
    assert len(find_text(LINES, BOTH)) == 1
    assert find_text(LINES, "The desk is tired of it if there are exactly 5 renewals.")


def test_rules_name_it_and_its_opposite() -> None:
    fee = next(n for n, line in enumerate(LINES) if line.text.startswith("12.50 EUR if any"))
    assert [line.text for line in LINES[fee + 1 : fee + 5]] == [
        "the loan needs the librarian (see section 4);",
        "there are more than 7 renewals;",
        "the desk is tired of it (see section 4);",
        "the reader is not well known (see section 4).",
    ]


def test_a_pointer_to_a_definition_may_be_left_out_but_not_lead_elsewhere() -> None:
    pointer = "the desk is tired of it (see section 4);"

    assert read_errors((pointer, "the desk is tired of it;")) == []
    assert read_errors((pointer, "the desk is tired of it (see section 5);"))


def test_what_is_no_clause_is_spelled_out() -> None:
    assert not find_text(LINES, "renewals without end")


def test_all_of_it_is_read_back() -> None:
    assert list(read_back_findings(MODEL, LINES)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
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
    ],
)
def test_a_fault_in_a_definition_or_a_use_is_found(old: str, new: str) -> None:
    assert read_errors((old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("the delay is more than 10 days.", "the delay exceeds 10 days."),
        ("The item was held too long if", "The item has been held too long if"),
    ],
)
def test_other_words_of_one_meaning_are_read(old: str, new: str) -> None:
    assert read_errors((old, new)) == []


def test_a_definition_of_an_own_name_counts_where_rules_use_it() -> None:
    """Who edits a text may call a condition something else, in all places."""
    other = "the item is long overdue"
    named = [
        (HELD, HELD.replace("The item was held too long", "The item is long overdue")),
        ("if the item was held too long and", f"if {other} and"),
    ]
    assert read_errors(*named) == []
    assert read_errors(named[0], ("the loan needs the librarian (", f"{other} ("))


def test_a_definition_that_no_rule_uses_is_found() -> None:
    assert read_errors((HELD, f"{HELD}\n- The item is lost if the delay is more than 8 days."))


@pytest.mark.parametrize("form", ["instruction"])
def test_a_text_without_definitions_spells_conditions_out(form: SopForm) -> None:
    lines = render_sop(MODEL, "", (), None, form=form).lines
    assert not find_text(lines, "held too long")
    assert list(read_back_findings(MODEL, lines)) == []


def test_two_with_one_clause_are_spelled_out() -> None:
    twice = TEXT.replace("the reader is well known", "the item was held too long")
    assert not find_text(
        render_sop(read_brief(twice, "fees.yaml").model, "", (), None).lines, "held too long"
    )


def test_a_clause_with_a_meaning_of_its_own_is_no_name() -> None:
    other = TEXT.replace("the item was held too long", "the delay is long")
    assert find_text(render_sop(read_brief(other, "f").model, "", (), None).lines, "is long if")
    words = "the number of renewals is exactly 5"
    other = TEXT.replace("the item was held too long", words)
    assert not find_text(
        render_sop(read_brief(other, "f").model, "", (), None).lines, f"{words} if"
    )


def test_a_clause_that_is_none_is_a_fault() -> None:
    bad = TEXT.replace("no: the desk has patience", "no: The desk")
    with pytest.raises(SopForgeError, match="not a plain clause"):
        read_brief(bad, "fees.yaml")


def test_another_limit_of_a_named_condition_is_said_by_the_same_name() -> None:
    limited = TEXT.replace("{is: days_late > 10,", "{is: days_late > grace_days,")
    model = read_brief(limited, "fees.yaml").model
    other = with_constant(model, "grace_days", make_number_constant(6))

    assert find_text(render_sop(model, "", (), None).lines, "held too long if the delay is more th")
    said = find_text(render_sop(other, "", (), None).lines, "The item was held too long if")
    assert said == ["The item was held too long if the delay is more than 6 days."]


def test_shipped_briefs_load() -> None:
    assert load_brief(BRIEFS / "referral_abuse.yaml").model.predicates == {}
