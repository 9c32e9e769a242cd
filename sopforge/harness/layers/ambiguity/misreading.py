"""How a program works by an SOP that asks for care: as it is meant, or as it is carelessly read."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from sopforge.harness.layers.desk import Desk, Solver
from sopforge.harness.layers.dial import Ability
from sopforge.harness.layers.own_rules import take_own_rules
from sopforge.harness.layers.text.passages import find_main
from sopforge.harness.layers.text.read_steps import StepReader
from sopforge.language.domain.model import DomainModel


def work_amid_ambiguity(
    desk: Desk, model: DomainModel, solve: Solver, lacks: Collection[str], *, read: StepReader
) -> str:
    """Work at a desk by the SOP as it is meant, or as it is taken by who does not weigh its words.

    What a careless reader takes it for follows from the text that lies on the desk.
    """
    if Ability.WEIGHING in lacks:
        model = misread(model, desk.sop, read) or model
    return solve(desk, model)


def misread(model: DomainModel, text: str, read: StepReader) -> DomainModel | None:
    """Return a model with the rules that a careless reader takes from a text of steps.

    It is None where the text, so taken, makes no sense.
    """
    main = find_main(text)
    if not main:
        return model
    careful, careless = read(model, text, main), read(model, text, main, is_careful=False)
    if len(careless.unread) > len(careful.unread):
        return None
    return take_own_rules(model, _take_differing(model, careful.model, careless.model))


def _take_differing(model: DomainModel, careful: DomainModel, careless: DomainModel) -> DomainModel:
    """Return a model with what two readings of it have otherwise, as the second has that."""
    steps = {
        name: careless.steps[name] if careless.steps[name] != careful.steps[name] else step
        for name, step in model.steps.items()
    }
    decisions = {
        name: other if (other := careless.decisions[name]) != careful.decisions[name] else item
        for name, item in model.decisions.items()
    }
    return replace(model, steps=steps, decisions=decisions)
