"""Fields that operators make: drawn evenly, never missing, no rule's business."""

from __future__ import annotations

import re

from sopforge.language.domain.fields import Field, Role, Sampling
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import ValueType


def make_field(name: str, role: Role, kind: ValueType, description: str, label: str = "") -> Field:
    """Return a field whose label is its name in words, unless another is given."""
    return Field(
        name=name,
        label=label or name.replace("_", " "),
        role=role,
        type=kind,
        description=description,
        missing="",
        primary=False,
        sampling=Sampling(),
    )


def is_free(model: DomainModel, name: str) -> bool:
    """Return whether a name is no field's, constant's, calendar's or entity's."""
    return name not in {*model.fields, *model.policy, *model.calendars, *model.entities}


def make_name(words: str) -> str:
    """Return words as the name of a field.

    >>> make_name("manufacturer's certificate")
    'manufacturers_certificate'
    """
    return re.sub(r"[^a-z0-9]+", "_", words.lower().replace("'", "")).strip("_")
