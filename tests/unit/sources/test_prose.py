from __future__ import annotations

from fractions import Fraction

import pytest

from sopforge.sources.agreement.label_mentions import find_labels
from sopforge.sources.facts import Figure
from sopforge.sources.prose.bounds import read_limits
from sopforge.sources.prose.markers import is_binding, is_default, iterate_exceptions
from sopforge.sources.prose.quantities import read_quantities
from sopforge.sources.prose.sentences import Kind, normalize_text, read_prose
from sopforge.sources.prose.units import are_same_amount, read_unit


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("within thirty-five days", [("35", "days")]),
        ("a 14-day window", [("14", "days")]),
        ("EUR 5,000 and €1.5m", [("5000", "EUR"), ("1500000", "EUR")]),
        ("$3 million", [("3000000", "USD")]),
        ("between 5 and 10 percent", [("5", "percent"), ("10", "percent")]),
        ("0.85 and 30%", [("0.85", ""), ("30", "percent")]),
        ("by 14:00, or at 2 pm", [("840", "minutes"), ("840", "minutes")]),
        ("one tenth of one per cent", [("0.1", "percent")]),
        ("twenty business days", [("20", "working days")]),
        ("one of the two checks", []),
        ("see section 4.2 and step 3", []),
        ("H.264, A4, the third attempt, no one", []),
        ("less than a week", [("1", "week")]),
        ("once a week", []),
        ("40p a metre, or 60 pence", [("40", "pence"), ("60", "pence")]),
        ("charged as a third one", []),
        ("Tier 2 answers in 3 hours", [("3", "hours")]),
        ("from the age of twelve up to 12 km", [("12", "years"), ("12", "km")]),
        ("aged 16 or over", [("16", "years")]),
        ("beyond the first 40.00 EUR", [("40", "EUR")]),
        ("two pounds fifty", [("2.5", "GBP")]),
        ("96 EUR 8", [("96", "EUR"), ("8", "")]),
        ("a year more than the basic one", []),
    ],
)
def test_quantities_are_read_with_their_units(text: str, expected: list[tuple[str, str]]) -> None:
    found = [item for item in read_quantities(text, ["Tier 2"]) if not item.is_small]

    assert [item.value for item in found] == [Fraction(value) for value, _ in expected]
    assert [item.unit for item in found] == [read_unit(unit) for _, unit in expected]


def test_an_ordinal_may_be_a_figure_and_need_not_be_one() -> None:
    [item] = read_quantities("It ends on the 365th day.")
    assert (item.value, item.is_small) == (Fraction(365), True)


def test_a_year_more_may_be_a_figure_and_need_not_be_one() -> None:
    [item] = read_quantities("It has a year more than Basic.")
    assert (item.value, item.unit, item.is_small) == (Fraction(1), read_unit("year"), True)


@pytest.mark.parametrize(
    ("text", "number", "sentence"),
    [
        ("- 0.02 EUR for each kilogram", "", "0.02 EUR for each kilogram"),
        ("2.5 metres are enough.", "", "2.5 metres are enough."),
        ("2.5 Metres are counted whole.", "2.5", "Metres are counted whole."),
        ("3.1 Members pay.", "3.1", "Members pay."),
        ("4) EUR and cents are written.", "4", "EUR and cents are written."),
    ],
)
def test_a_figure_before_its_unit_is_no_number_of_a_paragraph(
    text: str, number: str, sentence: str
) -> None:
    [found] = read_prose(text).sentences
    assert (found.number, found.text) == (number, sentence)


def test_a_day_is_known_with_and_without_its_year() -> None:
    whole, part = read_quantities("from 31 March 2026 or May 2nd on")

    assert (int(whole.value), whole.is_day, whole.is_yearless) == (739_706, True, False)
    assert (int(part.value), part.is_day, part.is_yearless) == (502, True, True)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (("2", "weeks"), ("14", "days"), True),
        (("1", "year"), ("12", "months"), True),
        (("1", "year"), ("365", "days"), True),
        (("24", "hours"), ("1", "day"), True),
        (("30", "days"), ("30", "hours"), False),
        (("30", "days"), ("30", "working days"), False),
        (("30", "percent"), ("0.3", ""), True),
        (("5", ""), ("5", "points"), True),
        (("5", "EUR"), ("5", "USD"), False),
    ],
)
def test_amounts_are_compared_across_units(
    one: tuple[str, str], other: tuple[str, str], *, expected: bool
) -> None:
    values = [(Fraction(value), read_unit(unit)) for value, unit in (one, other)]

    assert are_same_amount(*values[0], *values[1]) is expected
    assert are_same_amount(*values[1], *values[0]) is expected


@pytest.mark.parametrize(
    ("text", "side", "is_upwards"),
    [
        ("more than 15 days", "below", True),
        ("exceeding the limit of 5,000 EUR", "below", True),
        ("over 18", "below", True),
        ("at most 4 kg", "below", False),
        ("up to 2 weeks", "below", False),
        ("no later than 5 working days", "below", False),
        ("EUR 500 or less", "below", False),
        ("does not exceed 40 kg", "below", False),
        ("within 30 days", "below", False),
        ("by 14:00", "below", False),
        ("at least 2 hours", "above", True),
        ("18 years or older", "above", True),
        ("not less than 3 months", "above", True),
        ("65 and over", "above", True),
        ("under 18", "above", False),
        ("up to but not including 75 percent", "above", False),
        ("fewer than 12 pieces", "above", False),
        ("before 1 May 2026", "above", False),
    ],
)
def test_a_limit_is_on_the_side_that_its_words_say(
    text: str, side: str, *, is_upwards: bool
) -> None:
    (limit,) = read_limits(text, read_quantities(text))

    assert (limit.side, limit.is_upwards) == (side, is_upwards)


def test_the_ends_of_a_range_are_no_limits() -> None:
    text = "between 5 and 10 kg, or 3 to 5 days"

    assert read_limits(text, read_quantities(text)) == ()


DRAFT = """# Returns

1. Look the order up. The limit
   is **30 days**.
2. Ask `Orders` unless it is gone.

| Kind | Points |
| --- | --- |
| new | 2 |
"""


def test_a_draft_is_read_as_sentences_of_their_kinds() -> None:
    prose = read_prose(DRAFT)

    assert [(item.kind, item.number, item.text) for item in prose.sentences] == [
        (Kind.HEADING, "", "Returns"),
        (Kind.ITEM, "1", "Look the order up."),
        (Kind.ITEM, "1", "The limit is 30 days."),
        (Kind.ITEM, "2", "Ask Orders unless it is gone."),
        (Kind.ROW, "", "Kind Points"),
        (Kind.ROW, "", "new 2"),
    ]
    assert all(prose.text[item.start : item.end] == item.text for item in prose.sentences)


@pytest.mark.parametrize(
    "quoted",
    [
        "The limit is 30 days.",
        "limit\n  is **30 days**",
        "| new | 2 |",
        "Ask `Orders`",
        "2. Ask `Orders` unless",
    ],
)
def test_a_quotation_is_found_whatever_its_markup(quoted: str) -> None:
    prose = read_prose(DRAFT)

    [place] = prose.find(quoted)

    assert normalize_text(quoted).removeprefix("2. ") == prose.text[slice(*place)]


def test_a_mark_at_a_word_leaves_no_blank() -> None:
    prose = read_prose("- **Charge**: in EUR, 2*3 each.\n\n**Hold** (`Desk`): yes.")

    assert prose.text == "Charge: in EUR, 2 3 each. Hold (Desk): yes."
    assert prose.find("Charge: in EUR") == prose.find("**Charge**: in EUR") == [(0, 14)]


def test_a_half_may_be_a_division_by_two() -> None:
    [half] = read_quantities("Members pay half the fee.")

    assert Figure(Fraction(2), is_factor=True).is_said_by(half)
    assert not Figure(Fraction(3), is_factor=True).is_said_by(half)
    assert not Figure(Fraction(2)).is_said_by(half)


def test_other_words_are_not_found() -> None:
    assert read_prose(DRAFT).find("The limit is 31 days.") == []


def test_sentences_that_oblige_are_known() -> None:
    assert is_binding("Refunds must be signed.")
    assert is_binding("Late claims are rejected.")
    assert not is_binding("The shop was founded by two brothers.")


def test_each_exception_ends_with_its_clause() -> None:
    text = "Pay at once, unless the lid is open; refuse the rest except for members, who may wait."

    assert [clause.text for clause in iterate_exceptions(text)] == [
        "unless the lid is open",
        "except for members",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("worth under £1,000 may be had", [("£1,000", False)]),
        (
            "Winter 2025/26 begins on 29 November 2025",
            [("2025", True), ("29 November 2025", False)],
        ),
        ("on the fourteenth day after it", [("fourteenth", True)]),
        ("frozen twice, then half the price", [("twice", True), ("half", True)]),
        ("two thirds of it", [("two thirds", True)]),
    ],
)
def test_what_a_model_may_leave_out_is_marked(text: str, expected: list[tuple[str, bool]]) -> None:
    assert [(item.text.strip(), item.is_small) for item in read_quantities(text)] == expected


def test_words_before_another_figure_make_no_limit_of_the_first() -> None:
    text = "Boats with one mast, at least 110 cm, and 3 or more sails"
    limits = read_limits(text, read_quantities(text))
    assert [item.words for item in limits] == ["at least 110 cm", "3 or more"]


def test_the_first_so_many_are_a_limit() -> None:
    text = "What is beyond the first 40 EUR"
    assert [item.words for item in read_limits(text, read_quantities(text))] == [
        "beyond the first 40 EUR"
    ]


def test_words_after_another_figure_make_no_limit_of_the_first() -> None:
    text = "refused to one with two or more reports"
    assert [limit.quantity.text for limit in read_limits(text, read_quantities(text))] == ["two"]


def test_an_exception_from_what_was_said_before_is_none_of_its_own() -> None:
    assert not list(iterate_exceptions("Apart from this, the award makes no difference."))
    assert list(iterate_exceptions("Apart from members, nobody pays."))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("A load gets the best grade.", set()),
        ("It is a load of grade A and dry.", {"A"}),
        ('The grade is "A".', {"A"}),
        ("a load", set()),
    ],
)
def test_the_article_is_not_the_label_a(text: str, named: set[str]) -> None:
    assert find_labels(text, ("A", "B")) == named


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Goods from abroad need a paper.", set()),
        ("The state is good.", {"good"}),
        ("It has hardly any rust, and was lately late.", {"late"}),
    ],
)
def test_a_word_with_a_meaning_of_its_own_is_not_the_label(text: str, named: set[str]) -> None:
    assert find_labels(text, ("good", "hard", "late")) == named


@pytest.mark.parametrize(
    ("text", "is_rest"),
    [
        ("everybody else pays 5 EUR", True),
        ("anything else is refused", True),
        ("nothing else is refunded", True),
        ("30 EUR and nothing else", False),
        ("this comes before anything else", False),
        ("whatever else there is", False),
    ],
)
def test_else_is_about_all_other_cases_where_it_is_said_of_cases(text: str, is_rest: bool) -> None:  # noqa: FBT001 - a case of the table
    assert is_default(text) is is_rest
