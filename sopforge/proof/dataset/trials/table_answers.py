"""What the model says to a call about any records of its tables, and what the tables hold then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from sopforge.language.domain.fields import Entity
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.tasks import Changes
from sopforge.language.domain.tool_checks import UNKNOWN_RECORD
from sopforge.language.domain.values.types import Json, Value
from sopforge.language.logic.tool_calls import Frame, Refused, answer_tool_call, apply_effects
from sopforge.proof.dataset.records import as_json, index_entity
from sopforge.proof.dataset.trials.parameter_values import parse_call

Raw: TypeAlias = Mapping[str, object]
Place: TypeAlias = tuple[str, str]
"""A record: its table and its key."""


@dataclass(frozen=True, slots=True)
class TableState:
    """What has changed since the beginning: columns of records, and the facts of the session."""

    changed: Mapping[Place, Frame] = field(default_factory=dict)
    session: Frame = field(default_factory=dict)


class TableAnswers:
    """Answers calls of operations, from the records of all tables.

    Raises:
        PackageUnreadableError: a file of the records is no table.
        ValueNotAllowedError: a cell is no value of its field.
    """

    def __init__(self, model: DomainModel, files: Mapping[str, str]) -> None:
        self.model = model.offered
        tables = {entity.store for entity in model.entities.values()}
        entities = self.model.entities.values()
        found = [entity for entity in entities if entity.store in tables]
        self.records = {part.name: index_entity(self.model, part, files) for part in found}
        self.known = {part.key: set(self.records[part.name]) for part in found}

    def begin(self) -> TableState:
        """Return the state at the beginning of a session."""
        return TableState({}, {item.name: item.starts for item in self.model.session})

    def answer(
        self, tool: Tool, raw: Raw, state: TableState
    ) -> tuple[Mapping[str, Json] | Refused, TableState]:
        """Return what a call is answered, and the state after it."""
        frame = parse_call(self.model, tool, raw)
        if isinstance(frame, Refused):
            return frame, state
        row = self.build_row(frame, state)
        for entity in self.model.list_entities_read(tool):
            if row.get(entity.name) is None:
                said = f"no record has the {entity.key} {row.get(entity.key)}"
                return Refused(UNKNOWN_RECORD, said), state
        answered = answer_tool_call(self.model, tool, frame, row)
        if isinstance(answered, Refused):
            return answered, state
        return as_json(self.model, answered), self.change(tool, frame, row, state)

    def build_row(self, frame: Frame, state: TableState) -> Frame:
        """Return what a call can come to read: the records that its parameters lead to."""
        row: dict[str, Value | None] = {**state.session, **frame}
        for entity in self.model.entities.values():
            if entity.name in self.records and entity.key in row:
                row |= self.read_record(entity, row[entity.key], state)
        return row

    def read_record(self, entity: Entity, key: Value | None, state: TableState) -> Frame:
        """Return a record under the names of an entity's fields; nothing where there is none."""
        found = self.records[entity.name].get(str(key))
        if key is None or found is None:
            return {entity.name: None}
        changed = state.changed.get((entity.store, str(key)), {})
        fields = {name: self.model.fields[name] for name in entity.fields if name in found}
        values = {
            name: changed.get(entity.name_column(item), found[name])
            for name, item in fields.items()
        }
        return {**values, entity.name: 1}

    def change(self, tool: Tool, frame: Frame, row: Frame, state: TableState) -> TableState:
        """Return the state after the effects of a call that was not refused."""
        after = apply_effects(self.model, tool, frame, row)
        changed = {place: dict(columns) for place, columns in state.changed.items()}
        session = dict(state.session)
        for name in tool.effects:
            owner = self.model.find_owner(name)
            if owner is None:
                session[name] = after[name]
                continue
            place = owner.store, str(row[owner.key])
            column = owner.name_column(self.model.fields[name])
            changed.setdefault(place, {})[column] = after[name]
        return TableState(changed, session)

    def describe_changes(self, state: TableState) -> Changes:
        """Return what tables hold that they did not at the beginning."""
        found: dict[str, dict[str, dict[str, Json]]] = {}
        for entity in self.model.references:
            columns = {
                entity.name_column(self.model.fields[name]): self.model.fields[name]
                for name in entity.fields
            }
            for (table, key), changed in state.changed.items():
                before = self.records[entity.name].get(key) if table == entity.store else None
                for column, value in changed.items() if before else ():
                    item = columns[column]
                    if before and before[item.name] != value:
                        record = found.setdefault(table, {}).setdefault(key, {})
                        record[column] = item.as_json(value)
        return found

    def list_places(self, tool: Tool, raw: Raw) -> Iterator[Place]:
        """Yield the records that the references of a call lead to."""
        for entity in self.model.entities.values():
            if entity.key in tool.takes:
                yield entity.store, str(raw.get(entity.key))
