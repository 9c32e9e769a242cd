"""How to read the rules of a model: what counting, rounding and lists mean, as far as they occur.

The sentences name no figure: a figure in the text is one of the model.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date

from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.language.domain.expressions.aggregates import PLACED
from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    Arithmetic,
    Compare,
    Expression,
    Quotient,
    Rounding,
    Selection,
    Subset,
    collect_all_read_fields,
    collect_named_constants,
    walk,
)
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.values.types import DateType, NumberType
from sopforge.language.english.forms import OF_TIMES
from sopforge.language.english.nouns import is_percent, join_items
from sopforge.language.english.terms import Term, walk_term
from sopforge.language.english.words import Words, load_words

TERMS = "How to read the rules"
_DAYS = (
    "The number of days from one date to another is zero if the two dates are the same, and"
    " negative if the second date is earlier."
)
_DISTANCE = (
    "When you count the days between two dates, leave out the first day and include the last."
)
_DISTANCE_AND_DAYS = (
    f"{_DISTANCE} The number is zero if the two dates are the same, and negative if the second date"
    " is earlier."
)
_LESS_THAN = (
    'A {kind} that is {order} than another also counts as "less than" any number of {units} {side}'
    " it."
)
_MINUTES = (
    "The number of minutes from one time to another is negative if the second time is earlier."
)
_HOUR = (
    "The hour of a time is a whole number from 0 to 23, without the minutes: that of 17:59 is 17."
)
_MONTHS = (
    "To add months to a date, keep the day of the month; if that month has no such day, take its"
    " last day."
)
_WORKING_DAYS = "Working days are Mondays to Fridays, except holidays."
_WORKDAYS = (
    f"{_WORKING_DAYS} When you count them from one date to another, leave out the first date and"
    " include the second. If the second date is earlier, count from the second to the first and"
    " make the number negative."
)
_AFTER_WORKDAYS = (
    "To find the date a number of working days after another, count from the next date on, up to"
    " the working day with that number; 0 working days after a date is the date itself."
)
_IN_WORDS = (
    "A value in words, such as {words}, never meets a condition that compares it with a number or a"
    " date."
)
_ROUNDED = (
    'Round only where a rule says "rounded", and only the value immediately before that word.'
)
_ROUNDING = f"{_ROUNDED} Round exact halves away from zero."
_DIRECTED = (
    "A value that is rounded down or up becomes the nearest one below or above it, even if it is"
    " negative."
)
_REMAINDER = (
    "The remainder of a number divided by another is what is left after the other is subtracted"
    " from it as often as possible. It is never negative: the remainder of -7 divided by 3 is 2."
)
_NO_ROUNDING = "No value is rounded: each keeps all its digits."
_DIFFERENCE = (
    "The difference between two values, and what is called an absolute value, has no minus sign."
)
_PERCENT = (
    "In sums of percentages, and where a rule calls a percentage a plain number, use 3 for 3"
    " percent."
)
_STEPS = (
    "In a calculation, multiply and divide before you add or subtract, and work from left to right,"
    " unless brackets say otherwise."
)
_ENTRIES = "Where a rule concerns the entries of a list, check each entry on its own."
_LISTED = "When you copy entries from another list, keep them in the same order."
_INCLUSION = (
    "A list without entries counts as contained in every other list, and as including nothing"
    " besides the labels that a rule names."
)
_SHOWN_WORDS = 2
_NO_TOTAL = "If a list is empty{none}, the total over its entries is zero."
_NOT_ONE = "If a list is empty, a condition that every entry has to meet counts as met."
_IN_ORDER = "The first and the last entry of a list are those that come first and last in it."
_MIDDLE = (
    "The lower median is the value in the middle of the values in their order; of an even number,"
    " it is the lower of the two in the middle."
)


_RELATIONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_SPANS = {"days": "days", "minutes": "minutes", "workdays": "working days"}
_WORKED_OUT = frozenset({"+", "-", "*", "/", "min", "max"})
_NEAR = re.compile(
    r"\bless than \S+ (?:hours? and \S+ )?"
    r"(days?|hours?|minutes?|working days?|months?|years?) (after|before) "
)
_OF_TIMES = frozenset({"minute", "minutes", "hour", "hours"})
_TWO = ("number", "2", "", "")


def render_terms(model: DomainModel, said: Collection[str]) -> Iterator[Statement]:
    """Yield what a reader must know of words that the rules of a model use, as they are said."""
    expressions = collect_deciding_expressions(model)
    nodes = [node for item in expressions for node in walk(item)]
    words = load_words(model.fields)
    terms = list(dict.fromkeys(x for item in expressions for x in walk_term(words.mean(item))))
    yield from (Statement(Style.BULLET, text) for text in _explain_dates(terms, said))
    yield from _render_calendars(model, expressions)
    for text in (
        *_explain_words(model, nodes),
        *_explain_numbers(words, nodes, terms),
        *_explain_lists(nodes),
    ):
        yield Statement(Style.BULLET, text)


def _explain_dates(terms: Sequence[Term], said: Collection[str]) -> Iterator[str]:
    distances = [
        x for x in terms if x[0] in _RELATIONS and x[2][0] == "number" and x[1][0] in _SPANS
    ]
    compared = {x[1] for x in distances}
    within = (part for x in terms if x not in distances for part in x[1:])
    heads = {_get_head(x) for x in terms if x not in compared}
    heads |= {_get_head(part) for part in within if isinstance(part, tuple)}
    if "days" in heads or any(x[0] == "days" for x in compared):
        is_counted = any(x[0] == "days" for x in compared)
        is_both = is_counted and "days" in heads
        yield _DISTANCE_AND_DAYS if is_both else _DISTANCE if is_counted else _DAYS
    yield from _explain_less_than(said)
    if "minutes" in heads:
        yield _MINUTES
    if "hour_of" in heads:
        yield _HOUR
    if heads & {"add_months", "later", "earlier"}:
        yield _MONTHS
    counted = {"workdays", "add_workdays"} & {x[0] for x in terms}
    if counted:
        yield _WORKDAYS if "workdays" in counted else _WORKING_DAYS
    if "add_workdays" in counted:
        yield _AFTER_WORKDAYS


def _get_head(term: Term) -> str:
    """Return the head of a term; a time so long after another is not worked out by months."""
    return "add_minutes" if term[0] in {"later", "earlier"} and term[3] in OF_TIMES else term[0]


def _explain_less_than(said: Iterable[str]) -> Iterator[str]:
    """Say that "less than so many days after" a date takes in the dates before it."""
    found = [x for text in said for x in _NEAR.findall(text)]
    for order, side in (("earlier", "after"), ("later", "before")):
        units = list(dict.fromkeys(unit for unit, where in found if where == side))
        for kind, counted in (
            ("date", [unit for unit in units if unit not in _OF_TIMES]),
            ("time", [unit for unit in units if unit in _OF_TIMES]),
        ):
            if counted:
                shown = join_items(counted, "or")
                yield _LESS_THAN.format(kind=kind, order=order, units=shown, side=side)


def _render_calendars(model: DomainModel, expressions: Sequence[Expression]) -> Iterator[Statement]:
    """State the calendars that are used, for no tool reports their holidays."""
    used = frozenset().union(*(collect_named_constants(item) for item in expressions))
    for name, (calendar, meaning) in model.calendars.items():
        if name in used:
            days = [date.fromordinal(day).isoformat() for day in calendar.holidays]
            which = f" of the calendar {name}" if len(model.calendars) > 1 else ""
            text = f"Holidays{which} ({meaning}): {', '.join(days) or 'none'}."
            yield Statement(Style.BULLET, text, (f"policy {name}",))


def _explain_words(model: DomainModel, nodes: Sequence[Expression]) -> Iterator[str]:
    """Say what holds of a number or a date that a word may stand for, where one is compared."""
    compared = {
        name
        for node in nodes
        if isinstance(node, Compare) and isinstance(node.left.type, NumberType | DateType)
        for name in collect_all_read_fields([node])
    }
    words = [
        item.missing
        for name, item in model.fields.items()
        if name in compared
        and isinstance(item.type, NumberType | DateType)
        and _may_be_missing(model, item)
    ]
    if words:
        shown = [f'"{word}"' for word in dict.fromkeys(words)][:_SHOWN_WORDS]
        yield _IN_WORDS.format(words=join_items(shown, "or"))


def _may_be_missing(model: DomainModel, item: Field) -> bool:
    """Return whether the text states the word for a missing value of a field."""
    is_decided = item.name in model.decisions and item not in model.outcomes
    if model.is_sure_in_kind(item):
        return False  # no rule comes to read the word
    return bool(item.missing) and (not is_decided or model.may_decide_nothing(item.name))


def _explain_numbers(
    words: Words, nodes: Sequence[Expression], terms: Sequence[Term]
) -> Iterator[str]:
    heads = {x[0] for x in terms}
    yield from _explain_rounding(nodes, heads)
    if "remainder" in heads:
        yield _REMAINDER
    if "abs" in heads:
        yield _DIFFERENCE
    if any(x[0] in {"+", "-"} and any(map(_is_worked_out, x[1:])) for x in terms):
        yield _STEPS
    find_unit = words.forms.find_unit
    parts = [y for x in terms if x[0] in _WORKED_OUT for y in x[1:] if isinstance(y, tuple)]
    if any(y[0] == "plainly" or is_percent(find_unit(y)) for y in parts):
        yield _PERCENT


def _explain_rounding(nodes: Sequence[Expression], heads: Collection[str]) -> Iterator[str]:
    worked_out = [node for node in nodes if isinstance(node, Arithmetic | Quotient)]
    is_directed = not {"floor", "ceiling"}.isdisjoint(heads)
    if any(isinstance(x, Quotient) and x.rounding is Rounding.NEAREST for x in worked_out):
        yield _ROUNDING
    elif is_directed:
        yield _ROUNDED
    elif any(node.type.places for node in worked_out):
        yield _NO_ROUNDING
    if is_directed:
        yield _DIRECTED


def _is_worked_out(term: Term) -> bool:
    return term[0] in {"+", "-", "*", "/"} and term[1] != _TWO


def _explain_lists(nodes: Sequence[Expression]) -> Iterator[str]:
    functions = {node.function for node in nodes if isinstance(node, Aggregate)}
    made = [node for node in nodes if isinstance(node, Selection)]
    if functions or any(node.where is not None for node in made):
        yield _ENTRIES
    if made:
        yield _LISTED
    if any(isinstance(node, Subset) for node in nodes):
        yield _INCLUSION
    if AggregateFunction.SUM in functions:
        is_some = any(isinstance(node, Aggregate) and node.where is not None for node in nodes)
        none = ", or none of its entries meets the condition" if is_some else ""
        yield _NO_TOTAL.format(none=none)
    if AggregateFunction.ALL in functions:
        yield _NOT_ONE
    if functions & PLACED:
        yield _IN_ORDER
    if AggregateFunction.MEDIAN in functions:
        yield _MIDDLE
