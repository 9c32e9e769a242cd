from __future__ import annotations

import pytest

from sopforge.domain.expressions import (
    AllOf,
    AnyOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Contains,
    DaysBetween,
    Expression,
    Not,
    OneOf,
    Operation,
    Presence,
    Read,
    Relation,
    Rescale,
    Size,
)
from sopforge.domain.parsing import (
    MAXIMUM_DEPTH,
    MAXIMUM_LENGTH,
    ExpressionError,
    Scope,
    parse_condition,
    parse_value,
)
from sopforge.domain.types import (
    BOOLEAN,
    DateType,
    EnumType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)

AGE = NumberType(0, 100)
PRICE = NumberType(-10_00, 500_00, places=2)
RISK = EnumType(("low", "high", "très haut"))
COLOUR = EnumType(("red", "blue"))
EXTRAS = SetType(("Gift", "Card"), "nothing")
DAY = DateType(739617, 739706)  # 2026-01-01 to 2026-03-31
FEBRUARY = Constant(DateType(739648, 739648), 739648)  # 2026-02-01
LIMIT = Constant(NumberType(18, 18, unit="years"), 18, "adult_age")
FEE = Constant(NumberType(25, 25, 1, "USD"), 25, "fee")

SCOPE = Scope(
    fields={
        "age": AGE,
        "price": PRICE,
        "risk": RISK,
        "colour": COLOUR,
        "extras": EXTRAS,
        "start": DAY,
        "end": DAY,
        "name": TextType("A"),
        "is_open": BOOLEAN,
        "is_new": BOOLEAN,
    },
    constants={"adult_age": LIMIT, "fee": FEE},
    optional=frozenset({"end", "name"}),
)

age, price, risk = Read(AGE, "age"), Read(PRICE, "price"), Read(RISK, "risk")
start, end = Read(DAY, "start"), Read(DAY, "end")
is_open, is_new = Read(BOOLEAN, "is_open"), Read(BOOLEAN, "is_new")
extras = Read(EXTRAS, "extras")


def number(value: int, places: int = 0) -> Constant:
    return Constant(NumberType(value, value, places), value)


def condition(text: str) -> Expression:
    return parse_condition(text, SCOPE)


def compared(text: str) -> Compare:
    """Return the condition, which is a comparison."""
    tree = condition(text)
    assert isinstance(tree, Compare)
    return tree


def number_type(text: str) -> NumberType:
    """Return the type of a number, read as the left side of a comparison with itself."""
    kind = compared(f"{text} == age").left.type
    assert isinstance(kind, NumberType)
    return kind


def refusal(text: str) -> ExpressionError:
    with pytest.raises(ExpressionError) as caught:
        condition(text)
    return caught.value


# Operators and functions


@pytest.mark.parametrize("relation", list(Relation))
def test_each_comparison_is_read(relation: Relation) -> None:
    assert condition(f"age {relation} 18") == Compare(relation, age, number(18))


@pytest.mark.parametrize(
    ("written", "kept"),
    [("==", "=="), ("!=", "!="), ("<", ">"), ("<=", ">="), (">", "<"), (">=", "<=")],
    ids=["equal", "unequal", "less", "at most", "more", "at least"],
)
def test_a_constant_on_the_left_is_mirrored(written: str, kept: str) -> None:
    assert condition(f"18 {written} age") == Compare(Relation(kept), age, number(18))


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("is_open", is_open),
        ("not is_open", Not(is_open)),
        ("is_open and is_new", AllOf((is_open, is_new))),
        ("is_open or is_new", AnyOf((is_open, is_new))),
        ("present(end)", Presence("end")),
        ("present(name)", Presence("name")),
        ("risk == 'high'", Compare(Relation.EQ, risk, Constant(RISK, 1))),
        ("'high' != risk", Compare(Relation.NE, risk, Constant(RISK, 1))),
        ("risk == risk", Compare(Relation.EQ, risk, risk)),
        ("risk in ['high', 'low']", OneOf(risk, (Constant(RISK, 1), Constant(RISK, 0)))),
        ("risk in ('low',)", OneOf(risk, (Constant(RISK, 0),))),
        ("risk not in ['low']", Not(OneOf(risk, (Constant(RISK, 0),)))),
        ("'Card' in extras", Contains(extras, "Card", 1)),
        ("'Card' not in extras", Not(Contains(extras, "Card", 1))),
        ("start < end", Compare(Relation.LT, start, end)),
        ("start < '2026-02-01'", Compare(Relation.LT, start, FEBRUARY)),
        ("'2026-02-01' < start", Compare(Relation.GT, start, FEBRUARY)),
        ("count(extras) > 1", Compare(Relation.GT, Size(NumberType(0, 2), extras), number(1))),
    ],
)
def test_a_condition_becomes_its_tree(text: str, tree: Expression) -> None:
    assert condition(text) == tree


def test_days_between_two_dates_have_bounds() -> None:
    # From 31 March back to 1 January are -89 days, the other way round 89.
    expected = DaysBetween(NumberType(-89, 89, unit="days"), start, end)
    assert compared("days_between(start, end) > 3").left == expected


def test_days_between_takes_a_quoted_date() -> None:
    left = compared("days_between('2026-02-01', end) > 3").left
    assert left == DaysBetween(NumberType(-31, 58, unit="days"), FEBRUARY, end)


def test_a_chain_holds_where_each_pair_holds() -> None:
    lower = Compare(Relation.GE, age, number(18))
    assert condition("18 <= age < 65") == AllOf((lower, Compare(Relation.LT, age, number(65))))


@pytest.mark.parametrize(
    ("text", "value"),
    [("-5", -5), ("--5", 5), ("- 5", -5)],
    ids=["negative", "twice", "with a blank"],
)
def test_a_signed_number_is_a_constant(text: str, value: int) -> None:
    assert compared(f"age > {text}").right == number(value)


def test_a_signed_field_is_subtracted_from_zero() -> None:
    kind = NumberType(-100, 0)
    zero = Constant(NumberType(0, 0), 0)
    assert compared("-age > -5").left == Arithmetic(kind, Operation.SUBTRACT, zero, age)


def test_a_choice_takes_the_condition_between_its_values() -> None:
    tree = Choice(NumberType(0, 100), is_open, number(4), age)
    assert compared("(4 if is_open else age) > 1").left == tree


# Precedence


@pytest.mark.parametrize(
    ("bare", "bracketed"),
    [
        ("is_open or is_new and is_open", "is_open or (is_new and is_open)"),
        ("not is_open and is_new", "(not is_open) and is_new"),
        ("not age > 3", "not (age > 3)"),
        ("age + 2 * age > 3", "(age + (2 * age)) > 3"),
        ("age - 1 - 1 > 3", "((age - 1) - 1) > 3"),
        ("-age + 1 > 3", "((-age) + 1) > 3"),
    ],
)
def test_operators_bind_as_in_python(bare: str, bracketed: str) -> None:
    assert condition(bare) == condition(bracketed)


def test_a_choice_binds_last() -> None:
    found = refusal("age > 3 if is_open else 4")
    assert str(found) == "a number is needed here, found a yes/no value"


def test_brackets_are_kept_in_the_tree() -> None:
    added = Arithmetic(NumberType(1, 101), Operation.ADD, age, number(1))
    tree = Arithmetic(NumberType(2, 202), Operation.MULTIPLY, number(2), added)
    assert compared("2 * (age + 1) > 3").left == tree


# Places


def test_a_number_is_brought_to_the_places_of_its_neighbour() -> None:
    assert condition("price > 3") == Compare(Relation.GT, price, number(300, 2))


def test_a_field_is_brought_to_the_places_of_its_neighbour() -> None:
    scaled = Rescale(NumberType(0, 1000, 1), age, 1)
    assert condition("age > 0.5") == Compare(Relation.GT, scaled, number(5, 1))


def test_both_sides_keep_equal_places() -> None:
    assert condition("price > 3.25") == Compare(Relation.GT, price, number(325, 2))


def test_terms_of_a_sum_are_brought_to_one_scale() -> None:
    scaled = Rescale(NumberType(0, 10_000, 2), age, 2)
    tree = Arithmetic(NumberType(-10_00, 600_00, 2), Operation.ADD, scaled, price)
    assert compared("age + price > 0.00").left == tree


def test_factors_add_their_places() -> None:
    half = number(5, 1)
    tree = Arithmetic(NumberType(-5_000, 250_000, 3), Operation.MULTIPLY, price, half)
    assert compared("price * 0.5 > 0.000").left == tree


def test_values_of_a_choice_are_brought_to_one_scale() -> None:
    tree = Choice(NumberType(-10_00, 500_00, 2), is_open, number(100, 2), price)
    assert compared("(1 if is_open else price) > 0.00").left == tree


# Policy constants


def test_a_policy_constant_keeps_its_name() -> None:
    assert condition("age >= adult_age") == Compare(Relation.GE, age, LIMIT)


def test_a_rescaled_policy_constant_keeps_its_name_and_unit() -> None:
    scaled = Constant(NumberType(250, 250, 2, "USD"), 250, "fee")
    assert condition("price > fee") == Compare(Relation.GT, price, scaled)


def test_a_field_comes_before_a_constant_of_its_name() -> None:
    scope = Scope(fields={"fee": AGE}, constants={"fee": FEE})
    assert parse_condition("fee > 1", scope) == Compare(Relation.GT, Read(AGE, "fee"), number(1))


# Bounds


@pytest.mark.parametrize(
    ("text", "low", "high", "places"),
    [
        ("(age + 1)", 1, 101, 0),
        ("(age - 1)", -1, 99, 0),
        ("(1 - age)", -99, 1, 0),
        ("(age - age)", -100, 100, 0),
        ("(age * -2)", -200, 0, 0),
        ("(price * price)", -50_000_000, 2_500_000_000, 4),
        ("(-price)", -500_00, 10_00, 2),
        ("count(extras)", 0, 2, 0),
        ("(3 if is_open else -age)", -100, 3, 0),
    ],
)
def test_bounds_follow_the_operands(text: str, low: int, high: int, places: int) -> None:
    kind = number_type(text)
    assert (kind.minimum, kind.maximum, kind.places) == (low, high, places)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("age > 4611686018427387904", 7),
        ("age > 99999999999999999999999999999999999999999999", 7),
        ("age > 5000000000000000.000001 * 1.000001", 7),
        (" * ".join(["age"] * 10) + " > 1", 1),
    ],
    ids=["2^62", "far over", "product of constants", "product of fields"],
)
def test_what_could_pass_two_to_the_62_is_refused(text: str, column: int) -> None:
    found = refusal(text)
    assert (found.code, str(found), found.column) == (
        "interval-too-large",
        "the value can pass 2^62",
        column,
    )


def test_the_largest_number_is_read() -> None:
    assert compared("age < 4611686018427387903").right == number(4611686018427387903)


# Names and labels that do not exist


@pytest.mark.parametrize(
    ("text", "code", "message", "column", "hint"),
    [
        (
            "is_open and aeg > 1",
            "unknown-field",
            "no field or policy constant 'aeg'",
            13,
            "did you mean 'age'?",
        ),
        (
            "adlt_age > 1",
            "unknown-field",
            "no field or policy constant 'adlt_age'",
            1,
            "did you mean 'adult_age'?",
        ),
        (
            "zzz > 1",
            "unknown-field",
            "no field or policy constant 'zzz'",
            1,
            f"known are {', '.join([*SCOPE.fields, *SCOPE.constants])}",
        ),
        (
            "is_open == true",
            "unknown-field",
            "no field or policy constant 'true'",
            12,
            "write a yes/no field alone, or with 'not' before it",
        ),
        (
            "risk == 'hihg'",
            "unknown-value",
            "'hihg' is not one of: low, high, très haut",
            9,
            "did you mean 'high'?",
        ),
        (
            "risk in ['low', 'hihg']",
            "unknown-value",
            "'hihg' is not one of: low, high, très haut",
            17,
            "did you mean 'high'?",
        ),
        (
            "'Gitf' in extras",
            "unknown-value",
            "'Gitf' is not one of: Gift, Card",
            1,
            "did you mean 'Gift'?",
        ),
        (
            "start > '2026-02-30'",
            "unknown-value",
            "'2026-02-30' is not a date; dates look like 2026-03-31",
            9,
            "",
        ),
        (
            "len(extras) > 1",
            "unknown-function",
            "no function 'len'",
            1,
            "functions are present, count, days_between",
        ),
        (
            "count(x=extras) > 1",
            "unknown-function",
            "no function 'count'",
            1,
            "functions are present, count, days_between",
        ),
        (
            "age > 1 or __import__('os')",
            "unknown-function",
            "no function '__import__'",
            12,
            "functions are present, count, days_between",
        ),
        (
            "name.upper() == 'A'",
            "unknown-function",
            "no function 'name.upper'",
            1,
            "functions are present, count, days_between",
        ),
    ],
    ids=[
        "field",
        "constant",
        "nothing near",
        "true",
        "label",
        "label of a list",
        "member",
        "date",
        "function",
        "keyword",
        "import",
        "method",
    ],
)
def test_an_unknown_name_is_told_with_what_there_is(
    text: str, code: str, message: str, column: int, hint: str
) -> None:
    found = refusal(text)
    assert (found.code, str(found), found.column, found.hint) == (code, message, column, hint)


# Types that do not fit


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("age", "a condition is needed here, found a number", 1),
        ("'x'", "a condition is needed here, found text", 1),
        ("is_open and age", "a condition is needed here, found a number", 13),
        ("not risk", "a condition is needed here, found a label", 5),
        ("age > 'x'", "'x' is text, but a number is needed", 7),
        ("age > risk", "cannot compare a number with a label", 1),
        ("is_open and start > age", "cannot compare a date with a number", 13),
        ("extras == extras", "cannot compare a set with a set", 1),
        ("name == name", "cannot compare text with text", 1),
        ("name == 'Ann'", "a text field cannot be compared", 9),
        ("risk == colour", "cannot compare fields with different labels", 1),
        ("risk < 'high'", "labels have no order; compare them with == or !=", 1),
        ("is_open == is_new", "cannot compare a yes/no value with a yes/no value", 1),
        ("is_open == 'yes'", "'yes' is text, but a yes/no value is needed", 12),
        ("is_open == True", "the literal True is not allowed", 12),
        ("risk == None", "the literal None is not allowed", 9),
        ("risk == b'low'", "the literal b'low' is not allowed", 9),
        ("'low' == 'high'", "one side of a comparison must be a field", 1),
        ("age is 5", "compare with == != < <= > >= or in", 8),
        ("age / 2 > 1", "of the arithmetic operators, + - and * are allowed", 1),
        ("age ** 2 > 1", "of the arithmetic operators, + - and * are allowed", 1),
        ("+age > 1", "this sign is not allowed", 1),
        ("age + risk > 1", "a number is needed here, found a label", 7),
        ("(1 if is_open else 'x') > 1", "a number is needed here, found text", 20),
        ("(1 if age else 2) > 1", "a condition is needed here, found a number", 7),
        ("is_open and age in [1, 2]", "'in [...]' needs an enum field and at least one label", 13),
        ("risk in []", "'in [...]' needs an enum field and at least one label", 1),
        ("risk in ['low', 1]", "'in [...]' lists quoted labels", 17),
        ("risk in [adult_age]", "'in [...]' lists quoted labels", 10),
        ("'low' in ['low']", "a field must stand before 'in [...]'", 1),
        ("'low' in risk", "a set field or a list in brackets must stand after 'in'", 10),
        ("risk in extras", "a quoted label must stand before 'in'", 1),
        ("count(age) > 1", "count(...) takes a set field", 7),
        ("count(extras, extras) > 1", "count(...) takes 1 argument(s), found 2", 1),
        ("days_between(start) > 1", "days_between(...) takes 2 argument(s), found 1", 1),
        ("days_between(start, age) > 1", "a date is needed here, found a number", 21),
        ("present(age)", "'age' is never missing; it declares no missing word", 1),
        ("present(fee)", "present(...) takes the name of a field", 1),
        ("age > 1e3", "write 1e3 as digits with at most 6 decimal places", 7),
        ("age > 0x1F", "write 0x1F as digits with at most 6 decimal places", 7),
        ("age > 1_000", "write 1_000 as digits with at most 6 decimal places", 7),
        ("age > 0.1234567", "write 0.1234567 as digits with at most 6 decimal places", 7),
    ],
)
def test_a_type_that_does_not_fit_is_told_at_its_column(
    text: str, message: str, column: int
) -> None:
    found = refusal(text)
    assert (found.code, str(found), found.column) == ("type-error", message, column)


@pytest.mark.parametrize(
    "text",
    ["is_open == 'yes'", "is_open == True", "is_open != is_new", "age > is_open"],
)
def test_a_compared_boolean_is_told_how_to_stand(text: str) -> None:
    assert refusal(text).hint == "write a yes/no field alone, or with 'not' before it"


def test_a_compared_text_is_told_to_be_an_enum() -> None:
    assert refusal("name == 'Ann'").hint == "declare the field as an enum to compare it"


def test_a_column_counts_letters_not_bytes() -> None:
    assert refusal("risk == 'très haut' and aeg > 1").column == 25


def test_a_number_after_an_accent_is_read() -> None:
    tree = condition("risk == 'très haut' and age > 18")
    assert tree == AllOf((compared("risk == 'très haut'"), compared("age > 18")))


def test_blanks_around_an_expression_are_ignored() -> None:
    assert condition("  age > 18\n") == compared("age > 18")


def test_lines_are_joined() -> None:
    assert condition("age > 18\n  and price > 1.25") == condition("age > 18 and price > 1.25")


# Syntax

ALLOWED = (
    "allowed: names, numbers, quoted labels, and or not, == != < <= > >= in, + - *, a if b else c"
)


@pytest.mark.parametrize(
    ("text", "part", "column"),
    [
        ("age.real > 1", "age.real", 1),
        ("is_open and (lambda: 1) > 1", "lambda: 1", 14),
        ("f'{age}' == 'x'", "f'{age}'", 1),
        ("(x := 3) > 1", "x := 3", 2),
        ("[age] == 1", "[age]", 1),
        ("{'a': 1} == 1", "{'a': 1}", 1),
        ("[a for a in extras] == 1", "[a for a in extras]", 1),
        ("extras[0] == 1", "extras[0]", 1),
        ("await age", "await age", 1),
        ("count(*extras) > 1", "*extras", 7),
    ],
    ids=[
        "attribute",
        "lambda",
        "f-string",
        "walrus",
        "list",
        "dict",
        "comprehension",
        "subscript",
        "await",
        "star",
    ],
)
def test_other_python_is_not_allowed(text: str, part: str, column: int) -> None:
    found = refusal(text)
    message = f"'{part}' is not allowed in an expression"
    assert (found.code, str(found), found.column, found.hint) == (
        "not-allowed",
        message,
        column,
        ALLOWED,
    )


@pytest.mark.parametrize(
    ("text", "column"),
    [("age >", 6), ("age = 5", 5), ("is_open and", 12), ("", 1), ("age age", 5), ("(age > 1", 1)],
    ids=["no right side", "single equals", "no operand", "empty", "no operator", "open bracket"],
)
def test_a_syntax_error_has_its_column(text: str, column: int) -> None:
    found = refusal(text)
    assert (found.code, found.column, found.hint) == ("syntax-error", column, ALLOWED)


@pytest.mark.parametrize("text", ["\x00", "age > 1\x00", "\ud800"], ids=["null", "end", "half"])
def test_a_text_that_is_no_source_is_a_syntax_error(text: str) -> None:
    assert refusal(text).code == "syntax-error"


def test_a_comment_is_refused_for_it_would_hide_a_condition() -> None:
    found = refusal("age > 18  # adults\n and is_open")
    assert (found.code, str(found), found.column) == (
        "not-allowed",
        "a comment would hide what follows it",
        11,
    )


def test_a_hash_in_a_label_is_no_comment() -> None:
    scope = Scope(fields={"unit": EnumType(("#1", "#2"))}, constants={})
    tree = parse_condition("(unit == '#2')", scope)
    assert isinstance(tree, Compare)
    assert tree.right == Constant(EnumType(("#1", "#2")), 1)


# Size


def test_a_long_expression_is_refused() -> None:
    found = refusal("age > 1" + " " * MAXIMUM_LENGTH)
    assert (found.code, str(found)) == (
        "expression-too-long",
        "the expression has 4007 characters; at most 4000",
    )


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + "age" + ")" * 10_000 + " > 1",
        "not " * 5_000 + "is_open",
        "-" * 5_000 + "age > 1",
    ],
    ids=["brackets", "not", "signs"],
)
def test_thousands_of_levels_are_too_long(text: str) -> None:
    assert refusal(text).code == "expression-too-long"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(" * 1_900 + "age" + ")" * 1_900 + " > 1", "syntax-error"),
        ("-" * 3_900 + "age > 1", "syntax-error"),
        ("not " * 900 + "is_open", "expression-too-deep"),
        ("-" * 400 + "age > 1", "expression-too-deep"),
        ("+".join(["age"] * 900) + " > 1", "expression-too-deep"),
        ("lambda:" * 400 + "1", "expression-too-deep"),
        ("1 if is_open else " * 150 + "1", "expression-too-deep"),
        ("age." + ".".join("a" * 900), "expression-too-deep"),
    ],
    ids=["brackets", "signs", "not", "fewer signs", "sum", "lambda", "choices", "attributes"],
)
def test_a_deep_expression_is_refused(text: str, code: str) -> None:
    assert refusal(text).code == code


def test_many_conditions_beside_each_other_are_not_deep() -> None:
    tree = condition(" and ".join(["is_open"] * 300))
    assert tree == AllOf((is_open,) * 300)


def test_a_sum_just_within_the_depth_is_read() -> None:
    # Each further term is one level, around the sum stand the comparison and its operator.
    text = "+".join(["age"] * (MAXIMUM_DEPTH - 2)) + " > 1"
    assert compared(text).left.type == NumberType(0, 9_800)


# Values


@pytest.mark.parametrize(
    ("text", "target", "tree"),
    [
        ("5", AGE, number(5)),
        ("-1.5", PRICE, number(-150, 2)),
        ("age", PRICE, Rescale(NumberType(0, 10_000, 2), age, 2)),
        ("adult_age", AGE, LIMIT),
        ("'high'", RISK, Constant(RISK, 1)),
        ("risk", RISK, risk),
        ("age > 1", BOOLEAN, Compare(Relation.GT, age, number(1))),
        ("start", DAY, start),
    ],
)
def test_a_value_has_the_type_of_its_target(text: str, target: ValueType, tree: Expression) -> None:
    assert parse_value(text, SCOPE, target) == tree


@pytest.mark.parametrize(
    ("text", "target", "code", "message"),
    [
        ("price", AGE, "type-error", "the value has more than 0 decimal places"),
        ("age", RISK, "type-error", "a label is needed, found a number"),
        ("risk", COLOUR, "type-error", "cannot use the labels of another field"),
        ("start", AGE, "type-error", "a number is needed, found a date"),
        ("name", NumberType(0, 1), "type-error", "a number is needed, found text"),
        ("age", BOOLEAN, "type-error", "a condition is needed here, found a number"),
        (
            "age + 1",
            AGE,
            "out-of-range",
            "the value can be 1 to 101, but 0 to 100 is declared",
        ),
        (
            "price * 2",
            PRICE,
            "out-of-range",
            "the value can be -20.00 to 1000.00, but -10.00 to 500.00 is declared",
        ),
        ("700", PRICE, "out-of-range", "the value can be 700.00, but -10.00 to 500.00 is declared"),
    ],
)
def test_a_value_that_does_not_fit_its_target_is_refused(
    text: str, target: ValueType, code: str, message: str
) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_value(text, SCOPE, target)
    assert (caught.value.code, str(caught.value)) == (code, message)
