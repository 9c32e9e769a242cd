"""What each condition of a model asks: the facts that it reads, and what is tried before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeGuard

from sopforge.domain.language.expressions import (
    Aggregate,
    AllOf,
    AnyOf,
    Choice,
    Compare,
    Constant,
    Contains,
    Expression,
    Not,
    Presence,
    Read,
    Relation,
    Selection,
    iterate_parts,
    list_children,
)
from sopforge.domain.model import DomainModel, Step
from sopforge.domain.rules import (
    Decision,
    Formula,
    HitPolicy,
    Table,
    is_first_given,
    list_decision_expressions,
    list_results,
    list_targets,
)
from sopforge.domain.values.types import BooleanType, EnumType, SetType
from sopforge.sources.facts import Facts, collect_facts

PREDICATE = "predicates."
"""How the name of a fact begins that is a condition with a name; other facts are fields."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that a condition asks for: the facts that it reads, and what it wants of them.

    ``names`` are fields and predicates, as they are written. One that ``is_denied`` stands after a
    "not".
    """

    test: Expression
    names: frozenset[str]
    facts: Facts
    is_denied: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """When an item holds: a predicate, a rule or an edge; of a formula, what it chooses by.

    ``group`` is the decision or step of which it is one case, "" of a predicate. ``tried`` are the
    cases that do not hold where it decides. ``given`` are the facts of which its result is made,
    and ``results`` what a rule gives.
    """

    name: str
    group: str
    when: Expression | None
    asks: tuple[Ask, ...]
    tried: tuple[str, ...] = ()
    given: frozenset[str] = frozenset()
    results: tuple[Expression, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The facts that it asks about."""
        return frozenset[str]().union(*(ask.names for ask in self.asks))

    @property
    def is_default(self) -> bool:
        """Whether it is the case of all other cases."""
        return self.when is None and self.name != self.group


@dataclass(frozen=True)
class Conditions:
    """All conditions of one model, and what follows from what in it."""

    model: DomainModel
    named: Mapping[Expression, str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        named: dict[Expression, str] = {}
        for name, item in self.model.predicates.items():
            for use in item.uses.values():
                named.setdefault(use, f"{PREDICATE}{name}")
        object.__setattr__(self, "named", named)

    @cached_property
    def by_name(self) -> Mapping[str, Condition]:
        """The conditions, by the names of their items."""
        return {item.name: item for item in self._iterate()}

    @cached_property
    def _groups(self) -> Mapping[str, list[Condition]]:
        found: dict[str, list[Condition]] = {}
        for item in self.by_name.values():
            found.setdefault(item.group, []).append(item)
        return found

    def list_group(self, group: str) -> list[Condition]:
        """Return the cases of a decision or a step in the order in which they are tried."""
        return self._groups.get(group, []) if group else []

    def list_targets(self, group: str) -> tuple[str, ...]:
        """Return the fields that a decision gives, none for a step."""
        kind, _, name = group.partition(".")
        decisions = self.model.decisions.values() if kind == "decisions" else ()
        given = [item for item in decisions if _get_name(item) == name]
        return list_targets(given[0]) if given else ()

    # What is asked.

    def _iterate(self) -> Iterator[Condition]:
        for name, predicate in self.model.predicates.items():
            item = f"{PREDICATE}{name}"
            for use in list(predicate.uses.values())[:1]:
                yield Condition(item, "", use, tuple(self._iterate_asks(use, own=item)))
        for decision in self.model.decisions.values():
            if not is_first_given(decision):
                continue
            if isinstance(decision, Formula):
                yield self._make_formula(decision)
            else:
                yield from self._iterate_rules(decision)
        for step in self.model.steps.values():
            yield from self._iterate_edges(step)

    def _make_formula(self, decision: Formula) -> Condition:
        """Return what a formula chooses by, or what it asks itself where it is a yes or no."""
        chosen = [node.condition for node in iterate_parts(decision.value) if _is_choice(node)]
        is_condition = isinstance(decision.value, AllOf | AnyOf | Not | Compare)
        parts = chosen or ([decision.value] if is_condition else [])
        asks = tuple(ask for part in parts for ask in self._iterate_asks(part))
        name = f"decisions.{_get_name(decision)}"
        return Condition(name, name, None, asks, given=self.list_names(decision.value))

    def _iterate_rules(self, table: Table) -> Iterator[Condition]:
        group = f"decisions.{table.name}"
        tables = [
            item
            for item in self.model.decisions.values()
            if isinstance(item, Table) and item.name == table.name
        ]
        tried: tuple[str, ...] = ()
        for place, rule in enumerate(table.rules):
            is_after = table.hit is HitPolicy.FIRST or rule.when is None
            results = tuple(list_results(item)[place] for item in tables)
            yield Condition(
                f"{group}.{rule.id}",
                group,
                rule.when,
                tuple(self._iterate_asks(rule.when)),
                tried if is_after else (),
                frozenset[str]().union(*map(self.list_names, results)),
                results,
            )
            tried += (f"{group}.{rule.id}",)

    def _iterate_edges(self, step: Step) -> Iterator[Condition]:
        tried: tuple[str, ...] = ()
        for edge in step.edges:
            asks = tuple(self._iterate_asks(edge.when))
            yield Condition(f"steps.{edge.id}", f"steps.{step.id}", edge.when, asks, tried)
            tried += (f"steps.{edge.id}",)

    def _iterate_asks(
        self, node: Expression | None, *, own: str = "", is_denied: bool = False
    ) -> Iterator[Ask]:
        """Yield what a condition asks, piece by piece; ``own`` is the name that it has itself."""
        if node is None:
            return
        has_name = self.named.get(node, own) != own
        if isinstance(node, AllOf | AnyOf) and not has_name:
            for part in node.operands:
                yield from self._iterate_asks(part, is_denied=is_denied)
        elif isinstance(node, Not) and not has_name:
            yield from self._iterate_asks(node.operand, is_denied=not is_denied)
        else:
            names = self.list_names(node) if has_name else self._list_inner_names(node)
            facts = collect_facts(Not(node) if is_denied else node)
            # What asks about the items of a list alone reads no fact.
            if names:
                yield Ask(node, names, facts, is_denied)

    # What is read, and what follows from what.

    def list_names(self, node: Expression) -> frozenset[str]:
        """Return the facts that an expression reads; of a predicate its name, and not its parts."""
        name = self.named.get(node)
        return self._list_inner_names(node) if name is None else frozenset({name})

    def _list_inner_names(self, node: Expression) -> frozenset[str]:
        """Return the facts that an expression reads, whether or not it has a name itself."""
        return _list_own_names(node).union(*map(self.list_names, list_children(node)))

    def list_sources(self, name: str) -> frozenset[str]:
        """Return the facts from which a fact follows directly, none for what a record holds."""
        if name.startswith(PREDICATE):
            condition = self.by_name.get(name)
            return condition.names if condition else frozenset()
        decision = self.model.decisions.get(name)
        parts = () if decision is None else list_decision_expressions(decision)
        return frozenset[str]().union(*map(self.list_names, parts))

    def collect_sources(self, names: Iterable[str]) -> frozenset[str]:
        """Return facts with all from which they follow, however far."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += sorted(self.list_sources(name))
        return frozenset(found)

    # What a fact means.

    def build_meaning(self, name: str, label: str = "") -> Expression | None:
        """Return the condition that a yes/no fact is so, or that a field has a label.

        None for a field that has other values.
        """
        if name.startswith(PREDICATE):
            uses = list(self.model.predicates[name.removeprefix(PREDICATE)].uses.values())
            return uses[0] if uses else None
        item = self.model.fields[name]
        value = Read(item.type, name)
        match item.type:
            case EnumType(values=values) if label in values:
                known = Constant(item.type, values.index(label))
                meaning: Expression = Compare(Relation.EQ, value, known)
            case SetType(values=values) if label in values:
                meaning = Contains(value, label, values.index(label))
            case BooleanType() if not label:
                meaning = value
            case _:
                return None
        # What is missing is read as the first label.
        return AllOf((Presence(name), meaning)) if item.missing else meaning

    def build_some_meaning(self, name: str, label: str = "") -> Expression | None:
        """Return the condition that a fact has a label: its first one where none is meant."""
        kind = self.model.fields[name].type if name in self.model.fields else None
        values = kind.values if isinstance(kind, EnumType | SetType) else ()
        return self.build_meaning(name, label or (values[0] if values else ""))


def _get_name(decision: Decision) -> str:
    """Return what a decision is called: by its field, or by the name of a table of several."""
    return decision.shared.name if decision.shared else decision.target


def _is_choice(node: Expression) -> TypeGuard[Choice]:
    return isinstance(node, Choice)


def _list_own_names(node: Expression) -> frozenset[str]:
    """Return the field that an expression reads itself, not by one of its operands."""
    match node:
        case Read() | Presence():
            return frozenset({node.field})
        case Aggregate() | Selection():
            return frozenset({node.list})
        case _:
            return frozenset()
