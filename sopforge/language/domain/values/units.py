"""One spelling for each unit of a model: whoever writes "hour" and "hours" means the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from sopforge.language.domain.values.types import AtomType, ListType, NumberType, ValueType
from sopforge.morphology import singularize_unit

_OF_DAYS = frozenset({"days", "minutes", "months", "years"})
"""What the rule language counts in."""
_ALIKE = 3
"""So many letters of a unit do not change in its plural."""


def choose_spellings(kinds: Iterable[ValueType]) -> dict[str, str]:
    """Return the units of some types, each with the longest of its spellings: the plural."""
    units = _OF_DAYS.union(*map(_iterate_units, kinds))
    # Few begin alike, and to ask of a word whether it is a plural takes long the first time.
    alike = [unit for unit in units if sum(unit[:_ALIKE] == other[:_ALIKE] for other in units) > 1]
    singular = {unit: singularize_unit(unit) for unit in sorted(alike)}
    longest = {singular[unit]: unit for unit in sorted(alike, key=lambda unit: (len(unit), unit))}
    return {unit: longest[singular[unit]] if unit in singular else unit for unit in units}


def with_spellings(kind: ValueType, chosen: Mapping[str, str]) -> ValueType:
    """Return a type with the spellings that were chosen for its units."""
    if isinstance(kind, ListType):
        parts = tuple((name, _with_spelling(part, chosen)) for name, part in kind.fields)
        return replace(kind, fields=parts)
    return _with_spelling(kind, chosen)


def _with_spelling(kind: AtomType, chosen: Mapping[str, str]) -> AtomType:
    return replace(kind, unit=chosen[kind.unit]) if isinstance(kind, NumberType) else kind


def _iterate_units(kind: ValueType) -> Iterator[str]:
    kinds = [part for _, part in kind.fields] if isinstance(kind, ListType) else [kind]
    yield from (part.unit for part in kinds if isinstance(part, NumberType))
