"""Two runs on different draws of one package, compared for people and for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from sopforge.cli.output import make_console, make_table, print_json, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sopforge.evaluation.draws.gaps import Gap


def compare_draws(
    first: str, second: str, packages: Sequence[str], store: str, *, as_json: bool
) -> None:
    """Print what each agent does on the tasks of the one run and on those of the other."""
    from sopforge.evaluation.draws.gaps import measure_gaps
    from sopforge.evaluation.runs.comparing import locate_run, read_runs

    folders = [locate_run(first), locate_run(second)]
    found = measure_gaps(read_runs(first), read_runs(second), folders, packages, store)
    if as_json:
        print_json({"draws": [_build_record(item) for item in found]})
    else:
        _show(found, first, second)


def _build_record(gap: Gap) -> dict[str, object]:
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


def _show(found: Sequence[Gap], first: str, second: str) -> None:
    screen = make_console()
    table = make_table("TSR on two draws", "agent", first, second, "difference", "floor")
    for gap in found:
        low, high = gap.interval
        table.add_row(
            gap.series[0][0].name,
            f"{gap.first.share or 0:.3f} of {gap.first.of}",
            f"{gap.second.share or 0:.3f} of {gap.second.of}",
            f"{gap.difference:+.3f} ({low:+.3f} to {high:+.3f})",
            "-" if gap.floor is None else f"{gap.floor:.3f}",
        )
    screen.print(table)
    for gap in found:
        say(screen, _describe(gap, first, second))
    if any(gap.floor is None for gap in found):
        say(screen, "To measure chance differences between two runs, evaluate with '--epochs 4'.")


def _describe(gap: Gap, first: str, second: str) -> str:
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
