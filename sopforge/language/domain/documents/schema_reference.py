"""The shapes of ``brief.yaml`` and ``domain.yaml`` as a reference to read, and for editors."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from sopforge.language.domain.documents import (
    field_schema,
    model_schema,
    remarks_schema,
    schema,
    schema_terms,
)
from sopforge.language.domain.documents.schema import BriefDocument, DomainDocument
from sopforge.morphology import pluralize_word

JsonSchema: TypeAlias = Mapping[str, Any]

_MODULES = (field_schema, model_schema, remarks_schema, schema)
SHAPES = {
    name: item
    for module in _MODULES
    for name, item in vars(module).items()
    if isinstance(item, type) and issubclass(item, BaseModel)
}

_BRIEF = """\
This page lists every key of a brief. To create a brief, run `sopforge new DOMAIN`.
[brief.md](../brief.md) explains how to edit the brief, and [glossary.md](../glossary.md) defines
the terms.

The tables use these conventions:

- A *value* is a string, an integer, a boolean, a number or a list of strings. You can also write a
  number as a string.
- If the cell under *Default* is blank, the optional key is unset or empty by default.
- A *row* contains the values that SOPForge samples for one case. SOPForge makes tasks from rows.

Sections named *field* describe the fields of a record. Sections named *item* describe the fields of
the items in a list."""
_DOMAIN = """\
This page lists every key of `domain.yaml`, the artifact of the schema stage. The file contains the
brief's model and the remarks of the model's author. [brief.md](brief.md) describes the parts that
briefs also contain."""
_SIMPLE = ("string", "integer", "boolean", "number")
_MORE = {1: "one", 2: "two"}
_VALUE = (*_SIMPLE, "list of strings")


def render_brief_page() -> str:
    """Return the reference of briefs: a section for each part, with a row for each key."""
    return _render_page("brief.yaml", BriefDocument, _BRIEF, {})


def render_domain_page() -> str:
    """Return the reference of ``domain.yaml``, without the parts that briefs have too."""
    return _render_page("domain.yaml", DomainDocument, _DOMAIN, _collect_parts(BriefDocument))


def build_described_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a shape, with what each key says."""
    whole = shape.model_json_schema(by_alias=True)
    for name, part in {shape.__name__: whole, **whole["$defs"]}.items():
        if owner := SHAPES.get(name):
            for key, item in owner.model_fields.items():
                part["properties"][item.alias or key]["description"] = describe_key(owner, key)
    return whole


def describe_key(owner: type[BaseModel], key: str) -> str:
    """Return what stands below a key: in its class, or in the nearest that it is from.

    Raises:
        LookupError: nothing stands below it.
    """
    for base in inspect.getmro(owner):
        if text := _read_texts_below_keys().get((base.__name__, key)):
            return text
    raise LookupError(f"say below '{key}' of {owner.__name__} what it is")


@cache
def _read_texts_below_keys() -> Mapping[tuple[str, str], str]:
    """Return the texts by the names of a class and of its key."""
    found: dict[tuple[str, str], str] = {}
    for module in _MODULES:
        for shape in ast.parse(inspect.getsource(module)).body:
            if not isinstance(shape, ast.ClassDef):
                continue
            for key, text in pairwise(shape.body):
                if isinstance(key, ast.AnnAssign) and isinstance(text, ast.Expr):
                    said = ast.literal_eval(text.value)
                    found[shape.name, ast.unparse(key.target)] = " ".join(said.split())
    return found


def _collect_parts(shape: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """Return a shape and all that it is made of, in the order in which they are met."""
    defs = shape.model_json_schema(by_alias=True)["$defs"]
    found = {shape.__name__: shape}
    waiting = _find_part_names(shape.model_json_schema(by_alias=True)["properties"])
    while waiting:
        name = waiting.pop(0)
        if name not in found and name in SHAPES:
            found[name] = SHAPES[name]
            waiting = [*_find_part_names(defs[name]["properties"]), *waiting]
    return found


def _find_part_names(part: JsonSchema) -> list[str]:
    return re.findall(r'"#/\$defs/(\w+)"', json.dumps(part))


def _render_page(
    name: str, shape: type[BaseModel], opening: str, described: Mapping[str, type[BaseModel]]
) -> str:
    own = {key: part for key, part in _collect_parts(shape).items() if key not in described}
    whole = shape.model_json_schema(by_alias=True)
    reader = _Reader(own, whole["$defs"])
    head = f"Generated from `sopforge/language/domain/documents/schema.py`.\n\n{opening}"
    lines = [f"# Reference: `{name}`", "", head]
    for key, part in own.items():
        lines += [
            "",
            *_render_section(part, whole if part is shape else whole["$defs"][key], reader),
        ]
    return "\n".join(lines) + "\n"


def _render_section(part: type[BaseModel], described: JsonSchema, reader: _Reader) -> Iterator[str]:
    yield f"## {_format_title(part.__name__)}"
    yield ""
    yield inspect.cleandoc(part.__doc__ or "").replace("``", "`")
    yield ""
    yield "| Key | Value | Default | Meaning |"
    yield "| --- | --- | --- | --- |"
    for key, item in part.model_fields.items():
        name = item.alias or key
        takes = reader.describe_type(described["properties"][name])
        cells = (f"`{name}`", takes, _describe_default(item), describe_key(part, key))
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


@dataclass(frozen=True, slots=True)
class _Reader:
    """Describes the value of a key; parts without a section here are on the page of briefs."""

    own: Mapping[str, type[BaseModel]]
    defs: Mapping[str, JsonSchema]

    def describe_type(self, part: JsonSchema) -> str:
        return _join_choices(self._list_choices(part))

    def _list_choices(self, part: JsonSchema) -> list[str]:
        match part:
            case {"$ref": str(ref)}:
                return self._list_part_choices(ref.rpartition("/")[2])
            case {"anyOf": list(choices)} | {"oneOf": list(choices)}:
                kinds = [item for item in choices if item.get("type") != "null"]
                found = [choice for item in kinds for choice in self._list_choices(item)]
                return list(dict.fromkeys(found))
            case {"enum": list(values)}:
                return [f"`{value}`" for value in values]
            case {"type": "array" | "object"}:
                return [self._describe_collection(part)]
            case _:
                return [_describe_scalar(part)]

    def _list_part_choices(self, name: str) -> list[str]:
        if "properties" not in self.defs[name]:
            return self._list_choices(self.defs[name])
        title = _format_title(name)
        page = "" if name in self.own else "brief.md"
        return [f"[{title}]({page}#{title.replace(' ', '-')})"]

    def _describe_collection(self, part: JsonSchema) -> str:
        if "prefixItems" in part:
            first = self.describe_type(part["prefixItems"][0])
            return f"list of {len(part['prefixItems'])} {_pluralize(first)}"
        if part["type"] == "array":
            count = _describe_limits(part, "minItems", "maxItems")
            items = _join_plurals(self._list_choices(part["items"]))
            return f"list of {count} {items}" if count else f"list of {items}"
        named = [*part.get("patternProperties", {}).values(), part.get("additionalProperties")]
        said = self._list_choices(named[0]) if isinstance(named[0], Mapping) else ["any value"]
        count = _describe_limits(part, "minProperties", "maxProperties")
        entries = f" ({count} entries)" if count else ""
        return f"mapping of names to {_join_plurals(said)}{entries}"


def _join_choices(choices: Sequence[str]) -> str:
    """Return choices as a phrase; those of a value are called so."""
    if tuple(choices[: len(_VALUE)]) == _VALUE:
        choices = ["value", *choices[len(_VALUE) :]]
    if len(choices) == 1:
        return choices[0]
    comma = "," if any(choice.startswith(("list ", "mapping ")) for choice in choices) else ""
    return f"{', '.join(choices[:-1])}{comma} or {choices[-1]}"


def _join_plurals(choices: Sequence[str]) -> str:
    joined = _join_choices(choices)
    return "values" if joined == "value" else _join_choices([*map(_pluralize, choices)])


def _pluralize(words: str) -> str:
    """Return the plural of a type that words begin with; other words stay as they are."""
    types = r"^(?:string|integer|boolean|number|value|list|mapping)\b|(?<=\bany )value\b"
    return re.sub(types, lambda found: pluralize_word(found[0]), words)


def _describe_scalar(part: JsonSchema) -> str:
    if "const" in part:
        const = part["const"]
        return f"`{const if isinstance(const, str) else json.dumps(const)}`"
    form = schema_terms.PATTERN_FORMS.get(part.get("pattern", ""), "")
    words = [text for text in (form, _describe_limits(part, "minimum", "maximum")) if text]
    kind = str(part.get("type", "any value"))
    return f"{kind} ({', '.join(words)})" if words else kind


def _describe_limits(part: JsonSchema, low: str, high: str) -> str:
    """Return the least and the greatest number that a part allows, or nothing."""
    match part.get(low), part.get(high):
        case None, None:
            return ""
        case least, None:
            return f"{_MORE[least]} or more" if least in _MORE else f"at least {least:g}"
        case None, most:
            return f"at most {most:g}"
        case (least, most):
            return f"{least:g} to {most:g}"


def _format_title(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.removesuffix("Document")).lower()


def _describe_default(item: FieldInfo) -> str:
    """Return what counts where a key is left out; nothing where nothing does."""
    if item.is_required():
        return "**required**"
    if isinstance(item.default, BaseModel):
        return "defaults of the section"
    if item.default is None or item.default in ("", (), {}):
        return ""
    if isinstance(item.default, tuple):
        return f"`[{', '.join(map(str, item.default))}]`"
    return f"`{json.dumps(item.default)}`"
