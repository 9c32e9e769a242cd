"""What tools say where they refuse, and what they take for what was meant."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from sopforge.artifacts.rendering.tools.parts.moments import Day, Minute
from sopforge.artifacts.rendering.tools.parts.numbers import Integer, Number
from sopforge.artifacts.rendering.tools.parts.records import unfit, unknown_tool
from sopforge.artifacts.rendering.tools.parts.refusals import ToolRefusal, shortened
from sopforge.artifacts.rendering.tools.parts.texts import (
    Identifier,
    Label,
    LabelSet,
    Text,
    YesOrNo,
)
from sopforge.artifacts.rendering.tools.parts.wholes import AsStated, ItemList, OrMissing

KIND = Label("kind", "Private", "Medicare", "Medicaid")
PATIENT = Identifier("patient_id", "P[0-9]{6}", '"P", then 6 digits')
AGE = Integer("age", 0, 104)
AMOUNT = Number("amount", "-1.00", "9000.00", places=2)
DAY = Day("day", "2026-01-05", "2026-06-30")
TIME = Minute("time", "2026-01-05 00:00", "2026-06-30 23:59")
CONSENT = YesOrNo("consent")
EXTRAS = LabelSet("extras", "Tip", "Drinks", empty="no extra")
LINES = ItemList("lines", 2, "no line", {"kind": KIND, "amount": AMOUNT})


def refused(kind: object, value: object) -> str:
    with pytest.raises(ToolRefusal) as caught:
        kind.check(value)  # type: ignore[attr-defined]  # every kind checks
    assert caught.value.code == "invalid_parameter"
    return caught.value.message


HELD: list[tuple[Any, object, object, object]] = [
    (AMOUNT, 12.5, 1250, 12.5),
    (AMOUNT, -1, -100, -1.0),
    (AMOUNT, 8999.99, 899999, 8999.99),
    (AGE, 5.0, 5, 5),
    (DAY, "2026-02-28", 739675, "2026-02-28"),
    (TIME, "2026-01-05 08:30", 739_620 * 1440 + 510, "2026-01-05 08:30"),
    (CONSENT, "yes", True, "yes"),
    (EXTRAS, ["Drinks", "Tip"], ("Tip", "Drinks"), ["Tip", "Drinks"]),
    (OrMissing(AGE, "unknown age"), "unknown age", None, "unknown age"),
    (OrMissing(AGE, "unknown age"), 7, 7, 7),
    (
        LINES,
        [{"kind": "Private", "amount": 1}],
        ({"kind": "Private", "amount": 100},),
        [{"kind": "Private", "amount": 1.0}],
    ),
]


def test_a_value_is_held_exactly_and_shown_as_it_came() -> None:
    for kind, value, held, shown in HELD:
        assert (kind.check(value), kind.write(held)) == (held, shown)


SET = "must be a list of any of 'Tip', 'Drinks', each at most once"
WIDE = "\uff30\uff11\uff12\uff13\uff14\uff15\uff16"
REFUSED: list[tuple[Any, object, str, str]] = [
    (KIND, "medicare", "must be one of 'Private', 'Medicare', 'Medicaid'", "'Medicare'"),
    (PATIENT, WIDE, 'must be text of the form "P", then 6 digits', "'P123456'"),
    (AGE, "17", "must be a whole number from 0 to 104", "17"),
    (AGE, 105, "must be a whole number from 0 to 104", ""),
    (AMOUNT, 1.005, "must be a number from -1.00 to 9000.00 with at most 2 decimal places", ""),
    (
        DAY,
        "2026/3/1",
        "must be a date written as year-month-day, from 2026-01-05 to 2026-06-30",
        "'2026-03-01'",
    ),
    (CONSENT, True, "must be 'yes' or 'no'", "'yes'"),
    (EXTRAS, "Drinks; Tip", SET, "['Drinks', 'Tip']"),
    (EXTRAS, "no extra", SET, "[]"),
    (LINES, "no line", "must be a list of at most 2 objects, each with kind, amount", "[]"),
    (Text("name"), " ", "must be text of 1 to 200 characters", ""),
]


def test_a_refusal_says_what_was_found_what_is_allowed_and_what_may_be_meant() -> None:
    for kind, value, allowed, meant in REFUSED:
        hint = f"; did you mean {meant}?" if meant else ""
        assert refused(kind, value) == f"{kind.name} is {value!r}, but {allowed}{hint}"
    assert refused(EXTRAS, ["Tip", "drinks"]) == (
        f"extras[1] is 'drinks', but {SET}; did you mean 'Drinks'?"
    )


def test_anything_else_is_refused_in_few_words() -> None:
    texts = ["", "\x00", "\ud800", "e\u0301", "\u202eP000001", "x" * 10_000, "1" * 5_000]
    others = [10**30, 1e300, float("nan"), float("inf"), True]
    values: list[object] = [*texts, *others, None, {}, [[]], [None], [{"kind": []}]]
    kinds = [KIND, PATIENT, AGE, AMOUNT, DAY, TIME, CONSENT, EXTRAS, LINES]

    for kind, value in product(kinds, values):
        if (kind, value) != (CONSENT, True):
            assert len(refused(kind, value)) < 400, (kind, value)


def test_what_is_handed_on_as_stated_is_refused_without_a_hint() -> None:
    patient = AsStated(PATIENT)

    assert refused(patient, " p123456") == (
        "patient_id is ' p123456', but must be text of the form \"P\", then 6 digits"
    )
    assert patient.check("P123456") == patient.read("P123456") == patient.write("P123456")


def test_long_values_are_shown_by_their_beginning() -> None:
    assert shortened("x" * 1000) == f"'{'x' * 79}... (1002 characters)"
    assert shortened(10**5000) == "a value too long to show"


def test_a_call_with_a_wrong_name_is_refused_with_the_right_one() -> None:
    assert unfit("getOrder", ("order_id",), {"orderId": 1}).message == (
        "getOrder takes order_id, all by name, but order_id was not given"
    )
    assert unfit("getOrder", ("order_id",), {"order_id": 1, "orderid": 1}).message == (
        "getOrder takes order_id, all by name, and no 'orderid'; did you mean 'order_id'?"
    )
    assert unknown_tool("get_order", ["getOrder", "getRegion"]).message == (
        "there is no tool 'get_order'; the tools are getOrder, getRegion; did you mean 'getOrder'?"
    )
