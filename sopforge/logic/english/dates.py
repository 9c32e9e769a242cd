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
from sopforge.domain.values.types import whole
from sopforge.logic.english.names import Names
from sopforge.logic.phrasing.brackets import amount, as_operand
from sopforge.logic.phrasing.grammar import counted
from sopforge.logic.phrasing.idioms import DaysApart


class Dates(Names):
    """Phrases what is worked out of dates, and how many days apart two of them are."""

    def elapsed(self, node: Elapsed, start: str, end: str) -> str:
        return f"the number of {node.span} {_span(node, start, end)}"

    def workdays(self, node: Workdays, start: str, end: str) -> str:
        calendar = f" of the calendar {node.calendar}" if node.calendar else ""
        return f"the number of working days{calendar} {_span(node, start, end)}"

    def add_days(self, node: AddDays, date: str, days: str) -> str:
        return f"the day {_away(node.days, days, 'days')} {as_operand(node.date, date)}"

    def add_months(self, node: AddMonths, date: str, months: str) -> str:
        day = f"the day {_away(node.months, months, 'months')} {as_operand(node.date, date)}"
        return f"{day} (or the last day of the month reached, where it has no such day)"

    def date_of(self, node: DateOf, operand: str) -> str:
        return f"the calendar day of {as_operand(node.operand, operand)}"

    def apart(self, apart: DaysApart, relation: str) -> str:
        """Return how many days a day lies before another, or after it."""
        day = self.phrase(apart.day)
        count = counted(amount(apart.count, None), "days")
        other = as_operand(apart.other, self.phrase(apart.other))
        side = "before" if apart.is_before else "after"
        return f"{day} {self.verb(apart.day)} {relation} {count} {side} {other}"


def _span(node: Elapsed | Workdays, start: str, end: str) -> str:
    return f"from {as_operand(node.start, start)} to {as_operand(node.end, end)}"


def _away(node: Expression, phrase: str, unit: str) -> str:
    """Return how far a day lies from another, and on which side."""
    if not isinstance(node, Constant):
        return f"({phrase}) {unit} after"
    count = whole(node.value)
    return f"{counted(str(abs(count)), unit)} {'before' if count < 0 else 'after'}"
