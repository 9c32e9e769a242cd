"""What a sentence of an SOP says, judged by its words alone, is what the rule means.

The writer's table also reads, so a wrong phrase of it would go unseen between the two. The judge
here has a grammar of its own, and the reference interpreter knows nothing of English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from sopforge.language.domain.parsing import ExpressionError, parse_condition, parse_value
from sopforge.language.domain.values.types import (
    ANY_DAY,
    BOOLEAN,
    DateTimeType,
    DateType,
    DurationType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)
from sopforge.language.english.english import English
from sopforge.language.english.lexicon import Lexicon
from sopforge.language.english.meaning import Meaning
from sopforge.language.english.terms import drop_names
from tests.generators import english as made
from tests.generators import english_domain as domain
from tests.generators.scopes import natural
from tests.judges import reference_interpreter as reference
from tests.judges.english_judge import AmbiguousError, Judge, Names, UnreadError

ENGLISH = English(Lexicon(domain.FIELDS))
CALENDARS = {"office": frozenset(map(date.fromordinal, domain.OFFICE.holidays))}
KINDS: dict[type[Any], str] = {
    NumberType: "num",
    DurationType: "num",
    type(BOOLEAN): "truth",
    EnumType: "label",
    TextType: "label",
    SetType: "set",
    DateType: "day",
    DateTimeType: "time",
    ListType: "list",
}
SHORT = 80
EXAMPLES = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)

# ------------------------------------------------------------------------- what the texts call it

NAMES = Names(
    fields={
        **{
            f"the {item.label}": (KINDS[type(item.type)], name)
            for name, item in domain.FIELDS.items()
        },
        "the case is urgent:": ("truth", "urgent"),
        "the parcel weighs": ("num", "weight"),
        "the sender is": ("num", "age"),
        "the day of arrival": ("day", "came_at"),
        "the day of leaving": ("day", "left_at"),
    },
    lists={"claims": ("claims of the year", "claim of the year"), "visits": ("visits", "visit")},
    parts={
        "claims": {
            "sum asked for": ("num", "amount"),
            "size": ("num", "parts_used"),
            "kind": ("label", "kind"),
            "the entry is settled:": ("truth", "settled"),
            "paid on": ("day", "paid_on"),
            "extras": ("set", "extras"),
        },
        "visits": {
            "size": ("num", "amount"),
            "parts used": ("num", "parts_used"),
            "sort": ("label", "kind"),
            "settlement": ("truth", "settled"),
            "payment day": ("day", "paid_on"),
            "extras": ("set", "extras"),
        },
    },
    units="(?:points?|kg|years?(?: old)?|USD|days?|percent|minutes?)",
    words={name: item.missing for name, item in domain.FIELDS.items() if item.missing},
    clauses={
        "visits": {
            "it was done at speed": ("kind", "Fast", True),
            "it was not done at speed": ("kind", "Fast", False),
        }
    },
    verbs={"visits": {"paid": "paid_on"}},
    calendars=CALENDARS,
)
JUDGE = Judge(NAMES)


# One condition for each phrase that random ones come to seldom.
WRITTEN = {
    "days": """
        days_between(sent_on, '2026-02-01') > 3
        days_between(sent_on, '2026-02-01') == 3
        days_between('2026-02-01', sent_on) >= 3
        days_between(sent_on, '2026-02-01') != 3
        '2026-02-01' <= sent_on <= '2026-02-10'
        not '2026-02-01' <= sent_on <= '2026-02-10'
        '2026-02-01' < sent_on <= '2026-02-10'
        date_of(came_at) > sent_on
        add_months(sent_on, 6) >= date_of(came_at)
        date_of(came_at) < add_days(sent_on, 5)
        date_of(came_at) != add_days(sent_on, -5)
        abs(days_between(sent_on, '2026-02-01')) > 3
        '2026-02-01' < sent_on and sent_on < '2026-02-20'
        sent_on < '2026-02-01' or sent_on > '2026-02-20'
        sent_on <= date_of(came_at) <= add_days(sent_on, 5)
        not (sent_on <= date_of(came_at) <= add_days(sent_on, 5))
        add_days(sent_on, -5) <= date_of(came_at) <= sent_on
        date_of(came_at) >= add_days(sent_on, -5)
        date_of(came_at) <= add_days(sent_on, -5)
        date_of(came_at) > add_days(sent_on, -5)
        date_of(came_at) < add_days(sent_on, -5)
        date_of(came_at) == add_days(sent_on, -5)
        date_of(came_at) >= add_days(sent_on, 5)
        date_of(came_at) > add_days(sent_on, 5)
        date_of(came_at) >= add_months(sent_on, 1)
        date_of(came_at) < add_months(sent_on, 1)
        date_of(came_at) <= add_months(sent_on, -1)
        date_of(came_at) < add_months(sent_on, -1)
        date_of(came_at) > add_months(sent_on, -1)
        date_of(came_at) >= add_months(sent_on, -1)
        date_of(came_at) != add_months(sent_on, -1)
        date_of(came_at) <= add_months(sent_on, 12)
        date_of(came_at) > add_months(sent_on, 24)
        date_of(came_at) == add_months(sent_on, 12)
        days_between(sent_on, date_of(came_at)) < 0
        days_between(sent_on, date_of(came_at)) <= 0
        days_between(sent_on, date_of(came_at)) > 0
        days_between(sent_on, date_of(came_at)) == 0
        days_between(sent_on, date_of(came_at)) < -3
        days_between(sent_on, date_of(came_at)) <= -3
        days_between(sent_on, date_of(came_at)) > -3
        days_between(sent_on, date_of(came_at)) != 3
        days_between(sent_on, date_of(came_at)) <= tier
        days_between(sent_on, date_of(came_at)) > tier
        0 <= days_between(sent_on, date_of(came_at)) <= 14
        3 <= days_between(sent_on, date_of(came_at)) <= 14
        days_between(sent_on, date_of(came_at)) < 3 or days_between(sent_on, date_of(came_at)) > 14
        workdays_between(sent_on, date_of(came_at), office) > 3
        workdays_between(sent_on, date_of(came_at), office) == 0
    """,
    "times": """
        minutes_between(left_at, came_at) > 30
        minutes_between(left_at, came_at) < 30
        minutes_between(left_at, came_at) == 30
        not came_at < left_at
        minutes_between(left_at, came_at) >= 60
        minutes_between(left_at, came_at) <= 0
        minutes_between(left_at, came_at) < -30
        minutes_between(left_at, came_at) > 0
        0 <= minutes_between(left_at, came_at) <= 60
    """,
    "entries": """
        present(visits) and any(v.amount > 5 for v in visits)
        present(visits) and count(v for v in visits) > 2
        present(visits) and count(v for v in visits) == 0
        present(visits) and sum(v.amount for v in visits) > 100
        present(visits) and sum(v.amount for v in visits if v.kind == 'Fast') > 100
        not present(visits) or count(v for v in visits) == 0
        count(i for i in claims) == 0
        count(i for i in claims) == 1
        count(i for i in claims) > 0
        count(i for i in claims) >= 1
        count(i for i in claims) >= 2
        count(i for i in claims if i.kind == 'Fast') >= 2
        count(i for i in claims if i.amount > 5) == 0
        sum(i.amount for i in claims) >= 100
        sum(i.parts_used for i in claims) >= 10
        not any(i.amount > 5 for i in claims)
        any(i.amount > 5 and i.kind == 'Fast' for i in claims)
        all(i.amount > 5 for i in claims)
        all(i.kind == 'Fast' for i in claims)
        all(i.kind == 'Fast' for i in claims if i.amount > 5)
        not all(i.amount > 5 for i in claims)
        max((i.amount for i in claims), default=0) > 50
        average((i.amount for i in claims), places=2, default=0) > 50
        any(i.paid_on < sent_on for i in claims)
        any(i.paid_on >= sent_on for i in claims)
        present(visits) and any(v.paid_on >= add_days(sent_on, -30) for v in visits)
        present(visits) and count(v for v in visits if v.paid_on >= add_days(sent_on, -30)) > 2
        any(i.amount > 5 and i.settled for i in claims)
        any(i.amount > 5 or i.settled for i in claims)
        any(i.amount > 5 and i.amount < 8 for i in claims)
        any(i.parts_used >= 2 for i in claims)
        any(i.kind == speed for i in claims)
        any(i.kind in ['Fast', 'Slow'] for i in claims)
        any(i.kind != 'Fast' for i in claims)
        any('Lamp' in i.extras for i in claims)
        not any('Lamp' in i.extras for i in claims)
        not any(i.kind == 'Fast' and i.amount > 5 for i in claims)
        all(i.kind == 'Fast' or i.amount > 5 for i in claims)
        all(i.settled for i in claims if i.kind == 'Fast')
        not all(i.settled for i in claims if i.kind == 'Fast')
        count(i for i in claims if i.amount > 5) > 1
        count(i for i in claims if i.amount > 5) < 2
        count(i for i in claims if i.amount > 5) <= 1
        count(i for i in claims if i.amount > 5) != 1
        count(i for i in claims if i.settled) > count(i for i in claims if not i.settled)
        sum(i.amount for i in claims if i.kind == 'Fast') < 10
        sum(i.amount * i.parts_used for i in claims) > 10
        sum(i.amount for i in claims) > weight
        sum(i.amount for i in claims) == 0
        max((i.amount for i in claims), default=0) <= 5
        min((i.amount for i in claims), default=0) > 5
        min((i.amount for i in claims), default=0) < 5
        max((i.amount for i in claims), default=0) < weight
        average((i.parts_used for i in claims), places=1, default=0) >= 2
        round(count(i for i in claims if i.settled) / max(count(i for i in claims), 1), 1) > 0.5
        present(visits) and any(v.kind == 'Fast' for v in visits)
        present(visits) and any(v.kind != 'Fast' for v in visits)
        present(visits) and all(v.kind == 'Fast' for v in visits)
        present(visits) and not any(v.kind == 'Fast' for v in visits)
        present(visits) and any(v.settled for v in visits)
        present(visits) and any(not v.settled for v in visits)
        present(visits) and any(v.paid_on < add_days(sent_on, -5) for v in visits)
        present(visits) and any(v.paid_on < sent_on and v.kind == 'Fast' for v in visits)
        present(visits) and any(v.paid_on == sent_on for v in visits)
        present(visits) and any(v.paid_on > add_days(sent_on, -5) and v.amount > 5 for v in visits)
        present(visits) and any(v.paid_on > add_months(sent_on, -1) for v in visits)
        present(visits) and any(v.paid_on >= add_months(sent_on, -1) for v in visits)
        present(visits) and any(v.paid_on < add_months(sent_on, -1) for v in visits)
        present(visits) and count(v for v in visits if v.paid_on < sent_on and v.settled) >= 2
        present(visits) and any(days_between(v.paid_on, sent_on) <= 5 for v in visits)
        present(visits) and any(days_between(v.paid_on, sent_on) > 5 for v in visits)
        present(visits) and any(v.paid_on > '2026-02-01' for v in visits)
        any(days_between(i.paid_on, sent_on) <= 5 for i in claims)
    """,
    "sets": """
        count(extras) == 0
        count(extras) == 1
        count(extras) > 1
        count(extras) >= 1
        count(tools) < 2
        'Lamp' in extras or 'Rug' in extras
        'Lamp' in extras and 'Rug' in extras
        'Lamp' in extras or 'Rug' in extras or 'Chair' in extras
        'Lamp' not in extras and 'Rug' not in extras
        'Lamp' not in extras and 'Rug' not in extras and 'Chair' not in extras
        'Lamp' not in extras or 'Rug' not in extras
        not ('Lamp' in extras and 'Rug' in extras and 'Chair' in extras)
        extras <= tools
        tools <= extras and extras <= tools
        not (extras <= tools)
        piece in tools
        count(extras | ['Lamp']) > 1
        count(extras - ['Lamp']) == 0
        'Lamp' in extras and 'Rug' not in extras
        'Lamp' in extras and fragile
        ('Lamp' in extras or 'Rug' in extras) and fragile
        extras <= ['Lamp', 'Rug'] and count(extras) > 0
        extras <= ['Lamp', 'Rug'] and ['Lamp', 'Rug'] <= extras
        piece in ['Lamp', 'Rug'] and piece in extras
        piece == 'Lamp' or piece in extras
        piece in extras or piece in tools
    """,
    "missing values": """
        present(due_on) and due_on < '2026-02-01'
        present(due_on) and due_on != '2026-02-01'
        not present(due_on) or due_on < '2026-02-01'
        not present(due_on)
        not (present(due_on) and due_on < '2026-02-01')
        present(rebate) and rebate > 5
        present(rebate) and rebate != 5
        not present(rebate) or rebate != 5
        not present(rebate) or rebate > 5
        not present(rebate)
        present(wanted_speed) and wanted_speed != 'Fast'
        not present(wanted_speed) or wanted_speed != 'Fast'
        not present(wanted_speed) or wanted_speed == 'Fast'
        not present(wanted_speed) or wanted_speed not in ['Fast', 'Slow']
        present(wanted_speed) and wanted_speed not in ['Fast', 'Slow']
        present(wanted_speed) and wanted_speed == 'Fast'
        present(wanted_speed) and wanted_speed == speed
        present(wanted_speed) and wanted_speed != speed
        not present(wanted_speed) or wanted_speed != speed
        present(tools) and 'Lamp' in tools
        present(tools) and 'Lamp' not in tools
        not present(tools) or 'Lamp' not in tools
        not present(tools)
        present(due_on) and days_between(sent_on, due_on) <= 3
        present(due_on) and 0 <= days_between(sent_on, due_on) <= 3
        present(due_on) and not 0 <= days_between(sent_on, due_on) <= 3
        present(due_on) and sent_on <= due_on and due_on <= add_days(sent_on, 5)
        not present(tools) and not present(due_on)
        present(tools) or present(due_on)
        present(tools) and present(due_on) and present(rebate)
        not (present(wanted_speed) and wanted_speed == 'Fast')
        not (present(wanted_speed) and wanted_speed in ['Fast', 'Slow'])
        not (present(rebate) and rebate > 5)
        present(rebate) and rebate > 5 and fragile
        present(rebate) and (rebate > 5 or fragile)
        not present(rebate) or rebate > 5 and fragile
    """,
    "labels": """
        signed_by in ['Ada', 'Bo']
        signed_by not in ['Ada', 'Bo', 'Cleo']
        signed_by == manager or signed_by != 'Ada'
        speed == 'Fast' or speed == 'Slow'
        speed in ['Fast', 'Slow', 'Very fast']
        (3 if speed == 'Fast' else 2 if speed == 'Slow' else 1) > score
    """,
    "numbers": """
        2 <= score < 5
        2 <= score <= 5
        2 < score < 5
        weight >= 5
        5 <= weight <= 10
        not 5 <= weight <= 10
        weight > 20 and age < 18
        age >= adult_age
        age != 18
        age == 18
        not (weight == 5)
        score_limit < score
        score > score_limit
        max(score, 3) > 4
        abs(score) > 3
        round(weight, 0) > 4
        rebate < 0
        round(weight * 20 / 100, 2) > 3
        weight * 20 > 300
        min(max(score, 2), 5) > 3
        max(score, score_limit) > 3
        min(score, score_limit, tier) > 3
        score + score_limit - tier > 3
        score - (score_limit - tier) > 3
        (score + 2) * 3 > tier
        score + 2 * tier > 3
        score * 2 + tier > 3
        abs(score - tier) > 3
        abs(weight - 5) > 3
        score > 5 and score < 8
        score < 5 or score > 8
        not (score < 5 or score > 8)
        not (score == 5 or score == 8)
        score == 5 or score == 8
        score != 5 and score != 8
    """,
    "joined": """
        fragile and consent and urgent
        not fragile
        not urgent
        fragile and not consent or urgent
        (fragile or consent) and urgent
        not (fragile and (consent or urgent))
        fragile and consent or urgent and not fragile
        (fragile or consent) and (urgent or not fragile)
        speed in ['Fast', 'Slow'] and fragile
        (score if fragile else 3) > 2
        score < 5 or score > 8 or fragile
        fragile or consent or urgent
        not fragile and not consent
        not (fragile or consent)
        not (fragile and consent)
        not (not fragile and consent)
        fragile and (consent or score > 3 and urgent)
        fragile or consent and (urgent or score > 3)
        (fragile and consent) or (urgent and score > 3) or age > 30
        fragile and not (consent and (urgent or score > 3))
    """,
}
# Conditions whose words had two readings, or none that is documented.
TWOFOLD = (
    "any((i.amount > 5 or i.amount < 2) and i.parts_used == 1 for i in claims)",
    "min(max((i.amount for i in claims), default=3), 2) > 1",
)

# What is said, a wrong phrase instead, and the rule.
SWAPS = (
    ("exactly", "at least", "weight == 5"),
    ("exceeds", "is less than", "score > score_limit"),
    ("on or before", "before", "sent_on <= '2026-02-10'"),
    ("no later than", "at least", "date_of(came_at) <= add_days(sent_on, 5)"),
    ("both", "neither", "'Lamp' in extras and 'Rug' in extras"),
    ("all of these hold", "at least one of these holds", "(fragile or consent) and urgent"),
    ("there is no rebate", "the rebate is given", "not present(rebate) or fragile"),
    ("plus", "minus", "score + score_limit > 3"),
    ("20 percent", "30 percent", "round(weight * 20 / 100, 2) > 1"),
    ("smallest", "largest", "min((i.amount for i in claims), default=0) > 0"),
)


# ------------------------------------------------------------------------------------------ rows


def make_row(seed: int) -> Mapping[str, Any]:
    """Return a row; no visit is paid after the day of dispatch, as the fields say."""
    stored = domain.random_row(Random(seed))  # noqa: S311 - no secret
    row = {name: natural(item.type, stored[name]) for name, item in domain.FIELDS.items()}
    last = row["sent_on"]
    if row["visits"]:
        row["visits"] = tuple(
            {**item, "paid_on": min(item["paid_on"], last)} for item in row["visits"]
        )
    return row | {name: natural(item.type, item.value) for name, item in domain.CONSTANTS.items()}


ROWS = [make_row(seed) for seed in range(30)]


def rows_for(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield rows, and some that have what a text compares with, and the values beside it."""
    yield from ROWS
    numbers = [Fraction(found) for found in re.findall(r"(?<![-\d])-?\d+(?:\.\d+)?(?![-\d])", text)]
    found_days = [date.fromisoformat(found) for found in re.findall(r"\d{4}-\d\d-\d\d", text)]
    for name in sorted(set(re.findall(r"\w+", text)) & set(domain.FIELDS)):
        near: set[Any] = set()
        match domain.FIELDS[name].type:
            case NumberType(places=places) as kind:
                step = Fraction(1, 10**places)
                low, high = natural(kind, kind.minimum), natural(kind, kind.maximum)
                beside = {number + step * side for number in numbers for side in (-1, 0, 1)}
                near = {value for value in beside if low <= value <= high and not value % step}
            case DateType():
                near = {day + timedelta(days=side) for day in found_days for side in (-1, 0, 1)}
            case _:
                pass
        yield from ({**ROWS[0], "visits": (), name: value} for value in near)


# --------------------------------------------------------------------------------------- judging


def say(text: str, kind: ValueType | None = None) -> str:
    """Return the words for a condition or value."""
    found = parse_value(text, domain.SCOPE, kind) if kind else parse_condition(text, domain.SCOPE)
    sort = "value" if kind else "condition"
    return ENGLISH.say(sort, drop_names(Meaning(domain.FIELDS).interpret(found)))


def hold_to_judge(text: str, words: str, kind: ValueType | None = None) -> None:
    """Compare what the words say with what the text means, on rows where it means something."""
    sort = "cond" if kind is None else f"{KINDS[type(kind)]}x"
    judged, meant = JUDGE.judge(words, sort), reference.meaning(text, CALENDARS)

    for row in rows_for(text):
        if (expected := answer(meant, row)) is not None:
            assert judged(row) == expected, (words, row)


def hold_if_said(text: str, kind: ValueType | None = None) -> None:
    """Leave out what the language refuses, and what is shown as the rule itself."""
    try:
        words = say(text, kind)
    except ExpressionError:
        words = "`"
    assume("`" not in words)

    hold_to_judge(text, words, kind)


def answer(meant: Callable[[Any], Any], row: Mapping[str, Any]) -> Any:  # noqa: ANN401 - of any kind
    """Return what a text means on a row, None where it reads a value that is missing."""
    try:
        found = meant(row)
    except AssertionError:
        return None
    is_day = isinstance(found, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", found)
    return date.fromisoformat(found) if is_day else found


@EXAMPLES
@given(made.conditions(1).filter(lambda text: len(text) < SHORT))
def test_conditions_say_what_the_rule_means(text: str) -> None:
    hold_if_said(text)


@EXAMPLES
@given(made.facts() | made.comparisons(0))
def test_facts_say_what_the_rule_means(text: str) -> None:
    hold_if_said(text)


@EXAMPLES
@given((made.sums(1) | made.choices(1) | made.aggregates()).filter(lambda text: len(text) < SHORT))
def test_numbers_are_what_they_are_said_to_be(text: str) -> None:
    hold_if_said(text, domain.WIDE)


@EXAMPLES
@given(made.days(1))
def test_days_are_what_they_are_said_to_be(text: str) -> None:
    hold_if_said(text, ANY_DAY)


@EXAMPLES
@given(made.sets(2))
def test_sets_are_what_they_are_said_to_be(text: str) -> None:
    hold_if_said(text, domain.EXTRAS)


@pytest.mark.parametrize("group", WRITTEN)
def test_each_phrase_says_what_the_rule_means(group: str) -> None:
    for text in WRITTEN[group].strip().splitlines():
        hold_to_judge(text.strip(), say(text.strip()))


@pytest.mark.parametrize(("words", "instead", "text"), SWAPS)
def test_a_wrong_phrase_changes_what_the_judge_says(words: str, instead: str, text: str) -> None:
    said = say(text)
    changed = said.replace(words, instead)
    assert changed != said

    judged, meant = JUDGE.judge(changed), reference.meaning(text, CALENDARS)

    expected = [(row, answer(meant, row)) for row in rows_for(text)]
    assert any(judged(row) != right for row, right in expected if right is not None)


@pytest.mark.parametrize("text", TWOFOLD)
def test_no_words_have_two_meanings(text: str) -> None:
    hold_to_judge(text, say(text))


def test_a_text_that_is_not_of_the_language_is_not_judged() -> None:
    with pytest.raises(UnreadError):
        JUDGE.judge("the weight is quite large")


def test_two_readings_that_differ_are_ambiguous() -> None:
    judged = JUDGE.judge('there is a visit for which the case is urgent: "yes" or the weight is 0')

    with pytest.raises(AmbiguousError):
        judged({"visits": (), "urgent": False, "weight": Fraction(0)})
