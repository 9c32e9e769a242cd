"""A model, its tasks and its calls in the terms in which sessions are graded."""

from __future__ import annotations

from sopforge.harness.environment.events import Called
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task
from sopforge.proof.dataset.gold.order import list_needs
from sopforge.session.score import Call, Gold, Terms


def make_terms(model: DomainModel, secrets: frozenset[str] | None = None) -> Terms:
    """Return the terms of a model; ``secrets`` are those of its records, if calls change tables."""
    tools = model.tools.items()
    return Terms(
        {name: item.parse for name, item in model.fields.items()},
        [item.name for item in model.outcomes],
        [item.name for item in model.intermediates],
        {name: tool.same_as or tool.name for name, tool in tools},
        frozenset(name for name, tool in tools if tool.is_acting),
        secrets,
        model.unasked_words,
    )


def make_gold(model: DomainModel, terms: Terms, task: Task) -> Gold:
    """Return what is expected of a task."""
    return Gold(
        task.outcomes,
        task.intermediates,
        [
            Call(call.tool, terms.read_arguments(call.arguments), call.refusal)
            for call in task.calls
        ],
        list_needs(model, task),
        task.inputs,
        task.end_state,
        task.pair,
    )


def resolve_call(terms: Terms, event: Called) -> Call:
    """Return a call under the name by which the procedure knows the tool."""
    return terms.resolve_call(event.tool, event.arguments, event.reply.refusal)
