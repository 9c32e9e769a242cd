"""A package of others: it has no model, so that it is served from its tools and its columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from sopforge.checks.auditing.arguments import as_argument, get_parameter_schemas
from sopforge.errors import PackageUnreadableError
from sopforge.evaluation.packages.guessing import guess_kind, guess_outcome
from sopforge.evaluation.packages.mapping import (
    MAPPING,
    CallDocument,
    MappingDocument,
    OutcomeDocument,
    PackageMapping,
    find_own_mapping,
    read_mapping,
    require_fitting,
    require_values,
)
from sopforge.evaluation.packages.package import GoldTask
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.shown import Shown, ShownTask, ShownTool
from sopforge.harness.environment.tools_service import History, ToolsService
from sopforge.harness.grading.grades import Attempt, Grade
from sopforge.harness.grading.published import Arguments, Parameter, Wanted, grade_published
from sopforge.harness.grading.published_outcomes import AnswerKind, Outcome
from sopforge.harness.scoring.sop_bench_package import (
    TEST_SETS,
    PeerPackage,
    PeerTool,
    read_named_files,
    survey_package,
)
from sopforge.language.domain.tasks import GoldCall
from sopforge.sandbox.answers import JSON, as_json
from sopforge.sandbox.libraries import find_libraries
from sopforge.store.digests import digest_files
from sopforge.untrusted.tables import read_table
from sopforge.untrusted.texts import read_any_text

TOOLS = "tools.py"
_BEARABLE = frozenset({"output-column-missing", "manager-ambiguous"})
"""What keeps SOP-Bench from loading a package, and does not keep agents from being run on it."""
_FILES = ("sop.txt", "toolspecs.json", "metadata.json", TOOLS)
Row = Mapping[str, str]


@dataclass(frozen=True)
class PublishedPackage:
    """Both sides of a package of others; ``rows`` are the table's cells as written, by task.

    ``assumptions`` say in plain words what neither the package nor a mapping says.
    """

    shown: Shown
    peer: PeerPackage
    rows: Mapping[str, Row]
    outcomes: tuple[Outcome, ...]
    calls: tuple[CallDocument, ...] | None
    libraries: frozenset[str]
    assumptions: tuple[str, ...]

    @cached_property
    def texts(self) -> frozenset[Parameter]:
        """The parameters that expected calls give texts, and no numbers written as texts."""
        schemas = {tool.name: get_parameter_schemas(tool) for tool in self.peer.toolspecs}
        return frozenset(
            (call.tool, name)
            for call in self.calls or ()
            for name, column in call.arguments.items()
            if _are_texts(schemas[call.tool].get(name, {}), _list_cells(self.rows, column))
        )

    @property
    def digest(self) -> str:
        """A digest of all that decides attempts and grades, the answers and mapping included."""
        return self.shown.digest

    def grade(self, task: str, attempt: Attempt) -> Grade:
        """Return the grade of an attempt at a task."""
        peer = self.peer.tasks[list(self.rows).index(task)]
        columns = self.peer.output_columns
        wanted = Wanted(self.rows[task], self.list_calls(task), peer, columns, self.texts)
        return grade_published(self.outcomes, wanted, attempt)

    def describe_layers(self, task: str) -> Mapping[str, JSON]:  # noqa: ARG002 - protocol
        """Return nothing: there are no layers."""
        return {}

    def describe_gold(self, task: str) -> GoldTask:
        """Return the expected calls and the cells of a task; what tools reply, nobody says."""
        row = self.rows[task]
        calls = tuple(
            GoldCall(name, cast("Any", given), {}) for name, given in self.list_calls(task) or ()
        )
        outcomes = {item.name: row[item.name].strip() or item.missing for item in self.outcomes}
        return GoldTask(self.shown.tasks[task].text, calls, outcomes)

    def list_calls(self, task: str) -> list[tuple[str, Arguments]] | None:
        """Return the calls that are expected of a task, None where nobody says."""
        if self.calls is None:
            return None
        row = self.rows[task]
        tools = {tool.name: tool for tool in self.peer.toolspecs}
        return [
            (call.tool, _build_arguments(tools[call.tool], call, row))
            for call in self.calls
            if all(row[column] in cells for column, cells in call.when.items())
        ]

    @contextmanager
    def open_environment(self) -> Iterator[Environment[History]]:
        """Open the environment in which the published tools answer.

        Nobody says whether they keep a state, so that each session has a process of its own.
        """
        with ToolsService(
            self.shown.files, keep_state=True, libraries=self.libraries, is_lenient=True
        ) as service:
            yield Environment(self.shown, service)


def read_published(folder: Path, mapping: PackageMapping | None = None) -> PublishedPackage:
    """Return the package in a folder, with a mapping or the one that lies in it.

    Raises:
        PackageUnreadableError: a file is missing or malformed, or there is nothing to answer.
        MaterialError: the mapping names what the package does not have.
    """
    peer, faults = survey_package(folder)
    if fatal := [fault for fault in faults if fault.code not in _BEARABLE]:
        raise PackageUnreadableError(*fatal)
    test_set = next(name for name in TEST_SETS if (folder / name).is_file())
    rows = _read_rows(folder / test_set)
    found = mapping or _find_mapping(folder, peer, list(rows["0"]))
    if found:
        tools = {tool.name: list(get_parameter_schemas(tool)) for tool in peer.toolspecs}
        require_fitting(found, list(rows["0"]), tools, peer.output_columns)
    outcomes = tuple(_build_outcomes(peer, found, rows))
    if found:
        require_values(found, outcomes, rows)
    if not outcomes:
        raise PackageUnreadableError(*faults)
    source = read_any_text(folder / TOOLS)
    files = {TOOLS: source.encode(), **read_named_files(folder, source)}
    # All that decides what agents see, are answered, and are graded by.
    identity = {name: (folder / name).read_bytes() for name in _FILES if (folder / name).is_file()}
    identity |= {**files, test_set: (folder / test_set).read_bytes()}
    identity |= {MAPPING: found.text.encode()} if found else {}
    inputs = _choose_inputs(peer, found, outcomes)
    shown = Shown(
        peer.name,
        digest_files(identity),
        peer.sop,
        tuple(_show_tool(tool) for tool in peer.toolspecs),
        {id_: _show_task(id_, row, inputs, outcomes) for id_, row in rows.items()},
        files,
    )
    calls = found.parts.calls if found else None
    assumed = tuple(_list_assumptions(peer, found, outcomes, rows))
    return PublishedPackage(shown, peer, rows, outcomes, calls, find_libraries(source), assumed)


def _find_mapping(folder: Path, peer: PeerPackage, columns: Sequence[str]) -> PackageMapping | None:
    if (folder / MAPPING).is_file():
        return read_mapping(folder / MAPPING)
    return find_own_mapping(peer.name, columns)


def _read_rows(file: Path) -> dict[str, Row]:
    table = read_table(read_any_text(file), str(file))
    return {str(place): row for place, row in enumerate(table)}


def _build_outcomes(
    peer: PeerPackage, mapping: PackageMapping | None, rows: Mapping[str, Row]
) -> Iterator[Outcome]:
    missing = (mapping.parts.missing if mapping else None) or "none"
    named = mapping.parts.outcomes if mapping else None
    for name in named or peer.output_columns:
        inferred = guess_outcome(name, _list_cells(rows, name), missing)
        yield _apply_document(inferred, named[name]) if named else inferred


def _apply_document(inferred: Outcome, said: OutcomeDocument) -> Outcome:
    """Return an outcome as it is declared, with the labels of the table where none are listed."""
    kind = AnswerKind(said.type)
    labels = said.labels or (inferred.labels if inferred.kind is kind is AnswerKind.LABEL else ())
    return Outcome(
        inferred.name,
        said.tag or inferred.tag,
        kind,
        labels,
        said.places,
        said.format or "",
        inferred.missing,
    )


def _choose_inputs(
    peer: PeerPackage,
    mapping: PackageMapping | None,
    outcomes: Sequence[Outcome],
) -> tuple[str, ...]:
    """Return the columns that agents see: the answers never, whatever SOP-Bench shows."""
    if mapping and mapping.parts.inputs:
        return mapping.parts.inputs
    answers = {*peer.output_columns, *(item.name for item in outcomes)}
    return tuple(name for name in peer.input_columns if name not in answers)


def _show_tool(tool: PeerTool) -> ShownTool:
    return ShownTool(tool.name, tool.description, tool.input_schema)


def _show_task(id_: str, row: Row, inputs: Sequence[str], outcomes: Sequence[Outcome]) -> ShownTask:
    """Return a task as its cells, and under what names to answer: not every SOP says it."""
    given = {name: row[name] for name in inputs}
    lines = [f"{name}: {cell}" for name, cell in given.items()]
    elements = " ".join(f"<{item.tag}>...</{item.tag}>" for item in outcomes)
    text = "\n".join([*lines, "", f"End with the final answer as {elements}"])
    return ShownTask(id_, text, given)


def _build_arguments(tool: PeerTool, call: CallDocument, row: Row) -> Arguments:
    """Return the arguments of an expected call; a blank cell is none."""
    schemas = get_parameter_schemas(tool)
    return {
        name: as_json(as_argument(schemas.get(name, {}), row[column]))
        for name, column in call.arguments.items()
        if row[column].strip()
    }


def _are_texts(schema: Mapping[str, Any], cells: Sequence[str]) -> bool:
    is_text = all(isinstance(as_argument(schema, cell), str) for cell in cells)
    return is_text and guess_kind(cells) is not AnswerKind.NUMBER


def _list_cells(rows: Mapping[str, Row], column: str) -> list[str]:
    """Return the cells of a column that are not blank."""
    return [cell for row in rows.values() if (cell := row[column].strip())]


def _list_assumptions(
    peer: PeerPackage,
    mapping: PackageMapping | None,
    outcomes: Sequence[Outcome],
    rows: Mapping[str, Row],
) -> Iterator[str]:
    said = mapping.parts if mapping else MappingDocument()
    if said.inputs is None and peer.is_legacy:
        yield "metadata.json lacks a column list: agents see every column but the answers"
    if said.outcomes is None:
        for item in outcomes:
            yield f"'{item.name}' is compared as {describe_outcome(item)}"
    for item in outcomes:
        blank = sum(not row[item.name].strip() for row in rows.values())
        if blank:
            word = f"'{item.missing}' is right there"
            yield f"{blank} of {len(rows)} answers in '{item.name}' are blank: {word}"
    if said.calls is None:
        yield "no expected calls are known, so tools and their parameters are not graded"


def describe_outcome(outcome: Outcome) -> str:
    """Return in words how an outcome is compared."""
    match outcome.kind:
        case AnswerKind.LABEL if outcome.labels:
            return f"one of {len(outcome.labels)} labels"
        case AnswerKind.LABEL:
            return "text"
        case AnswerKind.NUMBER if outcome.places is not None:
            return f"a number with {outcome.places} decimal places"
        case kind:
            return f"a {kind}"
