"""``sopforge evaluate``: run agents on the tasks of packages, and count what they got right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from sopforge.artifacts.packaging.checksums import CHECKSUMS
from sopforge.cli.evaluate.run_options import RunOptions, Tasks, UserOptions
from sopforge.cli.evaluate.shown_runs import ShownRun, lay_out_runs
from sopforge.cli.options import DEFAULT_STORE, Sandbox, StorePlace, use_sandbox
from sopforge.cli.output import Result, make_console, say, warn_yanked


def evaluate(
    packages: Annotated[
        list[str],
        typer.Argument(
            metavar="PACKAGE",
            help="Package: a folder, or DOMAIN[@VERSION]/LEVEL in the store.",
        ),
    ],
    agent: Annotated[
        list[str],
        typer.Option(
            help="Agent to run. Built in: gold, wrong, silent, one-letter, constant, random-tool,"
            " one-mistake:MUTANT. Your own: command:COMMAND, mcp:COMMAND, python:MODULE:FUNCTION."
            " With --model: function-calling, react, budget, retrieval. Can be repeated.",
        ),
    ],
    tasks: Tasks = 0,
    out: Annotated[
        Path, typer.Option(help="Folder for rows and logs. An unfinished run in it continues.")
    ] = Path("evaluation"),
    dial: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=DOSE",
            help="Make tasks harder with this dial; for example, with faults=3, tools fail three"
            " times in half of the tasks. Can be repeated.",
        ),
    ] = None,
    *,
    asked_user: UserOptions,
    options: RunOptions,
    mapping: Annotated[
        Path | None,
        typer.Option(
            help="File that maps inputs, outcomes and expected calls of a package that SOPForge did"
            " not make.",
        ),
    ] = None,
    sandbox: Sandbox = None,
    place: StorePlace = DEFAULT_STORE,
) -> Result:
    """Run agents on the tasks of packages, and score their answers."""
    from sopforge.cli.evaluate.dials import read_dials
    from sopforge.cli.evaluate.runs import make_purse, prepare_runs
    from sopforge.evaluation.packages.reading import (
        list_assumptions,
        list_changed_files,
        read_evaluated,
    )
    from sopforge.evaluation.runs.rows import RunFolder, name_place
    from sopforge.evaluation.runs.running import choose_tasks
    from sopforge.pipeline.releases.locating import locate_release

    use_sandbox(sandbox)
    seed, purse = options.seed, make_purse(agent, options)
    with_user = asked_user.read(seed)
    dials = read_dials(dial or [], seed)
    done: list[ShownRun] = []
    left = kept = 0
    for name in packages:
        with locate_release(name, place) as found:
            warn_yanked(found.yanked)
            package = read_evaluated(found.require_package(), mapping)
            _warn_changed(package.shown.name, list_changed_files(found.require_package()))
            # First of all: a name that is not known ends the command before anything is written.
            layered = dials.join(package)
            chosen = choose_tasks(layered, tasks, seed)
            joined = with_user.join(layered, chosen) if with_user else layered
            runs = prepare_runs(joined, chosen, agent, options, purse)
            folder = RunFolder(out)
            for run in runs:
                kept += sum(map(folder.has, run.asked))
                with folder.hold(), _keep_when_interrupted(out):
                    folder.note_package(
                        package.digest, *name_place(name, place), _name_mapping(mapping)
                    )
                    run.make(folder)
                rows = [folder.rows[item.key] for item in run.asked if item.key in folder.rows]
                left += len(run.asked) - len(rows)
                if rows:
                    count = len({item.task for item in run.asked})
                    done.append(ShownRun(rows, count, list_assumptions(package)))
    record = {
        "out": str(out),
        "not_attempted": left,
        "runs": [run.record for run in done],
    }
    return Result(record, lay_out_runs(done, out, left, kept))


def _warn_changed(name: str, changed: list[str]) -> None:
    if changed:
        files = ", ".join(changed[:5])
        says = f"{name} differs from its release: {files} do not match {CHECKSUMS}."
        say(make_console(stderr=True), says, "yellow")


@contextmanager
def _keep_when_interrupted(out: Path) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        say(
            make_console(stderr=True),
            f"Finished attempts are in {out}; repeat the command to continue.",
        )
        raise


def _name_mapping(mapping: Path | None) -> str:
    return str(mapping.absolute()) if mapping else ""
