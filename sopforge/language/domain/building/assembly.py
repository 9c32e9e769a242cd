"""The model put together from its parts, with what only the whole can show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from sopforge.errors import DeclarationError, raise_gathered
from sopforge.language.domain.building.binding.offered_domain import (
    build_tools,
    check_handed_values,
    with_operations,
)
from sopforge.language.domain.building.decision_logic import DecisionBuilder
from sopforge.language.domain.building.draws import DrawBuilder
from sopforge.language.domain.building.entities import (
    build_entities,
    build_entity_fields,
    check_records_found,
    relax_constraints,
)
from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.field_parts.clauses import derive_clauses
from sopforge.language.domain.building.field_parts.labels import check_named_apart
from sopforge.language.domain.building.field_parts.told_facts import check_told
from sopforge.language.domain.building.functions import define_functions
from sopforge.language.domain.building.gathering import Gathering, keep_built
from sopforge.language.domain.building.kinds import build_kinds
from sopforge.language.domain.building.policy import build_calendars, build_policy
from sopforge.language.domain.building.predicates import (
    build_predicates,
    check_parameters,
    define_predicates,
)
from sopforge.language.domain.building.procedure import (
    ProcedureBuilder,
    check_loops,
    check_refusals,
    check_requests,
)
from sopforge.language.domain.building.tables import draw_columns, place_tables, write_references
from sopforge.language.domain.documents.model_schema import EntityDocument, ModelDocument
from sopforge.language.domain.documents.yaml_documents import Document, Path
from sopforge.language.domain.expressions.day_orders import ORDERS, iterate_day_orders
from sopforge.language.domain.expressions.expressions import Relation
from sopforge.language.domain.expressions.operators import Calendar
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import DomainModel, PolicyConstant
from sopforge.language.domain.parsing import Scope
from sopforge.language.domain.procedure.known_fields import find_partly_known_fields
from sopforge.language.domain.text_facts import build_text_facts
from sopforge.language.domain.values.types import DateType, EnumType, ListType
from sopforge.language.domain.values.units import choose_spellings, with_spellings


def build_model(
    document: Document,
    parts: ModelDocument,
    *,
    name: str,
    title: str,
    business_task: str,
) -> DomainModel:
    """Return the checked model of a brief's or a domain document's ``model`` part.

    Raises:
        MaterialError: with every fault found, in document order.
    """
    gathering = Gathering(document)
    own = write_references(parts.entities)
    fields = build_entity_fields(gathering, own)
    _mark_scored(gathering, parts, fields)
    policy = build_policy(gathering, parts.policy)
    fields, policy = _settle_units(fields, policy)
    calendars = build_calendars(gathering, parts.calendars)
    declared = {name for record in own.values() for name in record.fields}
    if (len(fields), len(policy), len(calendars)) < (
        len(declared),
        len(parts.policy),
        len(parts.calendars),
    ):
        # What reads them would be reported as naming unknown fields.
        raise DeclarationError(*gathering.sort_faults())
    entities = build_entities(gathering, own, fields)
    placed = place_tables(gathering, parts.entities, fields)
    fields = derive_clauses({**fields, **placed.fields}, placed.entities.values())
    placed = replace(placed, fields={key: fields[key] for key in placed.fields})
    _check_fields(gathering, parts.entities, fields)
    _check_apart(gathering, fields, policy, calendars, [*own, *placed.entities])
    scope = Scope(
        fields={key: item.type for key, item in fields.items()},
        constants={key: item.constant for key, item in policy.items()},
        optional=frozenset(key for key, item in fields.items() if item.missing),
        calendars=calendars,
        paths=placed.paths,
    )
    scope = _define_names(gathering, scope, parts)
    reader = Reader(gathering, scope)
    # Facts of the session are for tools alone: no agent sees them.
    session = {key for key, item in fields.items() if item.role is Role.SESSION}
    of_agents = replace(
        scope, fields={key: kind for key, kind in scope.fields.items() if key not in session}
    )
    deciding = Reader(gathering, of_agents)
    kinds = tuple(build_kinds(deciding, parts))
    if len(kinds) < len(parts.kinds):
        raise DeclarationError(*gathering.sort_faults())  # their fields are drawn by the conditions
    malformable = frozenset(key for key, item in fields.items() if item.malformed)
    # A tool refuses what is malformed before it comes to any rule or guard, so that only an edge
    # can ask whether an input is well formed.
    of_edges = Reader(gathering, replace(of_agents, malformable=malformable))
    fields = DrawBuilder(reader, {**entities, **placed.entities}, fields).build(own)
    fields |= draw_columns(reader, placed)
    entities |= placed.entities
    tools = build_tools(reader, placed, parts, fields, entities)
    texts = enumerate(parts.constraints)
    procedure = ProcedureBuilder(gathering, of_edges, fields, parts, tools.called)
    model = DomainModel(
        name=name,
        title=title,
        business_task=business_task,
        entities=entities,
        fields=fields,
        policy=policy,
        calendars={key: (calendars[key], parts.calendars[key].meaning) for key in calendars},
        constraints=keep_built(
            deciding.read_condition(("constraints", n), text) for n, text in texts
        ),
        decisions=DecisionBuilder(gathering, deciding, fields).build(parts.decisions),
        tools=tools.bound,
        steps=procedure.build(),
        start=parts.procedure.start,
        parts=procedure.build_parts(),
        lacking=tuple(parts.incomplete.lacking) if parts.incomplete else (),
        requests=parts.requests,
        kinds=kinds,
    )
    facts = [fact for kind in kinds for fact in kind.build_facts(fields)]
    model = replace(model, constraints=(*model.constraints, *facts))
    model = replace(model, fields=_note_days(model))
    model = with_operations(model, tools)
    # Of an entity that could not be built, tools would be reported for what only follows.
    if len(entities) - len(placed.entities) == len(own):
        check_records_found(gathering, model)
        check_requests(gathering, model, parts.requests)
        check_refusals(gathering, model)
        check_loops(gathering, model)
        check_handed_values(gathering, model, parts.procedure)
    raise_gathered(gathering.sort_faults())
    model = replace(
        model,
        constraints=relax_constraints(model),
        ties=(*model.ties, *build_text_facts(model)),
        partly_known=find_partly_known_fields(model),
    )
    return replace(
        model,
        predicates=build_predicates(parts.predicates, scope.uses, model),
        unused_functions=tuple(name for name in parts.functions if name not in scope.called),
    )


def _define_names(gathering: Gathering, scope: Scope, parts: ModelDocument) -> Scope:
    """Return a scope in which functions and predicates are read as what they stand for.

    Raises:
        DeclarationError: one cannot be read, so that what names it would be refused for it.
    """
    reader = Reader(gathering, scope)
    scope = replace(scope, functions=define_functions(reader, parts.functions, parts.predicates))
    scope = replace(scope, predicates=define_predicates(Reader(gathering, scope), parts.predicates))
    if len(scope.functions) + len(scope.predicates) < len(parts.functions) + len(parts.predicates):
        raise DeclarationError(*gathering.sort_faults())
    check_parameters(gathering, parts.predicates, parts.tools)
    return scope


def _mark_scored(gathering: Gathering, parts: ModelDocument, fields: dict[str, Field]) -> None:
    """Mark what decisions call scored, and add a fault for a field that may not be."""
    for name, decision in parts.decisions.items():
        for target in decision.gives or (name,):
            if decision.scored and target in fields:
                fields[target] = replace(fields[target], scored=True)
    for item in fields.values():
        if item.scored and item.role is not Role.DERIVED:
            message = f"'{item.name}' has scored: true, but its role is {item.role}"
            hint = "write 'scored: true' at derived fields only; every outcome is scored anyway"
            place = next(n for n, part in parts.entities.items() if item.name in part.fields)
            where = ("entities", place, "fields", item.name)
            gathering.add_fault(where, "scored-role", message, hint)


def _settle_units(
    fields: Mapping[str, Field], policy: Mapping[str, PolicyConstant]
) -> tuple[dict[str, Field], dict[str, PolicyConstant]]:
    """Return fields and constants in which each unit has one spelling."""
    kinds = [item.type for item in fields.values()]
    chosen = choose_spellings([*kinds, *(item.constant.type for item in policy.values())])

    def settle(item: PolicyConstant) -> PolicyConstant:
        kind = with_spellings(item.constant.type, chosen)
        return replace(item, constant=replace(item.constant, type=kind))

    return (
        {name: replace(x, type=with_spellings(x.type, chosen)) for name, x in fields.items()},
        {name: settle(item) for name, item in policy.items()},
    )


def _check_fields(
    gathering: Gathering,
    documents: Mapping[str, EntityDocument],
    fields: dict[str, Field],
) -> None:
    path = ("entities", next(iter(documents)), "fields")
    primary = [item for item in fields.values() if item.primary]
    is_sound = len(primary) == 1 and primary[0].role is Role.OUTCOME
    if not is_sound or not isinstance(primary[0].type, EnumType):
        what = [f"{item.name} ({item.role}, {item.type.noun})" for item in primary]
        found = ", ".join(what) or "none"
        message = f"exactly one outcome of type enum must have 'primary: true', found {found}"
        hint = "add 'primary: true' to one outcome of type enum"
        if primary:
            hint = "keep 'primary: true' only at one outcome of type enum"
        gathering.add_fault(path, "primary-outcome", message, hint)
    check_named_apart(gathering, fields.values(), partial(find_place, documents))
    _check_said(gathering, documents, fields)
    check_told(gathering, fields, partial(find_place, documents))


def find_place(documents: Mapping[str, EntityDocument], item: Field) -> Path:
    """Return where a field of the case, or the column of a table, is declared."""
    own = next((name for name, part in documents.items() if item.name in part.fields), "")
    return ("entities", item.table or own, "fields", item.column or item.name)


def _check_said(
    gathering: Gathering,
    documents: Mapping[str, EntityDocument],
    fields: Mapping[str, Field],
) -> None:
    """Add a fault for a clause that begins another, so that texts could be read in two senses."""
    clauses = [
        (item, clause)
        for item in fields.values()
        if item.said
        for clause in (item.said.yes, item.said.no)
    ]
    for place, (item, clause) in enumerate(clauses):
        for number, (other, longer) in enumerate(clauses):
            if number != place and f"{longer} ".startswith(f"{clause} "):
                message = (
                    f"'{clause}' of '{item.name}' is the beginning of '{longer}' of '{other.name}'"
                )
                where = (*find_place(documents, item), "said")
                gathering.add_fault(
                    where, "duplicate-label", message, "reword one of the two clauses"
                )


def _check_apart(
    gathering: Gathering,
    fields: Mapping[str, Field],
    policy: Mapping[str, PolicyConstant],
    calendars: Mapping[str, Calendar],
    entities: Iterable[str],
) -> None:
    taken = dict.fromkeys(fields, "a field")
    for part, word, names in (
        ("entities", "an entity", entities),
        ("policy", "a policy constant", policy),
        ("calendars", "a calendar", calendars),
    ):
        for name in names:
            if name in taken:
                message = f"the name '{name}' is used for both {taken[name]} and {word}"
                gathering.add_fault((part, name), "duplicate-name", message, "rename one of them")
            taken[name] = word


def _note_days(model: DomainModel) -> dict[str, Field]:
    """Return the fields; of lists' items with the days of the case that theirs never pass."""
    # Constraints hold of what is on file at the beginning: a call may change it.
    changed = model.expand_columns(name for tool in model.tools.values() for name in tool.effects)
    orders = [
        (part.list, part.field, relation, limit.field)
        for item in model.constraints
        for part, relation, limit in iterate_day_orders(item)
        if not {part.list, limit.field} & changed
    ]
    orders += _order_ranges(model.fields)

    def list_limits(day: tuple[str, str], *relations: Relation) -> frozenset[str]:
        return frozenset(
            limit for *part, relation, limit in orders if part == [*day] and relation in relations
        )

    return {
        name: replace(
            item,
            parts=tuple(
                replace(
                    part,
                    before=list_limits((name, part.name), Relation.LT),
                    until=list_limits((name, part.name), *ORDERS),
                )
                for part in item.parts
            ),
        )
        for name, item in model.fields.items()
    }


def _order_ranges(fields: Mapping[str, Field]) -> list[tuple[str, str, Relation, str]]:
    """Return the days of lists' items that lie before a day of the case by their ranges alone."""
    days = [(name, item.type) for name, item in fields.items() if isinstance(item.type, DateType)]
    return [
        (item.name, part, Relation.LT, name)
        for item in fields.values()
        if isinstance(item.type, ListType)
        for part, kind in item.type.fields
        if isinstance(kind, DateType)
        for name, other in days
        if kind.maximum < other.minimum
    ]
