"""What the model says to a call as an agent sends it: JSON values, of whatever kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from sopforge.language.domain.fields import Entity
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.tool_checks import UNKNOWN_RECORD
from sopforge.language.domain.values.types import Json
from sopforge.language.logic.tool_calls import Refused, answer_tool_call, apply_effects
from sopforge.proof.dataset.records import Row, as_json, index_records, read_records
from sopforge.proof.dataset.trials.parameter_values import parse_call

Raw: TypeAlias = Mapping[str, object]


class ModelAnswers:
    """Answers calls by the rules of a model, from the records of its cases.

    Raises:
        PackageUnreadableError: a file of the records is no table.
        ValueNotAllowedError: a cell is no value of its field.
    """

    def __init__(self, model: DomainModel, files: Mapping[str, str]) -> None:
        self.model = model
        self.cases = read_records(model, files)
        keys = [entity.key for entity in model.entities.values()]
        self.known = {key: {row[key] for row in self.cases.values()} for key in keys}
        self.records = index_records(model, files)

    def answer(
        self, tool: Tool, raw: Raw, row: Row
    ) -> tuple[Mapping[str, Json] | Refused | None, Row]:
        """Return what a call about a case is answered, and the case's row after it.

        None stands for a call about another case. A call with the key of another record, to which
        the case does not refer, is answered from that record.
        """
        frame = parse_call(self.model, tool, raw)
        if isinstance(frame, Refused):
            return frame, row
        seen = row
        for entity in self.model.list_entities_read(tool):
            key = frame[entity.key]
            if key not in self.known[entity.key] and key not in self.records[entity.name]:
                return Refused(UNKNOWN_RECORD, f"no record has the {entity.key} {key}"), row
            if key != row[entity.key]:
                if entity is self.model.case:
                    return None, row
                seen = self.with_record(entity, str(key), seen)
        said = answer_tool_call(self.model, tool, frame, seen)
        if isinstance(said, Refused):
            return said, row
        after = apply_effects(self.model, tool, frame, seen)
        effects = {name: after[name] for name in tool.effects}
        return as_json(self.model, said), {**row, **effects} if effects else row

    def with_record(self, entity: Entity, key: str, row: Row) -> Row:
        """Return a row in which the record of a key stands for the one that the case refers to."""
        found = self.records[entity.name].get(key)
        stored = [item.name for item in self.model.list_stored_fields(entity)]
        record = dict.fromkeys(stored) if found is None else found
        return {**row, **record, entity.key: key, entity.name: None if found is None else 1}
