from __future__ import annotations

import pytest

from sopforge.artifacts.rendering.api.json_schema import build_field_schema
from sopforge.artifacts.rendering.tools.kinds import render_kind
from sopforge.language.domain.expressions.expressions import Constant
from sopforge.language.domain.fields import Field, Role, Sampling
from sopforge.language.domain.parsing import Scope, parse_condition
from sopforge.language.domain.values.kinds.duration import read_duration, say_duration
from sopforge.language.domain.values.types import (
    DateTimeType,
    DurationType,
    NumberType,
    ValueNotAllowedError,
    ValueType,
)
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.readings.scalar import holds
from tests.unit.domain.minimal_brief import read_model

REPAIR = DurationType(0, 2_000)


def make_field(name: str, label: str, kind: ValueType) -> Field:
    return Field(name, label, Role.OBSERVED, kind, label, "", primary=False, sampling=Sampling())


FIELDS = {
    item.name: item
    for item in (
        make_field("repair", "repair time", REPAIR),
        make_field("lent_at", "time of lending", DateTimeType(1_065_047_040, 1_065_176_639)),
        make_field("back_at", "time of return", DateTimeType(1_065_047_040, 1_065_176_639)),
        make_field("break_time", "break", NumberType(0, 300, 0, "minutes")),
        make_field("visits", "number of visits", NumberType(0, 9)),
    )
}
SCOPE = Scope({name: item.type for name, item in FIELDS.items()}, {})


@pytest.mark.parametrize(
    ("minutes", "said"),
    [
        (0, "0 minutes"),
        (1, "1 minute"),
        (59, "59 minutes"),
        (60, "1 hour"),
        (61, "1 hour and 1 minute"),
        (150, "2 hours and 30 minutes"),
        (1_440, "24 hours"),
        (-1, "-1 minute"),
        (-75, "-75 minutes"),
    ],
)
def test_a_duration_is_said_and_read_in_hours_and_minutes(minutes: int, said: str) -> None:
    assert say_duration(minutes) == said
    assert read_duration(said) == minutes


@pytest.mark.parametrize("text", ["", "7", "1 hour and", "1 hour 5 minutes", "and 5 minutes"])
def test_other_texts_are_no_duration(text: str) -> None:
    assert read_duration(text) is None


def test_cells_and_json_hold_whole_minutes() -> None:
    assert REPAIR.encode("90") == 90
    assert (REPAIR.to_cell(90), REPAIR.to_json(90)) == ("90", 90)
    with pytest.raises(ValueNotAllowedError, match="outside 0 to 2000"):
        REPAIR.encode(2_001)
    with pytest.raises(ValueNotAllowedError, match="decimal places"):
        REPAIR.encode("1.5")


def test_tools_take_an_integer_of_minutes() -> None:
    schema = build_field_schema(FIELDS["repair"], with_missing=False)
    assert schema == {
        "type": "integer",
        "minimum": 0,
        "maximum": 2_000,
        "description": "Repair time, in minutes",
    }
    assert render_kind(FIELDS["repair"], with_missing=False) == "Integer('repair', 0, 2000)"


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("repair > 90", "the repair time is more than 1 hour and 30 minutes"),
        ("repair >= 120", "the repair time is at least 2 hours"),
        ("repair == 45", "the repair time is 45 minutes"),
        ("repair + 15 <= 75", "the repair time plus 15 minutes is at most 1 hour and 15 minutes"),
        ("repair > 22.5", "the repair time is more than 22.5 minutes"),
        # Where there are durations, other minutes are said in the same manner.
        ("break_time < 90", "the break is less than 1 hour and 30 minutes"),
        ("visits > 4", "there are more than 4 visits"),
    ],
)
def test_rules_say_hours_and_minutes(rule: str, sentence: str) -> None:
    assert phrase_expression(parse_condition(rule, SCOPE), FIELDS) == sentence


def test_rules_say_minutes_where_there_is_no_duration() -> None:
    known = {name: item for name, item in FIELDS.items() if name != "repair"}
    rule = parse_condition("break_time < 90", Scope({n: x.type for n, x in known.items()}, {}))
    assert phrase_expression(rule, known) == "the break is less than 90 minutes"


NOTICE = Constant(DurationType(4_320, 4_320), 4_320, "notice")
GRACE = Constant(DurationType(45, 45), 45, "grace")


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (
            "minutes_between(lent_at, back_at) <= notice",
            "the time of return is no later than 72 hours after the time of lending",
        ),
        (
            "back_at > add_minutes(lent_at, notice)",
            "the time of return is more than 72 hours after the time of lending",
        ),
        (
            "back_at < add_minutes(lent_at, grace)",
            "the time of return is less than 45 minutes after the time of lending",
        ),
        ("break_time > notice", "the break is more than 72 hours"),
        ("break_time > grace", "the break is more than 45 minutes"),
        ("break_time + 30 > notice * 2", "the break plus 30 minutes exceeds twice 72 hours"),
        ("break_time < notice + 30", "the break is less than 72 hours plus 30 minutes"),
    ],
)
@pytest.mark.parametrize("has_durations", [True, False])
def test_rules_say_constants_in_hours(rule: str, sentence: str, *, has_durations: bool) -> None:
    known = {name: item for name, item in FIELDS.items() if has_durations or name != "repair"}
    constants = {"notice": NOTICE, "grace": GRACE}
    scope = Scope({name: item.type for name, item in known.items()}, constants)

    assert phrase_expression(parse_condition(rule, scope), known) == sentence


def test_hours_of_a_field_are_no_duration() -> None:
    known = {**FIELDS, "worked": make_field("worked", "work", NumberType(0, 90, 0, "hours"))}
    del known["repair"]
    rule = "break_time > notice and worked > 72"
    scope = Scope({name: item.type for name, item in known.items()}, {"notice": NOTICE})

    said = phrase_expression(parse_condition(rule, scope), known)
    assert said == "the break is more than 4320 minutes and the work is more than 72 hours"


def test_the_difference_of_two_times_is_compared_with_a_duration() -> None:
    rule = parse_condition("minutes_between(lent_at, back_at) > repair", SCOPE)
    # From 09:00 to 10:30 of a day.
    row = {"lent_at": 1_065_047_580, "back_at": 1_065_047_670}
    assert holds(rule, {**row, "repair": 89})
    assert not holds(rule, {**row, "repair": 90})


def test_a_brief_declares_a_duration_in_minutes() -> None:
    line = "        packing: {role: input, type: duration, min: 5, max: 480, description: p}\n"
    model = read_model(("  constraints:\n", f"{line}  constraints:\n"))
    assert model.fields["packing"].type == DurationType(5, 480)
