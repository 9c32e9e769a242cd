"""A variant of a domain, and the operators that lead from the plain domain to each level."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from sopforge.domain.documents.schema import HarderLevel
from sopforge.domain.model import DomainModel
from sopforge.material.material import NOTHING, Material
from sopforge.rendering.sop.document import SopDocument
from sopforge.rendering.sop.wording import FIRST, Wording


@dataclass(frozen=True, slots=True)
class Addition:
    """One thing that an operator put in, in words."""

    operator: str
    text: str


@dataclass(frozen=True, slots=True)
class Variant:
    """A model and an SOP text; ``added`` names what operators put in.

    Operators draw from ``material`` first, where it holds anything for them, then from their pools.
    ``background`` is what the brief says of who works by the procedure, and with what; ``wording``
    is that of the SOP.
    """

    model: DomainModel
    sop: SopDocument
    added: tuple[Addition, ...] = ()
    material: Material = NOTHING
    background: str = ""
    wording: Wording = FIRST

    def count_additions(self) -> Counter[str]:
        """Return how many things each operator put in."""
        return Counter(item.operator for item in self.added)

    def with_added(self, operator: str, *texts: str) -> Variant:
        """Return the variant with further things named as put in."""
        return replace(self, added=(*self.added, *(Addition(operator, text) for text in texts)))


@runtime_checkable
class Operator(Protocol):
    """Makes a variant harder; equal arguments give equal variants, no answer changes.

    A module offers one as ``OPERATOR``.
    """

    @property
    def name(self) -> str:
        """The operator's name, under which a brief gives its dose."""

    @property
    def level(self) -> HarderLevel:
        """The level from which on it is applied, unless a brief says otherwise."""

    @property
    def usual(self) -> int:
        """Its dose there, unless a brief says another."""

    @property
    def follows(self) -> tuple[str, ...]:
        """Operators of the same level or a lower one, after which it is applied."""

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        """Return the harder variant, with ``dose`` things put in as far as there are so many."""
