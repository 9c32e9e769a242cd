"""What a process sends is read as if it were hostile."""

from __future__ import annotations

import sys
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sopforge.errors import Fault
from sopforge.sandbox.answers import (
    JSON,
    GarbledError,
    Observation,
    Refusal,
    as_json,
    as_text,
    is_same,
    read_reply,
)

PLACE = "tools.py, run()"


def nested(depth: int) -> bytes:
    """Return a reply whose value has lists in lists."""
    return b'{"n": 1, "value": ' + b"[" * depth + b"]" * depth + b"}"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b'{"n": 1, "value": [1.50, true, null]}', Observation([Decimal("1.50"), True, None])),
        (b'{"n": 1, "value": "\\ud83d\\ude00"}', Observation("\U0001f600")),
        (b'{"n": 1, "refusal": ["late", "too late"]}', Refusal("late", "too late")),
        (b'{"n": 1, "refusal": ["\\ud800", "\\udfff!"]}', Refusal("\ufffd", "\ufffd!")),
        (nested(50), Observation(__import__("json").loads("[" * 50 + "]" * 50))),
    ],
)
def test_a_reply_is_read(line: bytes, answer: object) -> None:
    assert read_reply(line, 1, PLACE) == answer


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"1",
        b"{}",
        b'{"n": 2, "value": 1}',
        b'{"n": 1}',
        b'{"n": true, "value": 1}',
        b'{"n": 1.0, "value": 1}',
        b'{"n": 1, "value": NaN}',
        b'{"n": 1, "value": Infinity}',
        b'{"n": 1, "value": 1e400}',
        b'{"n": 1, "value": [-1e-99999]}',
        b'{"n": 1, "value": 0e999}',
        b'{"n": 1, "value": 1e99999999999999999999}',
        b'{"n": 1, "value": -1e-99999999999999999999}',
        b'{"n": 1, "value": 1} {"n": 2, "value": 1}',
        b'{"n": 1, "refusal": ["late"]}',
        b'{"n": 1, "refusal": [1, "late"]}',
        b'{"n": 1, "fault": ["unknown-tool", "b", "c"]}',
        b'{"n": 1, "fault": ["a", "b", "c", "d"]}',
        b'{"n": 1, "fault": ["sandbox-too-weak", "b", "c", "d"]}',
        b'{"n": 1, "value": "\xff"}',
        b'{"n": 1, "value": ' + b"9" * 5000 + b"}",
        nested(100_000),
    ],
)
def test_what_is_no_reply_is_garbled(line: bytes) -> None:
    with pytest.raises(GarbledError):
        read_reply(line, 1, PLACE)


@pytest.mark.parametrize(
    "line",
    [
        nested(51),
        b'{"n": 1, "value": {"a": "\\ud800"}}',
        b'{"n": 1, "value": {"\\uDFFF": 1}}',
        b'{"n": 1, "value": ' + b'{"a": [' * 26 + b"]}" * 26 + b"}",
    ],
)
def test_what_json_should_not_hold_is_a_fault(line: bytes) -> None:
    answer = read_reply(line, 1, PLACE)
    assert isinstance(answer, Fault)
    assert (answer.code, answer.where) == ("result-not-json", PLACE)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_garbled(line: bytes) -> None:
    try:
        read_reply(line, 1, PLACE)
    except GarbledError:
        return


def test_a_long_number_is_not_read_even_where_python_has_no_limit() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        with pytest.raises(GarbledError):
            read_reply(b'{"n": 1, "value": ' + b"9" * 900_000 + b"}", 1, PLACE)
    finally:
        sys.set_int_max_str_digits(before)


def test_the_outermost_floats_are_read() -> None:
    for number in (1.7976931348623157e308, 5e-324, -0.0):
        answer = read_reply(f'{{"n": 1, "value": {number!r}}}'.encode(), 1, PLACE)
        assert answer == Observation(Decimal(repr(number)))


@pytest.mark.parametrize(
    "pair",
    [
        (43, Decimal("43.0")),
        (43, "43"),
        (1, True),
        (0, False),
        (None, "null"),
        (Decimal("12.5"), Decimal("12.50")),
        ([], {}),
        ({"a": 1}, {"a": 1, "b": None}),
        ({"a": [{"b": 1}]}, {"a": [{"b": True}]}),
        ([1, 2], [2, 1]),
    ],
)
def test_values_of_other_types_places_keys_or_orders_are_not_the_same(
    pair: tuple[JSON, JSON],
) -> None:
    one, other = pair
    assert not is_same(one, other)
    assert Observation(one) != Observation(other)


def test_the_order_of_keys_is_no_matter() -> None:
    one: JSON = {"a": Decimal("0.5"), "b": [None, True]}
    assert is_same(one, {"b": [None, True], "a": Decimal("0.5")})
    assert hash(Observation(one)) == hash(Observation({"b": [None, True], "a": Decimal("0.5")}))


def test_a_float_is_read_as_its_text_names_it() -> None:
    assert as_json({"a": [12.0, 0.1, 3], "b": True}) == {
        "a": [Decimal("12.0"), Decimal("0.1"), 3],
        "b": True,
    }


def test_as_text_each_type_looks_different() -> None:
    value: JSON = {"b": [Decimal("43.0"), 43, "43", True, None], "a": {}}
    assert as_text(value) == '{"a": {}, "b": [43.0, 43, "43", true, null]}'
