"""The Python reading: an expression as source text over a tool's decoded parameters.

Labels stay text and sets stay lists, so that the emitted code reads like code; numbers are whole
units of their places and dates are ordinals, so that it decides exactly as the model does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sopforge.domain.expressions import (
    AllOf,
    AnyOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Contains,
    DaysBetween,
    Expression,
    Lookup,
    Not,
    OneOf,
    Presence,
    Read,
    Rescale,
    Size,
)
from sopforge.domain.types import BooleanType, EnumType
from sopforge.logic.algebra import interpret


@dataclass(frozen=True, slots=True)
class PythonSource:
    """Writes fully bracketed source; a field is the variable of its name, None where missing.

    ``policy`` holds the constants that the code defines, each under its name in capitals.
    """

    policy: Mapping[str, Constant]

    def constant(self, node: Constant) -> str:
        if isinstance(node.type, EnumType):
            return repr(node.type.values[node.value])
        if isinstance(node.type, BooleanType):
            return repr(bool(node.value))
        if node.name not in self.policy:
            return repr(node.value)
        # A comparison may have brought the constant to more places than it is defined with.
        factor = node.value // self.policy[node.name].value if node.value else 1
        return node.name.upper() if factor == 1 else f"({node.name.upper()} * {factor})"

    def read(self, node: Read) -> str:
        return node.field

    def presence(self, node: Presence) -> str:
        return f"({node.field} is not None)"

    def rescale(self, node: Rescale, operand: str) -> str:
        return f"({operand} * {10**node.digits})"

    def arithmetic(self, node: Arithmetic, left: str, right: str) -> str:
        return f"({left} {node.operation} {right})"

    def days_between(self, node: DaysBetween, start: str, end: str) -> str:  # noqa: ARG002 - protocol
        return f"({end} - {start})"

    def size(self, node: Size, operand: str) -> str:  # noqa: ARG002 - protocol
        return f"len({operand})"

    def compare(self, node: Compare, left: str, right: str) -> str:
        return f"({left} {node.relation} {right})"

    def one_of(self, node: OneOf, operand: str) -> str:
        options = ", ".join(self.constant(option) for option in node.options)
        return f"({operand} in ({options}{',' if options else ''}))"

    def contains(self, node: Contains, operand: str) -> str:
        return f"({node.member!r} in {operand})"

    def all_of(self, node: AllOf, operands: Sequence[str]) -> str:  # noqa: ARG002 - protocol
        return f"({' and '.join(operands)})"

    def any_of(self, node: AnyOf, operands: Sequence[str]) -> str:  # noqa: ARG002 - protocol
        return f"({' or '.join(operands)})"

    def negation(self, node: Not, operand: str) -> str:  # noqa: ARG002 - protocol
        return f"(not {operand})"

    def choice(self, node: Choice, condition: str, then: str, otherwise: str) -> str:  # noqa: ARG002 - protocol
        return f"({then} if {condition} else {otherwise})"

    def lookup(self, node: Lookup, key: str) -> str:
        kind = node.key.type
        labels = kind.values if isinstance(kind, EnumType) else ()
        pairs = zip(labels, node.entries, strict=True)
        entries = ", ".join(f"{label!r}: {self.constant(entry)}" for label, entry in pairs)
        return f"{{{entries}}}[{key}]"


def python_source(expression: Expression, policy: Mapping[str, Constant]) -> str:
    """Return an expression as Python source, without the outermost brackets."""
    source = interpret(expression, PythonSource(policy))
    return source[1:-1] if _is_wrapped(source) else source


def _is_wrapped(source: str) -> bool:
    """Tell whether the first bracket closes at the very end, outside any quoted text."""
    depth, quote = 0, ""
    for position, letter in enumerate(source):
        if quote:
            quote = "" if letter == quote and source[position - 1] != "\\" else quote
        elif letter in "'\"":
            quote = letter
        else:
            depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return source.startswith("(") and position == len(source) - 1
    return False
