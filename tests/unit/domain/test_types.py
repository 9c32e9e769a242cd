from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.domain.types import (
    BOOLEAN,
    DateType,
    EnumType,
    Json,
    NumberType,
    SetType,
    TextType,
    Value,
    ValueNotAllowedError,
    ValueType,
    bounds,
    encode,
    scale,
    set_members,
    to_cell,
    to_json,
)

COUNT = NumberType(-5, 120)
MONEY = NumberType(-1050, 99999, places=2)
RISK = EnumType(("low", "high risk", "2nd look"))
EXTRAS = SetType(("Gift", "Card", "Bow"), "nothing")
DAY = DateType(739617, 739706)  # 2026-01-01 to 2026-03-31
NAME = TextType("A[0-9]")


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
        (MONEY, "1e2", 10000),
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
    ],
)
def test_a_raw_value_is_stored(kind: ValueType, raw: object, value: Value) -> None:
    assert encode(kind, raw) == value


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
        (NAME, "A1", "A1"),
    ],
)
def test_a_cell_is_what_a_person_reads(kind: ValueType, value: Value, cell: str) -> None:
    assert to_cell(kind, value) == cell


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
    ],
)
def test_json_carries_numbers_and_lists_as_such(kind: ValueType, value: Value, json: Json) -> None:
    assert to_json(kind, value) == json


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
    ],
    ids=["integer", "decimal", "boolean", "enum", "set", "date", "text"],
)
def test_bounds_are_the_least_and_greatest_stored_integer(
    kind: ValueType, least: int, greatest: int
) -> None:
    assert bounds(kind) == (least, greatest)


def test_members_of_a_set_come_in_declared_order() -> None:
    assert set_members(EXTRAS, 7) == ["Gift", "Card", "Bow"]


@pytest.mark.parametrize(
    ("kind", "raw", "message"),
    [
        (COUNT, "twelve", "'twelve' is not a number"),
        (COUNT, True, "True is not a number"),
        (COUNT, None, "None is not a number"),
        (COUNT, [], "[] is not a number"),
        (COUNT, "nan", "'nan' is not a number"),
        (COUNT, "Infinity", "'Infinity' is not a number"),
        (COUNT, "1e400000", "'1e400000' has too many digits"),
        (COUNT, "1e999999999", "'1e999999999' has too many digits"),
        (COUNT, "1e-999999999", "'1e-999999999' has too many digits"),
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
        (DAY, "31.03.2026", "'31.03.2026' is not a date; dates look like 2026-03-31"),
        (DAY, "2026-02-30", "'2026-02-30' is not a date; dates look like 2026-03-31"),
        (DAY, "2026-04-01", "2026-04-01 is outside 2026-01-01 to 2026-03-31"),
    ],
)
def test_a_value_outside_its_type_is_refused(kind: ValueType, raw: object, message: str) -> None:
    with pytest.raises(ValueNotAllowedError) as caught:
        encode(kind, raw)
    assert str(caught.value) == message


def test_scaling_keeps_every_digit() -> None:
    assert scale("12345678901234567890123456789012345.67", 2) == (
        1234567890123456789012345678901234567
    )


@pytest.mark.parametrize("raw", ["1.00000000000000000000000000000000001", "0.001", 0.001])
def test_scaling_never_rounds(raw: object) -> None:
    with pytest.raises(ValueNotAllowedError, match="more than 2 decimal places"):
        scale(raw, 2)


# Fifteen digits, for a JSON number is a float to most readers; a brief may not ask for more.
LIMIT = 10**15 - 1


@st.composite
def typed_values(draw: st.DrawFn) -> tuple[ValueType, Value]:
    """Return a random type and one of its values."""
    label = st.from_regex(r"[A-Za-z][A-Za-z0-9 ]{0,8}[a-z]", fullmatch=True)
    labels = st.lists(label, min_size=2, max_size=6, unique=True)
    ends = st.tuples(st.integers(-LIMIT, LIMIT), st.integers(-LIMIT, LIMIT)).map(sorted)
    days = st.tuples(st.dates(), st.dates()).map(sorted)
    kind = draw(
        st.one_of(
            st.builds(
                lambda pair, places: NumberType(pair[0], pair[1], places), ends, st.integers(0, 6)
            ),
            st.just(BOOLEAN),
            labels.map(lambda names: EnumType(tuple(names))),
            labels.map(lambda names: SetType(tuple(names[1:]), names[0])),
            days.map(lambda pair: DateType(*map(date.toordinal, pair))),
            st.just(NAME),
        )
    )
    if isinstance(kind, TextType):
        return kind, draw(st.text())
    return kind, draw(st.integers(*bounds(kind)))


@given(typed_values())
def test_a_cell_reads_back_as_its_value(case: tuple[ValueType, Value]) -> None:
    kind, value = case
    assert encode(kind, to_cell(kind, value)) == value


@given(typed_values())
def test_json_reads_back_as_its_value(case: tuple[ValueType, Value]) -> None:
    kind, value = case
    assert encode(kind, to_json(kind, value)) == value


@given(typed_values(), st.one_of(st.none(), st.text(), st.lists(st.text()), st.floats()))
def test_any_raw_value_is_stored_or_refused(case: tuple[ValueType, Value], raw: object) -> None:
    kind, _ = case
    try:
        value = encode(kind, raw)
    except ValueNotAllowedError:
        return
    low, high = bounds(kind)
    assert isinstance(value, str) or low <= value <= high
