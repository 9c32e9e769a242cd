"""Which cases two models decide differently: proved or shown by the solver, counted on samples."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import zip_longest

import numpy as np

from sopforge.changes.clauses import Clause
from sopforge.changes.known_rows import Row, convert_rows, find_needed_names
from sopforge.dataset.oracle import label_row
from sopforge.dataset.sampling.bulk import as_columns
from sopforge.dataset.sampling.sampling import sample_rows
from sopforge.domain.fields import STORED, Field
from sopforge.domain.model import DomainModel
from sopforge.domain.values.malformed_inputs import name_malformed_mark
from sopforge.domain.values.types import ListType, TextType
from sopforge.logic.explaining import StoryLine, Storyteller
from sopforge.logic.readings.vector import (
    Columns,
    evaluate_all,
    make_list_column,
    split_lists,
)
from sopforge.logic.walking import Walk
from sopforge.solving.differences import compare_models
from sopforge.solving.questions import NoRow
from sopforge.solving.questions import Row as Witness
from sopforge.solving.unfolded_places import TooManyStepsError
from sopforge.solving.unfolding import TRUE, derive_answers, unfold

SAMPLE = 2_000
MOST_EXAMPLES = 6
_NOTHING = StoryLine("")
_OF_TASKS = "cases of the old tasks"
SAME_REASON = "the same rules and edges decide"

FindClause = Callable[[str], Clause | None]


class CaseVerdict(StrEnum):
    """What is known of all cases."""

    ALIKE = "proved alike"
    DIFFERENT = "some decided differently"
    UNDECIDED = "undecided"
    NOT_COMPARED = "not compared"


@dataclass(frozen=True, slots=True)
class Turn:
    """How many cases of a sample have another answer: an outcome, as it was and as it is."""

    outcome: str
    old: str
    new: str
    count: int


@dataclass(frozen=True, slots=True)
class Sample:
    """What became of some cases; ``of`` says which.

    Of those ``drawn``, ``compared`` are cases of the other model as well, and ``different`` of
    these have another answer. ``unknown`` counts the others by the field of which the other has no
    such value, or as not meeting its constraints; ``lacking`` are fields without which none could
    be compared.
    """

    of: str
    drawn: int
    compared: int
    different: int
    turns: tuple[Turn, ...]
    unknown: Mapping[str, int]
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decided:
    """What a model makes of a case: the answers, the steps of the path, and what decided.

    The reason is the first rule or edge at which the two models part, ``item`` names it as traces
    do, and ``clause`` is the passage of the SOP that states it.
    """

    answers: Mapping[str, str]
    path: tuple[str, ...]
    reason: str
    item: str = ""
    clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A case that is decided differently; ``source`` says who found it."""

    source: str
    case: Mapping[str, str]
    old: Decided
    new: Decided

    @property
    def other_answers(self) -> tuple[str, ...]:
        """The outcomes that are not the same."""
        names = [name for name in self.new.answers if name in self.old.answers]
        return tuple(name for name in names if self.old.answers[name] != self.new.answers[name])


@dataclass(frozen=True, slots=True)
class CaseChanges:
    """Whether cases are decided differently.

    Of ``narrowed`` fields the solver was asked about the values that both models have; fields that
    are ``apart`` kept it from all cases. ``only_old`` and ``only_new`` are outcomes that one model
    alone has, which are not compared.
    """

    verdict: CaseVerdict
    samples: tuple[Sample, ...]
    examples: tuple[Example, ...]
    narrowed: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    only_old: tuple[str, ...] = ()
    only_new: tuple[str, ...] = ()

    def with_clauses(self, old: FindClause, new: FindClause) -> CaseChanges:
        """Return the same, with the clauses that the SOPs of both sides state the reasons in."""
        examples = (
            replace(
                item,
                old=replace(item.old, clause=old(item.old.item)),
                new=replace(item.new, clause=new(item.new.item)),
            )
            for item in self.examples
        )
        return replace(self, examples=tuple(examples))

    @property
    def turns_tasks(self) -> bool:
        """Whether old tasks are decided differently."""
        return any(sample.of == _OF_TASKS and sample.different > 0 for sample in self.samples)

    @property
    def compared(self) -> int:
        """How many cases of samples were compared."""
        return sum(sample.compared for sample in self.samples)


def compare_cases(
    old: DomainModel, new: DomainModel, seed: int, task_rows: Sequence[Row] = ()
) -> CaseChanges:
    """Return which cases are decided differently; ``task_rows`` are rows of the old model."""
    comparison = _Comparison(old, new, seed, find_needed_names(old) | find_needed_names(new))
    names = (
        {item.name for item in _iterate_scored_fields(new)},
        {item.name for item in _iterate_scored_fields(old)},
    )
    asked = compare_models(new, old)
    answer = asked.answer
    samples, examples = comparison.compare_samples(task_rows)
    if isinstance(answer, Witness):
        examples = (comparison.build_witness_example(answer), *examples)
    return CaseChanges(
        verdict=_choose_verdict(answer, samples),
        samples=samples,
        examples=_select_examples(examples),
        narrowed=asked.narrowed,
        apart=asked.apart,
        only_old=tuple(sorted(names[1] - names[0])),
        only_new=tuple(sorted(names[0] - names[1])),
    )


def _choose_verdict(answer: object, samples: Iterable[Sample]) -> CaseVerdict:
    # A sample may show what the solver left open, or was not asked: it knows only what both have.
    if isinstance(answer, Witness) or any(sample.different for sample in samples):
        return CaseVerdict.DIFFERENT
    if isinstance(answer, NoRow):
        return CaseVerdict.ALIKE
    return CaseVerdict.NOT_COMPARED if answer is None else CaseVerdict.UNDECIDED


def _select_examples(examples: Iterable[Example]) -> tuple[Example, ...]:
    """Return the first example of each change of answers, and of those as many as are read."""
    found: dict[str, Example] = {}
    for item in examples:
        names = item.other_answers
        turn = [(name, item.old.answers[name], item.new.answers[name]) for name in names]
        found.setdefault(repr(turn), item)
    return tuple(found.values())[:MOST_EXAMPLES]


@dataclass(frozen=True, slots=True)
class _Comparison:
    old: DomainModel
    new: DomainModel
    seed: int
    read: frozenset[str]

    def compare_samples(
        self, task_rows: Sequence[Row]
    ) -> tuple[tuple[Sample, ...], tuple[Example, ...]]:
        """Return what became of drawn cases and of those of the old tasks, with examples."""
        parts = [
            self.compare_sample(
                "cases drawn by the new model", self.draw_cases(self.new), is_new=True
            )
        ]
        # The new model's cases are those to come. Where the old one cannot decide them, the old
        # model's own may show what changed.
        if parts[0][0].lacking:
            drawn = self.draw_cases(self.old)
            parts = [self.compare_sample("cases drawn by the old model", drawn, is_new=False)]
        if task_rows:
            parts.append(self.compare_sample(_OF_TASKS, task_rows, is_new=False))
        return tuple(part for part, _ in parts), tuple(item for _, more in parts for item in more)

    def draw_cases(self, model: DomainModel) -> list[Row]:
        """Return rows that a model draws, and that are cases of it."""
        rows = sample_rows(model, self.seed, range(SAMPLE))
        return [
            row
            for row, is_case in zip(rows, _evaluate_constraints(model, rows), strict=True)
            if is_case
        ]

    def compare_sample(
        self, of: str, given: Sequence[Row], *, is_new: bool
    ) -> tuple[Sample, tuple[Example, ...]]:
        source, target = (self.new, self.old) if is_new else (self.old, self.new)
        known = convert_rows(source, target, given, self.seed)
        places = list(known.rows)
        brought = _evaluate_constraints(target, [known.rows[place] for place in places])
        kept = [place for place, is_case in zip(places, brought, strict=True) if is_case]
        pairs = [(given[place], known.rows[place]) for place in kept]
        old, new = [pair[is_new] for pair in pairs], [pair[not is_new] for pair in pairs]
        turns, first = self.group_turns(old, new)
        others = len(places) - len(kept)
        sample = Sample(
            of=of,
            drawn=len(given),
            compared=len(kept),
            different=len({place for found in turns.values() for place in found}),
            turns=tuple(Turn(*turn, len(found)) for turn, found in turns.items()),
            unknown={**known.unknown, **({"constraints": others} if others else {})},
            lacking=known.lacking,
        )
        examples = (self.build_example(of, old[place], new[place]) for place in first)
        return sample, tuple(examples)

    def group_turns(
        self, old: Sequence[Row], new: Sequence[Row]
    ) -> tuple[dict[tuple[str, str, str], list[int]], list[int]]:
        """Return the places of rows by how an answer changed, and one place for each."""
        before, after = compute_answers(self.old, old), compute_answers(self.new, new)
        found: dict[tuple[str, str, str], list[int]] = {}
        for name in [name for name in after if name in before]:
            pairs = enumerate(zip(before[name], after[name], strict=True))
            for place, (was, now) in pairs:
                if was != now:
                    found.setdefault((name, was, now), []).append(place)
        ordered = dict(sorted(found.items(), key=lambda item: -len(item[1])))
        return ordered, list(dict.fromkeys(places[0] for places in ordered.values()))

    def build_witness_example(self, found: Witness) -> Example:
        """Return the solver's case; what was not asked about is drawn."""
        (drawn,) = sample_rows(self.new, self.seed, [0])
        row: dict[str, object] = {**drawn, **found.values, **found.records}
        for entity in self.new.references:
            if row[entity.name] is None:
                # A record that is not there shows nothing, whatever was drawn for it.
                row |= dict.fromkeys(entity.fields)
        whole: Row = row  # type: ignore[assignment]  # values of fields and marks alone
        known = convert_rows(self.new, self.old, [whole], self.seed)
        made = self.build_example("the solver", known.rows.get(0, whole), whole)
        asked = {name: cell for name, cell in made.case.items() if name in found.cells}
        return replace(made, case=asked)

    def build_example(self, source: str, old: Row, new: Row) -> Example:
        walks = label_row(self.old, old), label_row(self.new, new)
        stories = [
            [line for line in Storyteller(model).iterate_story_lines(done) if line.item]
            for model, done in zip((self.old, self.new), walks, strict=True)
        ]
        reasons = next(
            (pair for pair in zip_longest(*stories, fillvalue=_NOTHING) if _is_other(*pair)),
            (_NOTHING, _NOTHING),
        )
        return Example(
            source=source,
            case=_collect_case_cells(self.new, new, self.read),
            old=_explain_decision(self.old, walks[0], reasons[0]),
            new=_explain_decision(self.new, walks[1], reasons[1]),
        )


def _is_other(old: StoryLine, new: StoryLine) -> bool:
    """Return whether the lines name other rules or edges, or one says that its does not apply."""
    return old.text.partition(":")[0] != new.text.partition(":")[0]


def compute_answers(model: DomainModel, rows: Sequence[Row]) -> dict[str, list[str]]:
    """Return the cells of all that is scored, for each row."""
    try:
        known = derive_answers(model, unfold(model))
    except TooManyStepsError:
        answered = [_format_answers(model, label_row(model, row)) for row in rows]
        return {
            item.name: [cells[item.name] for cells in answered]
            for item in _iterate_scored_fields(model)
        }
    parts = [part for item in known.values() for part in (item.value, item.present or TRUE)]
    columns = iter(evaluate_all(parts, _build_columns(model, rows)))
    found = {}
    for name in known:
        values, present = next(columns).tolist(), next(columns).tolist()
        pairs = zip(values, present, strict=True)
        item = model.fields[name]
        found[name] = [item.format_cell(value if there else None) for value, there in pairs]
    return found


def _evaluate_constraints(model: DomainModel, rows: Sequence[Row]) -> list[bool]:
    """Return which rows meet a model's constraints."""
    if not rows or not model.constraints:
        return [True] * len(rows)
    columns = evaluate_all(model.constraints, as_columns(model, rows))
    return [all(met) for met in zip(*(column.tolist() for column in columns), strict=True)]


def _iterate_scored_fields(model: DomainModel) -> Iterator[Field]:
    yield from model.outcomes
    yield from model.intermediates


def _collect_case_cells(model: DomainModel, row: Row, read: Container[str]) -> dict[str, str]:
    """Return what a case is decided on: what is read of its inputs and of what tools reveal."""
    cells = {
        item.name: item.format_cell(row[item.name])
        for item in model.with_role(*STORED)
        if item.name in read and (item.missing or row[item.name] is not None)
    }
    lacking = {item.name: "no record" for item in model.references if row[item.name] is None}
    marks = {
        item.name: "malformed"
        for item in model.malformable
        if row.get(name_malformed_mark(item.name))
    }
    return {**cells, **lacking, **marks}


def _explain_decision(model: DomainModel, done: Walk, line: StoryLine) -> Decided:
    path = tuple(node for node in done.path if node in model.steps)
    if done.refusal is not None:
        line = StoryLine(f"{model.steps[path[-1]].call} refuses it: {done.refusal.says}")
    elif done.undecided:
        line = StoryLine(f"no rule decides {done.undecided}")
    return Decided(_format_answers(model, done), path, line.text.strip() or SAME_REASON, line.item)


def _format_answers(model: DomainModel, done: Walk) -> dict[str, str]:
    """Return what a case is answered; nothing where it came to no end, in an unsound model."""
    known = {} if done.refusal is not None or done.undecided else done.known
    return {
        item.name: item.format_cell(known.get(item.name)) for item in _iterate_scored_fields(model)
    }


def _build_columns(model: DomainModel, rows: Sequence[Row]) -> Columns:
    """Return rows as columns, with nothing where a value is read that no path decides."""
    columns = as_columns(model, rows)
    decided = [item for item in model.fields.values() if item.name in model.decisions]
    nothing = {
        item.name: np.zeros(len(rows), dtype=np.int64)
        for item in decided
        if not isinstance(item.type, TextType | ListType)
    }
    lists = {
        item.name: split_lists(item.type, make_list_column([()] * len(rows)))
        for item in decided
        if isinstance(item.type, ListType)
    }
    return replace(columns, values={**nothing, **columns.values}, lists={**lists, **columns.lists})
