"""Sets: what is made of two, labels among those of a set, and all of a set in another."""

from __future__ import annotations

from sopforge.domain.language.expressions import (
    Among,
    Combination,
    Constant,
    Element,
    Expression,
    Read,
    SetOperation,
    Subset,
)
from sopforge.logic.english.names import Names, quote_members
from sopforge.logic.phrasing.brackets import as_operand, as_side, is_continuation
from sopforge.logic.phrasing.grammar import join_items
from sopforge.logic.phrasing.idioms import unwrap_node

_OPERATION_WORDS = {SetOperation.UNION: "together with", SetOperation.DIFFERENCE: "without"}


class Sets(Names):
    """Phrases sets, and what is asked of them."""

    def visit_combination(self, node: Combination, left: str, right: str) -> str:
        is_continued = is_continuation(node.left, node) and not _is_rest(node.left)
        first = left if is_continued else as_operand(node.left, left)
        second = as_operand(node.right, right)
        if node.operation is SetOperation.INTERSECTION:
            return f"what {self.phrase_shared(node, left, right)}"
        if _is_plain_rest(node):
            return f"{first} that {self.choose_verb(node.left)} not among {second}"
        if _is_written_rest(node):
            return f"those of {join_items(quote_members(node.left))} that are not among {second}"
        return f"{first} {_OPERATION_WORDS[node.operation]} {second}"

    def phrase_shared(self, node: Combination, left: str, right: str, number: str = "") -> str:
        """Return that two sets have something in common, or how much of it."""
        both = f"{as_operand(node.left, left)} and {as_operand(node.right, right)}"
        return " ".join(filter(None, (both, "have", number, "in common")))

    def visit_among(self, node: Among, operand: str, members: str, word: str = "") -> str:
        side, verb = as_side(node.operand, operand), self.choose_verb(node.operand)
        return f"{side} {verb} {word}among {as_operand(node.members, members)}"

    def visit_subset(self, node: Subset, left: str, right: str) -> str:
        if isinstance(node.right, Constant):
            return self.phrase_limits(node, left, "nothing")
        return f"all of {self.phrase_inclusion(node, left, right)}"

    def phrase_inclusion(self, node: Subset, left: str, right: str) -> str:
        """Return that the entries of a set, all or not all of them, are those of another."""
        part, whole = as_operand(node.left, left), as_operand(node.right, right)
        return f"{part} {self.choose_verb(node.left)} among {whole}"

    def phrase_limits(self, node: Subset, left: str, word: str) -> str:
        """Return whether a set has something besides labels that are written."""
        verb = "include" if self.choose_verb(node.left) == "are" else "includes"
        labels = quote_members(node.right)
        return f"{as_operand(node.left, left)} {verb} {word} besides {join_items(labels)}"

    def phrase_excess(self, node: Subset) -> str:
        """Return that not all of a set lies in another one."""
        left, right = self.phrase(node.left), self.phrase(node.right)
        if isinstance(node.right, Constant):
            return self.phrase_limits(node, left, "something")
        return f"not all of {self.phrase_inclusion(node, left, right)}"


def _is_rest(value: Expression) -> bool:
    """Return whether a set is said as what is not among another one."""
    node = unwrap_node(value)
    return isinstance(node, Combination) and (_is_plain_rest(node) or _is_written_rest(node))


def _is_written_rest(node: Combination) -> bool:
    """Return whether a set is what several written labels have and a named set has not."""
    is_rest = node.operation is SetOperation.DIFFERENCE
    is_named = isinstance(unwrap_node(node.right), Read | Element)
    return is_rest and is_named and len(quote_members(node.left)) > 1


def _is_plain_rest(value: Expression) -> bool:
    """Return whether a set is what one named set has and another one has not."""
    node = unwrap_node(value)
    if not isinstance(node, Combination) or node.operation is not SetOperation.DIFFERENCE:
        return False
    return all(isinstance(unwrap_node(side), Read | Element) for side in (node.left, node.right))
