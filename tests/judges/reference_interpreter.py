"""What expressions and decisions mean, worked out from their text alone: the judge of readings.

It shares no code with SOPForge. Numbers are fractions, dates and date-times are those of Python,
labels and texts are text, sets are frozen sets, and lists are tuples of dictionaries. A missing
value is None, which may be asked about but never read: whoever reads it fails.

A text is read once, into a function of rows.
"""

from __future__ import annotations

import ast
import calendar
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import TypeAlias

Part: TypeAlias = Fraction | bool | str | date | frozenset[str]
Natural: TypeAlias = Part | tuple[Mapping[str, Part], ...]
Row: TypeAlias = Mapping[str, "Natural | Mapping[str, Part] | None"]
Meaning: TypeAlias = Callable[[Row], Natural]
Calendars: TypeAlias = Mapping[str, frozenset[date]]
Orders: TypeAlias = Sequence[Sequence[str]]
Raw: TypeAlias = "int | bool | str | Decimal"

_RELATIONS: dict[type[ast.cmpop], Callable[[object, object], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,  # type: ignore[dict-item]  # never reached for what has no order
    ast.LtE: operator.le,  # type: ignore[dict-item]
    ast.Gt: operator.gt,  # type: ignore[dict-item]
    ast.GtE: operator.ge,  # type: ignore[dict-item]
}
_OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: lambda base, exponent: base ** int(exponent),
}
_WEEKDAYS = {
    1: "Monday",
    2: "Tuesday",
    3: "Wednesday",
    4: "Thursday",
    5: "Friday",
    6: "Saturday",
    7: "Sunday",
}
_SET_OPERATIONS: dict[
    type[ast.operator], Callable[[frozenset[str], frozenset[str]], frozenset[str]]
] = {
    ast.BitOr: frozenset.union,
    ast.BitAnd: frozenset.intersection,
    ast.Sub: frozenset.difference,
}
_SATURDAY = 5
NOTHING = "\0no value"
"""What a decision gives that gives no value: no text of a row or of a rule has it."""


def meaning(text: str, calendars: Calendars | None = None, orders: Orders = ()) -> Meaning:
    """Return the function of rows that an expression stands for.

    ``orders`` are the labels that can be compared, each list from the lowest to the highest.
    """
    plain = text.strip()
    return _Reference(plain, calendars or {}, orders).of(ast.parse(plain, mode="eval").body)


def evaluate(
    text: str, row: Row, calendars: Calendars | None = None, orders: Orders = ()
) -> Natural:
    """Return the value of an expression on a row; reading a missing value is an error."""
    return meaning(text, calendars, orders)(row)


class _Reference:
    """Reads one syntax tree; each method gives the function that a node stands for."""

    def __init__(self, text: str, calendars: Calendars, orders: Orders) -> None:
        self.text = text
        self.calendars = calendars
        self.orders = orders

    def of(self, node: ast.expr) -> Meaning:
        reader: Callable[[ast.expr], Meaning] = getattr(self, f"of_{type(node).__name__.lower()}")
        return reader(node)

    def number(self, node: ast.expr) -> Callable[[Row], Fraction]:
        inner = self.of(node)

        def number(row: Row) -> Fraction:
            found = inner(row)
            assert isinstance(found, Fraction), f"{found!r} is no number"
            return found

        return number

    def truth(self, node: ast.expr) -> Callable[[Row], bool]:
        inner = self.of(node)

        def truth(row: Row) -> bool:
            found = inner(row)
            assert isinstance(found, bool), f"{found!r} is no condition"
            return found

        return truth

    def day(self, node: ast.expr) -> Callable[[Row], date]:
        inner = self.of(node)
        return lambda row: as_day(inner(row))

    def moment(self, node: ast.expr) -> Callable[[Row], datetime]:
        inner = self.of(node)
        return lambda row: as_moment(inner(row))

    # names and literals

    def of_constant(self, node: ast.Constant) -> Meaning:
        found: Natural
        if isinstance(node.value, str):
            found = node.value
        else:
            found = Fraction(str(ast.get_source_segment(self.text, node)))
        return lambda row: found  # noqa: ARG005 - a function of rows

    def of_name(self, node: ast.Name) -> Meaning:
        name = node.id
        if name == "missing":
            return lambda row: NOTHING  # noqa: ARG005 - a function of rows

        def value(row: Row) -> Natural:
            found = row[name]
            assert found is not None, f"{name} is missing and was read"
            assert not isinstance(found, Mapping), f"{name} is an item and no value"
            return found

        return value

    def of_attribute(self, node: ast.Attribute) -> Meaning:
        path = ast.unparse(node)
        variable, _, name = path.rpartition(".")

        def value(row: Row) -> Natural:
            # Of what a reference leads to, a row has the values under their whole paths.
            if path in row:
                found = row[path]
                assert found is not None, f"{path} is missing and was read"
                assert not isinstance(found, Mapping), f"{path} is an item and no value"
                return found
            item = row[variable]
            assert isinstance(item, Mapping), f"{variable} is no item"
            return item[name]

        return value

    # operators

    def of_unaryop(self, node: ast.UnaryOp) -> Meaning:
        if isinstance(node.op, ast.Not):
            truth = self.truth(node.operand)
            return lambda row: not truth(row)
        number = self.number(node.operand)
        return lambda row: -number(row)

    def of_binop(self, node: ast.BinOp) -> Meaning:
        first, second = self.of(node.left), self.of(node.right)

        def worked_out(row: Row) -> Natural:
            left, right = first(row), second(row)
            if isinstance(left, frozenset):
                assert isinstance(right, frozenset), f"{right!r} is no set"
                return _SET_OPERATIONS[type(node.op)](left, right)
            assert isinstance(left, Fraction), f"{left!r} is no number"
            assert isinstance(right, Fraction), f"{right!r} is no number"
            return _OPERATIONS[type(node.op)](left, right)

        return worked_out

    def of_boolop(self, node: ast.BoolOp) -> Meaning:
        operands = [self.truth(value) for value in node.values]
        if isinstance(node.op, ast.Or):
            return lambda row: any(operand(row) for operand in operands)
        return lambda row: all(operand(row) for operand in operands)

    def of_ifexp(self, node: ast.IfExp) -> Meaning:
        test, then, otherwise = self.truth(node.test), self.of(node.body), self.of(node.orelse)
        return lambda row: then(row) if test(row) else otherwise(row)

    def of_compare(self, node: ast.Compare) -> Meaning:
        sides = [node.left, *node.comparators]
        pairs = zip(sides, node.ops, sides[1:], strict=False)
        links = [self.link(left, relation, right) for left, relation, right in pairs]
        return lambda row: all(link(row) for link in links)

    def link(self, left: ast.expr, relation: ast.cmpop, right: ast.expr) -> Callable[[Row], bool]:
        if isinstance(relation, ast.In | ast.NotIn):
            inside, wanted = self.inside(left, right), isinstance(relation, ast.In)
            return lambda row: inside(row) is wanted
        if isinstance(left, ast.List) or isinstance(right, ast.List):
            return self.compared_sets(left, relation, right)
        holds, first, second = _RELATIONS[type(relation)], self.of(left), self.of(right)

        def related(row: Row) -> bool:
            one, other = _alike(first(row), second(row))
            assert type(one) is type(other), f"{one!r} and {other!r} do not compare"
            if isinstance(one, str) and not isinstance(relation, ast.Eq | ast.NotEq):
                return holds(*ranks((one, other), self.orders))
            return holds(one, other)

        return related

    def compared_sets(
        self, left: ast.expr, relation: ast.cmpop, right: ast.expr
    ) -> Callable[[Row], bool]:
        first, second = self.set(left), self.set(right)
        if isinstance(relation, ast.LtE):
            return lambda row: first(row).issubset(second(row))
        assert isinstance(relation, ast.GtE), "sets can be compared with <= and >="
        return lambda row: first(row).issuperset(second(row))

    def set(self, node: ast.expr) -> Callable[[Row], frozenset[str]]:
        inner = self.of(node)

        def members(row: Row) -> frozenset[str]:
            found = inner(row)
            assert isinstance(found, frozenset), f"{found!r} is no set"
            return found

        return members

    def of_list(self, node: ast.List) -> Meaning:
        labels = [item.value for item in node.elts if isinstance(item, ast.Constant)]
        found = frozenset(str(label) for label in labels)
        return lambda row: found  # noqa: ARG005 - a function of rows

    def inside(self, left: ast.expr, right: ast.expr) -> Callable[[Row], bool]:
        member = self.of(left)
        if isinstance(right, ast.List | ast.Tuple):
            options = [self.of(item) for item in right.elts]
            return lambda row: any(member(row) == option(row) for option in options)
        container = self.of(right)

        def contained(row: Row) -> bool:
            found, label = container(row), member(row)
            assert isinstance(found, frozenset)
            assert isinstance(label, str)
            return label in found

        return contained

    # functions

    def of_call(self, node: ast.Call) -> Meaning:
        assert isinstance(node.func, ast.Name)
        if node.args and isinstance(node.args[0], ast.GeneratorExp):
            return self.aggregate(node.func.id, node.args[0], node.keywords)
        reader: Callable[..., Meaning] = getattr(self, f"call_{node.func.id}")
        return reader(*node.args)

    def call_present(self, field: ast.expr) -> Meaning:
        assert isinstance(field, ast.Name | ast.Attribute)
        name = ast.unparse(field)
        return lambda row: row[name] is not None

    def call_round(self, value: ast.expr, places: ast.expr) -> Meaning:
        number, digits = self.number(value), self.number(places)
        return lambda row: rounded(number(row), int(digits(row)))

    def call_floor(self, value: ast.expr, *places: ast.expr) -> Meaning:
        number, units = self.number(value), [self.number(item) for item in places]
        return lambda row: in_units(floor, number(row), *(int(unit(row)) for unit in units))

    def call_ceiling(self, value: ast.expr, *places: ast.expr) -> Meaning:
        number, units = self.number(value), [self.number(item) for item in places]
        return lambda row: in_units(ceil, number(row), *(int(unit(row)) for unit in units))

    def call_remainder(self, value: ast.expr, divisor: ast.expr) -> Meaning:
        number, by = self.number(value), self.number(divisor)
        return lambda row: number(row) % by(row)

    def call_abs(self, value: ast.expr) -> Meaning:
        number = self.number(value)
        return lambda row: max(number(row), -number(row))

    def call_min(self, *values: ast.expr) -> Meaning:
        operands = [self.of(value) for value in values]
        return lambda row: outermost(min, [operand(row) for operand in operands], self.orders)

    def call_max(self, *values: ast.expr) -> Meaning:
        operands = [self.of(value) for value in values]
        return lambda row: outermost(max, [operand(row) for operand in operands], self.orders)

    def call_count(self, field: ast.expr) -> Meaning:
        members = self.of(field)

        def count(row: Row) -> Natural:
            found = members(row)
            assert isinstance(found, frozenset)
            return Fraction(len(found))

        return count

    def call_days_between(self, start: ast.expr, end: ast.expr) -> Meaning:
        first, last = self.day(start), self.day(end)
        return lambda row: Fraction((last(row) - first(row)).days)

    def call_minutes_between(self, start: ast.expr, end: ast.expr) -> Meaning:
        first, last = self.moment(start), self.moment(end)
        return lambda row: Fraction((last(row) - first(row)) // timedelta(minutes=1))

    def call_workdays_between(self, start: ast.expr, end: ast.expr, name: ast.expr) -> Meaning:
        assert isinstance(name, ast.Name)
        first, last, holidays = self.day(start), self.day(end), self.calendars[name.id]
        return lambda row: Fraction(workdays(first(row), last(row), holidays))

    def call_add_days(self, start: ast.expr, count: ast.expr) -> Meaning:
        found, days = self.of(start), self.number(count)

        def later(row: Row) -> Natural:
            known = found(row)
            is_time = isinstance(known, datetime) or (isinstance(known, str) and ":" in known)
            return (as_moment if is_time else as_day)(known) + timedelta(days=int(days(row)))

        return later

    def call_add_hours(self, start: ast.expr, count: ast.expr) -> Meaning:
        moment, hours = self.moment(start), self.number(count)
        return lambda row: moment(row) + timedelta(hours=int(hours(row)))

    def call_add_minutes(self, start: ast.expr, count: ast.expr) -> Meaning:
        moment, minutes = self.moment(start), self.number(count)
        return lambda row: moment(row) + timedelta(minutes=int(minutes(row)))

    def call_add_months(self, start: ast.expr, count: ast.expr) -> Meaning:
        day, months = self.day(start), self.number(count)
        return lambda row: months_later(day(row), int(months(row)))

    def call_add_workdays(self, start: ast.expr, count: ast.expr, name: ast.expr) -> Meaning:
        assert isinstance(name, ast.Name)
        day, number, holidays = self.day(start), self.number(count), self.calendars[name.id]
        return lambda row: workdays_later(day(row), int(number(row)), holidays)

    def call_date_of(self, time: ast.expr) -> Meaning:
        moment = self.moment(time)
        return lambda row: moment(row).date()

    def call_hour_of(self, time: ast.expr) -> Meaning:
        moment = self.moment(time)
        return lambda row: Fraction(moment(row).hour)

    def call_weekday_of(self, start: ast.expr) -> Meaning:
        day = self.day(start)
        return lambda row: _WEEKDAYS[day(row).isoweekday()]

    # aggregates

    def aggregate(
        self, name: str, generator: ast.GeneratorExp, options: list[ast.keyword]
    ) -> Meaning:
        items = self.items(generator)
        if name == "count":
            return lambda row: Fraction(sum(1 for _ in items(row)))
        if name in {"any", "all"}:
            holds, decide = self.truth(generator.elt), any if name == "any" else all
            return lambda row: decide(holds(item) for item in items(row))
        if name in {"min", "max"}:
            return self.outermost_item(name, generator.elt, items, options[0].value)
        if name in {"first", "last", "median"}:
            return self.item_at(name, generator.elt, items, options[0].value)
        value = self.number(generator.elt)
        if name == "sum":
            return lambda row: sum((value(item) for item in items(row)), Fraction())
        found = {str(option.arg): self.number(option.value) for option in options}
        return _mean(value, items, found["places"], found["default"])

    def outermost_item(
        self,
        name: str,
        elt: ast.expr,
        items: Callable[[Row], Iterator[Row]],
        rest: ast.expr,
    ) -> Meaning:
        value, default, choose = self.of(elt), self.of(rest), min if name == "min" else max
        return lambda row: outermost(
            choose, [value(item) for item in items(row)] or [default(row)], self.orders
        )

    def item_at(
        self,
        name: str,
        elt: ast.expr,
        items: Callable[[Row], Iterator[Row]],
        rest: ast.expr,
    ) -> Meaning:
        """Return the value of the item at a place; of two in the middle, the lower one."""
        value, default = self.of(elt), self.of(rest)

        def found(row: Row) -> Natural:
            values = [value(item) for item in items(row)]
            if not values:
                return default(row)
            if name != "median":
                return values[0 if name == "first" else -1]
            # Whoever takes away the lowest and the highest again and again is left with the middle.
            while len(values) > 2:
                values.remove(outermost(min, values, self.orders))
                values.remove(outermost(max, values, self.orders))
            return outermost(min, values, self.orders)

        return found

    # lists that are made

    def of_listcomp(self, node: ast.ListComp) -> Meaning:
        items, made = self.items(node), self.made_item(node)
        return lambda row: tuple(made(inner) for inner in items(row))

    def made_item(self, node: ast.ListComp) -> Callable[[Row], Mapping[str, Part]]:
        """Return an item of a list that is made: one of the other list, or parts by their names."""
        if isinstance(node.elt, ast.Name):
            variable = node.elt.id

            def whole(row: Row) -> Mapping[str, Part]:
                item = row[variable]
                assert isinstance(item, Mapping), f"{variable} is no item"
                return item

            return whole
        assert isinstance(node.elt, ast.Call)
        assert ast.unparse(node.elt.func) == "item"
        parts = {str(part.arg): self.of(part.value) for part in node.elt.keywords}

        def made(row: Row) -> Mapping[str, Part]:
            return {name: _part(value(row)) for name, value in parts.items()}

        return made

    def items(self, generator: ast.GeneratorExp | ast.ListComp) -> Callable[[Row], Iterator[Row]]:
        (clause,) = generator.generators
        assert isinstance(clause.target, ast.Name)
        assert isinstance(clause.iter, ast.Name)
        variable, source = clause.target.id, clause.iter.id
        tests = [self.truth(test) for test in clause.ifs]

        def items(row: Row) -> Iterator[Row]:
            found = row[source]
            assert isinstance(found, tuple), f"{source} is missing and was read"
            for item in found:
                inner = {**row, variable: item}
                if all(test(inner) for test in tests):
                    yield inner

        return items


def ranks(labels: Sequence[Natural], orders: Orders) -> list[int]:
    """Return the places of labels in the order that has all of them."""
    order = next(known for known in orders if {*labels} <= {*known})
    return [order.index(str(label)) for label in labels]


def outermost(choose: Callable[..., Natural], found: Sequence[Natural], orders: Orders) -> Natural:
    """Return the least or greatest of numbers, or of labels by their order."""
    if not isinstance(found[0], str):
        assert all(isinstance(value, Fraction) for value in found), f"{found!r} are no numbers"
        return choose(found)
    places = dict(zip(ranks(found, orders), found, strict=True))
    return places[int(str(choose(places)))]


def rounded(number: Fraction, places: int) -> Fraction:
    """Return a number with so many decimal places, halves away from zero."""
    size = Fraction(floor(abs(number) * 10**places + Fraction(1, 2)), 10**places)
    return size if number >= 0 else -size


def in_units(whole: Callable[[Fraction], int], number: Fraction, places: int = 0) -> Fraction:
    """Return a number with so many decimal places, brought to a whole number of their units."""
    return Fraction(whole(number * 10**places), 10**places)


def average(numbers: Sequence[Fraction], places: int) -> Fraction:
    """Return the rounded mean of at least one number."""
    return rounded(sum(numbers, Fraction()) / len(numbers), places)


def workdays_later(start: date, count: int, holidays: frozenset[date]) -> date:
    """Return the first day up to which so many workdays after a day lie."""
    day = start
    while workdays(start, day, holidays) < count:
        day += timedelta(days=1)
    return day


def workdays(start: date, end: date, holidays: frozenset[date]) -> int:
    """Return the workdays after a day up to and with another, negative where that is earlier."""
    if end < start:
        return -workdays(end, start, holidays)
    weeks, rest = divmod((end - start).days, 7)
    last_days = (end - timedelta(days=back) for back in range(rest))
    free = sum(start < day <= end and day.weekday() < _SATURDAY for day in holidays)
    return weeks * 5 + sum(day.weekday() < _SATURDAY for day in last_days) - free


def months_later(day: date, months: int) -> date:
    """Return the same day of another month, or the last day of that month."""
    years, month = divmod(day.month - 1 + months, 12)
    last = calendar.monthrange(day.year + years, month + 1)[1]
    return date(day.year + years, month + 1, min(day.day, last))


def as_day(found: Natural) -> date:
    """Return a day, which may be written as text."""
    if isinstance(found, str):
        return date.fromisoformat(found)
    assert isinstance(found, date), f"{found!r} is no day"
    assert not isinstance(found, datetime), f"{found!r} is no day"
    return found


def as_moment(found: Natural) -> datetime:
    """Return a date-time, which may be written as text."""
    if isinstance(found, str):
        return datetime.strptime(found, "%Y-%m-%d %H:%M")  # noqa: DTZ007 - no zones
    assert isinstance(found, datetime), f"{found!r} is no date-time"
    return found


def _mean(
    value: Callable[[Row], Fraction],
    items: Callable[[Row], Iterator[Row]],
    places: Callable[[Row], Fraction],
    default: Callable[[Row], Fraction],
) -> Meaning:
    def mean(row: Row) -> Natural:
        values = [value(item) for item in items(row)]
        return average(values, int(places(row))) if values else default(row)

    return mean


def _alike(first: Natural, second: Natural) -> tuple[Natural, Natural]:
    """Return two values with text that stands for a date or date-time read as one."""
    kinds = (type(first), type(second))
    if datetime in kinds:
        return as_moment(first), as_moment(second)
    if date in kinds:
        return as_day(first), as_day(second)
    return first, second


def condition(text: str, calendars: Calendars, orders: Orders = ()) -> Callable[[Row], bool]:
    plain = text.strip()
    return _Reference(plain, calendars, orders).truth(ast.parse(plain, mode="eval").body)


def _part(found: Natural) -> Part:
    assert not isinstance(found, tuple), f"{found!r} is a list and no part of an item"
    return found
