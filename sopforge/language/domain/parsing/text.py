"""The text of an expression: its syntax tree, its limits, and refusals that point into it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from sopforge.language.domain.expressions.expressions import Constant, Expression
from sopforge.language.domain.expressions.numbers import TypeRuleError
from sopforge.language.domain.expressions.operators import Calendar
from sopforge.language.domain.expressions.slips import Slip, find_date, find_slip, find_split_name
from sopforge.language.domain.parsing.functions import NamedFunction
from sopforge.language.domain.values.types import ValueType

MAXIMUM_LENGTH = 4_000
MAXIMUM_DEPTH = 100
MAXIMUM_PLACES = 6
ALLOWED = (
    "use only names, numbers, quoted labels, functions, the words and, or, not and in, the"
    " operators == != < <= > >= + - * **, and a if b else c"
)
Built = TypeVar("Built")


class ExpressionError(ValueError):
    """An expression is not well-formed or not well-typed; ``column`` counts from 1."""

    def __init__(self, code: str, message: str, column: int, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.column = column
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Definition:
    """A condition that has a name, as it is written, and what stands in brackets where it is used.

    It may use the predicates that stand ``above`` it, so that none comes to itself.
    """

    text: str
    takes: tuple[str, ...] = ()
    above: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Use:
    """A predicate as it is used somewhere: about which fields, and the condition that it is.

    One that is about an item of a list is met by some items of a row and not by others.
    """

    name: str
    about: tuple[str, ...]
    condition: Expression
    is_of_item: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that an expression may use, and which fields may be missing or malformed.

    ``paths`` has the field for each path from a reference to what its record holds. ``uses`` notes
    where predicates are read, and ``called`` which functions are.
    """

    fields: Mapping[str, ValueType]
    constants: Mapping[str, Constant]
    optional: frozenset[str] = frozenset()
    calendars: Mapping[str, Calendar] = field(default_factory=dict)
    malformable: frozenset[str] = frozenset()
    paths: Mapping[str, str] = field(default_factory=dict)
    predicates: Mapping[str, Definition] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)
    functions: Mapping[str, NamedFunction] = field(default_factory=dict)
    called: set[str] = field(default_factory=set)


class Text:
    """An expression as text with its syntax tree, in a scope; refusals name a column of it."""

    def __init__(self, text: str, scope: Scope) -> None:
        self.scope = scope
        # One line: to Python an expression of a YAML block would end with its first line.
        self.text = text.strip().replace("\n", " ")
        if len(text) > MAXIMUM_LENGTH:
            message = (
                f"the expression has {len(text)} characters; at most {MAXIMUM_LENGTH} are allowed"
            )
            raise ExpressionError(
                "expression-too-long", message, 1, "split it into several decisions"
            )
        self.refuse_slip(find_date(self.text))
        self.root = self.parse_tree()
        # Whatever reads the tree later does so by recursion.
        self.check_depth(self.root)
        self.root = _Paths(scope.paths).visit(self.put_functions(self.root))
        # The tree counts columns in bytes of UTF-8, people in characters.
        rest = self.text.encode()[self.root.end_col_offset :].decode()
        if "#" in rest:
            column = len(self.text) - len(rest) + rest.index("#") + 1
            raise ExpressionError(
                "not-allowed",
                "an expression cannot contain a comment, because the comment would hide the text"
                " after it",
                column,
            )

    def parse_tree(self) -> ast.expr:
        try:
            return ast.parse(self.text, mode="eval").body
        except SyntaxError as cause:
            self.refuse_slip(find_split_name(self.text, self.list_usable_names()))
            self.refuse_slip(find_slip(self.text))
            column = cause.offset or len(self.text) + 1
            rest = self.text[column - 1 : column + 19]
            message = f"'{rest}' is not allowed here" if rest else "the expression is empty"
            raise ExpressionError("syntax-error", message, column, ALLOWED) from cause
        # What Python's parser raises for thousands of brackets or signs differs by its version.
        except (RecursionError, MemoryError, ValueError) as cause:
            message = "this is not a valid expression, or it is nested too deeply"
            raise ExpressionError("syntax-error", message, 1, ALLOWED) from cause

    def check_depth(self, root: ast.expr) -> None:
        if _compute_depth(root) > MAXIMUM_DEPTH:
            message = f"the expression is nested more than {MAXIMUM_DEPTH} levels deep"
            raise ExpressionError(
                "expression-too-deep", message, 1, "split it into several decisions"
            )

    def put_functions(self, root: ast.expr) -> ast.expr:
        """Return a tree with the text of each function in the place of its calls."""
        if not self.scope.functions:
            return root
        put: ast.expr = _Functions(self).visit(root)
        length = len(ast.unparse(put))
        if length > MAXIMUM_LENGTH:
            message = (
                f"with its functions written out, the expression has {length} characters; at most"
                f" {MAXIMUM_LENGTH} are allowed"
            )
            raise ExpressionError(
                "expression-too-long", message, 1, "split it into several decisions"
            )
        self.check_depth(put)
        return put

    def list_usable_names(self) -> list[str]:
        inner = set(self.scope.paths.values())
        fields = [name for name in self.scope.fields if name not in inner]
        return [*fields, *self.scope.paths, *self.scope.constants, *self.scope.predicates]

    def write_name(self, name: str) -> str:
        """Return what briefs call a field: a path, where one leads to it."""
        return next((path for path, inner in self.scope.paths.items() if inner == name), name)

    def refuse_slip(self, slip: Slip | None) -> None:
        if slip is not None:
            raise ExpressionError("syntax-error", slip.message, slip.place + 1, slip.hint)

    def get_source(self, node: ast.expr) -> str:
        """Return how a part is written, in this text or in that of a function."""
        return getattr(node, "source", None) or ast.get_source_segment(self.text, node) or ""

    def make_error(
        self, node: ast.expr, message: str, *, code: str = "type-error", hint: str = ""
    ) -> ExpressionError:
        before = self.text.encode()[: node.col_offset].decode()
        return ExpressionError(code, message, len(before) + 1, hint)

    def apply_type_rule(self, node: ast.expr, build: Callable[[], Built]) -> Built:
        """Return what a type rule builds; its refusal is reported at the node's column."""
        try:
            return build()
        except TypeRuleError as cause:
            raise self.make_error(node, str(cause), code=cause.code, hint=cause.hint) from cause


def check_syntax(text: str, scope: Scope) -> Text:
    """Return a text as it is parsed, whatever its names stand for.

    Raises:
        ExpressionError: it is no expression.
    """
    return Text(text, scope)


def describe_argument_count(name: str, wanted: int, found: int) -> str:
    """Say that a function takes another number of arguments than it was given."""
    return f"{name}(...) takes {wanted} argument{'s' * (wanted != 1)}, found {found}"


class _Functions(ast.NodeTransformer):
    """Puts the texts of functions in the place of their calls, the innermost first."""

    def __init__(self, text: Text) -> None:
        self.text = text

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        function = self.text.scope.functions.get(name)
        if function is None:
            return node
        wanted, found = len(function.takes), len(node.args)
        if node.keywords or wanted != found:
            message = (
                f"{name}(...) does not take named arguments"
                if node.keywords
                else describe_argument_count(name, wanted, found)
            )
            hint = f"write {name}({', '.join(function.takes)})"
            raise self.text.make_error(node, message, hint=hint)
        if function.count_parts(node) > MAXIMUM_LENGTH:
            message = f"{name}(...) is too long when it is written out here"
            hint = "split the expression into several decisions"
            raise self.text.make_error(node, message, code="expression-too-long", hint=hint)
        if item := function.find_captured(node):
            message = f"the expression of {name}(...) has items of its own called '{item}'"
            raise self.text.make_error(node, message, hint="call the items otherwise here or there")
        self.text.scope.called.add(name)
        return function.put_in(node)


class _Paths(ast.NodeTransformer):
    """Puts the field in the place of its path, so that ``payer.balance`` is read as any name."""

    def __init__(self, paths: Mapping[str, str]) -> None:
        self.paths = paths

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self.put_field(ast.unparse(node), node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.put_field(node.id, node)

    def put_field(self, path: str, node: ast.expr) -> ast.expr:
        name = self.paths.get(path)
        return node if name is None else ast.copy_location(ast.Name(name, ast.Load()), node)


def _compute_depth(node: ast.AST) -> int:
    """Return how deep a tree goes, without recursion; it stops a little beyond what is allowed."""
    deepest, waiting = 0, [(node, 1)]
    while waiting and deepest <= MAXIMUM_DEPTH:
        inner, level = waiting.pop()
        deepest = max(deepest, level)
        waiting.extend((child, level + 1) for child in ast.iter_child_nodes(inner))
    return deepest
