"""What people write from habit gets a message that says what to write."""

from __future__ import annotations

import re
from functools import partial

import pytest

from sopforge.language.domain.expressions.aggregates import AGGREGATES
from sopforge.language.domain.expressions.operators import FUNCTIONS, ROUNDINGS
from sopforge.language.domain.expressions.slips import INSTEAD, find_slip, hint_at_function
from sopforge.language.domain.parsing import Scope, parse_condition
from sopforge.language.domain.values.types import (
    BOOLEAN,
    DateType,
    EnumType,
    NumberType,
    SetType,
    TextType,
)
from tests.conftest import Golden
from tests.unit.domain.refusals import FAULTS, list_refused

SCOPE = Scope(
    fields={
        "age": NumberType(0, 100),
        "status": EnumType(("Active", "Closed")),
        "gift": EnumType(("Gift", "Card")),
        "consent": BOOLEAN,
        "extras": SetType(("Gift", "Card"), "nothing"),
        "wanted": SetType(("Gift", "Card"), "none"),
        "papers": SetType(("Card", "Gift"), "no papers"),
        "seen_on": DateType(736_000, 740_000),
        "code": TextType(pattern="R[0-9]{4}"),
    },
    constants={},
    optional=frozenset({"seen_on"}),
)
SLIPS = [
    "seen_on >= 2026-01-01",
    "seen_on >= 2026-10-11",
    "age = 5",
    "status = 'Active'",
    "age === 5",
    "age => 5",
    "age ≥ 5",
    "age =< 5",
    "age <> 5",
    "age > 5 && consent",
    "age > 5 || consent",
    "!consent",
    "age > 5 AND consent",
    "Not consent",
    "status == “Active”",
    "status == 'Active",
    "status not 'Active'",
    "status is 'Active'",
    "consent is True",
    "consent == True",
    "consent == yes",
    "seen_on is not None",
    "seen_on is None",
    "seen_on == null",
    "seen_on is present",
    "seen_on is not present",
    "seen_on present",
    "status == Active",
    "status == Activ",
    "status == 'Active' or 'Closed'",
    "extras == 'Gift'",
    "status in extras",
    "wanted in extras",
    "age in extras",
    "extras in ['Gift', 'Card']",
    "wanted == extras",
    "wanted < extras",
    "extras <= papers",
    "extras <= gift",
    "extras <= 5",
    "extras <= []",
    "extras <= [gift]",
    "extras <= ['Gft']",
    "extras contains 'Gift'",
    "age between 1 and 5",
    "age > 5 years",
    "age > 10%",
    "age > 007",
    "age > 1,000",
    "consent, age > 5",
    "seen_on < today",
    "seen_on < today()",
    "seen on > '2026-01-01'",
    "seen-on > '2026-01-01'",
    "person.age > 1",
    "status in 'Active'",
    "len(extras) > 1",
    "(age > 1",
    "age > 1)",
    "age >",
    "consent and",
    "5 if consent",
    "age > 1 ? 2",
    "age² > 1",
    "age mod 2 == 1",
    "age % 2 == 1",
    "age // 2 > 1",
    "age ^ 2 > 1",
]
OF_OTHERS = [
    *("median(age) > 1", "AVG(age) > 1", "MAX(age, 1) > 1", "rond(age, 1) > 1", "mod(age, 2) == 1"),
    *("sqrt(age) > 1", "code.startswith('R')", "coalesce(age, 1) > 1", "iff(consent, 1, 2) > 1"),
    *(
        "add_minutes(seen_on, 5) > seen_on",
        "hours_between(seen_on, seen_on) > 1",
        "year(seen_on) > 1",
    ),
    *("now() > seen_on", "between(age, 1, 5)", "and(consent, consent)", "shuffle(age) > 1"),
]


def test_a_function_of_another_language_is_reported_with_what_there_is(golden: Golden) -> None:
    refused = list_refused(OF_OTHERS, partial(parse_condition, scope=SCOPE))
    golden(FAULTS / "functions.txt", refused)


def test_what_is_named_instead_of_a_function_is_one() -> None:
    known = {*FUNCTIONS, *AGGREGATES, *ROUNDINGS, "present"}
    named = {
        name
        for names in INSTEAD.values()
        for name in names.split()
        for called in re.findall(r"\w+(?=\()", hint_at_function(name))
        if called not in known
    }
    assert not named
    assert not known & {name for names in INSTEAD.values() for name in names.split()}


def test_a_slip_is_reported_with_what_to_write(golden: Golden) -> None:
    golden(FAULTS / "slips.txt", list_refused(SLIPS, partial(parse_condition, scope=SCOPE)))


@pytest.mark.parametrize(
    "text",
    ["status == 'A && B = 2026-01-01'", 'note == "a || b"', "'between' in extras"],
)
def test_what_stands_in_quotes_is_no_slip(text: str) -> None:
    assert find_slip(text) is None


def test_numbers_with_blanks_between_are_subtracted() -> None:
    tree = parse_condition("age > 2026 - 10 - 11", SCOPE)
    assert tree.type == BOOLEAN
