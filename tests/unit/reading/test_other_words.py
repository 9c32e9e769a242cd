"""Other words for calls, bounds, things, clauses and forms, each read alone."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.sop_comparison import compare_values
from sopforge.domain.fields import Said
from sopforge.domain.language.expressions import AnyOf
from sopforge.domain.reading import read_brief
from sopforge.reading.bound_words import name_list, reword_bounds
from sopforge.reading.call_words import reword_call, reword_ending, reword_refusal
from sopforge.reading.clause_words import index_other_clauses
from sopforge.reading.field_line_words import are_same_answers, are_same_values, reword_form
from sopforge.reading.head_words import HeadWords
from sopforge.reading.label_words import LabelWords
from sopforge.reading.rewordings import reword_passage
from sopforge.reading.sop_language import Language
from sopforge.reading.sop_passages import Passage
from sopforge.rendering.sop import frames
from tests.conftest import BRIEFS

FEE = "Calculate the \ue0000\ue001 (fee), in EUR: "
INTAKE = read_brief((BRIEFS / "patient_intake.yaml").read_text(encoding="utf-8"), "brief").model
LANGUAGE = Language(INTAKE)
LABELS = [
    *("customs value", "remaining value", "points", "score", "first mark", "second mark"),
    *("measure", "excess", "loss", "remaining cover"),
]


def reword(text: str) -> str:
    return reword_passage(Passage(text, is_bullet=False), LABELS).text


@pytest.mark.parametrize(
    "said",
    [
        "readTube is called with tube_no and day, and returns age (age, in days) and note.",
        "Query the tool readTube with tube_no and day; it returns age (age, in days) and note.",
        "Pass tube_no, day to readTube, which returns age (age, in days), and note.",
        "Use readTube with tube_no, day to obtain age (age, in days) and note.",
        "Obtain age (age, in days) and note by calling readTube with tube_no and day.",
        "With tube_no and day, call readTube. You get back age (age, in days) and note.",
        "Call readTube and give it tube_no and day; age (age, in days) and note are returned.",
        "Pass tube_no and day in a call of readTube, which returns age (age, in days) and note.",
    ],
)
def test_calls_are_put_into_one_sentence(said: str) -> None:
    assert reword_call(said) == (
        "Call the tool readTube with tube_no, day. It returns age (age, in days), note."
    )


def test_what_a_call_returns_may_be_listed_below() -> None:
    for said in (
        "Pass tube_no and day in a call of readTube, which returns:",
        "Call readTube with tube_no and day; it returns the following:",
    ):
        assert reword_call(said) == "Call the tool readTube with tube_no, day. It returns:"


def test_what_is_no_call_stays_as_it_is() -> None:
    for text in ("Call the ward with the result.", "Use the form and the file.", "Ask for a tube."):
        assert reword_call(text) == text


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("5 EUR times 3, never below 2 EUR.", "5 EUR times 3, but at least 2 EUR."),
        ("9 EUR minus 3 EUR, or 0 EUR if this is negative.",
         "9 EUR minus 3 EUR, but at least 0 EUR."),
        ("2 percent of 9 EUR, rounded to a whole number and limited to 8 EUR.",
         "(2 percent of 9 EUR, rounded to a whole number), but at most 8 EUR."),
        ("2 EUR times 3, subject to a minimum of 2 EUR and a maximum of 8 EUR.",
         "2 EUR times 3, but at least 2 EUR and at most 8 EUR."),
        # What is rounded after a bound, and what has a bound in one case only, is not turned round.
        ("9 EUR times 2, capped at 8 EUR and rounded to a whole number.",
         "9 EUR times 2, capped at 8 EUR and rounded to a whole number."),
        ("9 EUR if the sun shines, otherwise 7 EUR, capped at 8 EUR.",
         "9 EUR if the sun shines, otherwise 7 EUR, capped at 8 EUR."),
    ],
)  # fmt: skip
def test_bounds_are_said_of_all_before_them(said: str, meant: str) -> None:
    assert reword_bounds(FEE + said) == FEE + meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the driver is younger than 23 years", "the age of the driver is less than 23 years"),
        ("The driver is not older than 5 years", "The age of the driver is not more than 5 years"),
        ("the driver is at least 23 years old", "the age of the driver is at least 23 years"),
        ("the flight took longer than 5 hours", "the flight took longer than 5 hours"),
        ("the flight takes longer than 5 hours", "the flight time is more than 5 hours"),
        ("the theft happened before the sale", "the day of the theft is before the sale"),
        ("the cover ended before the theft", "the end date of the cover is before the theft"),
        ("the crate is heavier than 5 kg", "the crate is heavier than 5 kg"),
    ],
)
def test_things_are_compared_by_their_labels(said: str, meant: str) -> None:
    labels = [
        *("age of the driver", "flight time", "day of the theft", "end date of the cover"),
        *("weight of the crate", "crate weight"),  # which of both?
    ]

    assert HeadWords(labels).reword(said) == meant


def test_clauses_are_said_in_other_tenses() -> None:
    found = index_other_clauses(["the bill was paid before", "the bill was not paid before"])

    assert found["the bill has already been paid"] == "the bill was paid before"
    assert found["the bill has not yet been paid"] == "the bill was not paid before"
    assert "the bill is paid" not in found


def test_any_of_one_kind_is_one_of_it() -> None:
    found = index_other_clauses(["a party is listed", "no party is listed"])

    assert found["any party is listed"] == "a party is listed"
    assert "no party is listed" not in found


@pytest.mark.parametrize(
    ("text", "is_same"),
    [
        ('"yes" if it is, "no" if it is for standard class.', True),
        ('"yes", and "no" if the ticket is for standard class.', True),
        ('"yes" if it is for standard class, "no" if it is for first class.', False),
        ('"yes" if it is, "no" if it is for any other class.', False),
        ('"yes" if it is, "no" otherwise.', False),  # rules speak of standard class
        ('"no" if it is for standard class, "yes" if it is for first class.', True),
        ('"no" if it is for first class, "yes" if it is for standard class.', False),
        ('"yes", or "no" for a standard-class ticket.', True),
        ('"yes" for a standard-class ticket, "no" for a first-class ticket.', False),
        ('whether it is a standard-class ticket; "yes" or "no".', False),
    ],
)
def test_answers_are_explained_in_other_words(text: str, *, is_same: bool) -> None:
    said = Said("the ticket is for first class", "the ticket is for standard class")

    assert are_same_answers(text, said, f"whether {said.yes}") == is_same


def test_forms_are_put_into_one_sentence() -> None:
    known = 'well formed only as "D", then 7 digits.'

    assert reword_form('well formed only if it consists of "D" followed by seven digits.') == known
    assert reword_form('it must consist of the letter "D" and then 7 digits.') == known
    assert reword_form('well formed if it is "D", then 7 digits.') != known


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the customs value exceeds the remaining value by more than 2.5 percent of it",
         "the customs value is more than the remaining value plus 2.5 percent of it"),
        ("the customs value is at least 5 percent above the remaining value",
         "the customs value is at least the remaining value plus 5 percent of it"),
        ("the customs value falls short of the remaining value by more than 5 EUR",
         "the customs value is less than the remaining value minus 5 EUR"),
        ('"v" is among the first mark or among the second mark',
         '(the first mark include "v" or the second mark include "v")'),
        ("the score is 2 points", "the score is 2 points"),  # a unit is no label
    ],
)  # fmt: skip
def test_comparisons_are_said_in_the_words_of_rules(said: str, meant: str) -> None:
    assert reword(f"Go on if {said}.") == f"Go on if {meant}."


def test_a_share_of_another_value_is_not_that_of_the_value_compared_with() -> None:
    said = (
        "the customs value exceeds the remaining value by more than 2 percent of the customs value"
    )

    assert "of it" not in reword(f"Go on if {said}.")


def test_a_denial_is_also_true_of_what_is_missing() -> None:
    late = "the coverage end date is before the intake date"
    denied = LANGUAGE.interpret_condition(f"it is not the case that ({late})")
    opposite = LANGUAGE.interpret_condition(late.replace("before", "on or after"))
    open_ended = LANGUAGE.interpret_condition('the coverage end date is "open-ended"')

    assert compare_values(INTAKE, denied, opposite) is not None
    found = compare_values(INTAKE, denied, AnyOf((open_ended, opposite)))
    assert found is None or found.is_alike


def test_what_is_decided_is_never_missing_where_it_is_read() -> None:
    high = 'it is not the case that (the lifestyle risk level is "high")'

    assert compare_values(
        INTAKE,
        LANGUAGE.interpret_condition(high),
        LANGUAGE.interpret_condition(high.replace("it is not the case that (", "").replace(
            'is "high")', 'is not "high"')),
    ) is None  # fmt: skip


TO_A, TO_B = "step 6.1 (A)", "step 6.2 (B)"
OTHERWISE = f"\nIn all other cases, go on to {TO_B}."


@pytest.mark.parametrize(
    "said",
    [
        'Go to A if the measure is "x"; otherwise, go on to B.',
        'If the measure is "x", go to A; otherwise, go on to B.',
        'If the measure is "x", go to A. In all other cases, continue with B.',
        'If the measure is "x", proceed to A. For any other measure, go on to B.',
        'Go to A if the measure is "x", and to B otherwise.',
        'Only if the measure is "x", go to A; if not, go to B.',
        'Go to B unless the measure is "x"; in that case, go to A.',
    ],
)
def test_two_statements_in_one_are_read_as_two(said: str) -> None:
    found = reword(said.replace(" A", f" {TO_A}").replace(" B", f" {TO_B}"))
    conditions = [f'If the measure is "x", go to {TO_A}.', f'Go to {TO_A} if the measure is "x".']

    assert found in {f"{first}{OTHERWISE}" for first in conditions}


@pytest.mark.parametrize(
    "said",
    [
        f'If the measure is "x", go to {TO_A}. For any other score, go on to {TO_B}.',
        f'If the measure is "x", go to {TO_A}; perhaps, go on to {TO_B}.',
        f'Go to {TO_A} unless the measure is "x"; otherwise, go to {TO_B}.',
    ],
)
def test_what_is_not_all_other_cases_stays_where_it_is(said: str) -> None:
    assert OTHERWISE.strip() not in reword(said)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ('2 if the measure is "x", and 0 if it is not', '2 if the measure is "x", otherwise 0'),
        ('2 if the measure is not "x", and 0 if it is', '2 if the measure is not "x", otherwise 0'),
        ("2 if the score is 4 or more, and 0 if it is less",
         "2 if the score is at least 4, otherwise 0"),
        ('if the measure is "x", 2; otherwise 0', '2 if the measure is "x", otherwise 0'),
        ("the score, or the loss if the score is not above 0",
         "the loss if the score is at most 0, otherwise the score"),
        ("the loss, but the score if this is above 0",
         "the score if the score is more than 0, otherwise the loss"),
        ("less than 50 EUR of the cover remains", "the remaining cover is less than 50 EUR"),
        # What is denied, and of what, is not clear here.
        ('2 if the measure is "x" and the score is 4, and 0 if it is not',) * 2,
        ('2 if the measure is not "x", and 0 if it is not',) * 2,
        ("2 if the score is at most 4, and 0 if it is less",) * 2,
        ("less than 50 EUR of the loss remains",) * 2,
    ],
)  # fmt: skip
def test_values_of_two_cases_are_said_in_the_words_of_rules(said: str, meant: str) -> None:
    assert reword(f"{said};") == f"{meant};"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (("If the score is 2, subtract from the loss both the excess and the score; the measure is"
         " the result, but at least 0."),
         ("If the score is 2, the measure is the loss minus the excess minus the score, but at"
         " least 0.")),
        ("Otherwise, deduct 2 times the excess from the loss; the measure is what remains.",
         "Otherwise, the measure is the loss minus (2 times the excess)."),
        ("The score, in points, is the sum of the following, capped at 5:",
         "The score, in points is the sum of these, but at most 5:"),
        ("book requires an excess of no more than 5 EUR, and refuses with high if this is not met.",
         "book requires that the excess is at most 5 EUR; otherwise it refuses with high."),
        ('book accepts neither the measure "x" nor the measure "y"; it refuses both with none.',
         'book requires that the measure is neither "x" nor "y"; otherwise it refuses with none.'),
        ("This table, of which exactly one row applies, gives the measure (measure) to determine:",
         "Decide on the measure (measure) from this table. Exactly one row applies:"),
        ("This table, of which the first row that applies decides, gives the measure (measure):",
         "Decide on the measure (measure) from this table. Use the first row that applies:"),
        ("This table, of which any row may apply, gives the measure (measure) to determine:",
         "This table, of which any row may apply, gives the measure (measure) to determine:"),
        ("is fewer than 5 points, but not fewer than 2 points;",
         "is less than 5 points and at least 2 points;"),
        ("The measure, in EUR: the larger of the loss and the score, less the excess.",
         "The measure, in EUR: the larger of the loss and the score, less the excess."),
        ('book refuses the measures "x" and "y" with none.',
         'book requires that the measure is neither "x" nor "y"; otherwise it refuses with none.'),
        (('If the measure is "x", the call sets the loss on file to 0; otherwise it leaves the loss'
         " on file as it is."),
         'The call sets the loss on file to 0 if the measure is "x"; otherwise it stays as it is.'),
    ],
)  # fmt: skip
def test_sentences_are_put_into_those_of_the_rules(said: str, meant: str) -> None:
    assert reword(said).replace("points,", "points") == meant


def test_clauses_are_said_with_another_subject() -> None:
    yes, no = "the shop accepts such cards", "the shop does not accept such cards"
    found = index_other_clauses([yes, no])

    assert found["such cards are accepted by the shop"] == yes
    assert found["such cards are not accepted by the shop"] == no


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the member has not shown any proof", "the member has shown no proof"),
        ("the member has an open appeal", "an appeal of the member is open"),
        ("the member has no open appeal", "no appeal of the member is open"),
        ("payment of the bill was not made in time", "the bill was not paid in time"),
        ("the doctor has signed the form", "the form was signed by the doctor"),
        ("payment of the bill was made in time", None),
        ("the member has not shown the proof", None),
        ("the doctor has not signed the form", None),
        ("the member has a closed appeal", None),
    ],
)
def test_bare_facts_are_said_in_other_grammar(said: str, meant: str | None) -> None:
    clauses = [
        *("the member has shown no proof", "an appeal of the member is open"),
        *("no appeal of the member is open", "the bill was not paid in time"),
        "the form was signed by the doctor",
    ]

    assert index_other_clauses(clauses).get(said) == meant


@pytest.mark.parametrize(
    ("said", "known", "is_same"),
    [
        ("a number in EUR, with two decimals", "a number with 2 decimal places, in EUR", True),
        ("a number in EUR, with 1 decimal place", "a number with 2 decimal places, in EUR", False),
        ("a number in USD, with 2 decimals", "a number with 2 decimal places, in EUR", False),
        ("a whole number of points", "a whole number, in points", True),
        ("a number of points", "a whole number, in points", False),
        ('either "a" or "b"; if no step set it, "c"', '"a" or "b"; "c" if no step set it', True),
        ('"a" or "c"; if no step set it, "b"', '"a" or "b"; "c" if no step set it', False),
        ('"a" and "b"; "c" if no step set it', '"a" or "b"; "c" if no step set it', False),
        ('"a" or "b"; "c" if there is none', '"a" or "b"; "c" if no step set it', False),
        ('any of "a", "b", in any order', 'any of "a", "b", in this order', False),
        ('any of "a", "b", kept in this order', 'any of "a", "b", in this order', True),
        ('any of "b", "a", kept in this order', 'any of "a", "b", in this order', False),
        ('one of "a", "b", in this order', 'any of "a", "b", in this order', False),
        ('one of "b", "c", "a"', '"a", "b" or "c"', True),
        ('one of "b", "c", "c"', '"a", "b" or "c"', False),
        ('"c" if no step set it; otherwise "b" or "a"', '"a" or "b"; "c" if no step set it', True),
        ('"c" if no step set it, else "a" or "b"', '"a" or "b"; "c" if no step set it', True),
        ('"c" if no step set it; otherwise "a"', '"a" or "b"; "c" if no step set it', False),
        ('"a" if no step set it; otherwise "c" or "b"', '"a" or "b"; "c" if no step set it', False),
        ('"c" if a step set it; otherwise "a" or "b"', '"a" or "b"; "c" if no step set it', False),
    ],
)
def test_values_of_results_are_said_in_other_words(said: str, known: str, *, is_same: bool) -> None:
    assert are_same_values(said, known) == is_same


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ('the delay was caused by "Hail"', 'the cause of the delay is "Hail"'),
        ('the delay was not caused by "Hail"', 'the cause of the delay is not "Hail"'),
        ('the ticket is a "Rover"', 'the kind of ticket is "Rover"'),
        ('the ticket is not a "Rover"', 'the kind of ticket is not "Rover"'),
        (
            "the driver has reached the age of 23 years",
            "the age of the driver is at least 23 years",
        ),
        ("the driver is not yet 23 years old", "the age of the driver is less than 23 years"),
        ('the crate is a "Rover"', 'the crate is a "Rover"'),
    ],
)
def test_causes_kinds_and_ages_are_named_by_their_labels(said: str, meant: str) -> None:
    labels = ["cause of the delay", "kind of ticket", "age of the driver", "weight of the crate"]

    assert HeadWords(labels).reword(said) == meant


def test_parts_of_one_of_two_things_are_not_guessed() -> None:
    words = LabelWords(
        ["volume of the red tube", "volume of the blue tube", "clots of the red tube"]
    )

    assert words.reword("the volume of the red tube and the clots of that tube").endswith(
        "the clots of the red tube"
    )
    both = "the volume of the red tube, the volume of the blue tube and the clots of that tube"
    assert words.reword(both) == both


@pytest.mark.parametrize(
    ("opening", "items", "said"),
    [
        ("Stop if all two of the following are met:", ["a; and", "b."], ("all", ["a;", "b."])),
        ("Stop if both of these apply:", ["a;", "b."], ("all", ["a;", "b."])),
        ("Stop if either of these two applies:", ["a; or", "b."], ("any", ["a;", "b."])),
        ("Stop if all three of the following are met:", ["a; and", "b."], None),
        ("Stop if any of these conditions is met:", ["a; and", "b."], None),
        ("Stop if none of the following conditions is met:", ["a;", "b."], None),
    ],
)
def test_lists_are_opened_in_other_words(
    opening: str, items: list[str], said: tuple[str, list[str]] | None
) -> None:
    passage = Passage(opening, is_bullet=False, items=items)
    found = name_list(passage)

    if said is None:
        assert found.text == opening
    else:
        quantity, bare = said
        words = {"all": frames.ALL_HOLD, "any": frames.ANY_HOLDS}
        assert (found.text, found.items) == (f"Stop if {words[quantity]}:", bare)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (
            "Close the case after reporting the results (section 9).",
            "Report the results (section 9) and close the case.",
        ),
        (
            (
                "Report the results (section 9); then refer the case to the desk, enclosing the"
                " records (section 8)."
            ),
            (
                "Report the results (section 9) and hand the case to the desk with the records"
                " (section 8)."
            ),
        ),
        ("Close the case before reporting the results.", None),
        ("Report the results (section 9) and keep the case.", None),
    ],
)
def test_ends_of_cases_are_said_in_other_words(said: str, meant: str | None) -> None:
    assert reword_ending(said) == (meant or said)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (
            "Go to step 6.9 (End) if the number is malformed and readClaim thus refuses with bad.",
            "If readClaim refuses with bad, because the number is malformed, go to step 6.9 (End).",
        ),
        ("If readClaim does not refuse with bad, go to step 6.9 (End).", None),
        ("Unless readClaim refuses with bad, go to step 6.9 (End).", None),
    ],
)
def test_refusals_are_said_in_other_words(said: str, meant: str | None) -> None:
    assert reword_refusal(said) == (meant or said)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("To find the score, add up the following:", "The score is the sum of these:"),
        ("This table gives the score for each measure:", "The score, by the measure:"),
        ('if the measure is "Hail", 4.', '4 if the measure is "Hail".'),
        ('a further 4 if the measure is "Hail".', '4 if the measure is "Hail".'),
        ("To find the score, take the largest of the following:", None),
        ("This table gives the score for most measures:", None),
    ],
)
def test_lists_of_summands_and_tables_are_introduced_in_other_words(
    said: str, meant: str | None
) -> None:
    found = reword_passage(Passage(said, is_bullet=True), LABELS).text

    assert found == meant if meant else "sum of these" not in found and ", by the" not in found
