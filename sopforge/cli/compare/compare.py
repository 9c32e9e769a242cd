"""``sopforge compare``: two runs on the same tasks, pair by pair, or two readings of one brief."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.evaluate.run_options import RunPackages
from sopforge.cli.options import DEFAULT_STORE, StorePlace, is_yaml_file, refuse_options
from sopforge.cli.output import Parts, Result, make_table
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
            help="For two briefs: file that maps fields and outcomes of the second to the first."
        ),
    ] = None,
    write_names: Annotated[
        Path | None,
        typer.Option(
            help="Write the mapping that the command found, with open points, to this file."
        ),
    ] = None,
    packages: RunPackages = None,
    place: StorePlace = DEFAULT_STORE,
) -> Result:
    """Compare two runs on the same tasks or on different draws, or two readings of one brief.

    For two runs on the same tasks, the command counts the tasks that only one run solved. For a
    run on a package and a run on newly drawn tasks, it shows whether the agent does better on
    the published tasks. For two YAML files with a model, such as two people's readings of the
    same prose, it turns each difference into a question to an expert.
    """
    from sopforge.cli.compare.compared_draws import compare_draws
    from sopforge.cli.compare.compared_readings import compare_files
    from sopforge.evaluation.runs.comparing import has_common_package, pair_runs, read_run

    kinds = is_yaml_file(first), is_yaml_file(second)
    if kinds[0] != kinds[1]:
        run, brief = (second, first) if kinds[0] else (first, second)
        message = f"'{brief}' is a brief and '{run}' is a run; they cannot be compared"
        hint = "name two folders of 'evaluate', or two YAML files that state a model"
        raise MaterialError(Fault("mixed-comparison", message, "", hint))
    if all(kinds):
        refuse_options({"--packages": packages}, "to two readings of one brief")
        return compare_files((Path(first), Path(second)), names, write_names)
    refuse_options({"--names": names, "--write-names": write_names}, "to two runs")
    if not has_common_package(first, second):
        return compare_draws(first, second, packages or [], place)
    found = pair_runs(read_run(first), read_run(second))
    parts = (part for pairs in found for part in _lay_out(pairs, first, second))
    return Result({"packages": [_build_record(pairs) for pairs in found]}, parts)


def _build_record(pairs: Pairs) -> dict[str, object]:
    return {
        "package": pairs.package,
        **pairs.as_record(),
        "goals": {goal: list(counts) for goal, counts in pairs.apart.items()},
    }


def _lay_out(pairs: Pairs, first: str, second: str) -> Parts:
    solved = {
        "both": pairs.both,
        f"only {first}": pairs.first,
        f"only {second}": pairs.second,
        "neither": pairs.neither,
    }
    title = f"{pairs.package}: {pairs.count} tasks in both runs"
    yield make_table(title, ["solved by", "tasks"], solved.items())
    yield (
        f"TSR of the second minus TSR of the first: {pairs.difference:+.3f}; p ="
        f" {pairs.p_value:.3g} (McNemar, exact, two-sided)."
    )
    if pairs.lone:
        have, do = ("s have", "do") if pairs.lone != 1 else (" has", "does")
        yield f"{pairs.lone} attempt{have} no pair and {do} not count."
    if pairs.apart:
        rows = [(goal or FILLED, *counts) for goal, counts in pairs.apart.items()]
        yield make_table("", ["goal of the task", "only first", "only second"], rows)
