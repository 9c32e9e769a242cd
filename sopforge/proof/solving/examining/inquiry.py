"""The questions of one examination: they share the cases that were found, and a budget.

Most questions are easy, for drawn rows or for the solver. Where drawn rows answer few of them, or
one is hard for the solver, it is worth a search for cases. What the solver is asked after that is
paid from one budget, so that an examination ends however many hard questions a model raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import z3

from sopforge.findings import Finding, make_warning_finding
from sopforge.language.domain.expressions.expressions import Expression, Not
from sopforge.language.domain.model import DomainModel
from sopforge.parallel import map_in_processes
from sopforge.proof.solving import budgets
from sopforge.proof.solving.drawn_rows import is_met_by_drawn_row
from sopforge.proof.solving.questions import (
    Answer,
    NoRow,
    OpenQuestion,
    Row,
    Undecided,
    find_least_row,
    pose,
)
from sopforge.proof.solving.search.searched_rows import get_searched_rows
from sopforge.proof.solving.unfolding import Unfolded

FEW = 4
"""After so many rows that only the solver found, cases are looked for step by step."""
NARROWER = "narrow the ranges (min, max) of the fields that it reads"
"""What to do where a question is beyond the budget: fewer rows are left to be looked through."""


class Inquiry:
    """Answers questions about one model, as ``find_row`` does.

    ``places`` are those of its procedure, to which cases are led; ``budget`` is what all questions
    together may take beyond what each may take at first.
    """

    def __init__(
        self, model: DomainModel, places: Sequence[Unfolded] = (), budget: int = budgets.FINDINGS
    ) -> None:
        self.model = model
        self.left = budget
        self.searched = get_searched_rows(model, places)
        self.missed = 0

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
        result = asked.check(budgets.EASY_FINDING)
        if result == z3.unknown:
            if not is_shown and self.searched.meet(wanted):
                return Row({})
            result = self.ask_within_budget(asked)
        if result == z3.sat:
            if is_shown:
                return find_least_row(self.model, asked)
            self.note_missed_row()
            return Row({})
        return NoRow() if result == z3.unsat else Undecided()

    def is_impossible(self, *conditions: Expression) -> bool:
        """Return whether it is proved that no row meets the conditions."""
        return isinstance(self.find_row(conditions, is_shown=False), NoRow)

    def note_missed_row(self) -> None:
        """Look for cases once it shows that drawn rows come to few places of the procedure."""
        self.missed += 1
        if self.missed == FEW:
            self.searched.get_herd()

    def find_any_rows(
        self, questions: Sequence[Callable[[], Expression]], what: str
    ) -> list[Answer]:
        """Return for each condition an empty row if one meets it, as ``find_row`` does.

        Conditions are derived, and easy ones answered, in several processes; ``what`` they are
        about is said to who listens.
        """
        # Some here and not in a worker, which would keep the cases that it looked for to itself.
        first = [self.find_row([derive()], is_shown=False) for derive in questions[:FEW]]
        easy = map_in_processes(self.answer_easily, questions[FEW:], what)
        return first + [
            self.find_row([derive()], is_shown=False) if answer is None else answer
            for derive, answer in zip(questions[FEW:], easy, strict=True)
        ]

    def answer_easily(self, derive: Callable[[], Expression]) -> Answer | None:
        """Return what is found without the shared budget, nothing where that does not suffice."""
        wanted = [derive()]
        if self.is_met_by_known_row(wanted):
            return Row({})
        result = pose(self.model, wanted).check(budgets.EASY_FINDING)
        if result == z3.unknown:
            return None
        return Row({}) if result == z3.sat else NoRow()

    def ask_within_budget(self, asked: OpenQuestion) -> z3.CheckSatResult:
        """Ask the solver on as long as the budget lasts."""
        if self.left <= 0:
            return z3.unknown
        before = asked.used
        result = asked.check(min(budgets.QUESTION, self.left))
        self.left -= asked.used - before
        return result

    def is_met_by_known_row(self, wanted: Sequence[Expression]) -> bool:
        """Return whether a row that needs no search meets the conditions; False proves nothing."""
        if self.searched.is_done and self.searched.meet(wanted, turns=1):
            return True
        return is_met_by_drawn_row(self.model, wanted)


def find_undecided(answer: Answer, what: str, where: str) -> list[Finding]:
    """Return the warning that it is left open what was asked, if it is."""
    if not isinstance(answer, Undecided):
        return []
    text = f"the solver's budget ran out on {what}"
    return [make_warning_finding("undecided", text, where=where, hint=NARROWER)]
