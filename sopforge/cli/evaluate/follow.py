"""``sopforge follow``: whether agents change the answers that a twin changes, and no others."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from sopforge.cli.evaluate.run_options import RunPackages, Runs
from sopforge.cli.options import DEFAULT_STORE, AsJson, StorePlace
from sopforge.cli.output import make_console, make_table, print_json, say

if TYPE_CHECKING:
    from sopforge.evaluation.runs.metrics import Rate
    from sopforge.evaluation.twins.following import Following


def follow(
    runs: Runs,
    packages: RunPackages = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Show whether agents follow the changed rule of a twin.

    An agent follows it if its answers change exactly where the right answers do.

    The runs must contain attempts at a package and at its twins. The command pairs attempts by
    task, seed and epoch.
    """
    from sopforge.evaluation.figures.series import list_series
    from sopforge.evaluation.runs.comparing import locate_run, read_asked_runs, read_runs
    from sopforge.evaluation.twins.following import measure_following

    rows = [row for run in runs for row in read_runs(run)]
    folders = list(dict.fromkeys(map(locate_run, runs)))
    found = measure_following(
        list_series(rows, read_asked_runs(runs)), folders, packages or [], place
    )
    if as_json:
        print_json({"followed": [build_following_record(item) for item in found]})
        return
    screen = make_console()
    table = make_table("Following a change", "agent", "change", "responsive", "steady", "score")
    for item in found:
        score = "-" if item.score is None else f"{item.score:.2f}"
        figures = (_format(item.responsive), _format(item.steady), score)
        table.add_row(item.twin.name, item.change, *figures)
    screen.print(table)
    for item in found:
        if item.verdict:
            say(screen, f"{item.twin.name}: {item.verdict.value.lower()} ({item.change}).")
    say(screen, "Responsive: the share of the answers that must change and are right.")
    say(
        screen,
        "Steady: the share of the other answers that stayed the same. Score: the product of both.",
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
