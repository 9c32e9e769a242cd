"""What people write from habit gets a message that says what to write."""

from __future__ import annotations

import pytest

from sopforge.language.domain.expressions.slips import find_slip
from sopforge.language.domain.parsing import ExpressionError, Scope, parse_condition
from sopforge.language.domain.values.types import (
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
YES_NO = "write the yes/no field by itself, or with 'not' before it"
COMPARE = "compare a field with it: status == 'A', or status in ['A', 'B']"
DATES = "to subtract numbers, put blanks around the -"
CLOCK = (
    "declare the current day as an input field, or as a constant under 'policy'; no rule knows it"
)
OPEN = "close it; if YAML cut the text at a comma, put the whole value in double quotes"
BETWEEN = "write: low <= field <= high"
NUMBER = "write only the number, or write 'and' between two conditions"
LABELS = "write a set field, or labels: ['A', 'B']"
COMMA = "write 'and' or 'or' between conditions, and write numbers as 1000"

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
    ("age = 5", 5, "'=' is not a comparison", "write == to compare"),
    ("status = 'Active'", 8, "'=' is not a comparison", "write == to compare"),
    ("age === 5", 5, "'===' is not allowed here", "write == for equal, or != for not equal"),
    ("age => 5", 5, "'=>' is not allowed here", "write >= for at least"),
    ("age ≥ 5", 5, "'≥' is not allowed here", "write >= for at least"),
    ("age =< 5", 5, "'=<' is not allowed here", "write <= for at most"),
    ("age <> 5", 5, "'<>' is not allowed here", "write != for not equal"),
    ("age > 5 && consent", 9, "'&&' is not allowed here", "write 'and'"),
    ("age > 5 || consent", 9, "'||' is not allowed here", "write 'or'"),
    ("!consent", 1, "'!' is not allowed here", "write 'not'"),
    ("age > 5 AND consent", 9, "'AND' is not allowed here", "write 'and' in lowercase"),
    ("Not consent", 1, "'Not' is not allowed here", "write 'not' in lowercase"),
    ("status == “Active”", 11, "“ does not quote a label", "write straight quotes: 'Active'"),
    (
        "status == 'Active",
        11,
        "the quote ' is not closed",
        "write a quote before and after each label",
    ),
    ("status not 'Active'", 8, "'not' is not a comparison", "write != for not equal"),
    (
        "status is 'Active'",
        11,
        "'is' is not a comparison here",
        "write == for equal, or != for not equal",
    ),
    ("consent is True", 12, "'is' is not a comparison here", YES_NO),
    ("consent == True", 12, "the literal True is not allowed", YES_NO),
    ("consent == yes", 12, "there is no field or policy constant 'yes'", YES_NO),
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
    ("seen_on present", 9, "'present' is not allowed here", "write present(field)"),
    (
        "status == Active",
        11,
        "there is no field or policy constant 'Active'",
        "write labels in quotes: 'Active'",
    ),
    (
        "status == Activ",
        11,
        "there is no field or policy constant 'Activ'",
        "write labels in quotes; did you mean 'Active'?",
    ),
    ("status == 'Active' or 'Closed'", 23, "expected a condition here, found text", COMPARE),
    ("extras == 'Gift'", 11, "'Gift' is text, but a set is needed", "write: 'Gift' in field"),
    (
        "status in extras",
        1,
        "the field before 'in' and the set have different labels",
        "give both fields the same values, in the same order; or ask: 'A' in field",
    ),
    (
        "wanted in extras",
        1,
        "expected a quoted label or an enum field before 'in'",
        "write wanted <= extras to test every member",
    ),
    (
        "age in extras",
        1,
        "expected a quoted label or an enum field before 'in'",
        "test each label: 'A' in field",
    ),
    (
        "extras in ['Gift', 'Card']",
        1,
        "'in [...]' needs an enum or text field and at least one label",
        "write field <= ['A', 'B'] to test that every member of the set is listed",
    ),
    (
        "wanted == extras",
        1,
        "sets can be compared with <= and >=, but not with ==",
        "write a <= b and b <= a",
    ),
    (
        "wanted < extras",
        1,
        "sets can be compared with <= and >=, but not with <",
        "write a <= b to test that b has every member of a",
    ),
    (
        "extras <= papers",
        11,
        "cannot combine sets with different labels",
        "give both fields the same values, in the same order",
    ),
    ("extras <= gift", 11, "expected a set here, found a label", LABELS),
    ("extras <= 5", 11, "expected a set here, found a number", LABELS),
    (
        "extras <= []",
        11,
        "the brackets contain no labels",
        "write count(extras) == 0",
    ),
    (
        "extras <= [gift]",
        12,
        "a set in brackets needs quoted labels",
        "put each label into quotes: ['A', 'B']",
    ),
    (
        "extras <= ['Gft']",
        12,
        "'Gft' is not one of: Gift, Card",
        "did you mean 'Gift'?",
    ),
    ("extras contains 'Gift'", 8, "'contains' is not allowed here", "write: 'label' in field"),
    ("age between 1 and 5", 5, "'between' is not allowed here", BETWEEN),
    ("age > 5 years", 7, "'5 years' is not allowed here", NUMBER),
    (
        "age > 10%",
        7,
        "'10%' is not allowed here",
        "write only the number, for example 10 for 10 percent",
    ),
    ("age > 007", 7, "'007' is not allowed here", "remove the zeros before the number"),
    ("age > 1,000", 1, "'age > 1,000' is not allowed in an expression", COMMA),
    ("consent, age > 5", 1, "'consent, age > 5' is not allowed in an expression", COMMA),
    ("seen_on < today", 11, "there is no field or policy constant 'today'", CLOCK),
    ("seen_on < today()", 11, "there is no function 'today'", CLOCK),
    ("seen on > '2026-01-01'", 1, "'seen on' is not read as one name", "write seen_on"),
    ("seen-on > '2026-01-01'", 1, "'seen-on' is not read as one name", "write seen_on"),
    ("person.age > 1", 1, "'person.age' is not allowed in an expression", "write only age"),
    (
        "status in 'Active'",
        11,
        "expected a set field or a list in brackets after 'in'",
        "write kind == 'A', kind in ['A', 'B'], 'A' in extras, or kind in extras",
    ),
    ("len(extras) > 1", 1, "there is no function 'len'", "write count(...)"),
    ("(age > 1", 1, "there is no closing bracket for '('", OPEN),
    ("age > 1)", 8, "')' has no opening bracket", "remove it, or add ("),
    ("age >", 6, "something is missing after '>'", "add what it compares or joins"),
    ("consent and", 12, "something is missing after 'and'", "add what it compares or joins"),
    ("5 if consent", 3, "'if' has no 'else'", "write: a if condition else b"),
    ("age > 1 ? 2", 9, "'?' is not allowed here", "write: a if condition else b"),
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
