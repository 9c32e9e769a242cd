"""The domain model: fields, policy, decisions, tools and the procedure of one domain, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from sopforge.domain.expressions import (
    AllOf,
    AnyOf,
    Constant,
    Expression,
    Presence,
    fields_read,
)
from sopforge.domain.operators import Calendar
from sopforge.domain.types import Json, Value, ValueType, encode, to_cell, to_json


class Role(StrEnum):
    """Who supplies a field's value."""

    INPUT = "input"
    OBSERVED = "observed"
    DERIVED = "derived"
    OUTCOME = "outcome"
    DISTRACTOR = "distractor"
    SECRET = "secret"  # noqa: S105 - a role


STORED = (Role.INPUT, Role.OBSERVED, Role.DISTRACTOR, Role.SECRET)
"""The roles of what a record holds; the others are worked out."""

UNKNOWN_RECORD = "unknown_record"
"""The code with which a tool refuses a key that no record has."""


class ToolKind(StrEnum):
    """What a tool does: read a record, work something out, or act where its guard holds."""

    LOOKUP = "lookup"
    COMPUTE = "compute"
    ACTION = "action"


class HitPolicy(StrEnum):
    """As in DMN: which of the rules that hold decides.

    ``unique``: only one ever holds; ``any``: all that hold agree; ``collect``: all together.
    """

    UNIQUE = "unique"
    FIRST = "first"
    ANY = "any"
    COLLECT = "collect"


class Collect(StrEnum):
    """What the results of all rules that hold are made into; ``count`` counts them."""

    SUM = "sum"
    MINIMUM = "min"
    MAXIMUM = "max"
    COUNT = "count"


class GuardKind(StrEnum):
    """How a group of guard nodes combines; ``chain`` is ``all`` in this order."""

    ALL = "all"
    ANY = "any"
    CHAIN = "chain"


@dataclass(frozen=True, slots=True)
class Typical:
    """A narrower range from which ``share`` percent of the values come."""

    minimum: int
    maximum: int
    share: int


@dataclass(frozen=True, slots=True)
class Sampling:
    """How realistic values of a field are drawn; shares are percentages, weights integers."""

    weights: tuple[int, ...] = ()
    missing_share: int = 0
    member_share: int = 0
    yes_share: int = 50
    unique: bool = False
    typical: Typical | None = None
    items: tuple[tuple[str, Sampling], ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """What a field of a list's items is called in sentences, and what it means."""

    name: str
    label: str
    description: str


@dataclass(frozen=True, slots=True)
class Field:
    """A typed datum; ``label`` names it in sentences, ``missing`` is the word for no value."""

    name: str
    label: str
    role: Role
    type: ValueType
    description: str
    missing: str
    primary: bool
    sampling: Sampling
    examples: tuple[Value, ...] = ()
    parts: tuple[Part, ...] = ()

    def part_label(self, name: str) -> str:
        """Return what a field of this list's items is called in sentences."""
        declared = {part.name: part.label for part in self.parts}
        return declared.get(name, name.replace("_", " "))

    def cell(self, value: Value | None) -> str:
        """Return a value as a task, a CSV file and an answer show it."""
        return self.missing if value is None else to_cell(self.type, value)

    def json(self, value: Value | None) -> Json:
        """Return a value as tool parameters and results carry it."""
        return self.missing if value is None else to_json(self.type, value)

    def parse(self, raw: object) -> Value | None:
        """Return the value that a cell or a JSON value stands for.

        Raises:
            ValueNotAllowedError: the raw value is not one of the field.
        """
        return None if self.missing and raw == self.missing else encode(self.type, raw)


@dataclass(frozen=True, slots=True)
class Entity:
    """A kind of record, found by its key; a further entity's key is a field that refers to it.

    Of a further entity there are ``records`` records, and ``dangling_share`` percent of the
    references lead to none.
    """

    name: str
    key: str
    fields: tuple[str, ...]
    records: int = 0
    dangling_share: int = 0


@dataclass(frozen=True, slots=True)
class PolicyConstant:
    """A named threshold that rules and text both refer to."""

    constant: Constant
    meaning: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a table; ``when`` is None for the rule of all other cases."""

    id: str
    when: Expression | None
    then: Expression


@dataclass(frozen=True, slots=True)
class Table:
    """A decision table: its rules in order and how hits are resolved."""

    target: str
    hit: HitPolicy
    rules: tuple[Rule, ...]
    description: str
    collect: Collect | None = None


@dataclass(frozen=True, slots=True)
class Formula:
    """A decision that is one expression."""

    target: str
    value: Expression
    description: str


Decision: TypeAlias = Table | Formula


@dataclass(frozen=True, slots=True)
class GuardLeaf:
    """A condition of a guard; where it decides against, the tool refuses with ``refusal``."""

    id: str
    test: Expression
    refusal: str
    says: str


@dataclass(frozen=True, slots=True)
class GuardGroup:
    """A group of guard nodes; one of kind ``any`` may have a refusal of its own."""

    id: str
    kind: GuardKind
    children: tuple[Guard, ...]
    refusal: str = ""
    says: str = ""


Guard: TypeAlias = GuardLeaf | GuardGroup


@dataclass(frozen=True, slots=True)
class Tool:
    """A callable offered to the agent."""

    name: str
    kind: ToolKind
    description: str
    takes: tuple[str, ...]
    returns: tuple[str, ...]
    guard: Guard | None = None
    effects: Mapping[str, Expression] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edge:
    """A way on from a step; ``when`` is None for the way of all other cases.

    A way back is taken ``bound`` times at most; after that the case goes to step ``then``.
    """

    id: str
    to: str
    when: Expression | None
    bound: int | None = None
    then: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A node of the procedure; ``end`` holds the outcomes that an end sets, None if it goes on.

    ``refusals`` are the ways that a case takes where the called tool refuses, by code.
    """

    id: str
    title: str
    instruction: str
    call: str | None
    decide: tuple[str, ...]
    edges: tuple[Edge, ...]
    end: Mapping[str, Constant] | None
    refusals: Mapping[str, Edge] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DomainModel:
    """One business procedure, typed and executable.

    A task is about one record of the first entity; the others are reached by references. Fields
    have one name in the whole domain, so that a row is all that a case can come to read.
    """

    name: str
    title: str
    business_task: str
    entities: Mapping[str, Entity]
    fields: Mapping[str, Field]
    policy: Mapping[str, PolicyConstant]
    calendars: Mapping[str, tuple[Calendar, str]]
    constraints: tuple[Expression, ...]
    decisions: Mapping[str, Decision]
    tools: Mapping[str, Tool]
    steps: Mapping[str, Step]
    start: str

    def with_role(self, *roles: Role) -> tuple[Field, ...]:
        """Return the fields of the given roles, in declared order."""
        return tuple(field for field in self.fields.values() if field.role in roles)

    @property
    def inputs(self) -> tuple[Field, ...]:
        """The fields that the task states."""
        return self.with_role(Role.INPUT)

    @property
    def outcomes(self) -> tuple[Field, ...]:
        """The fields that are scored."""
        return self.with_role(Role.OUTCOME)

    @property
    def primary(self) -> Field:
        """The outcome that is the scored column of a single-column export."""
        return next(field for field in self.outcomes if field.primary)

    @property
    def case(self) -> Entity:
        """The entity that a task is about."""
        return next(iter(self.entities.values()))

    @property
    def key(self) -> str:
        """The field that tells the records of the case's entity apart."""
        return self.case.key

    @property
    def references(self) -> tuple[Entity, ...]:
        """The entities that are reached by a reference, each behind the one that refers to it."""
        return tuple(self.entities.values())[1:]

    def owner(self, name: str) -> Entity | None:
        """Return the entity whose records hold a field, None for what no record holds."""
        if name not in self.fields or self.fields[name].role not in STORED:
            return None
        return next((item for item in self.entities.values() if name in item.fields), None)

    def may_lack(self, entity: Entity) -> bool:
        """Tell whether there are cases without a record of the entity."""
        if entity is self.case:
            return False
        referring = self.owner(entity.key)
        is_open = bool(entity.dangling_share or self.fields[entity.key].missing)
        return is_open or (referring is not None and self.may_lack(referring))

    def leading_to(self, entity: Entity) -> tuple[str, ...]:
        """Return what must be there for a record to be: a reference, and the record it stands in.

        Names of fields that may be missing, and of entities that may be lacking.
        """
        referring = self.owner(entity.key)
        is_lacking = referring is not None and self.may_lack(referring)
        reference = [entity.key] if self.fields[entity.key].missing else []
        return (*reference, *([referring.name] if referring and is_lacking else []))

    def entities_read(self, tool: Tool) -> tuple[Entity, ...]:
        """Return the entities whose records a tool reads; none for a compute tool."""
        if tool.kind is ToolKind.COMPUTE:
            return ()
        recalled = tool_inputs(tool) - set(tool.takes)
        owners = [self.owner(name) for name in (*tool.returns, *recalled, *tool.effects)]
        found = tuple(item for item in self.entities.values() if item in owners)
        return found or tuple(item for item in self.entities.values() if item.key in tool.takes)[:1]

    def records_file(self, entity: Entity) -> str:
        """Return the name of the file with an entity's records."""
        return "records.csv" if entity is self.case else f"records_{entity.name}.csv"

    def stored_fields(self, entity: Entity) -> tuple[Field, ...]:
        """Return the fields of a record that lookups and actions read: the key first."""
        names = [entity.key]
        for tool in self.tools.values():
            if tool.kind is not ToolKind.COMPUTE:
                names += [*tool.takes, *tool.returns, *sorted(tool_inputs(tool)), *tool.effects]
        names += [item.key for item in self.references]
        found = (self.fields[name] for name in dict.fromkeys(names))
        return tuple(
            item for item in found if item.name == entity.key or self.owner(item.name) is entity
        )

    def tool_parameters(self, tool: Tool) -> tuple[Field, ...]:
        """Return the fields that a tool takes."""
        return tuple(self.fields[name] for name in tool.takes)

    def tool_results(self, tool: Tool) -> tuple[Field, ...]:
        """Return the fields that a tool returns."""
        return tuple(self.fields[name] for name in tool.returns)


def decision_expressions(decision: Decision) -> tuple[Expression, ...]:
    """Return every expression of a decision, in document order."""
    if isinstance(decision, Formula):
        return (decision.value,)
    conditions = [rule.when for rule in decision.rules if rule.when is not None]
    return (*conditions, *(rule.then for rule in decision.rules))


def deciding_expressions(model: DomainModel) -> list[Expression]:
    """Return every expression of decisions, edges, guards and effects."""
    found = [item for part in model.decisions.values() for item in decision_expressions(part)]
    found += [edge.when for step in model.steps.values() for edge in step.edges if edge.when]
    for tool in model.tools.values():
        found += [check.test for check in guard_checks(tool.guard)]
        found += tool.effects.values()
    return found


def decision_inputs(decision: Decision) -> frozenset[str]:
    """Return the names of the fields that a decision reads."""
    return all_fields_read(decision_expressions(decision))


def guard_checks(guard: Guard | None) -> tuple[GuardLeaf, ...]:
    """Return the guard as checks in order: the first that fails refuses.

    A group of ``any`` is one check; without a refusal of its own it refuses as its last leaf does.
    """
    match guard:
        case None:
            return ()
        case GuardLeaf():
            return (guard,)
        case GuardGroup(kind=GuardKind.ANY):
            test = guard_expression(guard)
            last = guard_checks(guard.children[-1])[-1]
            own = guard if guard.refusal else last
            return (GuardLeaf(guard.id, test, own.refusal, own.says),)
        case GuardGroup():
            return tuple(check for child in guard.children for check in guard_checks(child))


def guard_expression(guard: Guard) -> Expression:
    """Return the condition under which a guard holds."""
    if isinstance(guard, GuardLeaf):
        return guard.test
    operands = tuple(guard_expression(child) for child in guard.children)
    return AnyOf(operands) if guard.kind is GuardKind.ANY else AllOf(operands)


def record_checks(model: DomainModel, tool: Tool) -> tuple[GuardLeaf, ...]:
    """Return the checks that the records which a tool reads are there, where they may not be."""
    if not model.references:
        return ()
    lacking = [entity for entity in model.entities_read(tool) if model.may_lack(entity)]
    return tuple(
        GuardLeaf(
            id=entity.name,
            test=Presence(entity.name),
            refusal=UNKNOWN_RECORD,
            says=f"there is no record of this {entity.key}",
        )
        for entity in lacking
    )


def tool_inputs(tool: Tool) -> frozenset[str]:
    """Return the names of the fields that a tool's guard and effects read."""
    tests = (check.test for check in guard_checks(tool.guard))
    return all_fields_read((*tests, *tool.effects.values()))


def all_fields_read(expressions: Iterable[Expression]) -> frozenset[str]:
    """Return the names of the fields that any of the expressions reads."""
    return frozenset().union(*(fields_read(expression) for expression in expressions))


def decision_order(
    model: DomainModel, wanted: Iterable[str], given: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the formulas needed for ``wanted``, each after those that it reads.

    A table is decided at its step, so that only formulas (worked out on the way) are followed.
    What is ``given`` is taken as it is.
    """
    ordered: list[str] = []
    known = frozenset(given)

    def visit(name: str) -> None:
        decision = model.decisions.get(name)
        if not isinstance(decision, Formula) or name in known or name in ordered:
            return
        for needed in sorted(decision_inputs(decision)):
            if model.fields[needed].role is Role.DERIVED:
                visit(needed)
        ordered.append(name)

    for name in wanted:
        visit(name)
    return tuple(ordered)
