"""The levels L0 to L3: at each the operators are applied in their doses, at L0 none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import get_args

from sopforge.artifacts.complexity.document import render_variant_document
from sopforge.artifacts.complexity.material import NAMES
from sopforge.artifacts.complexity.registry import load_operators
from sopforge.artifacts.complexity.variant import Operator, Variant
from sopforge.artifacts.rendering.sop.document import SopDocument
from sopforge.artifacts.rendering.sop.marks import DISTRACTOR
from sopforge.language.domain.documents.schema import (
    BriefDocument,
    ComplexityDocument,
    HarderLevel,
    Level,
    TextLevel,
)
from sopforge.seeds import draw_below
from sopforge.workspace import parse_model

OPERATORS: tuple[Operator, ...] = load_operators()
"""All operators in the order in which they are applied."""

DOSES: Mapping[HarderLevel, Mapping[str, int]] = MappingProxyType(
    {
        level: {item.name: item.usual for item in OPERATORS if item.level == level}
        for level in get_args(HarderLevel)
    }
)
"""What each level puts in beyond the one below it, unless the brief says otherwise."""


_NAMES_ENOUGH = 4
TEXT_LEVELS = frozenset(get_args(TextLevel))
"""The levels at which operators change text, tools and data; those above have dials."""
USUAL = ComplexityDocument()


def compute_doses(level: Level, asked: ComplexityDocument) -> dict[str, int]:
    """Return the dose of each operator at a level; a dose holds until a higher level changes it."""
    doses = {operator.name: 0 for operator in OPERATORS}
    for name, usual in DOSES.items():
        # As texts: L1 comes before L2, and L2 before L3.
        if level in TEXT_LEVELS and name <= level:
            said = asked.doses.get(name)
            doses |= {**usual, **(said.model_dump(exclude_none=True) if said else {})}
    return doses


def count_missing_names(parts: BriefDocument) -> dict[str, int]:
    """Return how many names of each kind that a brief does not declare its levels want."""
    is_harder = any(
        any(compute_doses(x, parts.complexity).values()) for x in parts.complexity.levels
    )
    names = [part for part in NAMES if is_harder and not getattr(parts.setting, part)]
    return dict.fromkeys(names, _NAMES_ENOUGH)


def apply_level(
    plain: Variant, level: Level, seed: int, asked: ComplexityDocument = USUAL
) -> Variant:
    """Return the plain variant at a level, in the doses that are asked for."""
    return apply_doses(plain, compute_doses(level, asked), seed)


def apply_doses(plain: Variant, doses: Mapping[str, int], seed: int) -> Variant:
    """Return the plain variant with the operators applied in these doses.

    Once the model is changed, the text is derived from it anew; the others work on that.
    """
    variant = plain
    for operator in (item for item in OPERATORS if item.is_of_model):
        variant = operator.apply(variant, doses.get(operator.name, 0), seed)
    if variant.model is not plain.model:
        if plain.document:
            # All files of a level are made of the model that its readers have: with a further
            # field, another one's clause may no longer be clear.
            document = render_variant_document(plain.document, variant.model)
            variant = replace(variant, model=parse_model(document))
        variant = replace(variant, sop=derive_text(plain, variant, seed))
    for operator in (item for item in OPERATORS if not item.is_of_model):
        variant = operator.apply(variant, doses.get(operator.name, 0), seed)
    return variant


def derive_text(plain: Variant, variant: Variant, seed: int) -> SopDocument:
    """Return the plain SOP of a variant's model.

    Inputs that were put in stand among those of every case: last of all, they would show.
    """
    statements = list(variant.derive(variant.model).statements)
    known = {item.name for item in plain.model.inputs}
    every = [item for item in plain.model.case_inputs if not plain.model.find_kind(item.name)]
    of_case = {f"field {item.name}" for item in every}
    for item in (item for item in variant.model.inputs if item.name not in known):
        own = next(x for x in statements if x.states == (f"field {item.name}",))
        statements.remove(own)
        own = replace(own, excused=DISTRACTOR)
        entries = [n for n, x in enumerate(statements) if of_case & {*x.states[:1]}]
        after = draw_below(len(entries), seed, "entry", item.name) if entries else 0
        statements.insert(entries[after] + 1 if entries else len(statements), own)
    return SopDocument(tuple(statements))
