"""Goals of rules: each where it applies, and two of them that apply together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from sopforge.language.domain.expressions.expressions import Constant
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import HitPolicy, Rule, Table, is_first_given
from sopforge.language.domain.values.types import TextType
from sopforge.language.logic.tables import build_rule_condition
from sopforge.language.logic.variants.slots import Slot
from sopforge.proof.dataset.coverage.goals.goal import Goal, GoalKind
from sopforge.proof.dataset.coverage.goals.sites import build_meeting_condition
from sopforge.proof.dataset.mutants.mutants import list_other_results
from sopforge.proof.solving.unfolding import (
    FALSE,
    TRUE,
    Moment,
    Unfolded,
    build_conjunction,
    find_decision_moments,
    negate_condition,
)


def build_rule_goals(
    model: DomainModel, places: Sequence[Unfolded], slots: Mapping[str, Slot]
) -> Iterator[Goal]:
    """Ask for each rule where it applies: its result is seen, or what comes of doing without it."""
    for target, decision in model.decisions.items():
        if not isinstance(decision, Table):
            continue
        moments = find_decision_moments(places, target)
        for rule in decision.rules:
            name, result = f"rule {target}.{rule.id}", slots[f"result {target}.{rule.id}"]
            wrong = [result.put(other) for other in _list_wrong_results(rule)]
            if rule.when is not None and is_first_given(decision):
                wrong.append(slots[f"rule {decision.name}.{rule.id}"].put(FALSE))
            condition = build_meeting_condition(
                moments, build_rule_condition(decision, rule) or TRUE
            )
            words = f"rule {rule.id} of '{target}' applies"
            yield Goal(name, condition, words, GoalKind.RULE, tuple(wrong))
        if decision.hit in {HitPolicy.ANY, HitPolicy.COLLECT}:
            yield from _build_rule_pair_goals(decision, moments, slots)


def _list_wrong_results(rule: Rule) -> Sequence[Constant]:
    """Return other results of a rule: where it has a formula, two of which one is another."""
    kind = rule.then.type
    if isinstance(rule.then, Constant):
        return list_other_results(rule)
    if isinstance(kind, TextType):
        return [Constant(kind, "")]
    # Whatever a formula gives, one of the two ends of its range is something else.
    return [Constant(kind, value) for value in dict.fromkeys(kind.bounds)]


def _build_rule_pair_goals(
    table: Table, moments: Sequence[Moment], slots: Mapping[str, Slot]
) -> Iterator[Goal]:
    """Ask for two rules that apply together, where the hit policy lets them.

    Of rules that are collected, the mistake is to leave one of them out where the other applies; of
    rules that agree, that the first one has another result.
    """
    rules = [rule for rule in table.rules if rule.when is not None]
    for first, second in combinations(rules, 2):
        name, target = f"rules {table.target}.{first.id} and {second.id}", table.target
        one, two = first.when or TRUE, second.when or TRUE
        if table.hit is HitPolicy.COLLECT:
            wrong = [
                slots[f"rule {table.name}.{second.id}"].put(
                    build_conjunction(two, negate_condition(one))
                )
            ]
        else:
            result = slots[f"result {target}.{first.id}"]
            wrong = [result.put(other) for other in _list_wrong_results(first)]
        words = f"rules {first.id} and {second.id} of '{target}' apply together"
        yield Goal(
            name,
            build_meeting_condition(moments, build_conjunction(one, two)),
            words,
            GoalKind.PAIR,
            tuple(wrong),
        )
