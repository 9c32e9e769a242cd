"""What is so where a yes/no column or a session fact is yes, and where it is no, as clauses.

``blocked: {description: whether the account is blocked}`` says of the paying account that "the
paying account is blocked". Clauses of a column name the record as its table is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from sopforge.domain.building.fields import is_plain_clause
from sopforge.domain.building.gathering import Gathering
from sopforge.domain.documents.yaml_documents import Path
from sopforge.domain.fields import Entity, Field, Role, Said
from sopforge.domain.values.types import BooleanType

_DENIALS = {
    "is": "is not",
    "was": "was not",
    "has been": "has not been",
    "may": "may not",
    "can": "cannot",
}
_WHETHER = re.compile(rf"whether (the .+?) ({'|'.join(_DENIALS)}) (.+)")
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|may|can|must|who|which|that|not)\b")


def check_clauses(gathering: Gathering, path: Path, table: str, item: Field) -> Field:
    """Return a column; clauses that do not name the record, of which are several, are a fault."""
    clauses = (item.said.yes, item.said.no) if item.said else ()
    unclear = [clause for clause in clauses if _name_record(table) not in clause]
    for clause in unclear:
        message = f"'{clause}' does not say which record it is about"
        hint = f"write '{_name_record(table)}': texts put there what leads to the record"
        gathering.add_fault((*path, "said"), "value-not-allowed", message, hint)
    return replace(item, said=None) if unclear else item


def place_clauses(said: Said | None, table: str, label: str) -> Said | None:
    """Return the clauses of a column about the record that a reference leads to."""
    if said is None:
        return None
    return Said(_place(said.yes, table, label), _place(said.no, table, label))


def derive_clauses(fields: Mapping[str, Field], entities: Iterable[Entity]) -> dict[str, Field]:
    """Return the fields, of which columns and session facts say clauses if their description does.

    A clause that could be taken for another is left out.
    """
    labels = {
        name: fields[entity.key].label
        for entity in entities
        if entity.table and entity.key in fields
        for name in entity.fields
    }
    found = {name: _derive(item, labels.get(name, "")) for name, item in fields.items()}
    parts = [part.said for item in fields.values() for part in item.parts]
    every = [*found.values(), *parts]
    clauses = [clause for said in every if said for clause in (said.yes, said.no)]
    return {
        name: replace(
            item,
            said=item.said or _keep_clear(found[name], clauses),
            parts=tuple(replace(part, said=_keep_clear(part.said, clauses)) for part in item.parts),
        )
        for name, item in fields.items()
    }


def _derive(item: Field, label: str) -> Said | None:
    """Return the clauses that a description has, or those that a field has by itself."""
    if item.said or not isinstance(item.type, BooleanType):
        return item.said
    asked = _WHETHER.fullmatch(item.description)
    if not asked or not (item.table or item.role is Role.SESSION) or not _is_single(asked):
        return None
    subject, verb, rest = asked.groups()
    if item.table and subject != _name_record(item.table):
        return None
    subject = f"the {label}" if item.table else subject
    said = Said(f"{subject} {verb} {rest}", f"{subject} {_DENIALS[verb]} {rest}")
    return said if is_plain_clause(said.yes) and is_plain_clause(said.no) else None


def _is_single(asked: re.Match[str]) -> bool:
    """Return whether a description has one verb, so that it is clear what is denied."""
    return not any(_VERB.search(asked[part]) for part in (1, 3))


def _keep_clear(said: Said | None, clauses: Iterable[str]) -> Said | None:
    if said is None:
        return None
    own = (said.yes, said.no)
    others = [f"{clause} " for clause in clauses]
    is_clear = all(
        sum(other.startswith(f"{clause} ") or f"{clause} ".startswith(other) for other in others)
        == 1
        for clause in own
    )
    return said if is_clear else None


def _place(clause: str, table: str, label: str) -> str:
    return clause.replace(_name_record(table), f"the {label}", 1)


def _name_record(table: str) -> str:
    return f"the {table.replace('_', ' ')}"
