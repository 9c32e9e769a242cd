from __future__ import annotations

import pytest

from sopforge.domain.expressions import AnyOf, Compare, Constant, OneOf, Read, Relation
from sopforge.domain.types import EnumType
from sopforge.logic.python_source import python_source
from tests.small_models import condition, parcel, value

MODEL = parcel()
NAMED = {name: item.constant for name, item in MODEL.policy.items()}


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
    assert python_source(condition(MODEL, text), NAMED) == source


def test_constants_that_the_code_does_not_define_stand_as_numbers() -> None:
    assert python_source(condition(MODEL, "rate < weight"), {}) == "weight > 150"


def test_a_choice_is_a_conditional_expression() -> None:
    source = python_source(value(MODEL, "weight if fragile else 0", "surcharge"), NAMED)

    assert source == "(weight if fragile else 0) * 100"


LABELS = EnumType(("plain", "O'Brien (old)", 'say "x"', "back\\slash"))


@pytest.mark.parametrize("position", [0, 1, 2, 3], ids=["plain", "quote", "quotes", "backslash"])
def test_a_label_with_quotes_and_brackets_keeps_its_meaning(position: int) -> None:
    equal = Compare(Relation.EQ, Read(LABELS, "kind"), Constant(LABELS, position))
    source = python_source(AnyOf((equal, equal)), {})

    label = LABELS.values[position]
    assert eval(source, {}, {"kind": label}) is True  # noqa: S307 - our own output
    assert eval(source, {}, {"kind": label + " "}) is False  # noqa: S307 - our own output


def test_an_empty_list_holds_nothing() -> None:
    source = python_source(OneOf(Read(LABELS, "kind"), ()), {})

    assert eval(source, {}, {"kind": "plain"}) is False  # noqa: S307 - our own output
