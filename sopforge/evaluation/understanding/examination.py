"""An agent is cross-examined: case by case, until it is known what it believes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sopforge.dataset.records import Row
from sopforge.diagnosis.figures import Mistaken
from sopforge.diagnosis.hypotheses import Answer, Belief, group_mistakes
from sopforge.diagnosis.inquiry import SURE, Inquiry, begin_inquiry, compute_prior
from sopforge.diagnosis.sharpening import (
    find_distinguishing_rows,
    list_bases,
    list_finer_values,
    propose_mistakes,
)
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.evaluation.understanding.understanding import Examiner, name_apart
from sopforge.progress.tracking import enter_step

Ask: TypeAlias = Callable[[ProvedPackage, str, int], Answer | None]
"""Has the agent work at a task of a package, for the nth time, and returns what it states.

None where there was no attempt: the budget is spent, or no provider answered.
"""
Make: TypeAlias = Callable[[Sequence[Row], int], ProvedPackage]
"""Makes the nth package of further cases."""
MOST_REPEATED = 2
"""How many of the answers that a statement rests on are asked for again."""
_LEADING = 0.6
"""How probable it has to be about what an agent is mistaken before finer mistakes are tried."""
_KEPT = 1e-3
"""How probable a mistake has to be to be kept then, beside the most probable one."""
_LIKELY, _MOST_LIKELY = 0.02, 12
_ENOUGH = 0.3
"""In nats: cases that say less are left until it was tried to make better ones."""
_MOST_TURNS = 6
"""How often, at most, finer mistakes are tried before a case is asked."""
_PROOFS = 2
"""Of so many wrong answers a statement needs that they are as foretold."""
_MOST_KEPT = 120
"""From how many of the given cases further ones may be asked once it is about few mistakes."""


@dataclass(frozen=True)
class Examination:
    """What was asked, and what is known by it; ``unsteady`` tasks got another answer when repeated.

    It ``is_broken_off`` where an attempt could not be made. ``mistakes`` counts all that were
    thought of, ``ruled_out`` those that are as good as impossible by the answers.
    """

    inquiry: Inquiry
    mistakes: int
    ruled_out: int
    is_broken_off: bool = False
    unsteady: Sequence[str] = field(default=())

    @property
    def stated(self) -> Belief | None:
        """The mistake by which the agent is known to act, None where none is."""
        return self.inquiry.leader if self.inquiry.is_settled and not self.unsteady else None


@dataclass
class _Interview:
    """The cases that may be asked, what has been answered, and what the agent may believe."""

    examiner: Examiner
    make: Make
    places: dict[str, tuple[ProvedPackage, str]]
    rows: dict[str, Row]
    right: dict[str, Answer]
    inquiry: Inquiry
    each: float
    tried: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    suspected: dict[str, Mistaken] = field(default_factory=dict)
    made: int = 0
    mistakes: int = 0

    def choose(self) -> str | None:
        """Return the case to be asked next, None where no case says anything more."""
        for _ in range(_MOST_TURNS):
            is_known = self.inquiry.is_settled or self._is_about_one_figure()
            name = self.inquiry.choose(_ENOUGH)
            if name is not None and not self.inquiry.is_settled:
                return name
            is_done = is_known or self.inquiry.choose() is None
            if not (is_done and self.sharpen()):
                break
        if self.inquiry.is_settled:
            return None
        return self.inquiry.choose() or self.inquiry.choose_proof()

    def hear(self, name: str, answer: Answer) -> None:
        """Take an answer into account; one that nobody foresaw may say itself what led to it."""
        self.inquiry.hear(name, answer)
        for item in self._list_likely():
            if item.figure is not None:
                self.suspected[item.mutant.id] = item
        if self.inquiry.heard[name] < 0:
            found = propose_mistakes(self.examiner.model, self.rows[name], self.right[name], answer)
            self._extend(list(found), [])

    def _is_about_one_figure(self) -> bool:
        shares: dict[str, float] = defaultdict(float)
        for belief, share in self.inquiry.list_likely(len(self.inquiry.beliefs)):
            for name in {item.figure.name for item in belief.readings if item.figure}:
                shares[name] += share
        return max(shares.values(), default=0) >= _LEADING

    def sharpen(self) -> bool:
        """Try finer mistakes than the likely ones, on cases made for it; return whether any is."""
        likely = self._list_likely()
        # Values beside one that is out by now may not be.
        suspected = self.suspected.values() if self.inquiry.is_settled else ()
        finer = self._list_finer([*likely, *suspected])
        bases = list_bases(self.rows, [item.answers for item, _ in self.inquiry.list_likely(5)])
        proves = len(self.inquiry.proofs) < _PROOFS and self.inquiry.choose_proof() is None
        mistakes = [*likely, *finer]
        rows = find_distinguishing_rows(self.examiner.model, bases, mistakes, proves=proves)
        if not finer and not rows:
            return False
        return self._extend(finer, rows)

    def _list_likely(self) -> list[Mistaken]:
        least = SURE if self.inquiry.is_settled else _LIKELY
        found = self.inquiry.list_likely(_MOST_LIKELY)
        return [item for belief, share in found if share >= least for item in belief.readings]

    def _list_finer(self, likely: Sequence[Mistaken]) -> list[Mistaken]:
        """Return mistakes with other values of the likely figures, near the likely ones."""
        figures = {item.figure.name: item.figure for item in likely if item.figure}
        found = []
        for name, figure in figures.items():
            near = [item.value for item in likely if item.figure and item.figure.name == name]
            tried = self.tried[name]
            tried |= {*figure.list_far_values(), *near}
            values = list_finer_values(tried, near, figure.value)
            tried |= set(values)
            found += [item for value in values if (item := figure.take_for(value)) is not None]
        return found

    def _extend(self, mistakes: Sequence[Mistaken], rows: Sequence[Row]) -> bool:
        """Go on with these mistakes and the likely ones, and these cases, too."""
        before = self.inquiry
        known = {item.mutant.id for belief in before.beliefs for item in belief.readings}
        new = [item for item in mistakes if item.mutant.id not in known]
        if not new and not rows:
            return False
        least = _KEPT * before.shares.max()
        shares = before.shares[1:-1].tolist()
        kept_beliefs = [
            belief for belief, share in zip(before.beliefs, shares, strict=True) if share >= least
        ]
        self._keep_cases(kept_beliefs)
        if rows:
            self._add_cases(rows)
        kept = [item for belief in kept_beliefs for item in belief.readings]
        beliefs = group_mistakes(self.examiner.model, self.rows, [*kept, *new])
        self.mistakes += len(new)
        self.inquiry = begin_inquiry(
            self.examiner.model, self.right, beliefs, self.each, before.others
        )
        for name, answer in before.given.items():
            self.inquiry.hear(name, answer)
        return True

    def _keep_cases(self, beliefs: Sequence[Belief]) -> None:
        """Forget the cases at which no mistake shows that may still be made."""
        shown = dict.fromkeys(task for belief in beliefs for task in belief.answers)
        kept = {*self.inquiry.given, *list(shown)[:_MOST_KEPT]}
        self.rows = {task: row for task, row in self.rows.items() if task in kept}
        self.right = {task: self.right[task] for task in self.rows}

    def _add_cases(self, rows: Sequence[Row]) -> None:
        self.made += 1
        package = self.make(rows, self.made)
        for task, row in package.plain.rows.items():
            name = name_apart(package.digest, task)
            self.places[name] = package, task
            self.rows[name] = row
            self.right[name] = package.gold[task].outcomes


def examine_agent(
    packages: Sequence[ProvedPackage], examiner: Examiner, make: Make, ask: Ask, most: int
) -> Examination:
    """Return what an agent believes, after so many cases at most: of some packages, and made ones.

    Once it is known about what the agent is mistaken, cases are made that lie between the mistakes
    that are left: a limit may be any number.
    """
    places = {
        examiner.name_task(package.digest, task): (package, task)
        for package in packages
        for task in package.plain.rows
    }
    interview = _Interview(
        examiner,
        make,
        places,
        dict(examiner.rows),
        dict(examiner.right),
        begin_inquiry(examiner.model, examiner.right, examiner.beliefs),
        compute_prior(len(examiner.beliefs)),
        mistakes=sum(len(belief.readings) for belief in examiner.beliefs),
    )
    while len(interview.inquiry.heard) < most:
        name = interview.choose()
        if name is None:
            break
        with enter_step(f"case {len(interview.inquiry.heard) + 1} of {most} at most"):
            answer = ask(*interview.places[name], 0)
        if answer is None:
            return _build_examination(interview, is_broken_off=True)
        interview.hear(name, answer)
    unsteady = []
    inquiry = interview.inquiry
    for name in inquiry.proofs[:MOST_REPEATED] if inquiry.is_settled else ():
        with enter_step("an answer again"):
            again = ask(*interview.places[name], 1)
        if again is not None and inquiry.read_code(name, again) != inquiry.heard[name]:
            unsteady.append(name)
    return _build_examination(interview, unsteady=unsteady)


def _build_examination(
    interview: _Interview, *, is_broken_off: bool = False, unsteady: Sequence[str] = ()
) -> Examination:
    inquiry = interview.inquiry
    least = _KEPT * inquiry.shares.max()
    left = sum(
        len(belief.readings)
        for belief, share in inquiry.list_likely(len(inquiry.beliefs))
        if share >= least
    )
    return Examination(
        inquiry, interview.mistakes, interview.mistakes - left, is_broken_off, unsteady
    )
