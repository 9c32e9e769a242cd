"""The layers that a command line asks for by their dials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.schema import DIALS, suggest

if TYPE_CHECKING:
    from sopforge.evaluation.packages.package import EvaluatedPackage


@dataclass(frozen=True, slots=True)
class Dials:
    """The doses that are asked for, and the seed by which layers are made."""

    doses: dict[str, int]
    seed: int

    def join(self, package: EvaluatedPackage) -> EvaluatedPackage:
        """Return a package with the layers around it.

        Raises:
            MaterialError: it has no model to make layers from, or no room for one of them.
        """
        if not any(self.doses.values()):
            return package
        from sopforge.evaluation.packages.proved import ProvedPackage

        if not isinstance(package, ProvedPackage):
            message = f"dials need a package with a model, but {package.shown.name} has none"
            hint = "leave --dial out for packages that SOPForge did not make"
            raise MaterialError(Fault("layer-needs-model", message, "--dial", hint))
        return package.with_dials(self.doses, self.seed)


def read_dials(given: Sequence[str], seed: int) -> Dials:
    """Return the doses of some dials, written as ``faults=3``.

    Raises:
        MaterialError: there is no such dial, or it takes no such dose.
    """
    doses: dict[str, int] = {}
    for text in given:
        name, _, dose = text.partition("=")
        if name not in DIALS:
            hint = suggest(name, list(DIALS)) or f"the dials are {', '.join(DIALS)}"
            message = f"there is no dial '{name}'"
            raise MaterialError(Fault("dial-unknown", message, "--dial", hint))
        if not (dose.isascii() and dose.isdigit() and int(dose) <= DIALS[name]):
            message = f"'{text}' needs a dose from 0 to {DIALS[name]}"
            raise MaterialError(Fault("dose-not-allowed", message, "--dial", f"write {name}=3"))
        doses[name] = int(dose)
    return Dials(doses, seed)
