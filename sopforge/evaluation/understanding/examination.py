"""An agent is cross-examined: case by case, until it is known what it believes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sopforge.evaluation.diagnosis.diagnosing import MOST_MISTAKES
from sopforge.evaluation.diagnosis.figures import Mistaken
from sopforge.evaluation.diagnosis.hypotheses import (
    Answer,
    Belief,
    answer_by,
    find_beliefs,
    group_mistakes,
)
from sopforge.evaluation.diagnosis.inquiry import (
    SURE,
    Inquiry,
    begin_inquiry,
    compute_prior,
    is_same_answer,
)
from sopforge.evaluation.diagnosis.sharpening import (
    find_distinguishing_rows,
    list_bases,
    list_finer_values,
    propose_mistakes,
)
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.evaluation.understanding.understanding import Examiner, name_apart
from sopforge.language.domain.model import DomainModel
from sopforge.progress.tracking import enter_step
from sopforge.proof.dataset.distinguishing import AnswerFinder
from sopforge.proof.dataset.oracle import answer_row
from sopforge.proof.dataset.records import Row

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


@dataclass(frozen=True, slots=True)
class Statement:
    """A mistake by which an agent is known to act, with the tasks whose answers prove it.

    It is one in ``model``, which has the mistakes that were known before.
    """

    model: DomainModel
    belief: Belief
    proofs: Sequence[str]


@dataclass(frozen=True)
class Examination:
    """What was asked, and what is known by it; ``unsteady`` tasks got another answer when repeated.

    Each of ``stated`` was found beside those before it, and ``inquiry`` is about what may be wrong
    beside all of them. It ``is_broken_off`` where an attempt could not be made. ``mistakes`` counts
    all that were thought of, ``ruled_out`` those that are as good as impossible by the answers.
    """

    stated: Sequence[Statement]
    inquiry: Inquiry
    wrong: Mapping[str, bool]
    mistakes: int
    ruled_out: int
    is_broken_off: bool = False
    unsteady: Sequence[str] = ()

    @property
    def errors(self) -> list[str]:
        """The tasks that were answered wrong."""
        return [task for task, is_wrong in self.wrong.items() if is_wrong]


@dataclass
class _Interview:
    """The cases that may be asked, what has been answered, and what the agent may believe."""

    model: DomainModel
    make: Make
    places: dict[str, tuple[ProvedPackage, str]]
    rows: dict[str, Row]
    right: dict[str, Answer]
    inquiry: Inquiry
    each: float
    cases: dict[str, Row]
    """All cases, those too of which no more may be asked."""
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
        """Take an answer into account; a wrong amount may say itself what led to it."""
        self.inquiry.hear(name, answer)
        for item in self._list_likely():
            if item.figure is not None:
                self.suspected[item.mutant.id] = item
        if self.inquiry.heard[name] != 0:
            found = propose_mistakes(self.model, self.rows[name], self.right[name], answer)
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
        rows = find_distinguishing_rows(self.model, bases, mistakes, proves=proves)
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
            finer = list_finer_values(tried, near, figure.value)
            tried |= set(finer)
            # What is never negative is not taken for a negative number.
            values = [value for value in finer if value >= min(0, figure.value)]
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
        beliefs = group_mistakes(AnswerFinder(self.model, self.rows), [*kept, *new])
        self.mistakes += len(new)
        self.inquiry = begin_inquiry(self.model, self.right, beliefs, self.each, before.others)
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
            self.rows[name] = self.cases[name] = row
            self.right[name] = answer_row(self.model, row)


def examine_agent(
    packages: Sequence[ProvedPackage], examiner: Examiner, make: Make, ask: Ask, most: int
) -> Examination:
    """Return what an agent believes, after so many cases at most: of some packages, and made ones.

    Once it is known about what the agent is mistaken, cases are made that lie between the mistakes
    that are left: a limit may be any number. Then it is asked what else the agent is mistaken about
    beside that, until it is as good as certain that there is nothing, or the cases are used up.
    """
    interview = _begin(packages, examiner, make)
    stated: list[Statement] = []
    while True:
        if not _ask_cases(interview, ask, most, stated):
            return _build_examination(examiner, interview, stated, is_broken_off=True)
        known = _find_known(interview, most)
        unsteady = _find_unsteady(interview, ask) if known else []
        if unsteady is None:
            return _build_examination(examiner, interview, stated, is_broken_off=True)
        if known is None or unsteady:
            return _build_examination(examiner, interview, stated, unsteady=unsteady)
        stated.append(Statement(interview.model, known, tuple(interview.inquiry.proofs)))
        interview = _go_on(interview, known)
        if len(stated) == MOST_MISTAKES:
            return _build_examination(examiner, interview, stated)


def _ask_cases(interview: _Interview, ask: Ask, most: int, stated: Sequence[Statement]) -> bool:
    """Ask until no case says anything more or so many are asked; return whether all could be."""
    while len(interview.inquiry.heard) < most and not _is_over(interview.inquiry, stated):
        name = interview.choose()
        if name is None:
            break
        with enter_step(f"case {len(interview.inquiry.heard) + 1} of {most} at most"):
            answer = ask(*interview.places[name], 0)
        if answer is None:
            return False
        interview.hear(name, answer)
    return True


def _find_known(interview: _Interview, most: int) -> Belief | None:
    """Return the mistake that is certain, None where a finer one may be made as well."""
    inquiry = interview.inquiry
    # Where the cases are used up, there may be finer ones that those asked do not distinguish.
    is_open = inquiry.is_settled and len(inquiry.heard) >= most and interview.choose() is not None
    if is_open or not interview.inquiry.is_settled:
        return None
    return interview.inquiry.leader


def _begin(packages: Sequence[ProvedPackage], examiner: Examiner, make: Make) -> _Interview:
    places = {
        examiner.name_task(package.digest, task): (package, task)
        for package in packages
        for task in package.plain.rows
    }
    rows, right = dict(examiner.rows), dict(examiner.right)
    inquiry = begin_inquiry(examiner.model, right, examiner.beliefs)
    each = compute_prior(len(examiner.beliefs))
    count = sum(len(belief.readings) for belief in examiner.beliefs)
    return _Interview(
        examiner.model, make, places, rows, right, inquiry, each, dict(rows), mistakes=count
    )


def _go_on(before: _Interview, known: Belief) -> _Interview:
    """Return the interview about what an agent is mistaken about beside what is known.

    What he believes so far takes the place of what is right.
    """
    model, given = known.model, before.inquiry.given
    rows = before.cases
    right = answer_by(model, rows, rows)
    beliefs = find_beliefs(model, rows)
    inquiry = begin_inquiry(model, right, beliefs)
    for name, answer in given.items():
        inquiry.hear(name, answer)
    return _Interview(
        model,
        before.make,
        before.places,
        dict(rows),
        dict(right),
        inquiry,
        compute_prior(len(beliefs)),
        rows,
        made=before.made,
        mistakes=before.mistakes,
    )


def _is_over(inquiry: Inquiry, stated: Sequence[Statement]) -> bool:
    """Return whether it is as good as certain that there is no mistake beside what is stated."""
    return bool(stated) and bool(inquiry.shares[0] >= SURE)


def _find_unsteady(interview: _Interview, ask: Ask) -> list[str] | None:
    """Return the tasks that get another answer when they are asked for once more.

    None where one could not be asked for.
    """
    inquiry = interview.inquiry
    found = []
    for name in inquiry.proofs[:MOST_REPEATED]:
        with enter_step("an answer again"):
            again = ask(*interview.places[name], 1)
        if again is None:
            return None
        if inquiry.read_code(name, again) != inquiry.heard[name]:
            found.append(name)
    return found


def _build_examination(
    examiner: Examiner,
    interview: _Interview,
    stated: Sequence[Statement],
    *,
    is_broken_off: bool = False,
    unsteady: Sequence[str] = (),
) -> Examination:
    inquiry = interview.inquiry
    least = _KEPT * inquiry.shares.max()
    left = sum(
        len(belief.readings)
        for belief, share in inquiry.list_likely(len(inquiry.beliefs))
        if share >= least
    )
    left += sum(len(statement.belief.readings) for statement in stated)
    right = answer_by(examiner.model, interview.cases, inquiry.given)
    wrong = {
        task: not is_same_answer(examiner.model, right[task], answer)
        for task, answer in inquiry.given.items()
    }
    ruled_out = max(0, interview.mistakes - left)
    return Examination(
        stated, inquiry, wrong, interview.mistakes, ruled_out, is_broken_off, unsteady
    )
