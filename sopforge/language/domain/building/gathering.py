"""Faults gathered while a model is built, each with its place in the document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from sopforge.errors import Fault
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.documents.yaml_documents import Document, Path
from sopforge.language.domain.expressions.numbers import TypeRuleError
from sopforge.language.domain.fields import Field
from sopforge.language.domain.parsing import ExpressionError
from sopforge.language.domain.values.patterns import PatternError
from sopforge.language.domain.values.types import ValueNotAllowedError

Built = TypeVar("Built")
_LINE_NUMBER = re.compile(r":(\d+)(?=,|$)")


@dataclass(slots=True)
class Gathering:
    """The faults found so far in the ``model`` part of a document."""

    document: Document
    faults: list[Fault] = field(default_factory=list)

    def add_fault(self, path: Path, code: str, message: str, hint: str = "") -> None:
        """Add a fault at a place of the model."""
        self.faults.append(Fault(code, message, self.document.locate_part(("model", *path)), hint))

    def try_build(self, path: Path, build: Callable[[], Built]) -> Built | None:
        """Return what is built, or None where building it was refused; that is added."""
        try:
            return build()
        except ExpressionError as cause:
            place = f"at column {cause.column} of the expression"
            self.add_fault(path, cause.code, f"{cause} ({place})", cause.hint)
        except TypeRuleError as cause:
            self.add_fault(path, cause.code, str(cause), cause.hint)
        except ValueNotAllowedError as cause:
            self.add_fault(path, "value-not-allowed", str(cause), cause.hint)
        except PatternError as cause:
            self.add_fault(path, "pattern-not-supported", str(cause), cause.hint)
        return None

    def is_listed_name(self, path: Path, name: str, among: Iterable[str], kind: str) -> bool:
        """Return whether a name is one of those listed; if not, a fault is added."""
        names = list(among)
        if name in names:
            return True
        others = f"choose one of: {', '.join(names)}" if names else f"the model has no {kind}"
        hint = suggest(name, names) or others
        self.add_fault(path, f"unknown-{kind}", f"there is no {kind} '{name}'", hint)
        return False

    def is_listed_field(self, path: Path, name: str, among: Mapping[str, Field]) -> bool:
        """Return whether a name is a field's; if not, a fault says what briefs call the fields."""
        if name in among:
            return True
        return self.is_listed_name(path, name, [item.written for item in among.values()], "field")

    def sort_faults(self) -> list[Fault]:
        """Return the faults in the order of the document's lines."""
        return sorted(self.faults, key=lambda fault: _parse_line_number(fault.where))


def keep_built(items: Iterable[Built | None]) -> tuple[Built, ...]:
    """Return what could be built."""
    return tuple(item for item in items if item is not None)


def find_duplicates(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once."""
    listed = list(names)
    return list(dict.fromkeys(name for name in listed if listed.count(name) > 1))


def _parse_line_number(where: str) -> int:
    # The last one, for the name of a file may have colons and commas in it.
    numbers = _LINE_NUMBER.findall(where)
    return int(numbers[-1]) if numbers else 0
