"""Layers put around a package by their doses, the innermost first."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.evaluation.agents.amid_layers import LayeredAgent
from sopforge.evaluation.grading.grades import Attempt, Stop
from sopforge.evaluation.packages.layered import LayerablePackage, LayeredPackage
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.layers.dials import FAULTS
from sopforge.layers.faults.making import make_faults
from sopforge.layers.ground import Ground
from sopforge.layers.layer import Done


def put_layers(core: ProvedPackage, doses: Mapping[str, int], seed: int) -> LayerablePackage:
    """Return a package with the layers of its doses around it."""
    package: LayerablePackage = core
    if dose := doses.get(FAULTS, 0):
        package = LayeredPackage(package, make_faults(make_ground(core, package), dose, seed))
    return package


def make_ground(core: ProvedPackage, package: LayerablePackage) -> Ground:
    """Return a package as makers of further layers see it."""

    def is_right(task: str, done: Done) -> bool:
        return package.grade(task, Attempt(done.events, done.answer, Stop.ANSWER)).is_right

    return Ground(
        core.graded.model,
        package.model_environment,
        package.paths,
        LayeredAgent(core.graded.model).work,
        is_right,
        package.split,
    )
