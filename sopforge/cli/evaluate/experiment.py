"""``sopforge experiment``: agents on one package under several conditions, paired by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sopforge.cli.evaluate.run_options import (
    USUAL_TEMPERATURE,
    CallLimit,
    CannedReply,
    Cap,
    Concurrency,
    Epochs,
    MaxTokens,
    Models,
    OnInspect,
    Seed,
    Tasks,
    Temperature,
    TimeLimit,
    TokenBudget,
)
from sopforge.cli.options import (
    DEFAULT_STORE,
    AsJson,
    Budget,
    PackageName,
    Prices,
    Sandbox,
    StorePlace,
    use_sandbox,
)
from sopforge.cli.output import make_console, make_table, print_json, say, warn_yanked

if TYPE_CHECKING:
    from sopforge.cli.evaluate.runs import AskedRun, Options
    from sopforge.evaluation.experiments.designs import Design
    from sopforge.evaluation.experiments.effects import Effect, Factorial
    from sopforge.evaluation.experiments.preparing import Prepared
    from sopforge.evaluation.experiments.results import Result
    from sopforge.evaluation.experiments.sources import Source
    from sopforge.evaluation.runs.rows import Row, RunFolder

PAIRED = "Differences are paired by task with the first condition of the same model"


def experiment(
    package: PackageName,
    design: Annotated[
        str,
        typer.Argument(
            metavar="DESIGN",
            help="Conditions to compare: levels (L0 to L3), tools (more tools), doses:OPERATOR"
            " (doses of one complexity operator) or factorial (SOP length x model branches).",
        ),
    ],
    agent: Annotated[
        list[str], typer.Option("--agent", help="Agent to run, as for 'evaluate'. Can be repeated.")
    ],
    doses: Annotated[
        str | None,
        typer.Option(
            "--doses",
            metavar="N,N...",
            help="Doses from 0 to 64 [default: 0,5,10,20 for tools; 0,1,2,4,8 for doses; 0,32 for"
            " factorial].",
        ),
    ] = None,
    branches: Annotated[
        str | None,
        typer.Option(
            "--branches",
            metavar="N,N...",
            help="Numbers of branches to add, each from 0 to 8; factorial only [default: 0,3].",
        ),
    ] = None,
    branching: Annotated[
        str,
        typer.Option(
            "--branching", help="Operator that adds the branches: more_branches or more_steps."
        ),
    ] = "more_branches",
    tasks: Tasks = 0,
    seed: Seed = 0,
    epochs: Epochs = 1,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            help="Folder for packages, rows and logs. An unfinished experiment in it continues.",
        ),
    ] = Path("experiment"),
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
    sandbox: Sandbox = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Run agents on one package under several conditions, and compare them task by task."""
    from sopforge.cli.evaluate.runs import Options, make_purse, prepare_runs
    from sopforge.evaluation.experiments.designs import LEVELS, read_design
    from sopforge.evaluation.experiments.preparing import prepare_conditions
    from sopforge.evaluation.experiments.record import refuse_other_experiment, save_record
    from sopforge.evaluation.experiments.results import compute_effects, compute_results
    from sopforge.evaluation.experiments.sources import read_source
    from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
    from sopforge.evaluation.runs.rows import RunFolder
    from sopforge.evaluation.runs.running import choose_tasks
    from sopforge.releases.locating import locate_release

    use_sandbox(sandbox)
    planned = read_design(design, doses, branches, branching)
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

    def prepare(found: ProvedPackage) -> list[AskedRun]:
        chosen = choose_tasks(found, tasks, seed)
        return prepare_runs(found, chosen, agent, options, purse)

    with locate_release(package, place) as found:
        warn_yanked(found.yanked)
        folder = found.require_package()
        source = read_source(folder)
        # First of all: an agent that is not known ends the command before anything is built.
        prepare(read_proved(folder))
        plan = _build_plan(package, source, planned, options, agent, tasks)
        refuse_other_experiment(out, plan)
        release = found.release if planned.name == LEVELS else None
        prepared = prepare_conditions(source, planned, out, release)
    runs = [(item, prepare(item.package)) for item in prepared]
    record = {**plan, "conditions": _build_condition_records(source, prepared)}
    save_record(out, {**record, "not_attempted": None, "results": [], "effects": []})
    rows, left = _make_runs(runs, RunFolder(out), place)
    results, effects = compute_results(planned, rows), compute_effects(planned, rows)
    record |= _build_findings(results, effects, left)
    save_record(out, record)
    if as_json:
        print_json({"out": str(out), **record})
    else:
        _show(record, results, effects, out)
        _show_remarks(planned, prepared, results, left)


def _build_plan(
    package: str,
    source: Source,
    design: Design,
    options: Options,
    agents: Sequence[str],
    tasks: int,
) -> dict[str, Any]:
    """Return what the command was asked for: enough to ask for it again."""
    from sopforge.releases.package_files import format_program_version

    asked = {
        name: value if isinstance(value, int | float | list | None) else str(value)
        for name, value in asdict(options).items()
    }
    return {
        "design": design.name,
        "doses": list(design.doses),
        "branches": list(design.branches),
        "branching": design.branching,
        "source": {
            "package": source.given.brief.parts.domain,
            "release": source.provenance["release"],
            "digest": source.digest,
        },
        "named": package,
        "made_with": format_program_version(),
        "operator_seed": source.given.brief.parts.dataset.seed,
        "tasks": tasks,
        "agents": list(agents),
        "options": asked,
    }


def _build_condition_records(source: Source, prepared: Sequence[Prepared]) -> list[dict[str, Any]]:
    from sopforge.evaluation.experiments.building import list_doses
    from sopforge.evaluation.experiments.results import build_condition_record

    brief = source.given.brief
    return [build_condition_record(item, list_doses(brief, item.condition)) for item in prepared]


def _make_runs(
    runs: Sequence[tuple[Prepared, Sequence[AskedRun]]], folder: RunFolder, store: str
) -> tuple[dict[tuple[str, str], Sequence[Row]], int]:
    """Return the rows by condition and agent, and how many attempts a budget left out."""
    from sopforge.evaluation.experiments.preparing import PACKAGES
    from sopforge.progress.tracking import enter_step

    rows: dict[tuple[str, str], Sequence[Row]] = {}
    left = 0
    with folder.hold():
        for item, asked in runs:
            condition = item.condition.name
            place = (folder.folder / PACKAGES / condition).absolute()
            folder.note_package(item.digest, str(place), store)
            with enter_step(condition):
                for run in asked:
                    run.make(folder)
                    own = [folder.rows[one.key] for one in run.asked if one.key in folder.rows]
                    rows[condition, run.asked[0].agent] = own
                    left += len(run.asked) - len(own)
    return rows, left


def _build_findings(
    results: Sequence[Result], effects: Mapping[str, Factorial], left: int
) -> dict[str, Any]:
    from sopforge.evaluation.experiments.results import build_effect_records

    return {
        "not_attempted": left,
        "results": [item.as_record() for item in results],
        "effects": build_effect_records(effects),
    }


def _show(
    record: Mapping[str, Any],
    results: Sequence[Result],
    effects: Mapping[str, Factorial],
    out: Path,
) -> None:
    screen = make_console()
    conditions = {item["name"]: item for item in record["conditions"]}
    asks = any(item.spent.turns for item in results)
    table = make_table(
        "",
        *("condition", "put in", "SOP words", "tools", "agent", "tasks", "TSR", "difference", "p"),
        *(("turns", "tokens read", "written") if asks else ()),
    )
    for item in results:
        table.add_row(*_build_cells(item, conditions[item.condition.name], asks=asks))
    screen.print(table)
    say(
        screen,
        f"In brackets: 95 percent intervals, clustered by path. {PAIRED}; p is McNemar's, exact.",
    )
    for agent, found in effects.items():
        _show_effects(agent, found, record)
    say(screen, f"Packages, rows and logs are in {out}; experiment.json has all results.")


def _build_cells(item: Result, condition: Mapping[str, Any], *, asks: bool) -> list[str]:
    from sopforge.cli.evaluate.shown_runs import format_rate

    put_in = ", ".join(f"{count} {name}" for name, count in condition["put_in"].items())
    if condition["branches_added"]:
        put_in = ", ".join(filter(None, [put_in, f"{condition['branches_added']} branches"]))
    pairs = item.pairs
    spent = (item.spent.turns, item.spent.tokens_in, item.spent.tokens_out)
    means = [item.compute_mean(total) for total in spent] if asks else []
    return [
        condition["name"],
        put_in or "nothing",
        str(condition["sop_words"]),
        str(condition["tools"]),
        item.agent,
        str(item.tasks),
        format_rate(item.rates.tsr),
        f"{pairs.difference:+.3f}" if pairs else "-",
        f"{pairs.p_value:.3g}" if pairs else "-",
        *("-" if mean is None else f"{mean:,.1f}" for mean in means),
    ]


def _show_effects(agent: str, found: Factorial, record: Mapping[str, Any]) -> None:
    screen = make_console()
    length, branches = record["doses"], record["branches"]
    table = make_table("", f"effect on the TSR of {agent}", "", "p")
    rows: dict[str, Effect] = {
        f"length, dose {length[-1]} minus {length[0]} (the same tasks)": found.length,
        f"{record['branching']}, {branches[-1]} minus {branches[0]} (other tasks)": found.branching,
        "interaction: effect of length with the branches minus without": found.interaction,
    }
    for name, effect in rows.items():
        p_value = "-" if effect.p_value is None else f"{effect.p_value:.3g}"
        span = f"{effect.estimate:+.3f} [{effect.low:+.3f}, {effect.high:+.3f}]"
        table.add_row(name, span, p_value)
    screen.print(table)


def _show_remarks(
    design: Design, prepared: Sequence[Prepared], results: Sequence[Result], left: int
) -> None:
    from sopforge.evaluation.experiments.results import find_equal_conditions

    screen = make_console()
    for one, other in find_equal_conditions(prepared):
        say(screen, f"{other} is the same package as {one}: there is no room for more.", "yellow")
    if len(design.branches) > 1:
        say(
            screen,
            "Packages with different branches have different tasks: that effect is unpaired.",
        )
    if any(item.attempts > item.tasks for item in results):
        say(screen, "p is too small, because it treats the epochs of a task as independent pairs.")
    if left:
        say(
            screen,
            f"The budget is spent: {left} attempt{'s were' if left != 1 else ' was'}"
            f" not made and {'do' if left != 1 else 'does'} not count.",
            "yellow",
        )
