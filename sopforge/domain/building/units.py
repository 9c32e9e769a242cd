"""One spelling for each unit of a model: whoever writes "hour" and "hours" means the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from sopforge.domain.fields import Field
from sopforge.domain.model import PolicyConstant
from sopforge.domain.values.types import AtomType, ListType, NumberType, ValueType
from sopforge.morphology import singularize_unit

_OF_DAYS = frozenset({"days", "minutes", "months", "years"})
"""What the rule language counts in."""
_ALIKE = 3
"""So many letters of a unit do not change in its plural."""


def settle_units(
    fields: Mapping[str, Field], policy: Mapping[str, PolicyConstant]
) -> tuple[dict[str, Field], dict[str, PolicyConstant]]:
    """Return fields and constants in which a unit has one spelling, the longest: the plural."""
    kinds = [item.type for item in fields.values()]
    kinds += [item.constant.type for item in policy.values()]
    units = _OF_DAYS.union(*map(_iterate_units, kinds))
    chosen = _choose_spellings(units)
    if all(unit == spelling for unit, spelling in chosen.items()):
        return dict(fields), dict(policy)

    def settle(constant: PolicyConstant) -> PolicyConstant:
        kind = _with_units(constant.constant.type, chosen)
        return replace(constant, constant=replace(constant.constant, type=kind))

    return (
        {name: replace(x, type=_with_units(x.type, chosen)) for name, x in fields.items()},
        {name: settle(item) for name, item in policy.items()},
    )


def _choose_spellings(units: Collection[str]) -> dict[str, str]:
    """Return each unit with the spelling that stands for it."""
    # Few begin alike, and to ask of a word whether it is a plural takes long the first time.
    alike = [unit for unit in units if sum(unit[:_ALIKE] == other[:_ALIKE] for other in units) > 1]
    singular = {unit: singularize_unit(unit) for unit in sorted(alike)}
    longest = {singular[unit]: unit for unit in sorted(alike, key=lambda unit: (len(unit), unit))}
    return {unit: longest[singular[unit]] if unit in singular else unit for unit in units}


def _iterate_units(kind: ValueType) -> Iterator[str]:
    kinds = [part for _, part in kind.fields] if isinstance(kind, ListType) else [kind]
    yield from (part.unit for part in kinds if isinstance(part, NumberType))


def _with_units(kind: ValueType, chosen: Mapping[str, str]) -> ValueType:
    if isinstance(kind, ListType):
        parts = tuple((name, _with_unit(part, chosen)) for name, part in kind.fields)
        return replace(kind, fields=parts)
    return _with_unit(kind, chosen)


def _with_unit(kind: AtomType, chosen: Mapping[str, str]) -> AtomType:
    return replace(kind, unit=chosen[kind.unit]) if isinstance(kind, NumberType) else kind
