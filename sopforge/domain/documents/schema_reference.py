"""The shapes of ``brief.yaml`` and ``domain.yaml`` as a reference to read, and for editors."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from sopforge.domain.documents import schema
from sopforge.domain.documents.schema import PATTERN_WORDS, BriefDocument, DomainDocument
from sopforge.domain.documents.schema_words import WORDS

JsonSchema: TypeAlias = Mapping[str, Any]

_BRIEF = """\
This page lists every key of a brief. To create a brief, run `sopforge new DOMAIN`.
[brief.md](../brief.md) explains how to edit it."""
_DOMAIN = """\
This page lists every key of `domain.yaml`, the artifact of the schema stage: the brief's model and
its author's remarks. [brief.md](brief.md) describes the parts that briefs have too."""
_SIMPLE = {"string": "text", "integer": "whole number", "number": "number", "boolean": "yes or no"}


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
        owner = getattr(schema, name)
        if issubclass(owner, BaseModel):
            for key, item in owner.model_fields.items():
                part["properties"][item.alias or key]["description"] = describe_key(owner, key)
    return whole


def describe_key(owner: type[BaseModel], key: str) -> str:
    """Return what a key says: in its class, in one that it is from, or wherever it stands.

    Raises:
        LookupError: nothing is said of it.
    """
    names = [f"{base.__name__}.{key}" for base in inspect.getmro(owner)]
    for name in (*names, key):
        if name in WORDS:
            return WORDS[name]
    raise LookupError(f"say in schema_words.py what '{key}' of {owner.__name__} is")


def _collect_parts(shape: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """Return a shape and all that it is made of, in the order in which they are met."""
    defs = shape.model_json_schema(by_alias=True)["$defs"]
    found = {shape.__name__: shape}
    waiting = _find_part_names(shape.model_json_schema(by_alias=True)["properties"])
    while waiting:
        name = waiting.pop(0)
        owner = getattr(schema, name)
        if name not in found and issubclass(owner, BaseModel):
            found[name] = owner
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
    head = f"Generated from `sopforge/domain/documents/schema.py`.\n\n{opening}"
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
        match part:
            case {"$ref": str(ref)}:
                return self._describe_part(ref.rpartition("/")[2])
            case {"anyOf": list(choices)} | {"oneOf": list(choices)}:
                said = [self.describe_type(item) for item in choices if item.get("type") != "null"]
                return ", or ".join(dict.fromkeys(said))
            case {"enum": list(values)}:
                return ", ".join(f"`{value}`" for value in values)
            case {"type": "array" | "object"}:
                return self._describe_collection(part)
            case _:
                return _describe_scalar(part)

    def _describe_part(self, name: str) -> str:
        if "properties" not in self.defs[name]:
            return self.describe_type(self.defs[name])
        title = _format_title(name)
        page = "" if name in self.own else "brief.md"
        return f"[{title}]({page}#{title.replace(' ', '-')})"

    def _describe_collection(self, part: JsonSchema) -> str:
        if "prefixItems" in part:
            first = self.describe_type(part["prefixItems"][0])
            return f"a list of {len(part['prefixItems'])}: {first}"
        if part["type"] == "array":
            items, length = self.describe_type(part["items"]), _describe_length(part, "Items")
            if ", or " in items:
                return f"a list{length}, each item {items}"
            return f"a list of {_pluralize(items)}{length}"
        named = [*part.get("patternProperties", {}).values(), part.get("additionalProperties")]
        said = self.describe_type(named[0]) if isinstance(named[0], Mapping) else "anything"
        return f"a mapping of names to {_pluralize(said)}{_describe_length(part, 'Properties')}"


def _pluralize(words: str) -> str:
    """Return the plural of a single simple type; other words stay as they are."""
    return words if ", or " in words else re.sub(r"^(text|whole number)\b", r"\1s", words)


def _describe_scalar(part: JsonSchema) -> str:
    if "const" in part:
        return f"`{part['const']}`"
    shape = PATTERN_WORDS.get(part.get("pattern", ""), "")
    limits = [
        f"{word} {part[key]}"
        for key, word in (("minimum", "at least"), ("maximum", "at most"))
        if key in part
    ]
    words = [text for text in (shape, *limits) if text]
    kind = _SIMPLE.get(str(part.get("type")), "anything")
    return f"{kind} ({', '.join(words)})" if words else kind


def _describe_length(part: JsonSchema, what: str) -> str:
    least, most = part.get(f"min{what}"), part.get(f"max{what}")
    words = [f"at least {least}"] if least else []
    words += [f"at most {most}"] if most else []
    return f" ({', '.join(words)})" if words else ""


def _format_title(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.removesuffix("Document")).lower()


def _describe_default(item: FieldInfo) -> str:
    """Return what counts where a key is left out; nothing where nothing does."""
    if item.is_required():
        return "**required**"
    if isinstance(item.default, BaseModel):
        return "see its section"
    if item.default is None or item.default in ("", (), {}):
        return ""
    if isinstance(item.default, tuple):
        return f"`[{', '.join(map(str, item.default))}]`"
    return f"`{json.dumps(item.default)}`"
