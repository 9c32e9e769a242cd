"""A variant of a domain, and the operators that lead from the plain domain to each level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol, TypeAlias, runtime_checkable

from sopforge.artifacts.complexity.setting import Setting, build_setting
from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style
from sopforge.artifacts.rendering.sop.references import find_references
from sopforge.artifacts.rendering.sop.sections.tables import restate_row
from sopforge.artifacts.rendering.sop.sop import point_to_definitions, render_sop
from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.model import DomainModel
from sopforge.language.english.terms import Term

Derive: TypeAlias = Callable[[DomainModel], SopDocument]


@dataclass(frozen=True, slots=True)
class Addition:
    """One thing that an operator put in, in words."""

    operator: str
    text: str


def derive_alone(model: DomainModel) -> SopDocument:
    """Return the SOP of a model of which no brief says more."""
    return render_sop(model, "")


@dataclass(frozen=True)
class Variant:
    """A model and an SOP; ``added`` names what operators put in.

    What operators put in names what the ``setting`` has. ``derive`` returns the plain SOP of a
    model, ``limits`` are what rules call the constants whose figures stand in a section of their
    own, and ``document`` is the text of the plain model's ``domain.yaml``, "" if it was never
    written.
    """

    model: DomainModel
    sop: SopDocument
    added: tuple[Addition, ...] = ()
    declared: Setting | None = None
    derive: Derive = derive_alone
    limits: Mapping[str, str] = field(default_factory=dict)
    document: str = ""

    @cached_property
    def setting(self) -> Setting:
        """Who works by the procedure, on what, and with what."""
        return self.declared or build_setting(self.model)

    @cached_property
    def writer(self) -> Writer:
        """What writes statements of the model, as the SOP has them."""
        has_names = any(item.kind == "definition" for item in self.sop.statements)
        return Writer(self.model, has_names=has_names, limits=self.limits)

    def state(
        self, style: Style, kind: str, term: Term, states: Iterable[str] = (), excused: str = ""
    ) -> Statement | None:
        """Return a statement as this SOP has it, None where there are no words for it."""
        made = self.writer.state(style, kind, term, states, excused)
        if not made.text:
            return None
        return replace(made, text=find_references(self.sop.statements, self.model).write(made.text))

    def restate(self, known: Statement, term: Term) -> Statement | None:
        """Return a statement that says something else in the place of one, None without words."""
        if known.kind == "row":
            return self._restate_row(known, self.writer.name_limits(term))
        made = self.state(known.style, known.kind, term, known.states, known.excused)
        if made is None or made.text == known.text:
            return made
        references = find_references(self.sop.statements, self.model)
        is_pointing = "(see section" in known.text
        return point_to_definitions(self.writer, references, made) if is_pointing else made

    def _restate_row(self, known: Statement, term: Term) -> Statement | None:
        text = restate_row(self.writer, known, term)
        text = find_references(self.sop.statements, self.model).write(text)
        return replace(known, text=text, term=term) if text else None

    def with_statements(self, statements: Iterable[Statement]) -> Variant:
        """Return the variant with other statements in its SOP."""
        return replace(self, sop=SopDocument(tuple(statements)))

    def count_additions(self) -> Counter[str]:
        """Return how many things each operator put in."""
        return Counter(item.operator for item in self.added)

    def with_added(self, operator: str, *texts: str) -> Variant:
        """Return the variant with further things named as put in."""
        return replace(self, added=(*self.added, *(Addition(operator, text) for text in texts)))


@runtime_checkable
class Operator(Protocol):
    """Makes a variant harder; equal arguments give equal variants, no answer changes.

    A module offers one as ``OPERATOR``. Those that change the model come first: the SOP is derived
    anew from what they make of it.
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

    @property
    def is_of_model(self) -> bool:
        """Whether it changes the model, and leaves the text to be derived from that."""

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        """Return the harder variant, with ``dose`` things put in as far as there are so many."""
