"""SOP level: limits that the rules only name, and that an annex gives, one through another.

A limit is put indirectly only where the text, with all limits worked out, is again what it was.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sopforge.complexity.annexes import annex_heading
from sopforge.complexity.variant import Variant
from sopforge.domain.model import DomainModel, PolicyConstant
from sopforge.domain.types import NumberType, whole
from sopforge.logic.grammar import counted, figure
from sopforge.rendering.indirect_limits import (
    LIMIT,
    LIMITS_ANNEX,
    figures,
    limit_entry,
    limit_use,
    put_in,
)
from sopforge.rendering.sop_document import Line, SopDocument, Style
from sopforge.seeds import below, permuted

_OPENING = (
    "Where a rule has a limit in brackets, put in the amount that it has here. Some are given"
    " through others: work those out first."
)


class IndirectThresholds:
    """Puts in ``dose`` entries of limits: each limit once before any is led over another entry."""

    name = "indirect_thresholds"

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        limits = _limits(variant, seed)[:dose]
        if not limits:
            return variant
        lines = _named(variant.sop.lines, limits)
        opening = Line(Style.PARAGRAPH, _OPENING, excused=LIMIT)
        entries = _entries(limits, dose, seed)
        lines = (*lines, annex_heading(lines, LIMITS_ANNEX), opening, *entries)
        put = replace(variant, sop=SopDocument(lines))
        return put.with_added(self.name, *(entry.text for entry in entries))


def with_limits_named(text: str, names: Collection[str], variant: Variant) -> str:
    """Return a text with the limits of these constants named that the annex gives; else "".

    There is nothing to return where the figure of such a limit stands more than once, or not as
    the annex writes it: then it cannot be told from other figures.
    """
    lines = variant.sop.lines
    amounts = figures(lines)
    for item in (variant.model.policy[name] for name in names if name in variant.model.policy):
        limit, kind = _limit_of(item, lines), item.constant.type
        if not limit or not isinstance(kind, NumberType):
            continue
        amount = amounts.get(limit, "")
        alike = {amount, figure(kind, whole(item.constant.value))}
        if any(len(_places(shown, text)) != 1 for shown in alike):
            return ""
        text = re.sub(_bare(amount), limit_use(limit), text)
    return text


def _limit_of(item: PolicyConstant, lines: Sequence[Line]) -> str:
    """Return the name of the limit that the annex gives in the place of a constant's figure."""
    entries = [line.text for line in lines if line.excused == LIMIT]
    found = [text for text in entries if text.endswith(f": {item.meaning}.")]
    return found[0].split()[1] if found else ""


@dataclass(frozen=True, slots=True)
class _Limit:
    """A limit with its figure as it stands in the rules."""

    name: str
    item: PolicyConstant
    amount: str
    unit: str

    @property
    def kind(self) -> NumberType:
        kind = self.item.constant.type
        assert isinstance(kind, NumberType)  # noqa: S101 - _amount sees to it
        return kind

    @property
    def value(self) -> int:
        return whole(self.item.constant.value)


def _limits(variant: Variant, seed: int) -> list[_Limit]:
    """Return the limits that can be named in the place of their figures, in a keyed order."""
    model, lines = variant.model, variant.sop.lines
    names = [name for name in model.policy if _forms(model, lines, name)]
    order = [permuted(place, len(names), seed, "limit") for place in range(len(names))]
    found = []
    for number, place in enumerate(order, start=1):
        item = model.policy[names[place]]
        amount, unit = _forms(model, lines, names[place])[0]
        found.append(_Limit(f"T{number}", item, amount, unit))
    return [limit for limit in found if _is_read_back(lines, limit, seed)]


def _is_read_back(lines: tuple[Line, ...], limit: _Limit, seed: int) -> bool:
    """Tell whether the rules, with the limit worked out from two entries, are what they were."""
    entries = _chain(limit, [limit.name, "T0"], (), seed)
    return put_in((*_named(lines, [limit]), *entries)) == lines


def _forms(model: DomainModel, lines: Sequence[Line], name: str) -> list[tuple[str, str]]:
    """Return how all lines with a constant's figure write it: with its unit, or without.

    A line in which the figure stands for another constant too is no place for a name.
    """
    item = model.policy[name].constant
    if not isinstance(item.type, NumberType):
        return []
    stating = [line for line in lines if f"policy {name}" in line.states and not line.excused]
    number = figure(item.type, whole(item.value))
    forms = [(counted(number, item.type.unit), item.type.unit), (number, "")]
    holding = [line for line in stating if _places(number, line.text)]
    return [
        (amount, unit)
        for amount, unit in dict.fromkeys(forms)
        if holding and all(_stands_once(amount, line, model, name) for line in holding)
    ]


def _stands_once(amount: str, line: Line, model: DomainModel, name: str) -> bool:
    others = [
        model.policy[state.removeprefix("policy ")].constant
        for state in line.states
        if state.startswith("policy ") and state != f"policy {name}"
    ]
    is_shared = any(
        isinstance(other.type, NumberType)
        and figure(other.type, whole(other.value)) == amount.split(" ", 1)[0]
        for other in others
    )
    return not is_shared and len(_places(amount, line.text)) == 1


def _places(amount: str, text: str) -> list[str]:
    return re.findall(_bare(amount), text)


def _bare(amount: str) -> str:
    return rf"(?<![\w.\"-]){re.escape(amount)}(?![\w\"]|\.\d)"


def _named(lines: Sequence[Line], limits: Sequence[_Limit]) -> tuple[Line, ...]:
    changed = list(lines)
    for limit in limits:
        state = f"policy {limit.item.constant.name}"
        changed = [
            replace(line, text=re.sub(_bare(limit.amount), limit_use(limit.name), line.text))
            if state in line.states and not line.excused
            else line
            for line in changed
        ]
    return tuple(changed)


def _entries(limits: Sequence[_Limit], dose: int, seed: int) -> list[Line]:
    """Return ``dose`` entries: those beyond the limits themselves are steps on the way to one."""
    chains = [len(range(place, dose, len(limits))) for place in range(len(limits))]
    entries: list[Line] = []
    free = len(limits)
    for place, (limit, length) in enumerate(zip(limits, chains, strict=True)):
        names = [limit.name, *(f"T{free + further}" for further in range(1, length))]
        free += length - 1
        entries += _chain(limit, names, limits[:place], seed)
    return entries


def _chain(limit: _Limit, names: Sequence[str], before: Sequence[_Limit], seed: int) -> list[Line]:
    """Return the entries that lead from a limit over others to an amount or an earlier limit."""
    value, entries = limit.value, []
    meaning = limit.item.meaning
    for name, beyond in pairwise(names):
        step, word = _step(limit, value, name, seed)
        amount = counted(figure(limit.kind, step), limit.unit)
        entries.append(limit_entry(name, amount, meaning, beyond=beyond, word=word))
        value += step if word == "less" else -step
        meaning = f"an amount on the way to limit {name}"
    return [*entries, _last(limit, names[-1], value, meaning, before)]


def _last(limit: _Limit, name: str, value: int, meaning: str, before: Sequence[_Limit]) -> Line:
    """Return the entry that ends a chain: through a limit of the same unit, else by its amount."""
    alike = [other for other in before if _measure(other) == _measure(limit)]
    for other in reversed(alike):
        step = figure(limit.kind, abs(value - other.value))
        if step not in {"0", "1"}:
            word = "more" if value > other.value else "less"
            amount = counted(step, limit.unit)
            return limit_entry(name, amount, meaning, beyond=other.name, word=word)
    return limit_entry(name, counted(figure(limit.kind, value), limit.unit), meaning)


def _measure(limit: _Limit) -> tuple[str, str, int]:
    """Return what limits share of which one can be said to be more than the other."""
    return limit.kind.unit, limit.unit, limit.kind.places


def _step(limit: _Limit, value: int, name: str, seed: int) -> tuple[int, str]:
    """Return how far another amount lies below or above: whole units, two at the least."""
    one = 10**limit.kind.places
    widest = max(2, abs(value) // one // 2)
    step = one * (2 + below(widest - 1, seed, limit.item.constant.name, name))
    return step, "more" if value > step else "less"


OPERATOR = IndirectThresholds()
