"""What of a model an agent decides by itself; the rest is what tools say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sopforge.harness.environment.events import Called
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import collect_decision_inputs
from sopforge.proof.dataset.distinguishing import find_distinguished
from sopforge.proof.dataset.gold.order import is_acting
from sopforge.proof.dataset.mutants.mutants import Mutant, derive_mutants
from sopforge.proof.dataset.oracle import answer_row
from sopforge.proof.dataset.records import Row
from sopforge.sandbox.answers import as_text

_MOST_MISTAKES = 300


def collect_own_decisions(model: DomainModel) -> frozenset[str]:
    """Return the decisions that an agent works out: what no tool that is called returns.

    They are what steps decide and edges read, and what these follow from.
    """
    returned = {name for tool in model.called for name in model.tools[tool].returns}
    edges = [edge.when for step in model.steps.values() for edge in step.edges if edge.when]
    left = [name for step in model.steps.values() for name in step.decide]
    left += sorted(collect_all_read_fields(edges) - returned)
    found: set[str] = set()
    while left:
        name = left.pop()
        if name in model.decisions and name not in found:
            found.add(name)
            left += sorted(collect_decision_inputs(model.decisions[name]) - returned)
    return frozenset(found)


def take_own_rules(model: DomainModel, other: DomainModel) -> DomainModel:
    """Return a model with the rules of another one as far as an agent decides by them.

    That is what becomes of a misreading: tools answer as they do.
    """
    own = collect_own_decisions(model)
    decisions = {
        name: other.decisions.get(name, decision) if name in own else decision
        for name, decision in model.decisions.items()
    }
    return replace(other, decisions={**decisions}, tools=model.tools)


def list_mistakes(model: DomainModel) -> list[tuple[Mutant, DomainModel]]:
    """Return the small mistakes that an agent can make, each with the model as it follows it.

    What tools work out, nobody who calls them gets wrong.
    """
    followed = ((mutant, take_own_rules(model, mutant.model)) for mutant in derive_mutants(model))
    return [(mutant, other) for mutant, other in followed if other != model]


def find_shown_mistakes(
    model: DomainModel, rows: Mapping[str, Row]
) -> dict[str, dict[int, Mapping[str, str]]]:
    """Return for each task which small mistakes it shows, of a few hundred, by their numbers.

    Each stands with the outcomes that somebody comes to who makes it.
    """
    found: dict[str, dict[int, Mapping[str, str]]] = {task: {} for task in rows}
    mistakes = [other for _, other in list_mistakes(model)]
    few = mistakes[:: -(-len(mistakes) // _MOST_MISTAKES)]
    shown_at = find_distinguished(model, rows, few)
    for number, (mistake, tasks) in enumerate(zip(few, shown_at, strict=True)):
        for task in tasks:
            found[task][number] = answer_row(mistake, rows[task])
    return found


def list_writes(model: DomainModel, called: Sequence[Called]) -> list[str]:
    """Return the actions among calls that were carried out, in their order."""
    return [
        f"{item.tool} {as_text(dict(item.arguments))}"
        for item in called
        if is_acting(model.offered, item.tool) and not item.reply.refusal
    ]
