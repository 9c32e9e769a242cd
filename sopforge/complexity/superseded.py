"""SOP level: limits and rules that an earlier edition had, each of which says that it is void."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.complexity.earlier_values import earlier_value
from sopforge.complexity.passages import with_passages
from sopforge.complexity.variant import Variant
from sopforge.domain.expressions import Constant
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Rule, Table
from sopforge.domain.types import EnumType
from sopforge.logic.english import English
from sopforge.rendering.sop_document import Line, SopDocument, Style
from sopforge.seeds import below, permuted


class Superseded:
    """Puts in ``dose`` superseded limits and rules in turn, as far as there are plausible ones."""

    name = "superseded"

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        limits = _mixed(list(_limits(variant.model, seed)), seed, "superseded")
        rules = _mixed(list(_rules(variant.model, variant.sop, seed)), seed, "superseded rule")
        texts = _in_turn(limits, rules)[:dose]
        passages = [Line(Style.PARAGRAPH, text, excused="superseded") for text in texts]
        return with_passages(variant, self.name, passages, seed)


def _limits(model: DomainModel, seed: int) -> Iterator[str]:
    """Return a passage for each constant that can have had another value."""
    for item in model.policy.values():
        earlier = earlier_value(model, item.constant, seed)
        if earlier is not None:
            said = f"{item.meaning}: {English({}).constant(earlier)}"
            yield (
                f'An earlier edition of this procedure said "{said}";'
                " that value is superseded and is not to be used."
            )


def _rules(model: DomainModel, sop: SopDocument, seed: int) -> Iterator[str]:
    """Return a passage for each rule that can have given another label."""
    for decision in model.decisions.values():
        for rule in decision.rules if isinstance(decision, Table) else ():
            name = f"rule {decision.target}.{rule.id}"
            line = next((line for line in sop.lines if name in line.states), None)
            if line is not None and rule.when is not None:
                yield from _otherwise(name, line.text, rule, seed)


def _otherwise(name: str, text: str, rule: Rule, seed: int) -> Iterator[str]:
    """Return a rule with another label in the place of the last mention of its own."""
    then = rule.then
    if not isinstance(then, Constant) or not isinstance(then.type, EnumType):
        return
    shown = English({}).constant(then)
    others = [label for label in then.type.values if f'"{label}"' != shown]
    before, found, after = text.rpartition(shown)
    if found and others:
        other = others[below(len(others), seed, "superseded", name)]
        yield (
            "An earlier edition of this procedure had a rule that is superseded and is not to be"
            f' used: {before}"{other}"{after}'
        )


def _mixed(texts: list[str], seed: int, key: str) -> list[str]:
    return [texts[permuted(place, len(texts), seed, key)] for place in range(len(texts))]


def _in_turn(first: list[str], second: list[str]) -> list[str]:
    """Return texts of both in turn, then what is left of the longer."""
    both = min(len(first), len(second))
    pairs = [text for pair in zip(first, second, strict=False) for text in pair]
    return [*pairs, *first[both:], *second[both:]]


OPERATOR = Superseded()
