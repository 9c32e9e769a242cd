"""The symbolic reading: an expression as a Z3 term over integer variables.

Sets become one 0/1 integer per member, so that membership and size stay linear; a list becomes
one variable per field of each place, and its length; texts are numbered, equal texts alike.
The list that a selection makes is its length and what stands at each place, 0 where nothing does:
equal lists are equal terms, and no others are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from threading import Lock

import z3

from sopforge.language.domain.expressions import expressions as nodes
from sopforge.language.domain.expressions.algebra import interpret, interpret_all
from sopforge.language.domain.expressions.calendars import (
    DAYS_A_WEEK,
    HOURS_A_DAY,
    MINUTES_AN_HOUR,
    Calendar,
    Interval,
)
from sopforge.language.domain.expressions.expressions import (
    AggregateFunction,
    Expression,
    Extreme,
    Relation,
    Rounding,
    SetOperation,
)
from sopforge.language.domain.values.types import (
    MINUTES_A_DAY,
    Item,
    ListType,
    SetType,
    ValueType,
    list_items,
    require_integer,
)
from sopforge.language.logic.readings.bounds import find_bounds
from sopforge.language.logic.readings.solver_terms import Terms
from sopforge.language.logic.readings.solver_variables import Term, Variables

# Bounded, for each divisor adds a division of its own to the term.
FEW_DIVISORS = 32


class _CalendarTerms:
    """Calendar arithmetic on solver terms."""

    def __init__(self, context: z3.Context) -> None:
        self.context = context

    def make_number(self, value: int) -> z3.ArithRef:
        return z3.IntVal(value, self.context)

    def add(self, left: z3.ArithRef, right: z3.ArithRef) -> z3.ArithRef:
        return left + right

    def subtract(self, left: z3.ArithRef, right: z3.ArithRef) -> z3.ArithRef:
        return left - right

    def multiply(self, left: z3.ArithRef, factor: int) -> z3.ArithRef:
        return left * self.make_number(factor)

    def divide(self, left: z3.ArithRef, divisor: int) -> z3.ArithRef:
        return left / self.make_number(divisor)

    def is_at_most(self, left: z3.ArithRef, right: z3.ArithRef) -> z3.ArithRef:
        return z3.If(left <= right, self.make_number(1), self.make_number(0))

    def choose(
        self, condition: z3.ArithRef, then: z3.ArithRef, otherwise: z3.ArithRef
    ) -> z3.ArithRef:
        return z3.If(condition == self.make_number(1), then, otherwise)


_ADDED = Lock()
"""Whoever takes terms from ``_build_added_months``: no two threads may use one context."""


@lru_cache(maxsize=64)
def _build_added_months(days: Interval, counts: Interval) -> tuple[z3.ArithRef, ...]:
    """Return a day so many months later, the day and the months, in a context of their own.

    The cases of many months are dear to write down, and cheap to copy.
    """
    context = z3.Context()
    day, months = z3.Ints("day months", context)
    add = Calendar(_CalendarTerms(context)).add_months_between
    return add(day, months, days, counts), day, months


@dataclass(frozen=True, slots=True)
class Symbolic:
    """Writes terms over the variables; ``place`` is the place of the list item at hand."""

    variables: Variables
    place: int | None = None

    @property
    def terms(self) -> Terms:
        return self.variables.terms

    def make_number(self, value: int) -> z3.ArithRef:
        return self.terms.make_number(value)

    def visit_constant(self, node: nodes.Constant) -> Term:
        if isinstance(node.type, ListType):
            return self._build_list_constant(node.type, list_items(node.value))
        if isinstance(node.type, SetType):
            bits = range(len(node.type.values))
            return tuple(self.make_number(require_integer(node.value) >> bit & 1) for bit in bits)
        return self.make_number(self.variables.encode_atom(node.value))  # type: ignore[arg-type]  # no list

    def visit_missing(self, node: nodes.Missing) -> Term:
        if isinstance(node.type, SetType):
            return tuple(self.make_number(0) for _ in node.type.values)
        return self.make_number(0)

    def visit_read(self, node: nodes.Read) -> Term:
        if isinstance(node.type, ListType):
            elements = tuple(
                nodes.Element(kind, node.field, name) for name, kind in node.type.fields
            )
            return self.visit_selection(
                nodes.Selection(node.type, node.field, node.type.size, None, elements)
            )
        return self.variables.get_variable(node.field, node.type)

    def visit_element(self, node: nodes.Element) -> Term:
        return self.variables.get_variable(f"{node.list}[{self.place}].{node.field}", node.type)

    def visit_presence(self, node: nodes.Presence) -> Term:
        return self.variables.is_present(node.field)

    def visit_rescale(self, node: nodes.Rescale, operand: Term) -> Term:
        return _require_number(operand) * self.make_number(10**node.digits)

    def visit_arithmetic(self, node: nodes.Arithmetic, left: Term, right: Term) -> Term:
        return self.terms.compute(node.operation, _require_number(left), _require_number(right))

    def visit_quotient(self, node: nodes.Quotient, left: Term, right: Term) -> Term:
        dividend, divisor = (
            _require_number(left) * self.make_number(10**node.digits),
            _require_number(right),
        )
        low, high = node.right.type.bounds
        if 0 < high - low < FEW_DIVISORS:
            low, high = find_bounds(node.right)
        if 0 < high - low < FEW_DIVISORS:
            # A division by each of few numbers is linear, which by any of them it is not.
            *firsts, last = [self.make_number(value) for value in range(max(1, low), high + 1)]
            found = self._round_quotient(dividend, last, node.rounding)
            for value in reversed(firsts):
                # Not `==`: what lies below 1 falls to the first divisor, as in evaluation.
                rounded = self._round_quotient(dividend, value, node.rounding)
                found = z3.If(divisor <= value, rounded, found)
            return found
        if not isinstance(node.right, nodes.Constant):
            # Below 1 only where a missing value is nothing, or in a model with a mistake.
            divisor = z3.If(divisor >= 1, divisor, self.make_number(1))
        return self._round_quotient(dividend, divisor, node.rounding)

    def _round_quotient(
        self, dividend: z3.ArithRef, divisor: z3.ArithRef, rounding: Rounding
    ) -> z3.ArithRef:
        # By a positive divisor, integer division goes down.
        if rounding is Rounding.DOWN:
            return dividend / divisor
        if rounding is Rounding.UP:
            return -(-dividend / divisor)
        # By size, and the sign after that: halves go away from zero, integer division goes down.
        size = self._build_absolute(dividend)
        rounded = (self.make_number(2) * size + divisor) / (self.make_number(2) * divisor)
        return z3.If(dividend >= 0, rounded, -rounded)

    def visit_absolute(self, node: nodes.Absolute, operand: Term) -> Term:
        return self._build_absolute(_require_number(operand))

    def visit_outermost(self, node: nodes.Outermost, operands: Sequence[Term]) -> Term:
        return reduce(_make_chooser(node.extreme), map(_require_number, operands))

    def visit_elapsed(self, node: nodes.Elapsed, start: Term, end: Term) -> Term:
        return _require_number(end) - _require_number(start)

    def visit_workdays(self, node: nodes.Workdays, start: Term, end: Term) -> Term:
        return self._calendar.count_workdays(
            _require_number(start), _require_number(end), node.holidays
        )

    def visit_add_days(self, node: nodes.AddDays, date: Term, days: Term) -> Term:
        return _require_number(date) + _require_number(days)

    def visit_add_minutes(self, node: nodes.AddMinutes, moment: Term, count: Term) -> Term:
        return _require_number(moment) + _require_number(count) * node.each

    def visit_add_workdays(self, node: nodes.AddWorkdays, date: Term, count: Term) -> Term:
        return self._calendar.add_workdays(
            _require_number(date), _require_number(count), node.holidays
        )

    def visit_add_months(self, node: nodes.AddMonths, date: Term, months: Term) -> Term:
        days, counts = find_bounds(node.date), find_bounds(node.months)
        with _ADDED:
            own = [
                part.translate(self.variables.context) for part in _build_added_months(days, counts)
            ]
        added, day, count = own
        given = (day, _require_number(date)), (count, _require_number(months))
        return z3.substitute(added, *given)

    def visit_date_of(self, node: nodes.DateOf, operand: Term) -> Term:
        return _require_number(operand) / self.make_number(MINUTES_A_DAY) + self.make_number(1)

    def visit_hour_of(self, node: nodes.HourOf, operand: Term) -> Term:
        hours = _require_number(operand) / self.make_number(MINUTES_AN_HOUR)
        return hours % self.make_number(HOURS_A_DAY)

    def visit_weekday_of(self, node: nodes.WeekdayOf, operand: Term) -> Term:
        return (_require_number(operand) - self.make_number(1)) % self.make_number(DAYS_A_WEEK)

    def visit_size(self, node: nodes.Size, operand: Term) -> Term:
        return reduce(lambda total, bit: total + bit, _require_members(operand))

    def visit_compare(self, node: nodes.Compare, left: Term, right: Term) -> Term:
        if isinstance(node.left.type, ListType | SetType):
            is_equal = equate_terms(left, right)
            return is_equal if node.relation is Relation.EQ else self.terms.negate(is_equal)
        return self.terms.compare(node.relation, _require_number(left), _require_number(right))

    def visit_one_of(self, node: nodes.OneOf, operand: Term) -> Term:
        codes = [self.variables.encode_atom(option.value) for option in node.options]  # type: ignore[arg-type]  # no list
        return self.terms.disjoin(
            self.terms.is_number(_require_number(operand), code) for code in codes
        )

    def visit_contains(self, node: nodes.Contains, operand: Term) -> Term:
        return self.terms.is_number(_require_members(operand)[node.position], 1)

    def visit_among(self, node: nodes.Among, operand: Term, members: Term) -> Term:
        terms, label = self.terms, _require_number(operand)
        return terms.disjoin(
            terms.conjoin([terms.is_number(label, code), terms.is_number(bit, 1)])
            for code, bit in enumerate(_require_members(members))
        )

    def visit_subset(self, node: nodes.Subset, left: Term, right: Term) -> Term:
        pairs = zip(_require_members(left), _require_members(right), strict=True)
        return self.terms.conjoin(
            self.terms.compare(Relation.LE, first, second) for first, second in pairs
        )

    def visit_combination(self, node: nodes.Combination, left: Term, right: Term) -> Term:
        pairs = zip(_require_members(left), _require_members(right), strict=True)
        return tuple(self._build_member(node.operation, *pair) for pair in pairs)

    def _build_member(
        self, operation: SetOperation, left: z3.ArithRef, right: z3.ArithRef
    ) -> z3.ArithRef:
        """Return whether a label is in what is made of two sets, by whether it is in either."""
        wanted = 0 if operation is SetOperation.DIFFERENCE else 1
        tests = [self.terms.is_number(left, 1), self.terms.is_number(right, wanted)]
        join = self.terms.disjoin if operation is SetOperation.UNION else self.terms.conjoin
        return self.terms.choose(join(tests), self.make_number(1), self.make_number(0))

    def visit_all_of(self, node: nodes.AllOf, operands: Sequence[Term]) -> Term:
        return self.terms.conjoin(map(_convert_to_truth, operands))

    def visit_any_of(self, node: nodes.AnyOf, operands: Sequence[Term]) -> Term:
        return self.terms.disjoin(map(_convert_to_truth, operands))

    def visit_negation(self, node: nodes.Not, operand: Term) -> Term:
        return self.terms.negate(_convert_to_truth(operand))

    def visit_choice(
        self, node: nodes.Choice, condition: Term, then: Term, otherwise: Term
    ) -> Term:
        return self._build_choice(_convert_to_truth(condition), then, otherwise)

    def visit_lookup(self, node: nodes.Lookup, key: Term, entries: Sequence[Term]) -> Term:
        # The last entry stands without a test: the limits of the key leave no other label.
        *earlier, term = entries
        for code, entry in reversed(list(enumerate(earlier))):
            term = self._build_choice(self.terms.is_number(_require_number(key), code), entry, term)
        return term

    def visit_aggregate(self, node: nodes.Aggregate) -> Term:
        length = self.variables.get_length(node.list, node.size)
        counted, values = [], []
        for place in range(node.size):
            inner = Symbolic(self.variables, place)
            is_met = inner.build_condition(node.where)
            # Places beyond the length have variables too, whose values mean nothing.
            counted.append(self.terms.conjoin([length > place, is_met]))
            values.append(
                self.make_number(1) if node.value is None else interpret(node.value, inner)
            )
        return self._build_aggregate(node, counted, values)

    def visit_selection(self, node: nodes.Selection) -> Term:
        nothing = self.make_number(0)
        width = sum(_count_variables(kind) for _, kind in node.type.fields)
        slots = [[nothing] * width for _ in range(node.type.size)]
        total = nothing
        length = self.variables.get_length(node.list, node.size)
        # From the last item to the first: one that is kept goes before those that are kept so far,
        # so that the k-th slot holds the k-th item that is kept, whichever place it comes from.
        for place in reversed(range(node.size)):
            inner = Symbolic(self.variables, place)
            is_kept = self.terms.conjoin([length > place, inner.build_condition(node.where)])
            first = [term for part in node.parts for term in self._flatten(inner, part)]
            moved = [first, *slots[:-1]]
            slots = [
                [self.terms.choose(is_kept, *pair) for pair in zip(after, before, strict=True)]
                for after, before in zip(moved, slots, strict=True)
            ]
            total = total + self.terms.choose(is_kept, self.make_number(1), nothing)
        return (total, *(term for slot in slots for term in slot))

    def _flatten(self, inner: Symbolic, part: Expression) -> tuple[z3.ArithRef, ...]:
        """Return what an item has as integers: of a set one per member."""
        term = inner.build_term(part)
        return term if isinstance(term, tuple) else (self._convert_to_integer(term),)

    def _build_list_constant(self, kind: ListType, items: Sequence[Item]) -> Term:
        found = [self.make_number(len(items))]
        for item in items:
            for name, part in kind.fields:
                term = self.visit_constant(nodes.Constant(part, item[name]))
                found += term if isinstance(term, tuple) else [_require_number(term)]
        width = sum(_count_variables(part) for _, part in kind.fields)
        found += [self.make_number(0)] * (width * (kind.size - len(items)))
        return tuple(found)

    def build_condition(self, expression: Expression | None) -> z3.BoolRef:
        """Return a condition as a Boolean term; none is true."""
        return (
            self.make_truth(value=True)
            if expression is None
            else _convert_to_truth(self.build_term(expression))
        )

    def build_conditions(self, expressions: Iterable[Expression]) -> list[z3.BoolRef]:
        """Return conditions as Boolean terms; what they share is one term."""
        return [_convert_to_truth(term) for term in interpret_all(expressions, self)]

    def build_term(self, expression: Expression) -> Term:
        """Return the term of an expression."""
        return interpret(expression, self)

    def build_equality(self, left: Expression, right: Expression) -> z3.BoolRef:
        """Return the term that two values are equal."""
        return equate_terms(self.build_term(left), self.build_term(right))

    def make_truth(self, *, value: bool) -> z3.BoolRef:
        """Return the constant true or false of this context."""
        return self.terms.make_truth(value=value)

    @property
    def _calendar(self) -> Calendar[z3.ArithRef]:
        return Calendar(_CalendarTerms(self.variables.context))

    def _build_absolute(self, number: z3.ArithRef) -> z3.ArithRef:
        return z3.If(number >= 0, number, -number)

    def _build_choice(self, condition: z3.BoolRef, then: Term, otherwise: Term) -> Term:
        if isinstance(then, tuple):
            pairs = zip(then, _require_members(otherwise), strict=True)
            return tuple(self.terms.choose(condition, *pair) for pair in pairs)
        return self.terms.choose(
            condition, self._convert_to_integer(then), self._convert_to_integer(otherwise)
        )

    def _convert_to_integer(self, term: Term) -> z3.ArithRef:
        """Return a truth value as 0 or 1, so that both sides of a choice are of one sort."""
        if isinstance(term, z3.BoolRef):
            return self.terms.choose(term, self.make_number(1), self.make_number(0))
        return _require_number(term)

    def _build_aggregate(
        self, node: nodes.Aggregate, counted: list[z3.BoolRef], values: list[Term]
    ) -> Term:
        pairs = list(zip(counted, values, strict=True))
        match node.function:
            case AggregateFunction.COUNT | AggregateFunction.SUM:
                parts = [
                    self.terms.choose(met, _require_number(value), self.make_number(0))
                    for met, value in pairs
                ]
                return reduce(lambda total, part: total + part, parts, self.make_number(0))
            case AggregateFunction.ANY:
                return z3.Or(
                    self.make_truth(value=False),
                    *(z3.And(met, _convert_to_truth(value)) for met, value in pairs),
                )
            case AggregateFunction.ALL:
                return z3.And(
                    self.make_truth(value=True),
                    *(z3.Or(z3.Not(met), _convert_to_truth(value)) for met, value in pairs),
                )
            case AggregateFunction.MINIMUM | AggregateFunction.MAXIMUM:
                return self._build_extreme_item(node, pairs)
            case AggregateFunction.FIRST | AggregateFunction.LAST | AggregateFunction.MEDIAN:
                return self._build_item_at(node, pairs)

    def _build_extreme_item(
        self, node: nodes.Aggregate, pairs: list[tuple[z3.BoolRef, Term]]
    ) -> Term:
        choose = _make_chooser(Extreme(node.function.value))
        default = self._build_default(node)
        # The default counts only where no item does, for it may lie beyond all of them.
        best, is_found = default, self.make_truth(value=False)
        for met, value in pairs:
            better = z3.If(is_found, choose(best, _require_number(value)), _require_number(value))
            best = z3.If(met, better, best)
            is_found = z3.Or(is_found, met)
        return best

    def _build_default(self, node: nodes.Aggregate) -> z3.ArithRef:
        if node.default is None:
            return self.make_number(0)
        return _require_number(self.build_term(node.default))

    def _build_item_at(
        self, node: nodes.Aggregate, pairs: list[tuple[z3.BoolRef, Term]]
    ) -> z3.ArithRef:
        """Return the value of the last that is met, in the order in which they are asked."""
        if node.function is AggregateFunction.MEDIAN:
            pairs = self._list_medians(pairs)
        elif node.function is AggregateFunction.FIRST:
            pairs = pairs[::-1]
        found = self._build_default(node)
        for met, value in pairs:
            found = self.terms.choose(met, _require_number(value), found)
        return found

    def _list_medians(self, pairs: list[tuple[z3.BoolRef, Term]]) -> list[tuple[z3.BoolRef, Term]]:
        """Return the values, each with the condition that it is the lower one in the middle.

        At most half of the others are below it, and at least half of all are not above it.
        """
        numbers = [(met, _require_number(value)) for met, value in pairs]
        count = self._count(met for met, _ in numbers)
        found: list[tuple[z3.BoolRef, Term]] = []
        for met, value in numbers:
            below = self._count(z3.And(also, other < value) for also, other in numbers)
            reached = self._count(z3.And(also, other <= value) for also, other in numbers)
            is_median = z3.And(met, 2 * below + 1 <= count, count <= 2 * reached)
            found.append((is_median, value))
        return found

    def _count(self, conditions: Iterable[z3.BoolRef]) -> z3.ArithRef:
        one, zero = self.make_number(1), self.make_number(0)
        parts = (self.terms.choose(met, one, zero) for met in conditions)
        return reduce(lambda total, part: total + part, parts, zero)


def equate_terms(left: Term, right: Term) -> z3.BoolRef:
    """Return the term that two terms of one type are equal."""
    if isinstance(left, tuple):
        return z3.And(*(a == b for a, b in zip(left, _require_members(right), strict=True)))
    if isinstance(left, z3.BoolRef) or isinstance(right, z3.BoolRef):
        return _convert_to_truth(left) == _convert_to_truth(right)
    return _require_number(left) == _require_number(right)


def _count_variables(kind: ValueType) -> int:
    """Return how many integers a value of an item's field is."""
    return len(kind.values) if isinstance(kind, SetType) else 1


def _make_chooser(extreme: Extreme) -> Callable[[z3.ArithRef, z3.ArithRef], z3.ArithRef]:
    if extreme is Extreme.MINIMUM:
        return lambda a, b: z3.If(a <= b, a, b)
    return lambda a, b: z3.If(a >= b, a, b)


def _require_number(term: Term) -> z3.ArithRef:
    if not isinstance(term, z3.ArithRef):
        raise TypeError(f"{term!r} is no number")
    return term


def _convert_to_truth(term: Term) -> z3.BoolRef:
    if isinstance(term, z3.BoolRef):
        return term
    return _require_number(term) == 1


def _require_members(term: Term) -> tuple[z3.ArithRef, ...]:
    if not isinstance(term, tuple):
        raise TypeError(f"{term!r} is no set")
    return term
