"""The source of an expression as tools have it; what it computes is compared with a reference."""

from __future__ import annotations

from sopforge.artifacts.rendering.tools.source import ToolSource, render_tool_source
from sopforge.language.domain.expressions.expressions import (
    AnyOf,
    Compare,
    Constant,
    OneOf,
    Read,
    Relation,
)
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import EnumType, SetType
from sopforge.language.logic.readings.python_source import collect_helpers
from tests.worlds.small_models import claims, condition, parcel, value

PARCEL, CLAIMS = parcel(), claims()
PARCEL_SOURCES = {
    "weight > 5": "weight > 500",
    "rate < weight": "weight > RATE",
    "weight > free_weight": "weight > FREE_WEIGHT * 100",
    "sent_on >= '2026-01-31'": "sent_on >= _ON_2026_01_31",
    "service in ['Night']": "service in ('Night',)",
    "'Glass' in contents": "'Glass' in contents",
    "count(contents) > 1": "len(contents) > 1",
    "present(due_on) and due_on < sent_on": "due_on is not None and due_on < sent_on",
    "fragile and weight > 5 or not fragile": "fragile and weight > 500 or not fragile",
    "not (weight > 5)": "weight <= 500",
    "days_between(sent_on, '2026-01-31') > grace": "_ON_2026_01_31 - sent_on > GRACE",
}
CLAIMS_SOURCES = {
    "count(i for i in lines) > 2": "len(lines) > 2",
    "sum(i.amount for i in lines if i.kind == 'Meal') > 5": (
        "sum(_item['amount'] for _item in lines if _item['kind'] == 'Meal') > 500"
    ),
    "min((i.amount for i in lines), default=7) > 5": (
        "min((_item['amount'] for _item in lines), default=700) > 500"
    ),
    "all('Tip' in i.extras for i in lines)": "all('Tip' in _item['extras'] for _item in lines)",
    "round(payable / 3, 1) > 2": "rounded(payable, 30) > 20",
    "round(average_line / 3, 2) > 2": "rounded(average_line * 10, 3) > 200",
    "max(payable, total, 5) > 2": "max(payable, total, 500) > 200",
    "add_months(trip_end, keep_months) > '2026-01-31'": (
        "add_months(trip_end, KEEP_MONTHS) > _ON_2026_01_31"
    ),
    "workdays_between(trip_end, '2026-01-31', office) > late_after": (
        "workdays(trip_end, _ON_2026_01_31, OFFICE) > LATE_AFTER"
    ),
    "hour_of(handed_in_at) >= 17": "handed_in_at // 60 % 24 >= 17",
    "signed_by in ['Ada', 'Bo']": "signed_by in ('Ada', 'Bo')",
}
LABELS = EnumType(("plain", "O'Brien (old)", 'say "x"', "back\\slash"))


def render(model: DomainModel, text: str) -> str:
    named = {name: item.constant for name, item in model.policy.items()}
    return render_tool_source(ToolSource(named), condition(model, text))


def test_source_is_what_a_careful_engineer_writes() -> None:
    wrong = {
        text: found
        for model, sources in ((PARCEL, PARCEL_SOURCES), (CLAIMS, CLAIMS_SOURCES))
        for text, source in sources.items()
        if (found := render(model, text)) != source
    }

    assert wrong == {}


def test_a_set_is_written_as_its_members() -> None:
    kind = SetType(("Books", "Glass", "Medicine"), "nothing listed")
    assert render_tool_source(ToolSource({}), Constant(kind, 0b101)) == "('Books', 'Medicine')"


def test_constants_that_the_code_does_not_define_stand_as_numbers() -> None:
    assert render_tool_source(ToolSource({}), condition(PARCEL, "rate < weight")) == "weight > 150"


def test_a_choice_is_a_conditional_expression() -> None:
    source = render_tool_source(
        ToolSource({}), value(PARCEL, "weight if fragile else 0", "surcharge")
    )

    assert source == "(weight if fragile else 0) * 100"


def test_a_label_with_quotes_and_brackets_keeps_its_meaning() -> None:
    for position, label in enumerate(LABELS.values):
        equal = Compare(Relation.EQ, Read(LABELS, "kind"), Constant(LABELS, position))
        source = render_tool_source(ToolSource({}), AnyOf((equal, equal)))

        assert eval(source, {}, {"kind": label}) is True  # noqa: S307 - our own output
        assert eval(source, {}, {"kind": label + " "}) is False  # noqa: S307 - our own output


def test_an_empty_list_holds_nothing() -> None:
    source = render_tool_source(ToolSource({}), OneOf(Read(LABELS, "kind"), ()))

    assert eval(source, {}, {"kind": "plain"}) is False  # noqa: S307 - our own output


def test_a_table_on_two_fields_is_a_dictionary_of_dictionaries() -> None:
    source = render_tool_source(ToolSource({}), getattr(CLAIMS.decisions["nightly_limit"], "value"))  # noqa: B009 - a table has none

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
