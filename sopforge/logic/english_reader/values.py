"""Numbers, dates and labels, by what may stand where without brackets."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from sopforge.domain.values.types import DateType, NumberType
from sopforge.logic.english_reader.choices import Text
from sopforge.logic.english_reader.entries import EXTREMES
from sopforge.logic.english_reader.names import QUANTITY
from sopforge.logic.english_reader.scanner import NotReadError
from sopforge.logic.english_reader.selections import Selections
from sopforge.logic.phrasing.grammar import is_percent, list_unit_forms
from sopforge.logic.phrasing.shares import PLAIN_NUMBER

_SUMS = {"plus": "+", "minus": "-"}
_OF_SETS = {
    "together with": "|",
    "without": "-",
    "that are not among": "-",
    "that is not among": "-",
}
_SPANS = {
    "days_between": "days",
    "workdays_between": "working days",
    "minutes_between": "minutes",
}
_FACTORS = (PLAIN_NUMBER, " times ")
BOUNDS = {"at most": "min", "at least": "max"}
HALVES = " with halves away from zero"


class Values(Selections):
    """Reads values: an operand stands anywhere, a side beside a comparison, a clause alone."""

    def read_value(self) -> Text:
        rules: tuple[Callable[[], Text], ...] = (self.read_lookup, self.read_clause)
        return self.read_first_match(*rules)

    def read_clause(self) -> str:
        """Return what stands alone or in brackets only."""
        # What goes on furthest comes first: what is bounded may be rounded, and either may begin a
        # choice.
        rules = (
            self.read_selection,
            self.read_average,
            self.read_counted_more,
            self.read_bounded_number,
            self.read_rounded_number,
            self.read_extreme_entry,
            self.read_filtered_count,
            self.read_filtered_items,
            self.read_filtered_sum,
            self.read_extreme,
            self.read_choice,
        )
        return self.read_once("clause", lambda: self.read_first_match(*rules))

    def read_bounded_number(self) -> str:
        """Return a number that constants bound."""
        found = self.read_first_match(
            self.read_extreme_entry,
            self.read_extreme,
            self.read_filtered_count,
            self.read_filtered_items,
            self.read_rounded_number,
            self.read_side,
            self.read_bracketed_clause,
        )
        gap = ", but "
        while self.try_take(gap):
            name = BOUNDS[self.match_pattern("(at most|at least) ")[1]]
            found = f"{name}({found}, {self.read_operand()})"
            gap = " and "
        if gap == ", but ":
            raise NotReadError(self.words)
        return found

    def read_counted_more(self) -> str:
        """Return a number of days or minutes, and so many more or less."""
        count, word = self.match_pattern(r"(\d+) (more|less) than ").groups()
        return f"({self.read_span()} {'+' if word == 'more' else '-'} {count})"

    def read_average(self) -> str:
        rests = (self.read_filter, str)
        if self.words.startswith("the percentage of the ", self.position):
            share, name = self.read_share_of_items()
            places = self.read_places()
            return f"average(({share}), places={places}, default={self.read_default_of(name)})"
        if self.try_take("the average of "):
            inner = f"({self.read_item_values(*rests)})"
        else:
            inner = f"({self.read_item_parts('average', *rests)})"
        places = self.read_places()
        return f"average({inner}, places={places}, default={self.read_default()})"

    def read_rounded_number(self) -> str:
        fraction = self.read_first_match(self.read_hundredth, self.read_division, self.read_side)
        return f"round({fraction}, {self.read_places()})"

    def read_hundredth(self) -> str:
        """Return so many percent of a number, or a number changed by so many percent."""
        return f"{self.read_percentage()} / 100"

    def read_division(self) -> str:
        dividend = self.read_product()
        self.take(" divided by ")
        divisor = self.read_operand()
        self.require_plain_number(divisor)
        return f"{dividend} / {divisor}"

    def read_places(self) -> str:
        self.take(", ")
        return self.read_precision()

    def read_precision(self) -> str:
        """Return to how many decimal places a number is rounded."""
        found = self.match_pattern(r"rounded to (?:a whole number|(\d) decimal places?)")
        self.try_take(HALVES)
        return found[1] or "0"

    def read_side(self) -> str:
        """Return what may stand beside a comparison without brackets."""
        rules = (
            self.read_span,
            self.read_shifted_day,
            self.read_absolute,
            self.read_sum,
            self.read_chain,
        )
        return self.read_once("side", lambda: self.read_first_match(*rules))

    def read_chain(self) -> str:
        """Return numbers or sets that are worked out together, or one alone."""
        if self.try_take("minus "):
            return f"(-{self.read_operand()})"
        if self.try_take("those of "):
            labels = self.read_options("and")[0]
            self.take(" that are not among ")
            return f"({labels!r} - {self.read_operand()})"
        start = self.position
        found = self.read_summand()
        for word, sign in _OF_SETS.items():
            if self.words.startswith(f" {word} ", self.position):
                while self.try_take(f" {word} "):
                    found = f"({found} {sign} {self.read_operand()})"
                return found
        summands = [self.words[start : self.position]]
        while word := next(filter(self.try_take_word, _SUMS), ""):
            start = self.position
            found = f"({found} {_SUMS[word]} {self.read_summand()})"
            summands.append(self.words[start : self.position])
        for words in summands if len(summands) > 1 else ():
            self.require_same_unit(words, found)
        return found

    def require_same_unit(self, words: str, other: str) -> None:
        """Raise an error where words are a figure in another unit than all of a sum with it."""
        found = QUANTITY.fullmatch(words.removeprefix("(").removesuffix(")"))
        if found is None or found["unit"] not in self.units:
            return
        names = re.findall(r"entry\.<[^>]+>|(?<![\w'])[A-Za-z_]\w*", other)
        kinds = [kind for name in names for kind in self.list_types(name)]
        units = {kind.unit for kind in kinds if isinstance(kind, NumberType) and kind.unit}
        units |= {unit for name, unit in _SPANS.items() if name in names}
        # A limit may be added to what is in another unit: so the model has it, with its own.
        units |= set(self.vocabulary.limit_units.get(found["figure"], ())) if units else set()
        is_known = bool(units) or is_percent(found["unit"])
        if is_known and not any(found["unit"] in list_unit_forms(unit) for unit in units):
            raise NotReadError(f"{words} is added to what is in another unit")

    def try_take_word(self, word: str) -> bool:
        """Return whether a word comes next, between two spaces."""
        return self.try_take(f" {word} ")

    def read_summand(self) -> str:
        """Return a product, or one of its factors alone: it goes before a sum or a difference."""
        return self.read_first_match(self.read_rounded_share, self.read_product)

    def read_rounded_share(self) -> str:
        """Return so many percent of a number, which is rounded before anything else is done."""
        percent = self.match_pattern(r"(\d+(?:\.\d+)?) percent of ")[1]
        whole = self.read_operand()
        self.take(" (")
        places = self.read_precision()
        self.take(")")
        return f"round(({whole} * {percent}) / 100, {places})"

    def read_product(self) -> str:
        found = self.read_factor()
        # Alone, or in a sum, a percentage is no factor.
        if self.is_in_percent(found) and not self.words.startswith(_FACTORS, self.position):
            return found
        self.require_plain_number(found)
        while self.try_take_word("times"):
            start = self.position
            factor = self.read_factor()
            self.require_plain_number(factor)
            self.refuse_percentage(start)
            found = f"({found} * {factor})"
        return found

    def require_plain_number(self, factor: str) -> None:
        """Raise an error where a percentage is a factor but is not said to be a plain number."""
        if self.is_in_percent(factor):
            self.take(PLAIN_NUMBER)

    def refuse_percentage(self, start: int) -> None:
        """Raise an error where a factor from a place on is a figure in percent: a share is none."""
        found = QUANTITY.fullmatch(self.words[start : self.position])
        if found is not None and is_percent(found["unit"]):
            raise NotReadError(self.words[start:])

    def read_factor(self) -> str:
        is_doubled = self.try_take("twice ")
        return f"({self.read_operand()} * 2)" if is_doubled else self.read_operand()

    def read_double(self) -> str:
        """Return a written amount that is twice another: "50 kg (twice 25 kg)"."""
        double = self.read_number()
        self.take(" (twice ")
        amount = self.read_number()
        self.take(")")
        # A negative number stands in brackets.
        if Fraction(double.strip("()")) != 2 * Fraction(amount.strip("()")):
            raise NotReadError(self.words)
        return f"({amount} * 2)"

    def read_operand(self) -> str:
        """Return what may stand anywhere without brackets."""
        # A date begins with digits: as a number, it would be read up to its first hyphen.
        rules = (
            self.read_bracketed_clause,
            self.read_quoted_label,
            self.read_moment,
            self.read_double,
            self.read_number,
            self.read_calendar_day,
            self.read_size,
            self.read_written_set,
            self.read_shared_entries,
            self.read_entry_field,
            self.read_pronoun,
            self.read_field,
            self.read_items,
        )
        return self.read_once("operand", lambda: self.read_first_match(*rules))

    def read_bracketed_clause(self) -> str:
        return self.read_bracketed(self.read_clause)

    def read_quoted_label(self) -> str:
        return repr(self.read_quoted())

    def read_written_set(self) -> str:
        """Return a set whose entries are named."""
        if self.try_take("no entry"):
            return "[]"
        if self.match_pattern('the (entry|entries) (?=")')[1] == "entry":
            return repr([self.read_quoted()])
        return repr(self.read_options("and")[0])

    def read_shared_entries(self) -> str:
        """Return what two sets have in common."""
        self.take("what ")
        first = self.read_operand()
        self.take(" and ")
        second = self.read_operand()
        self.take(" have in common")
        return f"({first} & {second})"

    def read_moment(self) -> str:
        return repr(self.match_pattern(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?")[0])

    def read_span(self) -> str:
        what = self.match_pattern(
            r"the number of (days|minutes|working days(?: of the calendar (\w+))?) from "
        )
        start = self.read_operand()
        self.take(" to ")
        end = self.read_operand()
        if what[1].startswith("working days"):
            return f"workdays_between({start}, {end}, {what[2] or self.vocabulary.calendar})"
        return f"{what[1]}_between({start}, {end})"

    def read_shifted_day(self) -> str:
        return self.read_first_match(self.read_day_beside, self.read_far_day, self.read_later_day)

    def read_day_beside(self) -> str:
        """Return the day before another, or after it."""
        sign = "-" if self.match_pattern("the day (before|after) ")[1] == "before" else ""
        return f"add_days({self.read_operand()}, {sign}1)"

    def read_far_day(self) -> str:
        """Return the day that lies so many days or months before another, or after it."""
        amount, unit, direction = self.match_pattern(
            r"(?:the day )?(\d+) (day|month|year)s? (before|after) "
        ).groups()
        sign = "-" if direction == "before" else ""
        shift, unit = (f"{amount} * 12", "month") if unit == "year" else (amount, unit)
        return f"add_{unit}s({self.read_operand()}, {sign}{shift})"

    def read_later_day(self) -> str:
        """Return the day that lies as many days or months after another as a number says."""
        day = self.read_operand()
        sign = "-" if self.match_pattern(" (plus|minus) ")[1] == "minus" else ""
        # What is added to a day may be a sum; what is taken off stands in brackets.
        amount = self.read_operand() if sign else self.read_chain()
        found = self.match_pattern(r" [(]in (days|months)[)]|")[1] or self.find_span(day, amount)
        return f"add_{found}({day}, {sign}{amount})"

    def find_span(self, day: str, amount: str) -> str:
        """Return whether a number is of days or of months, where it is added to a day."""
        is_day = any(isinstance(kind, DateType) for kind in self.list_types(day))
        named = re.findall(r"entry\.<[^>]+>|(?<![\w'])[A-Za-z_]\w*", amount)
        kinds = [kind for name in named for kind in self.list_types(name)]
        units = {kind.unit for kind in kinds if isinstance(kind, NumberType)}
        if not is_day or not units <= {"days", "months"} or len(units) != 1:
            raise NotReadError(self.words)
        return units.pop()

    def read_extreme(self) -> str:
        word = self.match_pattern("the (smaller|larger|smallest|largest) of ")[1]
        parts = [self.read_operand()]
        while word.endswith("est") and self.try_take(", "):
            parts.append(self.read_operand())
        self.take(" and ")
        parts.append(self.read_operand())
        return f"{EXTREMES[word]}({', '.join(parts)})"

    def read_absolute(self) -> str:
        if self.try_take("the difference between "):
            first = self.read_operand()
            self.take(" and ")
            return f"abs({first} - {self.read_operand()})"
        self.take("the absolute value of ")
        return f"abs({self.read_operand()})"

    def read_calendar_day(self) -> str:
        if self.try_take("the day of "):
            return f"date_of({self.read_label(self.list_events())})"
        self.take("the calendar day of ")
        return f"date_of({self.read_operand()})"

    def list_events(self) -> dict[str, str]:
        """Return the times of a domain by what happens then, where no day is called so."""
        names, start = self.vocabulary.names, "time of "
        return {
            label.removeprefix(start): name
            for label, name in names.items()
            if label.startswith(start) and f"day of {label.removeprefix(start)}" not in names
        }
