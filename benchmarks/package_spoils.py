"""Spoils of a package: one place of one file changed once, to something near."""

from __future__ import annotations

import ast
import csv
import io
import keyword
import re
import tokenize
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from random import Random

import pyarrow as pa
import yaml
from pyarrow import parquet

DIGESTS = "SHA256SUMS"
_JSON = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|\b(?:true|false|null)\b')
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w)")
_QUOTED = re.compile(r'"([^"\n]{1,60})"|`([^`\n]{1,60})`')
_WORDS = {
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
_RELATIONS = {
    **{"<": "<=", "<=": "<", ">": ">=", ">=": ">"},
    **{"==": "!=", "!=": "==", "in": "not in", "is": "is not"},
}
_FLAGS = {"true": "false", "false": "true", "null": "0", "True": "False", "False": "True"}


@dataclass(frozen=True, slots=True)
class Spoil:
    """A file of a package with one place of it changed; ``change`` says what became what."""

    file: str
    kind: str
    change: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a text that holds a number, a label, a name and the like."""

    kind: str
    start: int
    end: int


def draw_spoils(
    files: Mapping[str, bytes], names: Sequence[str], most: int, seed: int = 0
) -> list[Spoil]:
    """Return at most so many spoils of each file and kind; ``names`` are those of the domain."""
    found: list[Spoil] = []
    for file, content in sorted(files.items()):
        if file.endswith(".parquet"):
            found += _of_table(file, content, most, Random(f"{seed}/{file}"))
        else:
            found += _of_text(file, content.decode(), names, most, seed)
    return found


def _of_text(file: str, text: str, names: Sequence[str], most: int, seed: int) -> Iterator[Spoil]:
    by_kind: defaultdict[str, list[Place]] = defaultdict(list)
    for place in _reader(file, names)(text):
        by_kind[place.kind].append(place)
    for kind, places in sorted(by_kind.items()):
        random = Random(f"{seed}/{file}/{kind}")
        peers = sorted({text[place.start : place.end] for place in places})
        for place in random.sample(places, min(most, len(places))):
            old = text[place.start : place.end]
            new = changed(kind, old, peers, random)
            if new != old:
                line = text.count("\n", 0, place.start) + 1
                whole = text[: place.start] + new + text[place.end :]
                if file.endswith(".py") and not _is_python(whole):
                    continue  # anyone would notice
                yield Spoil(file, kind, f"line {line}: {old[:90]!r} is {new[:90]!r}", whole.encode())


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def changed(kind: str, old: str, peers: Sequence[str], random: Random) -> str:
    """Return something near: the next number, another of its peers, or one letter changed."""
    match kind:
        case "number":
            return _next_number(old)
        case "flag":
            return _FLAGS[old]
        case "word":
            return _WORDS[old]
        case "relation":
            return _RELATIONS[old]
        case _:
            others = [peer for peer in peers if peer != old and len(peer) < 60]
            if others and len(old) < 60 and random.random() < 0.5:
                return random.choice(others)
            return _misspelt(old, random)


def _next_number(text: str) -> str:
    """Return the number that is greater by one in its last place."""
    digits = text.replace(".", "").replace("-", "")
    sign = -1 if text.startswith("-") else 1
    places = len(text.partition(".")[2])
    value = sign * int(digits) + 1
    if not places:
        return str(value).rjust(len(digits), "0") if value >= 0 else str(value)
    whole = str(abs(value)).rjust(places + 1, "0")
    return f"{'-' * (value < 0)}{whole[:-places]}.{whole[-places:]}"


def _misspelt(text: str, random: Random) -> str:
    """Return a text with one letter or digit changed; one without any gets one."""
    spots = [
        place
        for place, letter in enumerate(text)
        if letter.isalnum() and text[place - 1 : place] != "\\"
    ]
    if not spots:
        return f"{text[:1]}x{text[1:]}"
    spot = random.choice(spots)
    letter = text[spot]
    if letter.isdigit():
        other = str((int(letter) + 1) % 10)
    else:
        other = "a" if letter.lower() == "z" else chr(ord(letter) + 1)
    return f"{text[:spot]}{other}{text[spot + 1 :]}"


def _reader(file: str, names: Sequence[str]) -> Callable[[str], Iterator[Place]]:
    """Return what finds the places of a file."""
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
            yield Place("flag" if token in _FLAGS else "number", start, end)
        elif re.match(r"\s*:", text[end:]):
            yield Place("key", start + 1, end - 1)
        else:
            yield Place(_valued(token[1:-1], names), start + 1, end - 1)


def _yaml_places(text: str, names: set[str]) -> Iterator[Place]:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    return _yaml_nodes(root, text, names)


def _yaml_nodes(node: yaml.Node, text: str, names: set[str]) -> Iterator[Place]:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield Place("key", *_inside(key, text))
            yield from _yaml_nodes(value, text, names)
    elif isinstance(node, yaml.SequenceNode):
        for part in node.value:
            yield from _yaml_nodes(part, text, names)
    elif node.value != "":
        start, end = _inside(node, text)
        written = text[start:end]
        if _NUMBER.fullmatch(written) and not isinstance(node.style, str):
            yield Place("number", start, end)
        elif written in _FLAGS:
            yield Place("flag", start, end)
        elif node.tag.endswith(":str") and re.search(r"==|!=|<=|>=|[<>]", written):
            yield from _expression_places(written, start)
        else:
            yield Place(_valued(written, names), start, end)


def _expression_places(text: str, offset: int) -> Iterator[Place]:
    """Return the numbers, labels, names and relations of a condition or formula."""
    pattern = r"'([^']*)'|\d+(?:\.\d+)?|<=|>=|==|!=|[<>]|[A-Za-z_]\w*"
    for found in re.finditer(pattern, text):
        start, end = (offset + edge for edge in found.span())
        token = found[0]
        if token.startswith("'"):
            yield Place("label", start + 1, end - 1)
        elif token[0].isdigit():
            yield Place("number", start, end)
        elif token in _RELATIONS:
            yield Place("relation", start, end)
        elif token in _WORDS:
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
        match token.type:
            case tokenize.NUMBER:
                yield Place("number", start, end)
            case tokenize.STRING:
                quote = re.match(r"\w*(\"\"\"|'''|[\"'])", token.string)
                if quote and len(token.string) > len(quote[0]) + len(quote[1]):
                    yield Place("label", start + len(quote[0]), end - len(quote[1]))
            case tokenize.OP | tokenize.NAME if token.string in _RELATIONS:
                yield Place("relation", start, end)
            case tokenize.NAME if token.string in _FLAGS:
                yield Place("flag", start, end)
            case tokenize.NAME if not keyword.iskeyword(token.string):
                yield Place("name", start, end)
            case _:
                pass


def _digest_places(text: str) -> Iterator[Place]:
    for found in re.finditer(r"^(\w+)  (.+)$", text, re.MULTILINE):
        yield Place("label", *found.span(1))
        yield Place("name", *found.span(2))


def _prose_places(text: str, names: Sequence[str]) -> Iterator[Place]:
    taken = 0
    words = "|".join(map(re.escape, sorted(_WORDS, key=len, reverse=True)))
    known = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    pattern = rf"{_QUOTED.pattern}|(?P<name>\b(?:{known})\b)|(?P<number>{_NUMBER.pattern})"
    for found in re.finditer(rf"{pattern}|(?P<word>\b(?:{words})\b)", text):
        kind = found.lastgroup or "label"
        group: int | str = next((n for n in (1, 2) if found[n]), kind)
        start, end = found.span(group)
        if start >= taken:
            yield Place(kind, start, end)
            taken = end


def _of_table(file: str, content: bytes, most: int, random: Random) -> Iterator[Spoil]:
    """Return the table with one cell or one column's name changed."""
    table = parquet.read_table(BytesIO(content))
    rows = table.to_pylist()
    names = table.column_names
    places = [(row, name) for row in range(len(rows)) for name in names]
    for row, name in random.sample(places, min(most, len(places))):
        edited = [dict(item) for item in rows]
        edited[row][name] = _other_cell(edited[row][name], random)
        change = f"row {row}, {name}: {edited[row][name]!r}"[:120]
        yield Spoil(file, "label", change, _written(pa.Table.from_pylist(edited, table.schema)))
    for place, name in list(enumerate(names))[:most]:
        renamed = [*names[:place], _misspelt(name, random), *names[place + 1 :]]
        yield Spoil(file, "key", f"column {name}", _written(table.rename_columns(renamed)))


def _other_cell(cell: object, random: Random) -> object:
    match cell:
        case str():
            return _misspelt(cell, random)
        case list():
            return [*cell[:-1], _misspelt(str(cell[-1]), random)]
        case dict():
            name = random.choice(sorted(cell))
            return {**cell, name: _misspelt(str(cell[name]), random)}
        case _:
            return "x"


def _written(table: pa.Table) -> bytes:
    buffer = BytesIO()
    parquet.write_table(
        table, buffer, version="2.6", data_page_version="1.0", compression="zstd", store_schema=False
    )
    return buffer.getvalue()


def names_of(files: Mapping[str, bytes]) -> list[str]:
    """Return what a package gives names to: fields, tools, steps, rules, tasks."""
    model = yaml.safe_load(files["grader/domain.yaml"])
    tasks = re.findall(r'"task_id": "([^"]+)"', files["grader/tasks.jsonl"].decode())
    rows = csv.reader(io.StringIO(files["test_set_with_outputs.csv"].decode()))
    tools = [
        node.name
        for node in ast.walk(ast.parse(files["tools.py"]))
        if isinstance(node, ast.ClassDef)
    ]
    return sorted({*_keys(model.get("model", model)), *tasks, *next(rows), *tools} - {""})


_STRUCTURE = frozenset(
    "type role min max values rules when then hit kind takes returns title instruction call decide"
    " edges to end start steps fields key value unit meaning label description pattern unique"
    " missing places primary otherwise id policy entities decisions tools procedure".split()
)


def _keys(value: object) -> Iterator[str]:
    match value:
        case dict():
            for key, part in value.items():
                if key not in _STRUCTURE:
                    yield str(key)
                if key in {"id", "to"} and isinstance(part, str):
                    yield part
                yield from _keys(part)
        case list():
            for part in value:
                yield from _keys(part)
        case _:
            return
