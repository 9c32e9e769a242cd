"""How far apart two days or times lie, as a comparison says it in one of several forms.

"B is at most 30 days after A" is held as a number of days from A to B, as a day that lies 30 days
after A, or from B back to A. Months are only held as a day so many months after another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sopforge.domain.language.expressions import (
    AddDays,
    AddMonths,
    Arithmetic,
    Compare,
    Constant,
    DateOf,
    Elapsed,
    Element,
    Expression,
    Operation,
    Read,
    Relation,
    Workdays,
)
from sopforge.domain.values.types import DateType, NumberType, require_integer
from sopforge.logic.phrasing.scales import unwrap_scale

WORKING_DAYS = "working days"
MONTHS_OF_YEAR = 12
IN_MONTHS = {"months": 1, "years": MONTHS_OF_YEAR}
"""How many months there are in a unit that is counted in months."""


@dataclass(frozen=True, slots=True)
class Distance:
    """That the time from ``start`` to ``end`` is more than ``count`` of a unit, at most, and so on.

    ``is_before``: it is said of the start that it lies before the end. Less than so much, and at
    most so much, also holds where the end lies before the start, unless it ``is_ordered``.
    """

    relation: Relation
    count: int
    unit: str
    start: Expression
    end: Expression
    calendar: str = ""
    is_before: bool = False
    is_ordered: bool = False

    @property
    def subject(self) -> Expression:
        """The day or time of which it is said how far away it lies."""
        return self.start if self.is_before else self.end

    @property
    def other(self) -> Expression:
        """The day or time from which it is counted."""
        return self.end if self.is_before else self.start


def find_distance(test: Compare) -> Distance | None:
    """Return what a comparison says of two days or times, None where it says something else."""
    found = measure_distance(test)
    if found is None or found.count == 0 or found.relation is Relation.NE:
        return None
    if found.unit in IN_MONTHS:
        return found if _is_named(found.subject) else None
    if isinstance(unwrap_scale(found.start), Element) or not _is_named(found.end):
        found = replace(found, is_before=True)
    return found if _is_named(found.subject) else None


def _is_named(node: Expression) -> bool:
    """Return whether a day or time is a field, or the day of one."""
    inner = unwrap_scale(node)
    of = unwrap_scale(inner.operand) if isinstance(inner, DateOf) else inner
    return isinstance(of, Read | Element)


def measure_distance(test: Compare) -> Distance | None:
    """Return the distance that a comparison compares with a number that is not below zero.

    All comparisons that say the same of the same two give the same distance.
    """
    for side, other, relation in (
        (test.left, test.right, test.relation),
        (test.right, test.left, test.relation.mirrored),
    ):
        found = _measure_side(unwrap_scale(side), unwrap_scale(other), relation)
        if found is not None:
            return found
    return None


def find_order(test: Compare) -> Compare | None:
    """Return the comparison of two days or times that a distance of zero stands for."""
    found = measure_distance(test)
    if found is None or found.count or found.unit not in {"days", "minutes"}:
        return None
    # Two written days are no comparison of the language: a field must stand on one side.
    if all(isinstance(unwrap_scale(side), Constant) for side in (found.start, found.end)):
        return None
    order = Compare(found.relation, found.end, found.start)
    if isinstance(unwrap_scale(found.end), Read | Element):
        return order
    return Compare(order.relation.mirrored, order.right, order.left)


def find_ordered_distance(one: Expression, other: Expression) -> Distance | None:
    """Return the distance of two days that one of two conditions states and the other orders."""
    if not isinstance(one, Compare) or not isinstance(other, Compare):
        return None
    for order, test in ((one, other), (other, one)):
        found = find_distance(test)
        if found is None or found.unit not in {"days", WORKING_DAYS}:
            continue
        days = (unwrap_scale(found.start), unwrap_scale(found.end))
        if found.relation in {Relation.LT, Relation.LE} and days == _find_sequence(order):
            return replace(found, is_ordered=True)
    return None


def _find_sequence(test: Compare) -> tuple[Expression, Expression] | None:
    """Return the two days of which a comparison says that the second is not before the first."""
    order = find_order(test) or test
    if not isinstance(order.left.type, DateType):
        return None
    left, right = unwrap_scale(order.left), unwrap_scale(order.right)
    return {Relation.GE: (right, left), Relation.LE: (left, right)}.get(order.relation)


def _measure_side(side: Expression, other: Expression, relation: Relation) -> Distance | None:
    match side, other:
        case Elapsed(span=span, start=start, end=end), Constant():
            return _order_ends(Distance(relation, 0, span, start, end), other)
        case Workdays(start=start, end=end, named_calendar=calendar), Constant():
            found = Distance(relation, 0, WORKING_DAYS, start, end, calendar)
            return _order_ends(found, other)
        case AddDays(date=day, days=Constant() as days), _:
            return _order_ends(Distance(relation.mirrored, 0, "days", day, other), days)
        case AddMonths(date=day, months=months), _:
            counted = count_months(months)
            return counted and _measure_months(counted, day, other, relation)
        case _:
            return None


def count_months(months: Expression) -> tuple[int, str] | None:
    """Return a written number of months and its unit: in years, where it is 12 times as many."""
    inner = unwrap_scale(months)
    if isinstance(inner, Constant):
        return require_integer(inner.value), "months"
    if not isinstance(inner, Arithmetic) or inner.operation is not Operation.MULTIPLY:
        return None
    for side, other in ((inner.left, inner.right), (inner.right, inner.left)):
        years, twelve = unwrap_scale(side), unwrap_scale(other)
        if isinstance(years, Constant) and isinstance(twelve, Constant) and not twelve.name:
            kind = years.type
            is_whole = isinstance(kind, NumberType) and not kind.places
            if is_whole and require_integer(twelve.value) == MONTHS_OF_YEAR:
                return require_integer(years.value), "years"
    return None


def _measure_months(
    counted: tuple[int, str], day: Expression, other: Expression, relation: Relation
) -> Distance:
    count, unit = counted
    # Months back from a day are not months on to it: the end of a month may be shorter.
    first, last = (day, other) if count >= 0 else (other, day)
    relation = relation.mirrored if count >= 0 else relation
    return Distance(relation, abs(count), unit, first, last, is_before=count < 0)


def _order_ends(found: Distance, count: Constant) -> Distance | None:
    """Return a distance of so many, with start and end exchanged where it is below zero."""
    kind, value = count.type, require_integer(count.value)
    scale = 10**kind.places if isinstance(kind, NumberType) else 1
    if value % scale:
        return None
    whole = value // scale
    if whole >= 0:
        return replace(found, count=whole)
    return replace(
        found,
        relation=found.relation.mirrored,
        count=-whole,
        start=found.end,
        end=found.start,
    )
