"""Fields as the objects by which a tools module checks, reads and writes their values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from sopforge.artifacts.rendering.pattern_regex import as_regex
from sopforge.artifacts.rendering.pattern_words import describe_pattern
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel, Tool, ToolKind
from sopforge.language.domain.values.patterns import read_pattern
from sopforge.language.domain.values.types import (
    AtomType,
    EnumType,
    ListType,
    NumberType,
    ScalarType,
    SetType,
    TextType,
    ValueType,
)


def name_kind(name: str) -> str:
    """Return the name of the constant with a field's kind; no policy constant has such a one."""
    return f"_{name.upper()}"


@dataclass(frozen=True, slots=True)
class Built:
    """An object of a tools module, by its class and what that is given."""

    of: str
    given: tuple[object, ...]
    named: Mapping[str, object] = field(default_factory=dict)


def render_kind(item: Field, *, with_missing: bool) -> str:
    """Return the source that builds the kind of a field."""
    return _render_object(build_kind(item, with_missing=with_missing))


def build_kind(item: Field, *, with_missing: bool) -> Built:
    """Return the kind of a field's values."""
    kind = _build_plain_kind(item.name, item.type)
    if item.malformed:
        # A task may state it malformed, and what the task states is not to be corrected.
        return Built("AsStated", (kind,))
    return Built("OrMissing", (kind, item.missing)) if with_missing else kind


def collect_kinds_used(model: DomainModel) -> dict[str, bool]:
    """Return the fields that tools check, read or write, and whether they may be missing there."""
    stored = [
        item.name for part in model.entities.values() for item in model.list_stored_fields(part)
    ]
    stored += [item.name for item in model.session]
    found = {name: bool(model.fields[name].missing) for name in stored}
    for tool in model.tools.values():
        for item in model.list_tool_results(tool):
            found[item.name] = found.get(item.name, False) or bool(item.missing)
        for item in model.list_tool_parameters(tool):
            found[item.name] = found.get(item.name, False) or takes_missing(item, tool)
    return found


def takes_missing(item: Field, tool: Tool) -> bool:
    """Return whether a tool takes the word for a missing value: only where it reads a record."""
    return bool(item.missing) and tool.kind is ToolKind.LOOKUP


def is_shown_as_held(kind: ValueType) -> bool:
    """Return whether results carry a value as the tools hold it."""
    return isinstance(kind, TextType | EnumType) or (
        isinstance(kind, NumberType) and not kind.places
    )


def render_type_hint(kind: ValueType) -> str:
    """Return the type hint of a value as calls carry it."""
    match kind:
        case NumberType():
            return "float" if kind.places else "int"
        case SetType():
            return "list[str]"
        case ListType():
            return "list[dict[str, Any]]"
        case _:
            return "str"


def quote_text(text: str) -> str:
    """Return a text as a literal."""
    return json.dumps(text, ensure_ascii=False)


def _render_object(value: object) -> str:
    match value:
        case Built(of, given, named):
            texts = [_render_object(part) for part in given]
            texts += [f"{name}={_render_object(part)}" for name, part in named.items()]
            return f"{of}({', '.join(texts)})"
        case dict():
            pairs = (f"{quote_text(name)}: {_render_object(part)}" for name, part in value.items())
            return f"{{{', '.join(pairs)}}}"
        case _:
            return repr(value)


def _build_plain_kind(name: str, kind: ValueType) -> Built:
    if not isinstance(kind, ListType):
        return _build_atom(name, kind)
    parts = {part: _build_atom(f"{name}[].{part}", inner) for part, inner in kind.fields}
    return Built("ItemList", (name, kind.size, kind.empty, parts))


def _build_atom(name: str, kind: AtomType) -> Built:
    match kind:
        case ScalarType():
            return Built(*kind.build_tool_kind(name))
        case SetType():
            return Built("LabelSet", (name, *kind.values), {"empty": kind.empty})
        case TextType():
            return _build_text(name, kind)
        case _:
            raise TypeError(f"no class of tools checks values of {kind!r}")


def _build_text(name: str, kind: TextType) -> Built:
    if not kind.pattern:
        return Built("Text", (name,))
    form = describe_pattern(read_pattern(kind.pattern))
    return Built("Identifier", (name, as_regex(kind.pattern), form))
