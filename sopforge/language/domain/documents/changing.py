"""Changing a document in place: what keeps its value keeps its lines, layout and comments.

A library that writes comments back, such as ruamel.yaml, ties each to the part before it: without
that part the comment on the next one is lost, and a new part lands below the comment of another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from textwrap import indent
from typing import Any

import yaml

from sopforge.errors import MaterialError
from sopforge.language.domain.documents.yaml_documents import (
    read_nodes,
    write_document,
    write_inline,
)


def change_document(text: str, value: object) -> str:
    """Return a document with another value; lines of what stays as it is are kept.

    Where the parts share lines so that none can be changed in place, all is written anew.
    """
    with suppress(_NotInPlaceError, MaterialError):
        before, node = read_nodes(text, "")
        changed = _apply(text, list(_Changer(text).change(node, before.value, value)))
        if _is_alike(read_nodes(changed, "")[0].value, value):
            return changed
    return write_document(value)


@dataclass(frozen=True, slots=True)
class _Splice:
    start: int
    end: int
    text: str


class _NotInPlaceError(Exception):
    """The part that holds this one must be written anew."""


@dataclass(frozen=True, slots=True)
class _Changer:
    """Finds what to replace in a text, part by part."""

    text: str

    def change(self, node: yaml.Node, old: Any, new: Any) -> Iterator[_Splice]:  # noqa: ANN401
        """Yield what turns a part into another; parts in it that are equal are left alone."""
        if _is_alike(old, new):
            return
        if isinstance(node, yaml.MappingNode) and isinstance(new, Mapping) and new:
            yield from self._change_mapping(node, old, new)
        elif isinstance(node, yaml.SequenceNode) and isinstance(new, list) and new:
            yield from self._change_list(node, old, new)
        else:
            yield self._replace_inline(node, new)

    def _change_mapping(
        self, node: yaml.MappingNode, old: Mapping[str, Any], new: Mapping[str, Any]
    ) -> Iterator[_Splice]:
        kept = [key for key in old if key in new]
        if [key for key in new if key in old] != kept or not kept:
            raise _NotInPlaceError
        if node.flow_style and list(old) != list(new):
            yield self._replace_inline(node, new)
            return
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key not in new:
                yield self._replace_lines(key_node, value_node, "")
                continue
            try:
                yield from list(self.change(value_node, old[key], new[key]))
            except _NotInPlaceError:
                written = write_document({key: new[key]})
                yield self._replace_lines(key_node, value_node, written)
        added = {key: part for key, part in new.items() if key not in old}
        if added:
            yield self._add_lines(node, write_document(added))

    def _change_list(
        self, node: yaml.SequenceNode, old: Sequence[Any], new: Sequence[Any]
    ) -> Iterator[_Splice]:
        if len(old) != len(new) and node.flow_style:
            yield self._replace_inline(node, new)
            return
        same = _count_alike(old, new)
        rest = _count_alike(old[same:][::-1], new[same:][::-1])
        gone, come = node.value[same : len(old) - rest], list(new[same : len(new) - rest])
        for item, before, after in zip(gone, old[same:], come, strict=False):
            try:
                yield from list(self.change(item, before, after))
            except _NotInPlaceError:
                yield self._replace_lines(item, item, write_document([after]))
        for item in gone[len(come) :]:
            yield self._replace_lines(item, item, "")
        if come[len(gone) :]:
            if rest:
                raise _NotInPlaceError
            yield self._add_lines(node, write_document(come[len(gone) :]))

    def _replace_inline(self, node: yaml.Node, new: Any) -> _Splice:  # noqa: ANN401
        """Replace a part that stands within its line by one that can stand there too."""
        is_block = isinstance(node, yaml.CollectionNode) and not node.flow_style
        is_block_text = getattr(node, "style", None) in {"|", ">"}
        is_wide = isinstance(new, list | dict) and not isinstance(node, yaml.CollectionNode)
        is_long = isinstance(new, str) and (len(new) > _LONGEST or "\n" in new)
        is_empty = node.start_mark.index == node.end_mark.index
        if is_block or is_block_text or is_wide or is_long or is_empty:
            raise _NotInPlaceError
        return _Splice(node.start_mark.index, node.end_mark.index, write_inline(new))

    def _replace_lines(self, first: yaml.Node, last: yaml.Node, written: str) -> _Splice:
        """Replace the lines of a part that has them for itself."""
        start, column = first.start_mark.index - first.start_mark.column, first.start_mark.column
        before = self.text[start : first.start_mark.index].strip()
        if first is last:
            column = self._find_dash(start)
        elif before:
            raise _NotInPlaceError
        return _Splice(start, self._find_line_end(last), indent(written, " " * column))

    def _add_lines(self, node: yaml.CollectionNode, written: str) -> _Splice:
        """Put lines below the last part of a block."""
        last = node.value[-1][1] if isinstance(node, yaml.MappingNode) else node.value[-1]
        end, missing = self._find_line_end(last), ""
        if not self.text[:end].endswith("\n"):
            missing = "\n"
        return _Splice(end, end, missing + indent(written, " " * node.start_mark.column))

    def _find_dash(self, start: int) -> int:
        line = self.text[start:].partition("\n")[0]
        if not line.lstrip().startswith("- "):
            raise _NotInPlaceError
        return len(line) - len(line.lstrip())

    def _find_line_end(self, node: yaml.Node) -> int:
        """Return where the line after a part begins: what is said of the part ends with it."""
        end = _find_end(node)
        # A block of text ends after its blank lines.
        stop = len(self.text[:end].rstrip())
        found = self.text.find("\n", stop)
        return len(self.text) if found < 0 else found + 1


_LONGEST = 80


def _find_end(node: yaml.Node) -> int:
    """Return where a part ends: of a block it is its last part's end, before later comments."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _find_end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)


def _is_alike(old: object, new: object) -> bool:
    """Return whether two plain values are written alike: in types and the order of keys, too."""
    return repr(old) == repr(new)


def _count_alike(old: Sequence[Any], new: Sequence[Any]) -> int:
    """Return how many parts two lists begin with alike."""
    pairs = zip(old, new, strict=False)
    return sum(1 for _ in takewhile(lambda pair: _is_alike(*pair), pairs))


def _apply(text: str, splices: Sequence[_Splice]) -> str:
    """Return a text with parts replaced, none of which overlaps another."""
    done, place = list[str](), 0
    for splice in sorted(splices, key=lambda item: (item.start, item.end)):
        if splice.start < place:
            raise _NotInPlaceError
        done += [text[place : splice.start], splice.text]
        place = splice.end
    return "".join([*done, text[place:]])
