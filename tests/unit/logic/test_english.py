from __future__ import annotations

import pytest

from sopforge.logic.english import english
from tests.small_models import condition, parcel, value

MODEL = parcel(
    ("fragile: {role: input", "fragile: {label: breakable goods, role: input"),
    ("service: {role: observed", "service: {label: chosen service, role: observed"),
)


def written(text: str) -> str:
    return english(condition(MODEL, text), MODEL.fields)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("weight == free_weight", "the weight is exactly 5 kg", id="number =="),
        pytest.param("weight != free_weight", "the weight is not 5 kg", id="number !="),
        pytest.param("weight < free_weight", "the weight is less than 5 kg", id="number <"),
        pytest.param("weight <= free_weight", "the weight is at most 5 kg", id="number <="),
        pytest.param("weight > free_weight", "the weight is more than 5 kg", id="number >"),
        pytest.param("weight >= free_weight", "the weight is at least 5 kg", id="number >="),
        pytest.param("7.5 < weight", "the weight is more than 7.50 kg", id="number on the left"),
        pytest.param(
            "sent_on == '2026-02-01'",
            "the day of dispatch is the same day as 2026-02-01",
            id="date ==",
        ),
        pytest.param(
            "sent_on != '2026-02-01'",
            "the day of dispatch is not the same day as 2026-02-01",
            id="date !=",
        ),
        pytest.param(
            "sent_on < '2026-02-01'", "the day of dispatch is before 2026-02-01", id="date <"
        ),
        pytest.param(
            "sent_on <= '2026-02-01'",
            "the day of dispatch is on or before 2026-02-01",
            id="date <=",
        ),
        pytest.param(
            "sent_on > '2026-02-01'", "the day of dispatch is after 2026-02-01", id="date >"
        ),
        pytest.param(
            "sent_on >= '2026-02-01'", "the day of dispatch is on or after 2026-02-01", id="date >="
        ),
        pytest.param("service == 'Night'", 'the chosen service is "Night"', id="label =="),
        pytest.param("service != 'Night'", 'the chosen service is not "Night"', id="label !="),
        pytest.param(
            "service in ['Night', 'Express']",
            'the chosen service is one of "Night", "Express"',
            id="label in a list",
        ),
        pytest.param("fragile", 'the breakable goods are "yes"', id="flag"),
        pytest.param("'Glass' in contents", '"Glass" is among the contents', id="member"),
        pytest.param("present(due_on)", 'the due date is not "no due date"', id="presence"),
        pytest.param(
            "count(contents) >= 2",
            "the number of entries in the contents is at least 2",
            id="size of a set",
        ),
        pytest.param(
            "days_between(sent_on, '2026-03-01') > grace",
            "the number of days from the day of dispatch to 2026-03-01 is more than 3",
            id="days between",
        ),
    ],
)
def test_each_relation_has_its_one_wording(text: str, words: str) -> None:
    assert written(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("not fragile", 'the breakable goods are "no"', id="flag"),
        pytest.param("not weight == 5", "the weight is not 5 kg", id="=="),
        pytest.param("not weight != 5", "the weight is exactly 5 kg", id="!="),
        pytest.param("not weight < 5", "the weight is at least 5 kg", id="<"),
        pytest.param("not weight <= 5", "the weight is more than 5 kg", id="<="),
        pytest.param("not weight > 5", "the weight is at most 5 kg", id=">"),
        pytest.param("not weight >= 5", "the weight is less than 5 kg", id=">="),
        pytest.param("not service == 'Night'", 'the chosen service is not "Night"', id="label"),
        pytest.param(
            "service not in ['Night', 'Express']",
            'the chosen service is none of "Night", "Express"',
            id="list",
        ),
        pytest.param("'Glass' not in contents", '"Glass" is not among the contents', id="member"),
        pytest.param("not present(due_on)", 'the due date is "no due date"', id="presence"),
        pytest.param(
            "not (fragile or weight > 5)",
            'it is not the case that (the breakable goods are "yes"'
            " or the weight is more than 5 kg)",
            id="group",
        ),
    ],
)
def test_a_negation_turns_the_relation_around(text: str, words: str) -> None:
    assert written(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(
            "weight - (weight - 1) > 0",
            "the weight minus (the weight minus 1 kg) is more than 0 kg",
            id="difference on the right",
        ),
        pytest.param(
            "weight - (service_points - 1) > 0",
            "the weight minus (the service points minus 1 point) is more than 0",
            id="difference of other places on the right",
        ),
        pytest.param(
            "weight - weight - 1 > 0",
            "the weight minus the weight minus 1 kg is more than 0 kg",
            id="difference on the left",
        ),
        pytest.param(
            "weight + (weight + 1) > 0",
            "the weight plus the weight plus 1 kg is more than 0 kg",
            id="sum on the right",
        ),
        pytest.param(
            "weight - (weight + 1) > 0",
            "the weight minus (the weight plus 1 kg) is more than 0 kg",
            id="sum behind minus",
        ),
        pytest.param(
            "(weight + 1) * rate > 0",
            "(the weight plus 1 kg) times 1.50 USD is more than 0",
            id="sum before times",
        ),
        pytest.param(
            "rate * (weight + 1) > 0",
            "1.50 USD times (the weight plus 1 kg) is more than 0",
            id="sum behind times",
        ),
        pytest.param(
            "weight + 2 * service_points > 0",
            "the weight plus (2 times the service points) is more than 0",
            id="product of other places behind plus",
        ),
        pytest.param(
            "2 * service_points - weight > 0",
            "(2 times the service points) minus the weight is more than 0",
            id="product of other places before minus",
        ),
        pytest.param("-weight < 0", "minus the weight is less than 0 kg", id="sign"),
        pytest.param(
            "1 + (2 if fragile else 3) > service_points",
            '1 plus (2 if the breakable goods are "yes", otherwise 3)'
            " is more than the service points",
            id="choice",
        ),
    ],
)
def test_arithmetic_has_one_reading(text: str, words: str) -> None:
    assert written(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(
            "fragile and (weight > 5 or service == 'Night')",
            'the breakable goods are "yes" and'
            ' (the weight is more than 5 kg or the chosen service is "Night")',
            id="or inside and",
        ),
        pytest.param(
            "fragile and weight > 5 or service == 'Night'",
            '(the breakable goods are "yes" and the weight is more than 5 kg)'
            ' or the chosen service is "Night"',
            id="and inside or",
        ),
        pytest.param(
            "fragile or weight > 5 or service == 'Night'",
            'the breakable goods are "yes" or the weight is more than 5 kg'
            ' or the chosen service is "Night"',
            id="or alone",
        ),
        pytest.param(
            "1 <= weight < 5 or fragile",
            "(the weight is at least 1 kg and the weight is less than 5 kg)"
            ' or the breakable goods are "yes"',
            id="chain inside or",
        ),
    ],
)
def test_and_and_or_are_never_mixed_without_brackets(text: str, words: str) -> None:
    assert written(text) == words


def test_a_look_up_lists_each_label_with_its_entry() -> None:
    formula = MODEL.decisions["service_points"]

    words = english(getattr(formula, "value"), MODEL.fields)  # noqa: B009 - a table has none

    assert words == '0 for "Standard", 2 for "Express" and 4 for "Night", by the chosen service'


def test_a_label_that_a_rule_gives_is_quoted() -> None:
    assert english(value(MODEL, "'careful'", "care"), MODEL.fields) == '"careful"'
