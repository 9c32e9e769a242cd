"""CPU seconds until each control path has a row, be it drawn or the solver's."""

from __future__ import annotations

import time

from rich.table import Table

from benchmarks.readings import chain
from sopforge.language.domain.documents.schema import DatasetDocument
from sopforge.proof.dataset.coverage.covering import cover_goals
from sopforge.proof.dataset.coverage.goal_rows import POOL, POOL_FIRST
from sopforge.proof.dataset.coverage.path_rows import PATH_POOL, cover_paths
from sopforge.proof.dataset.sampling.screening import screen_rows

# Of a chance of one half, all paths are drawn; the smaller it is, the fewer are.
SIZED = ((10, 49), (13, 49), (13, 60), (13, 69), (13, 89))
SAMPLES = 20_000
SEED = 0


def paths() -> Table:
    """Return the time for so many branches in a row, each taken above a number from 0 to 99."""
    shown = Table(title="control paths covered", box=None, title_justify="left")
    for column in ("branches", "above", "paths", "by the solver", "CPU seconds"):
        shown.add_column(column, justify="right")
    for count, above in SIZED:
        model = chain(count, above)
        covering = cover_goals(model, SEED)
        first = POOL_FIRST + POOL
        drawn = set(screen_rows(model, SEED, range(first, first + PATH_POOL)).paths.values())
        started = time.process_time()
        done = cover_paths(model, DatasetDocument(n_samples=SAMPLES, seed=SEED), covering)
        seconds = time.process_time() - started
        solved = sum(tuple(task.walk.path) not in drawn for task in done.tasks)
        cells = (str(count), str(above), f"{len(done.known.feasible):,}", f"{solved:,}")
        shown.add_row(*cells, f"{seconds:.1f}")
    return shown
