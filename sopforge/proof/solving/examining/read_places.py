"""The reads of fields in expressions and decisions, each with what holds wherever it happens.

A condition is read from the left to the right, and no further than decides it: what a part reads
is read only where the parts before it leave it open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    AllOf,
    AnyOf,
    Choice,
    Compare,
    Constant,
    Expression,
    Lookup,
    Not,
    Presence,
    Read,
    Relation,
    Selection,
    list_children,
    list_item_values,
)
from sopforge.language.domain.rules import Decision, Formula
from sopforge.language.domain.values.types import BOOLEAN
from sopforge.proof.solving.unfolding import TRUE

Given = tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class OpenRead:
    """A field that is read, and what holds wherever that happens."""

    field: str
    given: Given


@dataclass(frozen=True, slots=True)
class Asked:
    """The fields that are asked for: where they are read, or tested for having a value as well.

    A read about an item of a list that ``is_safe``, by what holds of the item, is left out.
    """

    is_read: Callable[[str], bool]
    is_tested: Callable[[str], bool] = lambda _: False
    is_safe: Callable[[OpenRead], bool] = lambda _: False

    def is_about(self, node: Read | Presence) -> bool:
        """Return whether a node is a read, or a test, of a field that is asked for."""
        is_wanted = self.is_read if isinstance(node, Read) else self.is_tested
        return is_wanted(node.field)


@dataclass(frozen=True, slots=True)
class DecisionPlace:
    """An expression of a decision, and what holds where it is read; ``rule`` is "" in a formula."""

    rule: str
    expression: Expression
    given: Given = ()


def iterate_decision_places(decision: Decision) -> Iterator[DecisionPlace]:
    """Yield the expressions of a decision, in the order in which they are read."""
    if isinstance(decision, Formula):
        yield DecisionPlace("", decision.value)
        return
    failed: Given = ()
    for rule in decision.rules:
        is_ordered = decision.is_in_turn or rule.when is None
        given = failed if is_ordered else ()
        if rule.when is not None:
            yield DecisionPlace(rule.id, rule.when, given)
            given, failed = (*given, rule.when), (*failed, Not(rule.when))
        yield DecisionPlace(rule.id, rule.then, given)


def iterate_reads(node: Expression, given: Given, asked: Asked) -> Iterator[OpenRead]:
    """Yield the reads of the fields that are asked for, each with what holds there."""
    match node:
        case Read() | Presence() if asked.is_about(node):
            yield OpenRead(node.field, given)
        case Aggregate() | Selection():
            yield from _iterate_item_reads(node, given, asked)
        case AllOf() | AnyOf():
            for operand in node.operands:
                yield from iterate_reads(operand, given, asked)
                given = (*given, operand if isinstance(node, AllOf) else Not(operand))
        case Choice():
            yield from iterate_reads(node.condition, given, asked)
            yield from iterate_reads(node.then, (*given, node.condition), asked)
            yield from iterate_reads(node.otherwise, (*given, Not(node.condition)), asked)
        case Lookup():
            yield from _iterate_cell_reads(node, given, asked)
        case _:
            for child in list_children(node):
                yield from iterate_reads(child, given, asked)


def _iterate_cell_reads(node: Lookup, given: Given, asked: Asked) -> Iterator[OpenRead]:
    """Yield the reads of what a table is looked up by, and those of the one cell that is taken."""
    yield from iterate_reads(node.key, given, asked)
    for code, entry in enumerate(node.entries):
        # Written in the cells of a table there are mostly plain values, which read nothing.
        if not isinstance(entry, Constant):
            here = Compare(Relation.EQ, node.key, Constant(node.key.type, code))
            yield from iterate_reads(entry, (*given, here), asked)


def _iterate_item_reads(
    node: Aggregate | Selection, given: Given, asked: Asked
) -> Iterator[OpenRead]:
    """Yield the read of the list, and those that happen where there is an item."""
    if asked.is_read(node.list):
        yield OpenRead(node.list, given)
    if isinstance(node, Aggregate) and node.default is not None:
        yield from iterate_reads(node.default, given, asked)
    met = () if node.where is None else (node.where,)
    inner = [] if node.where is None else list(iterate_reads(node.where, (), asked))
    for value in list_item_values(node):
        inner += iterate_reads(value, met, asked)
    for read in (found for found in inner if not asked.is_safe(found)):
        item = AllOf(read.given) if read.given else TRUE
        some_item = Aggregate(
            BOOLEAN, AggregateFunction.ANY, node.list, node.size, None, item, None
        )
        yield OpenRead(read.field, (*given, some_item))
