"""Goals of boundaries: a comparison at its boundary, just below and just above."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Expression,
    Not,
    Operation,
    Relation,
)
from sopforge.language.domain.expressions.numbers import TypeRuleError
from sopforge.language.domain.expressions.operators import FUNCTIONS
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import MomentType, NumberType, require_integer
from sopforge.proof.dataset.coverage.goals.atoms import build_presence_condition, replace_atom
from sopforge.proof.dataset.coverage.goals.goal import Gap, Goal, GoalKind
from sopforge.proof.dataset.coverage.goals.least_gaps import compute_least_gap
from sopforge.proof.dataset.coverage.goals.sites import Site
from sopforge.proof.solving.unfolding import FALSE, build_conjunction, build_disjunction

_EQUALITY = frozenset({Relation.EQ, Relation.NE})
SIDES = {-1: "just below", 0: "at", 1: "just above"}


def build_boundary_goals(
    model: DomainModel, site: Site, number: int, atom: Expression, words: str
) -> Iterator[Goal]:
    """Ask for a comparison at its boundary and beside it; the mistake is to decide differently."""
    there = build_presence_condition(model, atom)
    for side, where in SIDES.items():
        beside = build_beside_condition(atom, side)
        if beside is not None:
            deciding = partial(_build_mistaken_model, site, atom)
            yield Goal(
                f"{site.id}, part {number} at {side:+d}",
                site.build_meeting_condition(build_conjunction(there, beside)),
                f"in {site.id}, {where} the boundary of '{words}'",
                GoalKind.BOUNDARY,
                (deciding(beside),),
                _build_gap(site, there, atom, side),
            )


def _build_mistaken_model(site: Site, atom: Expression, where: Expression) -> DomainModel:
    return site.put(replace_atom(site.condition, atom, flip_condition(atom, where)))


def flip_condition(atom: Expression, where: Expression) -> Expression:
    """Return a condition that is reversed where another one holds."""
    return AnyOf((AllOf((where, Not(atom))), AllOf((Not(where), atom))))


def _build_gap(site: Site, there: Expression, atom: Expression, side: int) -> Gap | None:
    """Return how far a number lies to a side of the boundary; it is none of a plain comparison."""
    if side == 0 or not isinstance(atom, Compare) or not isinstance(atom.left.type, NumberType):
        return None
    higher, lower = (atom.left, atom.right) if side > 0 else (atom.right, atom.left)
    try:
        size = numbers.build_arithmetic(Operation.SUBTRACT, higher, lower)
    except TypeRuleError:
        return None
    deciding = partial(_build_mistaken_model, site, atom)
    return Gap(
        size,
        compute_least_gap(size),
        lambda wanted: site.build_meeting_condition(build_conjunction(there, wanted)),
        deciding,
    )


def build_beside_condition(atom: Expression, side: int) -> Expression | None:
    """Return the condition that a comparison's sides differ as little as their scales allow.

    There is none where the ranges of the two sides alone say that they never do.
    """
    match atom:
        case Compare(_, left, right) if isinstance(left.type, NumberType):
            places = numbers.require_number_type(left).places
            try:
                apart = compute_least_gap(
                    numbers.build_arithmetic(Operation.SUBTRACT, left, right), side
                )
                moved = numbers.build_arithmetic(
                    Operation.ADD, right, numbers.make_number_constant(apart, places)
                )
                return _build_equality(*numbers.align_places((left, moved)))
            except TypeRuleError:
                return None
        case Compare(_, left, right) if isinstance(left.type, MomentType):
            return _build_equality(
                FUNCTIONS[f"{left.type.span}_between"].build(right, left),
                numbers.make_number_constant(side),
            )
        case Compare(relation, left, right) if relation not in _EQUALITY:
            return _build_neighbouring_labels(left, right, side)
        case _:
            return None


def _build_neighbouring_labels(left: Expression, right: Expression, side: int) -> Expression | None:
    """Return that a label stands so many places above another in their order."""
    low, high = left.type.bounds
    codes = [right.value] if isinstance(right, Constant) else range(low, high + 1)
    found: Expression = FALSE
    for code in map(require_integer, codes):
        if low <= code + side <= high:
            here, there = (
                Compare(Relation.EQ, part, Constant(left.type, label))
                for part, label in ((left, code + side), (right, code))
            )
            both = here if isinstance(right, Constant) else build_conjunction(here, there)
            found = build_disjunction(found, both)
    return None if found is FALSE else found


def _build_equality(left: Expression, right: Expression) -> Expression | None:
    first, second = numbers.require_number_type(left), numbers.require_number_type(right)
    is_apart = first.maximum < second.minimum or second.maximum < first.minimum
    return None if is_apart else Compare(Relation.EQ, left, right)
