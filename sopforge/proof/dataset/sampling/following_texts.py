"""Texts that follow from others of their record, as an email does from a person's name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping

import numpy as np

from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.likeness import Likeness, derive_text
from sopforge.language.domain.values.types import TextType, Value
from sopforge.language.domain.values.words import RESERVED_DOMAINS
from sopforge.language.logic.readings.vector import Column
from sopforge.seeds import make_stream


def follow(
    model: DomainModel, seed: int, name: str, values: MutableMapping[str, Column], numbers: Column
) -> None:
    """Write the texts of a field that follows, for records of the given numbers."""
    item = model.fields[name]
    own, source = _require_likenesses(model, item)
    # Reserved domains alone: a made-up address must reach nobody (ADR 0007).
    # By the column, as all that a record holds: whichever reference leads to it.
    domains = make_stream(seed, item.source, "domain").draw_below(len(RESERVED_DOMAINS), numbers)
    values[name] = np.array(
        [
            derive_text(own, source, text, RESERVED_DOMAINS[domain]) if text and there else ""
            for text, domain, there in zip(
                values[item.sampling.of], domains.tolist(), values[name] != "", strict=True
            )
        ],
        dtype=object,
    )


def update_following_texts(
    model: DomainModel, row: Mapping[str, Value | None]
) -> dict[str, Value | None]:
    """Return a changed row in which texts follow again, at the domains that they had."""
    changed = dict(row)
    for item in iterate_followers(model):
        text, name = row.get(item.name), row.get(item.sampling.of)
        if isinstance(text, str) and isinstance(name, str):
            own, source = _require_likenesses(model, item)
            changed[item.name] = derive_text(own, source, name, text.rpartition("@")[2])
    return changed


def iterate_followers(model: DomainModel) -> Iterator[Field]:
    """Return the fields whose texts follow from others."""
    return (item for item in model.fields.values() if item.sampling.of)


def _require_likenesses(model: DomainModel, item: Field) -> tuple[Likeness, Likeness]:
    found = [model.fields[name].type for name in (item.name, item.sampling.of)]
    own, source = (kind.like for kind in found if isinstance(kind, TextType))
    if own is None or source is None:
        raise TypeError(f"'{item.name}' follows from no text")
    return own, source
