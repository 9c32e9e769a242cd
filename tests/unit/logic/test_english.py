from __future__ import annotations

from dataclasses import replace
from string import ascii_lowercase

import pytest

from sopforge.domain.fields import Said
from sopforge.domain.language.expressions import Compare, Not, Presence
from sopforge.domain.parsing import parse_condition, parse_value
from sopforge.domain.values.types import ANY_DAY, NumberType
from sopforge.logic.english import English, phrase_expression, phrase_value
from sopforge.logic.english_reader import build_vocabulary, read_condition
from sopforge.logic.phrasing.grammar import (
    conjugate_be,
    format_figure,
    format_quantity,
    is_fact,
    join_lettered,
)
from tests.generators import english as made
from tests.worlds.small_models import condition, parcel, value

MODEL = parcel(
    ("fragile: {role: input", "fragile: {label: breakable goods, role: input"),
    ("service: {role: observed", "service: {label: chosen service, role: observed"),
)


def said(text: str) -> str:
    """Return the words of a condition over fields of every type, which are read back as written."""
    words = phrase_expression(parse_condition(text, made.SCOPE), made.FIELDS)
    again = parse_condition(read_condition(words, build_vocabulary(made.MODEL)), made.SCOPE)
    assert phrase_expression(again, made.FIELDS) == words
    return words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("piece in extras", "the piece asked for is among the chosen extras"),
        ("piece not in extras", "the piece asked for is not among the chosen extras"),
        ("tools <= extras", "all of the tools are among the chosen extras"),
        ("not tools <= extras", "not all of the tools are among the chosen extras"),
        ("extras >= tools", "all of the tools are among the chosen extras"),
        ("extras <= ['Rug']", 'the chosen extras include nothing besides "Rug"'),
        (
            "extras <= ['Chair', 'Rug']",
            'the chosen extras include nothing besides "Rug" and "Chair"',
        ),
        ("not extras <= ['Rug']", 'the chosen extras include something besides "Rug"'),
        ("extras >= ['Lamp', 'Rug']", 'the chosen extras include both "Lamp" and "Rug"'),
        (
            "extras <= ['Lamp', 'Rug'] or score > 2",
            (
                'the chosen extras include nothing besides "Lamp" and "Rug", or the lifestyle score'
                " is more than 2 points"
            ),
        ),
        (
            "'Rug' in extras | tools",
            '(the chosen extras together with the tools) include "Rug"',
        ),
        (
            "piece in extras - ['Rug', 'Lamp']",
            (
                'the piece asked for is among (the chosen extras without the entries "Lamp" and'
                ' "Rug")'
            ),
        ),
        (
            "count(extras & tools) > 1",
            "the chosen extras and the tools have more than 1 entry in common",
        ),
        ("count(extras & tools) == 0", "the chosen extras and the tools have nothing in common"),
        ("count(extras & tools) > 0", "the chosen extras and the tools have something in common"),
        (
            "count(extras & (tools - ['Rug'])) < 1 and score > 2",
            (
                'the chosen extras and (the tools without the entry "Rug") have nothing in common'
                " and the lifestyle score is more than 2 points"
            ),
        ),
        (
            "extras - (tools - ['Rug']) <= tools",
            (
                "all of (the chosen extras without (the tools without the entry"
                ' "Rug")) are among the tools'
            ),
        ),
        (
            "any(i.extras <= ['Rug'] for i in claims)",
            'there is a claim of the year whose extras include nothing besides "Rug"',
        ),
    ],
)
def test_what_is_asked_of_sets(text: str, words: str) -> None:
    assert said(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("['Rug', 'Lamp']", '"Lamp" and "Rug"'),
        ("[]", '"no extra"'),
        ("extras", "the chosen extras"),
        ("extras | ['Rug']", 'the chosen extras together with the entry "Rug"'),
        (
            "extras - tools - ['Rug']",
            '(the chosen extras that are not among the tools) without the entry "Rug"',
        ),
        (
            "extras & (tools | ['Rug'])",
            ('what the chosen extras and (the tools together with the entry "Rug") have in common'),
        ),
        (
            "extras if urgent else []",
            'the chosen extras if the case is urgent: "yes", otherwise no entry',
        ),
    ],
)
def test_a_set_in_words(text: str, words: str) -> None:
    assert phrase_value(parse_value(text, made.SCOPE, made.EXTRAS), made.FIELDS) == words


def written(text: str) -> str:
    return phrase_expression(condition(MODEL, text), MODEL.fields)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("weight == free_weight", "the weight is 5 kg", id="number =="),
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
            'the chosen service is "Night" or "Express"',
            id="label in a list",
        ),
        pytest.param(
            "service in ['Night', 'Express', 'Standard']",
            'the chosen service is "Night", "Express" or "Standard"',
            id="label in a longer list",
        ),
        pytest.param("fragile", 'the breakable goods are "yes"', id="flag"),
        pytest.param("'Glass' in contents", 'the contents include "Glass"', id="member"),
        pytest.param("present(due_on)", "there is a due date", id="presence"),
        pytest.param(
            "count(contents) >= 2",
            "there are at least 2 contents",
            id="size of a set",
        ),
        pytest.param(
            "days_between(sent_on, '2026-03-01') > grace",
            "the day of dispatch is more than 3 days before 2026-03-01",
            id="days between",
        ),
        pytest.param(
            "days_between('2026-03-01', sent_on) <= grace",
            "the day of dispatch is no later than 3 days after 2026-03-01",
            id="days between, counted on",
        ),
        pytest.param(
            "days_between(sent_on, '2026-03-01') >= 0",
            "the day of dispatch is on or before 2026-03-01",
            id="no days between",
        ),
        pytest.param(
            "days_between(sent_on, '2026-03-01') != 3",
            "the number of days from the day of dispatch to 2026-03-01 is not 3",
            id="not so many days between",
        ),
        pytest.param(
            "weight == service_points", "the weight is equal to the service points", id="numbers"
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
        pytest.param("not weight != 5", "the weight is 5 kg", id="!="),
        pytest.param("not weight < 5", "the weight is at least 5 kg", id="<"),
        pytest.param("not weight <= 5", "the weight is more than 5 kg", id="<="),
        pytest.param("not weight > 5", "the weight is at most 5 kg", id=">"),
        pytest.param("not weight >= 5", "the weight is less than 5 kg", id=">="),
        pytest.param("not service == 'Night'", 'the chosen service is not "Night"', id="label"),
        pytest.param(
            "service not in ['Night', 'Express']",
            'the chosen service is neither "Night" nor "Express"',
            id="list",
        ),
        pytest.param(
            "service not in ['Night', 'Express', 'Standard']",
            'the chosen service is none of "Night", "Express" or "Standard"',
            id="longer list",
        ),
        pytest.param("'Glass' not in contents", 'the contents do not include "Glass"', id="member"),
        pytest.param("not present(due_on)", "there is no due date", id="presence"),
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
            id="sum after minus",
        ),
        pytest.param(
            "(weight + 1) * rate > 0",
            "(the weight plus 1 kg) times 1.50 USD is more than 0",
            id="sum before times",
        ),
        pytest.param(
            "rate * (weight + 1) > 0",
            "1.50 USD times (the weight plus 1 kg) is more than 0",
            id="sum after times",
        ),
        pytest.param(
            "weight + 2 * service_points > 0",
            "the weight plus twice the service points is more than 0",
            id="product of other places after plus",
        ),
        pytest.param(
            "2 * service_points - weight > 0",
            "twice the service points minus the weight is more than 0",
            id="product of other places before minus",
        ),
        pytest.param("-weight < 0", "minus the weight is less than 0 kg", id="sign"),
        pytest.param(
            "1 + (2 if fragile else 3) > service_points",
            '1 plus (2 if the breakable goods are "yes", otherwise 3) exceeds the service points',
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
            'all of these hold: (a) the breakable goods are "yes";'
            ' (b) the weight is more than 5 kg or the chosen service is "Night"',
            id="or inside and",
        ),
        pytest.param(
            "fragile and weight > 5 or service == 'Night'",
            'at least one of these holds: (a) the breakable goods are "yes" and the weight is more'
            ' than 5 kg; (b) the chosen service is "Night"',
            id="and inside or",
        ),
        pytest.param(
            "service in ['Night', 'Express'] and weight > 5",
            'the chosen service is "Night" or "Express", and the weight is more than 5 kg',
            id="labels inside and",
        ),
        pytest.param(
            "(fragile and weight > 5 or service == 'Night') and weight < 9",
            'all of these hold: (a) (at least one of these holds: (a) the breakable goods are "yes"'
            ' and the weight is more than 5 kg; (b) the chosen service is "Night");'
            " (b) the weight is less than 9 kg",
            id="three levels",
        ),
        pytest.param(
            "fragile or weight > 5 or service == 'Night'",
            'the breakable goods are "yes" or the weight is more than 5 kg'
            ' or the chosen service is "Night"',
            id="or alone",
        ),
        pytest.param(
            "fragile and (weight > 5 and service == 'Night')",
            'the breakable goods are "yes" and the weight is more than 5 kg'
            ' and the chosen service is "Night"',
            id="and inside and",
        ),
        pytest.param(
            "fragile and weight > 5 and weight < 9 and service == 'Night'",
            'all of these hold: (a) the breakable goods are "yes"; (b) the weight is more than 5'
            ' kg; (c) the weight is less than 9 kg; (d) the chosen service is "Night"',
            id="four",
        ),
        pytest.param(
            "fragile or (weight > 5 and weight < 8 and weight < 9 and service == 'Night')",
            'at least one of these holds: (a) the breakable goods are "yes"; (b) (all of these'
            " hold: (a) the weight is more than 5 kg; (b) the weight is less than 8 kg;"
            " (c) the weight is"
            ' less than 9 kg; (d) the chosen service is "Night")',
            id="list inside or",
        ),
        pytest.param(
            "fragile and weight > 5 and (service == 'Night' or weight < 9)",
            'all of these hold: (a) the breakable goods are "yes"; (b) the weight is more than 5'
            ' kg; (c) the chosen service is "Night" or the weight is less than 9 kg',
            id="or inside a list",
        ),
        pytest.param(
            "not (fragile or weight > 5 or service == 'Night')",
            'it is not the case that (the breakable goods are "yes"'
            ' or the weight is more than 5 kg or the chosen service is "Night")',
            id="row denied",
        ),
        pytest.param(
            "1 <= weight < 5 or fragile",
            "at least one of these holds: (a) the weight is at least 1 kg and less than"
            ' 5 kg; (b) the breakable goods are "yes"',
            id="chain inside or",
        ),
    ],
)
def test_and_and_or_never_mix_without_a_mark(text: str, words: str) -> None:
    assert written(text) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(
            "'Glass' in contents or 'Books' in contents",
            'the contents include "Glass" or "Books"',
            id="either",
        ),
        pytest.param(
            "'Glass' in contents and 'Books' in contents",
            'the contents include both "Glass" and "Books"',
            id="both",
        ),
        pytest.param(
            "'Glass' in contents or 'Books' in contents or 'Medicine' in contents",
            'the contents include at least one of "Glass", "Books" or "Medicine"',
            id="one of three",
        ),
        pytest.param(
            "'Glass' in contents and 'Books' in contents and 'Medicine' in contents",
            'the contents include all of "Glass", "Books" and "Medicine"',
            id="all of three",
        ),
        pytest.param(
            "'Glass' not in contents and 'Books' not in contents",
            'the contents include neither "Glass" nor "Books"',
            id="neither",
        ),
        pytest.param(
            "'Glass' not in contents or 'Books' not in contents",
            'the contents do not include both "Glass" and "Books"',
            id="not both",
        ),
        pytest.param(
            "('Glass' in contents or 'Books' in contents) and weight > 5",
            'the contents include "Glass" or "Books", and the weight is more than 5 kg',
            id="either, and more",
        ),
    ],
)
def test_members_of_one_set_are_asked_for_together(text: str, words: str) -> None:
    assert written(text) == words


def test_a_yes_no_field_with_clauses_of_its_own_says_them() -> None:
    said = Said("the parcel breaks easily", "nothing in the parcel breaks")
    fields = {**MODEL.fields, "fragile": replace(MODEL.fields["fragile"], said=said)}

    assert phrase_expression(condition(MODEL, "fragile"), fields) == "the parcel breaks easily"
    assert (
        phrase_expression(condition(MODEL, "not fragile and weight > 5"), fields)
        == "nothing in the parcel breaks and the weight is more than 5 kg"
    )


def test_a_look_up_lists_each_label_with_its_entry() -> None:
    formula = MODEL.decisions["service_points"]

    words = phrase_expression(getattr(formula, "value"), MODEL.fields)  # noqa: B009 - a table has none

    assert words == '0 for "Standard", 2 for "Express" and 4 for "Night", by the chosen service'


def test_a_label_that_a_rule_gives_is_quoted() -> None:
    assert phrase_expression(value(MODEL, "'careful'", "care"), MODEL.fields) == '"careful"'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(
            "round(weight / years, 2)",
            "the weight divided by the years of service and training, rounded to 2 decimal places",
            id="quotient",
        ),
        pytest.param(
            "round(weight, 1)",
            "the weight, rounded to 1 decimal place",
            id="rounding",
        ),
        pytest.param(
            "round(weight + tier, 1)",
            "the weight plus the copay tier, rounded to 1 decimal place",
            id="rounded sum",
        ),
        pytest.param(
            "round(weight * vat / 100, 2)",
            "7.70 percent of the weight, rounded to 2 decimal places",
            id="percentage",
        ),
        pytest.param(
            "round(weight * (100 + vat) / 100, 2)",
            "the weight plus 7.70 percent, rounded to 2 decimal places",
            id="percentage in a sum",
        ),
        pytest.param(
            "round(round(weight / years, 2) * 3, 0)",
            "(the weight divided by the years of service and training, rounded to 2 decimal"
            " places) times 3, rounded to a whole number",
            id="rounding of a rounded value",
        ),
        pytest.param(
            "1 + round(weight, 0)",
            "1 plus (the weight, rounded to a whole number)",
            id="rounding in a sum",
        ),
        pytest.param(
            "abs(score - tier)",
            "the difference between the lifestyle score and the copay tier",
            id="absolute",
        ),
        pytest.param("max(weight, 1.5)", "the weight, but at least 1.50 kg", id="at least"),
        pytest.param(
            "min(max(weight, 1.5), 9)",
            "the weight, but at least 1.50 kg and at most 9 kg",
            id="at least and at most",
        ),
        pytest.param(
            "min(score + 1, tier)",
            "the lifestyle score plus 1 point, but at most the copay tier",
            id="at most another number",
        ),
        pytest.param(
            "min(tier, max(score - 1, 0))",
            "the lifestyle score minus 1 point, but at least 0 points and at most the copay tier",
            id="at most another number, which comes first",
        ),
        pytest.param(
            "max(score - 1, tier)",
            "the lifestyle score minus 1 point, but at least the copay tier",
            id="at least another number",
        ),
        pytest.param(
            "max(score, tier)", "the larger of the lifestyle score and the copay tier", id="two"
        ),
        pytest.param(
            "1 if speed == 'Fast' else 2 if speed == 'Slow' else 3",
            '1 if the speed is "Fast", 2 if it is "Slow", otherwise 3',
            id="chain of labels",
        ),
        pytest.param(
            "1 if speed in ['Fast', 'Slow'] else 2 if speed == 'Slow' else 3",
            '1 if the speed is "Fast" or "Slow", otherwise 2 if the speed is "Slow", otherwise 3',
            id="chain of labels that meet",
        ),
        pytest.param(
            "score if score > 0 else tier",
            "the lifestyle score if it is more than 0 points, otherwise the copay tier",
            id="what is compared",
        ),
        pytest.param(
            "min(score, tier, 4)",
            "the smallest of the lifestyle score, the copay tier and 4",
            id="three",
        ),
        pytest.param(
            "1 if fragile else 2 if consent else 3",
            '1 if the breakable goods are "yes", otherwise 2 if the consent of the guardian is'
            ' "yes", otherwise 3',
            id="chain of choices",
        ),
        pytest.param(
            "count(i for i in claims)",
            "the number of claims of the year",
            id="count",
        ),
        pytest.param(
            "count(i for i in claims if i.settled and i.amount > 50)",
            "the number of entries in the claims of the year for which the entry is settled:"
            ' "yes" and the entry\'s sum asked for is more than 50 USD',
            id="count of some",
        ),
        pytest.param(
            "sum(i.amount for i in claims if i.kind == 'Fast')",
            'the total sum asked for of the claims of the year whose kind is "Fast"',
            id="sum",
        ),
        pytest.param(
            "count(i for i in claims if i.settled and i.amount > 50 and i.kind == 'Fast')",
            "the number of entries in the claims of the year for which the entry is settled:"
            " \"yes\" and the entry's sum asked for is more than 50 USD and the entry's kind is"
            ' "Fast"',
            id="count of some by a row",
        ),
        pytest.param(
            "count(i for i in claims if i.kind == 'Fast' and i.amount > 50 and 'Rug' in i.extras)",
            'the number of claims of the year whose kind is "Fast", whose sum asked for is'
            ' more than 50 USD and whose extras include "Rug"',
            id="count of some by what they have",
        ),
        pytest.param(
            "sum(i.amount * 2 for i in claims)",
            "the sum of twice the sum asked for over the claims of the year",
            id="sum of what is worked out",
        ),
        pytest.param(
            "1 if any(i.settled for i in visits) else 2",
            '1 if (the settlement of any visit is "yes"), otherwise 2',
            id="choice by the items of a list",
        ),
        pytest.param(
            "max((i.amount for i in claims), default=0)",
            "the largest sum asked for of the claims of the year, or 0 USD if there is none",
            id="largest",
        ),
        pytest.param(
            "average((i.amount for i in claims), places=1, default=0)",
            "the average sum asked for of the claims of the year, rounded to 1 decimal place,"
            " or 0 if there is none",
            id="average",
        ),
        pytest.param(
            "workdays_between(sent_on, due_on, office)",
            "the number of working days of the calendar office from the day of dispatch"
            " to the due date",
            id="working days",
        ),
    ],
)
def test_a_number_is_put_in_words(text: str, words: str) -> None:
    assert phrase_expression(parse_value(text, made.SCOPE, made.WIDE), made.FIELDS) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("add_days(due_on, 1)", "the day after the due date", id="one day"),
        pytest.param("add_days(due_on, -3)", "3 days before the due date", id="back"),
        pytest.param(
            "add_months(date_of(came_at), grace)",
            "3 months after the day of arrival",
            id="months",
        ),
        pytest.param(
            "add_days(due_on, tier + 1)",
            "the due date plus (the copay tier plus 1) (in days)",
            id="some days",
        ),
    ],
)
def test_a_day_is_put_in_words(text: str, words: str) -> None:
    assert phrase_expression(parse_value(text, made.SCOPE, ANY_DAY), made.FIELDS) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(
            "any(i.settled for i in claims if i.amount > 5)",
            "there is a claim of the year for which the entry's sum asked for is more than 5 USD"
            ' and the entry is settled: "yes"',
            id="any",
        ),
        pytest.param(
            "any(i.kind == 'Fast' for i in claims if days_between(i.paid_on, sent_on) <= 5)",
            "there is a claim of the year whose paid on is no earlier than 5 days before the day of"
            ' dispatch and whose kind is "Fast"',
            id="any by what it has",
        ),
        pytest.param(
            "count(i for i in claims if i.kind == 'Fast') >= 2 and fragile",
            'there are at least 2 claims of the year whose kind is "Fast"'
            ' and the breakable goods are "yes"',
            id="some",
        ),
        pytest.param(
            "count(i for i in claims if i.kind == 'Fast') > 0",
            'there is a claim of the year whose kind is "Fast"',
            id="more than none",
        ),
        pytest.param(
            "count(i for i in claims if i.kind == 'Fast') == 1",
            'there is exactly 1 claim of the year whose kind is "Fast"',
            id="exactly one",
        ),
        pytest.param(
            "not any(i.kind == 'Fast' for i in claims)",
            'there is no claim of the year whose kind is "Fast"',
            id="no entry",
        ),
        pytest.param(
            "not any(i.settled for i in claims) and fragile",
            '(there is no claim of the year for which the entry is settled: "yes")'
            ' and the breakable goods are "yes"',
            id="none",
        ),
        pytest.param(
            "all(not i.settled for i in claims)",
            'for every entry in the claims of the year, the entry is settled: "no"',
            id="all",
        ),
        pytest.param(
            "signed_by == manager",
            "the name of the signer is the same as the line manager",
            id="texts",
        ),
        pytest.param("speed in ['Fast']", 'the speed is "Fast"', id="one label"),
        pytest.param(
            "came_at <= '2026-02-01 08:30'",
            "the time of arrival is at or before 2026-02-01 08:30",
            id="times",
        ),
        pytest.param(
            "years >= adult_age",
            "the years of service and training are at least 1",
            id="a label with the unit",
        ),
        pytest.param("urgent", 'the case is urgent: "yes"', id="a label with a verb"),
        pytest.param("not urgent", 'the case is urgent: "no"', id="a label with a verb denied"),
        pytest.param("not not fragile", 'the breakable goods are "yes"', id="twice not"),
    ],
)
def test_a_condition_is_put_in_words(text: str, words: str) -> None:
    assert phrase_expression(parse_condition(text, made.SCOPE), made.FIELDS) == words


def test_what_is_yes_or_no_by_a_condition_says_so() -> None:
    fact = condition(MODEL, "weight > 5")

    assert (
        phrase_value(fact, MODEL.fields) == '"yes" if the weight is more than 5 kg, otherwise "no"'
    )


def test_a_value_that_a_condition_decides_is_held_together_inside_a_sentence() -> None:
    choice = value(MODEL, "1 if fragile else 2", "service_points")

    words = '1 if the breakable goods are "yes", otherwise 2'
    assert phrase_value(choice, MODEL.fields) == words
    assert phrase_value(choice, MODEL.fields, inside=True) == f"({words})"


@pytest.mark.parametrize(
    ("label", "verb"),
    [
        ("lifestyle score", "is"),
        ("service points", "are"),
        ("days since delivery", "are"),
        ("status of the cover", "is"),
        ("number of claims", "is"),
        ("claims paid", "are"),
        ("sales days planned", "are"),
        ("last days remaining", "are"),
        ("paid", "is"),
        ("address", "is"),
        ("diagnosis", "is"),
        ("people in the household", "are"),
        ("GPS", "is"),
        ("goods already in the load", "are"),
        ("logins by proxy", "are"),
    ],
)
def test_the_verb_agrees_with_the_label(label: str, verb: str) -> None:
    assert conjugate_be(label) == verb


@pytest.mark.parametrize(
    ("number", "unit", "words"),
    [
        ("1", "points", "1 point"),
        ("-1", "points", "-1 point"),
        ("2", "points", "2 points"),
        ("1.50", "hours", "1.50 hours"),
        ("1", "working days", "1 working day"),
        ("1", "boxes", "1 box"),
        ("1", "entries", "1 entry"),
        ("1", "people", "1 person"),
        ("1", "USD", "1 USD"),
        ("1", "", "1"),
    ],
)
def test_the_unit_agrees_with_the_figure(number: str, unit: str, words: str) -> None:
    assert format_quantity(number, unit) == words


def test_conditions_beyond_z_have_two_letters() -> None:
    words = join_lettered([str(number) for number in range(28)])

    assert words.startswith("(a) 0; (b) 1; ")
    assert words.endswith("; (z) 25; (aa) 26; (ab) 27")


def test_a_list_beyond_z_is_read_back() -> None:
    letters = [*ascii_lowercase, "aa", "ab"]
    facts = [
        f"({letter}) the weight is more than {place} kg" for place, letter in enumerate(letters)
    ]

    text = read_condition(f"all of these hold: {'; '.join(facts)}", build_vocabulary(MODEL))

    assert text.count(" and ") == 27
    assert text.endswith("(weight > 27))")


def test_a_label_with_a_verb_of_its_own_is_known() -> None:
    labels = ["has receipt", "was late", "receipt", "isolation"]

    assert [label for label in labels if is_fact(label)] == ["has receipt", "was late"]


def test_that_a_record_is_there_is_said_of_its_entity() -> None:
    there = Presence("customer")

    assert phrase_expression(there, {}) == "there is a record of the customer"
    assert phrase_expression(Not(there), {}) == "there is no record of the customer"


SINGULARS = (
    *("series", "species", "news", "diabetes", "lens", "bias", "canvas", "atlas", "alias"),
    *("gross", "chaos", "always", "overseas", "bus", "basis"),
)
PREPOSITIONS = (
    *("of", "at", "for", "in", "on", "since", "to", "from", "by", "with", "without", "per"),
    *("after", "before", "under", "over", "until", "within", "about", "against", "that"),
    *("between", "during", "through", "above", "below", "than", "as", "who", "which"),
)
AFTER_NOUNS = (
    *("remaining", "outstanding", "pending", "overdue", "left", "due", "taken", "given"),
    *("paid", "spent", "made", "sent", "held", "lost", "sold", "worn", "driven", "chosen"),
    *("already", "still", "now", "currently", "recently", "so", "yet"),
)


@pytest.mark.parametrize("word", SINGULARS)
def test_a_word_on_s_may_be_one_thing(word: str) -> None:
    assert conjugate_be(f"past {word}") == "is"
    assert format_quantity("1", word) == f"1 {word}"


@pytest.mark.parametrize("word", PREPOSITIONS)
def test_what_stands_after_a_preposition_does_not_number_the_label(word: str) -> None:
    assert (conjugate_be(f"claims {word} year"), conjugate_be(f"year {word} claims")) == (
        "are",
        "is",
    )


@pytest.mark.parametrize("word", AFTER_NOUNS)
def test_a_participle_after_the_noun_does_not_number_the_label(word: str) -> None:
    assert (conjugate_be(f"claims {word}"), conjugate_be(f"claim {word}")) == ("are", "is")


@pytest.mark.parametrize("word", ["people", "children", "men", "women", "data", "criteria"])
def test_some_plurals_have_no_s(word: str) -> None:
    assert conjugate_be(f"young {word}") == "are"


@pytest.mark.parametrize(
    ("many", "one"),
    [
        *(("people", "person"), ("children", "child"), ("men", "man"), ("women", "woman")),
        *(("data", "data"), ("criteria", "criteria"), ("entries", "entry"), ("taxes", "tax")),
        *(
            ("branches", "branch"),
            ("dishes", "dish"),
            ("passes", "pass"),
            ("working days", "working day"),
        ),
    ],
)
def test_after_1_a_unit_is_singular(many: str, one: str) -> None:
    assert (format_quantity("1", many), format_quantity("2", many)) == (f"1 {one}", f"2 {many}")


@pytest.mark.parametrize(
    ("places", "value", "shown"),
    [(4, 50_000, "5"), (4, 15_000, "1.50"), (4, 12_345, "1.2345"), (1, 15, "1.5"), (0, 5, "5")],
)
def test_a_figure_has_no_zeros_that_only_its_scale_adds(
    places: int, value: int, shown: str
) -> None:
    assert format_figure(NumberType(0, 99_999, places), value) == shown


@pytest.mark.parametrize("turn", ["{}", "not ({})"])
def test_each_comparison_of_a_deep_condition_is_written_once(
    turn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    depth, written_nodes = 24, 0
    compare = English.visit_compare

    def counted_compare(self: English, node: Compare, left: str, right: str) -> str:
        nonlocal written_nodes
        written_nodes += 1
        return compare(self, node, left, right)

    monkeypatch.setattr(English, "visit_compare", counted_compare)
    text = "weight > 0"
    for number in range(depth):
        text = turn.format(f"({text}) {('or', 'and')[number % 2]} weight > {number + 1}")
    words = written(text)

    assert written_nodes == depth + 1
    assert all(f"more than {number} kg" in words for number in range(depth + 1))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("weight > 5", "the weight is above 5 °C"),
        ("weight < 5", "the weight is below 5 °C"),
        ("weight >= 5", "the weight is at least 5 °C"),
        ("weight > 9 or weight < 5", "the weight is above 9 °C or below 5 °C"),
    ],
)
def test_degrees_are_above_or_below_others(text: str, words: str) -> None:
    model = parcel(("unit: kg", "unit: °C"))
    vocabulary = build_vocabulary(model)
    test = condition(model, text)

    assert phrase_expression(test, model.fields) == words
    assert condition(model, read_condition(words, vocabulary)) == test
