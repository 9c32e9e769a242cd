"""The items of a model that an SOP states, each in words: rules, edges, limits, steps and more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sopforge.artifacts.rendering.charts.flowchart import describe_edges
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.rules import Formula, Table
from sopforge.language.english.words import phrase_expression

KINDS: Mapping[str, str] = {
    "rule": "Rules",
    "edge": "Edges",
    "decision": "Decisions",
    "policy": "Limits",
    "step": "Steps",
    "part": "Parts of the procedure",
    "tool": "Tools",
    "guard": "What tools require",
    "end": "What ends set",
    "field": "Entries",
    "term": "Intermediate values",
    "outcome": "Answers",
}
OTHER = "Others"
OTHERWISE = "in every other case"


@dataclass(frozen=True, slots=True)
class Item:
    """A model item: its kind, a short name, and what it is in words."""

    id: str
    kind: str
    name: str
    words: str


def index_model_items(model: DomainModel) -> dict[str, Item]:
    """Return the items of a model by the ids under which a trace names them."""
    return {item.id: item for item in _iterate_items(model)}


def get_item(items: Mapping[str, Item], name: str) -> Item:
    """Return an item by its id; one that the model lacks is named by its id."""
    return items.get(name) or Item(name, OTHER, name, name)


def _iterate_items(model: DomainModel) -> Iterator[Item]:
    yield from _iterate_decision_items(model)
    for name, words in describe_edges(model).items():
        yield Item(f"edge {name}", KINDS["edge"], name, words)
    yield from _iterate_limit_items(model)
    yield from _iterate_step_items(model)
    for tool in model.tools.values():
        yield from _iterate_tool_items(model, tool)
    for item in model.list_introduced_fields().values():
        for prefix in ("field", "term", "outcome"):
            yield Item(f"{prefix} {item.name}", KINDS[prefix], item.name, item.description)


def _iterate_limit_items(model: DomainModel) -> Iterator[Item]:
    for name, limit in model.policy.items():
        value = phrase_expression(limit.constant, model.fields)
        yield Item(f"policy {name}", KINDS["policy"], name, f"{limit.meaning}: {value}")
    for name, (_, meaning) in model.calendars.items():
        yield Item(f"calendar {name}", KINDS["policy"], name, meaning)


def _iterate_step_items(model: DomainModel) -> Iterator[Item]:
    yield Item("start", KINDS["step"], "start", f"Begin with {model.steps[model.start].title}")
    for part in model.parts.values():
        words = f"{part.title}: begin with {model.steps[part.start].title}"
        yield Item(f"part {part.name}", KINDS["part"], part.name, words)
    for step in model.steps.values():
        yield Item(f"step {step.id}", KINDS["step"], step.id, step.title)
        for name, constant in (step.end or {}).items():
            item = model.fields[name]
            words = f"{step.title}: {item.label} is {item.format_cell(constant.value)}"
            yield Item(f"end {step.id}.{name}", KINDS["end"], f"{step.id}.{name}", words)


def _iterate_decision_items(model: DomainModel) -> Iterator[Item]:
    for name, decision in model.decisions.items():
        label = model.fields[name].label
        if isinstance(decision, Formula):
            words = f"{label}: {phrase_expression(decision.value, model.fields)}"
        else:
            words = f"{label}: how it is decided"
        yield Item(f"decision {name}", KINDS["decision"], name, words)
        if isinstance(decision, Table):
            for rule in decision.rules:
                when = (
                    f"if {phrase_expression(rule.when, model.fields)}" if rule.when else OTHERWISE
                )
                words = f"{label} is {phrase_expression(rule.then, model.fields)} {when}"
                yield Item(f"rule {name}.{rule.id}", KINDS["rule"], f"{name}.{rule.id}", words)


def _iterate_tool_items(model: DomainModel, tool: Tool) -> Iterator[Item]:
    yield Item(f"tool {tool.name}", KINDS["tool"], tool.name, tool.description)
    for check in list_guard_checks(tool.guard):
        words = f"{tool.name} requires that {phrase_expression(check.test, model.fields)}"
        yield Item(
            f"guard {tool.name}.{check.id}", KINDS["guard"], f"{tool.name}.{check.id}", words
        )
