"""Goals of mutants: cases to which a mutant and the model give other answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sopforge.proof.dataset.coverage.goals.goal import Goal, Kind
from sopforge.proof.dataset.mutants.mutants import Mutant
from sopforge.proof.solving.unfolding import TRUE


def make_mutant_goals(mutants: Iterable[Mutant]) -> Iterator[Goal]:
    """Return each mutant as a goal: the cases to which it and the model give other answers."""
    for mutant in mutants:
        yield Goal(mutant.id, TRUE, mutant.words, Kind.MUTANT, (mutant.model,), about=mutant.about)
