"""``sopforge evaluate``: run agents on the tasks of packages, and count what they got right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.evaluate.run_options import (
    USUAL_TEMPERATURE,
    CallLimit,
    CannedReply,
    Cap,
    Concurrency,
    Dials,
    Epochs,
    Manners,
    MaxTokens,
    Models,
    OnInspect,
    Seed,
    Tasks,
    Temperature,
    TimeLimit,
    TokenBudget,
    UserMode,
    UserWords,
)
from sopforge.cli.evaluate.shown_runs import build_run_record, show_assumptions, show_runs
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Budget,
    Prices,
    Sandbox,
    StorePlace,
    use_sandbox,
)
from sopforge.cli.output import make_console, print_json, say, warn_yanked
from sopforge.packaging.checksums import CHECKSUMS
from sopforge.store.places import S3

if TYPE_CHECKING:
    from sopforge.evaluation.runs.rows import Row


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
            "--agent",
            help="Agent to run. Built in: gold, wrong, silent, one-letter, constant, random-tool,"
            " one-mistake:MUTANT. Your own: command:COMMAND, mcp:COMMAND, python:MODULE:FUNCTION."
            " With --model: function-calling, react, budget, retrieval. Can be repeated.",
        ),
    ],
    tasks: Tasks = 0,
    seed: Seed = 0,
    epochs: Epochs = 1,
    out: Annotated[
        Path,
        typer.Option("--out", help="Folder for rows and logs. An unfinished run in it continues."),
    ] = Path("evaluation"),
    dial: Dials = None,
    user: UserMode = "",
    manner: Manners = None,
    user_words: UserWords = None,
    time_limit: TimeLimit = 600.0,
    on_inspect: OnInspect = False,
    model: Models = None,
    temperature: Temperature = USUAL_TEMPERATURE,  # type: ignore[assignment] # typer parses it
    max_tokens: MaxTokens = 8000,
    cap: Cap = 0,
    token_budget: TokenBudget = 0,
    canned_reply: CannedReply = False,
    concurrency: Concurrency = 10,
    call_limit: CallLimit = 600,
    budget: Budget = None,
    prices: Prices = None,
    mapping: Annotated[
        Path | None,
        typer.Option(
            "--mapping",
            help="File that maps inputs, outcomes and expected calls of a package that SOPForge did"
            " not make.",
        ),
    ] = None,
    sandbox: Sandbox = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Run agents on the tasks of packages, and score their answers."""
    from sopforge.cli.evaluate.dials import read_dials
    from sopforge.cli.evaluate.runs import Options, make_purse, prepare_runs
    from sopforge.cli.evaluate.users import read_user
    from sopforge.evaluation.packages.reading import (
        list_assumptions,
        list_changed_files,
        read_evaluated,
    )
    from sopforge.evaluation.runs.rows import RunFolder
    from sopforge.evaluation.runs.running import choose_tasks
    from sopforge.releases.locating import locate_release

    use_sandbox(sandbox)
    options = Options(
        seed=seed,
        epochs=epochs,
        models=model or [],
        temperature=temperature,
        max_tokens=max_tokens,
        cap=cap,
        token_budget=token_budget,
        canned_reply=canned_reply,
        time_limit=time_limit,
        call_limit=call_limit,
        concurrency=concurrency,
        on_inspect=on_inspect,
        prices=prices,
        budget=budget,
    )
    purse = make_purse(agent, options)
    with_user = read_user(user, manner or [], user_words, seed)
    dials = read_dials(dial or [], seed)
    done: list[list[Row]] = []
    asked: list[int] = []
    assumed: dict[str, tuple[str, ...]] = {}
    left = kept = 0
    for name in packages:
        with locate_release(name, place) as found:
            warn_yanked(found.yanked)
            package = read_evaluated(found.require_package(), mapping)
            _warn_changed(package.shown.name, list_changed_files(found.require_package()))
            assumed[package.digest] = list_assumptions(package)
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
                        package.digest, *_name_place(name, place), _name_mapping(mapping)
                    )
                    run.make(folder)
                rows = [folder.rows[item.key] for item in run.asked if item.key in folder.rows]
                left += len(run.asked) - len(rows)
                if rows:
                    done.append(rows)
                    asked.append(len({item.task for item in run.asked}))
    if as_json:
        runs_made = [
            build_run_record(rows, of, assumed[rows[0].asked.digest])
            for rows, of in zip(done, asked, strict=True)
        ]
        print_json({"out": str(out), "not_attempted": left, "runs": runs_made})
    else:
        show_runs(done, asked, out, left, kept)
        show_assumptions({rows[0].asked.package: assumed[rows[0].asked.digest] for rows in done})


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


def _name_place(name: str, store: str) -> tuple[str, str]:
    """Return how a package is found from any working directory: its name, and the store."""
    folder = Path(name)
    store_place = store if store.startswith(S3) else str(Path(store).absolute())
    return (str(folder.absolute()) if folder.exists() else name), store_place


def _name_mapping(mapping: Path | None) -> str:
    return str(mapping.absolute()) if mapping else ""
