from __future__ import annotations

import pytest

from sopforge.language.domain.expressions.algebra import interpret
from sopforge.language.domain.expressions.expressions import (
    AnyOf,
    Compare,
    Constant,
    OneOf,
    Read,
    Relation,
)
from sopforge.language.domain.parsing import Scope, parse_condition, parse_value
from sopforge.language.domain.values.types import EnumType, SetType
from sopforge.language.logic.readings.python_source import (
    PythonSource,
    collect_helpers,
    render_python_source,
)
from tests.worlds.small_models import claims, condition, parcel, value

MODEL, CLAIMS = parcel(), claims()
NAMED = {name: item.constant for name, item in MODEL.policy.items()}
CLAIMS_NAMED = {name: item.constant for name, item in CLAIMS.policy.items()}


@pytest.mark.parametrize(
    ("text", "source"),
    [
        pytest.param("weight > 5", "weight > 500", id="a number is in its field's last place"),
        pytest.param("rate < weight", "weight > RATE", id="a policy constant has its name"),
        pytest.param(
            "weight > free_weight", "weight > (FREE_WEIGHT * 100)", id="a constant of other places"
        ),
        pytest.param(
            "weight > service_points",
            "weight > (service_points * 100)",
            id="a field of other places",
        ),
        pytest.param("sent_on >= '2026-01-31'", "sent_on >= 739647", id="a day is its number"),
        pytest.param("service == 'Night'", "service == 'Night'", id="a label is text"),
        pytest.param("service in ['Night']", "service in ('Night',)", id="a list of one"),
        pytest.param("'Glass' in contents", "'Glass' in contents", id="a member"),
        pytest.param("count(contents) > 1", "len(contents) > 1", id="the size of a set"),
        pytest.param("not fragile", "not fragile", id="a negation"),
        pytest.param(
            "present(due_on) and due_on < sent_on",
            "(due_on is not None) and (due_on < sent_on)",
            id="a guarded value",
        ),
        pytest.param(
            "fragile and weight > 5 or not fragile",
            "(fragile and (weight > 500)) or (not fragile)",
            id="only brackets around all of it are left out",
        ),
        pytest.param(
            "days_between(sent_on, '2026-01-31') > grace",
            "(739647 - sent_on) > GRACE",
            id="days between",
        ),
    ],
)
def test_source_is_the_expected_text(text: str, source: str) -> None:
    assert render_python_source(condition(MODEL, text), NAMED) == source


def test_no_letter_of_a_name_is_taken_for_a_quotation_mark() -> None:
    model = parcel(("    grace:", "    extra_time:"), ("> grace", "> extra_time"))
    named = {name: item.constant for name, item in model.policy.items()}
    late = condition(model, "days_between(sent_on, '2026-01-31') > extra_time")
    assert render_python_source(late, named) == "(739647 - sent_on) > EXTRA_TIME"


def test_a_set_is_written_as_its_members() -> None:
    kind = SetType(("Books", "Glass", "Medicine"), "nothing listed")
    assert interpret(Constant(kind, 0b101), PythonSource({})) == "('Books', 'Medicine')"


@pytest.mark.parametrize(
    ("text", "wanted", "has", "holds"),
    [
        ("wanted <= has", (), (), True),
        ("wanted <= has", ("Glass",), ("Books", "Glass"), True),
        ("wanted <= has", ("Glass", "Books"), ("Books",), False),
        ("has <= ['Books', 'Glass']", (), ("Books", "Glass"), True),
        ("has <= ['Books']", (), ("Glass",), False),
        ("kind in has", (), ("Books", "Glass"), True),
        ("kind in has", (), ("Books",), False),
    ],
)
def test_source_on_sets(
    text: str, wanted: tuple[str, ...], has: tuple[str, ...], *, holds: bool
) -> None:
    labels = ("Books", "Glass", "Medicine")
    sets = SetType(labels, "none")
    scope = Scope({"wanted": sets, "has": sets, "kind": EnumType(labels)}, {})
    source = render_python_source(parse_condition(text, scope), {})

    assert eval(source, {"wanted": wanted, "has": has, "kind": "Glass"}) is holds  # noqa: S307


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ("wanted | has", ("Books", "Glass", "Medicine")),
        ("has | wanted", ("Books", "Glass", "Medicine")),
        ("wanted & has", ("Glass",)),
        ("wanted - has", ("Medicine",)),
        ("(wanted | has) - ['Glass']", ("Books", "Medicine")),
        ("['Medicine'] if kind in has else []", ("Medicine",)),
    ],
)
def test_source_of_sets_keeps_the_order_of_labels(text: str, members: tuple[str, ...]) -> None:
    labels = ("Books", "Glass", "Medicine")
    sets = SetType(labels, "none")
    scope = Scope({"wanted": sets, "has": sets, "kind": EnumType(labels)}, {})
    source = render_python_source(parse_value(text, scope, sets), {})
    given = {"wanted": ("Glass", "Medicine"), "has": ("Books", "Glass"), "kind": "Glass"}

    assert eval(source, given) == members  # noqa: S307


def test_constants_that_the_code_does_not_define_stand_as_numbers() -> None:
    assert render_python_source(condition(MODEL, "rate < weight"), {}) == "weight > 150"


def test_a_choice_is_a_conditional_expression() -> None:
    source = render_python_source(value(MODEL, "weight if fragile else 0", "surcharge"), NAMED)

    assert source == "(weight if fragile else 0) * 100"


LABELS = EnumType(("plain", "O'Brien (old)", 'say "x"', "back\\slash"))


@pytest.mark.parametrize("position", [0, 1, 2, 3], ids=["plain", "quote", "quotes", "backslash"])
def test_a_label_with_quotes_and_brackets_keeps_its_meaning(position: int) -> None:
    equal = Compare(Relation.EQ, Read(LABELS, "kind"), Constant(LABELS, position))
    source = render_python_source(AnyOf((equal, equal)), {})

    label = LABELS.values[position]
    assert eval(source, {}, {"kind": label}) is True  # noqa: S307 - our own output
    assert eval(source, {}, {"kind": label + " "}) is False  # noqa: S307 - our own output


def test_an_empty_list_holds_nothing() -> None:
    source = render_python_source(OneOf(Read(LABELS, "kind"), ()), {})

    assert eval(source, {}, {"kind": "plain"}) is False  # noqa: S307 - our own output


@pytest.mark.parametrize(
    ("text", "source"),
    [
        pytest.param(
            "count(i for i in lines) > 2", "sum(1 for _item in lines) > 2", id="items are counted"
        ),
        pytest.param(
            "sum(i.amount for i in lines if i.kind == 'Meal') > 5",
            "sum(_item['amount'] for _item in lines if (_item['kind'] == 'Meal')) > 500",
            id="a sum over some",
        ),
        pytest.param(
            "min((i.amount for i in lines), default=7) > 5",
            "min((_item['amount'] for _item in lines), default=700) > 500",
            id="the least, or the default",
        ),
        pytest.param(
            "any(not i.has_receipt for i in lines)",
            "any((not _item['has_receipt']) for _item in lines)",
            id="any",
        ),
        pytest.param(
            "all('Tip' in i.extras for i in lines)",
            "all(('Tip' in _item['extras']) for _item in lines)",
            id="all",
        ),
        pytest.param(
            "round(payable / 3, 1) > 2",
            "rounded(payable, 30) > 20",
            id="a rounded quotient",
        ),
        pytest.param(
            "round(average_line / 3, 2) > 2",
            "rounded(average_line * 10, 3) > 200",
            id="more places",
        ),
        pytest.param("abs(payable) > 2", "abs(payable) > 200", id="without the sign"),
        pytest.param(
            "max(payable, total, 5) > 2", "max(payable, total, 500) > 200", id="the greatest"
        ),
        pytest.param(
            "add_days(trip_end, 3) > '2026-01-31'", "(trip_end + 3) > 739647", id="days later"
        ),
        pytest.param(
            "add_months(trip_end, keep_months) > '2026-01-31'",
            "add_months(trip_end, KEEP_MONTHS) > 739647",
            id="months later",
        ),
        pytest.param(
            "workdays_between(trip_end, '2026-01-31', office) > late_after",
            "workdays(trip_end, 739647, OFFICE) > LATE_AFTER",
            id="working days of a calendar",
        ),
        pytest.param(
            "date_of(handed_in_at) == trip_end",
            "(handed_in_at // 1440 + 1) == trip_end",
            id="the day of a time",
        ),
        pytest.param(
            "hour_of(handed_in_at) >= 17",
            "(handed_in_at // 60 % 24) >= 17",
            id="the hour of a time",
        ),
        pytest.param(
            "weekday_of(trip_end) == 'Monday'",
            "weekday_of(trip_end) == 'Monday'",
            id="the weekday of a day",
        ),
        pytest.param(
            "minutes_between('0001-01-02 00:00', handed_in_at) > 5",
            "(handed_in_at - 1440) > 5",
            id="minutes",
        ),
        pytest.param("signed_by == 'Ada'", "signed_by == 'Ada'", id="a text"),
        pytest.param(
            "signed_by in ['Ada', 'Bo']", "signed_by in ('Ada', 'Bo')", id="one of two texts"
        ),
        pytest.param("trip_end >= new_rules_from", "trip_end >= NEW_RULES_FROM", id="a policy day"),
        pytest.param(
            "payable > pay_limit", "payable > (PAY_LIMIT * 100)", id="a policy sum of other places"
        ),
    ],
)
def test_source_on_lists_times_and_texts(text: str, source: str) -> None:
    assert render_python_source(condition(CLAIMS, text), CLAIMS_NAMED) == source


def test_a_table_on_two_fields_is_a_dictionary_of_dictionaries() -> None:
    source = render_python_source(getattr(CLAIMS.decisions["nightly_limit"], "value"), {})  # noqa: B009 - a table has none

    assert source.startswith("{'Staff': {'Near': 120, 'Far': 180}[region], 'Lead': ")
    assert eval(source, {}, {"grade": "Lead", "region": "Far"}) == 240  # noqa: S307 - our own output


def test_each_function_is_given_once_and_only_where_it_is_called() -> None:
    rounding = [condition(CLAIMS, "round(payable / 3, 1) > 2")] * 2
    months = condition(CLAIMS, "add_months(trip_end, 1) > trip_end")
    days = condition(CLAIMS, "workdays_between(trip_end, trip_end, office) == 0")

    assert collect_helpers([condition(CLAIMS, "frozen")]) == []
    assert [source.split("(")[0] for source in collect_helpers(rounding)] == ["def rounded"]
    assert [source.split("(")[0] for source in collect_helpers([days, months])] == [
        "def add_months",
        "def workdays",
    ]
