"""Days and times: how far apart they lie, and what day lies so far from another."""

from __future__ import annotations

from sopforge.domain.language.expressions import (
    AddDays,
    AddMonths,
    Constant,
    DateOf,
    Elapsed,
    Expression,
    Workdays,
)
from sopforge.domain.values.types import require_integer
from sopforge.logic.english.names import Names
from sopforge.logic.phrasing.brackets import as_operand, format_amount
from sopforge.logic.phrasing.grammar import format_quantity
from sopforge.logic.phrasing.idioms import DaysApart


class Dates(Names):
    """Phrases what is worked out of dates, and how many days apart two of them are."""

    def visit_elapsed(self, node: Elapsed, start: str, end: str) -> str:
        return f"the number of {node.span} {_phrase_span(node, start, end)}"

    def visit_workdays(self, node: Workdays, start: str, end: str) -> str:
        calendar = f" of the calendar {node.calendar}" if node.calendar else ""
        return f"the number of working days{calendar} {_phrase_span(node, start, end)}"

    def visit_add_days(self, node: AddDays, date: str, days: str) -> str:
        return f"the day {_phrase_distance(node.days, days, 'days')} {as_operand(node.date, date)}"

    def visit_add_months(self, node: AddMonths, date: str, months: str) -> str:
        distance = _phrase_distance(node.months, months, "months")
        day = f"the day {distance} {as_operand(node.date, date)}"
        return f"{day} (or the last day of the month reached, where it has no such day)"

    def visit_date_of(self, node: DateOf, operand: str) -> str:
        return f"the calendar day of {as_operand(node.operand, operand)}"

    def phrase_days_apart(self, apart: DaysApart, relation: str) -> str:
        """Return how many days a day lies before another, or after it."""
        day = self.phrase(apart.day)
        count = format_quantity(format_amount(apart.count, None), "days")
        other = as_operand(apart.other, self.phrase(apart.other))
        side = "before" if apart.is_before else "after"
        return f"{day} {self.choose_verb(apart.day)} {relation} {count} {side} {other}"


def _phrase_span(node: Elapsed | Workdays, start: str, end: str) -> str:
    return f"from {as_operand(node.start, start)} to {as_operand(node.end, end)}"


def _phrase_distance(node: Expression, phrase: str, unit: str) -> str:
    """Return how far a day lies from another, and on which side."""
    if not isinstance(node, Constant):
        # Its sign is not known: a number below zero after a day is as many before it.
        return f"({phrase}) {unit} after"
    count = require_integer(node.value)
    return f"{format_quantity(str(abs(count)), unit)} {'before' if count < 0 else 'after'}"
