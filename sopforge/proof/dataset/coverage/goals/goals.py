"""Coverage goals: what the tasks of a dataset must exercise, and the mistakes they guard against.

A condition of the model is looked at where it is read: at the step that is reached, with the rules
or edges before it that did not hold. Each is asked for with both results; each comparison in it
with either result where that alone decides (masking MC/DC), and at its boundary with the nearest
possible value to each side, also where it is about the items of a list; each quotient that is
rounded at a tie, and at one with an odd result; each list that is made of another with entries
that are listed and left out, with none and with as many as there can be. A case shows a goal only
where a model with the mistake that the goal guards against, such as the opposite decision at a
boundary, answers differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sopforge.language.domain.expressions.expressions import Presence
from sopforge.language.domain.model import DomainModel
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.variants.slots import collect_slots
from sopforge.proof.dataset.coverage.goals.atoms import iterate_atoms
from sopforge.proof.dataset.coverage.goals.boundary_goals import build_boundary_goals
from sopforge.proof.dataset.coverage.goals.condition_goals import (
    build_part_goals,
    build_yes_no_goals,
)
from sopforge.proof.dataset.coverage.goals.edge_goals import (
    build_edge_goals,
    build_edge_pair_goals,
    build_return_goals,
)
from sopforge.proof.dataset.coverage.goals.goal import Goal, GoalKind
from sopforge.proof.dataset.coverage.goals.inner_places import list_inner_places
from sopforge.proof.dataset.coverage.goals.item_goals import (
    build_formula_item_goals,
    build_item_goals,
)
from sopforge.proof.dataset.coverage.goals.list_goals import build_list_goals
from sopforge.proof.dataset.coverage.goals.rule_goals import build_rule_goals
from sopforge.proof.dataset.coverage.goals.sites import Site, iterate_sites
from sopforge.proof.dataset.coverage.goals.tie_goals import build_tie_goals
from sopforge.proof.dataset.mutants.mutants import Mutant
from sopforge.proof.solving.unfolding import FALSE, TRUE, Unfolded


def collect_goals(model: DomainModel, places: Sequence[Unfolded]) -> tuple[Goal, ...]:
    """Return all goals of a model, those of rules and edges first."""
    slots = collect_slots(model)
    sites = list(iterate_sites(model, places, slots))
    found = [
        *build_rule_goals(model, places, slots),
        *build_edge_goals(model, places),
        *build_edge_pair_goals(model, places),
        *build_return_goals(model, places),
    ]
    found += build_yes_no_goals(sites)
    for site in sites:
        found += _build_site_goals(model, site)
    found += build_tie_goals(model, places, slots)
    found += build_formula_item_goals(model, places, slots)
    found += build_list_goals(model, places, slots)
    unique = {goal.id: goal for goal in found}
    # Where the shape of the procedure alone rules a goal out, there is nothing to prove.
    return tuple(goal for goal in unique.values() if goal.condition is not FALSE)


def _build_site_goals(model: DomainModel, site: Site) -> Iterator[Goal]:
    atoms = list(iterate_atoms(site.condition))
    for number, atom in enumerate(atoms, start=1):
        words = phrase_expression(atom, model.fields)
        if len(atoms) > 1 or isinstance(atom, Presence):
            yield from build_part_goals(site, number, atom, words)
        yield from build_boundary_goals(model, site, number, atom, words)
    if site.inner is None:  # else the formula that it stands in is asked as a whole
        yield from build_item_goals(model, site, list_inner_places(site.condition))


def make_mutant_goals(mutants: Iterable[Mutant]) -> Iterator[Goal]:
    """Return each mutant as a goal: the cases to which it and the model give other answers."""
    for mutant in mutants:
        yield Goal(
            mutant.id, TRUE, mutant.words, GoalKind.MUTANT, (mutant.model,), about=mutant.about
        )
