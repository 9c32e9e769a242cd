"""The unfolded procedure with names for its intermediate values.

In place of a decided value stands a name, whose meaning is kept apart; likewise for the coming to
a step where several edges meet. So a condition stays as short as a person would say it, and a proof
can say of which names the meaning matters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Expression,
    Not,
    Read,
    may_be_missing,
)
from sopforge.language.domain.fields import Field, Role, Sampling
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Formula
from sopforge.language.domain.values.types import BooleanType, ListType, NumberType
from sopforge.language.english.nouns import conjugate_be, join_items
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.tables import build_equality
from sopforge.language.logic.variants.substitution import Replacement
from sopforge.proof.solving.conjunctions import list_conjuncts
from sopforge.proof.solving.places import StepPlace
from sopforge.proof.solving.unfolding import FALSE, TRUE, Arrival, Unfolded, Unfolder

LONGEST = 240


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name stands for, as a condition that holds in every case, and in words."""

    condition: Expression
    words: str


@dataclass(frozen=True, slots=True)
class Naming:
    """The unfolded steps, the meaning of each name, and all fields, names among them.

    ``steps`` are the names that say that a case comes to a step.
    """

    places: tuple[Unfolded, ...]
    meanings: Mapping[str, Meaning]
    fields: Mapping[str, Field]
    steps: Mapping[str, str]


def unfold_with_names(model: DomainModel) -> Naming:
    """Return the unfolded steps with names.

    Raises:
        TooManyStepsError: the back edges unroll into too many steps.
    """
    unfolder = _NamingUnfolder(model)
    places = tuple(unfolder.unfold())
    return Naming(places, unfolder.meanings, unfolder.fields, unfolder.steps)


class _NamingUnfolder(Unfolder):
    def __init__(self, model: DomainModel) -> None:
        super().__init__(model)
        self.meanings: dict[str, Meaning] = {}
        self.fields: dict[str, Field] = dict(model.fields)
        self.steps: dict[str, str] = {}
        self.step = ""

    def visit(self, place: StepPlace, arrivals: list[Arrival]) -> Unfolded:
        self.step = place.step
        return super().visit(place, arrivals)

    def merge_arrivals(
        self, arrivals: list[Arrival]
    ) -> tuple[Expression, Mapping[str, Replacement], Mapping[str, Replacement]]:
        reached, known, state = super().merge_arrivals(arrivals)
        return (reached if len(arrivals) == 1 else self.come(arrivals)), known, state

    def come(self, arrivals: list[Arrival]) -> Expression:
        """Return a name for coming to the step at hand."""
        parts = tuple(_join_conditions(list_conjuncts(arrival.condition)) for arrival in arrivals)
        condition = AnyOf(parts)
        words = _choose_short_words(
            f"step '{self.step}' is reached only where {phrase_expression(condition, self.fields)}",
            f"step '{self.step}' is reached only over the edges that lead to it",
        )
        read = self.name_condition(f"has come to step '{self.step}'", condition, words)
        self.steps[read.field] = self.step
        return read

    def name_condition(self, label: str, condition: Expression, words: str) -> Read:
        """Return a name for a condition."""
        kind, name = BooleanType(), f"{self.step}@{len(self.meanings)}"
        self.fields[name] = Field(
            name, label, Role.DERIVED, kind, label, "", primary=False, sampling=Sampling()
        )
        read = Read(kind, name)
        self.meanings[name] = Meaning(build_equality(read, condition), words)
        return read

    def resolve_decision(self, target: str, known: Mapping[str, Replacement]) -> Replacement:
        return self.name_value(
            target, super().resolve_decision(target, known), self.describe_decision(target)
        )

    def describe_decision(self, target: str) -> str:
        """Return how a decision is taken."""
        decision, label = self.model.decisions[target], self.model.fields[target].label
        if isinstance(decision, Formula):
            worked_out = phrase_expression(decision.value, self.model.fields)
            return _choose_short_words(
                f"the {label} {conjugate_be(label)} worked out as {worked_out}",
                f"the {label} {conjugate_be(label)} worked out as the formula says",
            )
        rules = [rule.id for rule in decision.rules]
        return f"{'rules' if rules[1:] else 'rule'} {join_items(rules)} decide on the {label}"

    def merge_values(
        self, name: str, parts: list[tuple[Expression, Mapping[str, Replacement]]]
    ) -> Replacement:
        return self.name_merged(name, super().merge_values(name, parts), parts)

    def merge_records(
        self, name: str, parts: list[tuple[Expression, Mapping[str, Replacement]]]
    ) -> Replacement:
        return self.name_merged(name, super().merge_records(name, parts), parts)

    def name_merged(
        self,
        name: str,
        value: Replacement,
        parts: list[tuple[Expression, Mapping[str, Replacement]]],
    ) -> Replacement:
        """Return a name for what edges bring along."""
        # Alike on every edge, a value has its name already; and no condition compares lists.
        is_given = any(value is part.get(name) for _, part in parts)
        if is_given or isinstance(value.value.type, ListType):
            return value
        label = self.model.fields[name].label
        words = f"the {label} {conjugate_be(label)} as on the path there"
        present = value.present
        if present is not None and present is not TRUE and present is not FALSE:
            named = self.name_condition(f"has a value for the {label}", present, words)
            value = replace(value, present=named)
        return self.name_value(name, value, words)

    def name_value(self, field: str, value: Replacement, words: str) -> Replacement:
        """Return a name for a value of a field; when there is one stays as it was."""
        name = f"{field}@{len(self.meanings)}"
        kind = value.value.type
        if isinstance(kind, NumberType):  # as a field, the value has a unit
            kind = replace(kind, unit=getattr(self.model.fields[field].type, "unit", ""))
        read = Read(kind, name)
        self.fields[name] = replace(self.model.fields[field], missing="")
        meaning = build_equality(read, value.value)
        if value.present is not None and may_be_missing(value.value):
            # The range of the name holds for what there is.
            meaning = AnyOf((Not(value.present), meaning))
        self.meanings[name] = Meaning(meaning, words)
        return replace(value, value=read)


def _join_conditions(parts: list[Expression]) -> Expression:
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))


def _choose_short_words(words: str, instead: str) -> str:
    return words if len(words) <= LONGEST else instead
