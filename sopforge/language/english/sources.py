"""What words mean, in the rule language: terms as its text, and as expressions of a model."""

from __future__ import annotations

from sopforge.language.domain.expressions.calendars import MINUTES_AN_HOUR
from sopforge.language.domain.expressions.expressions import (
    Constant,
    Expression,
    Lookup,
    Missing,
    Read,
)
from sopforge.language.domain.parsing import ExpressionError, Scope, parse_condition, parse_value
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    SetType,
    ValueNotAllowedError,
    ValueType,
)
from sopforge.language.english.terms import OF_ONE_ENTRY, OPPOSITES, Term

_INFIX = {
    "+": "+",
    "-": "-",
    "*": "*",
    "/": "/",
    "|": "|",
    "&": "&",
    "without": "-",
    "within": "<=",
}
_CALLS = {
    "abs": "abs", "min": "min", "max": "max", "days": "days_between", "minutes": "minutes_between",
    "add_days": "add_days", "add_months": "add_months", "date_of": "date_of",
    "add_minutes": "add_minutes", "add_hours": "add_hours", "add_full_days": "add_days",
    "hour_of": "hour_of", "weekday_of": "weekday_of", "size": "count",
    "remainder": "remainder",
}  # fmt: skip
_ADDED = {"days": "add_days", "full_days": "add_days", "hours": "add_minutes"}
_EACH = "entry"


class NotReadError(ValueError):
    """Words mean nothing that the rule language says of a model's fields."""


class Rules:
    """Makes rules of terms; ``scope`` is what they may name.

    Raises:
        NotReadError: by each method, for a term that is no rule of the model.
    """

    def __init__(self, scope: Scope | None = None) -> None:
        self.scope = scope or Scope({}, {})

    def make_condition(self, term: Term) -> Expression:
        """Return a condition as an expression."""
        try:
            return parse_condition(self.write(term), self.scope)
        except ExpressionError as cause:
            raise NotReadError(str(cause)) from cause

    def make_value(self, term: Term, kind: ValueType, missing: str = "") -> Expression:
        """Return what a field of a type is given as an expression; ``missing`` is no value."""
        try:
            return self._make_value(term, kind, missing)
        except (ExpressionError, ValueNotAllowedError) as cause:
            raise NotReadError(str(cause)) from cause

    def _make_value(self, term: Term, kind: ValueType, missing: str) -> Expression:
        match term:
            case ("table", ("field", key), *entries):
                return self._make_lookup(key, entries, kind, missing)
            case ("label", word) if word == missing and missing:
                return Missing(kind, missing)
            case ("label", word) if isinstance(kind, BooleanType | EnumType):
                return Constant(kind, kind.encode(word))
            case ("labels", *labels) if isinstance(kind, SetType):
                return Constant(kind, kind.encode(labels))
        # A text may say what lies outside the interval of the field.
        return parse_value(self.write(term), self.scope, kind.widen(), missing)

    def _make_lookup(
        self, key: str, entries: list[Term], kind: ValueType, missing: str
    ) -> Expression:
        of = self.scope.fields.get(key)
        found = {label: x[2] for x in entries for label in x[1][1:]}
        if not isinstance(of, EnumType) or set(found) != set(of.values):
            raise NotReadError(f"the entries for {key}")
        values = (self._make_value(found[label], kind, missing) for label in of.values)
        return Lookup(kind, Read(of, key), tuple(values))

    def write(self, term: Term) -> str:  # noqa: C901, PLR0911, PLR0912 - one case per head
        """Return a term in the rule language."""
        of = self.write
        match term:
            case ("field", name):
                return str(name)
            case ("part", _, name):
                return f"{_EACH}.{name}"
            case ("number", figure, *_):
                return str(figure)
            case (("label" | "day" | "time"), text, *_):
                return repr(text)
            case ("labels", *texts):
                return repr(texts)
            case (("plainly" | "own"), inner):
                return of(inner)
            case ("negative", inner):
                return f"-({of(inner)})"
            case ("not", inner):
                return f"(not {of(inner)})"
            case (("and" | "or") as word, *parts):
                return f"({f' {word} '.join(map(of, parts))})"
            case ("given", ("field", name)):
                return f"present({name})"
            case ("well_formed", ("field", name)):
                return f"well_formed({name})"
            case (head, left, right) if head in OPPOSITES:
                return self._write_comparison(head, left, right)
            case (head, left, right) if head in _INFIX:
                return f"({of(left)} {_INFIX[head]} {of(right)})"
            case (head, *parts) if head in _CALLS:
                return f"{_CALLS[head]}({', '.join(map(of, parts))})"
            case ("workdays", start, end, calendar):
                return (
                    f"workdays_between({of(start)}, {of(end)}, {calendar or self._only_calendar})"
                )
            case ("add_workdays", day, count, calendar):
                return f"add_workdays({of(day)}, {of(count)}, {calendar or self._only_calendar})"
            case (("later" | "earlier") as side, day, count, unit):
                return _write_later(of(day), "-" if side == "earlier" else "", count, unit)
            case (("round" | "floor" | "ceiling") as head, value, places):
                return f"{head}({self._write_rounded(value)}, {places})"
            case ("power", base, exponent):
                # In brackets, for a power binds closer than the sign before it.
                return f"(({of(base)}) ** {exponent})"
            case ("if", asked, then, otherwise):
                return f"({of(then)} if {of(asked)} else {of(otherwise)})"
            case ("one_of", subject, labels) | ("among", subject, labels):
                return f"({of(subject)} in {of(labels)})"
            case ("includes", members, label):
                return f"({of(label)} in {of(members)})"
            case (("includes_all" | "includes_any") as head, members, ("labels", *labels)):
                word = " and " if head == "includes_all" else " or "
                return f"({word.join(f'{x!r} in {of(members)}' for x in labels)})"
            case _:
                return self._write_of_list(term)

    def _write_comparison(self, relation: str, left: Term, right: Term) -> str:
        share = next((x for x in (left, right) if x[0] == "share"), None)
        if share is None:
            return f"({self.write(left)} {relation} {self.write(right)})"
        # Shares are compared as products with a hundred: nothing is rounded.
        sides = (
            self._write_hundredfold(x) if x is share else f"({self.write(x)}) * 100"
            for x in (left, right)
        )
        return f"({f' {relation} '.join(sides)})"

    def _write_hundredfold(self, share: Term) -> str:
        _, whole, percent, change = share
        factor = f"(100 {change} {self.write(percent)})" if change else self.write(percent)
        return f"({self.write(whole)} * {factor})"

    def _write_rounded(self, value: Term) -> str:
        if value[0] == "share":
            return f"{self._write_hundredfold(value)} / 100"
        if value[0] == "/":
            return f"({self.write(value[1])}) / ({self.write(value[2])})"
        return self.write(value)

    def _write_of_list(self, term: Term) -> str:  # noqa: C901, PLR0911 - one case per head
        of = self.write
        match term:
            case ("some", ("items", name, None)):
                return f"(count({_EACH} for {_EACH} in {name}) > 0)"
            case ("some", ("items", name, where)):
                return f"any({of(where)} for {_EACH} in {name})"
            case ("some", members):
                return f"(count({of(members)}) > 0)"
            case (("all" | "sum") as name, items, value):
                return f"{name}({self._write_each(items, of(value))})"
            case ("count", items):
                return f"count({self._write_each(items, _EACH)})"
            case (head, items, value, default) if head in OF_ONE_ENTRY:
                name = {"least": "min", "greatest": "max"}.get(head, head)
                return f"{name}(({self._write_each(items, of(value))}), default={of(default)})"
            case ("average", items, value, default, places):
                each = self._write_each(items, of(value))
                return f"average(({each}), places={places}, default={of(default)})"
            case ("percentage", ("items", name, where), default, places):
                each = f"(100 if {of(where)} else 0) for {_EACH} in {name}"
                return f"average(({each}), places={places}, default={of(default)})"
            case ("select", items, *parts):
                given = (
                    f"{x[1][2]}={of(x[1])}" if x[0] == "own" else f"{x[1]}={of(x[2])}"
                    for x in parts
                )
                return f"[{self._write_each(items, f'item({chr(44).join(given)})')}]"
            case _:
                raise NotReadError(f"no rule: {term[0]}")

    def _write_each(self, items: Term, value: str) -> str:
        _, name, where = items
        asked = "" if where is None else f" if {self.write(where)}"
        return f"{value} for {_EACH} in {name}{asked}"

    @property
    def _only_calendar(self) -> str:
        return next(iter(self.scope.calendars), "")


def _write_later(day: str, sign: str, count: str, unit: str) -> str:
    """Return a day or time so many units after another, after a sign before it."""
    if unit == "hours" and int(count) % MINUTES_AN_HOUR == 0:
        return f"add_hours({day}, {sign}{int(count) // MINUTES_AN_HOUR})"
    if unit == "years":
        return f"add_months({day}, {sign}{count} * 12)"
    return f"{_ADDED.get(unit, f'add_{unit}')}({day}, {sign}{count})"


def write_term(term: Term) -> str:
    """Return a term in the rule language, as it is where that has no words for it."""
    try:
        return Rules().write(term)
    except NotReadError:
        return repr(term)
