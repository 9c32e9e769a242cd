"""Two readings of one brief compared: on drawn cases, at the limits of both, and by the solver."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Value
from sopforge.proof.comparing.aligning.alignment import FIELD, Alignment, Open
from sopforge.proof.comparing.aligning.needed import list_answer_fields, list_row_fields
from sopforge.proof.comparing.answers import AnswerPair, pair_answers
from sopforge.proof.comparing.asking.composing import Assumed, BothSources, Composer
from sopforge.proof.comparing.asking.questions import Question, sort_questions
from sopforge.proof.comparing.cases import Cases, Census, draw_cases, draw_limit_rows, keep_held
from sopforge.proof.comparing.causes import Explained, Search
from sopforge.proof.comparing.mistakes import list_assumed_values
from sopforge.proof.comparing.proving import complete_row, prove_alike
from sopforge.proof.comparing.translating import (
    Translation,
    build_translation,
    collect_rows_read,
)
from sopforge.proof.solving.places import StepPlace
from sopforge.proof.solving.questions import NoRow
from sopforge.proof.solving.questions import Row as Witness
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.proof.solving.unfolding import Unfolder

DRAWN = 10_000
_WALKED = 1_000
"""How many cases are drawn where each has to be walked."""
_MOST_ROUNDS = 12
_FRESH_ROUNDS = 5
_MOST_ASSUMED = 40
NO_CASES = Census(0, 0)


class ReadingsVerdict(StrEnum):
    """What is known of all cases that both readings can hold."""

    ALIKE = "proved alike"
    DIFFERENT = "some decided differently"
    UNDECIDED = "undecided"
    NOT_COMPARED = "not compared"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two readings of one brief decide otherwise.

    ``is_whole`` says that nothing besides the questions differs in any case: that is proved, for
    one value of each fact that ours does not hold. ``open`` is what could not be aligned,
    ``answers`` are the outcomes that were compared, by what ours calls them, ``only_ours`` those of
    ours that theirs does not give.
    """

    verdict: ReadingsVerdict
    questions: tuple[Question, ...] = ()
    is_whole: bool = False
    census: Census = NO_CASES
    answers: tuple[str, ...] = ()
    only_ours: tuple[str, ...] = ()
    open: tuple[Open, ...] = ()

    def as_record(self) -> dict[str, object]:
        """Return it as it is printed for programs."""
        return {
            "verdict": self.verdict.value,
            "is_whole": self.is_whole,
            "questions": [question.as_record() for question in self.questions],
            "drawn": self.census.drawn,
            "compared": self.census.held,
            "not_held": dict(self.census.unheld),
            "answers": list(self.answers),
            "only_first": list(self.only_ours),
            "open": [item.as_record() for item in self.open],
        }


NO_SOURCES = BothSources()


def compare_readings(
    ours: DomainModel,
    theirs: DomainModel,
    alignment: Alignment,
    sources: BothSources = NO_SOURCES,
    *,
    seed: int = 0,
    count: int = DRAWN,
) -> Comparison:
    """Return what two readings decide otherwise, as questions, the weightiest first."""
    pairs = pair_answers(ours, theirs, alignment)
    if not pairs:
        return Comparison(ReadingsVerdict.NOT_COMPARED, open=alignment.open)
    return _Comparing(ours, theirs, alignment, pairs, seed).compare(sources, count)


@dataclass(frozen=True, slots=True)
class _Comparing:
    ours: DomainModel
    theirs: DomainModel
    alignment: Alignment
    pairs: Sequence[AnswerPair]
    seed: int

    def compare(self, sources: BothSources, count: int) -> Comparison:
        unknown = self.list_unknown()
        first = {name: self.list_values(name)[0] for name in unknown}
        translation = build_translation(self.ours, self.theirs, self.alignment, first)
        cases, census = self.draw(translation, count)
        if unknown:
            cases = self.settle_facts(cases, unknown)
        cases = self.add_limits(cases)
        cases, explained, is_whole = self.explain(cases)
        composer = Composer(cases, census, sources, self.opened)
        asked = [composer.compose_cause(cause) for cause in explained.causes]
        asked += composer.compose_rest(explained.rest)
        asked += self.ask_about_facts(cases, census, sources)
        questions = sort_questions([question for question in asked if question is not None])
        is_whole = is_whole and None not in asked
        is_all = len(self.pairs) == len(list_answer_fields(self.theirs)) and not self.opened
        return Comparison(
            verdict=_choose_verdict(questions, census, is_alike=is_whole and is_all),
            questions=questions,
            is_whole=is_whole and is_all,
            census=census,
            answers=tuple(pair.ours.label for pair in self.pairs),
            only_ours=self.list_only_ours(),
            open=self.alignment.open,
        )

    def draw(self, translation: Translation, count: int) -> tuple[Cases, Census]:
        """Return drawn cases: fewer, where each of them has to be walked."""
        try:
            for model in (self.ours, self.theirs):
                Unfolder(model).order_places(StepPlace(model.start))
        except TooManyStepsError:
            count = min(count, _WALKED)
        return draw_cases(translation, self.pairs, self.seed, count)

    def list_only_ours(self) -> tuple[str, ...]:
        paired = {pair.ours.name for pair in self.pairs}
        answers = list_answer_fields(self.ours)
        return tuple(item.label for item in answers if item.name not in paired)

    # facts that ours does not hold

    @property
    def opened(self) -> frozenset[str]:
        """The facts of theirs of which nobody has said what they are in ours."""
        return frozenset(item.name for item in self.alignment.open if item.kind == FIELD)

    def list_unknown(self) -> list[str]:
        """Return the facts that theirs reads and that nothing of ours stands for."""
        given = [name for name in self.alignment.fields if name in self.theirs.decisions]
        needed = {item.name for item in list_row_fields(self.theirs, given)}
        return [name for name in (*self.alignment.lacking, *sorted(self.opened)) if name in needed]

    def list_values(self, name: str) -> list[Value | None]:
        return list_assumed_values(self.theirs, self.theirs.fields[name])[:_MOST_ASSUMED]

    def settle_facts(self, cases: Cases, names: Iterable[str]) -> Cases:
        """Return the cases with those values of unknown facts by which most are answered alike."""
        for name in names:
            tried = [cases.with_constants({name: value}) for value in self.list_values(name)]
            cases = min(tried, key=lambda other: int(other.differing.sum()))
        return cases

    def ask_about_facts(
        self, cases: Cases, census: Census, sources: BothSources
    ) -> list[Question | None]:
        """Return a question for each fact that ours does not hold and that decides in theirs."""
        asked = []
        for name in self.alignment.lacking:
            found = (
                self.find_turning_value(cases, name, census.held)
                if name in self.list_unknown()
                else None
            )
            if found is not None:
                turned, assumed = found
                asked.append(Composer(turned, census, sources).compose_assumed(assumed))
        return asked

    def find_turning_value(
        self, cases: Cases, name: str, counted: int
    ) -> tuple[Cases, Assumed] | None:
        """Return the value of a fact that turns most cases which are answered alike without it."""
        best: tuple[Cases, np.ndarray] | None = None
        chosen: Value | None = None
        for value in self.list_values(name):
            other = cases.with_constants({name: value})
            turned = other.differing & ~cases.differing
            if turned.any() and (best is None or turned.sum() > best[1].sum()):
                best, chosen = (other, turned), value
        if best is None:
            return None
        known = cases.translation.known
        free = replace(
            cases.translation, known={key: item for key, item in known.items() if key != name}
        )
        drawn = Cases(free, cases.pairs, cases.seed, cases.ours).differing & ~cases.differing
        places = tuple(np.flatnonzero(best[1]).tolist())
        return best[0], Assumed(name, chosen, places, int(drawn[:counted].sum()))

    # rows beyond those drawn

    def add_limits(self, cases: Cases) -> Cases:
        rows = draw_limit_rows(cases.translation, self.seed)
        return cases.with_rows(rows) if rows else cases

    def explain(self, cases: Cases) -> tuple[Cases, Explained, bool]:
        """Return the causes of all differences, of those that the solver finds too."""
        unread = self.list_unread(cases.translation)
        before: Explained | None = None
        for number in range(_MOST_ROUNDS):
            explained = self.find_causes(Search(cases, unread, before))
            if explained.rest:
                return cases, explained, False
            answer = prove_alike(*explained.sides, cases.translation, self.pairs)
            if isinstance(answer, NoRow):
                return cases, explained, True
            more = self.add_witness(cases, answer) if isinstance(answer, Witness) else None
            if more is None:
                return cases, explained, False
            cases = more
            # The case may show that what was taken for a cause is only like it on all others: then
            # the search begins anew, and later only where it is certain to be so.
            goes_on = number + 1 >= _FRESH_ROUNDS and bool(cases.differing[-1])
            before = explained if goes_on else None
        return cases, self.find_causes(Search(cases, unread, before)), False

    def find_causes(self, search: Search) -> Explained:
        try:
            return search.find_causes()
        except TooManyStepsError:
            cases = search.cases
            places = tuple(np.flatnonzero(cases.differing).tolist())
            return Explained((), places, (cases.translation.ours, cases.translation.theirs))

    def add_witness(self, cases: Cases, answer: Witness) -> Cases | None:
        """Return the cases with the solver's; None where it does not bear out."""
        row = complete_row(self.ours, answer, self.seed)
        if row is None or not keep_held(cases.translation, [row]):
            return None
        return cases.with_rows([row])

    def list_unread(self, translation: Translation) -> tuple[str, ...]:
        """Return the facts that ours decides by and that theirs knows nothing of."""
        if self.opened:
            return ()  # one of them may be what is open
        read = collect_rows_read(translation.known.values())
        return tuple(item.name for item in list_row_fields(self.ours) if item.name not in read)


def _choose_verdict(
    questions: Sequence[Question], census: Census, *, is_alike: bool
) -> ReadingsVerdict:
    if questions:
        return ReadingsVerdict.DIFFERENT
    if not census.held:
        return ReadingsVerdict.NOT_COMPARED
    return ReadingsVerdict.ALIKE if is_alike else ReadingsVerdict.UNDECIDED
