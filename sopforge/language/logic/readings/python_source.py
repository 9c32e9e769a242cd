"""The Python reading: an expression as source text over a tool's decoded parameters.

Labels stay text, sets stay tuples of labels and lists tuples of dictionaries, so that the emitted
code reads like code; numbers are whole units of their places and dates are day numbers, so that
it decides exactly as the model does. The functions of ``HELPERS`` stand beside the source.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import filterfalse
from typing import assert_never

from sopforge.language.domain.expressions import expressions as nodes
from sopforge.language.domain.expressions.aggregates import PLACED
from sopforge.language.domain.expressions.algebra import interpret
from sopforge.language.domain.expressions.calendars import HOURS_A_DAY, MINUTES_AN_HOUR
from sopforge.language.domain.expressions.expressions import (
    AggregateFunction,
    Expression,
    Relation,
    Rounding,
    SetOperation,
    walk,
)
from sopforge.language.domain.values.types import (
    MINUTES_A_DAY,
    BooleanType,
    EnumType,
    Item,
    ListType,
    SetType,
    ValueType,
    list_items,
    list_set_members,
    require_integer,
)

_EQUALITY = frozenset({Relation.EQ, Relation.NE})
HELPERS: dict[type[Expression] | AggregateFunction, tuple[str, str]] = {
    nodes.Quotient: (
        "rounded",
        '''def rounded(dividend: int, divisor: int) -> int:
    """Return the quotient rounded to a whole number, halves away from zero."""
    quotient, rest = divmod(abs(dividend), divisor)
    quotient += 2 * rest >= divisor
    return quotient if dividend >= 0 else -quotient
''',
    ),
    nodes.AddMonths: (
        "add_months",
        '''def add_months(day: int, months: int) -> int:
    """Return the day so many months later, or the last one of its month if that is earlier."""
    start = date.fromordinal(day)
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    first = date(year, month + 1, 1).toordinal()
    length = 31 if month == 11 else date(year, month + 2, 1).toordinal() - first
    return first + min(start.day, length) - 1
''',
    ),
    nodes.Workdays: (
        "workdays",
        '''def workdays(start: int, end: int, holidays: tuple[int, ...]) -> int:
    """Return the Mondays to Fridays after start, up to and with end, less the holidays."""
    if end < start:
        return -workdays(end, start, holidays)
    days = end // 7 * 5 + min(end % 7, 5) - start // 7 * 5 - min(start % 7, 5)
    return days - sum(start < day <= end and 1 <= day % 7 <= 5 for day in holidays)
''',
    ),
    nodes.AddWorkdays: (
        "add_workdays",
        '''def add_workdays(day: int, count: int, holidays: tuple[int, ...]) -> int:
    """Return the first day by which so many Mondays to Fridays that are no holidays are over."""
    while count > 0:
        day += 1
        count -= 1 <= day % 7 <= 5 and day not in holidays
    return day
''',
    ),
    AggregateFunction.MEDIAN: (
        "lower_median",
        '''def lower_median(values: list, default: int | str, order: tuple = ()) -> int | str:
    """Return the value in the middle, of two the lower one; the default where there are none."""
    ordered = sorted(values, key=order.index if order else None) or [default]
    return ordered[(len(ordered) - 1) // 2]
''',
    ),
    nodes.WeekdayOf: (
        "weekday_of",
        '''def weekday_of(day: int) -> str:
    """Return the day of the week; day 1 was a Monday."""
    names = "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
    return names[(day - 1) % 7]
''',
    ),
}


@dataclass(frozen=True, slots=True)
class PythonSource:
    """Writes fully bracketed source; a field is the variable of its name, None where missing.

    ``policy`` holds the constants that the code defines, each under its name in capitals.
    """

    policy: Mapping[str, nodes.Constant]

    def visit_constant(self, node: nodes.Constant) -> str:
        match node.type:
            case EnumType():
                return repr(node.type.values[require_integer(node.value)])
            case SetType():
                return repr(tuple(list_set_members(node.type, node.value)))
            case BooleanType():
                return repr(bool(node.value))
            case ListType():
                return self.render_list(node.type, list_items(node.value))
            case _ if node.name in self.policy:
                return self.render_policy_constant(node)
            case _:
                return repr(node.value)

    def render_list(self, kind: ListType, items: Sequence[Item]) -> str:
        """Return a list as a literal."""
        found = [
            ", ".join(
                f"{name!r}: {self.visit_constant(nodes.Constant(part, item[name]))}"
                for name, part in kind.fields
            )
            for item in items
        ]
        return f"({''.join(f'{{{pairs}}}, ' for pairs in found)})"

    def render_policy_constant(self, node: nodes.Constant) -> str:
        """Return a policy constant; a comparison may have brought it to more places."""
        name, defined = node.name.upper(), self.policy[node.name].value
        # e.g. amount (2 places) >= LIMIT (0 places) becomes amount >= LIMIT * 100.
        is_scaled = isinstance(defined, int) and defined and node.value != defined
        return (
            f"({name} * {require_integer(node.value) // require_integer(defined)})"
            if is_scaled
            else name
        )

    def visit_missing(self, node: nodes.Missing) -> str:
        return "None"

    def visit_read(self, node: nodes.Read) -> str:
        return node.field

    def visit_element(self, node: nodes.Element) -> str:
        return f"_item[{node.field!r}]"

    def visit_presence(self, node: nodes.Presence) -> str:
        return f"({node.field} is not None)"

    def visit_rescale(self, node: nodes.Rescale, operand: str) -> str:
        return f"({operand} * {10**node.digits})"

    def visit_arithmetic(self, node: nodes.Arithmetic, left: str, right: str) -> str:
        return f"({left} {node.operation} {right})"

    def visit_quotient(self, node: nodes.Quotient, left: str, right: str) -> str:
        dividend = f"{left} * {10**node.digits}" if node.digits else left
        match node.rounding:
            case Rounding.NEAREST:
                return f"rounded({dividend}, {right})"
            case Rounding.DOWN:
                return f"({dividend} // {right})"
            case Rounding.UP:
                return f"(-(-{dividend} // {right}))"

    def visit_absolute(self, node: nodes.Absolute, operand: str) -> str:
        return f"abs({operand})"

    def visit_outermost(self, node: nodes.Outermost, operands: Sequence[str]) -> str:
        return f"{node.extreme}({', '.join(operands)}{_render_order(node.type)})"

    def visit_elapsed(self, node: nodes.Elapsed, start: str, end: str) -> str:
        return f"({end} - {start})"

    def visit_workdays(self, node: nodes.Workdays, start: str, end: str) -> str:
        holidays = node.calendar.upper() or repr(node.holidays)
        return f"workdays({start}, {end}, {holidays})"

    def visit_add_days(self, node: nodes.AddDays, date: str, days: str) -> str:
        return f"({date} + {days})"

    def visit_add_minutes(self, node: nodes.AddMinutes, moment: str, count: str) -> str:
        return f"({moment} + {count}{f' * {node.each}' if node.each > 1 else ''})"

    def visit_add_workdays(self, node: nodes.AddWorkdays, date: str, count: str) -> str:
        holidays = node.calendar.upper() or repr(node.holidays)
        return f"add_workdays({date}, {count}, {holidays})"

    def visit_add_months(self, node: nodes.AddMonths, date: str, months: str) -> str:
        return f"add_months({date}, {months})"

    def visit_date_of(self, node: nodes.DateOf, operand: str) -> str:
        return f"({operand} // {MINUTES_A_DAY} + 1)"

    def visit_hour_of(self, node: nodes.HourOf, operand: str) -> str:
        return f"({operand} // {MINUTES_AN_HOUR} % {HOURS_A_DAY})"

    def visit_weekday_of(self, node: nodes.WeekdayOf, operand: str) -> str:
        return f"weekday_of({operand})"

    def visit_size(self, node: nodes.Size, operand: str) -> str:
        return f"len({operand})"

    def visit_compare(self, node: nodes.Compare, left: str, right: str) -> str:
        if node.relation in _EQUALITY or not isinstance(node.left.type, EnumType):
            return f"({left} {node.relation} {right})"
        labels = repr(node.left.type.values)
        return f"({labels}.index({left}) {node.relation} {labels}.index({right}))"

    def visit_one_of(self, node: nodes.OneOf, operand: str) -> str:
        options = [self.visit_constant(option) for option in node.options]
        # Without its comma ('a') is a text, and `in` would look for parts of it.
        listed = f"{', '.join(options)}{',' if len(options) == 1 else ''}"
        return f"({operand} in ({listed}))"

    def visit_contains(self, node: nodes.Contains, operand: str) -> str:
        return f"({node.member!r} in {operand})"

    def visit_among(self, node: nodes.Among, operand: str, members: str) -> str:
        return f"({operand} in {members})"

    def visit_subset(self, node: nodes.Subset, left: str, right: str) -> str:
        return f"all(_label in {right} for _label in {left})"

    def visit_combination(self, node: nodes.Combination, left: str, right: str) -> str:
        labels, word = left, "not in" if node.operation is SetOperation.DIFFERENCE else "in"
        test = f"_label {word} {right}"
        if node.operation is SetOperation.UNION:
            # By the type's labels, for results list them in their order.
            labels = repr(node.type.values) if isinstance(node.type, SetType) else left
            test = f"_label in {left} or {test}"
        return f"(*(_label for _label in {labels} if {test}),)"

    def visit_all_of(self, node: nodes.AllOf, operands: Sequence[str]) -> str:
        return f"({' and '.join(operands)})"

    def visit_any_of(self, node: nodes.AnyOf, operands: Sequence[str]) -> str:
        return f"({' or '.join(operands)})"

    def visit_negation(self, node: nodes.Not, operand: str) -> str:
        return f"(not {operand})"

    def visit_choice(self, node: nodes.Choice, condition: str, then: str, otherwise: str) -> str:
        return f"({then} if {condition} else {otherwise})"

    def visit_lookup(self, node: nodes.Lookup, key: str, entries: Sequence[str]) -> str:
        kind = node.key.type
        labels = kind.values if isinstance(kind, EnumType) else ()
        pairs = zip(labels, entries, strict=True)
        return f"{{{', '.join(f'{label!r}: {entry}' for label, entry in pairs)}}}[{key}]"

    def visit_aggregate(self, node: nodes.Aggregate) -> str:
        value = "1" if node.value is None else interpret(node.value, self)
        where = "" if node.where is None else f" if {interpret(node.where, self)}"
        items = f"{value} for _item in {node.list}{where}"
        if node.function in _TAKEN:
            default = "0" if node.default is None else interpret(node.default, self)
            return _take_item(node, items, default)
        function = _name_python_function(node.function)
        if node.default is None:
            return f"{function}({items})"
        # Beside another argument, Python wants a generator in brackets of its own.
        options = f"{_render_order(node.type)}, default={interpret(node.default, self)}"
        return f"{function}(({items}){options})"

    def visit_selection(self, node: nodes.Selection) -> str:
        where = "" if node.where is None else f" if {interpret(node.where, self)}"
        names = [name for name, _ in node.type.fields]
        parts = [interpret(part, self) for part in node.parts]
        pairs = ", ".join(f"{name!r}: {part}" for name, part in zip(names, parts, strict=True))
        return f"tuple({{{pairs}}} for _item in {node.list}{where})"


_TAKEN = PLACED | {AggregateFunction.MEDIAN}


def _take_item(node: nodes.Aggregate, items: str, default: str) -> str:
    """Return the source of the value at a place of some, or of a default where there are none."""
    # Fields may be called as functions are, which a method would then lack.
    match node.function:
        case AggregateFunction.FIRST:
            return f"([{items}] or [{default}])[0]"
        case AggregateFunction.LAST:
            return f"([{items}] or [{default}])[-1]"
        case _:
            order = f", {node.type.values!r}" if isinstance(node.type, EnumType) else ""
            return f"lower_median([{items}], {default}{order})"


def _render_order(kind: ValueType) -> str:
    """Return the key by which Python takes the least or greatest label; none of numbers."""
    return f", key={kind.values!r}.index" if isinstance(kind, EnumType) else ""


def _name_python_function(function: AggregateFunction) -> str:
    """Return Python's name of an aggregate's function."""
    # A match, not the value: the type checker asks for the name of each further function.
    match function:
        case AggregateFunction.COUNT | AggregateFunction.SUM:
            return "sum"
        case AggregateFunction.MINIMUM:
            return "min"
        case AggregateFunction.MAXIMUM:
            return "max"
        case AggregateFunction.FIRST | AggregateFunction.LAST | AggregateFunction.MEDIAN:
            raise TypeError(f"no function of Python is called {function}")
        case AggregateFunction.ANY:
            return "any"
        case AggregateFunction.ALL:
            return "all"
        case _:
            assert_never(function)


def _is_directed(node: Expression) -> bool:
    return isinstance(node, nodes.Quotient) and node.rounding is not Rounding.NEAREST


def collect_helpers(expressions: Iterable[Expression]) -> list[str]:
    """Return the source of the functions that the sources of the expressions call, each once."""
    found = [node for expression in expressions for node in walk(expression)]
    used: set[Hashable] = set(map(type, filterfalse(_is_directed, found)))
    used |= {node.function for node in found if isinstance(node, nodes.Aggregate)}
    return [source for node, (_, source) in HELPERS.items() if node in used]
