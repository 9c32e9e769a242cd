"""Layout: what takes effect is what was meant, and what is named is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sopforge.checks.auditing.rule import AuditRule, Spot
from sopforge.checks.auditing.subject import Subject
from sopforge.findings import Severity
from sopforge.harness.scoring.sop_bench_package import TEST_SETS

METADATA = "metadata.json"
_FILE = re.compile(r"[\w./-]+\.(?:png|jpe?g|gif|webp|pdf|mp4|wav|mp3|csv|json|txt)", re.IGNORECASE)
_ASKED = "test_set_without_outputs.csv"


def find_shown_answers(subject: Subject) -> Iterator[Spot]:
    """Find answers in what the agent is given: the whole row, or a table meant for it."""
    if subject.peer.is_legacy and subject.truths:
        truth = subject.peer.output_columns[0]
        message = (
            f"the package lacks a column list, so the agent sees every column, including '{truth}'"
        )
        yield Spot(message, METADATA)
    names = set(subject.metadata.get("output_columns", ()))
    for name, rows in subject.tables.items():
        leaked = names & set(rows[0] if rows else ())
        if leaked and name not in TEST_SETS and rows != subject.rows:
            yield Spot(f"{name} has the answer column '{min(leaked)}'", name)


def find_columns_in_both(subject: Subject) -> Iterator[Spot]:
    """Find columns that are listed as input and as output; they take effect as output."""
    asked = subject.metadata.get("input_columns", ())
    for name in set(asked) & set(subject.metadata.get("output_columns", ())):
        yield Spot(f"'{name}' is listed as input and as output; agents do not see it", METADATA)


def find_absent_inputs(subject: Subject) -> Iterator[Spot]:
    """Find listed inputs that no agent gets, because the table lacks them."""
    for name in subject.metadata.get("input_columns", ()):
        if name not in subject.columns:
            yield Spot(f"the table has no input column '{name}'", METADATA)


def find_wrong_counts(subject: Subject) -> Iterator[Spot]:
    """Find declared counts that are not those of the files."""
    counts = {"num_tasks": len(subject.rows), "num_tools": len(subject.peer.toolspecs)}
    for name, count in counts.items():
        declared = subject.metadata.get(name) or count
        if declared != count:
            yield Spot(f"{name} is {declared}, but the files have {count}", METADATA)


def find_missing_files(subject: Subject) -> Iterator[Spot]:
    """Find columns whose cells name files of which the package lacks some."""
    for name in subject.peer.input_columns:
        named = [row[name] for row in subject.rows if _FILE.fullmatch(row[name])]
        missing = [cell for cell in named if cell.lstrip("/") not in subject.names]
        if missing:
            message = (
                f"{len(missing)} of {len(named)} files named by '{name}'"
                f" {'is' if len(missing) == 1 else 'are'} missing"
            )
            yield Spot(message, subject.test_set, missing[0])


def find_other_inputs(subject: Subject) -> Iterator[Spot]:
    """Find inputs that differ between the table without answers and the one with them.

    Tables that share no task, by the first input, are of two sets of tasks.
    """
    without, names = subject.tables.get(_ASKED, ()), subject.peer.input_columns
    keys = {row[names[0]] for row in subject.rows}
    if not any(asked.get(names[0]) in keys for asked in without):
        return
    if len(without) != len(subject.rows):
        message = (
            f"it has {len(without)} row{'s' * (len(without) != 1)}, but {subject.test_set} has"
            f" {len(subject.rows)}"
        )
        yield Spot(message, _ASKED)
        return
    for place, (asked, row) in enumerate(zip(without, subject.rows, strict=True)):
        other = [name for name in names if asked.get(name) != row[name]]
        if other:
            message = f"'{other[0]}' of task {place} differs from its value in {subject.test_set}"
            yield Spot(message, _ASKED, f"{asked.get(other[0])!r}, not {row[other[0]]!r}")
            return


RULES = (
    AuditRule(
        "answer-shown",
        find_shown_answers,
        "add both column lists to metadata.json, and remove answers from tables for agents",
    ),
    AuditRule(
        "column-in-both-lists",
        find_columns_in_both,
        "list the column only as input or only as output",
    ),
    AuditRule("input-column-absent", find_absent_inputs, "list only columns that the table has"),
    AuditRule(
        "count-differs", find_wrong_counts, "correct the count, or leave it out", Severity.WARNING
    ),
    AuditRule("named-file-missing", find_missing_files, "add the files, or remove the column"),
    AuditRule("inputs-differ", find_other_inputs, "write both tables from the same rows"),
)
