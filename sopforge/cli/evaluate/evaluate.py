"""``sopforge evaluate``: run agents on the tasks of packages, and count what they got right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.options import DEFAULT_STORE, AsJson, Sandbox, StorePlace, use_sandbox
from sopforge.cli.output import make_console, make_table, print_json, say, warn_yanked

if TYPE_CHECKING:
    from sopforge.evaluation.runs.metrics import Rate, Rates
    from sopforge.evaluation.runs.rows import Row


def evaluate(
    packages: Annotated[
        list[str],
        typer.Argument(
            metavar="PACKAGE...",
            help="Packages: folders, or DOMAIN[@VERSION][/LEVEL] of the store.",
        ),
    ],
    agent: Annotated[
        list[str],
        typer.Option(
            "--agent",
            help="gold, wrong, silent, one-letter, constant, random-tool, one-mistake:MUTANT,"
            " or your own: command:COMMAND, python:MODULE:FUNCTION; may be repeated.",
        ),
    ],
    tasks: Annotated[
        int, typer.Option("--tasks", min=0, help="How many tasks, drawn by the seed [0: all].")
    ] = 0,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="What agents and tasks are drawn by.")
    ] = 0,
    out: Annotated[
        Path, typer.Option("--out", help="Folder for rows and logs; a run that is there goes on.")
    ] = Path("evaluation"),
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=1, help="Seconds that a command may take per task.")
    ] = 600.0,
    sandbox: Sandbox = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Run agents on the tasks of packages, and count what they got right."""
    from sopforge.evaluation.agents.choosing import make_agent
    from sopforge.evaluation.packages.proved import read_proved
    from sopforge.evaluation.runs.rows import RunFolder
    from sopforge.evaluation.runs.running import choose_tasks, run_agent
    from sopforge.releases.locating import locate_release

    use_sandbox(sandbox)
    done: list[list[Row]] = []
    for name in packages:
        with locate_release(name, place) as found:
            warn_yanked(found.yanked)
            package = read_proved(found.require_package())
            chosen = choose_tasks(package, tasks, seed)
            # First of all: a name that is not known ends the command before anything is written.
            agents = [make_agent(item, package, time_limit) for item in agent]
            folder = RunFolder(out)
            done += [run_agent(package, item, chosen, seed, folder) for item in agents]
    if as_json:
        print_json({"out": str(out), "runs": [_build_record(rows) for rows in done]})
    else:
        _show(done, out)


def _build_record(rows: list[Row]) -> dict[str, object]:
    from sopforge.evaluation.runs.running import list_divergences

    rates = _compute_rates(rows)
    return {
        "package": rows[0].asked.package,
        "digest": rows[0].asked.digest,
        "agent": rows[0].asked.agent,
        "tasks": len(rows),
        **{
            name: {"share": rate.share, "low": rate.low, "high": rate.high, "of": rate.of}
            for name, rate in (("ecr", rates.ecr), ("c_tsr", rates.c_tsr), ("tsr", rates.tsr))
        },
        "gold_calls": sum(row.grade.is_gold for row in rows) / len(rows),
        "divergence": list_divergences(rows),
        "tool_faults": sum(row.grade.faults for row in rows),
    }


def _compute_rates(rows: list[Row]) -> Rates:
    from sopforge.evaluation.runs.metrics import Verdict, compute_rates

    return compute_rates(
        [Verdict(row.grade.is_complete, row.grade.is_right, row.grade.path) for row in rows]
    )


def _show(done: list[list[Row]], out: Path) -> None:
    screen = make_console()
    table = make_table("", "package", "agent", "tasks", "ECR", "C-TSR", "TSR", "gold calls")
    for rows in done:
        rates = _compute_rates(rows)
        table.add_row(
            rows[0].asked.package,
            rows[0].asked.agent,
            str(len(rows)),
            *map(_format_rate, (rates.ecr, rates.c_tsr, rates.tsr)),
            f"{sum(row.grade.is_gold for row in rows) / len(rows):.3f}",
        )
    screen.print(table)
    say(screen, "In brackets: 95 percent intervals, clustered by path.")
    say(screen, f"Rows and logs are in {out}.")
    if faults := sum(row.grade.faults for rows in done for row in rows):
        say(
            screen,
            f"{faults} calls got no answer, for a tool hung, died or answered what is no JSON:"
            " 'sopforge check' says which.",
            "yellow",
        )


def _format_rate(rate: Rate) -> str:
    if rate.share is None:
        return "-"
    return f"{rate.share:.3f} [{rate.low:.3f}, {rate.high:.3f}]"
