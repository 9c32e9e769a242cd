"""``sopforge evaluate``: run agents on the tasks of packages, and count what they got right."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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

if TYPE_CHECKING:
    from sopforge.evaluation.runs.metrics import Rate, Rates
    from sopforge.evaluation.runs.rows import Row


PANEL = "Agents that ask a language model"


def _parse_temperature(text: str) -> float | None:
    if text == "none":
        return None
    try:
        found = float(text)
    except ValueError as cause:
        raise typer.BadParameter(f"{text!r} is neither a number nor 'none'") from cause
    if not 0 <= found <= 2:  # noqa: PLR2004 - what providers take
        raise typer.BadParameter(f"{text!r} is not between 0 and 2")
    return found


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
            " your own: command:COMMAND, python:MODULE:FUNCTION; or with a --model:"
            " function-calling, react, budget, retrieval. May be repeated.",
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
        float,
        typer.Option(
            "--time-limit", min=1, help="Seconds that a command or a model agent has for a task."
        ),
    ] = 600.0,
    on_inspect: Annotated[
        bool,
        typer.Option("--inspect", help="Run agents that ask no model on inspect, too."),
    ] = False,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="PROVIDER/MODEL",
            help="A model as inspect names it. May be repeated.",
            rich_help_panel=PANEL,
        ),
    ] = None,
    temperature: Annotated[
        float | None,
        typer.Option(
            "--temperature",
            parser=_parse_temperature,
            metavar="NUMBER",
            help="What models are asked with that take one; 'none' leaves it to the provider.",
            rich_help_panel=PANEL,
        ),
    ] = "0.5",  # type: ignore[assignment] # typer parses defaults, too
    max_tokens: Annotated[
        int,
        typer.Option("--max-tokens", min=1, help="Tokens of a reply.", rich_help_panel=PANEL),
    ] = 8000,
    cap: Annotated[
        int,
        typer.Option(
            "--cap",
            min=0,
            help="How often the model is asked in a task"
            " [0: 10 function-calling, 15 react, 30 retrieval].",
            rich_help_panel=PANEL,
        ),
    ] = 0,
    token_budget: Annotated[
        int,
        typer.Option(
            "--token-budget",
            min=0,
            help="Tokens that a task may take [0: 200,000 budget, no limit for others].",
            rich_help_panel=PANEL,
        ),
    ] = 0,
    canned_reply: Annotated[
        bool,
        typer.Option(
            "--canned-reply",
            help="Answer a message that neither calls nor ends the case, and go on.",
            rich_help_panel=PANEL,
        ),
    ] = False,
    concurrency: Annotated[
        int,
        typer.Option("--concurrency", min=1, help="Tasks at work at once.", rich_help_panel=PANEL),
    ] = 10,
    call_limit: Annotated[
        int,
        typer.Option(
            "--call-limit",
            min=1,
            help="Seconds within which a provider must have answered, retries included.",
            rich_help_panel=PANEL,
        ),
    ] = 600,
    budget: Budget = None,
    prices: Prices = None,
    sandbox: Sandbox = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Run agents on the tasks of packages, and count what they got right."""
    from sopforge.cli.evaluate.runs import Options, make_purse, prepare_runs
    from sopforge.evaluation.packages.proved import read_proved
    from sopforge.evaluation.runs.rows import RunFolder
    from sopforge.evaluation.runs.running import choose_tasks
    from sopforge.releases.locating import locate_release

    use_sandbox(sandbox)
    options = Options(
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
    left = 0
    for name in packages:
        with locate_release(name, place) as found, show_work(make_console(stderr=as_json)):
            warn_yanked(found.yanked)
            package = read_proved(found.require_package())
            chosen = choose_tasks(package, tasks, seed)
            # First of all: a name that is not known ends the command before anything is written.
            runs = prepare_runs(package, chosen, agent, seed, options, purse)
            folder = RunFolder(out)
            for run in runs:
                with folder.hold():
                    run.make(folder)
                rows = [folder.rows[item.key] for item in run.asked if item.key in folder.rows]
                left += len(run.asked) - len(rows)
                done += [rows] if rows else []
    if as_json:
        runs_made = [_build_record(rows) for rows in done]
        print_json({"out": str(out), "not_attempted": left, "runs": runs_made})
    else:
        _show(done, out, left)


def _build_record(rows: list[Row]) -> dict[str, object]:
    from sopforge.evaluation.runs.rows import sum_spent
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
        "spent": asdict(sum_spent(rows)),
    }


def _compute_rates(rows: list[Row]) -> Rates:
    from sopforge.evaluation.runs.metrics import Verdict, compute_rates

    return compute_rates(
        [Verdict(row.grade.is_complete, row.grade.is_right, row.grade.path) for row in rows]
    )


def _show(done: list[list[Row]], out: Path, left: int) -> None:
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


def _format_rate(rate: Rate) -> str:
    if rate.share is None:
        return "-"
    return f"{rate.share:.3f} [{rate.low:.3f}, {rate.high:.3f}]"
