"""Formulas with the signs of arithmetic, for what takes several operations to work out.

"(the length times the width) divided by 12" is a formula here: operands stand between signs and
without an article, and products and quotients go on from left to right. A part that is named by a
letter has no article anywhere.
"""

from __future__ import annotations

import re

from sopforge.domain.language.expressions import Arithmetic, Operation, Quotient
from sopforge.logic.english import English
from sopforge.logic.english.numbers import (
    DIVISION_WORDS,
    OPERATION_WORDS,
    phrase_divisor,
    to_places,
)
from sopforge.logic.phrasing.brackets import as_factor
from sopforge.logic.phrasing.idioms import find_rounded, unwrap_node
from sopforge.logic.phrasing.shares import find_share

_SIGNS = {
    Operation.ADD: "+",
    Operation.SUBTRACT: "\N{MINUS SIGN}",
    Operation.MULTIPLY: "\N{MULTIPLICATION SIGN}",
}
_DIVISION = "\N{DIVISION SIGN}"
SIGN_WORDS = {
    **{sign: OPERATION_WORDS[operation] for operation, sign in _SIGNS.items()},
    _DIVISION: DIVISION_WORDS,
}
"""The words that stand for each sign."""
_ARTICLE = re.compile(r"^(\(*)the ")


class Notation(English):
    """Writes formulas with signs; what is no sum, difference, product or quotient is in words."""

    has_twice = False

    def name_field(self, field: str) -> str:
        # No name of a domain has a blank; those of parts that letters stand for do.
        return self.fields[field].label if " " in field else super().name_field(field)

    def join_operands(self, first: str, operation: Operation, second: str) -> str:
        return f"{_drop_article(first)} {_SIGNS[operation]} {_drop_article(second)}"

    def visit_quotient(self, node: Quotient, left: str, right: str) -> str:
        if find_rounded(node) is not None or find_share(node) is not None:
            return super().visit_quotient(node, left, right)
        dividend = unwrap_node(node.left)
        is_product = isinstance(dividend, Arithmetic) and dividend.operation is Operation.MULTIPLY
        first = left if is_product else as_factor(node.left, left)
        second = phrase_divisor(node, right)
        divided = f"{_drop_article(first)} {_DIVISION} {_drop_article(second)}"
        return to_places(divided, node.type.places)


def _drop_article(operand: str) -> str:
    return _ARTICLE.sub(r"\1", operand)
