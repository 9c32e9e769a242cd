"""The places of a package's files: spans that hold a number, a label, a name or a key."""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import yaml

DIGESTS = "SHA256SUMS"
WORDS = {
    "at least": "more than",
    "more than": "at least",
    "at most": "less than",
    "less than": "at most",
    "exactly": "not",
    "first": "last",
    "and": "or",
    "all": "any",
    "any": "all",
    "none": "one",
    "not": "always",
    "only": "also",
    "every": "some",
    "before": "after",
    "after": "before",
    "Otherwise": "Then",
    "yes": "no",
    "no": "one",
}
"""Words that a rule turns on, and what each is mistaken for."""
RELATIONS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "in": "not in",
    "is": "is not",
}
FLAGS = {"true": "false", "false": "true", "null": "0", "True": "False", "False": "True"}
_JSON = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|\b(?:true|false|null)\b')
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w)")
_QUOTED = re.compile(r'"([^"\n]{1,60})"|`([^`\n]{1,60})`')
_COMPARED = re.compile(r"==|!=|<=|>=|[<>]")
_TERM = re.compile(r"'([^']*)'|\d+(?:\.\d+)?|<=|>=|==|!=|[<>]|[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a text, and what it holds."""

    kind: str
    start: int
    end: int


def places_of(file: str, text: str, names: Sequence[str]) -> Iterator[Place]:
    """Return the places of a file in turn; ``names`` are those of the domain."""
    return _reader(file, names)(text)


def _reader(file: str, names: Sequence[str]) -> Callable[[str], Iterator[Place]]:
    if file.endswith((".json", ".jsonl")):
        return lambda text: _json_places(text, set(names))
    if file.endswith(".yaml"):
        return lambda text: _yaml_places(text, set(names))
    if file.endswith(".csv"):
        return _csv_places
    if file.endswith(".py"):
        return _python_places
    if file == DIGESTS:
        return _digest_places
    return lambda text: _prose_places(text, names)


def _json_places(text: str, names: set[str]) -> Iterator[Place]:
    for found in _JSON.finditer(text):
        token, start, end = found[0], *found.span()
        if not token.startswith('"'):
            yield Place("flag" if token in FLAGS else "number", start, end)
        elif re.match(r"\s*:", text[end:]):
            yield Place("key", start + 1, end - 1)
        else:
            yield Place(_valued(token[1:-1], names), start + 1, end - 1)


def _yaml_places(text: str, names: set[str]) -> Iterator[Place]:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    return iter(()) if root is None else _yaml_nodes(root, text, names)


def _yaml_nodes(node: yaml.Node, text: str, names: set[str]) -> Iterator[Place]:
    match node:
        case yaml.MappingNode():
            for key, value in node.value:
                yield Place("key", *_inside(key, text))
                yield from _yaml_nodes(value, text, names)
        case yaml.SequenceNode():
            for part in node.value:
                yield from _yaml_nodes(part, text, names)
        case yaml.ScalarNode() if node.value:
            yield from _scalar_places(node, text, names)
        case _:
            pass


def _scalar_places(node: yaml.ScalarNode, text: str, names: set[str]) -> Iterator[Place]:
    start, end = _inside(node, text)
    written = text[start:end]
    if _NUMBER.fullmatch(written) and not node.style:
        yield Place("number", start, end)
    elif written in FLAGS:
        yield Place("flag", start, end)
    elif _COMPARED.search(written):
        yield from _expression_places(written, start)
    else:
        yield Place(_valued(written, names), start, end)


def _expression_places(text: str, offset: int) -> Iterator[Place]:
    """Return the numbers, labels, names and relations of a condition or formula."""
    for found in _TERM.finditer(text):
        start, end = (offset + edge for edge in found.span())
        token = found[0]
        if token.startswith("'"):
            yield Place("label", start + 1, end - 1)
        elif token[0].isdigit():
            yield Place("number", start, end)
        elif token in RELATIONS:
            yield Place("relation", start, end)
        elif token in WORDS:
            yield Place("word", start, end)
        else:
            yield Place("name", start, end)


def _inside(node: yaml.Node, text: str) -> tuple[int, int]:
    """Return where a scalar stands, without its quotes or the sign of its style."""
    start, end = node.start_mark.index, node.end_mark.index
    style = getattr(node, "style", None)
    if style in {"'", '"'}:
        return start + 1, end - 1
    if style in {"|", ">"}:
        start = text.index("\n", start) + 1
    return start, start + len(text[start:end].rstrip())


def _valued(text: str, names: set[str]) -> str:
    """Return of what kind a text is: a reference to something with a name, or a label."""
    return "reference" if text in names else "label"


def _csv_places(text: str) -> Iterator[Place]:
    start = 0
    for number, line in enumerate(text.splitlines(keepends=True)):
        for found in re.finditer(r'"((?:[^"]|"")*)"|[^,\n]+', line):
            left, right = (start + edge for edge in found.span(1 if found[0][0] == '"' else 0))
            cell = text[left:right]
            kind = "key" if not number else "number" if _NUMBER.fullmatch(cell) else "label"
            yield Place(kind, left, right)
        start += len(line)


def _python_places(text: str) -> Iterator[Place]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        start, end = (starts[row - 1] + column for row, column in (token.start, token.end))
        quote = re.match(r"\w*(\"\"\"|'''|[\"'])", token.string)
        if token.type == tokenize.STRING and quote:
            yield Place("label", start + len(quote[0]), end - len(quote[1]))
        elif kind := _token_kind(token):
            yield Place(kind, start, end)


def _token_kind(token: tokenize.TokenInfo) -> str:
    match token.type:
        case tokenize.NUMBER:
            return "number"
        case tokenize.OP | tokenize.NAME if token.string in RELATIONS:
            return "relation"
        case tokenize.NAME if token.string in FLAGS:
            return "flag"
        case tokenize.NAME if not keyword.iskeyword(token.string):
            return "name"
        case _:
            return ""


def _digest_places(text: str) -> Iterator[Place]:
    for found in re.finditer(r"^(\w+)  (.+)$", text, re.MULTILINE):
        yield Place("label", *found.span(1))
        yield Place("name", *found.span(2))


def _prose_places(text: str, names: Sequence[str]) -> Iterator[Place]:
    taken = 0
    words = "|".join(map(re.escape, sorted(WORDS, key=len, reverse=True)))
    known = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    pattern = rf"{_QUOTED.pattern}|(?P<name>\b(?:{known})\b)|(?P<number>{_NUMBER.pattern})"
    for found in re.finditer(rf"{pattern}|(?P<word>\b(?:{words})\b)", text):
        kind = found.lastgroup or "label"
        group: int | str = next((n for n in (1, 2) if found[n]), kind)
        start, end = found.span(group)
        if start >= taken:
            yield Place(kind, start, end)
            taken = end
