"""``sopforge evaluate``: run agents on the tasks of packages, and count what they got right."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.evaluate.model_options import (
    USUAL_TEMPERATURE,
    CallLimit,
    CannedReply,
    Cap,
    Concurrency,
    MaxTokens,
    Models,
    OnInspect,
    Temperature,
    TimeLimit,
    TokenBudget,
)
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Budget,
    Prices,
    Sandbox,
    StorePlace,
    use_sandbox,
)
from sopforge.cli.output import make_console, make_table, print_json, say, warn_yanked
from sopforge.cli.screens.work_view import show_work
from sopforge.store.places import S3

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from sopforge.evaluation.figures.repeats import Repeats
    from sopforge.evaluation.runs.metrics import Rate
    from sopforge.evaluation.runs.rows import Row


COMPATIBLE = "SOP-Bench compatible"


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
            help="gold, wrong, silent, one-letter, constant, random-tool, one-mistake:MUTANT;"
            " your own: command:COMMAND, mcp:COMMAND, python:MODULE:FUNCTION; or with a --model:"
            " function-calling, react, budget, retrieval. May be repeated.",
        ),
    ],
    tasks: Annotated[
        int, typer.Option("--tasks", min=0, help="How many tasks, drawn by the seed [0: all].")
    ] = 0,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="What agents and tasks are drawn by.")
    ] = 0,
    epochs: Annotated[
        int,
        typer.Option(
            "--epochs", min=1, help="How often each task is attempted; 4 or more show pass^k."
        ),
    ] = 1,
    out: Annotated[
        Path, typer.Option("--out", help="Folder for rows and logs; a run that is there goes on.")
    ] = Path("evaluation"),
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
            help="What a package of others does not say: inputs, outcomes, expected calls.",
        ),
    ] = None,
    sandbox: Sandbox = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Run agents on the tasks of packages, and count what they got right."""
    from sopforge.cli.evaluate.runs import Options, make_purse, prepare_runs
    from sopforge.evaluation.packages.reading import list_assumptions, read_evaluated
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
    done: list[list[Row]] = []
    assumed: dict[str, tuple[str, ...]] = {}
    left = 0
    for name in packages:
        with locate_release(name, place) as found, show_work(make_console(stderr=as_json)):
            warn_yanked(found.yanked)
            package = read_evaluated(found.require_package(), mapping)
            assumed[package.shown.digest] = list_assumptions(package)
            chosen = choose_tasks(package, tasks, seed)
            # First of all: a name that is not known ends the command before anything is written.
            runs = prepare_runs(package, chosen, agent, options, purse)
            folder = RunFolder(out)
            for run in runs:
                with folder.hold():
                    folder.note_package(
                        package.shown.digest, *_name_place(name, place), _name_mapping(mapping)
                    )
                    run.make(folder)
                rows = [folder.rows[item.key] for item in run.asked if item.key in folder.rows]
                left += len(run.asked) - len(rows)
                done += [rows] if rows else []
    if as_json:
        runs_made = [_build_record(rows, assumed[rows[0].asked.digest]) for rows in done]
        print_json({"out": str(out), "not_attempted": left, "runs": runs_made})
    else:
        _show(done, out, left)
        _show_assumptions({rows[0].asked.package: assumed[rows[0].asked.digest] for rows in done})


def _name_place(name: str, store: str) -> tuple[str, str]:
    """Return how a package is found from any working directory: its name, and the store."""
    folder = Path(name)
    store_place = store if store.startswith(S3) else str(Path(store).absolute())
    return (str(folder.absolute()) if folder.exists() else name), store_place


def _name_mapping(mapping: Path | None) -> str:
    return str(mapping.absolute()) if mapping else ""


def _build_record(rows: list[Row], assumed: tuple[str, ...]) -> dict[str, object]:
    from sopforge.evaluation.figures.means import compute_row_rates
    from sopforge.evaluation.runs.rows import sum_spent
    from sopforge.evaluation.runs.running import list_divergences

    rates = compute_row_rates(rows)
    repeats = _compute_repeats(rows)
    return {
        "package": rows[0].asked.package,
        "digest": rows[0].asked.digest,
        "agent": rows[0].asked.agent,
        "tasks": len({row.asked.task for row in rows}),
        "epochs": len({row.asked.epoch for row in rows}),
        **{
            name: {"share": rate.share, "low": rate.low, "high": rate.high, "of": rate.of}
            for name, rate in (("ecr", rates.ecr), ("c_tsr", rates.c_tsr), ("tsr", rates.tsr))
        },
        "gold_calls": _compute_share([row.grade.is_gold for row in rows]),
        "compatible": _compute_share([row.grade.is_compatible for row in rows]),
        "assumptions": list(assumed),
        "divergence": list_divergences(rows),
        "tool_faults": sum(row.grade.faults for row in rows),
        "spent": asdict(sum_spent(rows)),
        "pass_k": list(repeats.pass_k) if repeats else [],
        "run_floor": repeats.floor if repeats else None,
    }


def _compute_share(hits: list[bool | None]) -> float | None:
    """Return the share of attempts, None where nothing is said of any."""
    said = [hit for hit in hits if hit is not None]
    return sum(said) / len(said) if said else None


def _compute_repeats(rows: list[Row]) -> Repeats | None:
    from sopforge.evaluation.figures.repeats import compute_repeats
    from sopforge.evaluation.figures.series import list_series

    return compute_repeats(list_series(rows)[0])


def _show(done: list[list[Row]], out: Path, left: int) -> None:
    from sopforge.evaluation.figures.means import compute_row_rates

    screen = make_console()
    is_compared = any(row.grade.is_compatible is not None for rows in done for row in rows)
    figures = ["ECR", "C-TSR", "TSR", "gold calls", *([COMPATIBLE] if is_compared else [])]
    table = make_table("", "package", "agent", "tasks", *figures)
    for rows in done:
        rates = compute_row_rates(rows)
        table.add_row(
            rows[0].asked.package,
            rows[0].asked.agent,
            str(len({row.asked.task for row in rows})),
            *map(format_rate, (rates.ecr, rates.c_tsr, rates.tsr)),
            _format_share([row.grade.is_gold for row in rows]),
            *([_format_share([row.grade.is_compatible for row in rows])] if is_compared else []),
        )
    screen.print(table)
    say(screen, "In brackets: 95 percent intervals, clustered by path.")
    for rows in done:
        _show_repeats(screen, rows)
    say(screen, f"Rows and logs are in {out}.")
    for rows in done:
        if line := _describe_spending(rows):
            say(screen, line)
    if left:
        say(screen, f"The budget is spent: {left} attempts are left, and do not count.", "yellow")
    if faults := sum(row.grade.faults for rows in done for row in rows):
        say(
            screen,
            f"{faults} calls got no answer, for a tool hung, died or answered what is no JSON:"
            " 'sopforge check' says which.",
            "yellow",
        )


def _describe_spending(rows: list[Row]) -> str:
    """Return what a run took of models, nothing where none was asked."""
    from sopforge.evaluation.runs.rows import sum_spent

    spent = sum_spent(rows)
    if not spent.turns:
        return ""
    cost = "price not known: --prices FILE" if spent.cost is None else f"${spent.cost:.2f}"
    tokens = f"{spent.tokens_in:,} tokens read, {spent.tokens_out:,} written"
    agent, package = rows[0].asked.agent, rows[0].asked.package
    return f"{agent} on {package}: {spent.turns:,} replies, {tokens}, {cost}."


def _show_repeats(screen: Console, rows: list[Row]) -> None:
    """Print pass^k of a run with several epochs, and how much two such runs differ by chance."""
    from sopforge.evaluation.figures.repeats import WANTED

    repeats = _compute_repeats(rows)
    if repeats is None:
        return
    found = ", ".join(f"pass^{k} {share:.3f}" for k, share in enumerate(repeats.pass_k, 1))
    few = "" if repeats.epochs >= WANTED else f" With --epochs {WANTED} or more it says more."
    say(
        screen,
        f"{rows[0].asked.package}, {rows[0].asked.agent}, {repeats.epochs} epochs: {found};"
        f" two runs differ in TSR by up to {repeats.floor:.3f} by chance.{few}",
    )


def _show_assumptions(assumed: Mapping[str, tuple[str, ...]]) -> None:
    screen = make_console()
    for package, said in assumed.items():
        for line in said:
            say(screen, f"{package}: {line}.", "dim")


def _format_share(hits: list[bool | None]) -> str:
    share = _compute_share(hits)
    return "-" if share is None else f"{share:.3f}"


def format_rate(rate: Rate) -> str:
    """Return a share with its interval."""
    if rate.share is None:
        return "-"
    return f"{rate.share:.3f} [{rate.low:.3f}, {rate.high:.3f}]"
