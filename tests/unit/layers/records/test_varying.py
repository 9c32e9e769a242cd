from datetime import date

import pytest

from sopforge.harness.layers.records.varying import is_variable, vary_cell
from sopforge.language.domain.fields import Field, Malformed, Role, Sampling
from sopforge.language.domain.values.likeness import Likeness, build_phrase
from sopforge.language.domain.values.patterns import read_pattern
from sopforge.language.domain.values.types import (
    BOOLEAN,
    DateTimeType,
    DateType,
    EnumType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)

DAY = DateType(date(2026, 1, 1).toordinal(), date(2026, 12, 31).toordinal())
MINUTE = DateTimeType(DAY.minimum * 1440, DAY.maximum * 1440)
NAME, EMAIL, PHONE = (
    TextType(like=like) for like in (Likeness.PERSON_NAME, Likeness.EMAIL, Likeness.PHONE)
)
CELLS: list[tuple[str, ValueType, str]] = [
    ("number", NumberType(0, 1000, 2), "5.00"),
    ("number at its bound", NumberType(0, 1000, 2), "10.00"),
    ("day", DAY, "2026-02-28"),
    ("last day", DAY, "2026-12-31"),
    ("minute", MINUTE, "2026-02-28 00:00"),
    ("label", EnumType(("a", "b", "c")), "b"),
    ("yes or no", BOOLEAN, "yes"),
    ("set", SetType(("a", "b"), "none"), "a"),
    ("pattern", TextType(pattern="INS[0-9]{3}"), "INS123"),
    ("pool", TextType(pool=("Hall", "Hill", "Wood")), "Hall"),
    ("name", NAME, "Mary Johnson"),
    ("email", EMAIL, "mary.johnson@example.com"),
    ("phone", PHONE, "200-555-0100"),
]


def make(kind: ValueType, missing: str = "", malformed: Malformed | None = None) -> Field:
    return Field(
        "entry", "entry", Role.INPUT, kind, "", missing, primary=False, sampling=Sampling(),
        malformed=malformed,
    )  # fmt: skip


def vary(kind: ValueType, cell: str) -> set[str]:
    found = (vary_cell(make(kind), cell, 1, "case", turn) for turn in range(60))
    return {other for other in found if other is not None}


@pytest.mark.parametrize(
    ("kind", "cell"), [(b, c) for _, b, c in CELLS], ids=[a for a, *_ in CELLS]
)
def test_another_value_of_the_type_is_drawn(kind: ValueType, cell: str) -> None:
    item, others = make(kind), vary(kind, cell)

    assert is_variable(item, cell)
    assert others
    assert cell not in others
    for other in others:
        assert item.format_cell(item.parse(other)) == other


def test_numbers_and_days_differ_by_three_units_at_most() -> None:
    assert vary(NumberType(0, 1000, 2), "5.00") == {"4.97", "4.98", "4.99", "5.01", "5.02", "5.03"}
    assert vary(NumberType(0, 1000, 2), "10.00") == {"9.97", "9.98", "9.99"}
    assert vary(DAY, "2026-12-31") == {"2026-12-28", "2026-12-29", "2026-12-30"}


def test_one_member_of_a_set_comes_or_goes() -> None:
    assert vary(SetType(("a", "b"), "none"), "a") == {"none", "a; b"}


def test_one_letter_of_a_pattern_is_another_one_and_what_is_fixed_stays() -> None:
    others = vary(TextType(pattern="INS[0-9]{3}"), "INS123")

    for other in others:
        assert read_pattern("INS[0-9]{3}").has(other)
        assert sum(a != b for a, b in zip(other, "INS123", strict=True)) == 1


@pytest.mark.parametrize(
    ("like", "text"),
    [
        (Likeness.PERSON_NAME, "Mary Johnson"),
        (Likeness.EMAIL, "mary.johnson@example.com"),
        (Likeness.PHONE, "200-555-0100"),
        (Likeness.STREET_ADDRESS, "308 Johnson Avenue, Port Smithtown"),
        (Likeness.WEB_DOMAIN, "smith-johnson-brokers.example"),
    ],
)
def test_what_is_put_together_of_words_stays_so(like: Likeness, text: str) -> None:
    """No email leaves the domains that are kept for examples, no telephone number those."""
    others = vary(TextType(like=like), text)

    assert len(others) > 3
    for other in others:
        assert build_phrase(like).has(other)


@pytest.mark.parametrize(
    ("item", "cell"),
    [
        (make(DAY, missing="not stated"), "not stated"),
        (make(TextType(pattern="P[0-9]"), malformed=Malformed(5)), "P"),
        (make(TextType(is_free=True)), "I do not know."),
        (make(EnumType(("only",))), "only"),
        (make(NumberType(3, 3)), "3"),
    ],
    ids=["missing", "malformed", "free text", "one label", "one number"],
)
def test_what_is_no_value_or_has_no_other_is_left_as_it_is(item: Field, cell: str) -> None:
    assert not is_variable(item, cell)
