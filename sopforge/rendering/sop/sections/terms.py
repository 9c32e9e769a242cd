"""How to read the rules of a model: what counting, rounding and lists mean, as far as they occur.

The sentences name no figure: a figure in the text is one of the model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import (
    Absolute,
    AddMonths,
    Aggregate,
    AggregateFunction,
    Arithmetic,
    Compare,
    Elapsed,
    Expression,
    Not,
    Operation,
    Quotient,
    Read,
    Relation,
    Selection,
    Span,
    Subset,
    Workdays,
    collect_all_read_fields,
    collect_named_constants,
    list_children,
    walk,
)
from sopforge.domain.model import DomainModel, collect_deciding_expressions
from sopforge.domain.rules import HitPolicy, Table
from sopforge.domain.values.types import DateType, NumberType
from sopforge.logic.phrasing.brackets import get_unit, is_continuation, is_last_continuation
from sopforge.logic.phrasing.distances import Distance, find_distance, find_order
from sopforge.logic.phrasing.grammar import is_percent, join_items, name_age
from sopforge.logic.phrasing.idioms import find_doubled, unwrap_node
from sopforge.logic.phrasing.shares import find_compared_share, find_share
from sopforge.rendering.sop.document import Line, Style

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
_MONTHS = (
    "To add months to a date, keep the day of the month; if that month has no such day, take its"
    " last day."
)
_WORKDAYS = (
    "Working days are Mondays to Fridays, except holidays. When you count them from one date to"
    " another, leave out the first date and include the second. If the second date is earlier,"
    " count from the second to the first and make the number negative."
)
_IN_WORDS = (
    "A value in words, such as {words}, never meets a condition that compares it with a number or a"
    " date."
)
_ROUNDING = (
    'Round only where a rule says "rounded", and only the value immediately before that word.'
    " Round exact halves away from zero."
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


def render_terms(model: DomainModel) -> Iterator[Line]:
    """Return what a reader must know of the words that the rules of a model use."""
    expressions = collect_deciding_expressions(model)
    nodes = [node for item in expressions for node in walk(item)]
    yield from (Line(Style.BULLET, text) for text in _explain_dates(model, nodes))
    yield from _render_calendars(model, expressions)
    yield from (
        Line(Style.BULLET, text)
        for text in (
            *_explain_words(model, nodes),
            *_explain_numbers(nodes),
            *_explain_lists(nodes),
        )
    )


def _explain_dates(model: DomainModel, nodes: Sequence[Expression]) -> Iterator[str]:
    compared = [node for node in nodes if isinstance(node, Compare)]
    found = {id(node): find_distance(node) or find_order(node) for node in compared}
    said = [node for node in compared if found[id(node)] is not None]
    # What a comparison says as a distance is no number of days in the text.
    inside = {id(part) for node in said for part in walk(node)}
    spans = {node.span for node in nodes if isinstance(node, Elapsed) and id(node) not in inside}
    units = {item.unit for item in found.values() if isinstance(item, Distance)}
    if Span.DAYS in spans or "days" in units:
        is_both = Span.DAYS in spans and "days" in units
        yield _DISTANCE_AND_DAYS if is_both else _DAYS if Span.DAYS in spans else _DISTANCE
    yield from _explain_less_than(model, nodes)
    if Span.MINUTES in spans:
        yield _MINUTES
    if any(isinstance(node, AddMonths) for node in nodes):
        yield _MONTHS
    if any(isinstance(node, Workdays) for node in nodes):
        yield _WORKDAYS


def _explain_less_than(model: DomainModel, nodes: Sequence[Expression]) -> Iterator[str]:
    """Say that "less than so many days after" a date takes in the dates before it."""
    # "At least" is denied as "less than".
    denied = {id(part) for node in nodes if isinstance(node, Not) for part in walk(node)}
    # A predicate may stand in several places, and be settled in one alone.
    settled = Counter(_iterate_settled_distances(model))
    settled.subtract(map(id, nodes))
    compared = [
        (node, find_distance(node))
        for node in nodes
        if isinstance(node, Compare) and settled[id(node)] < 0
    ]
    said = [
        item
        for node, item in compared
        if item is not None
        and item.relation is (Relation.GE if id(node) in denied else Relation.LT)
        and not _is_age(model, item)
    ]
    for order, side in (("earlier", "after"), ("later", "before")):
        units = {item.unit: "" for item in said if item.is_before == (side == "before")}
        days = [unit for unit in units if unit != "minutes"]
        for kind, counted in (("date", days), ("time", [*units.keys() - days])):
            if counted:
                shown = join_items(counted, "or")
                yield _LESS_THAN.format(kind=kind, order=order, units=shown, side=side)


def _iterate_settled_distances(model: DomainModel) -> Iterator[int]:
    """Yield the ids of comparisons of two days that an earlier rule keeps from being turned round.

    "Less than 30 days after the start" need not say what holds before the start where the rule
    above it settles the cases before the start.
    """
    for decision in model.decisions.values():
        is_first = isinstance(decision, Table) and decision.hit is HitPolicy.FIRST
        turned: list[tuple[Expression, Expression]] = []
        for rule in decision.rules if isinstance(decision, Table) and is_first else ():
            for node in walk(rule.when) if rule.when is not None else ():
                found = find_distance(node) if isinstance(node, Compare) else None
                if found is not None and _list_days(found) in turned:
                    yield id(node)
            turned += _list_turned_days(rule.when)


def _list_days(found: Distance) -> tuple[Expression, Expression]:
    return unwrap_node(found.start), unwrap_node(found.end)


def _list_turned_days(when: Expression | None) -> list[tuple[Expression, Expression]]:
    """Return the two days of a condition that is that the first lies after the second."""
    inner = unwrap_node(when) if when is not None else None
    if not isinstance(inner, Compare):
        return []
    days = unwrap_node(inner.left), unwrap_node(inner.right)
    return {Relation.GT: [days], Relation.LT: [days[::-1]]}.get(inner.relation, [])


def _is_age(model: DomainModel, found: Distance) -> bool:
    """Return whether a distance is said as an age, which nobody counts from a later date."""
    birth = unwrap_node(found.start)
    is_after = found.unit == "years" and not found.is_before
    return is_after and isinstance(birth, Read) and bool(name_age(model.fields[birth.field].label))


def _render_calendars(model: DomainModel, expressions: Sequence[Expression]) -> Iterator[Line]:
    """State the calendars that are used, for no tool reports their holidays."""
    used = frozenset().union(*(collect_named_constants(item) for item in expressions))
    for name, (calendar, meaning) in model.calendars.items():
        if name in used:
            days = [date.fromordinal(day).isoformat() for day in calendar.holidays]
            which = f" of the calendar {name}" if len(model.calendars) > 1 else ""
            text = f"Holidays{which} ({meaning}): {', '.join(days) or 'none'}."
            yield Line(Style.BULLET, text, (f"policy {name}",))


def _explain_words(model: DomainModel, nodes: Sequence[Expression]) -> Iterator[str]:
    """Say what holds of a number or a date that a word may stand for, where one is compared."""
    compared = [
        name
        for node in nodes
        if isinstance(node, Compare) and isinstance(node.left.type, NumberType | DateType)
        for name in collect_all_read_fields([node])
    ]
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
    return bool(item.missing) and (not is_decided or model.may_decide_nothing(item.name))


def _explain_numbers(nodes: Sequence[Expression]) -> Iterator[str]:
    worked_out = [node for node in nodes if isinstance(node, Arithmetic | Quotient)]
    if any(isinstance(node, Quotient) for node in worked_out):
        yield _ROUNDING
    elif any(node.type.places for node in worked_out):
        yield _NO_ROUNDING
    if any(isinstance(node, Absolute) for node in nodes):
        yield _DIFFERENCE
    if any(isinstance(node, Arithmetic) and _is_mixed(node) for node in worked_out):
        yield _STEPS
    shares = {id(part) for node in nodes if _is_share(node) for part in walk(node)}
    plain = [node for node in worked_out if id(node) not in shares]
    if any(is_percent(get_unit(part)) for node in plain for part in list_children(node)):
        yield _PERCENT


def _is_mixed(node: Arithmetic) -> bool:
    """Return whether words that add or subtract stand beside others without brackets.

    "Twice" is said of one number, in whatever order.
    """
    first, last = unwrap_node(node.left), unwrap_node(node.right)
    is_mixed = isinstance(first, Arithmetic) and first.operation is not node.operation
    goes_on = is_mixed and not _is_twice(first) and is_continuation(node.left, node)
    is_product = isinstance(last, Arithmetic) and last.operation is Operation.MULTIPLY
    is_product = is_product and not _is_twice(last)
    return goes_on or (is_product and is_last_continuation(last, node))


def _is_twice(node: Expression) -> bool:
    return isinstance(node, Arithmetic) and find_doubled(node) is not None


def _is_share(node: Expression) -> bool:
    """Return whether words say that a number is so many percent of another."""
    if isinstance(node, Quotient):
        return find_share(node) is not None
    return isinstance(node, Compare) and find_compared_share(node) is not None


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
