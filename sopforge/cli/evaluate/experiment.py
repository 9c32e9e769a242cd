"""``sopforge experiment``: agents on one package under several conditions, paired by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from sopforge.cli.evaluate.run_options import RunOptions, Tasks
from sopforge.cli.evaluate.shown_runs import describe_left, format_rate
from sopforge.cli.options import AskedPackage
from sopforge.cli.output import Parts, Result, make_table

if TYPE_CHECKING:
    from sopforge.cli.evaluate.runs import AskedRun
    from sopforge.evaluation.experiments.designs import Design
    from sopforge.evaluation.experiments.effects import Effect, Factorial
    from sopforge.evaluation.experiments.preparing import Prepared
    from sopforge.evaluation.experiments.results import Result as Measured
    from sopforge.evaluation.experiments.sources import Source
    from sopforge.evaluation.runs.rows import Row, RunFolder

PAIRED = "Differences are paired by task with the first condition of the same model"


def experiment(
    asked: AskedPackage,
    design: Annotated[
        str,
        typer.Argument(
            metavar="DESIGN",
            help="Conditions to compare: levels (L0 to L3), tools (more tools), doses:OPERATOR"
            " (doses of one complexity operator) or factorial (SOP length x model branches).",
        ),
    ],
    agent: Annotated[
        list[str], typer.Option(help="Agent to run, as for 'evaluate'. Can be repeated.")
    ],
    doses: Annotated[
        str | None,
        typer.Option(
            metavar="N,N...",
            help="Doses from 0 to 64 [default: 0,5,10,20 for tools; 0,1,2,4,8 for doses; 0,32 for"
            " factorial].",
        ),
    ] = None,
    branches: Annotated[
        str | None,
        typer.Option(
            metavar="N,N...",
            help="Numbers of branches to add, each from 0 to 8; factorial only [default: 0,3].",
        ),
    ] = None,
    branching: Annotated[
        str, typer.Option(help="Operator that adds the branches: more_branches or more_steps.")
    ] = "more_branches",
    tasks: Tasks = 0,
    out: Annotated[
        Path,
        typer.Option(
            help="Folder for packages, rows and logs. An unfinished experiment in it continues."
        ),
    ] = Path("experiment"),
    *,
    options: RunOptions,
) -> Result:
    """Run agents on one package under several conditions, and compare them task by task."""
    from sopforge.cli.evaluate.runs import make_purse, prepare_runs
    from sopforge.evaluation.experiments.designs import LEVELS, read_design
    from sopforge.evaluation.experiments.preparing import prepare_conditions
    from sopforge.evaluation.experiments.record import refuse_other_experiment, save_record
    from sopforge.evaluation.experiments.results import compute_effects, compute_results
    from sopforge.evaluation.experiments.sources import read_source
    from sopforge.evaluation.packages.proved import ProvedPackage, read_proved
    from sopforge.evaluation.runs.rows import RunFolder
    from sopforge.evaluation.runs.running import choose_tasks

    planned = read_design(design, doses, branches, branching)
    purse = make_purse(agent, options)

    def prepare(found: ProvedPackage) -> list[AskedRun]:
        chosen = choose_tasks(found, tasks, options.seed)
        return prepare_runs(found, chosen, agent, options, purse)

    with asked.locate() as found:
        folder = found.require_package()
        source = read_source(folder)
        # First of all: an agent that is not known ends the command before anything is built.
        prepare(read_proved(folder))
        plan = _build_plan(asked.package, source, planned, options, agent, tasks)
        refuse_other_experiment(out, plan)
        release = found.release if planned.name == LEVELS else None
        prepared = prepare_conditions(source, planned, out, release)
    runs = [(item, prepare(item.package)) for item in prepared]
    record = {**plan, "conditions": _build_condition_records(source, prepared)}
    save_record(out, {**record, "not_attempted": None, "results": [], "effects": []})
    rows, left = _make_runs(runs, RunFolder(out), asked.place)
    results, effects = compute_results(planned, rows), compute_effects(planned, rows)
    record |= _build_findings(results, effects, left)
    save_record(out, record)
    parts = chain(
        _lay_out(record, results, effects, out), _lay_out_remarks(planned, prepared, results, left)
    )
    return Result({"out": str(out), **record}, parts)


def _build_plan(
    package: str,
    source: Source,
    design: Design,
    options: RunOptions,
    agents: Sequence[str],
    tasks: int,
) -> dict[str, Any]:
    """Return what the command was asked for: enough to ask for it again."""
    from sopforge.pipeline.releases.package_files import format_program_version

    asked = {
        name: value if isinstance(value, int | float | list | None) else str(value)
        for name, value in {**asdict(options), "models": options.models or []}.items()
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
    results: Sequence[Measured], effects: Mapping[str, Factorial], left: int
) -> dict[str, Any]:
    from sopforge.evaluation.experiments.results import build_effect_records

    return {
        "not_attempted": left,
        "results": [item.as_record() for item in results],
        "effects": build_effect_records(effects),
    }


def _lay_out(
    record: Mapping[str, Any],
    results: Sequence[Measured],
    effects: Mapping[str, Factorial],
    out: Path,
) -> Parts:
    conditions = {item["name"]: item for item in record["conditions"]}
    asks = any(item.spent.turns for item in results)
    columns = [
        *("condition", "put in", "SOP words", "tools", "agent", "tasks", "TSR", "difference", "p"),
        *(("turns", "tokens read", "written") if asks else ()),
    ]
    rows = [_build_cells(item, conditions[item.condition.name], asks=asks) for item in results]
    yield make_table("", columns, rows)
    yield f"In brackets: 95 percent intervals, clustered by path. {PAIRED}; p is McNemar's, exact."
    for agent, found in effects.items():
        yield _make_effects_table(agent, found, record)
    yield f"Packages, rows and logs are in {out}; experiment.json has all results."


def _build_cells(item: Measured, condition: Mapping[str, Any], *, asks: bool) -> list[str]:
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


def _make_effects_table(agent: str, found: Factorial, record: Mapping[str, Any]) -> Table:
    length, branches = record["doses"], record["branches"]
    effects: dict[str, Effect] = {
        f"length, dose {length[-1]} minus {length[0]} (the same tasks)": found.length,
        f"{record['branching']}, {branches[-1]} minus {branches[0]} (other tasks)": found.branching,
        "interaction: effect of length with the branches minus without": found.interaction,
    }
    rows = [
        (
            name,
            f"{effect.estimate:+.3f} [{effect.low:+.3f}, {effect.high:+.3f}]",
            "-" if effect.p_value is None else f"{effect.p_value:.3g}",
        )
        for name, effect in effects.items()
    ]
    return make_table("", [f"effect on the TSR of {agent}", "", "p"], rows)


def _lay_out_remarks(
    design: Design, prepared: Sequence[Prepared], results: Sequence[Measured], left: int
) -> Parts:
    from sopforge.evaluation.experiments.results import find_equal_conditions

    for one, other in find_equal_conditions(prepared):
        yield Text(f"{other} is the same package as {one}: there is no room for more.", "yellow")
    if len(design.branches) > 1:
        yield "Packages with different branches have different tasks: that effect is unpaired."
    if any(item.attempts > item.tasks for item in results):
        yield "p is too small, because it treats the epochs of a task as independent pairs."
    if left:
        yield Text(f"The budget is spent: {describe_left(left)}.", "yellow")
