"""Fields as the objects by which a tools module checks, reads and writes their values."""

from __future__ import annotations

import json
from typing import assert_never

from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel, Tool, ToolKind
from sopforge.domain.patterns import read_pattern
from sopforge.domain.types import (
    AtomType,
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    ValueType,
    to_cell,
)
from sopforge.logic.pattern_words import pattern_words
from sopforge.rendering.pattern_regex import as_regex


def kind_name(name: str) -> str:
    """Return the name of the constant with a field's kind; no policy constant has such a one."""
    return f"_{name.upper()}"


def kind_source(item: Field, *, with_missing: bool) -> str:
    """Return the source that builds the kind of a field."""
    kind = _kind(item.name, item.type)
    return f"OrMissing({kind}, {quoted(item.missing)})" if with_missing else kind


def kinds_used(model: DomainModel) -> dict[str, bool]:
    """Return the fields that tools check, read or write, and whether they may be missing there."""
    stored = [item.name for part in model.entities.values() for item in model.stored_fields(part)]
    found = {name: bool(model.fields[name].missing) for name in stored}
    for tool in model.tools.values():
        for item in model.tool_results(tool):
            found[item.name] = found.get(item.name, False) or bool(item.missing)
        for item in model.tool_parameters(tool):
            found[item.name] = found.get(item.name, False) or takes_missing(item, tool)
    return found


def takes_missing(item: Field, tool: Tool) -> bool:
    """Tell whether a tool takes the word for a missing value: only where it reads a record."""
    return bool(item.missing) and tool.kind is ToolKind.LOOKUP


def is_shown_as_held(kind: ValueType) -> bool:
    """Tell whether results carry a value as the tools hold it."""
    return isinstance(kind, TextType | EnumType) or (
        isinstance(kind, NumberType) and not kind.places
    )


def json_hint(kind: ValueType) -> str:
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


def quoted(text: str) -> str:
    """Return a text as a literal."""
    return json.dumps(text, ensure_ascii=False)


def _kind(name: str, kind: ValueType) -> str:
    if not isinstance(kind, ListType):
        return _atom(name, kind)
    parts = ", ".join(f"{quoted(part)}: {_atom(f'{name}[].{part}', k)}" for part, k in kind.fields)
    return f"ItemList({quoted(name)}, {kind.size}, {quoted(kind.empty)}, {{{parts}}})"


def _atom(name: str, kind: AtomType) -> str:  # noqa: PLR0911 - one case per type
    named = quoted(name)
    match kind:
        case NumberType():
            return _number(named, kind)
        case BooleanType():
            return f"YesOrNo({named})"
        case EnumType():
            return f"Label({named}, {_list(kind.values)})"
        case SetType():
            return f"LabelSet({named}, {_list(kind.values)}, empty={quoted(kind.empty)})"
        case DateType():
            return f"Day({named}, {_range(kind)})"
        case DateTimeType():
            return f"Minute({named}, {_range(kind)})"
        case TextType():
            return _text(named, kind)
        case _:
            assert_never(kind)


def _number(named: str, kind: NumberType) -> str:
    if kind.places:
        return f"Number({named}, {_range(kind)}, places={kind.places})"
    return f"Integer({named}, {kind.minimum}, {kind.maximum})"


def _text(named: str, kind: TextType) -> str:
    if not kind.pattern:
        return f"Text({named})"
    form = pattern_words(read_pattern(kind.pattern))
    return f"Identifier({named}, {quoted(as_regex(kind.pattern))}, {form!r})"


def _range(kind: NumberType | DateType | DateTimeType) -> str:
    return ", ".join(quoted(to_cell(kind, bound)) for bound in (kind.minimum, kind.maximum))


def _list(labels: tuple[str, ...]) -> str:
    return ", ".join(map(quoted, labels))
