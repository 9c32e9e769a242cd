from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from sopforge.authors.sources.facts import Figure
from sopforge.authors.sources.items import list_items
from sopforge.authors.sources.labels import find_labels
from sopforge.authors.sources.prose.quantities import read_quantities, remove_numbers
from sopforge.authors.sources.prose.sentences import SentenceKind, normalize_text, read_prose
from sopforge.authors.sources.prose.units import ANY, are_same_amount, read_unit
from sopforge.language.domain.reading import read_brief
from sopforge.language.english.prose.binding import is_binding
from tests.worlds.small_models import WARRANTY


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
        ("by 2.30 pm, for 2.30 EUR", [("870", "minutes"), ("2.3", "EUR")]),
        ("twenty business days", [("20", "working days")]),
        ("one of the two checks", []),
        ("see section 4.2 and step 3", []),
        ("H.264, A4, the third attempt, no one", []),
        ("once a week", []),
        ("40p a metre, or 60 pence", [("40", "pence"), ("60", "pence")]),
        ("charged as a third one", []),
        ("Tier 2 answers in 3 hours", [("3", "hours")]),
        ("from the age of twelve up to 12 km", [("12", ""), ("12", "km")]),
        ("for 0 EUR, until 1999", []),
        ("beyond the first 40.00 EUR", [("40", "EUR")]),
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


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("It is due in less than a year.", "1", "year"),
        ("Members pay half the fee.", "50", "percent"),
        ("Two thirds are paid back.", "200/3", "percent"),
        ("It costs twice as much.", "2", ""),
        ("In 2019 it moved.", "2019", ""),
    ],
)
def test_what_a_model_may_have_need_not_lead_to_anything(text: str, value: str, unit: str) -> None:
    found = read_quantities(text)

    assert all(item.is_small for item in found)
    assert (Fraction(value), read_unit(unit)) in {(item.value, item.unit) for item in found}


def test_the_number_of_a_paragraph_is_no_figure() -> None:
    text = remove_numbers("By 3.1 a load is held, at 3.1 kg it is not.", ["3.1"])

    assert [item.text for item in read_quantities(text)] == ["3.1 kg"]


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
        (SentenceKind.HEADING, "", "Returns"),
        (SentenceKind.ITEM, "1", "Look the order up."),
        (SentenceKind.ITEM, "1", "The limit is 30 days."),
        (SentenceKind.ITEM, "2", "Ask Orders unless it is gone."),
        (SentenceKind.ROW, "", "Kind Points"),
        (SentenceKind.ROW, "", "new 2"),
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


def test_other_words_are_not_found() -> None:
    assert read_prose(DRAFT).find("The limit is 31 days.") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Refunds must be signed.", True),
        ("Pay, unless the lid is open.", True),
        ("A clerk may waive it.", True),
        ("Iffy lids are common.", False),
        ("The shop was founded by two brothers.", False),
    ],
)
def test_sentences_that_oblige_are_known_by_their_words(text: str, *, expected: bool) -> None:
    assert is_binding(text) is expected


LABELS = ("A", "decline", "review", "manual review", "sent", "sending")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("A later one is declined.", {"decline"}),
        ("It goes to a manual review, without a decline.", {"manual review", "decline"}),
        ("A review of reviews.", {"review"}),
        ("A load is held.", set()),
    ],
)
def test_labels_are_named_by_the_stems_of_their_words(text: str, named: set[str]) -> None:
    assert find_labels(text, LABELS) == named


def test_labels_of_equal_stems_cannot_be_distinguished() -> None:
    assert find_labels("It is sent.", ("sends", "sending", "sent")) == {"sent"}
    assert find_labels("She sends it.", ("sends", "sending", "sent")) == set()


def test_an_item_has_the_figures_of_its_constants_and_its_own() -> None:
    items = list_items(read_brief(WARRANTY, "warranty.yaml").model)
    months, days = Figure(Fraction(24), read_unit("months")), Figure(Fraction(760), ANY)

    second, third = items["decisions.verdict.V2"], items["decisions.verdict.V3"]
    assert (second.facts.figures, second.own) == ((replace(months, name="warranty_months"),), ())
    assert (third.facts.figures, third.own) == ((days,), (days,))
    assert {label for label, _ in third.facts.labels} == {"Partner", "free repair"}
    assert third.before == second.facts.figures
    assert third.needs_source
    assert third.has_figure(read_quantities("after two years")[0])
    assert not third.has_figure(read_quantities("after two months")[0])
    assert items["decisions.verdict"].facts.fields == {
        *("opened", "grade", "bought_on", "reported_on", "days_had"),
    }


def test_a_figure_by_which_units_are_converted_is_none_of_its_own() -> None:
    text = WARRANTY.replace("days_had <= 760", "days_had <= warranty_months * 31")
    item = list_items(read_brief(text, "warranty.yaml").model)["decisions.verdict.V3"]

    assert item.own == ()
    assert [str(figure) for figure in item.facts.figures] == ["warranty_months = 24", "31"]
