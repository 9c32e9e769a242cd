"""Two runs on different draws of one package, compared for people and for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from sopforge.cli.output import Parts, Result, make_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopforge.evaluation.draws.gaps import DrawGap


def compare_draws(first: str, second: str, packages: Sequence[str], store: str) -> Result:
    """Return what each agent does on the tasks of the one run and on those of the other."""
    from sopforge.evaluation.draws.gaps import measure_gaps
    from sopforge.evaluation.runs.comparing import locate_run, read_runs

    folders = [locate_run(first), locate_run(second)]
    found = measure_gaps(read_runs(first), read_runs(second), folders, packages, store)
    record = {"draws": [_build_record(item) for item in found]}
    return Result(record, _lay_out(found, first, second))


def _build_record(gap: DrawGap) -> dict[str, object]:
    one = gap.series[0][0]
    return {
        "agent": one.agent,
        "model": one.model,
        "settings": one.settings,
        "packages": [[item.package for item in side] for side in gap.series],
        "digests": [[item.digest for item in side] for side in gap.series],
        "first": asdict(gap.first),
        "second": asdict(gap.second),
        "difference": gap.difference,
        "interval": list(gap.interval),
        "floor": gap.floor,
        "goals": list(gap.goals),
        "p_value": gap.p_value,
        "is_beyond_chance": gap.is_beyond_chance,
    }


def _lay_out(found: Sequence[DrawGap], first: str, second: str) -> Parts:
    rows = [
        (
            gap.series[0][0].name,
            f"{gap.first.share or 0:.3f} of {gap.first.of}",
            f"{gap.second.share or 0:.3f} of {gap.second.of}",
            "{:+.3f} ({:+.3f} to {:+.3f})".format(gap.difference, *gap.interval),
            "-" if gap.floor is None else f"{gap.floor:.3f}",
        )
        for gap in found
    ]
    yield make_table("TSR on two draws", ["agent", first, second, "difference", "floor"], rows)
    for gap in found:
        yield _describe(gap, first, second)
    if any(gap.floor is None for gap in found):
        yield "To measure chance differences between two runs, evaluate with '--epochs 4'."


def _describe(gap: DrawGap, first: str, second: str) -> str:
    """Say of one agent whether the draws make a difference."""
    one, other = gap.goals
    goals = (
        f"of the goals in both draws, it solved {one} only in {first} and {other} only in {second}"
        f" (p = {gap.p_value:.3g})"
    )
    if not gap.is_beyond_chance:
        return f"{gap.series[0][0].name}: no difference beyond chance; {goals}."
    better = first if gap.difference < 0 else second
    return f"{gap.series[0][0].name} does better on {better} than chance explains; {goals}."
