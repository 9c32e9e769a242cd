"""A fault planted in one line of an SOP is noticed: what one slip of the pen changes, no more."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from sopforge.artifacts.rendering.sop.alignment import with_text
from sopforge.artifacts.rendering.sop.sop import write_sop
from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.checks.sop.differences import Derived, Difference, StatementChange, compare_statements
from sopforge.checks.sop.own_paragraphs import find_faults
from sopforge.language.domain.model import DomainModel
from sopforge.pipeline.briefs.brief_files import load_brief
from tests.faults.sop_faults import COMPARATORS, Fault, planted
from tests.worlds.small_models import (
    callers,
    claims,
    dispatch,
    lending,
    orders,
    parcel,
    permits,
    stays,
    warranty,
)

PROJECT = Path(__file__).parents[2]
MODELS: dict[str, Callable[[], DomainModel]] = {
    "callers": callers,
    "claims": claims,
    "dispatch": dispatch,
    "lending": lending,
    "orders": orders,
    "parcel": parcel,
    "permits": permits,
    "stays": stays,
    "warranty": warranty,
    "dangerous_goods": lambda: load_brief(PROJECT / "briefs/dangerous_goods.yaml").model,
    "patient_intake": lambda: load_brief(PROJECT / "briefs/patient_intake.yaml").model,
    "referral_abuse": lambda: load_brief(PROJECT / "briefs/referral_abuse.yaml").model,
    "tool_hire": lambda: load_brief(PROJECT / "tests/briefs/tool_hire.yaml").model,
}
PER_KIND = 6


@pytest.mark.parametrize("share", [PER_KIND, pytest.param(0, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", MODELS)
def test_a_fault_in_one_line_is_noticed(name: str, share: int) -> None:
    """So many of each kind are planted, drawn alike each time; all of them where it is none."""
    model = MODELS[name]()
    derived = derive(model)

    missed = [
        (fault.kind, fault.text)
        for fault in draw_faults(model, derived, share)
        if not is_noticed(derived, fault)
    ]

    assert missed == []


def test_the_text_itself_is_no_fault_and_has_a_place_for_each() -> None:
    unplanted = set(COMPARATORS)
    for make in MODELS.values():
        derived = derive(make())
        text = derived.document.as_text()
        stored = with_text(derived.document, text)
        unplanted -= {words for words in unplanted if words in text}

        assert list(compare_statements(derived, stored.statements)) == []
    assert unplanted == set(), "no SOP has these words any more"


def derive(model: DomainModel) -> Derived:
    """Return the plain SOP of a model, with what reads it."""
    writer = Writer(model)
    return Derived(writer, write_sop(writer))


def draw_faults(model: DomainModel, derived: Derived, share: int) -> list[Fault]:
    """Return so many faults of each kind."""
    kinds: dict[str, list[Fault]] = {}
    for fault in planted(model, derived.document):
        kinds.setdefault(fault.kind, []).append(fault)
    drawn = random.Random(7)  # noqa: S311 - no secrets
    return [
        fault
        for found in kinds.values()
        for fault in (drawn.sample(found, min(share, len(found))) if share else found)
    ]


def is_noticed(derived: Derived, fault: Fault) -> bool:
    """Return whether the edited text has a difference that is reported as an error."""
    edited = with_text(derived.document, fault.document.as_text())
    return any(is_reported(derived, x) for x in compare_statements(derived, edited.statements))


def is_reported(derived: Derived, found: Difference) -> bool:
    """Return whether a difference is more than other words for the same, or words of one's own."""
    if found.kind is StatementChange.ADDED and found.stated is not None:
        return bool(find_faults(derived.writer.model, found.stated.text))
    return not found.is_alike
