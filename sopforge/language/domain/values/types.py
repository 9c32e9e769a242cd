"""Value types: which integers a field can hold, and how they are written for people and JSON.

Inside SOPForge every decidable value is an integer: numbers are scaled by their places, dates are
day numbers (proleptic Gregorian ordinals), enums are positions in their list, sets are bit masks,
booleans are 0 or 1, date-times are minutes. Text stays a string and is compared for equality
only; a list is a tuple of items. A missing value is ``None``.
"""

from __future__ import annotations

from typing import TypeAlias

from sopforge.language.domain.values.kinds.date import ANY_DAY, DateType
from sopforge.language.domain.values.kinds.date_time import ANY_MINUTE, MINUTES_A_DAY, DateTimeType
from sopforge.language.domain.values.kinds.duration import DurationType
from sopforge.language.domain.values.kinds.item_list import ListType, list_items
from sopforge.language.domain.values.kinds.label import (
    BooleanType,
    EnumType,
    SetType,
    list_set_members,
)
from sopforge.language.domain.values.kinds.moment import MomentType
from sopforge.language.domain.values.kinds.number import NumberType
from sopforge.language.domain.values.kinds.text import TextType
from sopforge.language.domain.values.kinds.value_type import (
    Atom,
    AtomType,
    Item,
    Json,
    JsonAtom,
    OrderedType,
    ScalarType,
    Value,
    require_integer,
)
from sopforge.session.score import (
    BOOLEAN_WORDS,
    SET_SEPARATOR,
    ValueNotAllowedError,
    scale_decimal,
)

__all__ = [
    "ANY_DAY",
    "ANY_MINUTE",
    "BOOLEAN",
    "BOOLEAN_WORDS",
    "MINUTES_A_DAY",
    "SET_SEPARATOR",
    "Atom",
    "AtomType",
    "BooleanType",
    "DateTimeType",
    "DateType",
    "DurationType",
    "EnumType",
    "Item",
    "Json",
    "JsonAtom",
    "ListType",
    "MomentType",
    "NumberType",
    "OrderedType",
    "ScalarType",
    "SetType",
    "TextType",
    "Value",
    "ValueNotAllowedError",
    "ValueType",
    "list_items",
    "list_set_members",
    "require_integer",
    "scale_decimal",
]

ValueType: TypeAlias = AtomType | ListType
BOOLEAN = BooleanType()
