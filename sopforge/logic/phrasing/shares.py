"""Shares of a hundred: "at least 60 percent of the price" is held as products with 100 and 60."""

from __future__ import annotations

from dataclasses import dataclass

from sopforge.domain.language.expressions import (
    Arithmetic,
    Compare,
    Constant,
    Element,
    Expression,
    Operation,
    Quotient,
    Read,
    Relation,
)
from sopforge.domain.values.types import NumberType, require_integer
from sopforge.logic.phrasing.grammar import is_percent
from sopforge.logic.phrasing.scales import unwrap_scale

PLAIN_NUMBER = " (as a plain number)"
"""What stands after a percentage that a product takes as a number: 3 for 3 percent."""
_HUNDRED = 100
_CHANGES = {Operation.ADD: "plus", Operation.SUBTRACT: "minus"}


@dataclass(frozen=True, slots=True)
class Share:
    """So many percent of a number, or the number itself plus or minus so many percent."""

    percent: Constant | Read | Element
    whole: Expression
    change: str = ""


@dataclass(frozen=True, slots=True)
class ComparedShare:
    """That a number is more than a share of another one, at most, and so on."""

    part: Expression
    relation: Relation
    share: Share


def find_share(node: Quotient) -> Share | None:
    """Return the share that a quotient by 100 is, None for another quotient."""
    return _split_share(node.left) if _is_hundred(node.right) else None


def find_compared_share(test: Compare) -> ComparedShare | None:
    """Return what a comparison of two products says of a share, None for another comparison."""
    for one, other, relation in (
        (test.left, test.right, test.relation),
        (test.right, test.left, test.relation.mirrored),
    ):
        part, share = _find_hundredfold(one), _split_share(other)
        if part is not None and share is not None:
            return ComparedShare(part, relation, share)
    return None


def is_plain_share(share: Share) -> bool:
    """Return whether a share is so many percent of a number, with a figure for the percentage."""
    return isinstance(share.percent, Constant) and not share.change


def _find_hundredfold(node: Expression) -> Expression | None:
    """Return the number of which a product is the hundredfold."""
    match unwrap_scale(node):
        case Arithmetic(operation=Operation.MULTIPLY, left=left, right=right):
            if _is_hundred(right) and not _is_hundred(left):
                return left
            return right if _is_hundred(left) and not _is_hundred(right) else None
        case _:
            return None


def _split_share(node: Expression) -> Share | None:
    inner = unwrap_scale(node)
    if not isinstance(inner, Arithmetic) or inner.operation is not Operation.MULTIPLY:
        return None
    for factor, whole in ((inner.right, inner.left), (inner.left, inner.right)):
        percent, change = _split_percent(unwrap_scale(factor))
        if percent is not None and not _is_constant(whole):
            return Share(percent, whole, change)
    return None


def _split_percent(node: Expression) -> tuple[Constant | Read | Element | None, str]:
    """Return the percentage that a factor is, or by which it changes a hundred; None for others."""
    match node:
        case Constant():
            return (node, "") if _may_be_percent(node) else (None, "")
        case Read(type=NumberType(unit=unit)) | Element(type=NumberType(unit=unit)) if is_percent(
            unit
        ):
            return node, ""
        case Arithmetic(operation=operation, left=left, right=right) if _is_hundred(left):
            percent, change = unwrap_scale(right), _CHANGES.get(operation, "")
            is_known = isinstance(percent, Constant) and _may_be_percent(percent)
            return (percent, change) if change and is_known else (None, "")  # type: ignore[return-value]  # as was tested
        case _:
            return None, ""


def _may_be_percent(node: Constant) -> bool:
    unit = node.type.unit if isinstance(node.type, NumberType) else None
    if unit is None:
        return False
    return is_percent(unit) or (not unit and not _is_hundred(node))


def _is_hundred(node: Expression) -> bool:
    inner = unwrap_scale(node)
    if not isinstance(inner, Constant) or inner.name or not isinstance(inner.type, NumberType):
        return False
    scale: int = 10**inner.type.places
    return require_integer(inner.value) == _HUNDRED * scale


def _is_constant(node: Expression) -> bool:
    return isinstance(unwrap_scale(node), Constant)
