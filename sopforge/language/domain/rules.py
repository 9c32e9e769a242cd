"""Decisions: tables of rules with a hit policy, and expressions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from sopforge.language.domain.expressions.expressions import (
    Constant,
    Expression,
    collect_all_read_fields,
)


class HitPolicy(StrEnum):
    """As in DMN: which of the rules that hold decides.

    ``unique``: only one ever holds; ``any``: all that hold agree; ``priority``: the one whose
    result stands first in an order of results; ``collect``: all together.
    """

    UNIQUE = "unique"
    FIRST = "first"
    ANY = "any"
    PRIORITY = "priority"
    COLLECT = "collect"


class Collect(StrEnum):
    """What the results of all rules that hold are made into.

    ``count`` counts them, and ``union`` makes one set of sets.
    """

    SUM = "sum"
    MINIMUM = "min"
    MAXIMUM = "max"
    COUNT = "count"
    UNION = "union"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a table; ``when`` is None for the rule of all other cases."""

    id: str
    when: Expression | None
    then: Expression


@dataclass(frozen=True, slots=True)
class Together:
    """A table that gives several fields at once: its name, and the fields in their order."""

    name: str
    gives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A decision table: its rules in order and how hits are resolved.

    ``shared`` is set where the table gives other fields too: their tables have the same conditions.
    With ``priority``, the labels in their order, the rules stand in that order of their results;
    ``listed`` has their ids as they are written.
    """

    target: str
    hit: HitPolicy
    rules: tuple[Rule, ...]
    description: str
    collect: Collect | None = None
    shared: Together | None = None
    priority: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the table is called: by its field, or by a name of its own."""
        return self.shared.name if self.shared else self.target

    @property
    def is_in_turn(self) -> bool:
        """Whether a rule decides only where none of those before it holds."""
        return self.hit in {HitPolicy.FIRST, HitPolicy.PRIORITY}


@dataclass(frozen=True, slots=True)
class Formula:
    """A decision that is one expression; ``shared`` where its look-up gives other fields too."""

    target: str
    value: Expression
    description: str
    shared: Together | None = None

    @property
    def name(self) -> str:
        """What the brief calls it: its field, or the look-up that gives several."""
        return self.shared.name if self.shared else self.target


Decision: TypeAlias = Table | Formula


def rank_rules(rules: Iterable[Rule], priority: Sequence[str]) -> tuple[Rule, ...]:
    """Return rules in the order of their results, the one of all other cases last."""

    def find_rank(rule: Rule) -> int:
        label = rule.then.type.to_cell(rule.then.value) if isinstance(rule.then, Constant) else ""
        return priority.index(label) if rule.when and label in priority else len(priority)

    return tuple(sorted(rules, key=find_rank))


def list_decision_expressions(decision: Decision) -> tuple[Expression, ...]:
    """Return every expression of a decision, in document order."""
    if isinstance(decision, Formula):
        return (decision.value,)
    conditions = [rule.when for rule in decision.rules if rule.when is not None]
    return (*conditions, *list_results(decision))


def list_targets(decision: Decision) -> tuple[str, ...]:
    """Return the fields that are given together with that of a decision, itself among them."""
    return decision.shared.gives if decision.shared else (decision.target,)


def is_first_given(decision: Decision) -> bool:
    """Return whether a decision stands for all that its table gives: the first of them does."""
    return list_targets(decision)[0] == decision.target


def list_results(decision: Decision) -> tuple[Expression, ...]:
    """Return what a decision gives: its formula, or the results of its rules."""
    if isinstance(decision, Formula):
        return (decision.value,)
    return tuple(rule.then for rule in decision.rules)


def collect_decision_inputs(decision: Decision) -> frozenset[str]:
    """Return the names of the fields that a decision reads."""
    return collect_all_read_fields(list_decision_expressions(decision))
