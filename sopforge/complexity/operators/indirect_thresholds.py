"""SOP level: limits that the rules only name; a section of its own gives them, or one by another.

A limit is a number or a day. It is put indirectly only where the text, with all limits worked out,
is again what it was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sopforge.complexity.last_sections import make_last_heading
from sopforge.complexity.limit_names import (
    build_amount_pattern,
    find_amounts,
    format_limit,
    put_for_amount,
)
from sopforge.complexity.variant import Variant
from sopforge.domain.documents.schema import HarderLevel
from sopforge.domain.model import DomainModel, PolicyConstant
from sopforge.domain.values.types import DateType, NumberType, require_integer, to_cell
from sopforge.logic.phrasing.grammar import format_figure, format_quantity, is_percent
from sopforge.rendering.sop.added.indirect_limits import (
    LIMITS_SECTION,
    POINTS,
    build_limit_entry,
    call_limit,
    format_limit_use,
    name_limit,
    put_in,
)
from sopforge.rendering.sop.document import Line, SopDocument
from sopforge.rendering.sop.meanings import drop_stated_meanings
from sopforge.rendering.sop.references import call_section
from sopforge.seeds import draw_below, permute_items

_FURTHEST_DAYS = 60
_FEW = 12


class IndirectThresholds:
    """Puts in ``dose`` entries of limits: each limit once before any is led over another entry."""

    name = "indirect_thresholds"
    level: HarderLevel = "L1"
    usual = 2
    follows: tuple[str, ...] = ()

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        limits = _list_limits(variant, seed)[:dose]
        if not limits:
            return variant
        heading = make_last_heading(variant.sop.lines, LIMITS_SECTION)
        lines = _insert_limit_names(variant.sop.lines, limits, heading)
        entries = _build_entries(limits, dose, seed)
        put = replace(variant, sop=SopDocument((*lines, heading, *entries)))
        return put.with_added(self.name, *(entry.text for entry in entries))


@dataclass(frozen=True, slots=True)
class _Limit:
    """A limit with its figure as it stands in the rules."""

    name: str
    item: PolicyConstant
    amount: str
    unit: str

    @property
    def kind(self) -> NumberType | DateType:
        kind = self.item.constant.type
        assert isinstance(kind, NumberType | DateType)  # noqa: S101 - _forms sees to it
        return kind

    @property
    def value(self) -> int:
        return require_integer(self.item.constant.value)


def _list_limits(variant: Variant, seed: int) -> list[_Limit]:
    """Return the limits that can be named in the place of their figures, in a keyed order."""
    model, lines = variant.model, variant.sop.lines
    meant = Counter(name_limit(item.meaning) for item in model.policy.values())
    names = [
        name
        for name, item in model.policy.items()
        if meant[name_limit(item.meaning)] == 1
        and _is_name(item.meaning)
        and _find_forms(model, lines, name)
        and not _is_inside_clause(model, lines, name)
    ]
    # The name of a limit reads badly where its figure says how far apart two days are.
    order = sorted(
        permute_items(names, seed, "limit"), key=lambda name: _is_distance(model, lines, name)
    )
    found = []
    for name in order:
        item = model.policy[name]
        amount, unit = _find_forms(model, lines, name)[0]
        found.append(_Limit(name_limit(item.meaning), item, amount, unit))
    return [limit for limit in found if _is_read_back(lines, limit, seed)]


def _is_read_back(lines: tuple[Line, ...], limit: _Limit, seed: int) -> bool:
    """Return whether the rules, with the limit worked out from two entries, are what they were."""
    entries = _build_chain(limit, 2, (), seed)
    heading = make_last_heading(lines, LIMITS_SECTION)
    named = _insert_limit_names(lines, [limit], heading)
    return put_in((*named, heading, *entries)) == tuple(_without_meanings(lines, [limit]))


def _is_inside_clause(model: DomainModel, lines: Sequence[Line], name: str) -> bool:
    """Return whether a clause goes on after a figure: "the minimum age old" reads badly."""
    amounts = [amount for amount, _ in _find_forms(model, lines, name)]
    clauses = [item.amount_clause for item in model.fields.values()]
    ends = [
        f"{amount} {clause.after}"
        for amount in amounts
        for clause in clauses
        if clause is not None and clause.after
    ]
    return any(end in line.text for line in lines for end in ends)


def _is_name(meaning: str) -> bool:
    return bool(meaning.strip()) and '"' not in meaning


def _find_forms(model: DomainModel, lines: Sequence[Line], name: str) -> list[tuple[str, str]]:
    """Return how all lines with a constant's figure write it: with its unit, or without.

    A line in which the figure stands for another constant too is no place for a name.
    """
    item = model.policy[name]
    number, unit = format_limit(item), getattr(item.constant.type, "unit", "")
    if number is None:
        return []
    stating = [line for line in lines if f"policy {name}" in line.states and not line.excused]
    forms = [(format_quantity(number, unit), unit), (number, "")]
    holding = [line for line in stating if find_amounts(number, line.text)]
    share = re.compile(f"{build_amount_pattern(number)} percent of ")
    if any(share.search(line.text) for line in holding):
        return []  # "the highest share (see section 15) of the price"
    counted = re.compile(rf"\bthere (?:is|are) [a-z ]+ {build_amount_pattern(number)}")
    if any(counted.search(line.text) for line in holding):
        return []  # "there are more than the highest number (see section 15) entries that are open"
    return [
        (amount, unit)
        for amount, unit in dict.fromkeys(forms)
        if holding and all(_is_stated_once(amount, line, model, name) for line in holding)
    ]


def _is_distance(model: DomainModel, lines: Sequence[Line], name: str) -> bool:
    """Return whether a rule says that one day is that long after another."""
    amount, _ = _find_forms(model, lines, name)[0]
    distance = re.compile(rf"{build_amount_pattern(amount)} (?:after|before|later|earlier)\b")
    return any(distance.search(line.text) for line in lines if f"policy {name}" in line.states)


def _is_stated_once(amount: str, line: Line, model: DomainModel, name: str) -> bool:
    stated = [state.removeprefix("policy ") for state in line.states if state.startswith("policy ")]
    # A calendar is stated as the policy's, too; it has no figure.
    others = {
        format_limit(model.policy[other])
        for other in stated
        if other in model.policy and other != name
    }
    is_shared = amount.split(" ", 1)[0] in others
    return not is_shared and len(find_amounts(amount, line.text)) == 1


def _without_meanings(lines: Sequence[Line], limits: Sequence[_Limit]) -> list[Line]:
    """Return the lines without those that say what these limits mean, for they give the figures."""
    states = {f"policy {limit.item.constant.name}" for limit in limits}
    return drop_stated_meanings(lines, states)


def _insert_limit_names(
    lines: Sequence[Line], limits: Sequence[_Limit], heading: Line
) -> tuple[Line, ...]:
    changed, section = _without_meanings(lines, limits), call_section(heading.text)
    for limit in limits:
        use = format_limit_use(limit.name, section)
        state = f"policy {limit.item.constant.name}"
        changed = [
            replace(
                line,
                text=put_for_amount(use, limit.amount, line.text),
            )
            if state in line.states and not line.excused
            else line
            for line in changed
        ]
    return tuple(changed)


def _build_entries(limits: Sequence[_Limit], dose: int, seed: int) -> list[Line]:
    """Return ``dose`` entries: those beyond the limits are intermediate steps to one."""
    # e.g. 5 entries for 2 limits: chains of 3 and 2.
    chains = [len(range(place, dose, len(limits))) for place in range(len(limits))]
    built = [
        _build_chain(limit, length, limits[:place], seed)
        for place, (limit, length) in enumerate(zip(limits, chains, strict=True))
    ]
    return [entry for chain in built for entry in chain]


def _build_chain(limit: _Limit, length: int, before: Sequence[_Limit], seed: int) -> list[Line]:
    """Return the entries that lead from a limit over others to an amount or an earlier limit."""
    value, entries = limit.value, []
    what = "day" if _is_day(limit) else "amount"
    names = [limit.name, *(_name_base(limit, what, place) for place in range(1, length))]
    for name, beyond in pairwise(names):
        # The other amount stays above 0: it lies below this one where there is room, else above.
        step = _draw_step(limit, value, name, seed)
        away, word = _phrase_distance(limit, step if value > step else -step)
        entries.append(build_limit_entry(name, away, beyond=beyond, word=word))
        value -= step if value > step else -step
    return [*entries, _build_last_entry(limit, names[-1], value, before)]


def _name_base(limit: _Limit, what: str, place: int) -> str:
    """Return what the amount is called from which another one is reckoned."""
    number = "" if place == 1 else f" {place}"
    return f"reference {what}{number} for {call_limit(limit.name)}"


def _build_last_entry(limit: _Limit, name: str, value: int, before: Sequence[_Limit]) -> Line:
    """Return the entry that ends a chain: through a limit of the same unit, else by its amount."""
    alike = [other for other in before if _get_measure(other) == _get_measure(limit)]
    for other in reversed(alike):
        if _is_round(limit, value - other.value):
            away, word = _phrase_distance(limit, value - other.value)
            return build_limit_entry(name, away, beyond=other.name, word=word)
    return build_limit_entry(name, _format_value(limit, value))


def _is_round(limit: _Limit, distance: int) -> bool:
    """Return whether people would say by how much a limit lies beyond another one.

    "1187 less than the other limit" is a figure of nobody: a difference is a few, or a round
    number, and no more than half the limit.
    """
    one = 10 ** getattr(limit.kind, "places", 0)
    whole, rest = divmod(abs(distance), one)
    is_short = whole <= _FEW or len(str(whole).rstrip("0")) == 1
    is_near = _is_day(limit) or 2 * abs(distance) <= abs(limit.value)
    return not rest and whole > 1 and is_short and is_near


def _is_day(limit: _Limit) -> bool:
    return isinstance(limit.kind, DateType)


def _get_measure(limit: _Limit) -> tuple[object, ...]:
    """Return what limits share of which one can be said to be more than the other."""
    kind = limit.kind
    return type(kind), getattr(kind, "unit", ""), limit.unit, getattr(kind, "places", 0)


def _format_value(limit: _Limit, value: int) -> str:
    """Return a value as the entry of a limit gives it."""
    if isinstance(limit.kind, DateType):
        return to_cell(limit.kind, value)
    return format_quantity(format_figure(limit.kind, value), limit.unit)


def _phrase_distance(limit: _Limit, distance: int) -> tuple[str, str]:
    """Return in words how far a value lies beyond another, and on which side."""
    if isinstance(limit.kind, DateType):
        return format_quantity(str(abs(distance)), "days"), "later" if distance > 0 else "earlier"
    # 7 percent more than 13 percent would be another limit than 20 percent.
    unit = POINTS if is_percent(limit.unit) else limit.unit
    away = format_quantity(format_figure(limit.kind, abs(distance)), unit)
    return away, "more" if distance > 0 else "less"


def _draw_step(limit: _Limit, value: int, name: str, seed: int) -> int:
    """Return how far off another value lies: whole units, two at the least."""
    one = 10 ** getattr(limit.kind, "places", 0)
    widest = _FURTHEST_DAYS if _is_day(limit) else max(2, abs(value) // one // 2)
    return int(one * (2 + draw_below(widest - 1, seed, limit.item.constant.name, name)))


OPERATOR = IndirectThresholds()
