from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.language.domain.expressions.expressions import (
    Absolute,
    AddDays,
    AddMonths,
    Aggregate,
    AggregateFunction,
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Contains,
    DateOf,
    Elapsed,
    Element,
    Expression,
    Extreme,
    Not,
    OneOf,
    Operation,
    Outermost,
    Presence,
    Quotient,
    Read,
    Relation,
    Rescale,
    Size,
    Span,
    Subset,
    Workdays,
)
from sopforge.language.domain.expressions.operators import Calendar
from sopforge.language.domain.parsing import ExpressionError, Scope, parse_condition, parse_value
from sopforge.language.domain.parsing.text import MAXIMUM_DEPTH, MAXIMUM_LENGTH
from sopforge.language.domain.values.types import (
    BOOLEAN,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)
from tests.conftest import Golden
from tests.unit.domain.refusals import FAULTS, list_refused

AGE = NumberType(0, 100)
PRICE = NumberType(-10_00, 500_00, places=2)
RISK = EnumType(("low", "high", "très haut"))
COLOUR = EnumType(("red", "blue"))
EXTRAS = SetType(("Gift", "Card"), "nothing")
WANTED = SetType(("Gift", "Card"), "no wish")
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
        "wanted": WANTED,
        "gift": EnumType(EXTRAS.values),
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
wanted = Read(WANTED, "wanted")
gift = Read(EnumType(EXTRAS.values), "gift")


def number(value: int, places: int = 0) -> Constant:
    return Constant(NumberType(value, value, places), value)


def condition(text: str) -> Expression:
    return parse_condition(text, SCOPE)


def compared(text: str) -> Compare:
    """Return the condition, which is a comparison."""
    tree = condition(text)
    assert isinstance(tree, Compare)
    return tree


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
        ("gift in extras", Among(gift, extras)),
        ("gift not in extras", Not(Among(gift, extras))),
        ("extras <= wanted", Subset(extras, wanted)),
        ("extras >= wanted", Subset(wanted, extras)),
        ("extras <= ['Card']", Subset(extras, Constant(EXTRAS, 2))),
        ("['Card'] >= extras", Subset(extras, Constant(EXTRAS, 2))),
        ("['Card'] <= extras", Contains(extras, "Card", 1)),
        (
            "extras >= ['Card', 'Gift', 'Card']",
            AllOf((Contains(extras, "Gift", 0), Contains(extras, "Card", 1))),
        ),
        ("start < end", Compare(Relation.LT, start, end)),
        ("start < '2026-02-01'", Compare(Relation.LT, start, FEBRUARY)),
        ("'2026-02-01' < start", Compare(Relation.GT, start, FEBRUARY)),
        ("count(extras) > 1", Compare(Relation.GT, Size(NumberType(0, 2), extras), number(1))),
    ],
)
def test_a_condition_becomes_its_tree(text: str, tree: Expression) -> None:
    assert condition(text) == tree


def test_days_between_two_dates_have_bounds() -> None:
    # From 31 March back to 1 January are -89 days, in the other direction 89.
    expected = Elapsed(NumberType(-89, 89, unit="days"), Span.DAYS, start, end)
    assert compared("days_between(start, end) > 3").left == expected


def test_days_between_takes_a_quoted_date() -> None:
    left = compared("days_between('2026-02-01', end) > 3").left
    assert left == Elapsed(NumberType(-31, 58, unit="days"), Span.DAYS, FEBRUARY, end)


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


def test_the_largest_number_is_read() -> None:
    assert compared("age < 4611686018427387903").right == number(4611686018427387903)


# Syntax


def test_a_number_after_an_accent_is_read() -> None:
    tree = condition("risk == 'très haut' and age > 18")
    assert tree == AllOf((compared("risk == 'très haut'"), compared("age > 18")))


def test_blanks_around_an_expression_are_ignored() -> None:
    assert condition("  age > 18\n") == compared("age > 18")


def test_lines_are_joined() -> None:
    assert condition("age > 18\n  and price > 1.25") == condition("age > 18 and price > 1.25")


def test_a_hash_in_a_label_is_no_comment() -> None:
    scope = Scope(fields={"unit": EnumType(("#1", "#2"))}, constants={})
    tree = parse_condition("(unit == '#2')", scope)
    assert isinstance(tree, Compare)
    assert tree.right == Constant(EnumType(("#1", "#2")), 1)


# Size


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("\x00", "syntax-error"),
        ("age > 1\x00", "syntax-error"),
        ("\ud800", "syntax-error"),
        ("age > 1" + " " * MAXIMUM_LENGTH, "expression-too-long"),
        ("(" * 10_000 + "age" + ")" * 10_000 + " > 1", "expression-too-long"),
        ("(" * 1_900 + "age" + ")" * 1_900 + " > 1", "syntax-error"),
        ("-" * 3_900 + "age > 1", "syntax-error"),
        ("not " * 900 + "is_open", "expression-too-deep"),
        ("-" * 400 + "age > 1", "expression-too-deep"),
        ("+".join(["age"] * 900) + " > 1", "expression-too-deep"),
        ("lambda:" * 400 + "1", "expression-too-deep"),
        ("1 if is_open else " * 150 + "1", "expression-too-deep"),
        ("age." + ".".join("a" * 900), "expression-too-deep"),
    ],
    ids=lambda item: item[:9].encode("unicode-escape").decode(),
)
def test_a_text_that_is_no_source_or_too_large_is_refused(text: str, code: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        condition(text)
    assert caught.value.code == code


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


# The whole language: dates, times, texts, lists and quotients

MOMENT = DateTimeType(1_065_047_040, 1_065_176_639)  # 2026-01-01 00:00 to 2026-03-31 23:59
NOON = Constant(DateTimeType(1_065_092_400, 1_065_092_400), 1_065_092_400)  # 2026-02-01 12:00
CODE, CITY = TextType("[A-Z]{2}[0-9]"), TextType(pool=("Bonn", "Ulm"))
NOTE = TextType(pool=("It came late.",), is_free=True)
AMOUNT = NumberType(0, 90_00, 2, "USD")
LINES = ListType(
    (("amount", AMOUNT), ("weight", NumberType(1, 9)), ("risk", RISK), ("is_gift", BOOLEAN)),
    5,
    "no lines",
)
COUNT = NumberType(1, 8)
HOLIDAY = 739617
WIDE = Scope(
    fields={
        **SCOPE.fields,
        "sent": MOMENT,
        "read": MOMENT,
        "code": CODE,
        "city": CITY,
        "note": NOTE,
        "lines": LINES,
        "parts": COUNT,
        "other_parts": NumberType(0, 8),
    },
    constants={**SCOPE.constants, "deadline": Constant(DAY, 739648, "deadline")},
    optional=frozenset({"note", "lines"}),
    calendars={"office": Calendar("office", (HOLIDAY,))},
)
sent, read_at = Read(MOMENT, "sent"), Read(MOMENT, "read")
code, city, parts = Read(CODE, "code"), Read(CITY, "city"), Read(COUNT, "parts")
other_parts = Read(NumberType(0, 8), "other_parts")
amount, weight = Element(AMOUNT, "lines", "amount"), Element(NumberType(1, 9), "lines", "weight")
IS_HIGH = Compare(Relation.EQ, Element(RISK, "lines", "risk"), Constant(RISK, 1))


def wide(text: str) -> Expression:
    return parse_condition(text, WIDE)


def left_of(text: str) -> Expression:
    """Return what stands on the left of a comparison."""
    tree = wide(f"{text} > 0")
    assert isinstance(tree, Compare)
    return tree.left


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("sent < read", Compare(Relation.LT, sent, read_at)),
        ("sent == '2026-02-01 12:00'", Compare(Relation.EQ, sent, NOON)),
        ("'2026-02-01 12:00' <= sent", Compare(Relation.GE, sent, NOON)),
        ("code == 'AB1'", Compare(Relation.EQ, code, Constant(CODE, "AB1"))),
        ("code != code", Compare(Relation.NE, code, code)),
        ("code == city", Compare(Relation.EQ, code, city)),
        ("city in ['Ulm', 'Bonn']", OneOf(city, (Constant(CITY, "Ulm"), Constant(CITY, "Bonn")))),
        ("city not in ['Ulm']", Not(OneOf(city, (Constant(CITY, "Ulm"),)))),
        ("present(note)", Presence("note")),
        ("present(lines)", Presence("lines")),
        ("start <= deadline", Compare(Relation.LE, start, Constant(DAY, 739648, "deadline"))),
        (
            "date_of(sent) == start",
            Compare(Relation.EQ, DateOf(DateType(739617, 739706), sent), start),
        ),
        (
            "add_days(start, parts) < '2026-02-01'",
            Compare(Relation.LT, AddDays(DateType(739618, 739714), start, parts), FEBRUARY),
        ),
        (
            "add_months(start, 1) < end",
            # From 1 February to 30 April.
            Compare(Relation.LT, AddMonths(DateType(739648, 739736), start, number(1)), end),
        ),
        (
            "any(i.is_gift for i in lines)",
            Aggregate(
                BOOLEAN,
                AggregateFunction.ANY,
                "lines",
                5,
                None,
                Element(BOOLEAN, "lines", "is_gift"),
                None,
            ),
        ),
        (
            "all(i.risk == 'high' for i in lines if i.weight > 2 if i.is_gift)",
            Aggregate(
                BOOLEAN,
                AggregateFunction.ALL,
                "lines",
                5,
                AllOf(
                    (
                        Compare(Relation.GT, weight, number(2)),
                        Element(BOOLEAN, "lines", "is_gift"),
                    )
                ),
                IS_HIGH,
                None,
            ),
        ),
    ],
)
def test_a_condition_on_times_texts_and_lists_becomes_its_tree(text: str, tree: Expression) -> None:
    assert wide(text) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("abs(price)", Absolute(NumberType(0, 500_00, 2), price)),
        (
            "max(age, 3, parts)",
            Outermost(NumberType(3, 100), Extreme.MAXIMUM, (age, number(3), parts)),
        ),
        (
            "min(age, price)",
            Outermost(
                NumberType(-10_00, 100_00, 2),
                Extreme.MINIMUM,
                (Rescale(NumberType(0, 100_00, 2), age, 2), price),
            ),
        ),
        (
            "minutes_between(sent, read)",
            Elapsed(NumberType(-129_599, 129_599, unit="minutes"), Span.MINUTES, sent, read_at),
        ),
        (
            "workdays_between(start, end, office)",
            Workdays(NumberType(-63, 63, unit="working days"), start, end, "office", (HOLIDAY,)),
        ),
        ("round(price, 0)", Quotient(NumberType(-10, 500), price, number(100, 2), 0)),
        ("round(age / parts, 1)", Quotient(NumberType(0, 1000, 1), age, parts, 1)),
        (
            "count(i for i in lines)",
            Aggregate(NumberType(0, 5), AggregateFunction.COUNT, "lines", 5, None, None, None),
        ),
        (
            "count(i for i in lines if i.risk == 'high')",
            Aggregate(NumberType(0, 5), AggregateFunction.COUNT, "lines", 5, IS_HIGH, None, None),
        ),
        (
            "sum(i.amount for i in lines)",
            Aggregate(
                NumberType(0, 450_00, 2, "USD"),
                AggregateFunction.SUM,
                "lines",
                5,
                None,
                amount,
                None,
            ),
        ),
        (
            "sum(age for i in lines)",
            Aggregate(NumberType(0, 500), AggregateFunction.SUM, "lines", 5, None, age, None),
        ),
        (
            "min((i.weight for i in lines), default=10)",
            Aggregate(
                NumberType(1, 10), AggregateFunction.MINIMUM, "lines", 5, None, weight, number(10)
            ),
        ),
        (
            "max((i.amount for i in lines), default=-1)",
            Aggregate(
                NumberType(-1_00, 90_00, 2, "USD"),
                AggregateFunction.MAXIMUM,
                "lines",
                5,
                None,
                amount,
                number(-1_00, 2),
            ),
        ),
    ],
)
def test_a_function_becomes_its_node(text: str, tree: Expression) -> None:
    assert left_of(text) == tree


def test_an_average_counts_what_meets_its_test() -> None:
    tree = left_of("average((i.weight for i in lines if i.risk == 'high'), places=1, default=0)")
    count = Aggregate(NumberType(0, 5), AggregateFunction.COUNT, "lines", 5, IS_HIGH, None, None)
    assert isinstance(tree, Choice)
    assert tree.condition == Compare(Relation.EQ, count, number(0))
    assert tree.type == NumberType(0, 9_0, 1)


def test_an_item_may_be_called_anything_that_is_free() -> None:
    assert wide("any(line.is_gift for line in lines)") == wide("any(i.is_gift for i in lines)")


# Divisions in comparisons are multiplied out: exact, and no rounding


def times(left: Expression, right: Expression, low: int, high: int, places: int = 0) -> Arithmetic:
    return Arithmetic(NumberType(low, high, places), Operation.MULTIPLY, left, right)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("age / parts < 3", Compare(Relation.LT, age, times(number(3), parts, 3, 24))),
        ("3 < age / parts", Compare(Relation.LT, times(number(3), parts, 3, 24), age)),
        (
            "age / parts >= age / 7",
            Compare(Relation.GE, times(age, number(7), 0, 700), times(age, parts, 0, 800)),
        ),
        (
            "(age + 1) / parts == 0.5",
            Compare(
                Relation.EQ,
                Rescale(
                    NumberType(10, 1010, 1),
                    Arithmetic(NumberType(1, 101), Operation.ADD, age, number(1)),
                    1,
                ),
                times(number(5, 1), parts, 5, 40, 1),
            ),
        ),
        (
            "age / max(other_parts, 1) > 2",
            Compare(
                Relation.GT,
                age,
                times(
                    number(2),
                    Outermost(NumberType(1, 8), Extreme.MAXIMUM, (other_parts, number(1))),
                    2,
                    16,
                ),
            ),
        ),
    ],
    ids=["on the left", "on the right", "on both sides", "of a sum", "by a guarded divisor"],
)
def test_a_division_in_a_comparison_is_multiplied_out(text: str, tree: Expression) -> None:
    assert wide(text) == tree


def test_a_chain_of_divisions_holds_where_each_pair_holds() -> None:
    pairs = (wide("0 < age / parts"), wide("age / parts <= 1"))
    assert wide("0 < age / parts <= 1") == AllOf(pairs)


# Choices


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        (
            "(start if is_open else end) > '2026-02-01'",
            Compare(Relation.GT, Choice(DAY, is_open, start, end), FEBRUARY),
        ),
        (
            "('2026-02-01' if is_open else start) < end",
            Compare(Relation.LT, Choice(DAY, is_open, FEBRUARY, start), end),
        ),
        (
            "(sent if is_open else '2026-02-01 12:00') < read",
            Compare(Relation.LT, Choice(MOMENT, is_open, sent, NOON), read_at),
        ),
        (
            "(risk if is_open else 'low') == 'high'",
            Compare(
                Relation.EQ,
                Choice(RISK, is_open, risk, Constant(RISK, 0)),
                Constant(RISK, 1),
            ),
        ),
    ],
    ids=["dates", "quoted date", "date-times", "labels"],
)
def test_a_choice_gives_dates_times_and_labels(text: str, tree: Expression) -> None:
    assert wide(text) == tree


def test_a_choice_may_give_two_written_values() -> None:
    known = parse_value("'low' if is_open else ('high' if is_new else 'low')", SCOPE, RISK)
    inner = Choice(RISK, is_new, Constant(RISK, 1), Constant(RISK, 0))
    assert known == Choice(RISK, is_open, Constant(RISK, 0), inner)


def test_a_choice_of_dates_spans_both() -> None:
    tree = wide("(start if is_open else '2027-01-01') < end")
    assert isinstance(tree, Compare)
    assert tree.left.type == DateType(739617, 739982)  # 365 days after 2026-01-01


# What is refused

REFUSED = [
    # Names and labels that do not exist
    "is_open and aeg > 1",
    "adlt_age > 1",
    "zzz > 1",
    "is_open == true",
    "risk == 'hihg'",
    "risk in ['low', 'hihg']",
    "'Gitf' in extras",
    "start > '2026-02-30'",
    "len(extras) > 1",
    "age > 1 or __import__('os')",
    "name.upper() == 'A'",
    "risk == 'très haut' and aeg > 1",
    # Types that do not fit
    "age",
    "'x'",
    "is_open and age",
    "not risk",
    "age > 'x'",
    "age > risk",
    "is_open and start > age",
    "extras == extras",
    "name < name",
    "name == risk",
    "risk == colour",
    "risk < 'high'",
    "is_open == is_new",
    "is_open != is_new",
    "age > is_open",
    "is_open == 'yes'",
    "is_open == True",
    "is_open == no",
    "risk == None",
    "risk == b'low'",
    "'low' == 'high'",
    "age is 5",
    "age // 2 > 1",
    "age ** age > 1",
    "age ** 0.5 > 1",
    "age ** 0 > 1",
    "age ** 3 > 1",
    "price ** 5 > 1",
    "1.005 ** 60 > 1",
    "2 ** 999 ** 2 > 1",
    "round(1.5 ** 999 ** 2, 2) > 1",
    "floor() > 1",
    "floor(price, 1, 2) > 1",
    "floor(price / age) > 1",
    "remainder(price) > 1",
    "remainder(price, age) > 1",
    "max(price / 2, 5) > 1",
    "+age > 1",
    "age + risk > 1",
    "(1 if is_open else 'x') > 1",
    "(1 if age else 2) > 1",
    "is_open and age in [1, 2]",
    "risk in []",
    "risk in ['low', 1]",
    "risk in [adult_age]",
    "'low' in ['low']",
    "'low' in risk",
    "risk in extras",
    "count(age) > 1",
    "count(extras, extras) > 1",
    "count(x=extras) > 1",
    "days_between(start) > 1",
    "days_between(start, age) > 1",
    "present(age)",
    "present(fee)",
    "present(end, 1)",
    "present(note, age=1)",
    "age > 1e3",
    "age > 0x1F",
    "age > 1_000",
    "age > 0.1234567",
    "age > 4611686018427387904",
    "age > 99999999999999999999999999999999999999999999",
    "age > 5000000000000000.000001 * 1.000001",
    "price * 99999999999999999 > 1",
    # Other Python, and no Python
    "age.real > 1",
    "is_open and (lambda: 1) > 1",
    "f'{age}' == 'x'",
    "(x := 3) > 1",
    "[age] == 1",
    "{'a': 1} == 1",
    "{a for a in extras} == 1",
    "extras[0] == 1",
    "await age",
    "count(*extras) > 1",
    "age > 18  # adults",
    "",
    "age age",
    # Divisions
    "age / other_parts > 1",
    "1 < age / price",
    "round(age / other_parts, 1) > 1",
    "age / 0 > 1",
    "age / parts + 1 > 2",
    "age / parts / 2 > 2",
    "abs(age / parts) > 2",
    "age % 2 > 1",
    "round(age + age / parts, 1) > 2",
    "age * age * parts > 1",
    "age / parts > age * age",
    "round(age / parts) > 1",
    "round(age / parts, parts) > 1",
    "round(age / parts, 7) > 1",
    "round(age / parts, places=1) > 1",
    # Choices
    "age > 3 if is_open else 4",
    "('2026-01-01' if is_open else '2026-02-01') < start",
    "(start if is_open else sent) < end",
    "(risk if is_open else colour) == 'low'",
    "(city if is_open else code) == 'Ulm'",
    "is_open if is_new else is_open",
    # Texts, dates and times
    "note == 'late'",
    "note == city",
    "city != note",
    "note in ['late']",
    "code == 'AB'",
    "code in ['AB1', 'ab1']",
    "city == 'Bon'",
    "city in ['Ulm', 'Rom']",
    "city < 'Ulm'",
    "city in [code]",
    "sent < start",
    "sent < '2026-02-01'",
    "sent - read > 5",
    "workdays_between(start, end, ofice) > 1",
    "workdays_between(start, end, 'office') > 1",
    "add_days(start, 0.5) > start",
    "add_days(start, 999999999) > start",
    "add_minutes(start, 30) > sent",
    "add_months(sent, 1) > sent",
    "add_days(age, 1) > sent",
    "add_business_days(start, 5, office) < end",
    "add_workdays(start, -5, office) < end",
    # Lists
    "min(age) > 1",
    "lines > 1",
    "count(lines) > 1",
    "lines.amount > 1",
    "sum(age) > 1",
    "sum(i.amuont for i in lines) > 1",
    "sum(i.zzz for i in lines) > 1",
    "any(i > 3 for i in lines)",
    "sum(i.amount for i in line) > 1",
    "sum(i.amount for i in extras) > 1",
    "sum(i.amount for age in lines) > 1",
    "sum(i.amount for i in lines for j in lines) > 1",
    "sum(a.amount for a, b in lines) > 1",
    "any(i.is_gift async for i in lines)",
    "any(i.weight > count(j for j in lines) for i in lines)",
    "min((i.weight for i in lines), age) > 1",
    "min(i.weight for i in lines) > 1",
    "average((i.weight for i in lines), places=1) > 1",
    "average((i.weight for i in lines), default=0) > 1",
    "count((i for i in lines), default=0) > 1",
    "sum((i.weight for i in lines), start=1) > 1",
    "max((i.weight for i in lines), default=i.weight) > 1",
    "count(i.weight for i in lines) > 1",
    "sum('x' for i in lines) > 1",
    "i.weight > 1",
    "sum(i for i in lines) > 1",
    "sum(i.risk for i in lines) > 1",
    "max((i.is_gift for i in lines), default=0) > 1",
    "any(i.amount for i in lines)",
    "all(i for i in lines)",
    "sum((i.amount for i in lines), default=0) > 1",
    "any((i.is_gift for i in lines), default=0)",
    "sum((i.amount for i in lines), places=2) > 1",
    "max((i.amount for i in lines), default=0, places=2) > 1",
    "average((i.weight for i in lines), places=1, default=1.25) > 1",
    "sum(1000000000000000000 for i in lines) > 1",
]


def test_what_is_no_condition_is_refused_at_its_column(golden: Golden) -> None:
    golden(FAULTS / "conditions.txt", list_refused(REFUSED, wide))


def test_without_a_calendar_none_is_named() -> None:
    with pytest.raises(ExpressionError, match="'office'; the calendars are none"):
        condition("workdays_between(start, end, office) > 1")


UNFIT: list[tuple[ValueType, list[str]]] = [
    (AGE, ["price", "start", "name", "age + 1", "price / 3"]),
    (BOOLEAN, ["age"]),
    (COLOUR, ["risk"]),
    (DAY, ["add_days(start, 1)", "'2027-01-01'", "sent"]),
    (PRICE, ["price * 2", "700"]),
    (RISK, ["age", "age > 1", "'low' if is_open else 'highest'"]),
]


def test_a_value_that_its_field_cannot_hold_is_refused(golden: Golden) -> None:
    refused = [
        list_refused(texts, partial(parse_value, scope=WIDE, target=kind)) for kind, texts in UNFIT
    ]
    golden(FAULTS / "values.txt", "\n".join(refused))


# Values of the wider language


@pytest.mark.parametrize(
    ("text", "target", "tree"),
    [
        (
            "add_days(start, 1)",
            DateType(739617, 739800),
            AddDays(DateType(739618, 739707), start, number(1)),
        ),
        ("'2026-02-01'", DAY, FEBRUARY),
        ("'2026-02-01 12:00'", MOMENT, NOON),
        (
            "round(price, 1)",
            NumberType(-100, 5000, 1),
            Quotient(NumberType(-100, 5000, 1), price, number(10, 1), 0),
        ),
    ],
    ids=["later date", "quoted date", "quoted time", "rounded"],
)
def test_a_date_or_time_can_be_decided(text: str, target: ValueType, tree: Expression) -> None:
    assert parse_value(text, WIDE, target) == tree


WORDS = [
    *("age", "price", "risk", "start", "sent", "code", "note", "lines", "extras", "i", "i.amount"),
    *("1", "2.5", "'high'", "'2026-02-01'", "(", ")", ",", "[", "]", "+", "-", "*", "/", "<", "=="),
    *("and", "or", "not", "in", "if", "else", "for i in lines", "sum(", "min(", "round(", "count("),
    *("add_months(", "days_between(", "date_of(", "average(", "default=0", "places=1", "present("),
]


def column_of_refusal(text: str, target: ValueType) -> int | None:
    try:
        parse_value(text, WIDE, target)
    except ExpressionError as refused:
        return refused.column
    return None


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.sampled_from([AGE, BOOLEAN, DAY, RISK]))
def test_any_words_of_the_language_are_read_or_refused_at_a_column(
    words: list[str], target: ValueType
) -> None:
    column = column_of_refusal(" ".join(words), target)
    assert column is None or column > 0
