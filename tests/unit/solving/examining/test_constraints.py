"""Constraints that contradict each other are named, and only those."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.proof.solving.examining.constraints import (
    find_least_contradiction,
    make_contradiction_finding,
)
from sopforge.proof.solving.examining.procedure import examine_procedure
from tests.worlds.small_models import condition, parcel

PARCEL = parcel()


def constrained(*texts: str) -> DomainModel:
    return replace(PARCEL, constraints=tuple(condition(PARCEL, text) for text in texts))


LEAST = {
    "two of three": (["fragile", "weight > 5", "not fragile"], [0, 2]),
    "the later of two": (["weight > 5", "weight < 3", "weight < 2"], [0, 2]),
    "one alone": (["fragile", "weight > 40"], [1]),
    "three that contradict together": (
        ["fragile or weight > 9", "not fragile", "weight < 8", "service == 'Night'"],
        [0, 1, 2],
    ),
    "a date before its range, which one that is missing is": (
        ["present(due_on)", "sent_on > '2026-02-01'", "due_on < '2026-01-01'"],
        [0, 2],
    ),
}


@pytest.mark.parametrize(("texts", "expected"), LEAST.values(), ids=LEAST)
def test_the_least_contradiction(texts: list[str], expected: list[int]) -> None:
    assert find_least_contradiction(constrained(*texts)) == expected


def test_a_contradiction_is_reported_in_words_with_the_ranges() -> None:
    finding = make_contradiction_finding(constrained("fragile", "weight > 40"))

    assert finding.where == "constraints.1"
    assert finding.message == "no row satisfies this: the weight is more than 40 kg"
    assert finding.evidence == "weight is from 0.00 to 40.00 kg"


def test_constraints_that_contradict_are_the_only_finding() -> None:
    model = constrained("weight > 5", "fragile", "weight < 3")

    (finding,) = examine_procedure(model)

    assert finding.where == "constraints.0, constraints.2"
    assert finding.message == (
        "no row satisfies these together: "
        "the weight is more than 5 kg; the weight is less than 3 kg"
    )
