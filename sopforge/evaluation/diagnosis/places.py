"""Where in a model a mistake is: the rule, limit, edge or refusal that somebody gets wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sopforge.language.domain.expressions.expressions import Expression, collect_named_constants
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.rules import Decision, Table, list_decision_expressions
from sopforge.proof.dataset.mutants.mutants import Mutant


class PlaceKind(StrEnum):
    """What somebody may master, in the order in which it is reported."""

    RULE = "rule"
    FORMULA = "formula"
    LIMIT = "limit"
    EDGE = "edge"
    REFUSAL = "refusal"
    """What is done where a tool refuses a call."""
    END = "end"


@dataclass(frozen=True, slots=True, order=True)
class RulePlace:
    """A part of a model: ``rule TABLE.RULE``, ``formula FIELD``, ``edge STEP.NUMBER`` and so on."""

    kind: PlaceKind
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"

    def list_facts(self, model: DomainModel) -> list[str]:
        """Return what states it, as the trace of an SOP names it.

        That of a limit are all passages in which it stands.
        """
        match self.kind:
            case PlaceKind.FORMULA:
                return [f"decision {self.name}"]
            case PlaceKind.LIMIT:
                return [f"policy {self.name}", *_iterate_using(model, self.name)]
            case PlaceKind.END:
                return [f"step {self.name}"]
            case PlaceKind.RULE | PlaceKind.EDGE | PlaceKind.REFUSAL:
                return [f"{'rule' if self.kind is PlaceKind.RULE else 'edge'} {self.name}"]


def _iterate_using(model: DomainModel, constant: str) -> Iterator[str]:
    """Yield the facts in which a constant stands."""
    for name, decision in model.decisions.items():
        for fact, parts in _iterate_facts(name, decision):
            if _has_constant(parts, constant):
                yield fact
    for step in model.steps.values():
        for edge in step.edges:
            if edge.when is not None and _has_constant([edge.when], constant):
                yield f"edge {step.id}.{edge.name}"


def _iterate_facts(name: str, decision: Decision) -> Iterator[tuple[str, Sequence[Expression]]]:
    """Yield each fact of a decision, with the expressions that it states."""
    if not isinstance(decision, Table):
        yield f"decision {name}", list_decision_expressions(decision)
        return
    for rule in decision.rules:
        yield f"rule {name}.{rule.id}", [rule.then, *([rule.when] if rule.when else [])]


def _has_constant(expressions: Iterable[Expression], constant: str) -> bool:
    return any(constant in collect_named_constants(item) for item in expressions)


def find_place(model: DomainModel, mutant: Mutant, other: DomainModel) -> RulePlace | None:
    """Return the one place in which a model has a mistake, None where it is in several.

    ``other`` is the model as somebody follows it who makes the mistake.
    """
    if mutant.constant:
        return RulePlace(PlaceKind.LIMIT, mutant.constant)
    found = set(_iterate_places(model, other))
    return found.pop() if len(found) == 1 else None


def _iterate_places(model: DomainModel, other: DomainModel) -> Iterator[RulePlace]:
    for name, decision in model.decisions.items():
        if other.decisions[name] != decision:
            yield from _iterate_decided(name, decision, other.decisions[name])
    for name, step in model.steps.items():
        if other.steps[name] != step:
            yield from _iterate_edges(step, other.steps[name])


def _iterate_decided(name: str, decision: Decision, other: Decision) -> Iterator[RulePlace]:
    if not (isinstance(decision, Table) and isinstance(other, Table)):
        yield RulePlace(PlaceKind.FORMULA, name)
        return
    rules = {rule.id: rule for rule in other.rules}
    for rule in decision.rules:
        if rules.get(rule.id) != rule:
            yield RulePlace(PlaceKind.RULE, f"{name}.{rule.id}")


def _iterate_edges(step: Step, other: Step) -> Iterator[RulePlace]:
    if step.end != other.end:
        yield RulePlace(PlaceKind.END, step.id)
    changed = {edge.name: edge for edge in other.edges}
    for edge in step.edges:
        if changed.get(edge.name) != edge:
            yield RulePlace(PlaceKind.EDGE, f"{step.id}.{edge.name}")
    for code, edge in step.refusals.items():
        if other.refusals.get(code) != edge:
            yield RulePlace(PlaceKind.REFUSAL, f"{step.id}.{code}")
