"""The meaning of an expression of the model: the term that its sentence has to say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from sopforge.language.domain.expressions import expressions as nodes
from sopforge.language.domain.expressions.algebra import interpret
from sopforge.language.domain.expressions.calendars import MINUTES_A_DAY, MINUTES_AN_HOUR
from sopforge.language.domain.expressions.expressions import (
    AggregateFunction,
    Expression,
    Extreme,
    Operation,
    SetOperation,
)
from sopforge.language.domain.expressions.numbers import find_remainder
from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.malformed_inputs import find_marked_field
from sopforge.language.domain.values.types import (
    EnumType,
    MomentType,
    NumberType,
    SetType,
    list_set_members,
    require_integer,
)
from sopforge.language.english.forms import Forms
from sopforge.language.english.nouns import format_figure
from sopforge.language.english.terms import Term

_NO_DAY = "no day"

_SETS = {
    SetOperation.UNION: "|",
    SetOperation.INTERSECTION: "&",
    SetOperation.DIFFERENCE: "without",
}
_ZERO, _ONE = "0", "1"
_TIME_HEADS = {1: "add_minutes", MINUTES_AN_HOUR: "add_hours", MINUTES_A_DAY: "add_full_days"}
_HEADS: Mapping[type[Expression], str] = {
    nodes.Absolute: "abs",
    nodes.Size: "size",
    nodes.Among: "among",
    nodes.Subset: "within",
    nodes.AddDays: "add_days",
    nodes.AddMonths: "add_months",
    nodes.DateOf: "date_of",
    nodes.HourOf: "hour_of",
    nodes.WeekdayOf: "weekday_of",
}
_OF_ONE_ITEM = {
    AggregateFunction.MINIMUM: "least",
    AggregateFunction.MAXIMUM: "greatest",
    AggregateFunction.FIRST: "first",
    AggregateFunction.LAST: "last",
    AggregateFunction.MEDIAN: "median",
}


class Meaning:
    """Gives each expression its term; parts that are shared are visited once."""

    def __init__(self, fields: Mapping[str, Field]) -> None:
        self.forms = Forms(fields)

    def interpret(self, node: Expression) -> Term:
        """Return the term of an expression."""
        return interpret(node, self)

    def _make(self, head: str, *parts: Any) -> Term:  # noqa: ANN401 - terms and texts
        """Return a term that an expression has, and thus one that can be made."""
        return cast("Term", self.forms.make(head, *parts))

    # leaves

    def visit_constant(self, node: nodes.Constant) -> Term:
        match node.type:
            case NumberType() as kind:
                figure = format_figure(kind, require_integer(node.value))
                return (
                    "number",
                    figure,
                    self.forms.name_constant_unit(kind, require_integer(node.value)),
                    node.name,
                )
            case MomentType() as kind if require_integer(node.value) < kind.widen().minimum:
                # It stands for what was never returned; other conditions keep it from deciding.
                return ("label", _NO_DAY)
            case MomentType() as kind:
                return (kind.sort, kind.to_cell(node.value), node.name)
            case SetType() as kind:
                return ("labels", *list_set_members(kind, node.value))
            case kind:
                return ("label", kind.to_cell(node.value))

    def visit_missing(self, node: nodes.Missing) -> Term:
        return ("label", node.word)

    def visit_read(self, node: nodes.Read) -> Term:
        return ("field", node.field)

    def visit_element(self, node: nodes.Element) -> Term:
        return ("part", node.list, node.field)

    def visit_presence(self, node: nodes.Presence) -> Term:
        if marked := find_marked_field(node.field):
            return ("not", ("well_formed", ("field", marked)))
        if node.field not in self.forms.fields:
            return ("recorded", node.field)
        return ("given", ("field", node.field))

    # what has the words of a head alone

    def visit_plain(self, node: Expression, *operands: Term) -> Term:
        """Return a term of the head that a class of nodes has."""
        return self._make(_HEADS[type(node)], *operands)

    visit_absolute = visit_size = visit_among = visit_subset = visit_plain
    visit_add_days = visit_add_months = visit_plain
    visit_date_of = visit_hour_of = visit_weekday_of = visit_plain

    # numbers

    def visit_rescale(self, node: nodes.Rescale, operand: Term) -> Term:
        return operand

    def visit_arithmetic(self, node: nodes.Arithmetic, left: Term, right: Term) -> Term:
        quotient = find_remainder(node)
        if quotient is not None:
            return self._make("remainder", left, self.interpret(quotient.right))
        if (
            node.operation is Operation.SUBTRACT
            and left[0] == "number"
            and left[1:] == ("0", "", "")
        ):
            return self._negate_number(right)
        return self._make(node.operation.value, left, right)

    def _negate_number(self, term: Term) -> Term:
        if term[0] == "number" and not term[3] and term[1] != _ZERO:
            figure = term[1]
            return ("number", figure[1:] if figure[0] == "-" else f"-{figure}", *term[2:])
        return ("negative", term)

    def visit_quotient(self, node: nodes.Quotient, left: Term, right: Term) -> Term:
        is_only = right[0] == "number" and right[1] == _ONE and not right[3]
        value = left if is_only else self._make("/", left, right)
        return (node.rounding.value, value, str(node.type.places))

    def visit_outermost(self, node: nodes.Outermost, operands: Sequence[Term]) -> Term:
        return self._make("min" if node.extreme is Extreme.MINIMUM else "max", *operands)

    # dates

    def visit_add_minutes(self, node: nodes.AddMinutes, moment: Term, count: Term) -> Term:
        return self._make(_TIME_HEADS[node.each], moment, count)

    def visit_elapsed(self, node: nodes.Elapsed, start: Term, end: Term) -> Term:
        return (node.span.value, start, end)

    def visit_workdays(self, node: nodes.Workdays, start: Term, end: Term) -> Term:
        return ("workdays", start, end, node.named_calendar)

    def visit_add_workdays(self, node: nodes.AddWorkdays, date: Term, count: Term) -> Term:
        return self._make("add_workdays", date, count, node.named_calendar)

    # conditions

    def visit_compare(self, node: nodes.Compare, left: Term, right: Term) -> Term:
        return self._make(node.relation.value, left, right)

    def visit_one_of(self, node: nodes.OneOf, operand: Term) -> Term:
        labels = (option.type.to_cell(option.value) for option in node.options)
        return self._make("one_of", operand, ("labels", *labels))

    def visit_contains(self, node: nodes.Contains, operand: Term) -> Term:
        return ("includes", operand, ("label", node.member))

    def visit_combination(self, node: nodes.Combination, left: Term, right: Term) -> Term:
        return (_SETS[node.operation], left, right)

    def visit_all_of(self, node: nodes.AllOf, operands: Sequence[Term]) -> Term:
        return self.forms.join("and", *operands)

    def visit_any_of(self, node: nodes.AnyOf, operands: Sequence[Term]) -> Term:
        return self.forms.join("or", *operands)

    def visit_negation(self, node: nodes.Not, operand: Term) -> Term:
        return self.forms.negate(operand)

    # choices

    def visit_choice(
        self, node: nodes.Choice, condition: Term, then: Term, otherwise: Term
    ) -> Term:
        return self._find_average(condition, then, otherwise) or self._make(
            "if", condition, then, otherwise
        )

    def _find_average(self, condition: Term, then: Term, otherwise: Term) -> Term | None:
        """Return the rounded average that a choice stands for, None for another choice.

        The language divides by ``max(count, 1)``, so that no divisor is 0; the choice keeps the 1
        from ever mattering.
        """
        match condition, otherwise:
            case (
                ("not", ("some", items)),
                ("round", ("/", ("sum", summed, value), ("max", ("count", counted), one)), places),
            ) if items == summed == counted and one[:2] == ("number", _ONE):
                return _find_percentage(items, value, then, places) or self._make(
                    "average", items, value, then, places
                )
            case _:
                return None

    def visit_lookup(self, node: nodes.Lookup, key: Term, entries: Sequence[Term]) -> Term:
        kind = node.key.type
        labels = kind.values if isinstance(kind, EnumType) else ()
        groups: dict[Term, list[str]] = {}
        for label, entry in zip(labels, entries, strict=True):
            groups.setdefault(entry, []).append(label)
        return ("table", key, *(("entry", ("labels", *x), entry) for entry, x in groups.items()))

    # lists

    def visit_aggregate(self, node: nodes.Aggregate) -> Term:
        where = None if node.where is None else self.interpret(node.where)
        value = None if node.value is None else self.interpret(node.value)
        items: Term = ("items", node.list, where)
        match node.function:
            case AggregateFunction.COUNT:
                return ("count", items)
            case AggregateFunction.SUM:
                return ("sum", items, value)
            case AggregateFunction.ANY:
                return self.forms.find_some(items, value)
            case AggregateFunction.ALL:
                return ("all", items, value)
            case _:
                default = (
                    ("number", _ZERO, "", "")
                    if node.default is None
                    else self.interpret(node.default)
                )
                return self._make(_OF_ONE_ITEM[node.function], items, value, default)

    def visit_selection(self, node: nodes.Selection) -> Term:
        where = None if node.where is None else self.interpret(node.where)
        named = zip((name for name, _ in node.type.fields), node.parts, strict=True)
        parts = (_name_part(node.list, name, self.interpret(part)) for name, part in named)
        return ("select", ("items", node.list, where), *parts)


def _name_part(items: str, name: str, part: Term) -> Term:
    return ("own", part) if part == ("part", items, name) else ("named", name, part)


def _find_percentage(items: Term, value: Term, default: Term, places: str) -> Term | None:
    """Return an average of a hundred for some entries and zero for others as a percentage."""
    match value:
        case ("if", asked, ("number", "100", *_), ("number", "0", *_)) if items[2] is None:
            return ("percentage", ("items", items[1], asked), default, places)
        case _:
            return None
