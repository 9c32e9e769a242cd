"""SOP level: limits and rules that an earlier edition had, each of which says that it is void."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice, zip_longest
from typing import TypeVar

from sopforge.artifacts.complexity.passages import Passage, Where, place_passages
from sopforge.artifacts.complexity.rule_statements import phrase_condition
from sopforge.artifacts.complexity.setting import Setting
from sopforge.artifacts.complexity.trade import edition_frames as frames
from sopforge.artifacts.complexity.trade.changes import draw_change, draw_reason, has_past
from sopforge.artifacts.complexity.trade.old_rules import collect_first_days, iterate_old_rules
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.material.earlier_values import draw_earlier_value, parse_stated_value
from sopforge.artifacts.material.pools.reasons import OF_DAYS, OF_FIGURES, OF_RULES
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.marks import SUPERSEDED
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    collect_all_read_fields,
    collect_read_fields,
    iterate_parts,
)
from sopforge.language.domain.model import DomainModel, PolicyConstant, collect_deciding_expressions
from sopforge.language.domain.rules import Rule, Table
from sopforge.language.domain.values.types import EnumType
from sopforge.language.english.nouns import conjugate_be
from sopforge.language.english.words import phrase_constant, phrase_expression
from sopforge.seeds import permute_index, permute_items

Given = TypeVar("Given")
_SUPERLATIVES = ("lowest", "highest", "least", "greatest", "largest", "smallest", "longest",
                 "shortest", "earliest", "latest")  # fmt: skip
_OLD_RULES = 3
"""So many rules of earlier days stand among the rules before one passage speaks of them."""
_TURNS = 3
"""How many earlier values of one limit there may be, each of another edition."""


@dataclass(frozen=True, slots=True)
class _Void:
    """What an earlier edition said: the frames that say so, what fills them, and where it stood."""

    frames: tuple[str, ...]
    words: dict[str, str]
    states: str
    why: str = ""
    is_figure: bool = False


class Superseded:
    """Puts in ``dose`` superseded limits and rules in turn, as far as there are plausible ones."""

    name = "superseded"
    level: HarderLevel = "L1"
    usual = 1
    follows: tuple[str, ...] = ()
    is_of_model = False

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        setting = variant.setting
        if not has_past(setting):
            return variant
        days = collect_first_days(variant.model)
        limits = list(_iterate_limits(variant, seed))
        rules = list(_iterate_rules(variant, setting, seed))
        spoken = (
            _make_passage(item, setting, days, number, seed)
            for number, item in enumerate(_interleave(limits, rules))
        )
        old = iterate_old_rules(variant, seed)
        # What somebody wrote of earlier limits, with the reason, comes first.
        chosen = [*islice(spoken, len(variant.material.earlier))]
        while len(chosen) < dose and (some := [*islice(old, _OLD_RULES), *islice(spoken, 1)]):
            chosen += some
        return place_passages(variant, self.name, chosen[:dose], seed)


def _make_passage(
    item: _Void, setting: Setting, days: Mapping[str, date], number: int, seed: int
) -> Passage:
    """Return what an earlier edition said, in a frame that the passages before had not.

    Where cases state a day that lies after the change, it is a rule for cases before it.
    """
    change = draw_change(setting, number, seed)
    entry = next((name for name, day in days.items() if change.day <= day.isoformat()), "")
    known = frames.DATED[item.frames] if entry else item.frames
    frame = _choose(known, number // 2, seed, setting.domain)
    pool = OF_DAYS if entry else OF_FIGURES if item.is_figure else OF_RULES
    reason = item.why or draw_reason(setting, pool, number // 2, seed)
    given = {"until": change.until, "since": change.since, "edition": change.edition}
    text = frame.format(**given, day=change.day, entry=entry, reason=reason, **item.words)
    if entry and (item.why or number % 2):
        text = f"{text} {reason}"
    line = Statement(Style.PARAGRAPH, text[:1].upper() + text[1:], excused=SUPERSEDED)
    return Passage(line, Where(states=item.states))


def _choose(known: Sequence[str], number: int, seed: int, domain: str) -> str:
    size = len(known)
    return known[permute_index(number % size, size, seed, domain, known[0])]


def _iterate_limits(variant: Variant, seed: int) -> Iterator[_Void]:
    """Yield an earlier value of each constant that can have had one, then older ones.

    Those of which somebody wrote which value it was, and why it was changed, come first.
    """
    model, written = variant.model, {item.constant: item for item in variant.material.earlier}
    explained, others = [], []
    for name, item in model.policy.items():
        own = written.get(name)
        stated = parse_stated_value(model, item.constant, own.value) if own else None
        if own is not None and stated is not None:
            explained.append(_make_limit(model, item, stated, own.why))
        elif earlier := draw_earlier_value(model, item.constant, seed):
            others.append(_build_limit(variant, item, earlier, seed))
    yield from permute_items([*explained], seed, "superseded")
    yield from permute_items(others, seed, "superseded")
    for turn in range(1, _TURNS):
        for item in permute_items([*model.policy.values()], seed, f"older {turn}"):
            values = [draw_earlier_value(model, item.constant, seed + n) for n in range(turn)]
            older = draw_earlier_value(model, item.constant, seed + turn)
            if older is not None and older not in values:
                yield _make_limit(model, item, older)


def _make_limit(
    model: DomainModel, item: PolicyConstant, earlier: Constant, why: str = ""
) -> _Void:
    """Return an earlier value of a limit with what it means."""
    words = {"meaning": item.meaning, "value": phrase_constant(earlier, model.fields)}
    is_named = item.meaning.startswith(_SUPERLATIVES)
    known = frames.OF_NAMED_LIMITS if is_named else frames.OF_LIMITS
    return _Void(known, words, f"policy {item.constant.name}", why, is_figure=True)


def _build_limit(variant: Variant, item: PolicyConstant, earlier: Constant, seed: int) -> _Void:
    """Return an earlier value of a limit: as one, or in the question in which it is asked."""
    asked = _phrase_comparison(variant, item, earlier)
    if not asked or not permute_index(0, 3, seed, "asked", item.constant.name):
        return _make_limit(variant.model, item, earlier)
    state = f"policy {item.constant.name}"
    return _Void(frames.OF_COMPARISONS, {"condition": asked}, state, is_figure=True)


def _phrase_comparison(variant: Variant, item: PolicyConstant, earlier: Constant) -> str:
    """Return how a rule compares something with a limit, with its earlier value; "" for none."""
    for node in iterate_parts(*collect_deciding_expressions(variant.model)):
        if isinstance(node, Compare):
            for side in ("left", "right"):
                found = getattr(node, side)
                if isinstance(found, Constant) and found.name == item.constant.name:
                    other = replace(node, **{side: earlier})  # type: ignore[arg-type]
                    return phrase_condition(variant, other, {item.constant.name})
    return ""


def _iterate_rules(variant: Variant, setting: Setting, seed: int) -> Iterator[_Void]:
    """Yield what earlier editions left out of rules, each rule once before any again."""
    columns = [
        permute_items(
            list(_iterate_changes(variant, decision.target, rule, setting)), seed, rule.id
        )
        for decision in variant.model.decisions.values()
        for rule in (decision.rules if isinstance(decision, Table) else ())
        if rule.when is not None
    ]
    for turn in zip_longest(*columns):
        yield from filter(None, permute_items(list(turn), seed, "superseded rule"))


def _iterate_changes(
    variant: Variant, target: str, rule: Rule, setting: Setting
) -> Iterator[_Void]:
    """Yield how a rule could have been shorter: without a condition, or left to an office."""
    label = variant.model.fields[target].label
    make = _Maker(f"rule {target}.{rule.id}", label, setting)
    parts = rule.when.operands if isinstance(rule.when, AllOf | AnyOf) else ()
    for place, part in enumerate(parts):
        rest = tuple(other for n, other in enumerate(parts) if n != place)
        if collect_read_fields(part) <= collect_all_read_fields(rest):
            continue  # without one end of a range, nobody would have written the rule
        if said := phrase_condition(variant, part):
            yield from make.leave_out(said)
        whole = rest[0] if len(rest) == 1 else AllOf(rest)
        is_label = isinstance(rule.then.type, EnumType)
        if (
            is_label
            and isinstance(rule.when, AllOf)
            and (shorter := phrase_condition(variant, whole))
        ):
            result = phrase_expression(rule.then, variant.model.fields)
            yield make.shorten(shorter, f"{conjugate_be(label)} {result}")
    if not parts and rule.when is not None and (said := phrase_condition(variant, rule.when)):
        yield from make.hand_over(said)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes what earlier editions said of one rule."""

    states: str
    label: str
    setting: Setting

    def leave_out(self, condition: str) -> Iterator[_Void]:
        """Yield that a condition was not there yet, or that somebody else looked at it."""
        words = {"label": self.label, "condition": condition}
        yield _Void(frames.OF_CONDITIONS, words, self.states)
        yield from self.hand_over(condition)

    def hand_over(self, condition: str) -> Iterator[_Void]:
        """Yield that a senior colleague was asked.

        An office that takes cases over may do so there to this day.
        """
        words = {"role": f"senior {self.setting.worker}", "condition": condition}
        yield _Void(frames.OF_HAND_OVERS, words, self.states)

    def shorten(self, rest: str, result: str) -> _Void:
        """Return that less was enough for the same result."""
        words = {"condition": rest, "result": f"the {self.label} {result}"}
        return _Void(frames.OF_SHORTER_RULES, words, self.states)


def _interleave(first: list[Given], second: list[Given]) -> list[Given]:
    """Return items of both in turn, then what is left of the longer."""
    both = min(len(first), len(second))
    pairs = [item for pair in zip(first, second, strict=False) for item in pair]
    return [*pairs, *first[both:], *second[both:]]


OPERATOR = Superseded()
