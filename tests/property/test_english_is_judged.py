"""What a sentence of an SOP says, judged by its words alone, is what the rule means.

The writer's table also reads, so a wrong phrase of it would go unseen between the two. The judge
here has a grammar of its own, and the reference interpreter knows nothing of English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from sopforge.language.domain.parsing import ExpressionError, parse_condition, parse_value
from sopforge.language.domain.values.types import (
    ANY_DAY,
    ANY_MINUTE,
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
    units="(?:points?|kg|years?|USD|days?|percent|minutes?)(?: old)?",
    words={name: item.missing for name, item in domain.FIELDS.items() if item.missing},
    clauses={
        "visits": {
            "it was done at speed": ("kind", "Fast", True),
            "it was not done at speed": ("kind", "Fast", False),
        }
    },
    verbs={"visits": {"paid": "paid_on"}},
    calendars=CALENDARS,
    order=domain.SPEED.values,
)
ORDERS = [domain.SPEED.values]
JUDGE = Judge(NAMES)


# Conditions for each phrase that random ones come to seldom.
RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
COMPARED = {
    "sent_on": ("'2026-02-01'",),
    "date_of(came_at)": (
        *("sent_on", "add_days(sent_on, 5)", "add_days(sent_on, -5)", "add_months(sent_on, 1)"),
        *("add_months(sent_on, -1)", "add_months(sent_on, 12)"),
    ),
    "days_between(sent_on, date_of(came_at))": ("0", "3", "-3", "tier"),
    "days_between(sent_on, '2026-02-01')": ("3",),
    "abs(days_between(sent_on, '2026-02-01'))": ("3",),
    "workdays_between(sent_on, date_of(came_at), office)": ("0", "3"),
    "minutes_between(left_at, came_at)": ("0", "30", "-30", "60"),
    "came_at": (
        *("left_at", "add_hours(left_at, 72)", "add_minutes(left_at, -90)", "add_days(left_at, 2)"),
        *("add_minutes(left_at, 45)", "add_minutes(left_at, pause)", "add_hours(left_at, tier)"),
    ),
    "count(i for i in claims)": ("0", "1", "2"),
    "count(i for i in claims if i.kind == 'Fast')": ("0", "1", "2"),
    "count(i for i in claims if i.settled)": ("count(i for i in claims if not i.settled)",),
    "sum(i.amount for i in claims)": ("0", "100", "weight"),
    "sum(i.amount for i in claims if i.kind == 'Fast')": ("10",),
    "sum(i.amount * i.parts_used for i in claims)": ("10",),
    "max((i.amount for i in claims), default=0)": ("5", "weight"),
    "min((i.amount for i in claims), default=0)": ("5",),
    "average((i.amount for i in claims), places=2, default=0)": ("50",),
    "count(extras)": ("0", "1", "2"),
    "score": ("score_limit", "5"),
    "weight": ("5",),
    "age": ("adult_age", "18"),
    "abs(score - tier)": ("3",),
    "weight * 20": ("300",),
    "round(weight * 20 / 100, 2)": ("3",),
    "min(max(score, 2), 5)": ("3",),
    "min(score, score_limit, tier)": ("3",),
    "score - (score_limit - tier)": ("3",),
    "(score + 2) * 3": ("tier",),
    "score + 2 * tier": ("3",),
    "speed": ("'Fast'", "wanted_speed"),
    "max(speed, 'Fast')": ("'Very fast'",),
    "min(speed, wanted_speed)": ("'Fast'",),
    "max(speed, wanted_speed, 'Fast')": ("'Fast'",),
    "max((i.kind for i in claims), default='Slow')": ("'Fast'", "speed"),
    "min((i.kind for i in visits if i.settled), default=speed)": ("'Fast'",),
    "(3 if speed == 'Fast' else 2 if speed == 'Slow' else 1)": ("score",),
}
FACTS_OF_ENTRIES = (
    *("i.kind >= 'Fast'", "i.kind < speed"),
    *("i.amount > 5", "i.kind == 'Fast'", "i.kind != 'Fast'", "i.kind == speed", "i.settled"),
    *("i.kind in ['Fast', 'Slow']", "'Lamp' in i.extras", "i.amount > 5 and i.kind == 'Fast'"),
    *("i.amount > 5 or i.settled", "i.amount > 5 and i.amount < 8", "i.paid_on < sent_on"),
    *("i.paid_on >= add_days(sent_on, -30)", "days_between(i.paid_on, sent_on) <= 5"),
    *("i.paid_on > add_months(sent_on, -1)", "i.paid_on < sent_on and i.kind == 'Fast'"),
)
FACTS_OF_OPTIONAL = {
    "due_on": (
        *("due_on < '2026-02-01'", "due_on != '2026-02-01'", "days_between(sent_on, due_on) <= 3"),
        *("0 <= days_between(sent_on, due_on) <= 3", "sent_on <= due_on <= add_days(sent_on, 5)"),
    ),
    "rebate": ("rebate > 5", "rebate != 5", "rebate > 5 and fragile", "(rebate > 5 or fragile)"),
    "wanted_speed": (
        *("wanted_speed == 'Fast'", "wanted_speed != 'Fast'", "wanted_speed == speed"),
        *("wanted_speed >= 'Fast'", "wanted_speed < speed"),
        *("wanted_speed != speed", "wanted_speed not in ['Fast', 'Slow']"),
    ),
    "tools": ("'Lamp' in tools", "'Lamp' not in tools"),
    "visits": (
        *("count(v for v in visits) > 2", "sum(v.amount for v in visits) > 100"),
        *("any(v.kind == 'Fast' for v in visits)", "all(v.kind == 'Fast' for v in visits)"),
        *("any(v.paid_on == sent_on for v in visits)", "any(v.settled for v in visits)"),
        *("count(v for v in visits if v.paid_on >= add_days(sent_on, -30)) > 2",),
        *("sum(v.amount for v in visits if v.kind == 'Fast') > 100",),
    ),
}
WRITTEN = {
    "comparisons": [
        f"{left} {relation} {right}"
        for left, others in COMPARED.items()
        for right in others
        for relation in RELATIONS
    ],
    "ranges": [
        text
        for part, low, high in (
            ("sent_on", "'2026-02-01'", "'2026-02-10'"),
            ("date_of(came_at)", "sent_on", "add_days(sent_on, 5)"),
            ("days_between(sent_on, date_of(came_at))", "0", "14"),
            ("minutes_between(left_at, came_at)", "0", "60"),
            ("score", "2", "5"),
            ("speed", "'Slow'", "'Fast'"),
            ("weight", "5", "10"),
        )
        for text in (
            *(f"{low} <= {part} <= {high}", f"not {low} <= {part} <= {high}"),
            *(f"{part} < {low} or {part} > {high}", f"{part} > {low} and {part} < {high}"),
        )
    ],
    "entries": [
        form.format(fact)
        for fact in FACTS_OF_ENTRIES
        for form in (
            *("any({} for i in claims)", "all({} for i in claims)", "not any({} for i in claims)"),
            *("count(i for i in claims if {}) > 1", "all(i.settled for i in claims if {})"),
        )
    ],
    "missing values": [
        form.format(name, fact)
        for name, facts in FACTS_OF_OPTIONAL.items()
        for fact in facts
        for form in (
            *("present({0}) and {1}", "not present({0}) or {1}", "not (present({0}) and {1})"),
        )
    ],
    "sets": """
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
        count(extras | ['Lamp']) > 1
        count(extras - ['Lamp']) == 0
        ('Lamp' in extras or 'Rug' in extras) and fragile
        extras <= ['Lamp', 'Rug'] and count(extras) > 0
        extras <= ['Lamp', 'Rug'] and ['Lamp', 'Rug'] <= extras
        piece in ['Lamp', 'Rug'] and piece in extras
        piece == 'Lamp' or piece in extras
        piece in extras or piece in tools
        signed_by not in ['Ada', 'Bo', 'Cleo']
        signed_by == manager or signed_by != 'Ada'
        speed == 'Fast' or speed == 'Slow'
        speed in ['Fast', 'Slow', 'Very fast']
    """.strip().splitlines(),
    "joined": """
        fragile and consent and urgent
        fragile and not consent or urgent
        (fragile or consent) and urgent
        not (fragile and (consent or urgent))
        fragile and consent or urgent and not fragile
        (fragile or consent) and (urgent or not fragile)
        not fragile and not consent
        not (not fragile and consent)
        fragile and (consent or score > 3 and urgent)
        (fragile and consent) or (urgent and score > 3) or age > 30
        fragile and not (consent and (urgent or score > 3))
        not (score == 5 or score == 8)
        score != 5 and score != 8
        score < 5 or score > 8 or fragile
        present(tools) and present(due_on) and present(rebate)
        not present(tools) and not present(due_on)
    """.strip().splitlines(),
    # Conditions whose words had two readings, or none that is documented.
    "twofold": [
        "any((i.amount > 5 or i.amount < 2) and i.parts_used == 1 for i in claims)",
        "min(max((i.amount for i in claims), default=3), 2) > 1",
    ],
}

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
    ("below", "at most", "speed < 'Fast'"),
    ("higher", "lower", "max(speed, wanted_speed) >= 'Fast'"),
    ("lowest", "highest", "min((i.kind for i in claims), default='Slow') > 'Slow'"),
    ("first", "last", "first((i.amount for i in claims), default=0) > 0"),
    ("last", "first", "last((i.kind for i in claims), default='Slow') == 'Slow'"),
    ("lower median", "largest", "median((i.amount for i in claims), default=0) > 0"),
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


ROWS = [make_row(seed) for seed in range(20)]


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
    judged, meant = JUDGE.judge(words, sort), reference.meaning(text, CALENDARS, ORDERS)

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
    if not isinstance(found, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?", found):
        return found
    return (datetime if ":" in found else date).fromisoformat(found)


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
@given(made.moments())
def test_times_are_what_they_are_said_to_be(text: str) -> None:
    hold_if_said(text, ANY_MINUTE)


@EXAMPLES
@given(made.speeds(1))
def test_labels_are_what_they_are_said_to_be(text: str) -> None:
    hold_if_said(text, domain.SPEED)


@EXAMPLES
@given(made.sets(2))
def test_sets_are_what_they_are_said_to_be(text: str) -> None:
    hold_if_said(text, domain.EXTRAS)


@pytest.mark.parametrize("group", WRITTEN)
def test_each_phrase_says_what_the_rule_means(group: str) -> None:
    for text in WRITTEN[group]:
        hold_to_judge(text.strip(), say(text.strip()))


@pytest.mark.parametrize(("words", "instead", "text"), SWAPS)
def test_a_wrong_phrase_changes_what_the_judge_says(words: str, instead: str, text: str) -> None:
    said = say(text)
    changed = said.replace(words, instead)
    assert changed != said

    judged, meant = JUDGE.judge(changed), reference.meaning(text, CALENDARS, ORDERS)

    expected = [(row, answer(meant, row)) for row in rows_for(text)]
    assert any(judged(row) != right for row, right in expected if right is not None)


def test_a_text_that_is_not_of_the_language_is_not_judged() -> None:
    with pytest.raises(UnreadError):
        JUDGE.judge("the weight is quite large")


def test_two_readings_that_differ_are_ambiguous() -> None:
    judged = JUDGE.judge('there is a visit for which the case is urgent: "yes" or the weight is 0')

    with pytest.raises(AmbiguousError):
        judged({"visits": (), "urgent": False, "weight": Fraction(0)})
