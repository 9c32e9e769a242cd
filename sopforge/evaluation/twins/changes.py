"""Changes: one rule, limit or precedence of a model made another one, as its document has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum, StrEnum
from itertools import combinations
from typing import Any, TypeAlias

from sopforge.evaluation.twins.other_conditions import iterate_other_conditions

Path: TypeAlias = tuple[str | int, ...]
Facts: TypeAlias = Mapping[str, Any]
"""The ``model`` part of a domain document, in plain values."""

_NEAR = (0.8, 1.2, 0.9, 1.1, 0.75, 1.25, 0.7, 1.3, 1.4, 0.6, 1.5, 0.5, 1.75, 2.0)
_FAR = (3.0, 0.33, 4.0, 0.25, 6.0, 0.1, 10.0)
_STEPS = (1, -1, 2, -2, 3, -3, 5, -5)
"""By how many units small numbers are changed, of which shares would give the same ones."""


class ChangeKind(StrEnum):
    """What is changed, in the order in which kinds take turns."""

    LIMIT = "limit"
    RESULT = "result"
    ORDER = "order"
    CONDITION = "condition"
    ENTRY = "entry"
    EDGE = "edge"


class Oddity(IntEnum):
    """How far a change is from what anybody would expect of such a procedure."""

    ORDINARY = 0
    """As policies change: a limit raised, an exception dropped, another rule first."""
    ODD = 1
    """A limit of three times as much, or a rule that holds where it did not."""
    CONTRARY = 2
    """Two answers of a table exchanged, such as "approved" and "refused"."""


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One change of a model: what stands where in its document, and in words.

    ``labels`` are the answers with which prose about the place would speak of it; ``figure`` is a
    number that stood there, and the one that stands there now.
    """

    kind: ChangeKind
    place: str
    words: str
    values: tuple[tuple[Path, Any], ...]
    oddity: Oddity = Oddity.ORDINARY
    labels: tuple[str, ...] = ()
    figure: tuple[Decimal, Decimal] | None = None

    @property
    def id(self) -> str:
        """The change by its place and what it is."""
        return f"{self.kind} {self.place}: {self.words}"

    def apply(self, facts: Facts) -> dict[str, Any]:
        """Return the ``model`` part of a document with the change."""
        changed: dict[str, Any] = deepcopy(dict(facts))
        for path, value in self.values:
            *above, last = path
            part: Any = changed
            for key in above:
                part = part[key]
            part[last] = value
        return changed


def iterate_changes(facts: Facts) -> Iterator[RuleChange]:
    """Yield the changes that can be made to a model; not each of them makes a sound one."""
    for name, item in facts.get("policy", {}).items():
        yield from _change_limit(name, item)
    for name, decision in facts["decisions"].items():
        yield from _change_decision(facts, name, decision)
    for name, step in facts["procedure"]["steps"].items():
        yield from _change_edges(name, step)


def _change_limit(name: str, item: Any) -> Iterator[RuleChange]:  # noqa: ANN401 - plain values
    is_whole = isinstance(item, Mapping)
    value = item["value"] if is_whole else item
    path: Path = ("policy", name, "value") if is_whole else ("policy", name)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return
    for other, oddity in _list_other_numbers(value):
        words = f"{name} is {other}, not {value}"
        figure = Decimal(value), Decimal(other)
        yield RuleChange(ChangeKind.LIMIT, name, words, ((path, other),), oddity, figure=figure)


def _list_other_numbers(value: int | Decimal) -> list[tuple[int | Decimal, Oddity]]:
    """Return other numbers with as many places, and as round where that is possible."""
    unit = _find_unit(value)
    found: dict[int | Decimal, Oddity] = {}
    for shares, oddity in ((_NEAR, Oddity.ORDINARY), (_FAR, Oddity.ODD)):
        for share in shares:
            other = _round_to(Decimal(value) * Decimal(str(share)), unit, value)
            found.setdefault(other, oddity)
    for step in _STEPS:
        other = _round_to(Decimal(value) + step * unit, unit, value)
        is_near = other <= 2 * value <= 4 * other
        found.setdefault(other, Oddity.ORDINARY if is_near else Oddity.ODD)
    return [(other, oddity) for other, oddity in found.items() if other != value and other >= 0]


def _find_unit(value: int | Decimal) -> Decimal:
    """Return the greatest of 1, 5, 10, 50 and so on that divides a number, by its last place.

    >>> [str(_find_unit(number)) for number in (1100, 45, 7, Decimal("8.50"))]
    ['100', '5', '1', '0.50']
    """
    least = Decimal(1).scaleb(_count_exponent(value))
    units = [least * factor for factor in (1, 5, 10, 50, 100, 500, 1000, 5000)]
    whole = [unit for unit in units if value and Decimal(value) % unit == 0]
    return max((unit for unit in whole if unit * 2 <= abs(Decimal(value))), default=least)


def _count_exponent(value: int | Decimal) -> int:
    exponent = Decimal(value).as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _round_to(number: Decimal, unit: Decimal, like: int | Decimal) -> int | Decimal:
    rounded = (number / unit).to_integral_value() * unit
    return int(rounded) if isinstance(like, int) else rounded.quantize(like)


def _change_decision(facts: Facts, name: str, decision: Facts) -> Iterator[RuleChange]:
    labels = _list_labels(facts, name)
    if isinstance(decision.get("rows"), Mapping):
        yield from _change_entries(name, decision["rows"], labels)
    rules = decision.get("rules") or []
    for place, rule in enumerate(rules):
        yield from _change_rule(name, place, rule, labels)
    if decision.get("hit") in (None, "first"):
        yield from _change_order(name, rules, labels)
    yield from _exchange_labels(name, rules, labels)


def _list_labels(facts: Facts, name: str) -> tuple[str, ...]:
    fields = [entity["fields"].get(name) for entity in facts["entities"].values()]
    found: Facts = next((item for item in fields if item), {})
    return tuple(found.get("values", ())) if found.get("type") == "enum" else ()


def _change_entries(name: str, rows: Facts, labels: Sequence[str]) -> Iterator[RuleChange]:
    for key, value in rows.items():
        if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
            continue
        is_number = not isinstance(value, str)
        others = (
            _list_other_numbers(value)
            if not isinstance(value, str)
            else [(other, Oddity.ORDINARY) for other in dict.fromkeys(rows.values())]
        )
        for other, oddity in others:
            if other != value:
                words = f"for {key} it is {other}, not {value}"
                figure = (Decimal(value), Decimal(other)) if is_number else None
                path = ("decisions", name, "rows", key)
                place = f"{name}.{key}"
                yield RuleChange(
                    ChangeKind.ENTRY, place, words, ((path, other),), oddity, tuple(labels), figure
                )


def _change_rule(name: str, place: int, rule: Facts, labels: Sequence[str]) -> Iterator[RuleChange]:
    path: Path = ("decisions", name, "rules", place)
    part = "otherwise" if "otherwise" in rule else "then"
    for label in labels if rule.get(part) in labels else ():
        if label != rule[part]:
            words = f"it gives '{label}', not '{rule[part]}'"
            changed = (((*path, part), label),)
            named = tuple(dict.fromkeys((label, str(rule[part]))))
            yield RuleChange(
                ChangeKind.RESULT, f"{name}.{rule['id']}", words, changed, labels=named
            )
    for text, words, is_odd in iterate_other_conditions(rule.get("when")):
        oddity = Oddity.ODD if is_odd else Oddity.ORDINARY
        changed = (((*path, "when"), text),)
        yield RuleChange(
            ChangeKind.CONDITION, f"{name}.{rule['id']}", words, changed, oddity, tuple(labels)
        )


def _change_order(name: str, rules: Sequence[Facts], labels: Sequence[str]) -> Iterator[RuleChange]:
    """Yield changes by which a rule stands before another one that gives something else."""
    ranked = [place for place, rule in enumerate(rules) if "otherwise" not in rule]
    for first, second in combinations(ranked, 2):
        if rules[first].get("then") != rules[second].get("then"):
            order = [*rules[:first], rules[second], *rules[first:second], *rules[second + 1 :]]
            one, other = rules[second]["id"], rules[first]["id"]
            words = f"{one} stands before {other}, not after it"
            path = ("decisions", name, "rules")
            yield RuleChange(
                ChangeKind.ORDER, f"{name}.{one}", words, ((path, order),), labels=tuple(labels)
            )


def _exchange_labels(
    name: str, rules: Sequence[Facts], labels: Sequence[str]
) -> Iterator[RuleChange]:
    given = [(rule, "otherwise" if "otherwise" in rule else "then") for rule in rules]
    for one, other in combinations(labels, 2):
        places = {
            ("decisions", name, "rules", place, part): other if rule[part] == one else one
            for place, (rule, part) in enumerate(given)
            if rule.get(part) in (one, other)
        }
        if len(set(places.values())) > 1:
            words = f"'{one}' and '{other}' are exchanged"
            changed = tuple(places.items())
            yield RuleChange(
                ChangeKind.RESULT, name, words, changed, Oddity.CONTRARY, tuple(labels)
            )


def _change_edges(name: str, step: Facts) -> Iterator[RuleChange]:
    edges = step.get("edges") or []
    for place, edge in enumerate(edges):
        for text, words, is_odd in iterate_other_conditions(edge.get("when")):
            oddity = Oddity.ODD if is_odd else Oddity.ORDINARY
            path = ("procedure", "steps", name, "edges", place, "when")
            where = f"{name}, to {edge['to']}"
            yield RuleChange(ChangeKind.EDGE, where, words, ((path, text),), oddity)
