"""Documents checked against their shape: what does not fit becomes a fault in plain words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, TypeAlias, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.documents.schema_terms import PATTERN_WORDS
from sopforge.language.domain.documents.yaml_documents import Document, Path, Plain
from sopforge.language.domain.documents.yaml_faults import QUOTE_HINT

Shape = TypeVar("Shape", bound=BaseModel)
# Types at run time are what ``typing`` gives: classes, unions, aliases of containers.
Annotation: TypeAlias = Any

_NEEDS = {
    "int_type": "a whole number",
    "decimal_type": "a number",
    "decimal_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text",
    "tuple_type": "a list",
    "dict_type": "a mapping (name: value)",
    "model_type": "a mapping (name: value)",
}

_LENGTH_HINTS = {"too_short": "add an item", "too_long": "remove the surplus items"}
_KIND_HINTS = (
    ({"string_type"}, "put the value in quotes"),
    ({"dict_type", "model_type"}, "write each setting as 'name: value' on its own line"),
)


def validate(document: Document, shape: type[Shape]) -> Shape:
    """Return the document as ``shape``.

    Raises:
        MaterialError: with one fault, and its line, for each place that does not fit.
    """
    try:
        return shape.model_validate(document.value)
    except ValidationError as cause:
        places = _group_by_place(document.value, cause.errors())
        paths = sorted(places, key=document.find_line)
        raise MaterialError(*(_make_fault(document, shape, p, places[p]) for p in paths)) from cause


def _group_by_place(
    value: Plain, entries: Sequence[ErrorDetails]
) -> dict[Path, list[ErrorDetails]]:
    """Return the entries by place; a list with a faulty member has no fault of its length."""
    places: dict[Path, list[ErrorDetails]] = {}
    for entry in entries:
        places.setdefault(_find_path(value, entry), []).append(entry)
    around = {path[:length] for path in places for length in range(len(path))}
    return {path: _select_nearest(found) for path, found in places.items() if path not in around}


def _select_nearest(entries: list[ErrorDetails]) -> list[ErrorDetails]:
    """Return what a list lacks before what another kind of value would lack."""
    of_lists = [entry for entry in entries if entry["type"] in {"missing", "too_long"}]
    return of_lists or entries


def _find_path(value: Plain, entry: ErrorDetails) -> Path:
    """Return where the entry stands in the document, without the names of union members."""
    path: list[str | int] = []
    for part in entry["loc"]:
        # Between the names of keys pydantic puts those of union members, which no document has.
        if isinstance(value, dict) and part in value:
            value = value[str(part)]
            path.append(part)
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
            path.append(part)
    if entry["type"] == "missing" and isinstance(entry["loc"][-1], str):
        path.append(entry["loc"][-1])
    return tuple(path)


def _make_fault(
    document: Document, shape: type[BaseModel], path: Path, entries: Sequence[ErrorDetails]
) -> Fault:
    where, entry = document.locate_part(path), entries[0]
    match entry["type"]:
        case "extra_forbidden":
            known = _list_fields(_list_kinds(shape, entry["loc"][:-1]))
            hint = _suggest_one_of(str(path[-1]), known)
            if entry["input"] is None and not suggest(str(path[-1]), known):
                hint = (
                    "put the value before it in double quotes, because YAML split it at the comma"
                )
            return Fault("unknown-field", f"there is no field '{path[-1]}' here", where, hint)
        case "missing" if isinstance(entry["loc"][-1], int):
            message = (
                f"this list must have {entry['loc'][-1] + 1} items, found {len(entry['input'])}"
            )
            return Fault("invalid-value", message, where, "add the missing items")
        case "missing":
            return Fault(
                "missing-field",
                f"'{path[-1]}' is required here",
                where,
                f"add '{path[-1]}: ...'",
            )
        case "union_tag_not_found":
            types = ", ".join(_list_tags(_list_kinds(shape, entry["loc"])))
            return Fault(
                "missing-field", "'type' is required here", where, f"choose one of {types}"
            )
        case "union_tag_invalid":
            known, found = _list_tags(_list_kinds(shape, entry["loc"])), entry["ctx"]["tag"]
            hint = _suggest_one_of(found, known)
            return Fault("invalid-value", f"there is no type '{found}'", where, hint)
        case _:
            hint = _hint_at_lists(path, entry) or _choose_hint(entries)
            return Fault("invalid-value", _describe_error(entries), where, hint)


def _describe_error(entries: Sequence[ErrorDetails]) -> str:
    entry = entries[0]
    context: Mapping[str, Any] = entry.get("ctx", {})
    if entry["type"] in _NEEDS:
        needs = dict.fromkeys(_NEEDS[other["type"]] for other in entries if other["type"] in _NEEDS)
        return f"expected {' or '.join(needs)}, found {_describe_found(entry['input'])}"
    match entry["type"]:
        case "too_short":
            least, found = context["min_length"], context["actual_length"]
            return f"expected at least {least} item{'s' * (least != 1)}, found {found}"
        case "too_long":
            return f"expected at most {context['max_length']} items"
        case "string_pattern_mismatch":
            allowed = PATTERN_WORDS[context["pattern"]]
            return f"'{entry['input']}' is not allowed here: use {allowed}"
        case _:
            words = entry["msg"].removeprefix("Input ").removeprefix("String ")
            words = words.replace("should ", "must ", 1)
            return f"the value {words}, found {_describe_found(entry['input'])}"


def _suggest_one_of(name: str, known: list[str]) -> str:
    """Return the nearest known name, or all of them if none is near."""
    return suggest(name, known) or f"use one of: {', '.join(known)}"


def _hint_at_lists(path: Path, entry: ErrorDetails) -> str:
    """Return how a list is written, and the labels and weights of a field."""
    match path[-2:], entry["type"]:
        case ("values", int()), "string_type":
            return "write the label as words, for example Size 12"
        case ("weights", int()), "int_from_float" | "int_type":
            return "write whole numbers, for example 30 and 70"
        case _, "tuple_type" if isinstance(entry["input"], str):
            return f"write [{entry['input']}]"
        case _:
            return ""


def _choose_hint(entries: Sequence[ErrorDetails]) -> str:
    entry = entries[0]
    value, kinds = entry["input"], {other["type"] for other in entries}
    if entry["type"] == "literal_error":
        known = re.findall(r"'([^']*)'", entry["ctx"]["expected"])
        return suggest(str(value), known)
    if entry["type"] == "string_pattern_mismatch":
        return _suggest_name(str(value), entry["ctx"]["pattern"])
    if entry["type"] in _LENGTH_HINTS:
        return _LENGTH_HINTS[entry["type"]]
    if value is None:
        return "write the value after the colon, or remove the line"
    if "string_type" in kinds and isinstance(value, list | dict):
        return f"if it is text, {QUOTE_HINT}"
    return next((hint for needed, hint in _KIND_HINTS if kinds <= needed), "")


def _suggest_name(text: str, pattern: str) -> str:
    """Return the name that a text may be written as."""
    words = re.sub(r"[^a-z0-9]+", " ", text.lower()).split()
    names = ["_".join(words), "".join([*words[:1], *(word.capitalize() for word in words[1:])])]
    return next((f"write {name}" for name in names if re.search(pattern, name)), "")


def _describe_found(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case str():
            return f"'{value}'"
        case list():
            return "a list"
        case dict():
            return "a mapping"
        case _:
            return str(value)


# types at run time


def _list_kinds(shape: type[BaseModel], loc: Path) -> list[Annotation]:
    """Return the alternatives that the shape allows at a place, where ``loc`` names members."""
    kinds = _list_alternatives(shape)
    for part in loc:
        kinds = [inner for kind in kinds for inner in _list_inner_kinds(kind, part)]
    return kinds


def _list_inner_kinds(kind: Annotation, part: str | int) -> list[Annotation]:
    if _is_model(kind):
        by_alias = {info.alias or name: info for name, info in kind.model_fields.items()}
        if part in by_alias:
            return _list_alternatives(by_alias[part].annotation)
        return [kind] if part in _list_tags([kind]) else []
    origin: object = get_origin(kind)
    arguments = get_args(kind)
    return _list_alternatives(arguments[origin is dict]) if arguments else []


def _list_alternatives(kind: Annotation) -> list[Annotation]:
    origin: object = get_origin(kind)
    if origin is Annotated:
        return _list_alternatives(get_args(kind)[0])
    if origin in {Union, UnionType}:
        return [inner for member in get_args(kind) for inner in _list_alternatives(member)]
    return [kind]


def _list_fields(kinds: Sequence[Annotation]) -> list[str]:
    models = [kind.model_fields for kind in kinds if _is_model(kind)]
    return [info.alias or name for fields in models[:1] for name, info in fields.items()]


def _list_tags(kinds: Sequence[Annotation]) -> list[str]:
    models = [kind.model_fields for kind in kinds if _is_model(kind)]
    tagged = [fields["type"].annotation for fields in models if "type" in fields]
    return [str(tag) for annotation in tagged for tag in get_args(annotation)]


def _is_model(kind: Annotation) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
