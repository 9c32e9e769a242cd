"""The last rule of a table names the one label that is left, and means all other cases by it."""

from __future__ import annotations

import pytest

from sopforge.domain.rules import Table
from sopforge.logic.english import phrase_expression
from sopforge.logic.phrasing.last_labels import name_last_label, open_last_label
from tests.worlds.small_models import parcel, table

SURE = parcel()
OPTIONAL = parcel(
    (
        "values: [Standard, Express, Night], d",
        "values: [Standard, Express, Night], missing: not chosen, d",
    )
)


def judged(*conditions: str | None, hit: str = "first") -> Table:
    """Return a table with a rule for each condition, None for all other cases."""
    return table(SURE, hit, {str(n): when for n, when in enumerate(conditions)})


def said_last(found: Table) -> str:
    """Return the words of a table's last condition, "" for all other cases."""
    when = found.rules[-1].when
    return "" if when is None else phrase_expression(when, SURE.fields)


def test_the_one_label_that_is_left_is_named_and_read_as_the_rest() -> None:
    found = judged("service == 'Standard'", "service in ['Night']", None)

    named = name_last_label(found, SURE.fields)

    assert said_last(named) == 'the service is "Express"'
    assert open_last_label(named, SURE.fields) == found


@pytest.mark.parametrize(
    "conditions",
    [
        ("service == 'Standard'", None),
        ("service in ['Standard', 'Night', 'Express']", None),
        ("service == 'Standard'", "service == 'Night' and fragile", None),
        ("service == 'Standard'", "service != 'Express'", None),
        ("service == 'Standard'", "fragile", None),
        (None,),
    ],
)
def test_where_more_is_left_or_less_the_rest_is_not_named(conditions: tuple[str | None]) -> None:
    found = judged(*conditions)

    assert name_last_label(found, SURE.fields) == found


def test_a_label_that_leaves_no_value_over_is_not_named() -> None:
    found = judged("service == 'Standard'", "service == 'Night'", None)

    assert name_last_label(found, OPTIONAL.fields) == found


@pytest.mark.parametrize(
    "last",
    ["service == 'Night'", "service in ['Express', 'Night']", "service == 'Express' and fragile"],
)
def test_a_last_label_that_is_not_all_that_is_left_stays(last: str) -> None:
    found = judged("service == 'Standard'", "service == 'Night'", last)

    assert open_last_label(found, SURE.fields) == found


def test_collected_rules_stay_as_they_are() -> None:
    found = judged(
        "service == 'Standard'", "service == 'Night'", "service == 'Express'", hit="collect"
    )

    assert open_last_label(found, SURE.fields) == found
