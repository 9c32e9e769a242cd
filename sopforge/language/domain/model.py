"""The domain model: fields, policy, decisions, tools and the procedure of one domain, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sopforge.language.domain.expressions.expressions import (
    Constant,
    Expression,
    collect_all_read_fields,
    may_be_missing,
)
from sopforge.language.domain.expressions.operators import Calendar
from sopforge.language.domain.fields import GIVEN, STORED, Entity, Field, Role
from sopforge.language.domain.guards import Guard, list_guard_checks
from sopforge.language.domain.kinds import Kind
from sopforge.language.domain.predicates import Predicate
from sopforge.language.domain.rules import (
    Decision,
    Formula,
    collect_decision_inputs,
    list_decision_expressions,
    list_results,
)


class ToolKind(StrEnum):
    """What a tool does: read a record, work something out, or act where its guard holds."""

    LOOKUP = "lookup"
    COMPUTE = "compute"
    ACTION = "action"


class Counts(StrEnum):
    """Over what a loop is counted: the whole case, one use of its part, or one visit of the loop.

    A visit lasts from when a case enters the steps of the loop until it leaves them.
    """

    CASE = "case"
    PART = "part"
    VISIT = "visit"


@dataclass(frozen=True, slots=True)
class PolicyConstant:
    """A named threshold that rules and text both refer to."""

    constant: Constant
    meaning: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A callable offered to the agent.

    ``same_as`` names the tool of which this is another name; ``replaced_by`` the tool that is to be
    used in the place of this one, which the SOP forbids. Where records are reached by references, a
    step calls an ``operation`` about some of them: a tool is the operation bound to what the step
    hands it, and ``names`` has the case's field for each field of the operation.
    """

    name: str
    kind: ToolKind
    description: str
    takes: tuple[str, ...]
    returns: tuple[str, ...]
    guard: Guard | None = None
    effects: Mapping[str, Expression] = field(default_factory=dict)
    same_as: str = ""
    replaced_by: str = ""
    operation: str = ""
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_acting(self) -> bool:
        """Whether a call may change what later ones are answered."""
        return self.kind is ToolKind.ACTION or bool(self.effects)

    @property
    def offered_name(self) -> str:
        """The name under which an agent calls it."""
        return self.operation or self.name

    @property
    def parameters(self) -> Mapping[str, str]:
        """The field that stands for each parameter of a call, by the parameter's name."""
        if not self.operation:
            return {name: name for name in self.takes}
        # What a step hands over stands first among the names.
        return dict(tuple(self.names.items())[: len(self.takes)])

    @property
    def results(self) -> Mapping[str, str]:
        """The name of each field that is returned, as the result of a call has it."""
        # Of two names for one field, that of the result stands last.
        named = {actual: name for name, actual in self.names.items()}
        return {name: named.get(name, name) for name in self.returns}

    def does_as(self, other: Tool) -> bool:
        """Return whether this tool does what another does, whatever they are called."""
        return (self.kind, self.takes, self.returns, self.guard, self.effects) == (
            other.kind,
            other.takes,
            other.returns,
            other.guard,
            other.effects,
        )


@dataclass(frozen=True, slots=True)
class Edge:
    """A transition from a step; ``when`` is None for the edge of all other cases.

    ``name`` is its number among the edges of its step, or the code of the refusal that it follows.
    A loop edge is taken ``bound`` times at most; after that the case goes to step ``then``. Over
    what it ``counts`` is another thing than ``declared`` only in a model with that mistake.
    ``loop`` has the steps of the loop where one of the two is a visit of it.
    """

    step: str
    name: str
    to: str
    when: Expression | None
    bound: int | None = None
    then: str | None = None
    counts: Counts = Counts.CASE
    declared: Counts = Counts.CASE
    loop: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """What paths and traces call the edge."""
        return f"{self.step}.{self.name}"

    def is_left(self, step: str, to: str) -> bool:
        """Return whether a case that goes from a step to another one leaves the loop."""
        return step in self.loop and to not in self.loop


@dataclass(frozen=True, slots=True)
class Step:
    """A node of the procedure; ``end`` holds the outcomes that an end sets, None if it goes on.

    ``refusals`` are the edges that a case takes where the called tool refuses, by code; ``hand_to``
    is the office that takes the case over at an end, empty where nobody does; ``by`` is the role
    that carries the step out, empty where the brief names none. ``do`` is the part
    that is carried out here: what the step decides and its edges come after that. ``part`` is the
    part in which the step itself stands, empty for the main procedure; where it ``is_return``, the
    case goes on at the step that carried the part out.
    """

    id: str
    title: str
    instruction: str
    call: str | None
    decide: tuple[str, ...]
    edges: tuple[Edge, ...]
    end: Mapping[str, Constant] | None
    refusals: Mapping[str, Edge] = field(default_factory=dict)
    hand_to: str = ""
    by: str = ""
    do: str = ""
    part: str = ""
    is_return: bool = False


@dataclass(frozen=True, slots=True)
class ProcedurePart:
    """A part of the procedure that several steps carry out: its title, and where it begins."""

    name: str
    title: str
    start: str


@dataclass(frozen=True, slots=True)
class UnreadReferences:
    """References that rows hold or are drawn by, but whose records no row has.

    Their ``fields`` are those that rows do not hold; ``order`` names all entities that references
    lead to, in the order in which they are drawn.
    """

    entities: Mapping[str, Entity] = field(default_factory=dict)
    fields: Mapping[str, Field] = field(default_factory=dict)
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DomainModel:
    """One business procedure, typed and executable.

    A task is about one record of the first entity; the others are reached by references. Fields
    have one name in the whole domain, so that a row is all that a case can come to read. ``ties``
    hold of every row, beside the constraints: references that are equal lead to one record, and a
    text stands only where what it presupposes holds. Where
    several references lead to one table, ``operations`` is the domain as its tools see it;
    ``unread`` are the references whose records rows do not have.
    ``partly_known`` are fields that a step reads although not every path to it makes them known.
    ``steps`` has those of the main procedure first, then those of each of its ``parts``. Of the
    inputs that are ``lacking`` in some cases, it has to matter what they would be. ``requests`` are
    texts in which people send a case, each with every input once as "{field}". Cases of one of the
    ``kinds`` alone have the fields that are its own.
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
    parts: Mapping[str, ProcedurePart] = field(default_factory=dict)
    partly_known: frozenset[str] = frozenset()
    ties: tuple[Expression, ...] = ()
    operations: DomainModel | None = None
    unread: UnreadReferences = field(default_factory=UnreadReferences)
    predicates: Mapping[str, Predicate] = field(default_factory=dict)
    lacking: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    unused_functions: tuple[str, ...] = ()

    @property
    def offered(self) -> DomainModel:
        """The domain in the terms of its tools, as agents call them."""
        return self.operations or self

    @property
    def row_conditions(self) -> tuple[Expression, ...]:
        """What holds of every row."""
        return (*self.constraints, *self.ties)

    @property
    def session(self) -> tuple[Field, ...]:
        """The facts that a session begins with and actions change."""
        return self.with_role(Role.SESSION)

    def is_plain(self, tool: Tool) -> bool:
        """Return whether a tool has to do with no table and no session."""
        changes_session = any(self.fields[name].role is Role.SESSION for name in tool.effects)
        reads_table = any(entity.table for entity in self.list_entities_read(tool))
        asks_session = any(
            self.fields[name].role is Role.SESSION
            for name in collect_tool_inputs(tool)
            if name in self.fields
        )
        return not (changes_session or reads_table or asks_session)

    def expand_columns(self, names: Iterable[str]) -> frozenset[str]:
        """Return the fields of some names, and all others that show a column of the same table."""
        given = frozenset(names)
        columns = {(item.table, item.column) for item in map(self.fields.get, given) if item}
        return given | {
            item.name
            for item in self.fields.values()
            if item.table and (item.table, item.column) in columns
        }

    def list_changing_columns(self) -> tuple[str, ...]:
        """Return the fields of tables that actions change, each with those that are the same."""
        written = {name for tool in self.tools.values() for name in tool.effects}
        found = {name for name in written if self.fields[name].table}
        same = {item.name for name in found for item, _, _ in self.list_aliases(name)}
        return tuple(name for name in self.fields if name in found | same)

    def list_aliases(self, name: str) -> tuple[tuple[Field, Entity, Entity], ...]:
        """Return the fields that are the same datum as one, where two references are equal.

        Each with the entity that holds the named field and the one that holds the other.
        """
        item, owner = self.fields[name], self.find_owner(name)
        if owner is None or not owner.table:
            return ()
        return tuple(
            (self.fields[other], owner, entity)
            for entity in self.references
            if entity.table == owner.table and entity is not owner
            for other in entity.fields
            if self.fields[other].column == item.column
        )

    def with_role(self, *roles: Role) -> tuple[Field, ...]:
        """Return the fields of the given roles, in declared order."""
        return tuple(field for field in self.fields.values() if field.role in roles)

    @property
    def inputs(self) -> tuple[Field, ...]:
        """The fields that the task states."""
        return self.with_role(Role.INPUT)

    @property
    def given(self) -> tuple[Field, ...]:
        """The fields that a case begins with: its inputs, and the facts that their words carry."""
        return self.with_role(*GIVEN)

    @property
    def changeable_inputs(self) -> tuple[Field, ...]:
        """The inputs that can have any other value: not the key, nor what makes a case its kind."""
        bound = {self.key, *(name for kind in self.kinds for name in kind.fields)}
        bound |= collect_all_read_fields(kind.when for kind in self.kinds)
        return tuple(item for item in self.inputs if item.name not in bound)

    @property
    def case_inputs(self) -> tuple[Field, ...]:
        """The inputs that a case itself holds, and no record that it refers to."""
        return tuple(item for item in self.inputs if self.find_owner(item.name) is self.case)

    @property
    def malformable(self) -> tuple[Field, ...]:
        """The inputs that are malformed in some tasks."""
        return tuple(field for field in self.fields.values() if field.malformed)

    @property
    def outcomes(self) -> tuple[Field, ...]:
        """The fields that are the answer, each of them scored."""
        return self.with_role(Role.OUTCOME)

    @property
    def unasked_words(self) -> Mapping[str, str]:
        """The words of the outcomes that cases of other kinds do not have."""
        return {item.name: item.missing for item in self.outcomes if self.find_kind(item.name)}

    @property
    def intermediates(self) -> tuple[Field, ...]:
        """The intermediate values that are scored beside the outcomes."""
        return tuple(field for field in self.fields.values() if field.scored)

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
        """The field that distinguishes the records of the case's entity."""
        return self.case.key

    @property
    def references(self) -> tuple[Entity, ...]:
        """The entities that are reached by a reference, each after the one that refers to it."""
        return tuple(self.entities.values())[1:]

    @property
    def drawn_references(self) -> tuple[Entity, ...]:
        """All entities that are drawn: those of rows, and those that others are drawn by."""
        known = {**self.unread.entities, **self.entities}
        del known[self.case.name]
        return tuple(known[name] for name in dict.fromkeys((*self.unread.order, *known)))

    @property
    def called(self) -> tuple[str, ...]:
        """The tools that steps call, in the order of the procedure."""
        return tuple(dict.fromkeys(step.call for step in self.steps.values() if step.call))

    @property
    def hand_overs(self) -> Mapping[str, tuple[str, ...]]:
        """The steps at which each office takes cases over, in the order of the procedure."""
        offices = dict.fromkeys(step.hand_to for step in self.steps.values() if step.hand_to)
        return {
            office: tuple(step.id for step in self.steps.values() if step.hand_to == office)
            for office in offices
        }

    def list_steps_in(self, part: str) -> tuple[Step, ...]:
        """Return the steps of a part, those of the main procedure for the empty name."""
        return tuple(step for step in self.steps.values() if step.part == part)

    def find_edge(self, name: str) -> Edge:
        """Return the edge of an id."""
        step = self.steps[name.rpartition(".")[0]]
        return next(edge for edge in step.edges if edge.id == name)

    def list_steps_doing(self, part: str) -> tuple[Step, ...]:
        """Return the steps that carry a part out."""
        return tuple(step for step in self.steps.values() if step.do == part)

    def find_kind(self, name: str) -> Kind | None:
        """Return the kind of case that alone has a field, None for what every case may have."""
        return next((kind for kind in self.kinds if name in kind.fields), None)

    def is_sure_in_kind(self, item: Field) -> bool:
        """Return whether one kind of case alone has a field, and each of its cases has a value."""
        kind = self.find_kind(item.name)
        return kind is not None and not kind.may_lack(item)

    def find_owner(self, name: str) -> Entity | None:
        """Return the entity whose records hold a field, None for what no record holds."""
        if name not in self.fields or self.fields[name].role not in STORED:
            return None
        return next((item for item in self.entities.values() if name in item.fields), None)

    def find_decision(self, name: str) -> Decision:
        """Return the decision on a field, or the first one that a table of that name gives."""
        named = (
            item for item in self.decisions.values() if item.shared and item.shared.name == name
        )
        return self.decisions[name] if name in self.decisions else next(named)

    def may_decide_nothing(self, name: str) -> bool:
        """Return whether the decision on a field gives it no value in some case."""
        decision = self.decisions.get(name)
        return decision is not None and any(map(may_be_missing, list_results(decision)))

    def may_lack_value(self, name: str) -> bool:
        """Return whether a field may have no value where it is read.

        What the procedure decides is decided before it is read.
        """
        is_decided = name in self.decisions and not self.may_decide_nothing(name)
        return bool(self.fields[name].missing) and not is_decided

    def may_lack(self, entity: Entity) -> bool:
        """Return whether there are cases without a record of the entity."""
        if entity is self.case:
            return False
        referring = self.find_owner(entity.key)
        is_open = bool(entity.dangling_share or self.fields[entity.key].missing)
        return is_open or (referring is not None and self.may_lack(referring))

    def list_prerequisites(self, entity: Entity) -> tuple[str, ...]:
        """Return what must be there for a record to be: a reference, and the record it stands in.

        Names of fields that may be missing, and of entities that may be lacking.
        """
        referring = self.find_owner(entity.key)
        is_lacking = referring is not None and self.may_lack(referring)
        reference = [entity.key] if self.fields[entity.key].missing else []
        return (*reference, *([referring.name] if referring and is_lacking else []))

    def list_entities_read(self, tool: Tool) -> tuple[Entity, ...]:
        """Return the entities whose records a tool reads; none for a compute tool."""
        if tool.kind is ToolKind.COMPUTE:
            return ()
        recalled = collect_tool_inputs(tool) - set(tool.takes)
        owners = [self.find_owner(name) for name in (*tool.returns, *recalled, *tool.effects)]
        found = tuple(
            item
            for item in self.entities.values()
            if item in owners or (item.table and item.key in tool.takes)
        )
        # A tool that reads nothing of a record still looks for that of its first key.
        return found or tuple(item for item in self.entities.values() if item.key in tool.takes)[:1]

    def name_records_file(self, entity: Entity) -> str:
        """Return the name of the file with an entity's records."""
        return "records.csv" if entity is self.case else f"records_{entity.store}.csv"

    def list_stored_fields(self, entity: Entity) -> tuple[Field, ...]:
        """Return the fields of a record that lookups and actions read: the key first."""
        if entity.table:
            return tuple(self.fields[name] for name in (entity.key, *entity.fields))
        names = [entity.key]
        for tool in self.tools.values():
            if tool.kind is not ToolKind.COMPUTE:
                names += [
                    *tool.takes,
                    *tool.returns,
                    # These become columns, and a set of texts has another order in each process.
                    *sorted(collect_tool_inputs(tool)),
                    *tool.effects,
                ]
        names += [item.key for item in self.references]
        found = (self.fields[name] for name in dict.fromkeys(names))
        return tuple(
            item
            for item in found
            if item.name == entity.key or self.find_owner(item.name) is entity
        )

    def describe_arguments(self, tool: Tool) -> tuple[str, ...]:
        """Return what a call is handed, as texts say it.

        A parameter whose name differs from that of the value says so; what a record holds is named
        by its label, for its name is the row's alone.
        """
        words = {
            actual: f"the {item.label}" if item.table else actual
            for actual in tool.takes
            for item in [self.fields[actual]]
        }
        return tuple(
            name if name == words[actual] else f"{name}: {words[actual]}"
            for name, actual in tool.parameters.items()
        )

    def name_lacking_records(self, tool: Tool) -> tuple[str, ...]:
        """Return what texts call the records that a call may not find: by the labels of keys."""
        read = self.list_entities_read(tool)
        lacking = [entity for entity in read if self.may_lack(entity)] if tool.operation else read
        return tuple(self.fields[entity.key].label for entity in lacking)

    def list_introduced_fields(self) -> Mapping[str, Field]:
        """Return all fields that texts may name: those of the row, and those of its tools.

        Where a parameter of a tool has the name of an entry of the row, it is the entry.
        """
        return {**self.offered.fields, **self.fields}

    def list_tool_parameters(self, tool: Tool) -> tuple[Field, ...]:
        """Return the fields that a tool takes."""
        return tuple(self.fields[name] for name in tool.takes)

    def list_tool_results(self, tool: Tool) -> tuple[Field, ...]:
        """Return the fields that a tool returns."""
        return tuple(self.fields[name] for name in tool.returns)


def collect_deciding_expressions(model: DomainModel) -> list[Expression]:
    """Return every expression of decisions, edges, guards and effects."""
    found = [item for part in model.decisions.values() for item in list_decision_expressions(part)]
    found += [edge.when for step in model.steps.values() for edge in step.edges if edge.when]
    for tool in model.tools.values():
        found += [check.test for check in list_guard_checks(tool.guard)]
        found += tool.effects.values()
    return found


def collect_tool_inputs(tool: Tool) -> frozenset[str]:
    """Return the names of the fields that a tool's guard and effects read."""
    tests = (check.test for check in list_guard_checks(tool.guard))
    return collect_all_read_fields((*tests, *tool.effects.values()))


def order_decisions(
    model: DomainModel, wanted: Iterable[str], given: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the formulas needed for ``wanted``, each after those that it reads.

    A table is decided at its step, so that only formulas (worked out on the path) are followed.
    What is ``given`` is taken as it is.
    """
    ordered: list[str] = []
    known = frozenset(given)

    def visit(name: str) -> None:
        decision = model.decisions.get(name)
        if not isinstance(decision, Formula) or name in known or name in ordered:
            return
        for needed in sorted(collect_decision_inputs(decision)):
            if model.fields[needed].role is Role.DERIVED:
                visit(needed)
        ordered.append(name)

    for name in wanted:
        visit(name)
    return tuple(ordered)
