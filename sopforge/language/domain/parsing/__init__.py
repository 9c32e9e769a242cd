"""Parses expressions from text into typed trees, with Python's syntax but without evaluation.

Only the syntax that the parser names is allowed. Numbers of different places are brought to one
scale here, divisions in comparisons are multiplied out, and every number gets its interval, so
that the readings have nothing left to decide.
"""

from __future__ import annotations

from sopforge.language.domain.expressions.expressions import Expression, Missing
from sopforge.language.domain.parsing.calls import list_function_names
from sopforge.language.domain.parsing.functions import NamedFunction, keep_source
from sopforge.language.domain.parsing.parser import MISSING, Parser
from sopforge.language.domain.parsing.text import (
    Definition,
    ExpressionError,
    Scope,
    Use,
    check_syntax,
)
from sopforge.language.domain.values.types import BooleanType, ListType, SetType, ValueType

__all__ = [
    "MISSING",
    "Definition",
    "ExpressionError",
    "NamedFunction",
    "Scope",
    "Use",
    "check_syntax",
    "keep_source",
    "list_function_names",
    "parse_condition",
    "parse_value",
]


def parse_condition(text: str, scope: Scope) -> Expression:
    """Return the text as a condition.

    Raises:
        ExpressionError: not allowed syntax, an unknown name, or a type that does not fit.
    """
    parser = Parser(text, scope)
    return parser.parse_condition(parser.root)


def parse_value(
    text: str, scope: Scope, target: ValueType, missing: str = "", *, is_proved: bool = False
) -> Expression:
    """Return the text as a value of the target's type; a bare number or label is a constant.

    ``missing`` is the word for no value, where the text may give none: it says so by the name
    ``missing``, or by that word in quotes. With ``is_proved``, a value may leave the target's range
    by the ranges of what it reads, for a proof asks later whether a case takes it there.

    Raises:
        ExpressionError: as ``parse_condition``, or the value does not fit the target.
    """
    parser = Parser(text, scope)
    parser.allow_type(target)
    if isinstance(target, BooleanType):
        return parser.parse_condition(parser.root)
    if isinstance(target, ListType):
        return parser.parse_selection(parser.root, target)
    if isinstance(target, SetType):
        return parser.parse_set(parser.root, target)
    parser.is_proved = is_proved
    if missing:
        parser.allow_missing(Missing(target, missing))
    value = parser.convert_quoted(parser.parse_part(parser.root), target, parser.root)
    return parser.fit_value(value, target, parser.root)
