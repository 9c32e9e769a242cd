"""A package under audit: as SOP-Bench reads it, as it is written, and as its tools answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sopforge.artifacts.packaging.sop_bench import GRADER_MODEL
from sopforge.checks.auditing.trials import Trials, try_tools
from sopforge.errors import Fault
from sopforge.harness.scoring.sop_bench_package import (
    TEST_SETS,
    PeerPackage,
    read_named_files,
    survey_package,
)
from sopforge.sandbox.libraries import find_libraries
from sopforge.untrusted.tables import read_table
from sopforge.untrusted.texts import read_any_text, read_text


@dataclass(frozen=True)
class Subject:
    """A package; ``rows`` are the cells of its test set as they are written, ``tools`` its code."""

    folder: Path
    peer: PeerPackage
    test_set: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]
    tools: str
    faults: tuple[Fault, ...] = ()

    @cached_property
    def metadata(self) -> Mapping[str, Any]:
        """What metadata.json says."""
        file = self.folder / "metadata.json"
        try:
            found = json.loads(read_text(file)) if file.is_file() else {}
        except ValueError:  # a fault of its own
            return {}
        return found if isinstance(found, dict) else {}

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all files, from the top on."""
        paths = (path for path in self.folder.rglob("*") if path.is_file())
        return frozenset(path.relative_to(self.folder).as_posix() for path in paths)

    @cached_property
    def truths(self) -> dict[str, list[str]]:
        """The answers of all tasks by output column, as they are written."""
        return {name: [row[name] for row in self.rows] for name in self.peer.output_columns}

    @cached_property
    def tables(self) -> dict[str, tuple[Mapping[str, str], ...]]:
        """The rows of all CSV files at the top, by file name."""
        return {file.name: _read_rows(file) for file in sorted(self.folder.glob("*.csv"))}

    @cached_property
    def facts(self) -> tuple[Mapping[str, str], ...]:
        """What is on record about each task: its row, and rows of other files with its key."""
        others = [table for name, table in self.tables.items() if name not in TEST_SETS]
        indexes = [index for table in others for index in _index_by_key(table, set(self.columns))]
        return tuple({**_join_records(row, indexes), **row} for row in self.rows)

    @cached_property
    def trials(self) -> Trials:
        """What the tools answer, run in the sandbox; nothing where there are none."""
        if not self.tools:
            return Trials()
        files = {"tools.py": self.tools.encode(), **self._data}
        return try_tools(self.peer, self.facts, files, self.libraries, have_model=self.has_model)

    @cached_property
    def libraries(self) -> frozenset[str]:
        """The libraries that the tools are given: those of our own have Python's alone."""
        return frozenset() if self.has_model else find_libraries(self.tools)

    @property
    def has_model(self) -> bool:
        """Whether the package has the model that its tools were made from."""
        return (self.folder / GRADER_MODEL).is_file()

    @property
    def decided(self) -> set[str]:
        """The columns that the agent works out, as far as the package says so."""
        columns = self.metadata.get("columns", {})
        said = {name for name, column in columns.items() if column.get("role") == "outcome"}
        return said | set(self.peer.output_columns)

    @property
    def _data(self) -> dict[str, bytes]:
        return read_named_files(self.folder, self.tools)


def read_subject(folder: Path) -> Subject:
    """Return the package in a folder; one without tools is audited without them.

    What keeps SOP-Bench from loading it is in ``faults``; the rest is audited all the same.

    Raises:
        PackageUnreadableError: it has no table of tasks that can be read.
    """
    code = folder / "tools.py"
    peer, faults = survey_package(folder, with_tools=code.is_file())
    test_set = next(name for name in TEST_SETS if (folder / name).is_file())
    rows = _read_rows(folder / test_set)
    tools = read_any_text(code) if code.is_file() else ""
    return Subject(folder, peer, test_set, tuple(rows[0]), rows, tools, faults)


def _read_rows(file: Path) -> tuple[Mapping[str, str], ...]:
    return tuple(read_table(read_any_text(file), str(file)))


def _index_by_key(
    table: tuple[Mapping[str, str], ...], columns: set[str]
) -> Iterator[tuple[str, dict[str, Mapping[str, str]]]]:
    """Return the rows of a table by its key: the first column, where no two rows share a cell."""
    names = list(table[0]) if table else []
    for name in names[:1]:
        index = {row[name]: row for row in table}
        if len(index) == len(table) and (name in columns or len(names) > 1):
            yield name, index


def _join_records(
    row: Mapping[str, str], indexes: list[tuple[str, dict[str, Mapping[str, str]]]]
) -> dict[str, str]:
    """Return the cells of the records that a row refers to, and that those refer to."""
    found = dict(row)
    # A record may refer to one in a table that was joined before: so many rounds reach all.
    for _ in indexes:
        for name, index in indexes:
            found = {**index.get(found.get(name, ""), {}), **found}
    return found
