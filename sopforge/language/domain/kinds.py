"""Kinds of cases: which fields only the cases of one kind have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Expression,
    Not,
    Presence,
)
from sopforge.language.domain.fields import STORED, Field


@dataclass(frozen=True, slots=True)
class Kind:
    """The cases that meet a condition on their inputs; no other case has its ``fields``.

    ``missing`` is the word for that, where a field has none of its own.
    """

    name: str
    title: str
    when: Expression
    fields: tuple[str, ...]
    missing: str

    def may_lack(self, item: Field) -> bool:
        """Return whether a field of the kind may have no value in its cases, too."""
        return item.missing != self.missing

    def build_facts(self, fields: Mapping[str, Field]) -> Iterator[Expression]:
        """Yield what holds of every row: what records hold of the kind, its cases alone have.

        Where a field has a word of its own for no value, they may lack it.
        """
        for item in (fields[name] for name in self.fields if fields[name].role in STORED):
            there = Presence(item.name)
            of_kind = self.when if self.may_lack(item) else AllOf((self.when, there))
            yield AnyOf((of_kind, AllOf((Not(self.when), Not(there)))))
