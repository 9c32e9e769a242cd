"""What tools say where they refuse, and what they take for what was meant."""

from __future__ import annotations

from itertools import product

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


@pytest.mark.parametrize(
    ("kind", "value", "held", "shown"),
    [
        pytest.param(AMOUNT, 12.5, 1250, 12.5, id="units of the last place"),
        pytest.param(AMOUNT, -1, -100, -1.0, id="least"),
        pytest.param(AMOUNT, 8999.99, 899999, 8999.99, id="no rounding"),
        pytest.param(AGE, 5.0, 5, 5, id="a whole float"),
        pytest.param(DAY, "2026-02-28", 739675, "2026-02-28", id="day"),
        pytest.param(TIME, "2026-01-05 08:30", 739_620 * 1440 + 510, "2026-01-05 08:30", id="time"),
        pytest.param(CONSENT, "yes", True, "yes", id="flag"),
        pytest.param(EXTRAS, ["Drinks", "Tip"], ("Tip", "Drinks"), ["Tip", "Drinks"], id="set"),
        pytest.param(OrMissing(AGE, "unknown age"), "unknown age", None, "unknown age", id="none"),
        pytest.param(OrMissing(AGE, "unknown age"), 7, 7, 7, id="not missing"),
        pytest.param(
            LINES,
            [{"kind": "Private", "amount": 1}],
            ({"kind": "Private", "amount": 100},),
            [{"kind": "Private", "amount": 1.0}],
            id="items",
        ),
    ],
)
def test_a_value_is_held_exactly_and_shown_as_it_came(
    kind: object, value: object, held: object, shown: object
) -> None:
    assert kind.check(value) == held  # type: ignore[attr-defined]  # every kind checks
    assert kind.write(held) == shown  # type: ignore[attr-defined]  # and writes


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        pytest.param(
            KIND,
            "medicare",
            "kind is 'medicare', but must be one of 'Private', 'Medicare', 'Medicaid'; did you mean"
            " 'Medicare'?",
            id="case",
        ),
        pytest.param(
            PATIENT,
            "\uff30\uff11\uff12\uff13\uff14\uff15\uff16",
            "patient_id is '\uff30\uff11\uff12\uff13\uff14\uff15\uff16', but must be text of the"
            " form \"P\", then 6 digits; did you mean 'P123456'?",
            id="wide",
        ),
        pytest.param(
            AGE,
            "17",
            "age is '17', but must be a whole number from 0 to 104; did you mean 17?",
            id="number as text",
        ),
        pytest.param(
            AGE, 105, "age is 105, but must be a whole number from 0 to 104", id="out of range"
        ),
        pytest.param(
            AMOUNT,
            1.005,
            "amount is 1.005, but must be a number from -1.00 to 9000.00 with at most 2 decimal"
            " places",
            id="places",
        ),
        pytest.param(
            DAY,
            "2026/3/1",
            "day is '2026/3/1', but must be a date written as year-month-day, from 2026-01-05 to"
            " 2026-06-30; did you mean '2026-03-01'?",
            id="day",
        ),
        pytest.param(
            CONSENT,
            True,
            "consent is True, but must be 'yes' or 'no'; did you mean 'yes'?",
            id="flag",
        ),
        pytest.param(
            EXTRAS,
            ["Tip", "drinks"],
            "extras[1] is 'drinks', but must be a list of any of 'Tip', 'Drinks', each at most once"
            "; did you mean 'Drinks'?",
            id="member",
        ),
        pytest.param(
            EXTRAS,
            "Drinks; Tip",
            "extras is 'Drinks; Tip', but must be a list of any of 'Tip', 'Drinks', each at most"
            " once; did you mean ['Drinks', 'Tip']?",
            id="set as a cell",
        ),
        pytest.param(
            EXTRAS,
            "no extra",
            "extras is 'no extra', but must be a list of any of 'Tip', 'Drinks', each at most once"
            "; did you mean []?",
            id="empty set as a cell",
        ),
        pytest.param(
            LINES,
            "no line",
            "lines is 'no line', but must be a list of at most 2 objects, each with kind, amount"
            "; did you mean []?",
            id="empty list as a cell",
        ),
        pytest.param(
            Text("name"), " ", "name is ' ', but must be text of 1 to 200 characters", id="blank"
        ),
    ],
)
def test_a_refusal_says_what_was_found_what_is_allowed_and_what_may_be_meant(
    kind: object, value: object, message: str
) -> None:
    assert refused(kind, value) == message


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
