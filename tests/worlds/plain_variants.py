"""Plain variants of shipped briefs, and what operators put into their texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path

from sopforge.artifacts.complexity.setting import build_setting
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Statement
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import DateType
from sopforge.pipeline.briefs.brief_files import load_brief

ROOT = Path(__file__).parents[2]
_DAY = r"\d{4}-\d\d-\d\d"
_PAST = re.compile(rf"\b(?:[Uu]ntil|[Bb]efore|changed\b.*? on) {_DAY}\b")


@cache
def load_variant(name: str) -> Variant:
    """Return the plain variant of a shipped brief, in which nothing is put in."""
    brief = load_brief(ROOT / "briefs" / f"{name}.yaml")
    parts, author = brief.parts, OfflineAuthor()
    return Variant(
        brief.model,
        author.write_sop(brief.model, brief),
        declared=build_setting(brief.model, parts.setting, parts.document),
        derive=lambda model: author.write_sop(model, brief),
        document=author.write_domain(brief),
    )


def collect_first_days(model: DomainModel) -> dict[str, date]:
    """Return before which day no case lies, by the label of each day that cases state."""
    return {
        item.label: date.fromordinal(item.type.minimum)
        for item in model.case_inputs
        if isinstance(item.type, DateType)
    }


def find_excused(variant: Variant, *marks: str) -> list[Statement]:
    """Return the statements of a text that are excused for one of some reasons."""
    return [item for item in variant.sop.statements if item.excused in marks]


def is_void(text: str, first_days: Mapping[str, date]) -> bool:
    """Return whether a passage says that it held in the past, or for days before all cases.

    ``first_days`` are the first days of the entries that cases state, by label.
    """
    dated = [
        day <= first.isoformat()
        for label, first in first_days.items()
        for day in re.findall(rf"\bthe {re.escape(label)} is before ({_DAY})\b", text)
    ]
    return all(dated) if dated else _PAST.search(text) is not None


def list_labels(model: DomainModel) -> set[str]:
    """Return all labels of the outcomes of a model, in small letters."""
    kinds = [getattr(item.type, "values", ()) for item in model.outcomes]
    return {label.lower() for values in kinds for label in values}
