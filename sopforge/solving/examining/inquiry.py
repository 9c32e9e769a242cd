"""The questions of one examination: they share the cases that were found, and a budget.

Most questions are easy, for drawn rows or for the solver. Only the others are worth a search for
cases, and what the solver is asked after that is paid from one budget, so that an examination ends
however many hard questions a model raises.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import z3

from sopforge.domain.language.expressions import Expression, Not
from sopforge.domain.model import DomainModel
from sopforge.solving.drawn_rows import is_met_by_drawn_row
from sopforge.solving.questions import (
    RESOURCE_LIMIT,
    Answer,
    NoRow,
    OpenQuestion,
    Row,
    Undecided,
    find_least_row,
    pose,
)
from sopforge.solving.search.searched_rows import SearchedRows
from sopforge.solving.unfolding import Unfolded

EASY = 400_000
BUDGET = 3 * RESOURCE_LIMIT
NARROWER = "narrow the ranges (min, max) of the fields that it reads"
"""What to do where a question is beyond the budget: fewer rows are left to be looked through."""


class Inquiry:
    """Answers questions about one model, as ``find_row`` does.

    ``places`` are those of its procedure, to which cases are led; ``budget`` is what all questions
    together may take beyond the ``EASY`` units that each has, in the solver's resource units.
    """

    def __init__(
        self, model: DomainModel, places: Sequence[Unfolded] = (), budget: int = BUDGET
    ) -> None:
        self.model = model
        self.left = budget
        self.searched = SearchedRows(model, places)

    def find_row(
        self,
        holding: Iterable[Expression],
        failing: Iterable[Expression] = (),
        *,
        is_shown: bool = True,
    ) -> Answer:
        """Return the least row on which ``holding`` hold and ``failing`` do not.

        One that need not be shown stays empty. Undecided is also what the shared budget no longer
        pays for.
        """
        wanted = [*holding, *map(Not, failing)]
        # A case that is shown has to be the least one, which no case that lies at hand is.
        if not is_shown and self.is_met_by_known_row(wanted):
            return Row({})
        asked = pose(self.model, wanted)
        result = asked.check(EASY)
        if result == z3.unknown:
            if not is_shown and self.searched.meet(wanted):
                return Row({})
            result = self.ask_within_budget(asked)
        if result == z3.sat:
            return find_least_row(self.model, asked) if is_shown else Row({})
        return NoRow() if result == z3.unsat else Undecided()

    def ask_within_budget(self, asked: OpenQuestion) -> z3.CheckSatResult:
        """Ask the solver on as long as the budget lasts."""
        if self.left <= 0:
            return z3.unknown
        before = asked.used
        result = asked.check(min(RESOURCE_LIMIT, self.left))
        self.left -= asked.used - before
        return result

    def is_met_by_known_row(self, wanted: Sequence[Expression]) -> bool:
        """Return whether a row that needs no search meets the conditions; False proves nothing."""
        if is_met_by_drawn_row(self.model, wanted):
            return True
        return self.searched.is_done and self.searched.meet(wanted, turns=1)
