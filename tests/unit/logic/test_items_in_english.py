"""What is said of the items of a list by their own name, and read back from it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.domain.language.expressions import Expression
from sopforge.domain.parsing import ExpressionError, parse_condition, parse_value
from sopforge.logic.english import phrase_expression
from sopforge.logic.english_reader import NotReadError, build_vocabulary, read_condition, read_value
from sopforge.logic.phrasing.grammar import add_article, singularize_label
from sopforge.logic.phrasing.shape import compute_shape
from tests.generators import english as made

VOCABULARY = build_vocabulary(made.MODEL)
FAST = "any(i.kind == 'Fast' for i in claims)"
NO_FAST = "not any(i.kind == 'Fast' for i in claims)"
TWO = "count(i for i in claims if i.kind == 'Fast') >= 2"
EMPTY = "count(i for i in claims) == 0"
SOME = "sum(i.amount for i in visits if i.kind == 'Slow') > 50"
RECENT = "sum(i.amount for i in visits if days_between(i.paid_on, sent_on) <= 9) > 50"
SHARE = "average((100 if i.kind == 'Fast' else 0 for i in claims), places=0, default=0) > 5"
NEAREST = (
    "min((days_between(i.paid_on, sent_on) for i in visits if i.paid_on < due_on), default=40) > 5"
)
SOME_SAID = 'the visits of the sort "Slow" have a total size of more than 50 USD'
SHARE_SAID = (
    '(the percentage of the claims of the year whose kind is "Fast", rounded to a whole number, or'
    " 0 if there are no claims of the year) is more than 5"
)
NEAREST_SAID = (
    "(the smallest number of days from the payment day of a visit to the day of dispatch, among the"
    " visits paid before the due date, or 40 days if there is none) is more than 5 days"
)
PAID_BEFORE = "the visits paid in the 9 days before the day of dispatch or on it"
TOTAL = "sum(i.amount for i in claims if i.kind == 'Fast')"
LARGEST = "max((i.amount for i in claims), default=0)"
AVERAGE = "average((i.amount for i in claims), places=1, default=0)"


def condition(words: str) -> Expression:
    return parse_condition(read_condition(words, VOCABULARY), made.SCOPE)


def value(words: str) -> Expression:
    text = read_value(words, VOCABULARY)
    assert isinstance(text, str)
    return parse_value(text, made.SCOPE, made.WIDE)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (FAST, 'there is a claim of the year whose kind is "Fast"'),
        (FAST, 'there is at least one claim of the year whose kind is "Fast"'),
        (FAST, 'the claims of the year hold an entry whose kind is "Fast"'),
        (NO_FAST, 'there is no claim of the year whose kind is "Fast"'),
        (NO_FAST, 'the claims of the year hold no entry whose kind is "Fast"'),
        (TWO, 'there are at least 2 claims of the year whose kind is "Fast"'),
        (EMPTY, "there is no claim of the year"),
        (EMPTY, "the claims of the year have no entry"),
        (SOME, SOME_SAID),
        (RECENT, f"{PAID_BEFORE} have a total size of more than 50 USD"),
        (SHARE, SHARE_SAID),
        (NEAREST, NEAREST_SAID),
    ],
)
def test_conditions_on_items_are_read(text: str, words: str) -> None:
    meant = parse_condition(text, made.SCOPE)

    assert compute_shape(condition(words)) == compute_shape(meant)


def test_totals_shares_and_distances_of_items_are_said_as_people_say_them() -> None:
    said = [
        phrase_expression(parse_condition(text, made.SCOPE), made.FIELDS)
        for text in (SOME, RECENT, SHARE, NEAREST)
    ]

    recent = f"{PAID_BEFORE} have a total size of more than 50 USD"
    assert said == [SOME_SAID, recent, SHARE_SAID, NEAREST_SAID]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (FAST, 'there is no claim of the year whose kind is "Fast"'),
        (FAST, 'there is a claim of the year whose kind is not "Fast"'),
        (FAST, 'there is a claim of the year whose kind is "Slow"'),
        (FAST, 'there is a visit whose kind is "Fast"'),
        (FAST, 'there is a claim whose kind is "Fast"'),
        (FAST, 'there is a claim of the year whose label is "Fast"'),
        (FAST, "there is a claim of the year"),
        (FAST, 'there is only a claim of the year whose kind is "Fast"'),
        (TWO, 'there are at least 3 claims of the year whose kind is "Fast"'),
        (TWO, 'there are more than 2 claims of the year whose kind is "Fast"'),
        (TWO, 'there are 2 claims of the year whose kind is "Fast"'),
        (EMPTY, "there is at least one claim of the year"),
        (EMPTY, "there is no extra"),
        (SOME, SOME_SAID.replace("visits", "claims of the year")),
        (SOME, SOME_SAID.replace("total size", "total settlement")),
        (RECENT, f"{PAID_BEFORE} have a total size of at least 50 USD"),
        (RECENT, f"{PAID_BEFORE.removesuffix(' or on it')} have a total size of more than 50 USD"),
        (RECENT, f"{PAID_BEFORE.replace('9', '8')} have a total size of more than 50 USD"),
        (RECENT, f"{PAID_BEFORE} have a total size of more than 50 days"),
        (SHARE, SHARE_SAID.replace('is "Fast"', 'is not "Fast"')),
        (SHARE, SHARE_SAID.replace("a whole number", "1 decimal place")),
        (NEAREST, NEAREST_SAID.replace("smallest", "largest")),
        (NEAREST, NEAREST_SAID.replace("paid before", "paid on or before")),
        (NEAREST, NEAREST_SAID.replace("among the visits", "among the claims of the year")),
        (NEAREST, NEAREST_SAID.replace("40 days", "41 days")),
        (SHARE, SHARE_SAID.replace("if there are no claims of the year", "if there are no visits")),
        (SHARE, SHARE_SAID.replace("if there are no claims of the year", "if there is none")),
    ],
)
def test_other_conditions_on_items_are_noticed(text: str, words: str) -> None:
    meant = parse_condition(text, made.SCOPE)

    try:
        found = condition(words)
    except (NotReadError, ExpressionError):
        return
    assert compute_shape(found) != compute_shape(meant)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("count(i for i in claims)", "the number of claims of the year"),
        ("count(i for i in claims)", "the number of entries in the claims of the year"),
        (TOTAL, 'the total sum asked for of the claims of the year whose kind is "Fast"'),
        (
            TOTAL,
            (
                "the sum of the sum asked for of the entries in the claims of the year"
                ' whose kind is "Fast"'
            ),
        ),
        (LARGEST, "the largest sum asked for of the claims of the year, or 0 if there is none"),
        (
            AVERAGE,
            (
                "the average sum asked for of the claims of the year, rounded to 1 decimal place,"
                " or 0 if there is none"
            ),
        ),
    ],
)
def test_numbers_of_items_are_read(text: str, words: str) -> None:
    meant = parse_value(text, made.SCOPE, made.WIDE)

    assert compute_shape(value(words)) == compute_shape(meant)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("count(i for i in claims)", "the number of visits"),
        ("count(i for i in claims)", "the number of sums asked for"),
        (TOTAL, "the total sum asked for of the claims of the year"),
        (TOTAL, 'the average sum asked for of the claims of the year whose kind is "Fast"'),
        (TOTAL, 'the total sum asked for of the visits whose kind is "Fast"'),
        (TOTAL, 'the total kind of the claims of the year whose kind is "Fast"'),
        (LARGEST, "the smallest sum asked for of the claims of the year, or 0 if there is none"),
        (LARGEST, "the largest sum asked for of the claims of the year, or 1 if there is none"),
        (LARGEST, "the largest sum asked for of the claims of the year"),
        (
            AVERAGE,
            (
                "the average sum asked for of the claims of the year, rounded to 2 decimal places,"
                " or 0 if there is none"
            ),
        ),
    ],
)
def test_other_numbers_of_items_are_noticed(text: str, words: str) -> None:
    meant = parse_value(text, made.SCOPE, made.WIDE)

    try:
        found = value(words)
    except (NotReadError, ExpressionError):
        return
    assert compute_shape(found) != compute_shape(meant)


def test_items_are_entries_where_a_label_is_like_their_number() -> None:
    label = "number of claims of the year"
    fields = {**made.FIELDS, "score": replace(made.FIELDS["score"], label=label)}
    count = parse_value("count(i for i in claims)", made.SCOPE, made.WIDE)
    some = parse_value("count(i for i in claims if i.kind == 'Fast')", made.SCOPE, made.WIDE)

    assert phrase_expression(count, fields) == "the number of entries in the claims of the year"
    assert phrase_expression(some, fields).startswith("the number of entries in")

    model = replace(made.MODEL, fields=fields)
    assert read_value(f"the {label}", build_vocabulary(model)) == "score"


def test_items_have_their_name_beside_a_longer_label() -> None:
    label = "number of claims of the year before"
    fields = {**made.FIELDS, "score": replace(made.FIELDS["score"], label=label)}
    some = parse_value("count(i for i in claims if i.kind == 'Fast')", made.SCOPE, made.WIDE)
    model = replace(made.MODEL, fields=fields)
    words = phrase_expression(some, fields)

    assert words == 'the number of claims of the year whose kind is "Fast"'
    assert str(read_value(words, build_vocabulary(model))).startswith("count(")
    assert read_value(f"the {label}", build_vocabulary(model)) == "score"


@pytest.mark.parametrize(
    ("label", "one"),
    [
        ("lines of the claim", "line of the claim"),
        ("previous surgeries", "previous surgery"),
        ("strikes", "strike"),
        ("parts returned", "part returned"),
        ("analyses", ""),
        ("history of claims", ""),
        ("data", ""),
        ("people", "person"),
    ],
)
def test_what_one_of_several_is_called(label: str, one: str) -> None:
    assert singularize_label(label) == one


def test_an_article_fits_its_noun() -> None:
    assert (add_article("incident"), add_article("strike")) == ("an incident", "a strike")
