"""Constants that are said with what they mean: "less than 50 USD (least benefit that remains)"."""

from __future__ import annotations

from dataclasses import dataclass

from sopforge.domain.language.expressions import Constant, Expression, list_ordered_parts, walk
from sopforge.logic.phrasing.grammar import EITHER_ORDER
from sopforge.logic.phrasing.rebuilding import rebuild_node

_LONGEST_ORDER = len(" (or before it)")


@dataclass(frozen=True, slots=True)
class ExplainedConstant(Constant):
    """A named constant with its meaning, which stands in brackets after it."""

    meaning: str = ""


def phrase_meaning(node: Constant) -> str:
    """Return what follows the words of a constant."""
    return f" ({node.meaning})" if isinstance(node, ExplainedConstant) else ""


def put_meanings_last(words: str, node: Expression) -> str:
    """Return the words of a condition with the meanings of its constants after them."""
    for part in walk(node):
        meaning = phrase_meaning(part) if isinstance(part, Constant) else ""
        words = _append_note(words.replace(meaning, ""), meaning) if meaning else words
    return words


def _append_note(words: str, note: str) -> str:
    """Return words with a note after them, in the brackets that they end with where there are."""
    if EITHER_ORDER.search(words[-_LONGEST_ORDER:]):
        return f"{words[:-1]}; {note[2:]}"
    return f"{words}{note}"


def forget_meanings(expression: Expression) -> Expression:
    """Return an expression whose constants are said without their meanings."""
    done: dict[int, tuple[Expression, Expression]] = {}
    for node in list_ordered_parts([expression]):
        plain = (
            Constant(node.type, node.value, node.name)
            if isinstance(node, ExplainedConstant)
            else rebuild_node(node, done)
        )
        done[id(node)] = (node, plain)
    return done[id(expression)][1]
