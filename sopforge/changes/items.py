"""What changed in a model, part by part, in words: policy, fields, decisions, steps, tools."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, count
from typing import TypeAlias, TypeVar

from sopforge.changes.field_words import field_aspects
from sopforge.changes.texts import Mark
from sopforge.domain.fields import Field
from sopforge.domain.guards import guard_checks
from sopforge.domain.language.expressions import Constant, Expression
from sopforge.domain.model import DomainModel, Edge, Step, Tool
from sopforge.domain.rules import Decision, Formula, Table
from sopforge.logic.english import english
from sopforge.logic.variants.changed_models import with_constant
from sopforge.logic.variants.substitution import Substitution

Aspects: TypeAlias = Mapping[str, str]
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Aspect:
    """What is said of an item, as it was and as it is; empty where it is not said."""

    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class ItemChange:
    """A part of the model that is added, removed or changed; ``name`` is its id in the model."""

    kind: str
    name: str
    mark: Mark
    aspects: tuple[Aspect, ...]


WORDS_ONLY = frozenset({"meaning", "label", "description", "title", "instruction", "says"})
"""What an item is called; it decides nothing."""


def item_changes(old: DomainModel, new: DomainModel) -> tuple[ItemChange, ...]:
    """Return what changed in a model.

    A rule that reads a policy constant does not change with its value: the constant does. Nor does
    it change with what a field is called.
    """
    settled = _settled(old, new)
    return (
        *_changes("policy constant", _policy(old), _policy(new)),
        *_changes("field", _fields(old), _fields(new)),
        *_constraint_changes(old, settled, new),
        *_rule_changes(old, settled, new),
        *_changes("step", _steps(old), _steps(new)),
        *_settled_changes("way", (_ways(old), _ways(settled)), _ways(new)),
        *_settled_changes("tool", (_tools(old), _tools(settled)), _tools(new)),
    )


def _settled(old: DomainModel, new: DomainModel) -> DomainModel:
    """Return the old model with the values of constants, and the names of fields, of the new."""
    both = [name for name in new.policy if name in old.policy]
    valued = reduce(
        lambda model, name: _with_value(model, name, new.policy[name].constant), both, old
    )
    fields = {
        name: _called(item, new.fields[name]) if name in new.fields else item
        for name, item in old.fields.items()
    }
    return replace(valued, fields=fields)


def _with_value(model: DomainModel, name: str, other: Constant) -> DomainModel:
    """Return the model with another value for a constant, in constraints as well."""
    change = Substitution({}, other, {name: other}).of
    changed = with_constant(model, name, other)
    return replace(changed, constraints=tuple(map(change, model.constraints)))


def _called(item: Field, other: Field) -> Field:
    """Return a field under what another is called in sentences."""
    return replace(
        item, label=other.label, missing=other.missing, parts=other.parts, said=other.said
    )


def _changes(
    kind: str, old: Mapping[str, Aspects], new: Mapping[str, Aspects]
) -> Iterator[ItemChange]:
    yield from _settled_changes(kind, (old, old), new)


def _settled_changes(
    kind: str,
    old: tuple[Mapping[str, Aspects], Mapping[str, Aspects]],
    new: Mapping[str, Aspects],
) -> Iterator[ItemChange]:
    """Return what differs from the second of the old, told in the words of the first."""
    told, settled = old
    for name in {**new, **told}:
        if name not in told:
            yield ItemChange(kind, name, Mark.ADDED, _aspects({}, new[name]))
        elif name not in new:
            yield ItemChange(kind, name, Mark.REMOVED, _aspects(told[name], {}))
        elif settled[name] != new[name]:
            names = [
                part
                for part in {**new[name], **told[name]}
                if settled[name].get(part) != new[name].get(part)
            ]
            aspects = (Aspect(p, told[name].get(p, ""), new[name].get(p, "")) for p in names)
            yield ItemChange(kind, name, Mark.REWORDED, tuple(aspects))


def _aspects(old: Aspects, new: Aspects) -> tuple[Aspect, ...]:
    names = dict.fromkeys((*new, *old))
    return tuple(
        Aspect(name, old.get(name, ""), new.get(name, ""))
        for name in names
        if old.get(name) or new.get(name)
    )


def _policy(model: DomainModel) -> dict[str, Aspects]:
    return {
        name: {"value": english(item.constant, model.fields), "meaning": item.meaning}
        for name, item in model.policy.items()
    }


def _fields(model: DomainModel) -> dict[str, Aspects]:
    return {name: field_aspects(item) for name, item in model.fields.items()}


def _constraint_changes(
    old: DomainModel, settled: DomainModel, new: DomainModel
) -> Iterator[ItemChange]:
    """Return the constraints that one side has; they have no ids, and are known by their words."""
    told = {
        english(after, settled.fields): english(before, old.fields)
        for before, after in zip(old.constraints, settled.constraints, strict=True)
    }
    now = [english(item, new.fields) for item in new.constraints]
    for words in now:
        if words not in told:
            yield ItemChange("constraint", words, Mark.ADDED, ())
    for words, before in told.items():
        if words not in now:
            yield ItemChange("constraint", before, Mark.REMOVED, ())


def _rule_changes(old: DomainModel, settled: DomainModel, new: DomainModel) -> Iterator[ItemChange]:
    yield from _changes("decision", _decisions(old), _decisions(new))
    for name in {**new.decisions, **old.decisions}:
        told = _rules(old.decisions.get(name), old.fields)
        same = _rules(settled.decisions.get(name), settled.fields)
        yield from _settled_changes(
            "rule", (told, same), _rules(new.decisions.get(name), new.fields)
        )


def _decisions(model: DomainModel) -> dict[str, Aspects]:
    return {
        name: {"hits": _hits(item), "order": _order(item), "description": item.description}
        for name, item in model.decisions.items()
    }


def _hits(decision: Decision) -> str:
    if isinstance(decision, Formula):
        return "an expression"
    return f"{decision.hit} {decision.collect or ''}".strip()


def _order(decision: Decision) -> str:
    return ", ".join(rule.id for rule in decision.rules) if isinstance(decision, Table) else ""


def _rules(decision: Decision | None, fields: Mapping[str, Field]) -> dict[str, Aspects]:
    if decision is None:
        return {}
    if isinstance(decision, Formula):
        return {decision.target: {"value": english(decision.value, fields)}}
    return {
        f"{decision.target}.{rule.id}": {
            "when": _condition(rule.when, fields),
            "then": english(rule.then, fields),
        }
        for rule in decision.rules
    }


def _condition(when: Expression | None, fields: Mapping[str, Field]) -> str:
    return "in every other case" if when is None else english(when, fields)


def _steps(model: DomainModel) -> dict[str, Aspects]:
    return {name: _step(step, model.fields) for name, step in model.steps.items()}


def _step(step: Step, fields: Mapping[str, Field]) -> Aspects:
    ends = (step.end or {}).items()
    return {
        "calls": step.call or "",
        "decides": ", ".join(step.decide),
        "ends with": ", ".join(f"{name} = {_cell(fields[name], value)}" for name, value in ends),
        "hands to": step.hand_to,
        "ways in order": ", ".join(edge.to for edge in step.edges),
        "title": step.title,
        "instruction": step.instruction,
    }


def _cell(item: Field, value: Constant) -> str:
    return item.cell(value.value)


def _ways(model: DomainModel) -> dict[str, Aspects]:
    """Return the ways by where they lead from and to: their numbers move with those before them."""
    found: dict[str, Aspects] = {}
    for step in model.steps.values():
        refusals = {edge.id: code for code, edge in step.refusals.items()}
        for edge in (*step.edges, *step.refusals.values()):
            name = _unused(f"{step.id} to {edge.to}", found)
            found[name] = _way(edge, refusals.get(edge.id, ""), model.fields)
    return found


def _unused(name: str, found: Container[str]) -> str:
    numbers = (f"{name} ({number})" for number in count(2))
    return next(other for other in chain((name,), numbers) if other not in found)


def _way(edge: Edge, refusal: str, fields: Mapping[str, Field]) -> Aspects:
    again = "" if edge.bound is None else f"{edge.bound} times, then to {edge.then}"
    when = f"after refusal {refusal}" if refusal else _condition(edge.when, fields)
    return {"when": when, "at most": again}


def _tools(model: DomainModel) -> dict[str, Aspects]:
    return {name: _tool(tool, model.fields) for name, tool in model.tools.items()}


def _tool(tool: Tool, fields: Mapping[str, Field]) -> Aspects:
    checks = guard_checks(tool.guard)
    return {
        "kind": str(tool.kind),
        "takes": ", ".join(tool.takes),
        "returns": ", ".join(tool.returns),
        "requires": _joined(checks, lambda item: f"{english(item.test, fields)} ({item.refusal})"),
        "changes": _joined(
            tool.effects.items(), lambda item: f"{item[0]} becomes {english(item[1], fields)}"
        ),
        "same as": tool.same_as,
        "replaced by": tool.replaced_by,
        "description": tool.description,
        "says": _joined(checks, lambda item: item.says),
    }


def _joined(parts: Iterable[Part], words: Callable[[Part], str]) -> str:
    return "; ".join(map(words, parts))
