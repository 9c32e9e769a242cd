"""Fields and tools of a writer's own: names that are free, labels that readers leave alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from keyword import iskeyword

from sopforge.artifacts.material.material import Detail
from sopforge.artifacts.material.own_prose import (
    StatedFacts,
    find_letters_fault,
    find_phrase_fault,
    find_words_fault,
)
from sopforge.language.domain.building.labels import describe_unreadable_label
from sopforge.language.domain.fields import Role
from sopforge.language.domain.model import DomainModel

_FIELD = re.compile(r"[a-z][a-z0-9_]{0,47}")
_TOOL = re.compile(r"[a-z][A-Za-z0-9]{0,63}")
_ALIKE = 0.8
_FEWEST, _MOST = 2, 8
_LONGEST_LABEL = 40
_FURTHEST = 1_000_000


def find_detail_fault(
    item: Detail, model: DomainModel, known: StatedFacts, taken: frozenset[str]
) -> str:
    """Say why a field may not be shown beside those of the model, or nothing."""
    return (
        _find_name_fault(item.name, model, known, taken)
        or find_phrase_fault(item.description, known)
        or _find_values_fault(item, known)
    )


def find_tool_fault(
    name: str, model: DomainModel, known: StatedFacts, taken: frozenset[str]
) -> str:
    """Say why a tool may not have a name, or nothing."""
    if not _TOOL.fullmatch(name) or iskeyword(name):
        return (
            f"'{name}' is not a name of a tool: use letters and digits, starting with a lowercase"
            " letter"
        )
    if name.lower() in {other.lower() for other in (*model.tools, *taken)}:
        return f"'{name}' is taken"
    return _find_wording_fault(name, known)


def _find_name_fault(
    name: str, model: DomainModel, known: StatedFacts, taken: frozenset[str]
) -> str:
    if not _FIELD.fullmatch(name) or iskeyword(name):
        return f"'{name}' is not a name of a field: use lowercase letters, digits and _"
    label = name.replace("_", " ")
    labels = {item.label.lower() for item in model.fields.values()}
    if not is_free(model, name) or name in taken or label in labels:
        return f"'{name}' is taken"
    like = next((other for other in _list_decided_names(model) if _is_like(name, other)), "")
    return (
        f"'{name}' is like '{like}', which is decided" if like else _find_wording_fault(name, known)
    )


def is_free(model: DomainModel, name: str) -> bool:
    """Return whether a name is no field's, constant's, calendar's or entity's."""
    return name not in {*model.fields, *model.policy, *model.calendars, *model.entities}


def _list_decided_names(model: DomainModel) -> list[str]:
    return [item.name for item in model.with_role(Role.OUTCOME, Role.DERIVED)]


def _is_like(name: str, other: str) -> bool:
    is_part = other in name or name in other
    return is_part or SequenceMatcher(None, name, other, autojunk=False).ratio() >= _ALIKE


def _find_wording_fault(name: str, known: StatedFacts) -> str:
    """Return what is wrong with a name that is read as words, or an empty text."""
    parts = re.findall(r"[A-Z]?[a-z]+", name)
    if len(" ".join(parts)) < 2:  # noqa: PLR2004 - a letter is no word
        return f"'{name}' says nothing"
    return find_words_fault(" ".join(parts).lower(), known)


def _find_values_fault(item: Detail, known: StatedFacts) -> str:
    if not item.values:
        is_range = -_FURTHEST <= item.lowest < item.highest <= _FURTHEST
        return "" if is_range else "has neither labels nor a range of whole numbers"
    if item.lowest or item.highest:
        return "has labels and a range"
    if not _FEWEST <= len(item.values) <= _MOST:
        return f"has {len(item.values)} labels; between {_FEWEST} and {_MOST} are taken"
    faults = (_find_label_fault(label, known) for label in item.values)
    return next(filter(None, faults), "") or _find_contained_label(item.values)


def _find_label_fault(label: str, known: StatedFacts) -> str:
    if len(label) > _LONGEST_LABEL or len(label) < 2:  # noqa: PLR2004 - a letter is no label
        return f"the label '{label}' has {len(label)} characters"
    fault = (
        find_letters_fault(label)
        or describe_unreadable_label(label)
        or find_words_fault(label, known)
    )
    if not fault and any(label.lower() in answer for answer in known.answers):
        fault = "is part of an answer"
    return f"the label '{label}' {fault}" if fault else ""


def _find_contained_label(labels: Sequence[str]) -> str:
    loose = [re.sub(r"[\W_]+", " ", label.lower()).strip() for label in labels]
    for place, inner in enumerate(loose):
        for number, outer in enumerate(loose):
            if place != number and inner in outer:
                return f"the label '{labels[place]}' stands in '{labels[number]}'"
    return ""
