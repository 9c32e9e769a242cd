"""Conditions and values of a document, parsed in the scope of its fields and policy."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.schema_terms import Result
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.expressions.expressions import Constant, Expression, Missing
from sopforge.language.domain.fields import Field
from sopforge.language.domain.parsing import MISSING, Scope, parse_condition, parse_value
from sopforge.language.domain.values.types import (
    BOOLEAN_WORDS,
    BooleanType,
    EnumType,
    ListType,
    MomentType,
    SetType,
    ValueType,
)

# What an expression that gives a label has in it, where it is not the name of a field.
_COMPUTED = re.compile(r"""['"<>=]| if |^(?:min|max)\(""")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the expressions of one document; what cannot be read is gathered."""

    gathering: Gathering
    scope: Scope

    def read_condition(self, path: Path, text: str) -> Expression | None:
        """Return a condition, or None where it was refused."""
        return self.gathering.try_build(path, lambda: parse_condition(text, self.scope))

    def read_result(
        self, path: Path, raw: Result, item: Field, *, is_proved: bool = False
    ) -> Expression | None:
        """Return what a decision gives a field: a value, or none where the field has a word for it.

        A label, field or constant that is itself called ``missing`` prevails. ``is_proved`` is as
        for ``parse_value``.
        """
        text = str(raw)
        if text == MISSING and not self._is_known_name(text, item.type):
            if item.missing:
                return Missing(item.type, item.missing)
            message = (
                f"'{item.name}' has no value here, and its field declares no word for a"
                " missing value"
            )
            hint = f"declare 'missing' with a word at the field '{item.name}', or give it a value"
            self.gathering.add_fault(path, "missing-result", message, hint)
            return None
        if item.missing and text == item.missing:
            return Missing(item.type, item.missing)
        return self.read_value(path, raw, item.type, item.missing, is_proved=is_proved)

    def _is_known_name(self, text: str, target: ValueType) -> bool:
        labels = target.values if isinstance(target, EnumType) else ()
        return text in {*labels, *self.scope.fields, *self.scope.constants}

    def read_value(
        self,
        path: Path,
        raw: Result,
        target: ValueType,
        missing: str = "",
        *,
        is_proved: bool = False,
    ) -> Expression | None:
        """Return a label, date or yes/no as a constant, and anything else as an expression.

        ``missing`` is the word for no value, where a choice may give none.
        """
        if isinstance(target, SetType):
            return self.read_set(path, raw, target)
        if isinstance(raw, tuple):
            message = f"a list of labels is a set, but {target.noun} is needed here"
            self.gathering.add_fault(
                path, "type-error", message, "write one value instead of a list"
            )
            return None
        text = str(raw)
        if self._is_plain(text, target):
            # YAML reads a bare true as a boolean, and its text, True, is no word of a yes/no field.
            code = self.gathering.try_build(
                path, lambda: target.encode(raw if isinstance(raw, bool) else text)
            )
            return None if code is None else Constant(target, code)
        return self.gathering.try_build(
            path, lambda: parse_value(text, self.scope, target, missing, is_proved=is_proved)
        )

    def read_set(self, path: Path, raw: Result, target: SetType) -> Expression | None:
        """Return a list of labels, or the word for none, as a constant; a text as an expression."""
        text = raw if isinstance(raw, tuple) else str(raw)
        if isinstance(text, str) and text in target.values and text not in self.scope.fields:
            message = f"'{text}' is a label, but a set is needed here"
            self.gathering.add_fault(path, "type-error", message, f"write it as a list: [{text}]")
            return None
        if isinstance(text, tuple) or text == target.empty:
            labels = list(text) if isinstance(text, tuple) else text
            code = self.gathering.try_build(path, lambda: target.encode(labels))
            return None if code is None else Constant(target, code)
        return self.gathering.try_build(path, lambda: parse_value(text, self.scope, target))

    def _is_plain(self, text: str, target: ValueType) -> bool:
        """Return whether a text is meant as a value, though it may be none, and not computed."""
        kind = self.scope.fields.get(self.scope.paths.get(text, text))
        if text.partition("(")[0] in self.scope.functions:
            return False
        match target:
            case EnumType():
                is_computed = kind == target or bool(_COMPUTED.search(text))
                return text in target.values or not is_computed
            case BooleanType():
                return text in BOOLEAN_WORDS or (text.isidentifier() and kind is None)
            case MomentType():
                return text[:1].isdigit()
            case ListType(empty=empty):
                return text == empty
            case _:
                return False
