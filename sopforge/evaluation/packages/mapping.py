"""A mapping: what a package without a model does not say of itself, written down in a small file.

inputs: [order_id, stamp]
outcomes:
  decision: {type: label, labels: [pay back, refuse, ask again], tag: decision}
  amount_eur: {type: number, places: 2}
missing: none
calls:
  - {tool: findOrder, arguments: {order_id: order_id}}
  - {tool: checkStamp, arguments: {order_id: order_id, stamp: stamp}, when: {state: [open]}}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from sopforge.errors import Fault, raise_gathered
from sopforge.harness.grading.published_outcomes import NoValueError, Outcome
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.documents.schema_terms import Strict
from sopforge.language.domain.documents.validation import validate
from sopforge.language.domain.documents.yaml_documents import Document, read_document
from sopforge.language.domain.documents.yaml_documents import Path as DocumentPath
from sopforge.pipeline.briefs.brief_files import read_users_file

MAPPING = "sopforge-mapping.yaml"
"""Its name in the folder of a package."""
_OWN = "mappings"
_A_DAY = datetime(2004, 2, 29, tzinfo=UTC)
Text = Annotated[str, Field(min_length=1)]
Texts = Annotated[tuple[Text, ...], Field(min_length=1)]


class OutcomeDocument(Strict):
    """How an answer is compared; what belongs to no type is left out."""

    type: Literal["label", "number", "date", "boolean", "set"]
    tag: Text | None = None
    labels: Texts | None = None
    places: Annotated[int, Field(strict=True, ge=0, le=12)] | None = None
    format: Text | None = None


class CallDocument(Strict):
    """A call that is expected, of the tasks that have one of the cells in each column."""

    tool: Text
    arguments: dict[str, Text]
    when: dict[str, Texts] = Field(default_factory=dict)


class MappingDocument(Strict):
    """A whole mapping; what it leaves out is taken from the package."""

    inputs: Texts | None = None
    outcomes: Annotated[dict[str, OutcomeDocument], Field(min_length=1)] | None = None
    missing: Text | None = None
    calls: Annotated[tuple[CallDocument, ...], Field(min_length=1)] | None = None


@dataclass(frozen=True, slots=True)
class PackageMapping:
    """A mapping, and the text that it was read from, which belongs to what is evaluated."""

    parts: MappingDocument
    document: Document
    text: str


def read_mapping(file: Path) -> PackageMapping:
    """Return the mapping in a file.

    Raises:
        MaterialError: there is no such file, or it does not have the shape of one.
    """
    return parse_mapping(read_users_file(file, "mapping-not-found", str(file)), str(file))


def parse_mapping(text: str, source: str) -> PackageMapping:
    """Return the mapping in a text.

    Raises:
        MaterialError: it does not have the shape of one, with a fault for each place.
    """
    document = read_document(text, source)
    parts = validate(document, MappingDocument)
    raise_gathered(list(_find_unusable_settings(document, parts)))
    return PackageMapping(parts, document, text)


def find_own_mapping(name: str, columns: Sequence[str]) -> PackageMapping | None:
    """Return the mapping that comes with SOPForge for a published package, if there is one.

    A package of the same name that lacks a column of it is another one.
    """
    file = files(__package__).joinpath(_OWN, f"{name}.yaml")
    if not name.isidentifier() or not file.is_file():
        return None
    found = parse_mapping(file.read_text(encoding="utf-8"), f"the mapping of {name}")
    named = {column for _, column in _iterate_columns(found.parts)}
    return found if named <= set(columns) else None


def require_fitting(
    mapping: PackageMapping,
    columns: Sequence[str],
    tools: Mapping[str, Sequence[str]],
    outputs: Sequence[str],
) -> None:
    """Refuse a mapping that names what the package does not have, or shows agents an answer.

    ``tools`` have their parameters; ``outputs`` are the answers where the mapping lists none.

    Raises:
        MaterialError: with a fault for each name.
    """
    raise_gathered(
        [
            *_find_absent_columns(mapping, columns),
            *_find_absent_tools(mapping, tools),
            *_find_shown_outcomes(mapping, outputs),
        ]
    )


def require_values(
    mapping: PackageMapping, outcomes: Sequence[Outcome], rows: Mapping[str, Mapping[str, str]]
) -> None:
    """Require that the cells of each outcome which a mapping declares are values of its type.

    Raises:
        MaterialError: with the first cell of each that is none.
    """
    raise_gathered(
        [
            fault
            for outcome in outcomes
            if outcome.name in (mapping.parts.outcomes or {})
            for fault in _find_contradiction(mapping, outcome, rows)
        ]
    )


def _find_contradiction(
    mapping: PackageMapping, outcome: Outcome, rows: Mapping[str, Mapping[str, str]]
) -> Iterator[Fault]:
    for task, row in rows.items():
        try:
            outcome.parse_cell(row[outcome.name])
        except NoValueError:
            message = (
                f"the answer of task {task} is {row[outcome.name]!r}, which is not of the declared"
                f" kind {outcome.kind}"
            )
            where = mapping.document.locate_part(("outcomes", outcome.name))
            yield Fault(
                "mapping-cell-unfit",
                message,
                where,
                "declare the kind of the values in this column",
            )
            return


def _find_unusable_settings(document: Document, parts: MappingDocument) -> Iterator[Fault]:
    """Find settings that the type of an outcome has no use for, and tags that are none."""
    uses = {"labels": ("label", "set"), "places": ("number",), "format": ("date",)}
    for name, outcome in (parts.outcomes or {}).items():
        for setting, kinds in uses.items():
            if getattr(outcome, setting) is not None and outcome.type not in kinds:
                message = f"a {outcome.type} has no '{setting}'"
                where = document.locate_part(("outcomes", name, setting))
                hint = f"remove it, or use the type {' or '.join(kinds)}"
                yield Fault("mapping-setting-idle", message, where, hint)
        if outcome.tag and not set(outcome.tag).isdisjoint("<>/"):
            message = f"'{outcome.tag}' cannot be the name of an element"
            where = document.locate_part(("outcomes", name, "tag"))
            yield Fault("mapping-tag-unusable", message, where, "write the name without brackets")
        if outcome.format and not _is_date_format(outcome.format):
            message = f"no date can be read by the format '{outcome.format}'"
            where = document.locate_part(("outcomes", name, "format"))
            hint = "write each directive of Python's strptime once, such as %d.%m.%Y"
            yield Fault("mapping-format-unusable", message, where, hint)


def _is_date_format(layout: str) -> bool:
    """Return whether a day that is written in a format can be read by it again."""
    try:
        datetime.strptime(_A_DAY.strftime(layout), layout)  # noqa: DTZ007 - a day
    except (ValueError, re.error):
        # The library makes a pattern of the format, in which no directive may occur twice.
        return False
    return True


def _iterate_columns(parts: MappingDocument) -> Iterator[tuple[DocumentPath, str]]:
    """Return the columns that a mapping names, with their places."""
    for place, name in enumerate(parts.inputs or ()):
        yield ("inputs", place), name
    for name in parts.outcomes or ():
        yield ("outcomes", name), name
    for place, call in enumerate(parts.calls or ()):
        for parameter, name in call.arguments.items():
            yield ("calls", place, "arguments", parameter), name
        for name in call.when:
            yield ("calls", place, "when", name), name


def _find_absent_columns(mapping: PackageMapping, columns: Sequence[str]) -> Iterator[Fault]:
    for path, name in _iterate_columns(mapping.parts):
        if name not in columns:
            message = f"the table has no column '{name}'; the columns are {', '.join(columns)}"
            where = mapping.document.locate_part(path)
            yield Fault("mapping-column-unknown", message, where, suggest(name, list(columns)))


def _find_absent_tools(
    mapping: PackageMapping, tools: Mapping[str, Sequence[str]]
) -> Iterator[Fault]:
    for place, call in enumerate(mapping.parts.calls or ()):
        if call.tool not in tools:
            message = f"there is no tool '{call.tool}'; the tools are {', '.join(tools)}"
            where = mapping.document.locate_part(("calls", place, "tool"))
            yield Fault("mapping-tool-unknown", message, where, suggest(call.tool, list(tools)))
            continue
        for name in call.arguments:
            if name not in tools[call.tool]:
                known = ", ".join(tools[call.tool]) or "none"
                message = f"'{call.tool}' takes no '{name}'; its parameters are {known}"
                where = mapping.document.locate_part(("calls", place, "arguments", name))
                hint = suggest(name, list(tools[call.tool]))
                yield Fault("mapping-parameter-unknown", message, where, hint)


def _find_shown_outcomes(mapping: PackageMapping, outputs: Sequence[str]) -> Iterator[Fault]:
    for place, name in enumerate(mapping.parts.inputs or ()):
        if name in (mapping.parts.outcomes or outputs):
            message = f"'{name}' is an outcome, so agents would see an answer among the inputs"
            where = mapping.document.locate_part(("inputs", place))
            yield Fault("mapping-answer-shown", message, where, "remove it from the inputs")
