"""``sopforge diagnose --twins``: whether agents change the answers that a twin changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from sopforge.cli.evaluate.run_options import ReadRuns
from sopforge.cli.output import Parts, Result, make_table

if TYPE_CHECKING:
    from sopforge.evaluation.runs.metrics import Rate
    from sopforge.evaluation.twins.following import Following


def follow(runs: ReadRuns) -> Result:
    """Return whether agents follow the changed rule of a twin: change its answers, and no others.

    Attempts at a package and at its twins are paired by task, seed and epoch.
    """
    from sopforge.evaluation.twins.following import measure_following

    found = measure_following(runs.list_series(), *runs.sources)
    record = {"followed": [build_following_record(item) for item in found]}
    return Result(record, _lay_out(found))


def _lay_out(found: Sequence[Following]) -> Parts:
    rows = [
        (
            *(item.twin.name, item.change, _format(item.responsive), _format(item.steady)),
            "-" if item.score is None else f"{item.score:.2f}",
        )
        for item in found
    ]
    columns = ["agent", "change", "responsive", "steady", "score"]
    yield make_table("Following a change", columns, rows)
    for item in found:
        if item.verdict:
            yield f"{item.twin.name}: {item.verdict.value.lower()} ({item.change})."
    yield "Responsive: the share of the answers that must change and are right."
    yield (
        "Steady: the share of the other answers that stayed the same. Score: the product of both."
    )


def _format(rate: Rate) -> str:
    if rate.share is None:
        return "-"
    return f"{rate.share:.2f} of {rate.of} ({rate.low:.2f} to {rate.high:.2f})"


def build_following_record(item: Following) -> dict[str, object]:
    """Return how an agent follows a change, for programs."""
    return {
        "package": item.original.package,
        "twin": item.twin.package,
        "digests": [item.original.digest, item.twin.digest],
        "agent": item.twin.agent,
        "model": item.twin.model,
        "settings": item.twin.settings,
        "change": item.change,
        "before": list(item.before),
        "after": list(item.after),
        "responsive": asdict(item.responsive),
        "steady": asdict(item.steady),
        "score": item.score,
        "verdict": item.verdict.name.lower() if item.verdict else None,
        "late": list(item.late),
        "moved": list(item.moved),
    }
