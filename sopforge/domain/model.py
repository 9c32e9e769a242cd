"""The domain model: fields, policy, decisions, tools and the procedure of one domain, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from sopforge.domain.expressions import AllOf, AnyOf, Constant, Expression, fields_read
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
    """A group of guard nodes."""

    id: str
    kind: GuardKind
    children: tuple[Guard, ...]


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
    """A node of the procedure; ``end`` holds the outcomes that an end sets, None if it goes on."""

    id: str
    title: str
    instruction: str
    call: str | None
    decide: tuple[str, ...]
    edges: tuple[Edge, ...]
    end: Mapping[str, Constant] | None


@dataclass(frozen=True, slots=True)
class DomainModel:
    """One business procedure, typed and executable."""

    name: str
    title: str
    business_task: str
    entity: str
    key: str
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
    def record_fields(self) -> tuple[Field, ...]:
        """The fields of a record that lookups and actions read: the key first, no outcome."""
        names = [self.key]
        for tool in self.tools.values():
            if tool.kind is not ToolKind.COMPUTE:
                names += [*tool.takes, *tool.returns, *sorted(guard_inputs(tool.guard))]
        kept = {Role.INPUT, Role.OBSERVED, Role.DISTRACTOR, Role.SECRET}
        found = (self.fields[name] for name in dict.fromkeys(names))
        return tuple(item for item in found if item.role in kept)

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


def decision_inputs(decision: Decision) -> frozenset[str]:
    """Return the names of the fields that a decision reads."""
    return all_fields_read(decision_expressions(decision))


def guard_checks(guard: Guard | None) -> tuple[GuardLeaf, ...]:
    """Return the guard as checks in order: the first that fails refuses.

    A group of ``any`` is one check, which refuses as its last leaf does.
    """
    match guard:
        case None:
            return ()
        case GuardLeaf():
            return (guard,)
        case GuardGroup(kind=GuardKind.ANY):
            last = guard_checks(guard.children[-1])[-1]
            test = guard_expression(guard)
            return (GuardLeaf(guard.id, test, last.refusal, last.says),)
        case GuardGroup():
            return tuple(check for child in guard.children for check in guard_checks(child))


def guard_expression(guard: Guard) -> Expression:
    """Return the condition under which a guard holds."""
    if isinstance(guard, GuardLeaf):
        return guard.test
    operands = tuple(guard_expression(child) for child in guard.children)
    return AnyOf(operands) if guard.kind is GuardKind.ANY else AllOf(operands)


def guard_inputs(guard: Guard | None) -> frozenset[str]:
    """Return the names of the fields that a guard reads."""
    return all_fields_read(check.test for check in guard_checks(guard))


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
