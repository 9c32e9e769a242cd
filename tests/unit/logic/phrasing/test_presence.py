"""Which presence tests words imply, and which must be said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.domain.fields import Said
from sopforge.domain.language.expressions import AllOf, Expression, Not, Presence, Read
from sopforge.domain.values.types import BOOLEAN
from sopforge.logic.english import phrase_expression
from sopforge.logic.phrasing.presence import add_implied_presence, drop_implied_presence
from sopforge.logic.phrasing.shape import compute_shape
from tests.generators import english as made
from tests.judges.english_back import understood


def expression(text: str) -> Expression:
    found = understood(text, None)
    assert found is not None
    return found


def words(text: str) -> str:
    return phrase_expression(drop_implied_presence(expression(text), made.FIELDS), made.FIELDS)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param(
            "present(wanted_speed) and wanted_speed == 'Fast'",
            'the wanted speed is "Fast"',
            id="label",
        ),
        pytest.param(
            "wanted_speed in ['Slow', 'Fast'] and present(wanted_speed)",
            'the wanted speed is "Slow" or "Fast"',
            id="labels, test after",
        ),
        pytest.param(
            "present(rebate) and rebate > 2", "the rebate is more than 2 USD", id="number"
        ),
        pytest.param(
            "present(due_on) and not due_on < sent_on",
            "the due date is on or after the day of dispatch",
            id="opposite of an order",
        ),
        pytest.param(
            "present(due_on) and days_between(sent_on, due_on) > 3",
            "the due date is more than 3 days after the day of dispatch",
            id="days apart",
        ),
        pytest.param("present(tools) and 'Rug' in tools", 'the tools include "Rug"', id="member"),
        pytest.param(
            "present(rebate) and fragile and (rebate > 2 or rebate < 0)",
            'all of these hold: (a) the breakable goods are "yes"; (b) the rebate is more than'
            " 2 USD or less than 0 USD",
            id="every alternative",
        ),
        pytest.param(
            "(present(rebate) and rebate > 2) or (present(due_on) and due_on < sent_on)",
            "the rebate is more than 2 USD or the due date is before the day of dispatch",
            id="two tests",
        ),
        pytest.param(
            "not present(rebate) or present(rebate) and rebate >= 3",
            "there is no rebate or the rebate is at least 3 USD",
            id="missing or so much",
        ),
        pytest.param(
            "not (present(rebate) and rebate > 2 and fragile)",
            "it is not the case that (the rebate is more than 2 USD and the breakable goods are"
            ' "yes")',
            id="denied group",
        ),
    ],
)
def test_a_comparison_says_that_its_value_is_there(text: str, wanted: str) -> None:
    assert words(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("present(wanted_speed) and wanted_speed != 'Fast'", id="not a label"),
        pytest.param("present(rebate) and rebate == rebate", id="two that may be missing"),
        pytest.param("present(wanted_speed) and not wanted_speed == 'Fast'", id="denied label"),
        pytest.param("present(wanted_speed) and wanted_speed not in ['Slow', 'Fast']", id="none"),
        pytest.param("present(tools) and 'Rug' not in tools", id="no member"),
        pytest.param("present(tools) and count(tools) < 2", id="size"),
        pytest.param("present(visits) and count(i for i in visits) < 2", id="entries"),
        pytest.param("present(rebate) and (rebate > 2 or fragile)", id="one alternative"),
        pytest.param("present(rebate) or rebate > 2", id="or"),
        pytest.param("not (present(rebate) and rebate > 2)", id="denied number"),
        pytest.param("not (present(wanted_speed) and wanted_speed == 'Fast')", id="denied both"),
        pytest.param("not present(rebate) or rebate > 2", id="missing or"),
        pytest.param("present(rebate) and due_on < sent_on", id="another field"),
        pytest.param("present(rebate) and max(rebate, score) > 2", id="one of two numbers"),
    ],
)
def test_what_words_leave_open_is_said(text: str) -> None:
    assert drop_implied_presence(expression(text), made.FIELDS) == expression(text)


def test_a_text_without_the_test_means_it() -> None:
    said = add_implied_presence(expression("wanted_speed == 'Fast' or not rebate > 2"), made.FIELDS)

    wanted = "present(wanted_speed) and wanted_speed == 'Fast' or present(rebate) and rebate <= 2"
    assert compute_shape(said) == compute_shape(expression(wanted))


def test_what_is_denied_in_words_of_its_own_is_no_test() -> None:
    text = "not wanted_speed == 'Fast'"

    assert add_implied_presence(expression(text), made.FIELDS) == expression(text)


def test_no_to_a_question_says_that_it_was_answered_unless_a_clause_of_its_own_says_it() -> None:
    consent = replace(made.FIELDS["consent"], missing="not asked")
    own = replace(consent, said=Said("the guardian agrees", "the guardian does not agree"))
    refused = AllOf((Presence("consent"), Not(Read(BOOLEAN, "consent"))))
    given = AllOf((Presence("consent"), Read(BOOLEAN, "consent")))

    assert drop_implied_presence(refused, {"consent": consent}) == Not(Read(BOOLEAN, "consent"))
    assert drop_implied_presence(refused, {"consent": own}) == refused
    assert drop_implied_presence(given, {"consent": own}) == Read(BOOLEAN, "consent")
