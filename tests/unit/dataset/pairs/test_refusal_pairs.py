"""A refused case and its neighbour differ in one datum, and no two tasks are alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.coverage.goal_rows import GoalRows
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.pairs.refusal_pairs import Paired, find_pairs
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.placing import Places
from sopforge.proof.dataset.sampling.sampling import sample_rows

ROOT = Path(__file__).parents[4]
MODEL = load_brief(ROOT / "docs" / "examples" / "small_counter.yaml").model
UNKNOWN_PAYEE = "getAccount.payee_record"


def draw_cases(count: int) -> list[Candidate]:
    rows = sample_rows(MODEL, 3, range(count))
    return [
        Candidate(f"task-{number}", f"drawn {number}", number, row, label_row(MODEL, row))
        for number, row in enumerate(rows)
    ]


def pair(cases: list[Candidate]) -> Paired:
    places = Places(MODEL, 3)
    return find_pairs(MODEL, cases, places, GoalRows(MODEL, places).draw_full_row)


@pytest.fixture(scope="module")
def paired() -> Paired:
    return pair(draw_cases(120))


def group(paired: Paired) -> dict[str, list[Candidate]]:
    found: dict[str, list[Candidate]] = {}
    for task in paired.tasks:
        if task.pair:
            found.setdefault(task.pair, []).append(task)
    return found


def test_a_neighbour_knows_all_of_a_record_that_the_refused_case_lacks(paired: Paired) -> None:
    refused, neighbour = sorted(
        group(paired)[UNKNOWN_PAYEE], key=lambda task: bool(task.row["payee_record"])
    )

    assert refused.row["payee_record"] is None
    # Nothing asks for the owner of the receiving account: it is on file all the same.
    assert neighbour.row["payee_owner"]
    assert neighbour.row["payee_balance"] is not None


def test_a_case_of_another_pair_is_set_apart_by_a_value_that_decides_nothing() -> None:
    case = next(case for case in draw_cases(120) if not case.row["payee_record"])
    taken = Candidate("task-taken", case.key, case.number, case.row, case.walk, "of another leaf")
    found = group(pair([taken]))

    assert found["of another leaf"] == [taken]
    refused = next(task for task in found[UNKNOWN_PAYEE] if not task.row["payee_record"])
    differs = {name for name in case.row if case.row[name] != refused.row[name]}
    assert differs == {"request_id", "amount"}
