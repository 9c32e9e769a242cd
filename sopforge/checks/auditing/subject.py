"""A package under audit: as SOP-Bench reads it, as it is written, and as its tools answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sopforge.checks.auditing.trials import Trials, try_tools
from sopforge.packaging.sop_bench import GRADER_MODEL
from sopforge.scoring.sop_bench_package import TEST_SETS, PeerPackage, read_package
from sopforge.untrusted.tables import read_table

LARGEST = 16 * 1024**2
"""In bytes: a larger file is not handed to tools."""


@dataclass(frozen=True)
class Subject:
    """A package; ``rows`` are the cells of its test set as they are written, ``tools`` its code."""

    folder: Path
    peer: PeerPackage
    test_set: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]
    tools: str

    @cached_property
    def metadata(self) -> Mapping[str, Any]:
        """What metadata.json says."""
        file = self.folder / "metadata.json"
        return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}

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
        return try_tools(self.peer, self.facts, {"tools.py": self.tools.encode(), **self._data})

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
        """The files beside the tools that their code names: no other is ever given to them."""
        found = [path for path in sorted(self.folder.iterdir()) if path.is_file()]
        return {
            path.name: path.read_bytes()
            for path in found
            if path.name in self.tools and path.name != "tools.py"
            if path.stat().st_size <= LARGEST
        }


def read_subject(folder: Path) -> Subject:
    """Return the package in a folder; one without tools is audited without them.

    Raises:
        PackageUnreadableError: SOP-Bench could not load it.
    """
    code = folder / "tools.py"
    peer = read_package(folder, with_tools=code.is_file())
    test_set = next(name for name in TEST_SETS if (folder / name).is_file())
    rows = _read_rows(folder / test_set)
    tools = code.read_text(encoding="utf-8-sig", errors="replace") if code.is_file() else ""
    return Subject(folder, peer, test_set, tuple(rows[0]), rows, tools)


def _read_rows(file: Path) -> tuple[Mapping[str, str], ...]:
    return tuple(read_table(file.read_bytes().decode("utf-8-sig", "replace"), str(file)))


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
