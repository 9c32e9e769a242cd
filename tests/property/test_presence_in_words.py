"""Presence tests that words imply are left out of a text, and are there again when it is read."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sopforge.domain.language.expressions import Expression
from sopforge.logic.phrasing.presence import add_implied_presence, drop_implied_presence
from sopforge.logic.phrasing.shape import compute_shape
from sopforge.solving.examining.missing_values import list_open_reads
from tests.generators import english as made
from tests.judges.english_back import is_linear, is_proved_equal, read_back, understood, values

FACTS = {
    "rebate": ("rebate > 2", "rebate <= score", "rebate != 0", "abs(rebate) + 1 == 3"),
    "wanted_speed": (
        "wanted_speed == 'Fast'",
        "wanted_speed != 'Fast'",
        "wanted_speed in ['Slow', 'Fast']",
        "wanted_speed not in ['Slow', 'Fast']",
        "wanted_speed == speed",
    ),
    "tools": ("'Rug' in tools", "'Rug' not in tools", "count(tools) < 2"),
    "due_on": (
        "due_on < sent_on",
        "days_between(sent_on, due_on) > 3",
        "add_days(due_on, 1) >= '2026-02-03'",
    ),
    "visits": ("count(i for i in visits) < 2", "any(i.settled for i in visits)"),
}


@st.composite
def guarded(draw: st.DrawFn, depth: int) -> str:
    """Return conditions in which most of what may be missing is read after a test."""
    shape = draw(st.integers(0, 6 if depth else 2))
    name = draw(st.sampled_from(sorted(FACTS)))
    fact = draw(st.sampled_from(FACTS[name]))
    if shape < 3:
        forms = (
            "(present({0}) and {1})",
            "(not present({0}) or {1})",
            "(present({0}) and not {1})",
        )
        return forms[shape].format(name, fact)
    if shape == 3:
        return f"(not {draw(guarded(depth - 1))})"
    if shape == 4:
        return f"(present({name}) and ({fact} or {draw(guarded(depth - 1))}))"
    parts = [draw(guarded(depth - 1)), draw(guarded(depth - 1)), draw(made.facts())]
    return f"({draw(st.sampled_from((' and ', ' or '))).join(parts)})"


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(guarded(2))
def test_what_a_text_leaves_out_is_there_when_it_is_read(text: str) -> None:
    expression = parsed(text)

    back = read_back(made.MODEL, drop_implied_presence(expression, made.FIELDS), is_value=False)

    meant, known = (add_implied_presence(item, made.FIELDS) for item in (back, expression))
    assert values(meant) == values(known)
    if is_linear(expression):
        assert is_proved_equal(made.MODEL, meant, known)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(guarded(2))
def test_words_mean_what_a_guarded_rule_says(text: str) -> None:
    expression = parsed(text)
    assume(not list_open_reads(made.MODEL, expression))

    assert values(add_implied_presence(expression, made.FIELDS)) == values(expression)
    assert is_proved_equal(made.MODEL, add_implied_presence(expression, made.FIELDS), expression)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(guarded(2) | made.conditions(2))
def test_what_is_meant_is_meant_once(text: str) -> None:
    meant = add_implied_presence(parsed(text), made.FIELDS)

    assert compute_shape(add_implied_presence(meant, made.FIELDS)) == compute_shape(meant)


def parsed(text: str) -> Expression:
    expression = understood(text, None)
    assume(expression is not None)
    assert expression is not None
    return expression
