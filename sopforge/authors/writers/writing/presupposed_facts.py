"""What free texts presuppose of their records: conditions, looked at as cases are drawn.

An author states with each text what it presupposes. A reader who sees the texts and the fields, and
not what was stated, finds it out from the words. Both are compared on drawn cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sopforge.authors.writers.repair import Ask
from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.yaml_documents import Document
from sopforge.language.domain.expressions.expressions import Expression, collect_read_fields
from sopforge.language.domain.fields import STORED, Entity, Field, Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.parsing import Scope
from sopforge.language.domain.text_facts import require_values
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    NumberType,
    SetType,
    TextType,
)
from sopforge.language.logic.readings.vector import Column, evaluate_all
from sopforge.proof.dataset.sampling.filling import label_rows
from sopforge.proof.dataset.sampling.sampling import sample_columns

TEMPLATE = "dataset_value_facts"
DRAWN, WALKED = 2_000, 300
# So few cases may come to one answer by chance.
_FEWEST_WALKED = 8


@dataclass(frozen=True)
class PresupposedFacts:
    """Reads and compares what texts of a model's fields presuppose."""

    model: DomainModel

    def find_fault(self, name: str, text: str) -> str:
        """Return why a text of a field cannot presuppose a condition, "" if it can."""
        when = self.read(text)
        if isinstance(when, str):
            return f"presupposes what cannot be read: {when}"
        fields = {item.name for item in list_presupposable_fields(self.model, name)}
        strange = sorted(collect_read_fields(when) - fields)
        if strange:
            return f"presupposes '{strange[0]}', which is not drawn of its record"
        holding = self.evaluate(when)
        if not holding.any():
            return "presupposes what no case shows"
        if answer := self.find_only_answer(holding):
            return f"presupposes what decides the case: it would come to '{answer}'"
        return ""

    def read(self, text: str) -> Expression | str:
        """Return a condition, or why it cannot be read."""
        # An answer has no lines of a file; all of its faults are at its only place.
        gathering = Gathering(Document("the answer", {}, {(): 1}))
        fields = self.model.fields
        scope = Scope(
            fields={name: item.type for name, item in fields.items()},
            constants={},
            optional=frozenset(name for name, item in fields.items() if item.missing),
            calendars={name: calendar for name, (calendar, _) in self.model.calendars.items()},
        )
        when = Reader(gathering, scope).read_condition((), text)
        if when is None:
            return gathering.faults[0].message
        return require_values(self.model, when)

    def is_alike(self, one: str, other: str) -> bool:
        """Return whether two conditions hold in the same drawn cases; an empty one holds in all."""
        found = [self.read(text) if text else None for text in (one, other)]
        if any(isinstance(when, str) for when in found):
            return False
        first, second = (
            np.ones(DRAWN, dtype=bool) if when is None else self.evaluate(when)
            for when in found
            if not isinstance(when, str)
        )
        return bool(np.array_equal(first, second))

    def evaluate(self, when: Expression) -> Column:
        """Return in which of the drawn cases a condition holds."""
        (holding,) = evaluate_all([when], self._columns)
        return np.broadcast_to(holding != 0, (DRAWN,))

    def find_only_answer(self, holding: Column) -> str:
        """Return the answer that all cases come to in which a text may stand, "" if several."""
        primary, answers = self.model.primary, self._answers
        found = [answer for answer, holds in zip(answers, holding, strict=False) if holds]
        if len(found) < _FEWEST_WALKED or len(set(found)) > 1 or len(set(answers)) == 1:
            return ""
        return primary.format_cell(found[0])

    @cached_property
    def _columns(self) -> Any:  # noqa: ANN401 - columns of drawn rows
        return sample_columns(self.model, 0, range(DRAWN))

    @cached_property
    def _answers(self) -> list[Any]:
        """The primary outcomes of the first of the drawn cases."""
        walks = label_rows(self.model, 0, range(WALKED))
        return [task.walk.known.get(self.model.primary.name) for task in walks]


def list_presupposable_fields(model: DomainModel, name: str) -> list[Field]:
    """Return what texts of a field may presuppose: what else is drawn of its record, and beyond it.

    Keys, secrets and other texts that people write are not among them.
    """
    owner = model.find_owner(name) or model.case
    keys = {entity.key for entity in model.entities.values()}
    return [
        model.fields[part]
        for entity in _list_records(model, owner)
        for part in entity.fields
        if part not in keys and part != name and _is_fact(model.fields[part])
    ]


def _list_records(model: DomainModel, owner: Entity) -> list[Entity]:
    """Return an entity, and those that its records lead to."""
    below = [entity for entity in model.references if entity.key in owner.fields]
    further = [
        one for entity in below if entity is not owner for one in _list_records(model, entity)
    ]
    return list(dict.fromkeys([owner, *further]))


def _is_fact(item: Field) -> bool:
    is_text = isinstance(item.type, TextType) and not item.type.pool
    is_free = isinstance(item.type, TextType) and item.type.is_free
    return item.role in STORED and item.role is not Role.SECRET and not is_text and not is_free


def describe_record(fields: Sequence[Field]) -> list[dict[str, str]]:
    """Return fields as a reader needs them to compare a text with a record."""
    return [
        {
            "field": item.name,
            "label": item.label,
            "about": item.description,
            "values": _describe_values(item),
        }
        for item in fields
    ]


def _describe_values(item: Field) -> str:
    match item.type:
        case BooleanType():
            return "yes or no"
        case EnumType() | SetType() as kind:
            return ", ".join(f"'{label}'" for label in kind.values)
        case NumberType() as kind:
            low, high = kind.bound_cells
            return f"{low} to {high} {kind.unit}".strip()
        case TextType() as kind:
            return ", ".join(f"'{text}'" for text in kind.pool)
        case _:
            return "a date, a time or a list"


def read_presupposed_facts(
    ask: Ask, model: DomainModel, texts: Sequence[tuple[str, str]]
) -> Mapping[int, str]:
    """Return what a reader finds that texts presuppose, each a field with what stands there."""
    names = dict.fromkeys(name for name, _ in texts)
    fields = [item for name in names for item in list_presupposable_fields(model, name)]
    answer = ask(
        TEMPLATE,
        {
            "title": model.title,
            "business_task": model.business_task,
            "record": describe_record(list({item.name: item for item in fields}.values())),
            "texts": [
                {"text": number, "field": name, "says": text}
                for number, (name, text) in enumerate(texts, start=1)
            ],
        },
    )
    return {item["text"]: item["presupposes"].strip() for item in answer["texts"]}
