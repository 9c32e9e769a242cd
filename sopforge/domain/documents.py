"""YAML documents that keep the line of every value, so that faults can name it.

Scalars follow YAML 1.2: only ``true`` and ``false`` are booleans, dates stay text, and a decimal
stays exact. Duplicate keys are faults; anchors are refused, for a document needs none and a bomb
is made of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeAlias

import yaml

from sopforge.errors import Fault, MaterialError, raise_gathered

Plain: TypeAlias = "str | int | bool | Decimal | list[Plain] | dict[str, Plain] | None"
Path: TypeAlias = tuple[str | int, ...]

MAXIMUM_CHARACTERS = 5_000_000
_INTEGER = re.compile(r"[-+]?[0-9]{1,40}\Z")
_DECIMAL = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)\Z")
_WORDS: dict[str, Plain] = {"true": True, "false": False, "null": None, "~": None, "": None}


@dataclass(frozen=True, slots=True)
class Document:
    """The plain value of a document and the line on which each of its parts starts."""

    source: str
    value: Plain
    lines: dict[Path, int]

    def where(self, path: Path) -> str:
        """Return ``source:line, dotted.path`` for a part, or for the nearest part around it."""
        known = path
        while known not in self.lines:
            known = known[:-1]
        dotted = ".".join(str(part) for part in path)
        return f"{self.source}:{self.lines[known]}" + (f", {dotted}" if dotted else "")


@dataclass(slots=True)
class _Reader:
    source: str
    lines: dict[Path, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def read(self, node: yaml.Node, path: Path) -> Plain:
        self.lines[path] = node.start_mark.line + 1
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.read(item, (*path, index)) for index, item in enumerate(node.value)]
        return _scalar(node)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Plain]:
        plain: dict[str, Plain] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key in plain:
                self._duplicate(key, key_node, path)
            plain[key] = self.read(value_node, (*path, key))
            self.lines[(*path, key)] = key_node.start_mark.line + 1
        return plain

    def _duplicate(self, key: str, node: yaml.Node, path: Path) -> None:
        where = f"{self.source}:{node.start_mark.line + 1}, {'.'.join(map(str, path))}"
        self.faults.append(
            Fault("duplicate-key", f"the key '{key}' stands here twice", where, "keep one of them")
        )


def read_document(text: str, source: str) -> Document:
    """Return the document with its lines.

    Raises:
        MaterialError: no valid YAML, a duplicate key, an anchor, or over five million characters.
    """
    if len(text) > MAXIMUM_CHARACTERS:
        message = f"{len(text)} characters; at most {MAXIMUM_CHARACTERS} are read"
        raise MaterialError(Fault("document-too-large", message, source, "split the document"))
    try:
        _refuse_anchors(text, source)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except RecursionError as cause:
        fault = Fault("document-too-deep", "the document nests too deeply to be read", source)
        raise MaterialError(fault) from cause
    except yaml.MarkedYAMLError as cause:
        raise MaterialError(_syntax_fault(cause, source)) from cause
    except yaml.YAMLError as cause:
        message = str(cause).splitlines()[0]
        raise MaterialError(Fault("invalid-yaml", message, source)) from cause
    if node is None:
        raise MaterialError(Fault("empty-document", "the document is empty", source))
    reader = _Reader(source)
    value = reader.read(node, ())
    raise_gathered(reader.faults)
    return Document(source, value, reader.lines)


def write_document(value: object) -> str:
    """Return a plain value as YAML that ``read_document`` reads back as the same value."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


class _Dumper(yaml.SafeDumper):
    """Writes exact decimals as they are, and values that occur twice in full each time."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - yaml's protocol
        return True


_Dumper.add_representer(
    Decimal, lambda dumper, value: dumper.represent_scalar("tag:yaml.org,2002:float", str(value))
)


def _refuse_anchors(text: str, source: str) -> None:
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if getattr(event, "anchor", None) is not None:
            line = event.start_mark.line + 1 if event.start_mark else 0
            where = f"{source}:{line}"
            message = "anchors and aliases are not read"
            raise MaterialError(Fault("yaml-anchor", message, where, "write the value out"))


def _scalar(node: yaml.Node) -> Plain:
    text = str(node.value)
    if getattr(node, "style", None) is not None:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.match(text):
        return int(text)
    if _DECIMAL.match(text):
        return Decimal(text)
    return text


def _syntax_fault(cause: yaml.MarkedYAMLError, source: str) -> Fault:
    mark = cause.problem_mark
    where = f"{source}:{mark.line + 1}, column {mark.column + 1}" if mark else source
    return Fault("invalid-yaml", str(cause.problem), where, "check indentation, quotes and colons")
