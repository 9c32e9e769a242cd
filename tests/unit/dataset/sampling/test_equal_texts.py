"""Texts that constraints call equal: every constraint holds, however it is written."""

from __future__ import annotations

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.sampling.equal_texts import find_equal_texts
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.worlds.small_models import parcel

PLAIN = "        weight: {role: input,"
TEXTS = "".join(
    f'        {name}: {{role: input, type: string, pattern: "Q[0-9]{{5}}", description: {name}}}\n'
    for name in ("aa", "bb", "cc")
)


def model_of(*constraints: str) -> DomainModel:
    texts = "".join(f"    - {constraint}\n" for constraint in constraints)
    return parcel(
        (PLAIN, TEXTS + PLAIN), ("  decisions:\n", f"  constraints:\n{texts}  decisions:\n")
    )


@pytest.mark.parametrize(
    "constraints",
    [
        ["aa == bb", "bb == cc"],
        ["aa == bb", "cc == bb"],
        ["bb == cc", "aa == bb"],
        ["aa == bb and bb == cc"],
        ["not aa != bb", "cc == aa"],
        ["aa == bb", "bb == cc", "cc == aa"],
        ["aa == bb", "bb == aa"],
    ],
    ids=" | ".join,
)
def test_each_drawn_row_satisfies_the_constraints(constraints: list[str]) -> None:
    model = model_of(*constraints)

    for row in sample_rows(model, 3, range(50)):
        assert all(holds(constraint, row) for constraint in model.constraints)
    copies = [copy for _, copy in find_equal_texts(model)]
    assert len(copies) == len(set(copies))


def test_texts_that_no_constraint_calls_equal_are_drawn_by_themselves() -> None:
    rows = sample_rows(model_of("aa == bb"), 3, range(50))

    assert all(row["aa"] == row["bb"] for row in rows)
    assert sum(row["aa"] == row["cc"] for row in rows) == 0
