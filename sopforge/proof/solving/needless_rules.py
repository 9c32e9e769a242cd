"""Rules that change nothing where they stand in a list of which the first that applies decides."""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.language.domain.expressions.expressions import AllOf, Expression, collect_read_fields
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.procedure.known_fields import collect_step_results, map_known_fields
from sopforge.language.domain.rules import HitPolicy, Rule, Table
from sopforge.language.logic.tables import (
    FALSE,
    build_agreement,
    build_coverage_condition,
    build_decision_value,
)
from sopforge.proof.solving.arrivals import list_arrival_conditions
from sopforge.proof.solving.questions import NoRow, find_row


def changes_nothing(
    model: DomainModel,
    step: Step,
    rule: Rule,
    before: Sequence[Rule],
    after: Sequence[Rule],
    *,
    target: str,
) -> bool:
    """Return whether it is proved that a rule between others of a list changes no decision.

    It is met only where one before it is, or it gives what those after it give; or no such case
    comes to the step. ``target`` is the field that the list decides, "" for transitions.
    """
    if rule.when is None or collect_read_fields(rule.when) - _collect_known(model, step):
        return False
    earlier = [item.when for item in before if item.when is not None]
    others = [*earlier, _build_same_result(rule, after)]
    if isinstance(find_row(model, [rule.when], others), NoRow):
        return True
    coming = _list_coming(model, step, target)
    return bool(coming) and isinstance(find_row(model, [rule.when, *coming], others), NoRow)


def _collect_known(model: DomainModel, step: Step) -> frozenset[str]:
    """Return the fields that every path to a step has made known, and the step itself."""
    arrived = map_known_fields(model).get(step.id, frozenset())
    return arrived | collect_step_results(model, step)


def _list_coming(model: DomainModel, step: Step, target: str) -> list[Expression]:
    """Return what holds of every case for which rules of a step are read.

    Those for a field that other steps decide, too, are read there as well.
    """
    is_elsewhere = any(target in other.decide for other in model.steps.values() if other != step)
    return [] if is_elsewhere else list_arrival_conditions(model, step)


def _build_same_result(rule: Rule, after: Sequence[Rule]) -> Expression:
    """Return the condition under which the later rules give what the rule gives."""
    if not after:
        return FALSE
    later = Table("", HitPolicy.FIRST, tuple(after), "")
    same = build_agreement(rule.then, build_decision_value(later))
    covered = build_coverage_condition(later)
    return same if covered is None else AllOf((covered, same))
