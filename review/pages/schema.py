"""What the domain is: fields, limits, decisions, procedure and tools; and what a case comes to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from review.artifact import Artifact
from review.pages.cases import build_chosen_case, list_examples
from review.pages.page import Page, Query
from review.pages.parts.decision_tables import NOTHING, build_decision_tables
from review.pages.parts.drawn import build_domain_chart
from review.pages.parts.field_words import group_fields
from review.pages.parts.source_views import build_source_view
from review.pages.parts.tool_cards import build_tool_cards
from sopforge.artifacts.rendering.charts.flowchart import collect_taken_ids
from sopforge.language.domain.expressions.expressions import Expression, collect_named_constants
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Formula
from sopforge.language.english.words import phrase_expression
from sopforge.workspace import DOMAIN

_Use: TypeAlias = tuple[str, str, Expression]
"""An expression, the place on the page that shows it, and what that place is called."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A policy constant: its value in words, what it means, and where it is used."""

    name: str
    value: str
    meaning: str
    used: tuple[tuple[str, str], ...]


def build_page(artifact: Artifact, query: Query) -> Page:
    """Return the page of a model, with the case that is chosen in the address lit up."""
    model, domain = artifact.workspace.model, artifact.workspace.files[DOMAIN]
    seed = artifact.workspace.brief.parts.dataset.seed
    case = build_chosen_case(model, domain, seed, query)
    chart = build_domain_chart(domain)
    return Page(
        "pages/schema.html.j2",
        {
            "model": model,
            "groups": group_fields(model),
            "limits": list_limits(model),
            "constraints": [phrase_expression(item, model.fields) for item in model.constraints],
            "decisions": build_decision_tables(model, case.known if case else NOTHING),
            "chart": chart,
            "taken": collect_taken_ids(chart, case.path if case else ()),
            "tools": build_tool_cards(model),
            "case": case,
            "examples": list_examples(model, domain, seed),
            "sources": build_source_view(artifact.workspace),
        },
    )


def list_limits(model: DomainModel) -> tuple[Limit, ...]:
    """Return the policy constants and calendars of a model, each with where it is used."""
    uses = list(_iterate_uses(model))
    limits = {
        name: (phrase_expression(item.constant, model.fields), item.meaning)
        for name, item in model.policy.items()
    }
    for name, (calendar, meaning) in model.calendars.items():
        limits[name] = (f"{len(calendar.holidays)} holidays", meaning)
    return tuple(
        Limit(name, value, meaning, _list_places(uses, name))
        for name, (value, meaning) in limits.items()
    )


def _list_places(uses: list[_Use], name: str) -> tuple[tuple[str, str], ...]:
    found = {
        (place, words): None for place, words, item in uses if name in collect_named_constants(item)
    }
    return tuple(found)


def _iterate_uses(model: DomainModel) -> Iterator[_Use]:
    yield from _iterate_decision_uses(model)
    for step in model.steps.values():
        for edge in step.edges:
            if edge.when is not None:
                yield f"step-{step.id}", f"an edge from {step.title}", edge.when
    for tool in model.tools.values():
        checks = [check.test for check in list_guard_checks(tool.guard)]
        for item in (*checks, *tool.effects.values()):
            yield f"tool-{tool.offered_name}", f"the tool {tool.offered_name}", item
    for item in model.constraints:
        yield "constraints", "what every case satisfies", item


def _iterate_decision_uses(model: DomainModel) -> Iterator[_Use]:
    for name, decision in model.decisions.items():
        place, label = f"decision-{name}", model.fields[name].label
        if isinstance(decision, Formula):
            yield place, label, decision.value
            continue
        for rule in decision.rules:
            if rule.when is not None:
                yield place, f"{label}, rule {rule.id}", rule.when
            yield place, f"{label}, rule {rule.id}", rule.then
