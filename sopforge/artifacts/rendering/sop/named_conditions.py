"""Conditions that the brief names: the rules say them by that name, and the SOP defines each once.

"The donor is too young to give if the day of the visit is earlier than 17 years after the date of
birth" stands among the definitions, and a rule says "if the donor is too young to give".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import fields as parts_of
from functools import partial
from operator import is_
from typing import Any

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    Expression,
    Not,
    Read,
    iterate_parts,
    list_ordered_parts,
)
from sopforge.language.domain.fields import Said
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.values.types import BOOLEAN
from sopforge.language.english.words import Words, load_words
from sopforge.language.logic.variants.changed_models import with_expressions

DEFINED = "predicate "
"""What a definition states begins with this."""
NAMED_CONDITIONS = "In this procedure:"
_FILLERS = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "are",
        "at",
        "be",
        "been",
        "before",
        "by",
        "earlier",
        "exceed",
        "exceeds",
        "for",
        "from",
        "greater",
        "has",
        "have",
        "if",
        "in",
        "is",
        "it",
        "later",
        "least",
        "less",
        "more",
        "most",
        "no",
        "not",
        "of",
        "on",
        "one",
        "or",
        "other",
        "than",
        "that",
        "the",
        "their",
        "there",
        "to",
        "was",
        "were",
        "with",
    ]
)
"""Words that name nothing, and those of comparisons."""


@dataclass(frozen=True, slots=True)
class NamedCondition:
    """A condition of the rules with the clauses that stand for it and for its opposite."""

    name: str
    said: Said
    condition: Expression

    @property
    def fact(self) -> Read:
        """What stands for the condition where rules name it."""
        return Read(BOOLEAN, self.name)


def list_named_conditions(model: DomainModel) -> list[NamedCondition]:
    """Return the predicates of a model that its rules can name, each with one meaning.

    One that is about several things has a clause for none of them; a clause that says its condition
    in its own words, or that means another one, is none.
    """
    words, found = load_words(model.fields), dict[Expression, NamedCondition]()
    for predicate in model.predicates.values():
        conditions = [*dict.fromkeys(predicate.uses.values())]
        if predicate.said is None or len(conditions) != 1:
            continue
        item = NamedCondition(predicate.name, predicate.said, conditions[0])
        if not isinstance(item.condition, Read | Not) and _is_clear(words, item):
            found.setdefault(item.condition, item)
    return list(found.values())


def _is_clear(words: Words, item: NamedCondition) -> bool:
    has_meaning = any(words.english.read("fact", clause) for clause in item.said.both)
    is_of_list = any(isinstance(part, Aggregate) for part in iterate_parts(item.condition))
    said = words.say("condition", words.mean(item.condition))
    return not has_meaning and (is_of_list or not _is_repeated(item.said.yes, said))


def _is_repeated(clause: str, words: str) -> bool:
    """Return whether a condition only says again what the clause for it says.

    >>> _is_repeated(
    ...     "the charge exceeds the reader's cost limit",
    ...     "the charge to the reader is more than the cost limit of the reader",
    ... )
    True
    """
    said = {*_split_words(clause), *_FILLERS}
    labels = re.findall('"([^"]+)"', words)
    has_figures = re.search(r"\d", words)
    is_label = bool(labels) and not has_figures and said.issuperset(_split_words(" ".join(labels)))
    return is_label or said.issuperset(_split_words(words))


def _split_words(text: str) -> list[str]:
    return re.findall(r"[\w-]+", text.lower().replace("'s", ""))


def name_conditions(model: DomainModel, named: list[NamedCondition]) -> DomainModel:
    """Return the model as its SOP says it: named conditions are read as fields of these names.

    It is for writing alone: nothing gives these fields a value.
    """
    known = {item.condition: item.fact for item in named}
    return with_expressions(model, partial(_name_parts, known=known)) if named else model


def _name_parts(expression: Expression, known: Mapping[Expression, Read]) -> Expression:
    done: dict[int, tuple[Expression, Expression]] = {}
    for node in list_ordered_parts([expression]):
        done[id(node)] = (node, known.get(node) or _rebuild_node(node, done))
    return done[id(expression)][1]


def _rebuild_node(
    node: Expression, done: Mapping[int, tuple[Expression, Expression]]
) -> Expression:
    """Return a node with what stands for each of its parts; the same node where nothing changes."""

    def replace_part(part: Any) -> Any:  # noqa: ANN401 - a part may be anything
        if isinstance(part, Expression):
            return done.get(id(part), (part, part))[1]
        if isinstance(part, tuple) and any(isinstance(item, Expression) for item in part):
            items = tuple(map(replace_part, part))
            return part if all(map(is_, items, part)) else items
        return part

    parts = {part.name: getattr(node, part.name) for part in parts_of(node)}
    changes = {name: new for name, part in parts.items() if (new := replace_part(part)) is not part}
    return replace(node, **changes) if changes else node


def list_definitions(
    said: DomainModel, named: list[NamedCondition]
) -> list[tuple[NamedCondition, Expression]]:
    """Return the named conditions that rules read, each with its meaning in terms of others."""
    facts = {item.condition: item.fact for item in named}
    meanings = {
        item.name: _name_parts(
            item.condition, {x: fact for x, fact in facts.items() if x is not item.condition}
        )
        for item in named
    }
    read = set(iterate_parts(*collect_deciding_expressions(said)))
    # A later one may read an earlier one, never the reverse.
    for item in reversed(named):
        if item.fact in read:
            read.update(iterate_parts(meanings[item.name]))
    return [(item, meanings[item.name]) for item in named if item.fact in read]
