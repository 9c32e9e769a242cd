"""What a field is and can hold, aspect by aspect, in words."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.language.domain.fields import Field, Sampling
from sopforge.language.domain.values.types import (
    EnumType,
    ListType,
    NumberType,
    OrderedType,
    SetType,
    TextType,
    ValueType,
)

_KINDS: Mapping[type[ValueType], str] = {
    EnumType: "one of its values",
    SetType: "any of its values",
}


def describe_field_aspects(item: Field) -> dict[str, str]:
    """Return what is said of a field by aspect; empty where nothing is."""
    malformed = item.malformed
    return {
        "role": str(item.role),
        **_describe_type_aspects(item.type),
        "missing": item.missing,
        "malformed": f"in {malformed.share} percent of cases" if malformed else "",
        "scored": "yes" if item.scored or item.primary else "",
        "drawn": _describe_sampling(item.sampling),
        "label": item.label,
        "description": item.description,
    }


def _describe_type_aspects(kind: ValueType) -> dict[str, str]:
    found = {"type": _KINDS.get(type(kind), kind.name)}
    match kind:
        case NumberType():
            places = f", {kind.places} places" if kind.places else ""
            return {**found, "values": f"{_format_range(kind)} {kind.unit}".strip() + places}
        case OrderedType():
            return {**found, "values": _format_range(kind)}
        case EnumType() | SetType():
            return {**found, "values": ", ".join(kind.values)}
        case TextType():
            like = str(kind.like or "")
            return {**found, "values": kind.pattern or like or ", ".join(kind.pool)}
        case ListType():
            parts = "; ".join(
                f"{name}: {', '.join(filter(None, _describe_type_aspects(part).values()))}"
                for name, part in kind.fields
            )
            return {**found, "values": f"at most {kind.size} of {parts}"}
        case _:
            return found


def _format_range(kind: OrderedType) -> str:
    return " to ".join(kind.bound_cells)


def _describe_sampling(sampling: Sampling) -> str:
    """Return how values are drawn, as far as a few words say it; tasks show the rest."""
    plain = Sampling()
    simple = ("weights", "missing_share", "member_share", "yes_share", "shape", "of")
    words = [
        f"{name.replace('_', ' ')} {getattr(sampling, name)}".replace("(", "").replace(")", "")
        for name in simple
        if getattr(sampling, name) != getattr(plain, name)
    ]
    words += ["each once"] if sampling.unique else []
    words += [f"{sampling.typical.share} percent typical"] if sampling.typical else []
    words += [f"{sampling.near.share} percent near a value"] if sampling.near else []
    words += [f"otherwise in {len(sampling.given)} cases"] if sampling.given else []
    words += [f"{len(sampling.texts)} texts where something holds"] if sampling.texts else []
    return "; ".join(words)
