"""Writes an expression in English, with only one wording for each relation.

"at least" is >=, "more than" is >, "at most" is <=, "less than" is <; for dates "on or after",
"after", "on or before", "before", for times with "at". Three conditions or more are a list with
letters, two are joined by "and" or "or", with a comma before it where one of them has the other
word in it. Of the entries of a list it is said what they have: "whose kind is ...".
"""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import AllOf, AnyOf, Constant, Expression
from sopforge.domain.values.types import NumberType, SetType, to_cell
from sopforge.logic.english.choices import Choices, as_entry, as_yes_or_no, is_condition
from sopforge.logic.english.conditions import Conditions
from sopforge.logic.english.names import quote_members
from sopforge.logic.english.numbers import Numbers
from sopforge.logic.phrasing.brackets import is_clause
from sopforge.logic.phrasing.grammar import format_quantity, join_items
from sopforge.logic.phrasing.idioms import list_runs, unwrap_node
from sopforge.logic.readings.algebra import Interpretation

__all__ = [
    "English",
    "phrase_entry",
    "phrase_expression",
    "phrase_items",
    "phrase_line",
    "phrase_value",
]


class English(Numbers, Conditions, Choices):
    """Writes phrases; the fields give labels and the words for missing values."""

    def __init__(self, fields: Mapping[str, Field]) -> None:
        super().__init__(fields)
        # Kept: written anew at each level above it, a nested part would take exponential time.
        self.written = Interpretation(self)

    def phrase(self, node: Expression) -> str:
        """Return an expression, or a part of one, in words; each part is written once."""
        return self.written.interpret_node(node)


def phrase_expression(expression: Expression, fields: Mapping[str, Field]) -> str:
    """Return an expression in words, as it stands inside a sentence.

    A number that stands alone keeps the places of its type, for so an answer is written; a written
    set that stands alone is its labels, or the word for none.
    """
    if isinstance(expression, Constant) and isinstance(expression.type, SetType):
        return join_items(quote_members(expression) or [f'"{expression.type.empty}"'])
    if isinstance(expression, Constant) and isinstance(expression.type, NumberType):
        return format_quantity(to_cell(expression.type, expression.value), expression.type.unit)
    return English(fields).phrase(expression)


def phrase_items(condition: Expression, fields: Mapping[str, Field]) -> list[str]:
    """Return the conditions of a group in words, as a list has them; another one alone."""
    inner = unwrap_node(condition)
    if not isinstance(inner, AllOf | AnyOf):
        return [phrase_expression(condition, fields)]
    words = English(fields)
    return [
        words.phrase_item(part, inner) if len(part) > 1 else words.phrase_line(part[0])
        for part in list_runs(inner)
    ]


def phrase_line(condition: Expression, fields: Mapping[str, Field]) -> str:
    """Return a condition in words, as it stands alone in a line of a list."""
    return English(fields).phrase_line(condition)


def phrase_value(
    expression: Expression, fields: Mapping[str, Field], *, inside: bool = False
) -> str:
    """Return a value in words; one that a condition decides is in brackets ``inside`` a sentence.

    What is yes or no by a condition says so.
    """
    words = phrase_expression(expression, fields)
    is_decided = is_condition(expression)
    is_held = inside and (is_decided or is_clause(expression))
    words = as_yes_or_no(words) if is_decided else words
    return f"({words})" if is_held else words


def phrase_entry(entry: Expression, fields: Mapping[str, Field]) -> str:
    """Return an entry of a look-up in words, as it stands in a list or in a table's cell."""
    return as_entry(entry, English(fields).phrase(entry))
