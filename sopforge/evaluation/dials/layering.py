"""Layers put around a package by their doses, the innermost first."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sopforge.dataset.mutants.mutants import Mutant, derive_mutants
from sopforge.domain.model import DomainModel
from sopforge.evaluation.agents.amid_layers import LayeredAgent
from sopforge.evaluation.grading.grades import Attempt, Stop
from sopforge.evaluation.packages.layered import LayerablePackage, LayeredPackage
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.evaluation.packages.queued import QueuedPackage
from sopforge.layers.desk import Desk
from sopforge.layers.dials import FAULTS, QUEUE, REFUSALS
from sopforge.layers.faults.making import make_faults
from sopforge.layers.ground import Ground
from sopforge.layers.layer import Done
from sopforge.layers.own_rules import take_own_rules
from sopforge.layers.queue.making import make_queue
from sopforge.layers.refusals.making import make_refusals
from sopforge.layers.telling import find_told_apart

_MOST_MISTAKES = 300


def put_layers(core: ProvedPackage, doses: Mapping[str, int], seed: int) -> LayerablePackage:
    """Return a package with the layers of its doses around it."""
    package: LayerablePackage = core
    model = core.graded.model
    if dose := doses.get(REFUSALS, 0):
        package = LayeredPackage(package, *make_refusals(make_ground(core, package), dose, seed))
    if dose := doses.get(QUEUE, 0):
        plain = find_shown_mistakes(core)
        shows = {
            task: plain.get(package.find_plain(task), ())
            for task in package.shown.tasks
            if package.get_gold(task).outcomes
        }
        queue = make_queue(make_ground(core, package), dose, seed, shows)
        package = QueuedPackage(package, queue, model, work_as_reference)
    if dose := doses.get(FAULTS, 0):
        package = LayeredPackage(package, make_faults(make_ground(core, package), dose, seed))
    return package


def work_as_reference(desk: Desk, model: DomainModel) -> str:
    """Return what the reference comes to at a desk."""
    return LayeredAgent(model).work(desk)


def list_mistakes(model: DomainModel) -> list[tuple[Mutant, DomainModel]]:
    """Return the small mistakes that an agent can make, each with the model as it follows it.

    What tools work out, nobody who calls them gets wrong.
    """
    followed = ((mutant, take_own_rules(model, mutant.model)) for mutant in derive_mutants(model))
    return [(mutant, other) for mutant, other in followed if other != model]


def find_shown_mistakes(core: ProvedPackage) -> Mapping[str, Collection[int]]:
    """Return for each task which small mistakes it shows, of a few hundred, by their numbers."""
    found: dict[str, list[int]] = {task: [] for task in core.rows}
    mistakes = [model for _, model in list_mistakes(core.graded.model)]
    few = mistakes[:: -(-len(mistakes) // _MOST_MISTAKES)]
    told = find_told_apart(core.graded.model, core.rows, few)
    for number, tasks in enumerate(told):
        for task in tasks:
            found[task].append(number)
    return found


def make_ground(core: ProvedPackage, package: LayerablePackage) -> Ground:
    """Return a package as makers of further layers see it."""

    def is_right(task: str, done: Done) -> bool:
        return package.grade(task, Attempt(done.events, done.answer, Stop.ANSWER)).is_right

    return Ground(
        core.graded.model,
        package.model_environment,
        package.paths,
        {
            task: core.rows[plain]
            for task in package.shown.tasks
            if (plain := package.find_plain(task)) in core.rows
        },
        {task: package.find_kind(task) for task in package.shown.tasks},
        work_as_reference,
        is_right,
        package.split,
    )
