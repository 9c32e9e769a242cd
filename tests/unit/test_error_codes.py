"""Every code that a user can meet is explained in docs/errors.md, and nothing else is.

Those of the linter stand in docs/tool-rules.md.

The codes are read from the source: a text that reaches ``Fault`` or ``Finding`` as its code,
straight or through functions that pass one of their parameters on.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "docs" / "errors.md", ROOT / "docs" / "tool-rules.md")
FOLDERS = ("sopforge", "flows", "review")

# A function: its module if it is private to it, and its name, with a dot before a method's.
Callee: TypeAlias = tuple[str, str]
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

# What ends in a code: which argument it is.
ENDS = {
    ("", "Fault"): "code",
    ("", "Finding"): "id",
    ("", "ExpressionError"): "code",
    ("", "TypeRuleError"): "code",
    ("", "LintRule"): "code",
    ("", "AuditRule"): "code",
    ("sopforge/sandbox/process.py", "_Reason"): "code",
    ("", "UnusableError"): "code",
    ("", "RefusedSignatureError"): "code",
    ("", "Misbehaviour"): "code",
    ("", "Ban"): "code",
}


@dataclass(frozen=True)
class Slot:
    """The argument of a function that becomes a code, and what is written around it."""

    position: int | None
    keyword: str
    before: str = ""
    after: str = ""


@dataclass
class Codes:
    """What the source says so far."""

    slots: dict[Callee, set[Slot]]
    found: set[str] = field(default_factory=set)
    unclear: set[str] = field(default_factory=set)

    @property
    def size(self) -> int:
        """How many paths to a code are known."""
        return sum(map(len, self.slots.values()))

    def call(
        self, module: str, node: ast.Call, inside: tuple[Function | ast.ClassDef, ...]
    ) -> None:
        for slot in tuple(self.slots.get(_callee(module, node.func), ())):
            for value in _given(node, slot):
                self.value(module, value, slot, inside)

    def value(
        self, module: str, node: ast.expr, slot: Slot, inside: tuple[Function | ast.ClassDef, ...]
    ) -> None:
        match node:
            case ast.Constant(value=str(text)):
                self.found.add(f"{slot.before}{text}{slot.after}")
            case ast.IfExp():
                self.value(module, node.body, slot, inside)
                self.value(module, node.orelse, slot, inside)
            case ast.Name():
                self.parameter(module, node, slot, inside)
            case ast.JoinedStr(values=parts):
                self.formatted(module, parts, slot, inside)
            case ast.Attribute(attr="code" | "id"):
                pass  # passed on from another fault or finding
            case _:
                self.unclear.add(f"{module}:{node.lineno}: {ast.unparse(node)}")

    def formatted(
        self,
        module: str,
        parts: list[ast.expr],
        slot: Slot,
        inside: tuple[Function | ast.ClassDef, ...],
    ) -> None:
        """Follow a text with one gap in it."""
        before, after = slot.before, slot.after
        gaps: list[ast.expr] = []
        for part in parts:
            match part:
                case ast.FormattedValue(value=gap):
                    gaps.append(gap)
                case ast.Constant(value=str(text)) if gaps:
                    after = f"{text}{after}"
                case ast.Constant(value=str(text)):
                    before += text
                case _:
                    pass
        for gap in gaps[:1]:
            wider = Slot(slot.position, slot.keyword, before, after)
            self.value(module, gap, wider, inside)

    def parameter(
        self, module: str, node: ast.Name, slot: Slot, inside: tuple[Function | ast.ClassDef, ...]
    ) -> None:
        """Note that the function around takes the code as one of its parameters."""
        for around in reversed(inside):
            if isinstance(around, ast.ClassDef) or node.id not in _parameters(around):
                continue
            is_method = any(isinstance(outer, ast.ClassDef) for outer in inside)
            names = [argument.arg for argument in around.args.args][is_method:]
            position = names.index(node.id) if node.id in names else None
            name = f".{around.name}" if is_method else around.name
            taken = Slot(position, node.id, slot.before, slot.after)
            self.slots.setdefault(_owned(module, name), set()).add(taken)
            for default in _defaults(around, node.id):
                self.value(module, default, taken, ())
            return
        self.unclear.add(f"{module}:{node.lineno}: {node.id}")


def _callee(module: str, function: ast.expr) -> Callee:
    match function:
        case ast.Name(id=name):
            return _owned(module, name)
        case ast.Attribute(attr=name):
            return _owned(module, f".{name}")
        case _:
            return ("", "")


def _owned(module: str, name: str) -> Callee:
    return (module if name.lstrip(".").startswith("_") else "", name)


def _given(node: ast.Call, slot: Slot) -> Iterator[ast.expr]:
    for keyword in node.keywords:
        if keyword.arg == slot.keyword:
            yield keyword.value
    if slot.position is not None and slot.position < len(node.args):
        value = node.args[slot.position]
        if not isinstance(value, ast.Starred):  # a fault that was sent in parts
            yield value


def _parameters(function: Function) -> list[str]:
    return [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)]


def _defaults(function: Function, name: str) -> Iterator[ast.expr]:
    pairs = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    yield from (default for argument, default in pairs if argument.arg == name and default)


Inside: TypeAlias = tuple[Function | ast.ClassDef, ...]


def _visit(codes: Codes, module: str, node: ast.AST, inside: Inside) -> None:
    match node:
        case ast.Call():
            codes.call(module, node, inside)
        case ast.Dict(keys=[ast.Constant(value="fault")], values=[ast.List(elts=[first, *_])]):
            codes.value(module, first, Slot(0, "fault"), inside)
        case _:
            pass


def _collect_parts(
    module: str, node: ast.AST, inside: Inside, parts: list[tuple[str, ast.AST, Inside]]
) -> None:
    """Note what may be visited, with its module and what it stands in."""
    if isinstance(node, ast.Call | ast.Dict):
        parts.append((module, node, inside))
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        inside = (*inside, node)
    for child in ast.iter_child_nodes(node):
        _collect_parts(module, child, inside, parts)


@cache
def parts_of_source() -> list[tuple[str, ast.AST, Inside]]:
    """Return what may be visited, module by module: it is read once, and visited often."""
    parts: list[tuple[str, ast.AST, Inside]] = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            _collect_parts(str(path.relative_to(ROOT)), tree, (), parts)
    return parts


@cache
def codes_in_source(*ends: Callee) -> Codes:
    """Return what is found once nothing new is found; of some functions, what reaches them."""
    keywords = dict.fromkeys(ends, "finding_id") or ENDS
    codes = Codes({callee: {Slot(0, keyword)} for callee, keyword in keywords.items()})
    known = -1
    while known < codes.size:
        known = codes.size
        for module, node, inside in parts_of_source():
            _visit(codes, module, node, inside)
    return codes


def rows_on_pages() -> list[list[str]]:
    """Return the cells of the lines that explain codes."""
    lines = [line for page in PAGES for line in page.read_text(encoding="utf-8").splitlines()]
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("| `")]


def codes_on_pages() -> list[str]:
    """Return the codes of the first cells; several with one meaning share a line."""
    return [code for row in rows_on_pages() for code in re.findall(r"`([^`]+)`", row[0])]


def test_every_code_in_the_source_is_a_plain_text_somewhere() -> None:
    assert sorted(codes_in_source().unclear) == []


def test_the_pages_list_exactly_the_codes_of_the_source() -> None:
    assert sorted(codes_on_pages()) == sorted(codes_in_source().found)


def test_codes_are_found_on_every_path() -> None:
    paths = {
        "empty-document": "straight",
        "type-error": "as a default",
        "divisor-not-positive": "as an error of a type rule",
        "unknown-outcome": "in a text with a gap",
        "overlap-undecided": "in a text with a gap before its end",
        "draft-not-found": "as an argument passed on",
        "tool-too-slow": "as a reason",
        "result-not-json": "as a reply of the worker",
        "name-reserved": "as a method's argument",
    }
    assert paths.keys() <= codes_in_source().found


def test_each_line_says_what_it_means_and_what_to_do() -> None:
    assert [row for row in rows_on_pages() if len(row) != 3 or not all(row)] == []
