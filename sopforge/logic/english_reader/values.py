"""Numbers, dates and labels, by what may stand where without brackets."""

from __future__ import annotations

from collections.abc import Callable

from sopforge.logic.english_reader.choices import Choices, Text
from sopforge.logic.english_reader.entries import EXTREMES, Entries
from sopforge.logic.english_reader.scanner import NotReadError

OPERATIONS = {"plus": "+", "minus": "-", "times": "*"}
BOUNDS = {"at most": "min", "at least": "max"}
MONTH_END = " (or the last day of the month reached, where it has no such day)"
HALVES = " with halves away from zero"


class Values(Entries, Choices):
    """Reads values: an operand stands anywhere, a side beside a comparison, a clause alone."""

    def value(self) -> Text:
        rules: tuple[Callable[[], Text], ...] = (self.looked_up, self.clause)
        return self.one_of(*rules)

    def clause(self) -> str:
        """Return what stands alone or in brackets only."""
        rules = (
            self.average,
            self.rounded,
            self.bounded,
            self.outermost_entry,
            self.chosen_count,
            self.chosen_sum,
            self.extreme,
            self.choice,
        )
        return self.once("clause", lambda: self.one_of(*rules))

    def bounded(self) -> str:
        """Return a number that constants bound."""
        found = self.one_of(self.chosen_count, self.side, self.in_brackets)
        gap = ", but "
        while self.sees(gap):
            name = BOUNDS[self.match("(at most|at least) ")[1]]
            found = f"{name}({found}, {self.operand()})"
            gap = " and "
        if gap == ", but ":
            raise NotReadError(self.words)
        return found

    def average(self) -> str:
        self.take("the average of ")
        inner = f"({self.over(self.where, str)})"
        places = self.places()
        return f"average({inner}, places={places}, default={self.default()})"

    def rounded(self) -> str:
        fraction = self.one_of(self.divided, self.side)
        return f"round({fraction}, {self.places()})"

    def divided(self) -> str:
        dividend = self.operand()
        self.take(" divided by ")
        return f"{dividend} / {self.operand()}"

    def places(self) -> str:
        found = self.match(rf", rounded to (?:a whole number|(\d) decimal places?){HALVES}")
        return found[1] or "0"

    def side(self) -> str:
        """Return what may stand beside a comparison without brackets."""
        rules = (self.spanned, self.shifted, self.absolute, self.total, self.chained)
        return self.once("side", lambda: self.one_of(*rules))

    def chained(self) -> str:
        """Return words joined by one operation, or one alone."""
        if self.sees("minus "):
            return f"(-{self.operand()})"
        found = self.operand()
        for word, sign in OPERATIONS.items():
            if self.words.startswith(f" {word} ", self.place):
                while self.sees(f" {word} "):
                    found = f"({found} {sign} {self.operand()})"
                break
        return found

    def operand(self) -> str:
        """Return what may stand anywhere without brackets."""
        rules = (
            self.in_brackets,
            self.named_label,
            self.moment,
            self.number,
            self.day,
            self.size,
            self.part,
            self.pronoun,
            self.field,
        )
        return self.once("operand", lambda: self.one_of(*rules))

    def in_brackets(self) -> str:
        return self.bracketed(self.clause)

    def named_label(self) -> str:
        return repr(self.quoted())

    def moment(self) -> str:
        return repr(self.match(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?")[0])

    def spanned(self) -> str:
        what = self.match(r"the number of (days|minutes|working days of the calendar (\w+)) from ")
        start = self.operand()
        self.take(" to ")
        end = self.operand()
        if what[2]:
            return f"workdays_between({start}, {end}, {what[2]})"
        return f"{what[1]}_between({start}, {end})"

    def shifted(self) -> str:
        self.take("the day ")
        amount = self.one_of(lambda: self.match(r"\d+")[0], lambda: self.bracketed(self.clause))
        unit, way = self.match(" (day|month)s? (before|after) ").groups()
        sign = "-" if way == "before" else ""
        day = self.operand()
        if unit == "month":
            self.take(MONTH_END)
        return f"add_{unit}s({day}, {sign}{amount})"

    def extreme(self) -> str:
        word = self.match("the (smaller|larger|smallest|largest) of ")[1]
        parts = [self.operand()]
        while word.endswith("est") and self.sees(", "):
            parts.append(self.operand())
        self.take(" and ")
        parts.append(self.operand())
        return f"{EXTREMES[word]}({', '.join(parts)})"

    def absolute(self) -> str:
        self.take("the absolute value of ")
        return f"abs({self.operand()})"

    def day(self) -> str:
        self.take("the calendar day of ")
        return f"date_of({self.operand()})"
