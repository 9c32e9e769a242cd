from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.language.domain.values.types import (
    ANY_DAY,
    ANY_MINUTE,
    BOOLEAN,
    Atom,
    AtomType,
    DateTimeType,
    DateType,
    EnumType,
    Json,
    ListType,
    NumberType,
    SetType,
    TextType,
    Value,
    ValueNotAllowedError,
    ValueType,
    list_items,
    list_set_members,
    scale_decimal,
)

COUNT = NumberType(-5, 120)
MONEY = NumberType(-1050, 99999, places=2)
RISK = EnumType(("low", "high risk", "2nd look"))
EXTRAS = SetType(("Gift", "Card", "Bow"), "nothing")
DAY = DateType(739617, 739706)  # 2026-01-01 to 2026-03-31
NAME = TextType("A[0-9]")
MOMENT = DateTimeType(1_065_047_040, 1_065_176_639)  # 2026-01-01 00:00 to 2026-03-31 23:59
LINES = ListType((("amount", MONEY), ("risk", RISK), ("extras", EXTRAS)), 2, "no lines")
LINE = {"amount": 350, "risk": 1, "extras": 5}
CELL = '[{"amount": 3.5, "risk": "high risk", "extras": ["Gift", "Bow"]}]'


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        (COUNT, 12, 12),
        (COUNT, "12", 12),
        (COUNT, "-5", -5),
        (COUNT, 12.0, 12),
        (COUNT, Decimal("12.00"), 12),
        (MONEY, "3.5", 350),
        (MONEY, Decimal("0.10"), 10),
        (MONEY, 19.99, 1999),
        (MONEY, 0, 0),
        (COUNT, "+7", 7),
        (BOOLEAN, True, 1),
        (BOOLEAN, False, 0),
        (BOOLEAN, "yes", 1),
        (BOOLEAN, "no", 0),
        (RISK, "low", 0),
        (RISK, "2nd look", 2),
        (EXTRAS, "nothing", 0),
        (EXTRAS, "Gift; Bow", 5),
        (EXTRAS, "Bow; Gift", 5),
        (EXTRAS, [], 0),
        (EXTRAS, ["Card", "Card"], 2),
        (DAY, "2026-01-01", 739617),
        (DAY, "2026-03-31", 739706),
        (NAME, "A1", "A1"),
        (NAME, "", ""),
        (MOMENT, "2026-01-01 00:00", 1_065_047_040),
        (MOMENT, "2026-03-31 23:59", 1_065_176_639),
        (ANY_MINUTE, "0001-01-01 00:00", 0),
        (ANY_MINUTE, "0001-01-02 01:02", 1_502),
        (LINES, "no lines", ()),
        (LINES, "[]", ()),
        (LINES, [], ()),
        (LINES, CELL, (LINE,)),
        (LINES, [{"extras": "Gift; Bow", "risk": "high risk", "amount": "3.50"}], (LINE,)),
    ],
)
def test_a_raw_value_is_stored(kind: ValueType, raw: object, value: Value) -> None:
    assert kind.encode(raw) == value


@pytest.mark.parametrize(
    ("kind", "value", "cell"),
    [
        (COUNT, -5, "-5"),
        (MONEY, 350, "3.50"),
        (MONEY, -5, "-0.05"),
        (MONEY, 0, "0.00"),
        (BOOLEAN, 1, "yes"),
        (BOOLEAN, 0, "no"),
        (RISK, 1, "high risk"),
        (EXTRAS, 0, "nothing"),
        (EXTRAS, 6, "Card; Bow"),
        (DAY, 739617, "2026-01-01"),
        (DateType(1, 1), 1, "0001-01-01"),
        (MOMENT, 1_065_047_040 + 14 * 60 + 5, "2026-01-01 14:05"),
        (ANY_MINUTE, 61, "0001-01-01 01:01"),
        (LINES, (), "no lines"),
        (LINES, (LINE,), CELL),
        (NAME, "A1", "A1"),
    ],
)
def test_a_cell_is_what_a_person_reads(kind: ValueType, value: Value, cell: str) -> None:
    assert kind.to_cell(value) == cell


@pytest.mark.parametrize(
    ("kind", "value", "json"),
    [
        (COUNT, 12, 12),
        (MONEY, 350, 3.5),
        (BOOLEAN, 1, "yes"),
        (RISK, 0, "low"),
        (EXTRAS, 0, []),
        (EXTRAS, 5, ["Gift", "Bow"]),
        (DAY, 739617, "2026-01-01"),
        (NAME, "A1", "A1"),
        (MOMENT, 1_065_047_041, "2026-01-01 00:01"),
        (LINES, (), []),
        (LINES, (LINE,), [{"amount": 3.5, "risk": "high risk", "extras": ["Gift", "Bow"]}]),
    ],
)
def test_json_carries_numbers_and_lists_as_such(kind: ValueType, value: Value, json: Json) -> None:
    assert kind.to_json(value) == json


@pytest.mark.parametrize(
    ("kind", "least", "greatest"),
    [
        (COUNT, -5, 120),
        (MONEY, -1050, 99999),
        (BOOLEAN, 0, 1),
        (RISK, 0, 2),
        (EXTRAS, 0, 7),
        (DAY, 739617, 739706),
        (NAME, 0, 0),
        (MOMENT, 1_065_047_040, 1_065_176_639),
        (LINES, 0, 0),
    ],
    ids=["integer", "decimal", "boolean", "enum", "set", "date", "text", "date-time", "list"],
)
def test_bounds_are_the_least_and_greatest_stored_integer(
    kind: ValueType, least: int, greatest: int
) -> None:
    assert kind.bounds == (least, greatest)


def test_members_of_a_set_come_in_declared_order() -> None:
    assert list_set_members(EXTRAS, 7) == ["Gift", "Card", "Bow"]


@pytest.mark.parametrize(
    ("kind", "raw", "message"),
    [
        (COUNT, "twelve", "'twelve' is not a number"),
        (COUNT, True, "True is not a number"),
        (COUNT, None, "None is not a number"),
        (COUNT, [], "[] is not a number"),
        (COUNT, "nan", "'nan' is not a number"),
        (COUNT, "Infinity", "'Infinity' is not a number"),
        (COUNT, "1e2", "'1e2' is not a number"),
        (COUNT, "1_000", "'1_000' is not a number"),
        (COUNT, " 5", "' 5' is not a number"),
        (COUNT, "5 ", "'5 ' is not a number"),
        (COUNT, "5\n", "'5\\n' is not a number"),
        (COUNT, "\u0665", "'\u0665' is not a number"),
        (MONEY, ".5", "'.5' is not a number"),
        (MONEY, "5.", "'5.' is not a number"),
        (COUNT, Decimal("1e400000"), "Decimal('1E+400000') has too many digits"),
        (COUNT, Decimal("1e-400000"), "Decimal('1E-400000') has too many digits"),
        (COUNT, "1.5", "1.5 has more than 0 decimal places"),
        (COUNT, 121, "121 is outside -5 to 120"),
        (MONEY, "-10.51", "-10.51 is outside -10.50 to 999.99"),
        (MONEY, "1.005", "1.005 has more than 2 decimal places"),
        (BOOLEAN, "true", "'true' is not one of: no, yes"),
        (BOOLEAN, 1, "1 is not one of: no, yes"),
        (BOOLEAN, [], "[] is not one of: no, yes"),
        (RISK, "Low", "'Low' is not one of: low, high risk, 2nd look"),
        (RISK, None, "None is not one of: low, high risk, 2nd look"),
        (EXTRAS, "Gift, Bow", "'Gift, Bow' is not one of: Gift, Card, Bow"),
        (EXTRAS, "", "'' is not one of: Gift, Card, Bow"),
        (EXTRAS, ["Gift", 3], "3 is not one of: Gift, Card, Bow"),
        (EXTRAS, 3, "3 is not a list of values"),
        (DAY, "31.03.2026", "'31.03.2026' is not a date in the form 2026-03-31"),
        (DAY, "2026-02-30", "'2026-02-30' is not a date in the form 2026-03-31"),
        (DAY, "2026-04-01", "2026-04-01 is outside 2026-01-01 to 2026-03-31"),
        (DAY, "20260331", "'20260331' is not a date in the form 2026-03-31"),
        (DAY, "2026-3-31", "'2026-3-31' is not a date in the form 2026-03-31"),
        (DAY, "2026-03- 1", "'2026-03- 1' is not a date in the form 2026-03-31"),
        (DAY, "2026-W10-2", "'2026-W10-2' is not a date in the form 2026-03-31"),
        (DAY, "\u0662026-03-31", "'٢026-03-31' is not a date in the form 2026-03-31"),
    ],
)
def test_a_value_outside_its_type_is_refused(kind: ValueType, raw: object, message: str) -> None:
    with pytest.raises(ValueNotAllowedError) as caught:
        kind.encode(raw)
    assert str(caught.value) == message


TIME = "is not a date and time in the form 2026-03-31 14:05"


@pytest.mark.parametrize(
    "raw",
    [
        "2026-03-31",
        "2026-03-31T14:05",
        "2026-03-31 14:05:00",
        "2026-03-31 14:5",
        "2026-3-31 14:05",
        "2026-03-31  4:05",
        "2026-03-31 24:00",
        "2026-03-31 14:60",
        "2026-02-30 14:05",
        "0000-01-01 00:00",
        "202603311405",
        "2026-03-31 14:05+01:00",
        "",
    ],
)
def test_a_date_time_is_written_in_one_form(raw: str) -> None:
    with pytest.raises(ValueNotAllowedError) as caught:
        ANY_MINUTE.encode(raw)
    assert str(caught.value) == f"{raw!r} {TIME}"


def test_a_date_time_outside_its_bounds_is_refused() -> None:
    with pytest.raises(ValueNotAllowedError) as caught:
        MOMENT.encode("2026-04-01 00:00")
    assert str(caught.value) == ("2026-04-01 00:00 is outside 2026-01-01 00:00 to 2026-03-31 23:59")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("none", "'none' is not a list of items"),
        ('{"amount": 1}', "'{\"amount\": 1}' is not a list of items"),
        (5, "5 is not a list of items"),
        (None, "None is not a list of items"),
        (["x"], "'x' is not an item with amount, risk, extras"),
        ([{"amount": 1}], "{'amount': 1} is not an item with amount, risk, extras"),
        ([{**LINE, "more": 1}], "is not an item with amount, risk, extras"),
        ([{**LINE, "risk": "Low"}], "'Low' is not one of: low, high risk, 2nd look"),
        ('[{"amount": NaN, "risk": "low", "extras": []}]', "nan is not a number"),
        ('[{"amount": 3.505, "risk": "low", "extras": []}]', "3.505 has more than 2 decimal"),
        (CELL[:-1] + f", {CELL[1:-1]}, {CELL[1:]}", "the list has 3 items; at most 2 are allowed"),
        ("[" * 100_000, "is not a list of items"),
        ("[1e99999999999999999999]", "is not a list of items"),
    ],
    ids=[
        "another word",
        "one item",
        "number",
        "nothing",
        "no item",
        "a field too few",
        "a field too many",
        "label",
        "no number",
        "too many places",
        "too many items",
        "nested",
        "too large a number",
    ],
)
def test_a_list_that_is_none_is_refused(raw: object, message: str) -> None:
    with pytest.raises(ValueNotAllowedError) as caught:
        LINES.encode(raw)
    assert message in str(caught.value)


def test_a_missing_list_has_no_items() -> None:
    assert list_items(None) == ()


def test_a_date_time_has_the_day_it_falls_on() -> None:
    assert MOMENT.derive_day_type() == DAY
    assert ANY_MINUTE.derive_day_type() == ANY_DAY


def test_scaling_keeps_every_digit() -> None:
    assert scale_decimal("12345678901234567890123456789012345.67", 2) == (
        1234567890123456789012345678901234567
    )


@pytest.mark.parametrize("raw", ["1.00000000000000000000000000000000001", "0.001", 0.001])
def test_scaling_never_rounds(raw: object) -> None:
    with pytest.raises(ValueNotAllowedError, match="more than 2 decimal places"):
        scale_decimal(raw, 2)


# Fifteen digits, for a JSON number is a float to most readers; a brief may not ask for more.
LIMIT = 10**15 - 1


LABEL = st.from_regex(r"[A-Za-z][A-Za-z0-9 ]{0,8}[a-z]", fullmatch=True)
LABELS = st.lists(LABEL, min_size=2, max_size=6, unique=True)


def intervals(low: int, high: int) -> st.SearchStrategy[list[int]]:
    return st.tuples(st.integers(low, high), st.integers(low, high)).map(sorted)


ATOMS: st.SearchStrategy[AtomType] = st.one_of(
    st.builds(
        lambda pair, places: NumberType(pair[0], pair[1], places),
        intervals(-LIMIT, LIMIT),
        st.integers(0, 6),
    ),
    st.just(BOOLEAN),
    LABELS.map(lambda names: EnumType(tuple(names))),
    LABELS.map(lambda names: SetType(tuple(names[1:]), names[0])),
    intervals(*ANY_DAY.bounds).map(lambda pair: DateType(*pair)),
    intervals(*ANY_MINUTE.bounds).map(lambda pair: DateTimeType(*pair)),
    st.just(NAME),
)
LISTS = st.builds(
    lambda names, kinds, size, empty: ListType(tuple(zip(names, kinds, strict=False)), size, empty),
    st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3, unique=True),
    st.lists(ATOMS, min_size=3, max_size=3),
    st.integers(1, 4),
    LABEL,
)


def atoms_of(kind: AtomType) -> st.SearchStrategy[Atom]:
    """Return a strategy for all values of a type that is no list."""
    return st.text() if isinstance(kind, TextType) else st.integers(*kind.bounds)


def values_of(kind: ValueType) -> st.SearchStrategy[Value]:
    """Return a strategy for all values of a type."""
    if not isinstance(kind, ListType):
        return atoms_of(kind)
    items = st.fixed_dictionaries({name: atoms_of(part) for name, part in kind.fields})
    return st.lists(items, max_size=kind.size).map(_as_value)


def _as_value(items: list[dict[str, Atom]]) -> Value:
    return tuple(items)


@st.composite
def typed_values(draw: st.DrawFn) -> tuple[ValueType, Value]:
    """Return a random type and one of its values."""
    kind = draw(st.one_of(ATOMS, LISTS))
    return kind, draw(values_of(kind))


@given(typed_values())
def test_a_cell_reads_back_as_its_value(case: tuple[ValueType, Value]) -> None:
    kind, value = case
    assert kind.encode(kind.to_cell(value)) == value


@given(typed_values())
def test_json_reads_back_as_its_value(case: tuple[ValueType, Value]) -> None:
    kind, value = case
    assert kind.encode(kind.to_json(value)) == value


@given(
    typed_values(),
    st.one_of(st.none(), st.text(), st.lists(st.text()), st.floats(), st.from_type(date).map(str)),
)
def test_any_raw_value_is_stored_or_refused(case: tuple[ValueType, Value], raw: object) -> None:
    kind, _ = case
    try:
        value = kind.encode(raw)
    except ValueNotAllowedError:
        return
    low, high = kind.bounds
    assert not isinstance(value, int) or low <= value <= high
