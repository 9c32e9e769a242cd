"""``sopforge compare``: two runs on the same tasks, pair by pair, or two readings of one brief."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.evaluate.run_options import RunPackages
from sopforge.cli.options import DEFAULT_STORE, AsJson, StorePlace
from sopforge.cli.output import (
    EXIT_DONE,
    EXIT_FINDINGS,
    make_console,
    make_table,
    print_json,
    say,
)
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.evaluation.runs.comparing import Pairs

FILLED = "(drawn to fill up)"


def compare(
    first: Annotated[
        str,
        typer.Argument(
            metavar="RUN|BRIEF",
            help="Output folder of 'evaluate', FOLDER#AGENT, or YAML file with a model.",
        ),
    ],
    second: Annotated[
        str,
        typer.Argument(metavar="RUN|BRIEF", help="Second run or file, of the same kind."),
    ],
    names: Annotated[
        Path | None,
        typer.Option(
            "--names",
            help="For two briefs: file that maps fields and outcomes of the second to the first.",
        ),
    ] = None,
    write_names: Annotated[
        Path | None,
        typer.Option(
            "--write-names",
            help="Write the mapping that the command found, with open points, to this file.",
        ),
    ] = None,
    packages: RunPackages = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Compare two runs on the same tasks or on different draws, or two readings of one brief.

    For two runs on the same tasks, the command counts the tasks that only one run solved. For a
    run on a package and a run on newly drawn tasks, it shows whether the agent does better on
    the published tasks. For two YAML files with a model, such as two people's readings of the
    same prose, it turns each difference into a question to an expert.
    """
    from sopforge.cli.compare.compared_draws import compare_draws
    from sopforge.cli.compare.compared_readings import compare_files, is_reading
    from sopforge.evaluation.runs.comparing import has_common_package, pair_runs, read_run

    kinds = is_reading(first), is_reading(second)
    if kinds[0] != kinds[1]:
        run, brief = (second, first) if kinds[0] else (first, second)
        message = f"'{brief}' is a brief and '{run}' is a run; they cannot be compared"
        hint = "name two folders of 'evaluate', or two YAML files that state a model"
        raise MaterialError(Fault("mixed-comparison", message, "", hint))
    if all(kinds) and packages:
        message = "--packages applies to runs, not to two readings of one brief"
        raise MaterialError(Fault("mixed-comparison", message, "", "leave --packages out"))
    if all(kinds):
        files = Path(first), Path(second)
        differs = compare_files(files, names, write_names, as_json=as_json)
        raise typer.Exit(EXIT_FINDINGS if differs else EXIT_DONE)
    if names or write_names:
        message = "--names and --write-names apply to two readings of one brief, not to runs"
        raise MaterialError(Fault("mixed-comparison", message, "", "leave them out"))
    if not has_common_package(first, second):
        compare_draws(first, second, packages or [], place, as_json=as_json)
        return
    found = pair_runs(read_run(first), read_run(second))
    if as_json:
        print_json({"packages": [_build_record(pairs) for pairs in found]})
    else:
        for pairs in found:
            _show(pairs, first, second)


def _build_record(pairs: Pairs) -> dict[str, object]:
    return {
        "package": pairs.package,
        **pairs.as_record(),
        "goals": {goal: list(counts) for goal, counts in pairs.apart.items()},
    }


def _show(pairs: Pairs, first: str, second: str) -> None:
    screen = make_console()
    table = make_table(f"{pairs.package}: {pairs.count} tasks in both runs", "solved by", "tasks")
    table.add_row("both", str(pairs.both))
    table.add_row(f"only {first}", str(pairs.first))
    table.add_row(f"only {second}", str(pairs.second))
    table.add_row("neither", str(pairs.neither))
    screen.print(table)
    say(
        screen,
        f"TSR of the second minus TSR of the first: {pairs.difference:+.3f}; p ="
        f" {pairs.p_value:.3g} (McNemar, exact, two-sided).",
    )
    if pairs.lone:
        say(
            screen,
            f"{pairs.lone} attempt{'s have' if pairs.lone != 1 else ' has'} no pair and"
            f" {'do' if pairs.lone != 1 else 'does'} not count.",
        )
    if pairs.apart:
        goals = make_table("", "goal of the task", "only first", "only second")
        for goal, (one, other) in pairs.apart.items():
            goals.add_row(goal or FILLED, str(one), str(other))
        screen.print(goals)
