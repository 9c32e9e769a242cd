"""What the leaves of terms are: their types, and the units of numbers."""

from __future__ import annotations

from collections.abc import Container, Mapping
from types import MappingProxyType

from sopforge.language.domain.expressions.calendars import MINUTES_AN_HOUR
from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.kinds.duration import HOURS_AND_MINUTES, MINUTES, DurationType
from sopforge.language.domain.values.types import (
    BOOLEAN,
    BooleanType,
    ListType,
    NumberType,
    SetType,
    ValueType,
)
from sopforge.language.english.nouns import PERCENT, is_percent, names_unit
from sopforge.language.english.terms import OF_ONE_ENTRY, ROUNDED, Term

COUNTED = {"days": "days", "minutes": "minutes", "workdays": "working days"}
COUNTS = frozenset({*COUNTED, "size", "count"})
_LIKE_A_PART = {
    **dict.fromkeys(("amended", "share", *ROUNDED, "remainder", "abs", "negative"), 1),
    **dict.fromkeys((*OF_ONE_ENTRY, "sum", "average"), 2),
}
"""Heads of numbers with the unit of a part, and where that stands."""


class Units:
    """Knows the types and units of terms over the fields of a domain.

    ``facts`` are names of conditions, ``limits`` the values of what is named in their place.
    """

    def __init__(
        self,
        fields: Mapping[str, Field],
        facts: Container[str] = (),
        limits: Mapping[str, Term] = MappingProxyType({}),
    ) -> None:
        self.fields = fields
        self.has_durations = any(_holds_durations(x.type) for x in fields.values())
        """Whether sentences say all minutes in hours and minutes."""
        self.counts_hours = any(_holds_hours(x.type) for x in fields.values())
        """Whether "72 hours" is a number of a field, and so no duration."""
        self.facts = facts
        self.limits = limits

    def find_type(self, term: Term) -> ValueType | None:
        """Return the type of a field or of what an entry has, None for other terms."""
        match term:
            case ("field", name):
                if name in self.facts:
                    return BOOLEAN
                return self.fields[name].type if name in self.fields else None
            case ("part", name, part) if name in self.fields:
                kind = self.fields[name].type
                return kind.find_field_type(part) if isinstance(kind, ListType) else None
            case _:
                return None

    def find_label(self, term: Term) -> str:
        """Return the label of a field or of what an entry has, "" for other terms."""
        match term:
            case ("field", name) if name in self.fields:
                return self.fields[name].label
            case ("part", name, part) if name in self.fields:
                return self.fields[name].label_part(part)
            case _:
                return ""

    def name_unit(self, unit: str) -> str:
        """Return the unit of a type as figures in sentences have it."""
        if self.has_durations and unit == MINUTES:
            return HOURS_AND_MINUTES
        return PERCENT if is_percent(unit) else unit

    def name_constant_unit(self, kind: NumberType, value: int) -> str:
        """Return the unit of a constant: a duration from an hour on is always said in hours."""
        is_long = isinstance(kind, DurationType) and value >= MINUTES_AN_HOUR
        return HOURS_AND_MINUTES if is_long and not self.counts_hours else self.name_unit(kind.unit)

    def find_unit(self, term: Term) -> str:  # noqa: C901, PLR0911 - one case per head
        """Return the unit of a number, "" if it has none or counts what its words name."""
        kind = self.find_type(term)
        if isinstance(kind, NumberType):
            return self.name_unit(kind.unit)
        match term:
            case ("number", _, unit, *_):
                return str(unit)
            case ("limit", name):
                return self.find_unit(self.limits[name])
            case ("*", *factors):
                # Kilograms times a price are an amount of money, days times days are neither.
                units = list(filter(None, map(self.find_unit, factors)))
                return "" if len(units) > 1 else "".join(units)
            case ("/", part, other):
                # A share has none: marks divided by marks.
                unit = self.find_unit(part)
                return "" if unit == self.find_unit(other) else unit
            case ("if", _, *parts) | (("+" | "-" | "min" | "max"), *parts):
                return next(filter(None, map(self.find_unit, parts)), "")
            case (("floor" | "ceiling"), ("/", *_), _):
                # How often one goes into the other: minutes divided by 60 are hours.
                return ""
            case (head, *_) if head in _LIKE_A_PART:
                return self.find_unit(term[_LIKE_A_PART[head]])
            case _:
                return ""

    def _has_clause(self, term: Term) -> bool:
        """Return whether a clause says a number, so that no label beside it names the unit."""
        item = self.fields.get(term[1]) if term[0] == "field" else None
        return item is not None and item.amount_clause is not None

    def settle_unit(self, term: Term, other: Term) -> Term:
        """Return a written number with the unit that it has beside another one."""
        if term[0] != "number":
            return term
        unit = self.find_unit(other)
        if unit == HOURS_AND_MINUTES and not self.has_durations:
            is_short = "." in term[1] or int(term[1] or 0) < MINUTES_AN_HOUR
            unit = MINUTES if is_short else unit
            if term[2] == MINUTES:
                return (*term[:2], unit, *term[3:])
        label = "" if self._has_clause(other) else self.find_label(other)
        is_named = names_unit(label, term[2])
        if other[0] in COUNTS or is_named or names_unit(label, unit):
            known = {
                "",
                unit,
                self.name_unit(COUNTED.get(other[0], "")),
                term[2] if is_named else "",
            }
            return (*term[:2], "" if term[2] in known else term[2], *term[3:])
        return term if term[2] else (*term[:2], unit, *term[3:])

    def is_answer(self, term: Term) -> bool:
        """Return whether a term is a yes/no field."""
        return isinstance(self.find_type(term), BooleanType)

    def is_set(self, term: Term) -> bool:
        """Return whether a term is a set."""
        return isinstance(self.find_type(term), SetType) or term[0] in {
            "labels",
            "|",
            "&",
            "without",
        }


def _holds_durations(kind: ValueType) -> bool:
    """Return whether a field of a type is a duration, or has such in its entries."""
    return any(isinstance(part, DurationType) for part in _list_parts(kind))


def _holds_hours(kind: ValueType) -> bool:
    """Return whether a field of a type is counted in hours, or has such in its entries."""
    kinds = (part for part in _list_parts(kind) if isinstance(part, NumberType))
    return any(part.unit in {"hour", "hours"} for part in kinds)


def _list_parts(kind: ValueType) -> list[ValueType]:
    """Return the types of what an entry of a list has, or the type itself."""
    return [part for _, part in kind.fields] if isinstance(kind, ListType) else [kind]
