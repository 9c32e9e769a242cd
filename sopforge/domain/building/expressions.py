"""Conditions and values of a document, parsed in the scope of its fields and policy."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sopforge.domain.building.gathering import Gathering
from sopforge.domain.documents.schema import Raw
from sopforge.domain.documents.yaml_documents import Path
from sopforge.domain.language.expressions import Constant, Expression
from sopforge.domain.parsing import Scope, parse_condition, parse_value
from sopforge.domain.values.types import (
    BOOLEAN_WORDS,
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    ValueType,
    encode,
)

# What an expression that gives a label has in it, where it is not the name of a field.
_COMPUTED = re.compile(r"""['"<>=]| if """)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the expressions of one document; what cannot be read is gathered."""

    gathering: Gathering
    scope: Scope

    def read_condition(self, path: Path, text: str) -> Expression | None:
        """Return a condition, or None where it was refused."""
        return self.gathering.try_build(path, lambda: parse_condition(text, self.scope))

    def read_value(self, path: Path, raw: Raw, target: ValueType) -> Expression | None:
        """Return a label, date or yes/no as a constant, and anything else as an expression."""
        text = str(raw)
        if self._is_plain(text, target):
            # YAML reads a bare true as a boolean, and its text, True, is no word of a yes/no field.
            code = self.gathering.try_build(
                path, lambda: encode(target, raw if isinstance(raw, bool) else text)
            )
            return None if code is None else Constant(target, code)
        return self.gathering.try_build(path, lambda: parse_value(text, self.scope, target))

    def _is_plain(self, text: str, target: ValueType) -> bool:
        """Return whether a text is meant as a value, though it may be none, and not computed."""
        kind = self.scope.fields.get(text)
        match target:
            case EnumType():
                is_computed = kind == target or bool(_COMPUTED.search(text))
                return text in target.values or not is_computed
            case BooleanType():
                return text in BOOLEAN_WORDS or (text.isidentifier() and kind is None)
            case DateType() | DateTimeType():
                return text[:1].isdigit()
            case ListType(empty=empty):
                return text == empty
            case _:
                return False
