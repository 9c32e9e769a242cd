"""SOP level: limits that the rules only name; a section of its own gives them, or one by another.

A limit is a number or a day. It is put indirectly only where each statement with its figure has
words with its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sopforge.artifacts.complexity.last_sections import make_last_heading
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Statement
from sopforge.artifacts.rendering.sop.limits import POINTS, build_limit_entry, name_limit
from sopforge.artifacts.rendering.sop.meanings import drop_stated_meanings
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.model import PolicyConstant
from sopforge.language.domain.values.types import (
    MomentType,
    NumberType,
    require_integer,
)
from sopforge.language.english.nouns import format_figure, format_quantity, is_percent
from sopforge.language.english.terms import NAMED, Term, walk_term
from sopforge.language.english.vocabulary import LIMITS_SECTION, call_limit
from sopforge.seeds import draw_below, permute_items

_FURTHEST_DAYS = 60
_FEW = 12
_PREFIX = "policy "


class IndirectThresholds:
    """Puts in ``dose`` entries of limits: each limit once before any is led over another entry."""

    name = "indirect_thresholds"
    level: HarderLevel = "L1"
    usual = 2
    follows: tuple[str, ...] = ("cross_references",)
    is_of_model = False

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        chosen: list[_Limit] = []
        statements = list(variant.sop.statements)
        heading = make_last_heading(statements, LIMITS_SECTION)
        variant = variant.with_statements((*statements, heading)) if dose else variant
        for limit in _list_limits(variant, seed):
            changed = _name_limit(variant, limit) if len(chosen) < dose else None
            if changed is not None:
                variant = changed
                chosen.append(limit)
        if not chosen:
            return variant.with_statements(statements)
        entries = _build_entries(chosen, dose, seed)
        put = variant.with_statements((*variant.sop.statements, *entries))
        return put.with_added(self.name, *(entry.text for entry in entries))


@dataclass(frozen=True, slots=True)
class _Limit:
    """A limit with what the rules call it."""

    name: str
    item: PolicyConstant
    unit: str

    @property
    def kind(self) -> NumberType | MomentType:
        kind = self.item.constant.type
        assert isinstance(kind, NumberType | MomentType)  # noqa: S101 - no others are chosen
        return kind

    @property
    def value(self) -> int:
        return require_integer(self.item.constant.value)


def _list_limits(variant: Variant, seed: int) -> list[_Limit]:
    """Return the limits that may be named in the place of their figures, in a keyed order."""
    policy, words = variant.model.policy, variant.writer.words
    meant = Counter(name_limit(item.meaning) for item in policy.values())
    found = [
        _Limit(name_limit(item.meaning), item, words.forms.find_unit(words.mean(item.constant)))
        for item in policy.values()
        if meant[name_limit(item.meaning)] == 1
        and item.meaning.strip()
        and '"' not in item.meaning
        and isinstance(item.constant.type, NumberType | MomentType)
    ]
    return permute_items(found, seed, "limit")


def _name_limit(variant: Variant, limit: _Limit) -> Variant | None:
    """Return the variant whose rules name a limit, None where one of them has no words for it.

    A statement in which the figure is said as another one, as "at least 2" by "more than 1", or
    that somebody has worded, is such a one.
    """
    constant = limit.item.constant.name
    other = replace(variant, limits={**variant.limits, constant: limit.name})
    stated = f"{_PREFIX}{constant}"
    known = drop_stated_meanings(variant.model, variant.sop.statements, {constant})
    changed, named = list[Statement](), 0
    for item in known:
        if stated not in item.states or item.excused:
            changed.append(item)
            continue
        if item.term is None or not _has_figure(item.term, constant):
            return None
        said = other.restate(item, item.term)
        if said is None or call_limit(limit.name).partition(" (")[0] not in said.text:
            return None
        changed.append(said)
        named += 1
    return other.with_statements(changed) if named else None


def _has_figure(term: Term, constant: str) -> bool:
    """Return whether a term has a figure by the name of a constant."""
    return any(x[0] in NAMED and x[NAMED[x[0]]] == constant for x in walk_term(term))


def _build_entries(limits: Sequence[_Limit], dose: int, seed: int) -> list[Statement]:
    """Return ``dose`` entries: those beyond the limits are intermediate steps to one."""
    # e.g. 5 entries for 2 limits: chains of 3 and 2.
    chains = [len(range(place, dose, len(limits))) for place in range(len(limits))]
    built = [
        _build_chain(limit, length, limits[:place], seed)
        for place, (limit, length) in enumerate(zip(limits, chains, strict=True))
    ]
    return [entry for chain in built for entry in chain]


def _build_chain(
    limit: _Limit, length: int, before: Sequence[_Limit], seed: int
) -> list[Statement]:
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
    return f"reference {what}{number} for {call_limit(limit.name).partition(' (see')[0]}"


def _build_last_entry(limit: _Limit, name: str, value: int, before: Sequence[_Limit]) -> Statement:
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
    return isinstance(limit.kind, MomentType)


def _get_measure(limit: _Limit) -> tuple[object, ...]:
    """Return what limits share of which one can be said to be more than the other."""
    return type(limit.kind), limit.unit, getattr(limit.kind, "places", 0)


def _format_value(limit: _Limit, value: int) -> str:
    """Return a value as the entry of a limit gives it."""
    if isinstance(limit.kind, MomentType):
        return limit.kind.to_cell(value)
    return format_quantity(format_figure(limit.kind, value), limit.unit)


def _phrase_distance(limit: _Limit, distance: int) -> tuple[str, str]:
    """Return in words how far a value lies beyond another, and on which side."""
    if isinstance(limit.kind, MomentType):
        return format_quantity(
            str(abs(distance)), limit.kind.span
        ), "later" if distance > 0 else "earlier"
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
