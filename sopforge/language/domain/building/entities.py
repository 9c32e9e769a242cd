"""Entities: the records of a domain, the keys that find them and the references between them."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.language.domain.building.field_parts.labels import (
    check_texts,
    describe_unreadable_label,
    find_doubtful_texts,
)
from sopforge.language.domain.building.fields import build_fields
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.model_schema import EntityDocument
from sopforge.language.domain.expressions.expressions import (
    AnyOf,
    Expression,
    Not,
    Presence,
    collect_read_fields,
)
from sopforge.language.domain.fields import Entity, Field, Role
from sopforge.language.domain.model import DomainModel, Tool, ToolKind
from sopforge.language.domain.values.patterns import read_pattern
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import TextType

Documents = Mapping[str, EntityDocument]

DEFAULT_RECORDS = 1_000
# Inputs, answers and what is decided are of the case alone; what it refers to is found by tools.
_REFERRED = (Role.OBSERVED, Role.DISTRACTOR, Role.SECRET)


def build_entity_fields(gathering: Gathering, documents: Documents) -> dict[str, Field]:
    """Return the fields of all entities; a name stands for one field in the whole domain."""
    fields: dict[str, Field] = {}
    for name, document in documents.items():
        for shared in [item for item in document.fields if item in fields]:
            path = ("entities", name, "fields", shared)
            message = f"two entities have a field '{shared}'"
            hint = "rename one of them; field names must be unique in the domain"
            gathering.add_fault(path, "duplicate-name", message, hint)
        fields.update(build_fields(gathering, name, document.fields))
    return fields


def build_entities(
    gathering: Gathering, documents: Documents, fields: Mapping[str, Field]
) -> dict[str, Entity]:
    """Return the entities whose keys find their records; faults of the others are gathered."""
    entities: dict[str, Entity] = {}
    case = next(iter(documents))
    earlier: set[str] = set()
    keys = {document.key for document in documents.values()}
    for name, document in documents.items():
        is_keyed = (
            _is_case_keyed(gathering, name, document, fields)
            if name == case
            else _is_referred(gathering, name, document, fields, earlier)
        )
        if is_keyed:
            records = 0 if name == case else document.records or DEFAULT_RECORDS
            entities[name] = Entity(
                name, document.key, tuple(document.fields), records, document.dangling_share
            )
            earlier |= set(document.fields) - {entity.key for entity in entities.values()}
        for field in [item for item in document.fields if item not in keys]:
            check_texts(gathering, ("entities", name, "fields", field), fields[field])
    return entities


def check_records_found(gathering: Gathering, model: DomainModel) -> None:
    """Add faults for tools that read a record without its key, or compare what it does not hold."""
    for tool in model.tools.values():
        names = {*tool.takes, *tool.returns}
        is_plain = tool.kind is not ToolKind.COMPUTE and not tool.operation
        if is_plain and names <= set(model.fields):
            _check_keys_taken(gathering, model, tool)


def _check_keys_taken(gathering: Gathering, model: DomainModel, tool: Tool) -> None:
    path = ("tools", tool.name, "takes")
    read = model.list_entities_read(tool)
    for entity in read or (model.case,):
        if entity.key not in tool.takes:
            message = (
                f"{tool.name} does not take the key '{entity.key}', which it needs to find"
                " its record"
            )
            gathering.add_fault(path, "key-not-taken", message, "add the key to 'takes'")
    changed = {name for other in model.tools.values() for name in other.effects}
    for name in tool.takes if tool.kind is ToolKind.LOOKUP else ():
        if name in changed:
            message = (
                f"{tool.name} takes '{name}' to compare it with the record, but an action"
                f" changes '{name}'"
            )
            hint = (
                "remove it from 'takes'; an agent that read the value before the change would"
                " be refused"
            )
            gathering.add_fault(path, "parameter-changes", message, hint)
    keys = {entity.key for entity in read}
    strays = [
        name for name in tool.takes if name not in keys and model.find_owner(name) not in read
    ]
    for name in strays if tool.kind is ToolKind.LOOKUP and read else ():
        message = f"{tool.name} takes '{name}', but no record that it reads has this field"
        hint = "remove it from 'takes', or return a field of the record that contains it"
        gathering.add_fault(path, "parameter-not-stored", message, hint)


def relax_constraints(model: DomainModel) -> tuple[Expression, ...]:
    """Return the constraints, each asked only of rows that have the records which it reads."""
    return tuple(_relax_constraint(model, constraint) for constraint in model.constraints)


def _relax_constraint(model: DomainModel, constraint: Expression) -> Expression:
    owners = [model.find_owner(name) for name in sorted(collect_read_fields(constraint))]
    lacking = [
        Not(Presence(entity.name))
        for entity in model.references
        if entity in owners and model.may_lack(entity)
    ]
    return AnyOf((*lacking, constraint)) if lacking else constraint


def _is_case_keyed(
    gathering: Gathering,
    entity: str,
    document: EntityDocument,
    fields: Mapping[str, Field],
) -> bool:
    """Return whether the key of the first entity distinguishes its records."""
    path = ("entities", entity, "key")
    if document.records is not None or document.dangling_share:
        message = "only an entity that a reference leads to can have 'records' and 'dangling_share'"
        gathering.add_fault(
            ("entities", entity), "case-entity", message, "remove them from this entity"
        )
    if not gathering.is_listed_name(path, document.key, document.fields, "field"):
        return False
    key = fields[document.key]
    pattern = _get_pattern(key)
    if not pattern or not key.sampling.unique or key.role is not Role.INPUT:
        message = (
            f"the key '{key.name}' must be an input of type string, with 'pattern' and 'unique:"
            " true'"
        )
        hint = (
            "declare it, for example, as {role: input, type: string, pattern: 'R[0-9]{6}', unique:"
            " true}, or name another field under 'key'"
        )
        gathering.add_fault(path, "key-not-unique", message, hint)
        return False
    _check_readable(gathering, entity, pattern)
    return True


def _is_referred(
    gathering: Gathering,
    entity: str,
    document: EntityDocument,
    fields: Mapping[str, Field],
    earlier: set[str],
) -> bool:
    """Return whether a field of an earlier entity can lead to the records of this one."""
    path = ("entities", entity, "key")
    for name in document.fields:
        place = ("entities", entity, "fields", name)
        kind = fields[name].type
        shape = find_shape(kind) if isinstance(kind, TextType) else None
        records = document.records or DEFAULT_RECORDS
        if fields[name].sampling.unique and shape and shape.size < records:
            own = kind.pattern or kind.like if isinstance(kind, TextType) else ""
            message = (
                f"'{own}' allows only {shape.size} texts, but each of the {records} records"
                " needs its own"
            )
            gathering.add_fault(
                place, "pattern-too-small", message, "widen its pattern, or lower 'records'"
            )
    check_roles(gathering, entity, {name: fields[name] for name in document.fields})
    if document.key not in earlier:
        message = (
            f"the key '{document.key}' is not a field of an earlier entity, or another entity"
            " already uses it as its key"
        )
        hint = f"as the key of '{entity}', name the field that refers to it, such as {entity}_id"
        gathering.add_fault(path, "unknown-reference", message, hint)
        return False
    key = fields[document.key]
    pattern = _get_pattern(key)
    if not pattern or key.role not in {Role.INPUT, Role.OBSERVED} or key.sampling.unique:
        message = (
            f"the reference '{key.name}' must be an input or observed field of type string, with"
            " 'pattern' and without 'unique'"
        )
        hint = f"change the settings of '{key.name}', or name another field under 'key'"
        gathering.add_fault(path, "reference-shape", message, hint)
        return False
    _check_readable(gathering, entity, pattern)
    # A reference that leads nowhere needs a text that no record has.
    needed = (document.records or DEFAULT_RECORDS) + bool(document.dangling_share)
    _check_enough(gathering, entity, pattern, needed)
    return True


def check_roles(gathering: Gathering, entity: str, fields: Mapping[str, Field]) -> None:
    """Add faults for fields of roles that only the first entity has."""
    for name, item in fields.items():
        if item.role not in _REFERRED:
            message = (
                f"'{name}' has the role {item.role}, which only fields of the first entity can have"
            )
            place = ("entities", entity, "fields", name)
            gathering.add_fault(
                place, "role-not-allowed", message, "declare the field in the first entity"
            )


def check_key_pattern(
    gathering: Gathering,
    table: str,
    document: EntityDocument,
    columns: Mapping[str, Field],
) -> None:
    """Add faults for the key of a table by which its records cannot be distinguished."""
    path = ("entities", table, "key")
    key = columns.get(document.key)
    if key is None:
        return
    pattern = _get_pattern(key)
    if not pattern or key.role is not Role.OBSERVED or key.missing:
        message = f"the key '{key.name}' must be an observed field of type string, with 'pattern'"
        hint = "declare it, for example, as {role: observed, type: string, pattern: 'R[0-9]{6}'}"
        gathering.add_fault(path, "key-not-unique", message, hint)
        return
    _check_readable(gathering, table, pattern)
    # Rows that are made for a goal have records of their own, and a reference may lead nowhere.
    _check_enough(gathering, table, pattern, 2 * (document.records or DEFAULT_RECORDS))


def _check_enough(gathering: Gathering, entity: str, pattern: str, needed: int) -> None:
    size = read_pattern(pattern).size
    if size < needed:
        message = (
            f"the pattern '{pattern}' allows only {size} texts, but the records of '{entity}'"
            f" need {needed}"
        )
        hint = "widen the pattern, or lower 'records'"
        gathering.add_fault(("entities", entity, "key"), "pattern-too-small", message, hint)


def _get_pattern(key: Field) -> str:
    return key.type.pattern if isinstance(key.type, TextType) else ""


def _check_readable(gathering: Gathering, entity: str, pattern: str) -> None:
    for example in find_doubtful_texts(read_pattern(pattern))[:1]:
        message = f"a key such as '{example}' {describe_unreadable_label(example)}"
        hint = "choose a pattern that allows no such text, for example R[0-9]{6}"
        gathering.add_fault(("entities", entity, "key"), "key-not-safe", message, hint)
