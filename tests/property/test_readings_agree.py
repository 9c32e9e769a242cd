"""The proof of agreement: scalar, vector, emitted Python, solver and reference answer alike.

``make agree`` runs it on thousands of models; ``SOPFORGE_AGREE_MODELS`` says on how many.
"""

from __future__ import annotations

import ast
import os
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.generators.models import Model, models
from tests.judges.agreement import Tally, agree, check_model
from tests.judges.cells import Cell
from tests.judges.expected_cells import EXPECTED, gaps

FULL = 2_000
MODELS = int(os.environ.get("SOPFORGE_AGREE_MODELS", "185"))
ROWS, SOLVER_ROWS = (500, 12) if MODELS >= FULL else (100, 14)
SHARE = 50  # models that a process takes at once
JUDGES = Path(__file__).parents[1] / "judges"
INDEPENDENT = (
    *("reference_interpreter", "reference_decisions", "reference_tables", "document_walker"),
    *("brute_calls", "brute_leaves", "brute_pairs", "english_judge", "english_phrases"),
)
OWN = {f"tests.judges.{name}" for name in INDEPENDENT}
SPAWNED = get_context("spawn")


def test_judges_of_their_own_import_nothing_of_sopforge() -> None:
    """Neither directly nor by a name worked out at run time: each other, and the library alone."""
    for name in INDEPENDENT:
        tree = ast.parse((JUDGES / f"{name}.py").read_text(encoding="utf-8"))
        imported: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert not node.level
                parts = {f"{node.module}.{alias.name}" for alias in node.names}
                imported |= parts if node.module == "tests.judges" else {str(node.module)}
        roots = {part.partition(".")[0] for part in imported - OWN}
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}

        assert roots <= sys.stdlib_module_names, name
        assert not {"importlib", "runpy", "sys", "pkgutil"} & roots, name
        assert not {"__import__", "eval", "exec", "compile"} & names, name


def test_all_readings_agree_on_every_model_and_meet_every_edge(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tally = compared()
    with capsys.disabled():
        sys.stdout.write(f"\n{summary(tally)}\n")

    assert len(tally.texts) == MODELS, "some models are the same"
    assert gaps(tally.cells) == []


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(models())
def test_all_readings_agree_on_other_models(model: Model) -> None:
    check_model(model, row_count=50)


def compared() -> Tally:
    """Return what the whole run compares; a large one takes all processors."""
    if MODELS < FULL:
        return agree(range(MODELS), ROWS, SOLVER_ROWS)
    total = Tally()
    shares = [range(MODELS)[start : start + SHARE] for start in range(0, MODELS, SHARE)]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=SPAWNED) as pool:
        for part in pool.map(partial(_share, ROWS, SOLVER_ROWS), shares):
            total.add(part)
    return total


def _share(rows: int, solver_rows: int, numbers: Iterable[int]) -> Tally:
    return agree(numbers, rows, solver_rows)


def summary(tally: Tally) -> str:
    """Return the figures of a run."""
    expected = Counter({cell: tally.cells[cell] for cell in EXPECTED})
    rarest: list[tuple[Cell, int]] = expected.most_common()[-3:]
    return (
        f"{len(tally.texts)} distinct models, {tally.questions} questions, {tally.rows} rows: "
        f"{tally.answers} answers of each reading; the solver on {tally.solver_rows} rows: "
        f"{tally.solver_answers} answers\n{len(tally.cells)} cells operator x type x edge met, "
        f"{len(EXPECTED)} expected, {len(gaps(tally.cells))} gaps; the rarest expected: "
        + "; ".join(f"{' / '.join(cell)} on {count} rows" for cell, count in rarest)
    )
