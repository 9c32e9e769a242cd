"""SOP level: limits and rules that an earlier edition had, each of which says that it is void."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import TypeVar

from sopforge.complexity.conditional_lines import select_conditional_lines
from sopforge.complexity.operators.indirect_thresholds import with_limits_named
from sopforge.complexity.passages import with_passages
from sopforge.complexity.variant import Variant
from sopforge.domain.documents.schema import HarderLevel
from sopforge.domain.language.expressions import Constant, Expression, collect_named_constants
from sopforge.domain.model import PolicyConstant
from sopforge.domain.rules import Rule, Table
from sopforge.domain.values.types import EnumType
from sopforge.logic.english import English, phrase_expression
from sopforge.logic.phrasing.grammar import conjugate_be
from sopforge.logic.phrasing.presence import drop_implied_presence
from sopforge.material.earlier_values import draw_earlier_value, parse_stated_value
from sopforge.rendering.sop.document import Line, Style
from sopforge.seeds import permute_index

Given = TypeVar("Given")


class Superseded:
    """Puts in ``dose`` superseded limits and rules in turn, as far as there are plausible ones."""

    name = "superseded"
    level: HarderLevel = "L1"
    usual = 4
    follows: tuple[str, ...] = ()

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        limits = _list_limit_passages(variant, seed)
        rules = _list_rule_passages(variant, seed)
        texts = _interleave_texts(limits, rules)[:dose]
        passages = [Line(Style.PARAGRAPH, text, excused="superseded") for text in texts]
        return with_passages(variant, self.name, passages, seed)


def _list_limit_passages(variant: Variant, seed: int) -> list[str]:
    """Return a passage for each constant that can have had another value.

    Those of which somebody wrote which value it was, and why it was changed, come first.
    """
    model, written = variant.model, {item.constant: item for item in variant.material.earlier}
    explained, others = [], []
    for name, item in model.policy.items():
        own = written.get(name)
        stated = parse_stated_value(model, item.constant, own.value) if own else None
        if own is not None and stated is not None:
            explained.append(f"{_render_passage(item, stated)} {own.why}")
        elif earlier := draw_earlier_value(model, item.constant, seed):
            others.append(_render_passage(item, earlier))
    first, last = (_shuffle_texts(texts, seed, "superseded") for texts in (explained, others))
    return [*first, *last]


def _render_passage(item: PolicyConstant, earlier: Constant) -> str:
    said = f"{item.meaning}: {English({}).visit_constant(earlier)}"
    return (
        f'An earlier edition of this procedure said "{said}";'
        " that value is superseded and is not to be used."
    )


def _list_rule_passages(variant: Variant, seed: int) -> list[str]:
    """Return a passage for each label that a rule can have given, each rule before any again."""
    columns = [
        list(_iterate_other_wordings(_phrase_rule(variant, decision.target, rule), rule.then, seed))
        for decision in variant.model.decisions.values()
        for rule in (decision.rules if isinstance(decision, Table) else ())
        if rule.when is not None
    ]
    turns = [_shuffle_texts(list(turn), seed, "superseded rule") for turn in zip_longest(*columns)]
    return [text for turn in turns for text in turn if text is not None]


def _phrase_rule(variant: Variant, target: str, rule: Rule) -> str:
    """Return a rule as the text has it, where that is a line of its own, else in plain words.

    Plain words name a limit that the text names, for a figure there would undo that; "" where
    they cannot.
    """
    model = variant.model
    name, label = f"rule {target}.{rule.id}", model.fields[target].label
    for line in select_conditional_lines(variant.sop.lines, model):
        if name in line.states:
            return line.text
    if rule.when is None:
        return ""
    said = phrase_expression(drop_implied_presence(rule.when, model.fields), model.fields)
    condition = with_limits_named(said, sorted(collect_named_constants(rule.when)), variant)
    result = f"the {label} {conjugate_be(label)} {phrase_expression(rule.then, model.fields)}."
    return f"If {condition}, {result}" if condition else ""


def _iterate_other_wordings(text: str, then: Expression, seed: int) -> Iterator[str]:
    """Return a rule with each other label in the place of the last mention of its own."""
    if not isinstance(then, Constant) or not isinstance(then.type, EnumType):
        return
    shown = English({}).visit_constant(then)
    # The result stands last in a rule: its condition may name the same label before.
    before, found, after = text.rpartition(shown)
    others = [label for label in then.type.values if f'"{label}"' != shown]
    for place in range(len(others) if found else 0):
        other = others[permute_index(place, len(others), seed, "superseded", text)]
        yield (
            "An earlier edition of this procedure had a rule that is superseded and is not to be"
            f' used: {before}"{other}"{after}'
        )


def _shuffle_texts(texts: list[Given], seed: int, key: str) -> list[Given]:
    return [texts[permute_index(place, len(texts), seed, key)] for place in range(len(texts))]


def _interleave_texts(first: list[str], second: list[str]) -> list[str]:
    """Return texts of both in turn, then what is left of the longer."""
    both = min(len(first), len(second))
    pairs = [text for pair in zip(first, second, strict=False) for text in pair]
    return [*pairs, *first[both:], *second[both:]]


OPERATOR = Superseded()
