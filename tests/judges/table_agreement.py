"""The harness of the proof that all readings of a domain with tables agree, frame by frame.

The answers are the reference's, which knows nothing of SOPForge. What differs on a frame is a
disagreement: the walk of the row, the columns, the solver, the answers from tables, the tools.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

from sopforge.artifacts.rendering.tools.module import render_tools
from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Expression,
    Not,
    Presence,
    Read,
    Relation,
    collect_read_fields,
)
from sopforge.language.domain.fields import STORED
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain
from sopforge.language.domain.references import build_sameness
from sopforge.language.domain.tasks import GoldCall
from sopforge.language.domain.values.types import BooleanType, Value
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.tool_calls import Refused
from sopforge.language.logic.walking import Walk as Done
from sopforge.language.logic.walking import collect_outcomes
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.records import read_records, write_records
from sopforge.proof.dataset.sampling.bulk import as_columns, label_columns
from sopforge.proof.dataset.sampling.placing import Places
from sopforge.proof.dataset.sampling.resampling import Resampling
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.dataset.sampling.screening import ByColumns, describe_fault
from sopforge.proof.dataset.tasks.writing import describe_end_state, make_gold_call
from sopforge.proof.dataset.trials.table_answers import TableAnswers
from sopforge.proof.solving.questions import NoRow, Undecided, ask
from sopforge.proof.solving.search.witnesses import find_witness
from sopforge.proof.solving.unfolded_columns import ColumnUnfolder
from sopforge.proof.solving.unfolding import derive_outcomes, unfold
from tests.generators.frames import make_frames
from tests.generators.table_parts import Document
from tests.generators.tables import make_document, write_document
from tests.judges.reference_interpreter import Natural
from tests.judges.reference_tables import Frame, ReferenceTables, Walk

Row = dict[str, "Value | None"]
UNITS = 50_000_000
MOST_FOR_TOOLS = 15
"""On so many frames the tools are asked too, which takes most of the time."""


class DisagreementError(AssertionError):
    """A reading differs from the reference on a frame."""


@dataclass
class Tally:
    """What a run has compared, and how often each thing happened."""

    models: int = 0
    frames: int = 0
    calls: int = 0
    asked: int = 0
    ends: Counter[str] = field(default_factory=Counter)


class Checked:
    """A document with its model, held to the reference on frames."""

    def __init__(self, document: Document, name: str, folder: Path) -> None:
        self.document, self.name, self.folder = document, name, folder
        self.model: DomainModel = read_domain(write_document(document), f"{name}.yaml")
        self.reference = ReferenceTables(document["model"])
        scope: dict[str, Any] = {"__file__": str(folder / "tools.py"), "__name__": "tools"}
        source = render_tools(self.model)
        exec(compile(source, "tools.py", "exec"), scope)  # noqa: S102 - our own output
        self.refusal: type[Exception] = scope["ToolRefusal"]
        self.manager: Any = next(
            item for key, item in scope.items() if key.endswith("Manager") and callable(item)
        )

    def check(self, frames: Sequence[Frame], solver: int, tally: Tally) -> None:
        """Hold all readings to the reference.

        Raises:
            DisagreementError: one of them differs.
        """
        walks = [self.reference.walk(frame) for frame in frames]
        rows = [as_row(self.model, frame) for frame in frames]
        done = [label_row(self.model, row) for row in rows]
        for number, (frame, row) in enumerate(zip(frames, rows, strict=True)):
            ties = [holds(tie, row) for tie in self.model.ties]
            self.compare(number, frame, "ties", ties, [True] * len(ties))
            self.check_walk(number, frame, walks[number], row, done[number])
            self.check_records(number, frame, row)
            if number < MOST_FOR_TOOLS:
                self.check_calls(number, frame, walks[number], row)
            tally.calls += len(walks[number].calls)
            tally.ends.update([walks[number].end, *(call.refusal for call in walks[number].calls)])
        self.check_columns(frames, walks, rows, done)
        self.check_solver(frames[:solver], walks, rows)
        tally.models += 1
        tally.frames += len(frames)
        tally.asked += solver

    def compare(self, number: int, frame: Frame, what: str, found: object, wanted: object) -> None:
        if found != wanted:
            raise DisagreementError(
                f"{self.name}, frame {number}, {what}:\nfound  {found!r}\nwanted {wanted!r}\n"
                f"on {frame}"
            )

    def check_walk(self, number: int, frame: Frame, walk: Walk, row: Row, done: Done) -> None:
        """Hold the walk of a row to the reference: path, calls, outcomes, verdict, end state."""
        model = self.model
        end = done.refusal.code if done.refusal else done.undecided
        self.compare(number, frame, "path", done.path, walk.path)
        self.compare(number, frame, "end", end, walk.end)
        calls = [make_gold_call(model, call) for call in done.calls]
        self.compare(number, frame, "calls", list(map(as_text, calls)), self.list_calls(walk))
        outcomes = {
            name: as_plain(None if value is None else model.fields[name].as_json(value))
            for name, value in collect_outcomes(model, done).items()
        }
        wanted = {name: as_plain(walk.known.get(name)) for name in outcomes}
        self.compare(number, frame, "outcomes", outcomes, wanted)
        changed = describe_end_state(model, row, done)
        self.compare(number, frame, "end state", as_plain(changed), as_plain(walk.changed))

    def list_calls(self, walk: Walk) -> list[str]:
        return [
            as_text(GoldCall(call.tool, call.arguments, call.result, call.refusal))  # type: ignore[arg-type]
            for call in walk.calls
        ]

    def check_records(self, number: int, frame: Frame, row: Row) -> None:
        """Hold what is read back from written records to the row."""
        files = write_records(self.model, [row])
        found = read_records(self.model, files)[str(row[self.model.key])]
        kept = {name: row[name] for name in found}
        self.compare(number, frame, "records", found, kept)

    def check_calls(self, number: int, frame: Frame, walk: Walk, row: Row) -> None:
        """Hold answers from tables and the emitted tools to the reference, call by call."""
        files = write_records(self.model, [row])
        for name, text in files.items():
            (self.folder / name).write_text(text, encoding="utf-8")
        answers, manager = TableAnswers(self.model, files), self.manager()
        state = answers.begin()
        for call in walk.calls:
            tool = answers.model.tools[call.tool]
            given = {
                key: as_argument(value, answers.model.fields[key].missing)
                for key, value in call.arguments.items()
            }
            wanted = call.refusal or as_plain(call.result)
            said, state = answers.answer(tool, given, state)
            code = said.code if isinstance(said, Refused) else ""
            found = code or as_plain({} if isinstance(said, Refused) else self.read_results(said))
            self.compare(number, frame, f"answer of {call.tool}", found, wanted)
            try:
                found = as_plain(self.read_results(manager.process_tool_call(call.tool, given)))
            except self.refusal as refusal:
                found = refusal.code  # type: ignore[attr-defined]
            self.compare(number, frame, f"tool {call.tool}", found, wanted)
        changed = as_plain(answers.describe_changes(state))
        self.compare(number, frame, "changes", changed, as_plain(walk.changed))
        for table, records in walk.changed.items():
            for key, columns in records.items():
                held = manager._tables[table][key]  # noqa: SLF001 - what the tables hold
                found = {name: as_plain(held[name]) for name in columns}
                wanted = as_plain(columns)
                self.compare(number, frame, f"{table} {key} of the tools", found, wanted)

    def read_results(self, said: Mapping[str, object]) -> dict[str, object]:
        """Return results with nothing in the place of words for what is missing."""
        fields = self.model.offered.fields
        return {
            name: None if fields[name].missing and value == fields[name].missing else value
            for name, value in said.items()
        }

    def check_columns(
        self,
        frames: Sequence[Frame],
        walks: Sequence[Walk],
        rows: Sequence[Row],
        done: Sequence[Done],
    ) -> None:
        """Hold what columns say of outcomes, paths and faults to the reference."""
        model = self.model
        columns = as_columns(model, rows)
        places = list(ColumnUnfolder(columns, model).unfold())
        names = [item.name for item in model.outcomes]
        merged = ColumnUnfolder(columns, model).merge_at_ends(places, names)
        verdicts = ByColumns(model, unfold(model)).judge_rows(columns)
        labels = label_columns(model, columns)
        for number, (frame, walk) in enumerate(zip(frames, walks, strict=True)):
            wanted = describe_fault(done[number]) or tuple(walk.path)
            self.compare(number, frame, "verdict by columns", verdicts[number], wanted)
            if walk.end:
                continue
            for name in names:
                expected = as_held(walk.known.get(name), model.fields[name].type)
                if expected is None:
                    continue
                by_label = int(labels[name].values[number])
                self.compare(number, frame, f"label of {name}", by_label, expected)
                by_place = (
                    int(merged[name].value[number])
                    if merged[name].value.ndim
                    else int(merged[name].value)
                )
                self.compare(number, frame, f"column of {name}", by_place, expected)

    def check_solver(
        self, frames: Sequence[Frame], walks: Sequence[Walk], rows: Sequence[Row]
    ) -> None:
        """Hold the solver to the reference: a row that is pinned has no other outcome."""
        model = self.model
        places = unfold(model)
        outcomes = derive_outcomes(model, places)
        for number, (frame, walk) in enumerate(zip(frames, walks, strict=False)):
            pins = list(pin_row(model, rows[number]))
            for name, item in outcomes.items():
                expected = as_held(walk.known.get(name), model.fields[name].type)
                if walk.end or expected is None:
                    continue
                kind = model.fields[name].type
                right = Compare(Relation.EQ, item.value, Constant(kind, expected))
                for wanted, condition in ((True, right), (False, Not(right))):
                    answer = ask(model, [*pins, condition], units=UNITS)
                    found = not isinstance(answer, NoRow)
                    self.compare(number, frame, f"solver on {name} ({wanted})", found, wanted)
            if walk.end in model.decisions:
                continue  # to what is undecided, conditions say nothing
            for step in {place.step.id for place in places if place.step.end is not None}:
                at_step = [place.reached for place in places if place.step.id == step]
                answer = ask(model, [*pins, AnyOf(tuple(at_step))], units=UNITS)
                found, wanted = not isinstance(answer, NoRow), walk.path[-1] == step
                self.compare(number, frame, f"solver at {step}", found, wanted)


def pin_row(model: DomainModel, row: Row) -> Iterable[Any]:
    """Yield conditions that only one row meets."""
    for entity in model.references:
        there = Presence(entity.name)
        if model.may_lack(entity):
            yield there if row[entity.name] is not None else Not(there)
    for item in model.with_role(*STORED):
        value = row.get(item.name)
        if value is None:
            owner = model.find_owner(item.name)
            is_held = owner is None or owner is model.case or row[owner.name] is not None
            if item.missing and is_held:
                yield Not(Presence(item.name))
            continue
        read, constant = Read(item.type, item.name), Constant(item.type, value)
        if isinstance(item.type, BooleanType):
            equal: Any = read if value else Not(read)
        else:
            equal = Compare(Relation.EQ, read, constant)
        yield AllOf((Presence(item.name), equal)) if item.missing else equal


# ---------------------------------------------------------------------------------------- values


def as_row(model: DomainModel, frame: Frame) -> Row:
    """Return the row of a frame: what the case can come to read."""
    row: Row = {
        name: as_value(model, name, value)
        for name, value in frame.case.items()
        if name in model.fields
    }
    for entity in model.references:
        key = row[entity.key]
        record = None if key is None else frame.tables[entity.table].get(str(key))
        row[entity.name] = None if record is None else 1
        for name in entity.fields:
            column = model.fields[name].column
            row[name] = None if record is None else as_value(model, name, record[column])
    return row


def as_value(model: DomainModel, name: str, value: Natural | None) -> Value | None:
    """Return a value as rows hold it."""
    return None if value is None else as_held(value, model.fields[name].type)


def as_held(value: object, kind: object = None) -> Any:  # noqa: ANN401 - of any kind
    """Return a value as rows and tools hold it: labels as their numbers where a kind is given."""
    if isinstance(value, bool):
        return int(value) if kind is not None else value
    if isinstance(value, Fraction):
        return int(value)
    labels = getattr(kind, "values", None)
    return labels.index(value) if labels and value is not None else value


def as_argument(value: Natural | None, missing: str) -> object:
    """Return a value as calls carry it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return int(value) if isinstance(value, Fraction) else (missing if value is None else value)


def as_plain(value: Any) -> Any:  # noqa: ANN401 - of any kind
    """Return a value, or a frame of such, so that numbers and words of all origins compare."""
    if isinstance(value, Mapping):
        return {name: as_plain(part) for name, part in value.items()}
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float | Decimal | Fraction):
        return Fraction(str(value))
    return None if value == "not given" else value


def as_text(call: GoldCall) -> str:
    return repr(
        (
            call.tool,
            sorted(as_plain(call.arguments).items()),
            sorted(as_plain(call.result).items()),
            call.refusal,
        )
    )


def check_number(number: int, frames: int, solver: int, folder: Path, tally: Tally) -> None:
    """Hold the readings of the domain of a number to the reference.

    Raises:
        DisagreementError: one of them differs.
    """
    document = make_document(number)
    Checked(document, f"tables {number}", folder).check(
        make_frames(document, frames, number), solver, tally
    )


# ------------------------------------------------------------------------------------ other rows


def check_rows(number: int, count: int, witnesses: int) -> int:
    """Hold drawn rows, and rows that the solver makes of them, to what is true of every row.

    References that are equal lead to one record, rows that share a record agree in it, and rows are
    read back from the records that are written of them. Return how many rows the solver made.

    Raises:
        DisagreementError: one of them does not hold.
    """
    name = f"tables {number}"
    model = read_domain(write_document(make_document(number)), f"{name}.yaml")
    rows = sample_rows(model, number, range(count))
    for row in rows:
        _check_row(model, name, row)
    places, again = Places(model, number), Resampling(model, number, rows)
    made: list[Row] = []
    # As where goals are met: from a row that lacks no record.
    full = [row for row in rows if all(row[entity.name] for entity in model.references)]
    for turn, condition in enumerate(list_aliasing_conditions(model) if full else ()):
        for place in range(turn, turn + witnesses):
            drawn = full[place % len(full)]
            goal = f"{turn} {place}"
            found = find_witness(model, condition, drawn)
            if isinstance(found, NoRow | Undecided):
                continue
            _check_row(model, name, found, condition)
            redrawn, like = again.redraw_row(
                found, drawn, condition, goal, lambda row: not places.has_key_clash(row)
            )
            _check_row(model, name, redrawn, condition)
            own = places.with_own_records(dict(redrawn), like, goal)
            placed = places.with_own_texts(own, goal)
            _check_row(model, name, placed, condition)
            made += [] if places.has_key_clash(placed) else [placed]
    # A key that was free when a reference led nowhere may have a record by now.
    kept = [row for row in (*rows, *made) if not places.has_key_clash(row)]
    try:
        files = write_records(model, kept)
    except ValueError as cause:
        raise DisagreementError(f"{name}: {cause}") from cause
    back = read_records(model, files)
    for row in kept:
        found_row = back[str(row[model.key])]
        differing = {
            key: (row[key], found_row[key]) for key in found_row if row[key] != found_row[key]
        }
        if differing:
            raise DisagreementError(f"{name}: {differing} were read back differently, of {row}")
    return len(made)


def _check_row(
    model: DomainModel, name: str, row: Mapping[str, Value | None], *conditions: Expression
) -> None:
    for condition in (*model.row_conditions, *conditions):
        if not holds(condition, row):
            read = {key: row[key] for key in sorted(collect_read_fields(condition))}
            raise DisagreementError(f"{name}: a condition does not hold on {read}")


def list_aliasing_conditions(model: DomainModel) -> list[Expression]:
    """Return that references are one record, or two, alone and with what a record holds."""
    found: list[Expression] = []
    for one, other in combinations(model.references, 2):
        if one.table != other.table:
            continue
        holders = [model.find_owner(entity.key) for entity in (one, other)]
        held_by = [Presence(part.name) for part in holders if part and part is not model.case]
        # A key that stands in a record can be read only where that record is.
        same = AllOf((*held_by, build_sameness(one, other, model.fields)))
        apart = AllOf((*held_by, Not(build_sameness(one, other, model.fields))))
        there = AllOf((Presence(one.name), Presence(other.name)))
        found += [AllOf((same, there)), AllOf((apart, there))]
        held = next(item for item in one.fields if model.fields[item].column == "amount_held")
        kind = model.fields[held].type
        full = Compare(Relation.EQ, Read(kind, held), Constant(kind, 3))
        found += [AllOf((same, there, full)), AllOf((apart, there, full))]
        found += [AllOf((same, Not(Presence(other.name))))]
    return found
