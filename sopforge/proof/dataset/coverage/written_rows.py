"""Rows that a language model wrote: which are asked for, and what becomes of each.

Its labels are never the language model's: a row is read by the types of its fields, checked against
the constraints, and walked by the model of the procedure. Identifiers, and texts that are like
something, are drawn. A row that takes another path than it was asked for is a case as good as any,
and is used for the path that it takes; the path that it was asked for is asked for again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain import tasks as stored
from sopforge.language.domain.documents.schema import DatasetDocument
from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.text_facts import build_text_facts
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.language.domain.values.types import TextType, Value, ValueNotAllowedError
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.coverage.goal_rows import NO_KEY, GoalRows
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.completions import DETERMINED
from sopforge.proof.dataset.sampling.placing import NoKeyLeftError, Places
from sopforge.proof.dataset.sampling.screening import BROKEN, Path, describe_fault, trace_paths
from sopforge.seeds import draw

WRITTEN = stored.WRITTEN
MOST_PATHS, MOST_A_PATH, SHARE = 12, 5, 4
NOT_GIVEN = "it was not given"
ALIKE = "another row is alike"
UNFIT = "a text presupposes what the record does not show"
Cells: TypeAlias = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A control path for which so many rows are asked for."""

    path: Path
    count: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A row that was asked for: its cells, the path it takes, or why it was rejected."""

    asked_for: Path
    round: int
    cells: Cells = field(default_factory=dict)
    taken: Path = ()
    reason: str = ""


def choose_wanted_paths(model: DomainModel, asked: DatasetDocument) -> list[Wanted]:
    """Return the paths for which rows are asked for, a quarter of the tasks at most.

    They are paths of drawn rows with all their records and nothing malformed. In a natural mix they
    are asked for as often as such rows take them, else alike.
    """
    rows = GoalRows(model, Places(model, asked.seed))
    rows.fill_pool()
    most = asked.n_samples // SHARE
    found = Counter(trace_paths(model, [row for row in rows.pool if rows.is_full(row)]))
    ordered = sorted(found, key=lambda path: (draw(asked.seed, "written", *path), path))
    if asked.mix == "natural":
        # Sorting is stable: among equally frequent paths, the drawn order stays.
        ordered.sort(key=lambda path: -found[path])
    chosen = ordered[: min(MOST_PATHS, most)]
    each = min(MOST_A_PATH, most // max(len(chosen), 1))
    drawn = sum(found[path] for path in chosen)
    counts = {
        path: len(chosen) * each * found[path] // drawn if asked.mix == "natural" else each
        for path in chosen
    }
    return [Wanted(path, count) for path, count in counts.items() if count]


def list_stated_fields(model: DomainModel) -> list[Field]:
    """Return the fields whose values are written; the others are drawn."""
    keys = {entity.key for entity in model.entities.values()}
    return [
        item
        for item in model.with_role(*STORED)
        if item.name not in keys
        and not (isinstance(item.type, TextType) and not item.type.pool)
        and not item.sampling.unique
    ]


@dataclass(slots=True)
class WrittenRows:
    """Makes candidates of written cells, beside those made before."""

    rows: GoalRows
    shown: set[str] = field(default_factory=set)
    made: int = 0

    def build_candidate(self, cells: Cells) -> Candidate | str:
        """Return a row that may be a task, or why it may not."""
        values = self.read(cells)
        if isinstance(values, str):
            return values
        # Numbered by those accepted, so that the accepted cells alone lead to the same rows again.
        name, model = f"{WRITTEN}{self.made + 1}", self.rows.model
        base = self.rows.draw_full_row(name)
        places = self.rows.places
        try:
            own = places.with_own_records({**base, **values}, base, name)
            row = places.with_own_texts(own, name)
        except NoKeyLeftError:
            return NO_KEY
        if reason := _find_broken_condition(model, row):
            return reason
        done = label_row(model, row)
        is_determined = self.rows.completions.is_determined(row)
        if reason := describe_fault(done) or (DETERMINED if is_determined else ""):
            return reason
        # Without a number yet: only rows that are accepted use one up.
        found = Candidate("", name, 0, row, done)
        if found.format_visible_data(model) in self.shown:
            return ALIKE
        self.shown.add(found.format_visible_data(model))
        self.made += 1
        return places.make_candidate(name, row, done)

    def read(self, cells: Cells) -> dict[str, Value | None] | str:
        """Return the values of cells by the fields' types, or what is wrong with them."""
        items = list_stated_fields(self.rows.model)
        strange = sorted(set(cells) - {item.name for item in items})
        if strange:
            return f"'{strange[0]}' is no field to be stated"
        values: dict[str, Value | None] = {}
        for item in items:
            if item.name not in cells:
                return f"'{item.name}' is not stated"
            try:
                values[item.name] = value = item.parse(cells[item.name])
            except ValueNotAllowedError as cause:
                return f"'{item.name}': {cause}"
            pool = item.type.pool if isinstance(item.type, TextType) else ()
            if pool and value is not None and value not in pool:
                return f"'{item.name}': {value!r} is none of its texts"
            if item.malformed and value is not None and is_malformed(item.type, value):
                return f"'{item.name}' is malformed"
        return values


def _find_broken_condition(model: DomainModel, row: Mapping[str, Value | None]) -> str:
    for test in model.constraints:
        if not holds(test, row):
            return f"{BROKEN}: {phrase_expression(test, model.fields)}"
    return "" if all(holds(test, row) for test in build_text_facts(model)) else UNFIT


@dataclass(slots=True)
class RowBook:
    """What was asked for, row by row, and what became of it."""

    entries: list[Entry] = field(default_factory=list)
    surplus: int = 0

    def judge(
        self, rows: WrittenRows, wanted: Wanted, number: int, given: Sequence[Cells], count: int
    ) -> list[Entry]:
        """Note ``count`` rows of a round, those that were not given too; return their entries."""
        noted = []
        for cells in given[:count]:
            found = rows.build_candidate(cells)
            is_row = isinstance(found, Candidate)
            taken = tuple(found.walk.path) if isinstance(found, Candidate) else ()
            reason = "" if is_row else str(found)
            noted.append(Entry(wanted.path, number, dict(cells), taken, reason))
        lacking = Entry(wanted.path, number, reason=NOT_GIVEN)
        noted += [lacking] * (count - len(noted))
        self.surplus += max(0, len(given) - count)
        self.entries += noted
        return noted

    def as_json(self) -> str:
        """Return the book as stored; asked are those accepted and those rejected."""
        accepted = [entry for entry in self.entries if not entry.reason]
        reasons = Counter(entry.reason for entry in self.entries if entry.reason)
        report = {
            "asked": len(self.entries),
            "accepted": len(accepted),
            "rejected": len(self.entries) - len(accepted),
            "other_path": sum(entry.taken != entry.asked_for for entry in accepted),
            "surplus": self.surplus,
            "reasons": dict(sorted(reasons.items())),
            "rows": [
                {
                    "asked_for": " > ".join(entry.asked_for),
                    "round": entry.round,
                    **({"reason": entry.reason} if entry.reason else {}),
                    **({"taken": " > ".join(entry.taken)} if entry.taken else {}),
                    "cells": dict(entry.cells),
                }
                for entry in self.entries
            ],
        }
        return json.dumps(report, indent=1, ensure_ascii=False) + "\n"


def read_accepted_cells(book: str) -> list[Cells]:
    """Return the cells of the rows that a stored book says were accepted; none of no book."""
    if not book:
        return []
    return [row["cells"] for row in json.loads(book)["rows"] if not row.get("reason")]


def with_tasks(book: str, tasks: Iterable[Candidate]) -> str:
    """Return a stored book with the number of its rows that are tasks."""
    report: dict[str, Any] = json.loads(book)
    report["tasks"] = sum(task.key.startswith(WRITTEN) for task in tasks)
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"


def build_accepted_candidates(rows: GoalRows, cells: Iterable[Cells]) -> list[Candidate]:
    """Return accepted rows as candidates.

    Raises:
        MaterialError: a row is not accepted any more, for it or the model is another one.
    """
    making, found, faults = WrittenRows(rows), list[Candidate](), list[Fault]()
    for number, part in enumerate(cells, start=1):
        made = making.build_candidate(part)
        if isinstance(made, str):
            message = f"the accepted row {number} is none of this domain: {made}"
            faults.append(Fault("row-not-sound", message, "rows_asked.json", "restore the file"))
        else:
            found.append(made)
    if faults:
        raise MaterialError(*faults)
    return found
