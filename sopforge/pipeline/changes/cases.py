"""Which cases two models decide differently: proved or shown by the solver, counted on samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.readings.vector import evaluate_all
from sopforge.pipeline.changes.clauses import Clause
from sopforge.pipeline.changes.examples import Example, ExampleMaker
from sopforge.pipeline.changes.known_rows import Row, convert_rows, find_needed_names
from sopforge.pipeline.changes.row_consequences import (
    Consequence,
    ConsequenceKind,
    compute_consequences,
)
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.comparing.models import (
    compare_models,
    list_acts_of_one,
    list_answers_of_one,
    list_columns_compared,
)
from sopforge.proof.solving.questions import NoRow
from sopforge.proof.solving.questions import Row as Witness

SAMPLE = 2_000
MOST_EXAMPLES = 6
_OF_TASKS = "cases of the old tasks"
UNCHANGED = "unchanged"
CHANGED = "changed"
CHANGED_ELSE = "changed to another value"

FindClause = Callable[[str], Clause | None]
_Turned = tuple[ConsequenceKind, str, str, str]


class CaseVerdict(StrEnum):
    """What is known of all cases."""

    ALIKE = "proved alike"
    DIFFERENT = "some decided differently"
    UNDECIDED = "undecided"
    NOT_COMPARED = "not compared"


@dataclass(frozen=True, slots=True)
class Turn:
    """Of how many cases of a sample something else is made: an outcome, as it was and as it is.

    Of what a table holds at the end, ``outcome`` is what people call the column, and of an action
    the tool. ``label`` is what people call any of them.
    """

    outcome: str
    old: str
    new: str
    count: int
    kind: ConsequenceKind = ConsequenceKind.ANSWER
    label: str = field(default="", compare=False)


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
class CaseChanges:
    """Whether cases are decided differently.

    Of ``narrowed`` fields the solver was asked about the values that both models have; fields that
    are ``apart`` kept it from all cases. ``only_old`` and ``only_new`` are outcomes that one model
    alone has, which are not compared; ``acts_of_old`` and ``acts_of_new`` are likewise the actions
    that one model alone calls, and the columns that it changes and the other does not have.
    """

    verdict: CaseVerdict
    samples: tuple[Sample, ...]
    examples: tuple[Example, ...]
    narrowed: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    only_old: tuple[str, ...] = ()
    only_new: tuple[str, ...] = ()
    acts_of_old: tuple[str, ...] = ()
    acts_of_new: tuple[str, ...] = ()

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
        """Whether what is scored of old tasks is another: an answer, or what is on file."""
        turns = [turn for sample in self.samples if sample.of == _OF_TASKS for turn in sample.turns]
        return any(turn.kind is not ConsequenceKind.ACTION for turn in turns)

    @property
    def compared(self) -> int:
        """How many cases of samples were compared."""
        return sum(sample.compared for sample in self.samples)


def compare_cases(
    old: DomainModel, new: DomainModel, seed: int, task_rows: Sequence[Row] = ()
) -> CaseChanges:
    """Return which cases are decided differently; ``task_rows`` are rows of the old model."""
    read = find_needed_names(old) | find_needed_names(new)
    comparison = _Comparison(old, new, seed, ExampleMaker(old, new, seed, read))
    asked = compare_models(new, old)
    answer = asked.answer
    samples, examples = comparison.compare_samples(task_rows)
    if isinstance(answer, Witness):
        examples = (comparison.maker.build_witness_example(answer), *examples)
    return CaseChanges(
        verdict=_choose_verdict(answer, samples),
        samples=samples,
        examples=_select_examples(examples),
        narrowed=_name_columns(old, new, asked.narrowed),
        apart=_name_columns(old, new, asked.apart),
        only_old=list_answers_of_one(old, new),
        only_new=list_answers_of_one(new, old),
        acts_of_old=list_acts_of_one(old, new),
        acts_of_new=list_acts_of_one(new, old),
    )


def _name_columns(old: DomainModel, new: DomainModel, names: Iterable[str]) -> tuple[str, ...]:
    """Return names as people write them: a column of a table once, whatever leads to it."""
    fields = {**old.fields, **new.fields}
    found = (
        f"{fields[name].table}.{fields[name].column}"
        if name in fields and fields[name].table
        else name
        for name in names
    )
    return tuple(dict.fromkeys(found))


def _choose_verdict(answer: object, samples: Iterable[Sample]) -> CaseVerdict:
    # A sample may show what the solver left open, or was not asked: it knows only what both have.
    if isinstance(answer, Witness) or any(sample.different for sample in samples):
        return CaseVerdict.DIFFERENT
    if isinstance(answer, NoRow):
        return CaseVerdict.ALIKE
    return CaseVerdict.NOT_COMPARED if answer is None else CaseVerdict.UNDECIDED


def _select_examples(examples: Iterable[Example]) -> tuple[Example, ...]:
    """Return the first example of each change of answers by other rules, as many as are read."""
    found: dict[str, Example] = {}
    for item in examples:
        found.setdefault(repr((item.turn, item.old.item, item.new.item)), item)
    return tuple(found.values())[:MOST_EXAMPLES]


@dataclass(frozen=True, slots=True)
class _Comparison:
    old: DomainModel
    new: DomainModel
    seed: int
    maker: ExampleMaker

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
            turns=tuple(
                Turn(name, was, now, len(found), kind, self.get_label(kind, name))
                for (kind, name, was, now), found in turns.items()
            ),
            unknown={**known.unknown, **({"constraints": others} if others else {})},
            lacking=known.lacking,
        )
        examples = (self.maker.build_example(of, old[place], new[place]) for place in first)
        return sample, tuple(examples)

    def get_label(self, kind: ConsequenceKind, name: str) -> str:
        """Return what people call an answer; a tool has its name alone."""
        item = self.new.fields.get(name) if kind is ConsequenceKind.ANSWER else None
        return item.label if item else name

    def group_turns(
        self, old: Sequence[Row], new: Sequence[Row]
    ) -> tuple[dict[_Turned, list[int]], list[int]]:
        """Return the places of rows by what became of them, and one place for each."""
        columns = list_columns_compared(self.old, self.new)
        before, after = (
            compute_consequences(model, rows, columns)
            for model, rows in ((self.old, old), (self.new, new))
        )
        found: dict[_Turned, list[int]] = {}
        for what in [what for what in after if what in before]:
            pairs = enumerate(zip(before[what], after[what], strict=True))
            for place, (was, now) in pairs:
                if was != now:
                    turned = self.describe_turn(what, was, now, new[place])
                    found.setdefault(turned, []).append(place)
        ordered = dict(sorted(found.items(), key=lambda item: -len(item[1])))
        return ordered, list(dict.fromkeys(places[0] for places in ordered.values()))

    def describe_turn(self, what: Consequence, was: str, now: str, row: Row) -> _Turned:
        """Return what changed; of a column of a table only how, for each case has its own value."""
        kind, name = what
        if kind is not ConsequenceKind.ON_FILE:
            return kind, name, was, now
        item = self.new.fields[name]
        start = item.format_cell(row[name])
        if start in {was, now}:
            turned = [UNCHANGED if cell == start else CHANGED for cell in (was, now)]
        else:
            turned = [CHANGED, CHANGED_ELSE]
        return kind, item.label, turned[0], turned[1]


def _evaluate_constraints(model: DomainModel, rows: Sequence[Row]) -> list[bool]:
    """Return which rows meet a model's constraints."""
    if not rows or not model.constraints:
        return [True] * len(rows)
    columns = evaluate_all(model.constraints, as_columns(model, rows))
    return [all(met) for met in zip(*(column.tolist() for column in columns), strict=True)]
