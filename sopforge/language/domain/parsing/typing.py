"""Types of literals and values: what a quoted text stands for, and what fits a field."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.expressions.expressions import Constant, Expression
from sopforge.language.domain.expressions.numbers import (
    ORDERED_HINT,
    require_number_type,
    rescale_number,
)
from sopforge.language.domain.parsing.text import Text
from sopforge.language.domain.values.patterns import read_pattern
from sopforge.language.domain.values.types import (
    AtomType,
    BooleanType,
    EnumType,
    ListType,
    MomentType,
    NumberType,
    OrderedType,
    SetType,
    TextType,
    ValueNotAllowedError,
    ValueType,
    require_integer,
)

BOOLEAN_HINT = "write the yes/no field by itself, or with 'not' before it"
FREE_TEXT_HINT = "make a separate field of a fact in the text"
LIKE_HINT = "compare two fields of this kind, or list the possible values with 'pool' or 'enum'"


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quoted literal that waits for the type of its neighbour."""

    text: str


Part: TypeAlias = Expression | Quoted


class Types(Text):
    """Brings literals to the type of their neighbour, and values to that of their target.

    ``is_proved`` says that a proof asks later whether a value stays within its target's range.
    """

    is_proved = False

    def convert_quoted(self, part: Part, kind: ValueType, node: ast.expr) -> Expression:
        """Return a quoted literal as a constant of its neighbour's type, others as they are."""
        if not isinstance(part, Quoted):
            return part
        match kind:
            case MomentType():
                moment = require_integer(self.encode_quoted(part, kind.widen(), node))
                return Constant(kind.with_bounds(moment, moment), moment)
            case TextType():
                return self.make_text_constant(part, kind, node)
            case EnumType():
                return Constant(kind, self.encode_quoted(part, kind, node))
            case _:
                hints = {BooleanType: BOOLEAN_HINT, SetType: f"write: '{part.text}' in field"}
                hint = hints.get(type(kind), "")
                if isinstance(kind, NumberType):
                    hint = "write a number without quotes, or compare a field that has labels"
                message = f"'{part.text}' is text, but {kind.noun} is needed"
                raise self.make_error(node, message, hint=hint)

    def make_text_constant(self, quoted: Quoted, kind: TextType, node: ast.expr) -> Constant:
        if kind.is_free:
            raise self.make_error(node, "free text cannot be compared", hint=FREE_TEXT_HINT)
        if kind.like:
            message = f"texts like a {kind.like} are invented, so a rule cannot name one of them"
            raise self.make_error(node, message, code="unknown-value", hint=LIKE_HINT)
        if kind.pattern and not read_pattern(kind.pattern).has(quoted.text):
            message = f"'{quoted.text}' does not match the pattern {kind.pattern}"
            hint = "write a value that matches the pattern, or change 'pattern' of the field"
            raise self.make_error(node, message, code="unknown-value", hint=hint)
        if kind.pool and quoted.text not in kind.pool:
            hint = suggest(quoted.text, list(kind.pool))
            message = f"'{quoted.text}' is not one of: {', '.join(kind.pool)}"
            raise self.make_error(node, message, code="unknown-value", hint=hint)
        return Constant(kind, quoted.text)

    def encode_quoted(self, quoted: Quoted, kind: AtomType, node: ast.expr) -> int | str:
        try:
            value = kind.encode(quoted.text)
        except ValueNotAllowedError as cause:
            hint = suggest(quoted.text, list(kind.values)) if isinstance(kind, EnumType) else ""
            hint = hint or cause.hint
            raise self.make_error(node, str(cause), code="unknown-value", hint=hint) from cause
        return value if isinstance(value, str) else require_integer(value)

    def require_order(self, kind: ValueType, node: ast.expr) -> None:
        """Raise for texts, and for labels that are not listed from the lowest to the highest."""
        if isinstance(kind, EnumType) and kind.is_ordered:
            return
        what = "texts" if isinstance(kind, TextType) else "these labels"
        message = f"{what} have no order, so they can only be compared with == or !="
        hint = "" if isinstance(kind, TextType) else ORDERED_HINT
        raise self.make_error(node, message, hint=hint)

    def require_same_labels(self, first: EnumType, second: ValueType, node: ast.expr) -> None:
        """Raise unless two types have the same labels, both in an order or neither."""
        if first == second:
            return
        message, hint = "cannot compare fields with different labels", ""
        if isinstance(second, EnumType) and first.values == second.values:
            message = "cannot compare labels with an order and labels without one"
            hint = "write 'ordered: true' at both fields, or at neither"
        raise self.make_error(node, message, hint=hint)

    def fit_value(self, value: Expression, target: ValueType, node: ast.expr) -> Expression:
        if isinstance(value.type, NumberType) and isinstance(target, NumberType):
            return self.fit_number(value, target, node)
        if type(value.type) is not type(target) or isinstance(target, SetType | ListType):
            names = f"expected {target.noun}, found {value.type.noun}"
            hint = "decide it with rules" if isinstance(target, EnumType) else ""
            raise self.make_error(node, names, hint=hint)
        if isinstance(target, EnumType) and value.type != target:
            raise self.make_error(
                node, "the value comes from another field, whose labels cannot be used here"
            )
        if isinstance(target, OrderedType):
            self.refuse_outside(value.type, target, node)
        return value

    def fit_number(self, value: Expression, target: NumberType, node: ast.expr) -> Expression:
        if require_number_type(value).places > target.places:
            hint = f"write round(..., {target.places}) around it"
            message = f"the value has more than {target.places} decimal places"
            raise self.make_error(node, message, hint=hint)
        scaled = self.apply_type_rule(node, lambda: rescale_number(value, target.places))
        self.refuse_outside(scaled.type, target, node)
        return scaled

    def refuse_outside(self, kind: ValueType, target: ValueType, node: ast.expr) -> None:
        found, declared = _get_ends(kind), _get_ends(target)
        is_within = declared[0] <= found[0] and found[1] <= declared[1]
        may_be_within = found[0] <= declared[1] and declared[0] <= found[1]
        if not (is_within or (self.is_proved and may_be_within)):
            ranges = [
                " to ".join(dict.fromkeys(target.to_cell(end) for end in ends))
                for ends in (found, declared)
            ]
            message = f"the value can be {ranges[0]}, but the field declares {ranges[1]}"
            hint = "change the value, or widen 'min' and 'max' of the field"
            if not self.is_proved:
                hint += "; this check ignores constraints"
            raise self.make_error(node, message, code="out-of-range", hint=hint)


def _get_ends(kind: ValueType) -> tuple[int, int]:
    if isinstance(kind, OrderedType):
        return kind.minimum, kind.maximum
    raise TypeError(f"{kind!r} has no ends")
