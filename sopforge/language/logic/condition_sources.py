"""What makes each condition of a model known, and what makes it hold: derived, never written.

A condition is a predicate as it is used, a check of a tool or the condition of an edge. It is known
once all that it reads is known; calls follow each other where one is handed what another returns,
or asks for a fact of the session that another one sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sopforge.language.domain.expressions.expressions import Expression, collect_read_fields
from sopforge.language.domain.fields import Role
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.predicates import map_named_conditions
from sopforge.language.domain.values.malformed_inputs import find_marked_field
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.call_order import CallOrder


@dataclass(frozen=True, slots=True)
class ConditionSources:
    """A condition by its name, with what it reads and where each of that comes from.

    ``known_by`` says of each field where a case has it from, ``achieved_by`` names the actions that
    write what it reads. ``calls`` are those by which it becomes known, in their order; what no call
    makes known is ``hidden``.
    """

    name: str
    words: str
    known_by: Mapping[str, tuple[str, ...]]
    achieved_by: tuple[str, ...]
    calls: tuple[str, ...]
    hidden: tuple[str, ...]


def derive_condition_sources(model: DomainModel) -> list[ConditionSources]:
    """Return the sources of all predicates, guards and conditions of edges, in this order."""
    named = map_named_conditions(model.predicates)
    order = CallOrder(model)
    return [
        _derive_sources(model, order, name, condition)
        for name, condition in (
            *((f"predicate {name}", condition) for condition, name in named.items()),
            *_iterate_unnamed_conditions(model, named),
        )
    ]


def _iterate_unnamed_conditions(
    model: DomainModel, named: Mapping[Expression, str]
) -> Iterator[tuple[str, Expression]]:
    for tool in [model.tools[name] for name in model.called]:
        for check in list_guard_checks(tool.guard):
            if check.test not in named:
                yield f"guard {tool.name}.{check.id}", check.test
    for step in model.steps.values():
        for edge in step.edges:
            if edge.when is not None and edge.when not in named:
                yield f"edge {edge.id}", edge.when


def _derive_sources(
    model: DomainModel, order: CallOrder, name: str, condition: Expression
) -> ConditionSources:
    # A mark says of an input that it is malformed, which the task shows as it states the input.
    marks = {find_marked_field(item) or item for item in collect_read_fields(condition)}
    read = [item for item in model.fields if item in marks]
    calls, hidden = order.list_calls_before(read)
    return ConditionSources(
        name,
        phrase_expression(condition, model.list_introduced_fields()),
        {item: list_sources(model, item) for item in read},
        list_writers(model, read),
        calls,
        hidden,
    )


def list_sources(model: DomainModel, name: str) -> tuple[str, ...]:
    """Return where a case has the value of a field from, in words."""
    item = model.fields[name]
    match item.role:
        case Role.INPUT:
            return ("the task",)
        case Role.TOLD:
            texts = (text.label for text in model.inputs if name in text.tells)
            return tuple(f"the words of the {label}" for label in texts)
        case Role.SESSION:
            return (
                f"the session, which begins with {item.format_cell(item.starts) or 'no value'}",
            )
        case Role.SECRET:
            return ("nothing: only tools compare it",)
        case _:
            found = [
                name_call(model, tool) for tool in model.tools.values() if name in tool.returns
            ]
            decided = [f"the rules on {name}"] if name in model.decisions else []
            return (*found, *decided)


def name_call(model: DomainModel, tool: Tool) -> str:
    """Return a call in words: an operation with what it is about."""
    about = f" ({', '.join(model.describe_arguments(tool))})" if tool.operation else ""
    return f"{tool.offered_name}{about}"


def list_writers(model: DomainModel, names: Iterable[str]) -> tuple[str, ...]:
    """Return the actions that write some fields, or those that are the same where keys are."""
    same = {other.name for name in names for other, _, _ in model.list_aliases(name)}
    wanted = {*names, *same}
    return tuple(tool.name for tool in model.tools.values() if wanted & set(tool.effects))


def write_condition_sources(model: DomainModel) -> str:
    """Return the sources of all conditions as a page in Markdown."""
    about = (
        "What each condition reads, where a case has that from, which calls make it known, in their"
        " order, and which actions write what it reads. All of it follows from the model."
    )
    lines = [f"# Conditions of {model.title}", "", about]
    for item in derive_condition_sources(model):
        lines += ["", f"## {item.name}", "", f"{item.words[:1].upper()}{item.words[1:]}.", ""]
        lines += [
            f"- {model.fields[name].label}: {', '.join(sources) or 'nobody'}"
            for name, sources in item.known_by.items()
        ]
        made = (name_call(model, model.tools[name]) for name in item.calls)
        calls = ", then ".join(made) or "none is needed"
        lines.append(f"- calls that make it known: {calls}")
        if item.hidden:
            labels = ", ".join(model.fields[name].label for name in item.hidden)
            lines.append(f"- no call makes known: {labels}")
        acting = (name_call(model, model.tools[name]) for name in item.achieved_by)
        lines.append(f"- actions that can change it: {', '.join(acting) or 'none'}")
    return "\n".join(lines) + "\n"
