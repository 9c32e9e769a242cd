"""Days and times: how far apart they lie, and what day lies so far from another."""

from __future__ import annotations

from sopforge.domain.language.expressions import (
    AddDays,
    AddMonths,
    Arithmetic,
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
from sopforge.domain.values.types import require_integer
from sopforge.logic.english.names import COUNT_WORDS, Names
from sopforge.logic.english.numbers import find_unit
from sopforge.logic.phrasing.brackets import as_operand
from sopforge.logic.phrasing.distances import Distance, count_months
from sopforge.logic.phrasing.grammar import format_quantity, name_age
from sopforge.logic.phrasing.idioms import find_negated, unwrap_node

_SUMS = {Operation.ADD, Operation.SUBTRACT}
_AT_MOST = {"after": "no later than", "before": "no earlier than"}


class Dates(Names):
    """Phrases what is worked out of dates, and how many days apart two of them are."""

    def visit_elapsed(self, node: Elapsed, start: str, end: str) -> str:
        return f"the number of {node.span} {_phrase_span(node, start, end)}"

    def visit_workdays(self, node: Workdays, start: str, end: str) -> str:
        calendar = f" of the calendar {node.named_calendar}" if node.named_calendar else ""
        return f"the number of working days{calendar} {_phrase_span(node, start, end)}"

    def visit_add_days(self, node: AddDays, date: str, days: str) -> str:
        return _phrase_shifted(node.date, node.days, days, "days", as_operand(node.date, date))

    def visit_add_months(self, node: AddMonths, date: str, months: str) -> str:
        day = as_operand(node.date, date)
        return _phrase_shifted(node.date, node.months, months, "months", day)

    def visit_date_of(self, node: DateOf, operand: str) -> str:
        event = operand.removeprefix("the time of ")
        if event != operand and not self.is_label(f"day of {event}"):
            return f"the day of {event}"
        return f"the calendar day of {as_operand(node.operand, operand)}"

    def phrase_distance(self, distance: Distance) -> str:
        """Return how far a day or time lies before another, or after it."""
        if age := self.phrase_age(distance):
            return age
        event = self.find_event(distance.subject)
        subject, verb = event or (
            self.phrase(distance.subject),
            self.choose_verb(distance.subject),
        )
        calendar = f" of the calendar {distance.calendar}" if distance.calendar else ""
        count = f"{format_quantity(str(distance.count), distance.unit)}{calendar}"
        other = as_operand(distance.other, self.phrase(distance.other))
        side = "before" if distance.is_before else "after"
        is_at_most = distance.relation is Relation.LE
        if distance.is_ordered:
            far = "up to" if is_at_most else COUNT_WORDS[distance.relation]
            return f"{subject} {verb} on {other} or {far} {count} {side} it"
        if is_at_most and distance.count > 1 and (order := self.find_known_order(distance)):
            on_it = "" if order is Relation.LT else " or on it"
            return f"{subject} {verb} in the {count} before {other}{on_it}"
        far = _AT_MOST[side] if is_at_most else COUNT_WORDS[distance.relation]
        return f"{subject} {verb} {far} {count} {side} {other}"

    def find_known_order(self, distance: Distance) -> Relation | None:
        """Return how an entry's day always lies to the other day, None where that is not known."""
        day, other = unwrap_node(distance.subject), unwrap_node(distance.other)
        # A day off may lie so many working days before, and is none of them.
        is_counted = distance.is_before and distance.unit == "days"
        if not is_counted or not isinstance(day, Element) or not isinstance(other, Read):
            return None
        part = self.fields[day.list].find_part(day.field)
        if part is None or other.field not in part.until:
            return None
        return Relation.LT if other.field in part.before else Relation.LE

    def phrase_age(self, distance: Distance) -> str:
        """Return how old somebody is on a day, "" for another distance.

        Who is 70 is no more than 70 until the next birthday: only "less than" and "at least" say
        of an age what they say of the day.
        """
        birth, day = unwrap_node(distance.other), unwrap_node(distance.subject)
        is_after = distance.unit == "years" and not distance.is_before
        is_known = isinstance(birth, Read) and isinstance(day, Read)
        if not is_after or not is_known or distance.relation not in {Relation.LT, Relation.GE}:
            return ""
        age = name_age(self.fields[birth.field].label) if isinstance(birth, Read) else ""
        is_alone = [name_age(item.label) for item in self.fields.values()].count(age) == 1
        if not age or not is_alone or self.is_label_start(age):
            return ""
        years = format_quantity(str(distance.count), "years")
        words = f"{COUNT_WORDS[distance.relation]} {years}"
        return f"the {age} on {self.phrase(distance.subject)} is {words}"


def _phrase_span(node: Elapsed | Workdays, start: str, end: str) -> str:
    return f"from {as_operand(node.start, start)} to {as_operand(node.end, end)}"


def _phrase_shifted(date: Expression, node: Expression, phrase: str, unit: str, day: str) -> str:
    """Return the day that lies so many days or months after another, or before it."""
    years = count_months(node)
    if unit == "months" and years is not None and years[1] == "years":
        return _phrase_beside(*years, day)
    inner = unwrap_node(node)
    negated = unwrap_node(find_negated(inner) or inner)
    if not isinstance(negated, Constant):
        # Its sign is not known: a number below zero after a day is as many before it.
        is_known = isinstance(unwrap_node(date), Read | Element)
        # Between a day and a number of days, the unit of the number says what is meant.
        rest = "" if is_known and find_unit(negated) == unit else f" (in {unit})"
        if negated is not inner:
            return f"{day} minus {as_operand(negated, phrase.removeprefix('minus '))}{rest}"
        is_sum = isinstance(inner, Arithmetic) and inner.operation in _SUMS
        return f"{day} plus {phrase if is_sum and not rest else as_operand(node, phrase)}{rest}"
    count = require_integer(negated.value) * (1 if negated is inner else -1)
    return _phrase_beside(count, unit, day)


def _phrase_beside(count: int, unit: str, day: str) -> str:
    """Return the day so many days, months or years after another, or before it."""
    side = "before" if count < 0 else "after"
    if unit == "days" and abs(count) == 1:
        return f"the day {side} {day}"
    return f"{format_quantity(str(abs(count)), unit)} {side} {day}"
