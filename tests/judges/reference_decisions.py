"""What decisions mean, worked out from their document alone, with no code of SOPForge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from tests.judges.reference_interpreter import (
    NOTHING,
    Calendars,
    Meaning,
    Natural,
    Orders,
    Row,
    condition,
    meaning,
    outermost,
)

DecisionMeaning: TypeAlias = Callable[[Row], "Natural | None"]


def decision(
    document: Mapping[str, object],
    labels: Sequence[str] = (),
    calendars: Calendars | None = None,
    orders: Orders = (),
) -> DecisionMeaning:
    """Return the function of rows that a decision of a brief stands for; None is "undecided".

    Where a rule says that there is no value, it is ``NOTHING``.

    ``labels`` are those of the field that is decided, if it is an enum.
    """
    results = _Results(tuple(labels), calendars or {}, orders)
    if "gives" in document:
        raise ValueError("ask for one of the fields that are given")
    if "table" in document:
        keys = document["table"]
        names = [keys] if isinstance(keys, str) else keys
        assert isinstance(names, Sequence)
        return results.looked_up([str(name) for name in names], document["rows"])
    if "value" in document:
        return meaning(str(document["value"]), calendars, orders)
    return _Table(document, results).verdict()


def one_given(document: Mapping[str, object], target: str) -> dict[str, object]:
    """Return a decision that gives several fields as the one that gives a target alone."""
    fields = document["gives"]
    assert isinstance(fields, Sequence)
    names = set(fields)

    def one(part: object) -> object:
        if isinstance(part, list):
            return [one(item) for item in part]
        if not isinstance(part, Mapping):
            return part
        if set(part) == names:
            return part[target]
        return {key: one(item) for key, item in part.items()}

    rest = {key: item for key, item in document.items() if key != "gives"}
    found = one(rest)
    assert isinstance(found, dict)
    return found


class _Results:
    """Reads what rules and rows of tables give."""

    def __init__(self, labels: tuple[str, ...], calendars: Calendars, orders: Orders) -> None:
        self.labels = labels
        self.calendars = calendars
        self.orders = orders

    def of(self, raw: object) -> Meaning:
        known = self.plain(raw)
        if known is not None:
            return lambda row: known  # noqa: ARG005 - a function of rows
        return meaning(str(raw), self.calendars, self.orders)

    def plain(self, raw: object) -> Natural | None:  # noqa: PLR0911 - one case per node
        """Return a value that is written as such, None for an expression."""
        match raw:
            case bool():
                return raw
            case int() | Decimal():
                return Fraction(raw)
            case tuple() | list():
                return frozenset(map(str, raw))
            case str() if raw in self.labels:
                return raw
            case "missing":
                return NOTHING
            case str():
                try:
                    return date.fromisoformat(raw)
                except ValueError:
                    return None
            case _:
                raise TypeError(f"{raw!r} is no result")

    def looked_up(self, keys: list[str], rows: object) -> DecisionMeaning:
        if not keys:
            return self.of(rows)
        assert isinstance(rows, Mapping)
        key, *rest = keys
        entries = {str(label): self.looked_up(rest, inner) for label, inner in rows.items()}

        def entry(row: Row) -> Natural | None:
            label = row[key]
            assert isinstance(label, str), f"{key} is missing and was read"
            return entries[label](row)

        return entry


class _Table:
    """Decides by rules: which of them hold, and what the hit policy makes of these."""

    def __init__(self, document: Mapping[str, object], results: _Results) -> None:
        self.priority = document.get("priority") or results.labels
        rules = document["rules"]
        assert isinstance(rules, Sequence)
        self.policy = " ".join(
            str(document[key]) for key in ("hit", "collect") if document.get(key) is not None
        )
        self.orders = results.orders
        rests = [results.of(rule["otherwise"]) for rule in rules if "otherwise" in rule]
        self.rest = rests[0] if rests else None
        self.parts = [
            (
                condition(str(rule["when"]), results.calendars, results.orders),
                results.of(rule["then"]),
            )
            for rule in rules
            if "when" in rule
        ]

    def verdict(self) -> DecisionMeaning:
        own = {"first": self.first, "priority": self.by_priority}
        return own.get(self.policy, self.of_all)

    def first(self, row: Row) -> Natural | None:
        for holds, then in self.parts:
            if holds(row):
                return then(row)
        return None if self.rest is None else self.rest(row)

    def by_priority(self, row: Row) -> Natural | None:
        found = [then(row) for holds, then in self.parts if holds(row)]
        assert isinstance(self.priority, Sequence)
        rest = None if self.rest is None else self.rest(row)
        return next((label for label in self.priority if label in found), rest)

    def of_all(self, row: Row) -> Natural | None:
        found = [then(row) for holds, then in self.parts if holds(row)]
        if not found and self.rest is not None:
            return self.rest(row)
        match self.policy:
            case "collect count":
                return Fraction(len(found))
            case "collect union":
                return frozenset().union(*map(_members, found))
            case "collect sum":
                return sum(map(_fraction, found), Fraction())
            case "collect min" | "collect max":
                choose = min if self.policy == "collect min" else max
                return outermost(choose, found, self.orders) if found else None
            case "unique":
                assert len(found) <= 1, "two rules of a unique table hold"
            case "any":
                assert len(set(found)) <= 1, "rules that hold do not agree"
            case _:
                raise ValueError(f"no policy {self.policy!r}")
        return found[-1] if found else None


def _members(found: Natural) -> frozenset[str]:
    assert isinstance(found, frozenset), f"{found!r} is no set"
    return found


def _fraction(found: Natural) -> Fraction:
    assert isinstance(found, Fraction), f"{found!r} is no number"
    return found
