"""What changed in a model, part by part, in words: policy, fields, decisions, steps, tools."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import chain, count
from typing import TypeAlias, TypeVar

from sopforge.language.domain.expressions.expressions import Constant, Expression
from sopforge.language.domain.fields import Field
from sopforge.language.domain.guards import GuardLeaf, list_guard_checks
from sopforge.language.domain.model import Counts, DomainModel, Edge, Step, Tool
from sopforge.language.domain.rules import Decision, Formula, Table
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.variants.changed_models import with_constant
from sopforge.language.logic.variants.substitution import Substitution
from sopforge.pipeline.changes.field_words import describe_field_aspects
from sopforge.pipeline.changes.texts import Mark

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
    """A part of the model that is added, removed or changed; ``name`` is its id in the model.

    ``words`` are what people call it: they name it by its label, its title or its meaning.
    """

    kind: str
    name: str
    mark: Mark
    aspects: tuple[Aspect, ...]
    words: str = field(default="", compare=False)


WORDS_ONLY = frozenset({"meaning", "label", "description", "title", "instruction", "says"})
"""What an item is called; it decides nothing."""


def compare_items(old: DomainModel, new: DomainModel) -> tuple[ItemChange, ...]:
    """Return what changed in a model.

    A rule that reads a policy constant does not change with its value: the constant does. Nor does
    it change with what a field is called.
    """
    found = _iterate_changes(old, _align_model(old, new), new)
    return tuple(
        replace(item, words=_call_item(item, old if item.mark is Mark.REMOVED else new))
        for item in found
    )


def _call_item(item: ItemChange, model: DomainModel) -> str:
    """Return what people call a part of a model: by its own words, if it has any."""
    if item.kind == "rule":
        # A formula is one rule, and has no number.
        target, _, number = item.name.partition(".")
        decided = model.fields.get(target)
        return (
            f"{f'rule {number}'.strip()} for the {decided.label}"
            if decided
            else f"rule {item.name}"
        )
    if item.kind == "edge":
        start, _, end = item.name.partition(" to ")
        titles = [model.steps[step].title for step in (start, end.partition(" ")[0])]
        return 'edge from "{}" to "{}"'.format(*titles)
    own = _find_words(item, model)
    return f'{item.kind} "{own}"' if own else f"{item.kind} {item.name}"


def _find_words(item: ItemChange, model: DomainModel) -> str:
    match item.kind:
        case "policy constant":
            return model.policy[item.name].meaning
        case "field":
            names = (x.label for x in model.fields.values() if _name_field(x) == item.name)
            return next(names, "")
        case "decision":
            return model.fields[item.name].label if item.name in model.fields else ""
        case "part":
            return model.parts[item.name].title
        case "step":
            return model.steps[item.name].title
        case _:
            return ""


def _iterate_changes(
    old: DomainModel, settled: DomainModel, new: DomainModel
) -> tuple[ItemChange, ...]:
    return (
        *_compare_parts("policy constant", _describe_constants(old), _describe_constants(new)),
        *_compare_parts("field", _describe_fields(old), _describe_fields(new)),
        *_compare_constraints(old, settled, new),
        *_compare_rules(old, settled, new),
        *_compare_parts("part", _describe_procedure_parts(old), _describe_procedure_parts(new)),
        *_compare_parts("step", _describe_steps(old), _describe_steps(new)),
        *_compare_aligned_parts(
            "edge", (_describe_edges(old), _describe_edges(settled)), _describe_edges(new)
        ),
        *_compare_aligned_parts(
            "tool", (_describe_tools(old), _describe_tools(settled)), _describe_tools(new)
        ),
    )


def _align_model(old: DomainModel, new: DomainModel) -> DomainModel:
    """Return the old model with the values of constants, and the names of fields, of the new."""
    both = [name for name in new.policy if name in old.policy]
    valued = reduce(
        lambda model, name: _with_value(model, name, new.policy[name].constant), both, old
    )
    fields = {
        name: _relabel_field(item, new.fields[name]) if name in new.fields else item
        for name, item in old.fields.items()
    }
    return replace(valued, fields=fields)


def _with_value(model: DomainModel, name: str, other: Constant) -> DomainModel:
    """Return the model with another value for a constant, in constraints as well."""
    change = Substitution({}, other, {name: other}).apply_to
    changed = with_constant(model, name, other)
    return replace(changed, constraints=tuple(map(change, model.constraints)))


def _relabel_field(item: Field, other: Field) -> Field:
    """Return a field under what another is called in sentences."""
    return replace(
        item,
        label=other.label,
        missing=other.missing,
        parts=other.parts,
        said=other.said,
        label_clauses=other.label_clauses,
        amount_clause=other.amount_clause,
    )


def _compare_parts(
    kind: str, old: Mapping[str, Aspects], new: Mapping[str, Aspects]
) -> Iterator[ItemChange]:
    yield from _compare_aligned_parts(kind, (old, old), new)


def _compare_aligned_parts(
    kind: str,
    old: tuple[Mapping[str, Aspects], Mapping[str, Aspects]],
    new: Mapping[str, Aspects],
) -> Iterator[ItemChange]:
    """Return what differs from the second of the old, stated in the words of the first."""
    worded, settled = old
    for name in {**new, **worded}:
        if name not in worded:
            yield ItemChange(kind, name, Mark.ADDED, _pair_aspects({}, new[name]))
        elif name not in new:
            yield ItemChange(kind, name, Mark.REMOVED, _pair_aspects(worded[name], {}))
        elif settled[name] != new[name]:
            names = [
                part
                for part in {**new[name], **worded[name]}
                if settled[name].get(part) != new[name].get(part)
            ]
            aspects = (Aspect(p, worded[name].get(p, ""), new[name].get(p, "")) for p in names)
            yield ItemChange(kind, name, Mark.REWORDED, tuple(aspects))


def _pair_aspects(old: Aspects, new: Aspects) -> tuple[Aspect, ...]:
    names = dict.fromkeys((*new, *old))
    return tuple(
        Aspect(name, old.get(name, ""), new.get(name, ""))
        for name in names
        if old.get(name) or new.get(name)
    )


def _describe_constants(model: DomainModel) -> dict[str, Aspects]:
    return {
        name: {"value": phrase_expression(item.constant, model.fields), "meaning": item.meaning}
        for name, item in model.policy.items()
    }


def _describe_fields(model: DomainModel) -> dict[str, Aspects]:
    """Return the fields by name; a column of a table once, whichever references lead to it."""
    found: dict[str, Aspects] = {}
    for item in model.fields.values():
        found.setdefault(_name_field(item), describe_field_aspects(item))
    return found


def _name_field(item: Field) -> str:
    """Return the name of a field; a column of a table has one name, whatever leads to it."""
    return f"{item.table}.{item.column}" if item.table else item.name


def _compare_constraints(
    old: DomainModel, settled: DomainModel, new: DomainModel
) -> Iterator[ItemChange]:
    """Return the constraints that one side has; they have no ids, and are known by their words."""
    known = {
        phrase_expression(after, settled.fields): phrase_expression(before, old.fields)
        for before, after in zip(old.constraints, settled.constraints, strict=True)
    }
    now = [phrase_expression(item, new.fields) for item in new.constraints]
    for words in now:
        if words not in known:
            yield ItemChange("constraint", words, Mark.ADDED, ())
    for words, before in known.items():
        if words not in now:
            yield ItemChange("constraint", before, Mark.REMOVED, ())


def _compare_rules(
    old: DomainModel, settled: DomainModel, new: DomainModel
) -> Iterator[ItemChange]:
    yield from _compare_parts("decision", _describe_decisions(old), _describe_decisions(new))
    for name in {**new.decisions, **old.decisions}:
        worded = _describe_rules(old.decisions.get(name), old.fields)
        same = _describe_rules(settled.decisions.get(name), settled.fields)
        yield from _compare_aligned_parts(
            "rule", (worded, same), _describe_rules(new.decisions.get(name), new.fields)
        )


def _describe_decisions(model: DomainModel) -> dict[str, Aspects]:
    return {
        name: {
            "hits": _format_hit_policy(item),
            "order": _format_rule_order(item),
            "description": item.description,
        }
        for name, item in model.decisions.items()
    }


def _format_hit_policy(decision: Decision) -> str:
    if isinstance(decision, Formula):
        return "an expression"
    return f"{decision.hit} {decision.collect or ', '.join(decision.priority)}".strip()


def _format_rule_order(decision: Decision) -> str:
    return ", ".join(rule.id for rule in decision.rules) if isinstance(decision, Table) else ""


def _describe_rules(decision: Decision | None, fields: Mapping[str, Field]) -> dict[str, Aspects]:
    if decision is None:
        return {}
    if isinstance(decision, Formula):
        return {decision.target: {"value": phrase_expression(decision.value, fields)}}
    return {
        f"{decision.target}.{rule.id}": {
            "when": _phrase_condition(rule.when, fields),
            "then": phrase_expression(rule.then, fields),
        }
        for rule in decision.rules
    }


def _phrase_condition(when: Expression | None, fields: Mapping[str, Field]) -> str:
    return "in every other case" if when is None else phrase_expression(when, fields)


def _describe_procedure_parts(model: DomainModel) -> dict[str, Aspects]:
    return {
        name: {"begins with": part.start, "title": part.title} for name, part in model.parts.items()
    }


def _describe_steps(model: DomainModel) -> dict[str, Aspects]:
    return {name: _describe_step(step, model.fields) for name, step in model.steps.items()}


def _describe_step(step: Step, fields: Mapping[str, Field]) -> Aspects:
    ends = (step.end or {}).items()
    return {
        "calls": step.call or "",
        "carries out": step.do,
        "part": step.part,
        "returns": "to the step that carries the part out" if step.is_return else "",
        "decides": ", ".join(step.decide),
        "ends with": ", ".join(
            f"{name} = {_format_cell(fields[name], value)}" for name, value in ends
        ),
        "hands to": step.hand_to,
        "carried out by": step.by,
        "edges in order": ", ".join(edge.to for edge in step.edges),
        "title": step.title,
        "instruction": step.instruction,
    }


def _format_cell(item: Field, value: Constant) -> str:
    return item.format_cell(value.value)


def _describe_edges(model: DomainModel) -> dict[str, Aspects]:
    """Return the edges by where they lead from and to: their numbers move with those before."""
    found: dict[str, Aspects] = {}
    for step in model.steps.values():
        refusals = {edge.id: code for code, edge in step.refusals.items()}
        for edge in (*step.edges, *step.refusals.values()):
            name = _choose_unused_name(f"{step.id} to {edge.to}", found)
            found[name] = _describe_edge(step, edge, refusals.get(edge.id, ""), model.fields)
    return found


def _choose_unused_name(name: str, found: Container[str]) -> str:
    numbers = (f"{name} ({number})" for number in count(2))
    return next(other for other in chain((name,), numbers) if other not in found)


def _describe_edge(step: Step, edge: Edge, refusal: str, fields: Mapping[str, Field]) -> Aspects:
    is_usual = edge.counts is (Counts.PART if step.part else Counts.CASE)
    times = f"{edge.bound} times{'' if is_usual else f' in each {edge.counts}'}"
    again = "" if edge.bound is None else f"{times}, then to {edge.then}"
    when = f"after refusal {refusal}" if refusal else _phrase_condition(edge.when, fields)
    return {"when": when, "at most": again}


def _describe_tools(model: DomainModel) -> dict[str, Aspects]:
    return {name: _describe_tool(tool, model) for name, tool in model.tools.items()}


def _describe_tool(tool: Tool, model: DomainModel) -> Aspects:
    checks, fields = list_guard_checks(tool.guard), model.fields
    return {
        "kind": str(tool.kind),
        "takes": ", ".join(model.describe_arguments(tool)),
        "returns": ", ".join(tool.results.values()),
        "requires": _join_parts(checks, partial(_describe_check, fields)),
        **_describe_effects(tool, fields),
        "same as": tool.same_as,
        "replaced by": tool.replaced_by,
        "description": tool.description,
        "says": _join_parts(checks, lambda item: item.says),
    }


def _describe_effects(tool: Tool, fields: Mapping[str, Field]) -> Aspects:
    """Return what an action changes: all in one, or by column where that is on file in tables."""
    if not tool.operation:
        words = _join_parts(
            tool.effects.items(),
            lambda item: f"{item[0]} becomes {phrase_expression(item[1], fields)}",
        )
        return {"changes": words}
    return {
        f"sets the {fields[name].label} to": phrase_expression(value, fields)
        for name, value in tool.effects.items()
    }


def _describe_check(fields: Mapping[str, Field], check: GuardLeaf) -> str:
    order = ", tried in this order" if check.is_ordered else ""
    return f"{phrase_expression(check.test, fields)}{order} ({check.refusal})"


def _join_parts(parts: Iterable[Part], words: Callable[[Part], str]) -> str:
    return "; ".join(map(words, parts))
