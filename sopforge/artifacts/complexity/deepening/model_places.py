"""Where a model can be made harder: tables that give labels, steps, and ends; and patches there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sopforge.artifacts.complexity.deepening.drawn_cases import DrawnCases, Fact
from sopforge.artifacts.complexity.model_patches import Parts
from sopforge.language.domain.expressions.expressions import Constant, Expression
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.rules import HitPolicy, Table
from sopforge.language.domain.values.types import EnumType


def select_label_tables(model: DomainModel, *hits: HitPolicy) -> list[Table]:
    """Return the tables with these hit policies that give one label each, and that steps decide."""
    decided = {name for step in model.steps.values() for name in step.decide}
    return [
        decision
        for decision in model.decisions.values()
        if isinstance(decision, Table)
        and decision.hit in hits
        and decision.shared is None
        and decision.target in decided
        and isinstance(model.fields[decision.target].type, EnumType)
        and all(format_label(rule.then) for rule in decision.rules)
    ]


def format_label(then: Expression) -> str:
    """Return the label that a rule gives, "" where it gives something else."""
    is_label = isinstance(then, Constant) and isinstance(then.type, EnumType)
    return then.type.to_cell(then.value) if is_label and isinstance(then, Constant) else ""


def list_labels(model: DomainModel, table: Table) -> tuple[str, ...]:
    """Return the labels that a table may give."""
    kind = model.fields[table.target].type
    return kind.values if isinstance(kind, EnumType) else ()


def get_rules(parts: Parts, table: Table) -> list[dict[str, Any]]:
    """Return the rules of a table as they are written."""
    return [dict(part) for part in parts["decisions"][table.target]["rules"]]


def patch_steps(model: DomainModel, changes: Mapping[str, Parts]) -> dict[str, Any]:
    """Return a patch of steps, each where it stands: in the main procedure or in a part."""
    found: dict[str, Any] = {}
    for name, change in changes.items():
        step = model.steps.get(name)
        at = found
        if step is not None and step.part:
            at = found.setdefault("parts", {}).setdefault(step.part, {})
        at.setdefault("steps", {})[name] = change
    return {"procedure": found}


def patch_decide(
    parts: Parts, model: DomainModel, target: str, before: Iterable[str]
) -> dict[str, Any]:
    """Return the patch by which further fields are decided wherever one is, before it."""
    added = list(before)
    changes: dict[str, Parts] = {}
    for step in model.steps.values():
        if target in step.decide:
            # As it is written: a table that gives several fields stands there by its name.
            decided = list(get_step(parts, step)["decide"])
            place = decided.index(target)
            changes[step.id] = {"decide": [*decided[:place], *added, *decided[place:]]}
    return patch_steps(model, changes)


def get_step(parts: Parts, step: Step) -> dict[str, Any]:
    """Return a step as it is written, in the main procedure or in a part."""
    procedure = parts["procedure"]
    at = procedure["parts"][step.part] if step.part else procedure
    return dict(at["steps"][step.id])


def find_sole_step(model: DomainModel, target: str) -> Step | None:
    """Return the one step at which a field is decided, None where there is not just one."""
    steps = [step for step in model.steps.values() if target in step.decide]
    return steps[0] if len(steps) == 1 else None


def group_known_facts(cases: DrawnCases, table: Table) -> dict[str, list[Fact]]:
    """Return what is known at the one step that decides a table, by the field it is about."""
    step = find_sole_step(cases.model, table.target)
    found: dict[str, list[Fact]] = {}
    for fact in cases.list_facts(step.id) if step else ():
        found.setdefault(fact.field, []).append(fact)
    return found


def choose_fact(facts: Iterable[Fact], wanted: int) -> Fact:
    """Return the fact whose share is nearest to that wanted."""
    return min(facts, key=lambda fact: (abs(fact.share - wanted), fact.source))
