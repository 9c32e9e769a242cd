"""What people write from habit gets a message that says what to write."""

from __future__ import annotations

import pytest

from sopforge.domain.language.slips import find_slip
from sopforge.domain.parsing import ExpressionError, Scope, parse_condition
from sopforge.domain.values.types import (
    BOOLEAN,
    DateType,
    EnumType,
    NumberType,
    SetType,
    TextType,
)

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
YES_NO = "write a yes/no field alone, or with 'not' before it"
COMPARE = "compare a field with it: status == 'A', or status in ['A', 'B']"
DATES = "dates stand in quotes in a condition; to subtract numbers, put blanks around the -"
CLOCK = "no rule knows the day; declare it as an input field, or as a constant under policy"
OPEN = "close it; if YAML cut the text at a comma, put the whole text into double quotes"
BETWEEN = "write: low <= field <= high"
NUMBER = "write the number alone; or 'and' between two conditions"
LABELS = "write a set field, or labels: ['A', 'B']"
COMMA = "write 'and' or 'or', and numbers as 1000"

SLIPS = [
    (
        "seen_on >= 2026-01-01",
        12,
        "the date 2026-01-01 is not in quotes and would be read as a subtraction",
        f"write '2026-01-01' in quotes; {DATES}",
    ),
    (
        "seen_on >= 2026-10-11",
        12,
        "the date 2026-10-11 is not in quotes and would be read as a subtraction",
        f"write '2026-10-11' in quotes; {DATES}",
    ),
    ("age = 5", 5, "'=' does not compare", "write == to compare"),
    ("status = 'Active'", 8, "'=' does not compare", "write == to compare"),
    ("age === 5", 5, "'===' cannot stand here", "write == for equal, != for not equal"),
    ("age => 5", 5, "'=>' cannot stand here", "write >= for at least"),
    ("age ≥ 5", 5, "'≥' cannot stand here", "write >= for at least"),
    ("age =< 5", 5, "'=<' cannot stand here", "write <= for at most"),
    ("age <> 5", 5, "'<>' cannot stand here", "write != for not equal"),
    ("age > 5 && consent", 9, "'&&' cannot stand here", "write 'and'"),
    ("age > 5 || consent", 9, "'||' cannot stand here", "write 'or'"),
    ("!consent", 1, "'!' cannot stand here", "write 'not'"),
    ("age > 5 AND consent", 9, "'AND' cannot stand here", "write it in small letters: and"),
    ("Not consent", 1, "'Not' cannot stand here", "write it in small letters: not"),
    ("status == “Active”", 11, "“ does not quote a label", "write straight quotes: 'Active'"),
    (
        "status == 'Active",
        11,
        "the quote ' is not closed",
        "write a quote before and after each label",
    ),
    ("status not 'Active'", 8, "'not' compares nothing", "write != for not equal"),
    (
        "status is 'Active'",
        11,
        "'is' is not a comparison here",
        "write == for equal, != for not equal",
    ),
    ("consent is True", 12, "'is' is not a comparison here", YES_NO),
    ("consent == True", 12, "the literal True is not allowed", YES_NO),
    ("consent == yes", 12, "no field or policy constant 'yes'", YES_NO),
    ("seen_on is not None", 16, "'None' cannot be compared", "write present(seen_on)"),
    ("seen_on is None", 12, "'None' cannot be compared", "write not present(seen_on)"),
    ("seen_on == null", 12, "'null' cannot be compared", "write not present(seen_on)"),
    ("seen_on is present", 12, "'present' cannot be compared", "write present(seen_on)"),
    (
        "seen_on is not present",
        16,
        "'present' cannot be compared",
        "write not present(seen_on)",
    ),
    ("seen_on present", 9, "'present' cannot stand here", "write present(field)"),
    (
        "status == Active",
        11,
        "no field or policy constant 'Active'",
        "write labels in quotes: 'Active'",
    ),
    (
        "status == Activ",
        11,
        "no field or policy constant 'Activ'",
        "write labels in quotes; did you mean 'Active'?",
    ),
    ("status == 'Active' or 'Closed'", 23, "a condition is needed here, found text", COMPARE),
    ("extras == 'Gift'", 11, "'Gift' is text, but a set is needed", "write: 'Gift' in field"),
    (
        "status in extras",
        1,
        "the labels of the field before 'in' are not those of the set",
        "give both fields the same values, in the same order; or ask: 'A' in field",
    ),
    (
        "wanted in extras",
        1,
        "a label, quoted or of an enum field, is needed before 'in'",
        "write wanted <= extras: all of it lies in",
    ),
    (
        "age in extras",
        1,
        "a label, quoted or of an enum field, is needed before 'in'",
        "ask for each: 'A' in field",
    ),
    (
        "extras in ['Gift', 'Card']",
        1,
        "'in [...]' needs an enum or text field and at least one label",
        "write field <= ['A', 'B']: all of the set lies in",
    ),
    (
        "wanted == extras",
        1,
        "sets are compared with <= and >=, not with ==",
        "write a <= b and b <= a",
    ),
    (
        "wanted < extras",
        1,
        "sets are compared with <= and >=, not with <",
        "write a <= b: all of a lies in b",
    ),
    (
        "extras <= papers",
        11,
        "cannot combine sets with different labels",
        "give both fields the same values, in the same order",
    ),
    ("extras <= gift", 11, "a set is needed here, found a label", LABELS),
    ("extras <= 5", 11, "a set is needed here, found a number", LABELS),
    (
        "extras <= []",
        11,
        "there are no labels in the brackets",
        "write count(extras) == 0",
    ),
    (
        "extras <= [gift]",
        12,
        "a set in brackets lists quoted labels",
        "quote each: ['A', 'B']",
    ),
    (
        "extras <= ['Gft']",
        12,
        "'Gft' is not one of: Gift, Card",
        "did you mean 'Gift'?",
    ),
    ("extras contains 'Gift'", 8, "'contains' cannot stand here", "write: 'label' in field"),
    ("age between 1 and 5", 5, "'between' cannot stand here", BETWEEN),
    ("age > 5 years", 7, "'5 years' cannot stand here", NUMBER),
    (
        "age > 10%",
        7,
        "'10%' cannot stand here",
        "write the number alone, such as 10 for 10 percent",
    ),
    ("age > 007", 7, "'007' cannot stand here", "write the number without zeros before it"),
    ("age > 1,000", 1, "'age > 1,000' is not allowed in an expression", COMMA),
    ("consent, age > 5", 1, "'consent, age > 5' is not allowed in an expression", COMMA),
    ("seen_on < today", 11, "no field or policy constant 'today'", CLOCK),
    ("seen_on < today()", 11, "no function 'today'", CLOCK),
    ("seen on > '2026-01-01'", 1, "'seen on' is not read as one name", "write seen_on"),
    ("seen-on > '2026-01-01'", 1, "'seen-on' is not read as one name", "write seen_on"),
    ("person.age > 1", 1, "'person.age' is not allowed in an expression", "write age alone"),
    (
        "status in 'Active'",
        11,
        "a set field or a list in brackets is needed after 'in'",
        "write kind == 'A', kind in ['A', 'B'], 'A' in extras, or kind in extras",
    ),
    ("len(extras) > 1", 1, "no function 'len'", "write count(...)"),
    ("(age > 1", 1, "'(' is not closed", OPEN),
    ("age > 1)", 8, "')' closes nothing", "drop it, or add ("),
    ("age >", 6, "something is missing after '>'", "write what it compares or joins"),
    ("consent and", 12, "something is missing after 'and'", "write what it compares or joins"),
    ("5 if consent", 3, "'if' lacks its 'else'", "write: a if condition else b"),
    ("age > 1 ? 2", 9, "'?' is not a choice here", "write: a if condition else b"),
]


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"), SLIPS, ids=[slip[0] for slip in SLIPS]
)
def test_a_slip_is_reported_with_what_to_write(
    text: str, column: int, message: str, hint: str
) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_condition(text, SCOPE)
    found = caught.value
    assert (found.column, str(found), found.hint) == (column, message, hint)


@pytest.mark.parametrize(
    "text",
    ["status == 'A && B = 2026-01-01'", 'note == "a || b"', "'between' in extras"],
)
def test_what_stands_in_quotes_is_no_slip(text: str) -> None:
    assert find_slip(text) is None


def test_numbers_with_blanks_between_are_subtracted() -> None:
    tree = parse_condition("age > 2026 - 10 - 11", SCOPE)
    assert tree.type == BOOLEAN
