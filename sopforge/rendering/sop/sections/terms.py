"""How to read the rules of a model: what counting, rounding and lists mean, as far as they occur.

The sentences name no figure: a figure in the text is one of the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from sopforge.domain.language.expressions import (
    AddMonths,
    Aggregate,
    AggregateFunction,
    Arithmetic,
    Compare,
    Elapsed,
    Expression,
    Quotient,
    Selection,
    Size,
    Span,
    Subset,
    Workdays,
    collect_named_constants,
    list_children,
    walk,
)
from sopforge.domain.model import DomainModel, collect_deciding_expressions
from sopforge.logic.phrasing.brackets import get_unit, is_percent
from sopforge.logic.phrasing.grammar import join_items
from sopforge.logic.phrasing.idioms import find_days_apart
from sopforge.rendering.sop.document import Line, Style

_DAYS = (
    "A number of days from one date to another counts the days after the first date, up to and"
    " with the second: it is zero where both are the same day, and negative where the second is"
    " earlier."
)
_APART = (
    'A day after another one lies a negative number of days before it: "at most" or "less than"'
    " some days before a day therefore takes in that day and every later one, too. Days after a day"
    " are counted likewise."
)
_MINUTES = (
    "A number of minutes from one time to another is negative where the second time is earlier."
)
_MONTHS = (
    "A day some months after another has the same number in its month; where that month has no"
    " such day, it is the last day of that month. So a month after the last day of January is the"
    " last day of February."
)
_WORKDAYS = (
    "Working days are Mondays to Fridays, except the holidays of their calendar. A number of"
    " working days from one date to another counts the working days after the first date, up to"
    " and with the second: the first date is never counted, the second is if it is a working day."
    " Where the second date is earlier, count likewise from the second to the first, and"
    " take the number as negative."
)
_ROUNDING = (
    "Round only where a rule says so, and only the value that stands before the word"
    ' "rounded"; every other value, also an intermediate one, keeps all its digits.'
    ' "Halves away from zero" means: what lies exactly in the middle is rounded up if it is above'
    " zero, and down if it is below."
)
_NO_ROUNDING = "No value is rounded: each keeps all its digits."
_PERCENT = (
    "In a calculation, a value in percent is the plain number before that word; divide it by a"
    " hundred only where the rule says so."
)
_ENTRIES = (
    'A rule on a list looks at its entries one by one: "whose" and "the entry" speak of the one'
    " looked at."
)
_LISTED = (
    'Where each entry of a list is listed, "its" and "it" speak of that entry; what is listed keeps'
    " the order of the list that it comes from."
)
_INCLUSION = (
    '"All of" one field is among another also where the first has no entry; and what has no entry'
    " includes nothing besides the labels that are named."
)
_WHERE_NONE = {
    AggregateFunction.COUNT: "a number of entries is zero",
    AggregateFunction.SUM: "a sum over the entries is zero",
    AggregateFunction.ALL: "what is asked of every entry holds",
}


def render_terms(model: DomainModel) -> Iterator[Line]:
    """Return what a reader must know of the words that the rules of a model use."""
    expressions = collect_deciding_expressions(model)
    nodes = [node for item in expressions for node in walk(item)]
    yield from (Line(Style.BULLET, text) for text in _explain_dates(nodes))
    yield from _render_calendars(model, expressions)
    yield from (
        Line(Style.BULLET, text) for text in (*_explain_numbers(nodes), *_explain_lists(nodes))
    )


def _explain_dates(nodes: Sequence[Expression]) -> Iterator[str]:
    spans = {node.span for node in nodes if isinstance(node, Elapsed)}
    if Span.DAYS in spans:
        yield _DAYS
    if any(isinstance(node, Compare) and find_days_apart(node) for node in nodes):
        yield _APART
    if Span.MINUTES in spans:
        yield _MINUTES
    if any(isinstance(node, AddMonths) for node in nodes):
        yield _MONTHS
    if any(isinstance(node, Workdays) for node in nodes):
        yield _WORKDAYS


def _render_calendars(model: DomainModel, expressions: Sequence[Expression]) -> Iterator[Line]:
    """State the calendars that are used, for no tool reports their holidays."""
    used = frozenset().union(*(collect_named_constants(item) for item in expressions))
    for name, (calendar, meaning) in model.calendars.items():
        if name in used:
            days = [date.fromordinal(day).isoformat() for day in calendar.holidays]
            text = f"Holidays of the calendar {name} ({meaning}): {', '.join(days) or 'none'}."
            yield Line(Style.BULLET, text, (f"policy {name}",))


def _explain_numbers(nodes: Sequence[Expression]) -> Iterator[str]:
    worked_out = [node for node in nodes if isinstance(node, Arithmetic | Quotient)]
    if any(isinstance(node, Quotient) for node in worked_out):
        yield _ROUNDING
    elif any(node.type.places for node in worked_out):
        yield _NO_ROUNDING
    if any(is_percent(get_unit(part)) for node in worked_out for part in list_children(node)):
        yield _PERCENT


def _explain_lists(nodes: Sequence[Expression]) -> Iterator[str]:
    functions = {node.function for node in nodes if isinstance(node, Aggregate)}
    made = [node for node in nodes if isinstance(node, Selection)]
    if functions or any(node.where is not None for node in made):
        yield _ENTRIES
    if made:
        yield _LISTED
    if any(isinstance(node, Subset) for node in nodes):
        yield _INCLUSION
    counted = {AggregateFunction.COUNT} if any(isinstance(node, Size) for node in nodes) else set()
    found = [words for function, words in _WHERE_NONE.items() if function in functions | counted]
    if found:
        is_some = any(isinstance(node, Aggregate) and node.where is not None for node in nodes)
        none = ", or none for which the condition that is named holds" if is_some else ""
        yield f"Where a list has no entry{none}, {join_items(found)}."
