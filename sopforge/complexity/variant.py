"""A variant of a domain, and the operators that lead from the plain domain to each level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from sopforge.domain.model import DomainModel
from sopforge.domain.schema import Level
from sopforge.rendering.sop_document import SopDocument


@dataclass(frozen=True, slots=True)
class Variant:
    """A model and an SOP text; ``added`` names what operators put in."""

    model: DomainModel
    sop: SopDocument
    added: tuple[str, ...] = ()


class Operator(Protocol):
    """Makes a variant harder; equal arguments give equal variants, no answer changes."""

    @property
    def name(self) -> str:
        """The operator's name in profiles."""

    @property
    def level(self) -> Level:
        """The first level at which it is applied."""

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        """Return the harder variant; ``dose`` says how many things are put in."""
