"""Which cases a text of steps decides differently from the model, by nothing but its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.harness.layers.text.read_steps import read_steps
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Decision, Table
from sopforge.proof.dataset.distinguishing import find_distinguished
from sopforge.proof.dataset.records import Row


def find_decided_otherwise(
    text: str, main: int, model: DomainModel, rows: Mapping[str, Row]
) -> frozenset[str]:
    """Return the cases that come to another outcome by what is read in a text.

    It is read into a model that has hardly a rule of its own. ``main`` is the number of the section
    in which the procedure begins.
    """
    read = read_steps(_take_rules(model), text, main, Writer(model)).model
    # A case that comes to no end differs from itself.
    endless, differing = find_distinguished(model, rows, [model, read])
    return differing - endless


def _take_rules(model: DomainModel) -> DomainModel:
    """Return a model without its rules and transitions, but for those of all other cases."""
    decisions = {name: _keep_last(item) for name, item in model.decisions.items()}
    steps = {name: replace(step, edges=step.edges[-1:]) for name, step in model.steps.items()}
    return replace(model, decisions=decisions, steps=steps)


def _keep_last(decision: Decision) -> Decision:
    if isinstance(decision, Table):
        return replace(decision, rules=decision.rules[-1:])
    return decision
