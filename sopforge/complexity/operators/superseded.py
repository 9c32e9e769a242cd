"""SOP level: limits and rules that an earlier edition had, each of which says that it is void."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import TypeVar

from sopforge.complexity.conditional_lines import conditional_lines
from sopforge.complexity.operators.indirect_thresholds import with_limits_named
from sopforge.complexity.passages import with_passages
from sopforge.complexity.variant import Variant
from sopforge.domain.documents.schema import HarderLevel
from sopforge.domain.language.expressions import Constant, Expression, constants_named
from sopforge.domain.model import PolicyConstant
from sopforge.domain.rules import Rule, Table
from sopforge.domain.values.types import EnumType
from sopforge.logic.english import English, english
from sopforge.logic.phrasing.grammar import be
from sopforge.logic.phrasing.presence import unsaid_presence
from sopforge.material.earlier_values import earlier_value, stated_value
from sopforge.rendering.sop.document import Line, Style
from sopforge.seeds import permuted

Given = TypeVar("Given")


class Superseded:
    """Puts in ``dose`` superseded limits and rules in turn, as far as there are plausible ones."""

    name = "superseded"
    level: HarderLevel = "L1"
    usual = 4
    follows: tuple[str, ...] = ()

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        limits = _limits(variant, seed)
        rules = _rules(variant, seed)
        texts = _in_turn(limits, rules)[:dose]
        passages = [Line(Style.PARAGRAPH, text, excused="superseded") for text in texts]
        return with_passages(variant, self.name, passages, seed)


def _limits(variant: Variant, seed: int) -> list[str]:
    """Return a passage for each constant that can have had another value.

    Those of which somebody wrote which value it was, and why it was changed, come first.
    """
    model, written = variant.model, {item.constant: item for item in variant.material.earlier}
    told, others = [], []
    for name, item in model.policy.items():
        own = written.get(name)
        stated = stated_value(model, item.constant, own.value) if own else None
        if own is not None and stated is not None:
            told.append(f"{_passage(item, stated)} {own.why}")
        elif earlier := earlier_value(model, item.constant, seed):
            others.append(_passage(item, earlier))
    return [*_mixed(told, seed, "superseded"), *_mixed(others, seed, "superseded")]


def _passage(item: PolicyConstant, earlier: Constant) -> str:
    said = f"{item.meaning}: {English({}).constant(earlier)}"
    return (
        f'An earlier edition of this procedure said "{said}";'
        " that value is superseded and is not to be used."
    )


def _rules(variant: Variant, seed: int) -> list[str]:
    """Return a passage for each label that a rule can have given, each rule before any again."""
    columns = [
        list(_otherwise(_words(variant, decision.target, rule), rule.then, seed))
        for decision in variant.model.decisions.values()
        for rule in (decision.rules if isinstance(decision, Table) else ())
        if rule.when is not None
    ]
    turns = [_mixed(list(turn), seed, "superseded rule") for turn in zip_longest(*columns)]
    return [text for turn in turns for text in turn if text is not None]


def _words(variant: Variant, target: str, rule: Rule) -> str:
    """Return a rule as the text has it, where that is a line of its own, else in plain words.

    Plain words name a limit that the text names, for a figure there would undo that; "" where
    they cannot.
    """
    model = variant.model
    name, label = f"rule {target}.{rule.id}", model.fields[target].label
    for line in conditional_lines(variant.sop.lines, model):
        if name in line.states:
            return line.text
    if rule.when is None:
        return ""
    said = english(unsaid_presence(rule.when, model.fields), model.fields)
    condition = with_limits_named(said, sorted(constants_named(rule.when)), variant)
    result = f"the {label} {be(label)} {english(rule.then, model.fields)}."
    return f"If {condition}, {result}" if condition else ""


def _otherwise(text: str, then: Expression, seed: int) -> Iterator[str]:
    """Return a rule with each other label in the place of the last mention of its own."""
    if not isinstance(then, Constant) or not isinstance(then.type, EnumType):
        return
    shown = English({}).constant(then)
    before, found, after = text.rpartition(shown)
    others = [label for label in then.type.values if f'"{label}"' != shown]
    for place in range(len(others) if found else 0):
        other = others[permuted(place, len(others), seed, "superseded", text)]
        yield (
            "An earlier edition of this procedure had a rule that is superseded and is not to be"
            f' used: {before}"{other}"{after}'
        )


def _mixed(texts: list[Given], seed: int, key: str) -> list[Given]:
    return [texts[permuted(place, len(texts), seed, key)] for place in range(len(texts))]


def _in_turn(first: list[str], second: list[str]) -> list[str]:
    """Return texts of both in turn, then what is left of the longer."""
    both = min(len(first), len(second))
    pairs = [text for pair in zip(first, second, strict=False) for text in pair]
    return [*pairs, *first[both:], *second[both:]]


OPERATOR = Superseded()
