"""The procedure unfolded into expressions: when a step is reached, and what is known there.

Bounded back edges are unrolled, so that the unfolded procedure has no cycles. Where edges meet, a
value becomes a choice between what is known on each edge; parts are shared, so that the size stays
linear in the number of unfolded steps.

Step *check* leads to *fast* where ``amount < 100`` and else to *slow*; *fast* decides 1 as the
``days``, *slow* 5; both lead to *close*. Unfolded, that is::

    fast    reached: amount < 100                             days: 1
    slow    reached: not amount < 100                         days: 5
    close   reached: amount < 100 or not amount < 100         days: 1 if amount < 100 else 5

A further step after *close* reads ``days`` as that one choice, so that ten such forks in a row
make ten choices and not 1,024 paths. An edge from *close* back to *check*, at most once, makes a
second place of each step: ``("fast", (("close.1", 1),))`` is *fast* on the second round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Constant,
    Expression,
    Not,
    Presence,
    Read,
    collect_read_fields,
)
from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Decision, collect_decision_inputs
from sopforge.language.domain.values.types import ListType, NumberType, TextType
from sopforge.language.logic import tables
from sopforge.language.logic.readings.scalar import get_nothing
from sopforge.language.logic.tables import (
    build_choice,
    build_decision_value,
    build_equality,
    build_result_presence,
)
from sopforge.language.logic.variants.substitution import Replacement, Substitution
from sopforge.proof.solving.places import ArrivalOf, RefusalOf, TransitionOf, UnfoldedOf
from sopforge.proof.solving.unfolded_places import PlaceUnfolder

TRUE: Expression = tables.TRUE
FALSE: Expression = tables.FALSE


@dataclass(frozen=True, slots=True)
class Moment:
    """When something is read: the condition of coming there, and what is known by then."""

    reached: Expression
    known: Mapping[str, Replacement]
    seen: Substitution = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "seen", Substitution(self.known, TRUE))

    def resolve_expression(self, expression: Expression) -> Expression:
        """Return an expression with what is known by then; what several share stays shared."""
        return self.seen.apply_to(expression)


Arrival: TypeAlias = ArrivalOf[Expression, Replacement]
Transition: TypeAlias = TransitionOf[Expression]
Refusal: TypeAlias = RefusalOf[Expression, Moment]
Unfolded: TypeAlias = UnfoldedOf[Expression, Replacement, Moment]


class Unfolder(PlaceUnfolder[Expression, Replacement, Moment]):
    """Unfolds the procedure into expressions over what rows hold."""

    always, never = TRUE, FALSE

    def conjoin(self, left: Expression, right: Expression) -> Expression:
        return self.parts.make_once("both", partial(build_conjunction, left, right), left, right)

    def disjoin(self, left: Expression, right: Expression) -> Expression:
        return self.parts.make_once("some", partial(build_disjunction, left, right), left, right)

    def negate(self, condition: Expression) -> Expression:
        return self.parts.make_once("negated", partial(negate_condition, condition), condition)

    def resolve_condition(
        self, condition: Expression, known: Mapping[str, Replacement]
    ) -> Expression:
        read = self.parts.make_once("read", partial(_sort_fields, condition), condition)
        make = partial(Substitution(known, TRUE).apply_to, condition)
        return self.parts.make_once(
            "substituted", make, condition, *(known.get(name) for name in read)
        )

    def resolve_value(self, value: Expression, known: Mapping[str, Replacement]) -> Replacement:
        resolved = self.resolve_condition(value, known)
        return self.parts.make_once("constant", partial(Replacement, resolved), resolved)

    def limit_value(self, value: Replacement, present: Expression) -> Replacement:
        return replace(value, present=present)

    def resolve_decision(self, target: str, known: Mapping[str, Replacement]) -> Replacement:
        decision = self.model.decisions[target]
        read = self.parts.make_once("inputs", partial(_sort_inputs, decision), decision)
        # Keyed by its inputs alone, so that it is shared whatever else became known.
        make = partial(_substitute_decision, decision, known)
        return self.parts.make_once("decided", make, decision, *(known.get(name) for name in read))

    def build_plain_value(self, name: str) -> Replacement:
        item = self.model.fields[name]
        return self.parts.make_once("field", partial(_build_plain_value, item), item)

    def build_unknown_value(self, name: str) -> Replacement:
        item = self.model.fields[name]
        return self.parts.make_once("unknown", partial(_build_unknown_value, item), item)

    def merge_alternatives(
        self, known: list[tuple[Expression, Replacement]], *, is_partly_known: bool
    ) -> Replacement:
        return _merge_partly_known(known) if is_partly_known else _merge_values(known)

    def compare_values(self, left: Replacement, right: Replacement) -> Expression:
        return build_value_difference(left, right)

    def make_moment(self, reached: Expression, known: Mapping[str, Replacement]) -> Moment:
        return Moment(reached, known)


def _merge_values(known: Sequence[tuple[Expression, Replacement]]) -> Replacement:
    # A case comes by exactly one of the edges, so that the last of them needs no condition; and an
    # edge on which the field has no value leaves its choice to the others: nothing may read it.
    value, present = known[-1][1].value, known[-1][1].present or TRUE
    for condition, item in reversed(known[:-1]):
        if item.present is not FALSE:
            value = item.value if present is FALSE else build_choice(condition, item.value, value)
        here = item.present or TRUE
        present = build_disjunction(
            build_conjunction(condition, here),
            build_conjunction(negate_condition(condition), present),
        )
    return Replacement(value, present)


def _merge_partly_known(known: Sequence[tuple[Expression, Replacement]]) -> Replacement:
    # On the other paths nothing stands for it, so that a model with a mistake, which may come to
    # read it there, is answered as a walk with this mistake is.
    *earlier, (_, last) = known
    value, present, is_known = last.value, last.present or TRUE, last.known or TRUE
    for condition, item in reversed(earlier):
        # A list on record stays under its own name: where it is not known, it has no items.
        is_on_record = isinstance(value, Read) and isinstance(value.type, ListType)
        if item.value is not value and not is_on_record:
            value = build_choice(condition, item.value, value)
        present = _choose_condition(condition, item.present or TRUE, present)
        is_known = _choose_condition(condition, item.known or TRUE, is_known)
    return Replacement(value, present, None if is_known is TRUE else is_known)


def _choose_condition(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    if then is otherwise:
        return then
    return build_disjunction(
        build_conjunction(condition, then),
        build_conjunction(negate_condition(condition), otherwise),
    )


def _build_unknown_value(item: Field) -> Replacement:
    kind = item.type
    if isinstance(kind, ListType):
        is_on_record = item.role in STORED
        nothing = Read(kind, item.name) if is_on_record else Constant(kind, get_nothing(kind))
        return Replacement(nothing, FALSE, FALSE)
    if isinstance(kind, NumberType):
        # With 0 in its range: what is worked out from it has to allow for that.
        kind = replace(kind, minimum=min(0, kind.minimum), maximum=max(0, kind.maximum))
    return Replacement(Constant(kind, "" if isinstance(kind, TextType) else 0), FALSE, FALSE)


def _build_plain_value(item: Field) -> Replacement:
    # Absent as long as nothing has worked it out, with the value that evaluation reads there.
    if item.role not in STORED:
        return Replacement(Constant(item.type, get_nothing(item.type)), FALSE)
    return Replacement(Read(item.type, item.name), Presence(item.name) if item.missing else None)


def _substitute_decision(decision: Decision, known: Mapping[str, Replacement]) -> Replacement:
    substitution = Substitution(known, TRUE)
    condition = build_result_presence(decision)
    present = None if condition is None else substitution.apply_to(condition)
    return Replacement(substitution.apply_to(build_decision_value(decision)), present)


def _sort_inputs(decision: Decision) -> list[str]:
    return sorted(collect_decision_inputs(decision))


def _sort_fields(expression: Expression) -> list[str]:
    return sorted(collect_read_fields(expression))


def unfold(model: DomainModel) -> tuple[Unfolded, ...]:
    """Return the unfolded steps, each after those before it.

    Raises:
        TooManyStepsError: the back edges unroll into too many steps.
    """
    return tuple(Unfolder(model).unfold())


def find_decision_moments(places: Iterable[Unfolded], target: str) -> list[Moment]:
    """Return the moments at which a decision is taken, on whatever path."""
    return [place.moments[target] for place in places if target in place.moments]


def build_conjunction(left: Expression, right: Expression) -> Expression:
    """Return the conjunction of two conditions."""
    # By identity: `==` would walk down comparisons of any depth.
    if left is TRUE or right is FALSE:
        return right
    return left if right is TRUE or left is FALSE else AllOf((left, right))


def build_disjunction(left: Expression, right: Expression) -> Expression:
    """Return the disjunction of two conditions."""
    if left is FALSE or right is TRUE:
        return right
    return left if right is FALSE or left is TRUE else AnyOf((left, right))


def build_value_difference(left: Replacement, right: Replacement) -> Expression:
    """Return the condition that two values differ, or that only one of them is there."""
    first, second = left.present or TRUE, right.present or TRUE
    values = build_conjunction(
        build_conjunction(first, second), Not(build_equality(left.value, right.value))
    )
    return build_disjunction(values, Not(build_equality(first, second)))


def negate_condition(condition: Expression) -> Expression:
    """Return the opposite of a condition."""
    if condition is TRUE:
        return FALSE
    return TRUE if condition is FALSE else Not(condition)


def derive_outcomes(model: DomainModel, places: tuple[Unfolded, ...]) -> dict[str, Replacement]:
    """Return each outcome as an expression over inputs and observed fields."""
    return Unfolder(model).merge_at_ends(places, [item.name for item in model.outcomes])


def derive_answers(model: DomainModel, places: tuple[Unfolded, ...]) -> dict[str, Replacement]:
    """Return all that is scored: the outcomes, and the intermediate values that are marked so."""
    return Unfolder(model).merge_at_ends(places, list_answers(model))


def list_answers(model: DomainModel) -> list[str]:
    """Return the names of all that is scored."""
    return [item.name for item in (*model.outcomes, *model.intermediates)]
