"""YAML documents that keep the line of every value, so that faults can name it.

Scalars follow YAML 1.2: only ``true`` and ``false`` are booleans, dates stay text, and a decimal
stays exact. Texts are composed, so that what looks the same is the same, however an editor or a PDF
wrote it. Duplicate keys are faults; anchors are refused, for a document needs none and a bomb
is made of them; so are tags, which would be lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from math import inf
from typing import TypeAlias
from unicodedata import category

import yaml

from sopforge.errors import Fault, MaterialError, raise_gathered
from sopforge.language.domain.documents.yaml_faults import QUOTE_HINT, make_syntax_fault
from sopforge.language.domain.values.composing import compose

Plain: TypeAlias = "str | int | bool | Decimal | list[Plain] | dict[str, Plain] | None"
Path: TypeAlias = tuple[str | int, ...]

MAXIMUM_CHARACTERS = 5_000_000
MAXIMUM_DEPTH = 100
ALIAS_HINT = "write the value in full, or quote text that starts with & or *"
TAG_HINT = (
    "write the value without the tag, quote text that starts with !, or write 'not' instead of !"
)
# Bounded, for Python refuses to convert some thousand digits; what is longer stays a text, and is
# reported as no number.
_INTEGER = re.compile(r"[-+]?[0-9]{1,40}\Z")
_DECIMAL = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+)\Z")
# Control characters but tabs and line ends, halves of surrogate pairs, and what is no character.
_NO_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
EMPTY_HINT = "add content to the file; to create a brief from an example, run: sopforge new DOMAIN"
NO_TEXT_HINT = "delete the character, or the escape that produces it"
_RARE_LINE_ENDS = re.compile("[\x85\u2028\u2029]")
_WORDS: dict[str, Plain] = {"true": True, "false": False, "null": None, "~": None, "": None}


@dataclass(frozen=True, slots=True)
class Document:
    """The plain value of a document and the line on which each of its parts starts."""

    source: str
    value: Plain
    lines: dict[Path, int]

    def locate_part(self, path: Path) -> str:
        """Return ``source:line, dotted.path`` for a part."""
        return _format_place(self.source, self.find_line(path), path)

    def find_line(self, path: Path) -> int:
        """Return the line of a part, or of the nearest part around it."""
        known = path
        # It ends at (), the document itself, which always has a line.
        while known not in self.lines:
            known = known[:-1]
        return self.lines[known]


@dataclass(slots=True)
class _Reader:
    source: str
    lines: dict[Path, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def read(self, node: yaml.Node, path: Path) -> Plain:
        self.lines[path] = node.start_mark.line + 1
        if isinstance(node, yaml.MappingNode):
            return self._read_mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.read(item, (*path, index)) for index, item in enumerate(node.value)]
        return _parse_scalar(node)

    def _read_mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Plain]:
        plain: dict[str, Plain] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                message = "expected a name here, found braces or brackets"
                self._add_fault("key-not-text", message, key_node, path, QUOTE_HINT)
                continue
            key = compose(str(key_node.value))
            if key in plain:
                message = f"the key '{_escape_text(key)}' appears twice in this mapping"
                self._add_fault(
                    "duplicate-key", message, key_node, path, "rename or remove one of the two"
                )
            plain[key] = self.read(value_node, (*path, key))
            # The key's line and not its value's, for a block of text begins below it.
            self.lines[(*path, key)] = key_node.start_mark.line + 1
        return plain

    def _add_fault(self, code: str, message: str, node: yaml.Node, path: Path, hint: str) -> None:
        where = _format_place(self.source, node.start_mark.line + 1, path)
        self.faults.append(Fault(code, message, where, hint))


def read_document(text: str, source: str) -> Document:
    """Return the document with its lines.

    Raises:
        MaterialError: no valid YAML, a duplicate key, an anchor, a tag, or too long or too deep.
    """
    return read_nodes(text, source)[0]


def read_nodes(text: str, source: str) -> tuple[Document, yaml.Node]:
    """Return the document and its root node, whose marks say where each part stands in the text."""
    if len(text) > MAXIMUM_CHARACTERS:
        message = (
            f"the document has {len(text)} characters; SOPForge reads at most {MAXIMUM_CHARACTERS}"
        )
        raise MaterialError(
            Fault("document-too-large", message, source, "remove what the brief does not need")
        )
    try:
        node = compose_node(text, source)
    except yaml.MarkedYAMLError as cause:
        raise MaterialError(make_syntax_fault(cause, source)) from cause
    except yaml.reader.ReaderError as cause:
        where = _format_place(source, text.count("\n", 0, cause.position) + 1, ())
        message = str(cause).splitlines()[0]
        raise MaterialError(
            Fault("invalid-yaml", message, where, "delete this character")
        ) from cause
    reader = _Reader(source)
    value = None if node is None else reader.read(node, ())
    raise_gathered(reader.faults)
    if node is None or value is None:
        raise MaterialError(Fault("empty-document", "the file is empty", source, EMPTY_HINT))
    return Document(source, value, reader.lines), node


def compose_node(text: str, source: str) -> yaml.Node | None:
    """Return the root node of a document, none of an empty one."""
    node: yaml.Node | None = _Loader(text, source).get_single_node()
    return node


def refuse_no_text(document: Document) -> None:
    """Raise ``MaterialError`` for each text of a document that no file of texts can hold."""
    raise_gathered(list(_find_character_faults(document, document.value, ())))


def _find_character_faults(document: Document, value: Plain, path: Path) -> Iterator[Fault]:
    if isinstance(value, str) and (message := describe_bad_character(value)):
        yield Fault("character-not-text", message, document.locate_part(path), NO_TEXT_HINT)
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _find_character_faults(document, part, (*path, place))
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _find_character_faults(document, name, path)
            yield from _find_character_faults(document, part, (*path, name))


def describe_bad_character(text: str) -> str:
    r"""Say which character of a text no file of texts can hold, nothing where it can.

    >>> describe_bad_character("a\ud800b")
    'the text has U+D800, half of a surrogate pair'
    """
    found = _NO_TEXT.search(text)
    if found is None:
        return ""
    kinds = {"Cs": "half of a surrogate pair", "Cc": "a control character that is not shown"}
    kind = kinds.get(category(found[0]), "which is not a character")
    return f"the text has U+{ord(found[0]):04X}, {kind}"


def write_document(value: object) -> str:
    """Return a plain value as YAML that ``read_document`` reads back as the same value."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def write_inline(value: object) -> str:
    """Return a plain value as it can stand within a line, in brackets or braces too."""
    written = yaml.dump(
        [value], Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=inf,
        default_flow_style=True,
    )  # fmt: skip
    return str(written).strip()[1:-1]


def rewrite_document(text: str, source: str) -> str:
    """Return a document in the layout of ``write_document``, which keeps no comments.

    Raises:
        MaterialError: nobody can read it.
    """
    return write_document(read_document(text, source).value)


class _Dumper(yaml.SafeDumper):
    """Writes exact decimals as they are, and values that occur twice in full each time."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - yaml's protocol
        return True


def _represent_decimal(dumper: yaml.SafeDumper, value: Decimal) -> yaml.ScalarNode:
    text = f"{value:f}"
    # Without a point it would be read back as an integer.
    return dumper.represent_scalar("tag:yaml.org,2002:float", text if "." in text else f"{text}.0")


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    # By YAML 1.1, which the dumper follows, 089 and -.5 need no quotes; here they are numbers.
    style = None if isinstance(_parse_plain(text), str) else "'"
    if _RARE_LINE_ENDS.search(text):
        style = '"'  # The only style that escapes them; elsewhere they are folded to blanks.
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_Dumper.add_representer(Decimal, _represent_decimal)
_Dumper.add_representer(str, _represent_text)


def _format_place(source: str, line: int, path: Path) -> str:
    dotted = _escape_text(".".join(str(part) for part in path))
    return f"{source}:{line}" + (f", {dotted}" if dotted else "")


def _escape_text(text: str) -> str:
    """Return a text that can be shown, whatever a document has for a name."""
    return _NO_TEXT.sub(lambda found: repr(found[0])[1:-1], text)


class _Loader(yaml.SafeLoader):
    """Composes a document, and refuses what is not read as soon as it comes by."""

    def __init__(self, text: str, source: str) -> None:
        super().__init__(text)
        self._source = source
        self._depth = 0

    def get_event(self) -> yaml.Event:
        event: yaml.Event = super().get_event()  # type: ignore[no-untyped-call]
        self._depth += isinstance(event, yaml.CollectionStartEvent)
        self._depth -= isinstance(event, yaml.CollectionEndEvent)
        where = _format_place(
            self._source, event.start_mark.line + 1 if event.start_mark else 1, ()
        )
        # Here and not in the reader below: PyYAML composes by recursion, and would fail before.
        if self._depth > MAXIMUM_DEPTH:
            message = f"parts are nested more than {MAXIMUM_DEPTH} levels deep"
            raise MaterialError(
                Fault("document-too-deep", message, where, "nest parts less deeply")
            )
        name = getattr(event, "anchor", None)
        if name is not None:
            message = f"anchors and aliases (&{name}, *{name}) are not supported"
            raise MaterialError(Fault("yaml-anchor", message, where, ALIAS_HINT))
        tag = getattr(event, "tag", None)
        if tag is not None:
            # Of [!a, b] PyYAML takes the comma for a part of the tag.
            tag = str(tag).replace("tag:yaml.org,2002:", "!!").rstrip(",")
            message = f"tags such as {tag} are not supported"
            raise MaterialError(Fault("yaml-tag", message, where, TAG_HINT))
        return event


def _parse_scalar(node: yaml.Node) -> Plain:
    text = compose(str(node.value))
    return text if getattr(node, "style", None) is not None else _parse_plain(text)


def _parse_plain(text: str) -> Plain:
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.match(text):
        return int(text)
    if _DECIMAL.match(text):
        return Decimal(text)
    return text
