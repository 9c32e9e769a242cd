"""``sopforge compare``: two runs on the same tasks, pair by pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import AsJson
from sopforge.cli.output import make_console, make_table, print_json, say

if TYPE_CHECKING:
    from sopforge.evaluation.runs.comparing import Pairs

FILLED = "(drawn to fill up)"


def compare(
    first: Annotated[
        str, typer.Argument(metavar="RUN", help="A folder of evaluate, or FOLDER#AGENT.")
    ],
    second: Annotated[str, typer.Argument(metavar="RUN", help="Another one, or the same.")],
    as_json: AsJson = False,
) -> None:
    """Compare two runs on the same tasks: which tasks only one of them has right."""
    from sopforge.evaluation.runs.comparing import pair_runs, read_run

    found = pair_runs(read_run(first), read_run(second))
    if as_json:
        print_json({"packages": [_build_record(pairs) for pairs in found]})
    else:
        for pairs in found:
            _show(pairs, first, second)


def _build_record(pairs: Pairs) -> dict[str, object]:
    return {
        "package": pairs.package,
        "tasks": pairs.count,
        "both": pairs.both,
        "first": pairs.first,
        "second": pairs.second,
        "neither": pairs.neither,
        "lone": pairs.lone,
        "difference": pairs.difference,
        "p_value": pairs.p_value,
        "goals": {goal: list(counts) for goal, counts in pairs.apart.items()},
    }


def _show(pairs: Pairs, first: str, second: str) -> None:
    screen = make_console()
    table = make_table(f"{pairs.package}: {pairs.count} tasks of both", "right by", "tasks")
    table.add_row("both", str(pairs.both))
    table.add_row(f"{first} alone", str(pairs.first))
    table.add_row(f"{second} alone", str(pairs.second))
    table.add_row("neither", str(pairs.neither))
    screen.print(table)
    say(
        screen,
        f"TSR of the second less that of the first: {pairs.difference:+.3f};"
        f" p = {pairs.p_value:.3g} (McNemar, exact, two-sided).",
    )
    if pairs.lone:
        say(screen, f"{pairs.lone} attempts have no pair and do not count.")
    if pairs.apart:
        goals = make_table("", "goal of the task", "first alone", "second alone")
        for goal, (one, other) in pairs.apart.items():
            goals.add_row(goal or FILLED, str(one), str(other))
        screen.print(goals)
