"""Goals of boundaries in lists: an item at the boundary of a comparison, or beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sopforge.language.domain.expressions.expressions import (
    Compare,
    Element,
    Expression,
    list_ordered_parts,
)
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Formula
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.variants.slots import Slot
from sopforge.language.logic.variants.substitution import replace_part
from sopforge.proof.dataset.coverage.goals.atoms import build_presence_condition, iterate_atoms
from sopforge.proof.dataset.coverage.goals.boundary_goals import (
    SIDES,
    build_beside_condition,
    flip_condition,
)
from sopforge.proof.dataset.coverage.goals.goal import Goal, GoalKind
from sopforge.proof.dataset.coverage.goals.inner_places import InnerPlace, list_inner_places
from sopforge.proof.dataset.coverage.goals.sites import Site, list_choices, list_formula_moments
from sopforge.proof.solving.unfolding import Unfolded, build_conjunction


def build_item_goals(
    model: DomainModel, site: Site, places: Iterable[InnerPlace]
) -> Iterator[Goal]:
    """Ask for a list with an item beside the boundary of each comparison of items."""
    compared = [place for place in places if _is_about_an_item(place.node)]
    for number, place in enumerate(compared, start=1):
        there = build_presence_condition(model, place.node)
        words = phrase_expression(place.node, model.fields)
        for side, where in SIDES.items():
            beside = build_beside_condition(place.node, side)
            if beside is not None:
                text = f"in {site.id}, for an entry {where} the boundary of '{words}'"
                name = f"{site.id}, item part {number} at {side:+d}"
                wanted = build_conjunction(there, place.build_condition(beside))
                wrong = replace_part(site.condition, place.node, flip_condition(place.node, beside))
                meeting, kind = site.build_meeting_condition(wanted), GoalKind.BOUNDARY
                yield Goal(name, meeting, text, kind, (site.put(wrong),))


def _is_about_an_item(node: Expression) -> bool:
    return isinstance(node, Compare) and any(
        isinstance(part, Element) for part in list_ordered_parts([node])
    )


def build_formula_item_goals(
    model: DomainModel, places: Sequence[Unfolded], slots: Mapping[str, Slot]
) -> Iterator[Goal]:
    """Ask for the same of comparisons that stand in formulas, outside of the choices there."""
    for target, decision in model.decisions.items():
        if isinstance(decision, Formula):
            moments, put = list_formula_moments(places, target), slots[f"formula {target}"].put
            name = f"formula {target}"
            site = Site(name, decision.value, GoalKind.BOUNDARY, moments, put)
            yield from build_item_goals(model, site, _list_unasked_places(decision))


def _list_unasked_places(formula: Formula) -> list[InnerPlace]:
    """Return the places of a formula but for the parts of its choices, which are sites."""
    choices = list_choices(formula.value)
    asked = {id(atom) for _, node in choices for atom in iterate_atoms(node.condition)}
    return [place for place in list_inner_places(formula.value) if id(place.node) not in asked]
