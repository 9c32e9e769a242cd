"""A case of which two models make something else: what it is, and what follows in each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.logic.explaining import StoryLine, Storyteller
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.walking import Walk, list_names_used
from sopforge.pipeline.changes.clauses import Clause
from sopforge.pipeline.changes.known_rows import Row, convert_rows
from sopforge.pipeline.changes.row_consequences import (
    collect_walk_fates,
    format_answers,
    iterate_scored_fields,
)
from sopforge.proof.comparing.asking.fact_words import describe_fact
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.questions import Row as Witness

SAME_REASON = "the same rules and edges decide"
_NOTHING = StoryLine("")
_DRAWN = 50
"""How many drawn rows are tried for what the solver was not asked about."""


@dataclass(frozen=True, slots=True)
class FiledRecord:
    """Columns of a record of a table, as cells."""

    table: str
    key: str
    columns: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Decided:
    """What a model makes of a case: the answers, the steps of the path, and what decided.

    The reason is the first rule, edge, check or effect at which the two models part, ``item`` names
    it as traces do, and ``clause`` is the passage of the SOP that states it. ``on_file`` is what
    tables hold at the end that they did not at the beginning, ``actions`` what became of each.
    """

    answers: Mapping[str, str]
    path: tuple[str, ...]
    reason: str
    item: str = ""
    clause: Clause | None = None
    on_file: tuple[FiledRecord, ...] = ()
    actions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Example:
    """A case of which something else is made; ``source`` says who found it.

    ``records`` are the records of tables that the case reads, as they are at the beginning.
    ``says`` are clauses that state the case, and ``labels`` what people call its answers.
    """

    source: str
    case: Mapping[str, str]
    old: Decided
    new: Decided
    records: tuple[FiledRecord, ...] = ()
    says: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def other_answers(self) -> tuple[str, ...]:
        """The outcomes that are not the same."""
        return _list_differing(self.old.answers, self.new.answers)

    @property
    def other_actions(self) -> tuple[str, ...]:
        """The actions of both that one model alone carries out, or refuses for another reason."""
        return _list_differing(self.old.actions, self.new.actions)

    @property
    def has_other_records(self) -> bool:
        """Whether something else is on file at the end."""
        return self.old.on_file != self.new.on_file

    @property
    def turn(self) -> object:
        """What changed, by which examples of the same change are known."""
        answers = [(n, self.old.answers[n], self.new.answers[n]) for n in self.other_answers]
        actions = [(n, self.old.actions[n], self.new.actions[n]) for n in self.other_actions]
        return answers, actions, self.has_other_records


def _list_differing(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(name for name in new if name in old and old[name] != new[name])


@dataclass(frozen=True, slots=True)
class ExampleMaker:
    """Makes examples of two models; ``read`` are the names that their consequences follow from."""

    old: DomainModel
    new: DomainModel
    seed: int
    read: frozenset[str]

    def build_witness_example(self, found: Witness) -> Example:
        """Return the solver's case; what was not asked about is drawn."""
        whole = self.complete_row(found)
        known = convert_rows(self.new, self.old, [whole], self.seed)
        made = self.build_example("the solver", known.rows.get(0, whole), whole)
        # Whom a case refers to is shown, asked or not, for the records are listed by their keys.
        keys = {entity.key for entity in self.new.references if entity.table}
        asked = {n: cell for n, cell in made.case.items() if n in found.cells or n in keys}
        return replace(made, case=asked)

    def complete_row(self, found: Witness) -> Row:
        """Return the solver's row with a drawn one's values where it was not asked."""
        rows = [
            self.fill_row(found, row) for row in sample_rows(self.new, self.seed, range(_DRAWN))
        ]
        # References of which nothing was asked may be drawn equal, and what they lead to is not.
        return next(filter(self.is_case, rows), rows[0]) if self.new.ties else rows[0]

    def fill_row(self, found: Witness, drawn: Row) -> Row:
        row: dict[str, object] = {**drawn, **found.values, **found.records}
        for entity in self.new.references:
            if row[entity.name] is None:
                # A record that is not there shows nothing, whatever was drawn for it.
                row |= dict.fromkeys(entity.fields)
        whole: Row = row  # type: ignore[assignment]  # values of fields and marks alone
        return whole

    def is_case(self, row: Row) -> bool:
        return all(holds(condition, row) for condition in self.new.row_conditions)

    def build_example(self, source: str, old: Row, new: Row) -> Example:
        """Return the example of a case, which both models have as a row."""
        walks = label_row(self.old, old), label_row(self.new, new)
        stories = [
            [line for line in Storyteller(model).iterate_story_lines(done) if line.item]
            for model, done in zip((self.old, self.new), walks, strict=True)
        ]
        reasons = next(
            (pair for pair in zip_longest(*stories, fillvalue=_NOTHING) if _is_other(*pair)),
            (_NOTHING, _NOTHING),
        )
        shown = self.list_names_shown(walks)
        cells = _collect_case_cells(self.new, new, shown)
        return Example(
            source=source,
            case=cells,
            old=_explain_decision(self.old, old, walks[0], reasons[0]),
            new=_explain_decision(self.new, new, walks[1], reasons[1]),
            records=_list_records(
                self.new, new, [item for item in self.new.fields.values() if item.name in shown]
            ),
            says=tuple(
                describe_fact(self.new, name, new).clause
                if name in self.new.fields
                else f"there is no record of the {name.replace('_', ' ')}"
                for name in cells
            ),
            labels={item.name: item.label for item in iterate_scored_fields(self.new)},
        )

    def list_names_shown(self, walks: tuple[Walk, Walk]) -> frozenset[str]:
        """Return what an example shows of a case: what the models read.

        Where there are tables, it is what is read on the case's own paths, for a case refers to
        many records and needs few of them.
        """
        if self.new.operations is None:
            return self.read
        pairs = zip((self.old, self.new), walks, strict=True)
        used = {name for model, done in pairs for name in list_names_used(model, done)}
        names = self.read & used
        owners = [self.new.find_owner(name) for name in names]
        return names | {owner.key for owner in owners if owner and owner.table}


def _is_other(old: StoryLine, new: StoryLine) -> bool:
    """Return whether the lines name other rules or edges, or one says that its does not apply."""
    return old.text.partition(":")[0] != new.text.partition(":")[0]


def _collect_case_cells(model: DomainModel, row: Row, read: frozenset[str]) -> dict[str, str]:
    """Return what a case is decided on: what is read of its inputs and of what tools reveal.

    What tables hold is listed by records.
    """
    cells = {
        item.name: item.format_cell(row[item.name])
        for item in model.with_role(*STORED)
        if item.name in read and not item.table and (item.missing or row[item.name] is not None)
    }
    lacking = {
        item.name: "no record"
        for item in model.references
        if not item.table and row[item.name] is None
    }
    marks = {
        item.name: "malformed"
        for item in model.malformable
        if row.get(name_malformed_mark(item.name))
    }
    return {**cells, **lacking, **marks}


def _list_records(
    model: DomainModel, row: Row, columns: Iterable[Field], values: Row | None = None
) -> tuple[FiledRecord, ...]:
    """Return the records that a row shows, each once, with some columns."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    shown = row if values is None else values
    for item in columns:
        owner = model.find_owner(item.name)
        if item.table and owner and row[owner.name] is not None and row[owner.key] is not None:
            record = found.setdefault((item.table, str(row[owner.key])), {})
            record[item.column] = item.format_cell(shown[item.name])
    return tuple(FiledRecord(table, key, cells) for (table, key), cells in sorted(found.items()))


def _explain_decision(model: DomainModel, row: Row, done: Walk, line: StoryLine) -> Decided:
    path = tuple(node for node in done.path if node in model.steps)
    if done.refusal is not None:
        line = StoryLine(f"{model.steps[path[-1]].call} refuses it: {done.refusal.says}")
    elif done.undecided:
        line = StoryLine(f"no rule decides {done.undecided}")
    changed = [model.fields[name] for name in done.changed]
    return Decided(
        format_answers(model, done),
        path,
        line.text.strip() or SAME_REASON,
        line.item,
        on_file=_list_records(model, row, changed, done.changed),
        actions=collect_walk_fates(model, done),
    )
