"""The mutants of a source file: each is the file with one small change that it should not survive.

What a reader or a type checker looks after is left alone: annotations, docstrings, decorators,
assertions, ``__all__``, cases that cannot be reached, and ``strict=`` of ``zip``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeAlias

Place: TypeAlias = "tuple[ast.AST, str]"

OTHER_OPERATOR: Mapping[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True, order=True)
class Mutant:
    """One change of a file: at which node, which of its changes, and in which function."""

    file: str
    node: int
    change: int
    line: int
    text: str
    function: str  # the dotted name of the outermost function, empty at the level of the module

    @property
    def name(self) -> str:
        """The name to run it again by."""
        return f"{self.file}:{self.node}.{self.change}"


def sample(root: Path, files: list[str], share: float, least: int, seed: int) -> list[Mutant]:
    """Return a share of the mutants of each file, but at least so many where there are."""
    chosen: list[Mutant] = []
    for file in files:
        made = mutants(root, file)
        count = min(len(made), max(least, round(len(made) * share)))
        chosen += sorted(Random(f"{seed} {file}").sample(made, count))  # noqa: S311 - no secret
    return chosen


def mutants(root: Path, file: str) -> list[Mutant]:
    """Return all mutants of a file, in the order of its text."""
    tree = ast.parse((root / file).read_text(encoding="utf-8"))
    found: list[Mutant] = []
    for number, (place, function) in enumerate(_places(tree, "", "")):
        for change, other in enumerate(_changed(place)):
            text = f"{_shown(place)}  ->  {_shown(other)}"
            found.append(Mutant(file, number, change, _line(place), text, function))
    return found


def mutated(root: Path, mutant: Mutant) -> ast.Module:
    """Return the tree of the file with the mutant's change."""
    tree = ast.parse((root / mutant.file).read_text(encoding="utf-8"))
    node, _ = list(_places(tree, "", ""))[mutant.node]
    other = list(_changed(node))[mutant.change]
    node.__class__ = other.__class__
    vars(node).clear()
    vars(node).update(vars(other))
    return ast.fix_missing_locations(tree)


def _places(node: ast.AST, around: str, function: str) -> Iterator[Place]:
    """Yield the nodes that may be changed, with the outermost function that each is in."""
    yield node, function
    if isinstance(node, ast.FunctionDef):
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            yield from _places(default, around, function)
        inside = function or f"{around}{node.name}"
        for statement in node.body:
            yield from _places(statement, around, inside)
        return
    within = f"{around}{node.name}." if isinstance(node, ast.ClassDef) else around
    for part in _parts(node):
        yield from _places(part, within, function)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.ClassDef():
            yield from node.body
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return
        case ast.AnnAssign():
            yield from filter(None, [node.value])
        case ast.Assert() | ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return
        case ast.keyword(arg="strict"):
            return
        case _:
            yield from ast.iter_child_nodes(node)


def _changed(  # noqa: C901, PLR0912 - one case per kind of node
    node: ast.AST,
) -> Iterator[ast.AST]:
    """Yield what may stand in a node's place."""
    match node:
        case ast.Compare():
            for place, sign in enumerate(node.ops):
                yield _with(node, ops=_at(node.ops, place, OTHER_OPERATOR[type(sign)]()))
        case ast.BoolOp() | ast.BinOp() | ast.AugAssign():
            if type(node.op) in OTHER_OPERATOR:
                yield _with(node, op=OTHER_OPERATOR[type(node.op)]())
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield deepcopy(node.operand)
        case ast.Constant(value=bool(held)):
            yield ast.Constant(not held)
        case ast.Constant(value=int(held)):
            yield ast.Constant(held + 1)
        case ast.Constant(value=str(held)):
            yield ast.Constant(f"{held}XX")
        case ast.Name(id=name) if name in OTHER_NAME:
            yield _with(node, id=OTHER_NAME[name])
        case ast.If() | ast.IfExp() | ast.While() if isinstance(
            node.test, ast.Name | ast.Call | ast.Attribute
        ):
            yield _with(node, test=ast.UnaryOp(ast.Not(), deepcopy(node.test)))
        case ast.comprehension(ifs=[_, *_]):
            yield _with(node, ifs=[])
        case ast.Match(cases=[_, _, *_]):
            for place in range(len(node.cases) - _is_closed(node)):
                yield _with(node, cases=[*node.cases[:place], *node.cases[place + 1 :]])
        case ast.match_case(guard=ast.AST()):
            yield _with(node, guard=None)
        case ast.Expr(value=ast.Call()) | ast.Continue():
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case _:
            return


def _is_closed(node: ast.Match) -> bool:
    """Return whether the last case cannot be reached, as the type checker proves."""
    return "assert_never" in ast.unparse(node.cases[-1])


def _with(node: ast.AST, **parts: object) -> ast.AST:
    other = deepcopy(node)
    vars(other).update(deepcopy(parts))
    return other


def _at(signs: list[ast.cmpop], place: int, other: ast.AST) -> list[ast.AST]:
    return [*signs[:place], other, *signs[place + 1 :]]


def _line(node: ast.AST) -> int:
    inner = [getattr(part, "lineno", 0) for part in ast.walk(node)]
    return int(getattr(node, "lineno", 0) or min(filter(None, inner), default=0))


def _shown(node: ast.AST) -> str:
    first = ast.unparse(node).strip().partition("\n")[0]
    if isinstance(node, ast.Match):
        first += " " + " | ".join(ast.unparse(case.pattern) for case in node.cases)
    return first if len(first) < 120 else f"{first[:117]}..."
