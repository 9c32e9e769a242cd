"""Rows are the same whoever draws them: any number of workers, in any order, in any pieces."""

from __future__ import annotations

import random
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.rows import write_rows
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.worlds.small_models import claims, orders, stays, warranty

MODELS = {"everything": claims, "orders": orders, "stays": stays, "warranty": warranty}
ROWS = 600


def drawn(name: str, numbers: list[int]) -> list[Candidate]:
    """Return the labelled rows of some numbers; what a worker does."""
    model: DomainModel = MODELS[name]()
    rows = zip(numbers, sample_rows(model, 5, numbers), strict=True)
    return [
        Candidate(f"task-{number}", f"fill:{number}", number, row, label_row(model, row))
        for number, row in rows
    ]


def pieces(order: int) -> list[list[int]]:
    """Return all numbers in pieces of uneven length, shuffled."""
    numbers = list(range(ROWS))
    mixed = random.Random(order)  # noqa: S311 - only shuffles
    mixed.shuffle(numbers)
    ends = sorted(mixed.sample(range(1, ROWS), 9))
    return [numbers[start:end] for start, end in zip([0, *ends], [*ends, ROWS], strict=True)]


def digest(name: str, candidates: list[Candidate]) -> str:
    in_order = sorted(candidates, key=lambda candidate: candidate.number)
    text = write_rows(MODELS[name](), in_order) + repr([task.walk for task in in_order])
    return sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("name", MODELS)
def test_shuffled_workers_draw_the_rows_of_one(name: str) -> None:
    alone = digest(name, drawn(name, list(range(ROWS))))

    for workers, order in ((2, 1), (3, 2)):
        with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
            found = list(pool.map(drawn, [name] * 10, pieces(order)))
        assert digest(name, [task for part in found for task in part]) == alone
