"""``sopforge examine``: an agent is asked case by case until it is known what it believes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.evaluate.run_options import (
    USUAL_TEMPERATURE,
    CallLimit,
    CannedReply,
    Cap,
    MaxTokens,
    Models,
    Seed,
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
from sopforge.cli.output import make_console, make_table, print_json, say
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from rich.console import Console

    from sopforge.cli.evaluate.runs import Options
    from sopforge.diagnosis.hypotheses import Answer, Belief
    from sopforge.evaluation.models.spending import Purse
    from sopforge.evaluation.packages.proved import ProvedPackage
    from sopforge.evaluation.runs.rows import RunFolder
    from sopforge.evaluation.understanding.examination import Ask, Examination, Statement
    from sopforge.evaluation.understanding.understanding import Examiner

MOST_SHOWN, LEAST_SHOWN = 5, 0.01


def examine(
    package: PackageName,
    agent: Annotated[str, typer.Option("--agent", help="Agent to examine, as for 'evaluate'.")],
    cases: Annotated[int, typer.Option("--cases", min=1, help="Maximum number of cases.")] = 25,
    draws: Annotated[
        int,
        typer.Option("--draws", min=0, max=5, help="Number of times to generate further tasks."),
    ] = 1,
    seed: Seed = 0,
    out: Annotated[
        Path,
        typer.Option(
            "--out", help="Folder for rows and logs. Cases already recorded there are skipped."
        ),
    ] = Path("examination"),
    time_limit: TimeLimit = 600.0,
    model: Models = None,
    temperature: Temperature = USUAL_TEMPERATURE,  # type: ignore[assignment] # typer parses it
    max_tokens: MaxTokens = 8000,
    cap: Cap = 0,
    token_budget: TokenBudget = 0,
    canned_reply: CannedReply = False,
    call_limit: CallLimit = 600,
    budget: Budget = None,
    prices: Prices = None,
    sandbox: Sandbox = None,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Give an agent the most informative cases, one by one, to find the rules that it misreads.

    The cases come from a plain package (L0), and from new cases with proved answers.
    """
    from functools import partial

    from sopforge.cli.evaluate.runs import Options, make_purse
    from sopforge.evaluation.experiments.sources import read_source
    from sopforge.evaluation.packages.reading import read_evaluated
    from sopforge.evaluation.runs.rows import RunFolder
    from sopforge.evaluation.understanding.draws import iterate_draws, make_cases
    from sopforge.evaluation.understanding.examination import examine_agent
    from sopforge.evaluation.understanding.packages import require_plain
    from sopforge.evaluation.understanding.understanding import Examiner, read_traced_sop
    from sopforge.releases.locating import locate_release

    use_sandbox(sandbox)
    if model and len(model) > 1:
        message = f"{len(model)} models are named, but 'examine' takes one agent"
        raise MaterialError(Fault("examination-of-several", message, "--model", "name one model"))
    options = Options(
        seed=seed,
        epochs=1,
        models=model or [],
        temperature=temperature,
        max_tokens=max_tokens,
        cap=cap,
        token_budget=token_budget,
        canned_reply=canned_reply,
        time_limit=time_limit,
        call_limit=call_limit,
        concurrency=1,
        on_inspect=False,
        prices=prices,
        budget=budget,
    )
    purse = make_purse([agent], options)
    with locate_release(package, place) as found:
        folder = found.require_package()
        own = require_plain(read_evaluated(folder), folder)
        plain = read_source(folder).plain
        packages = [own, *iterate_draws(own, plain, draws, seed)]
        examiner = Examiner(packages, read_traced_sop(folder))
        run_folder = RunFolder(out)
        with run_folder.hold():
            ask = _make_asking(agent, options, purse, run_folder)
            done = examine_agent(packages, examiner, partial(make_cases, own, plain), ask, cases)
    if as_json:
        print_json({"agent": agent, "package": own.shown.name, **_build_record(done)})
    else:
        _show(make_console(), examiner, done)


def _make_asking(agent: str, options: Options, purse: Purse | None, folder: RunFolder) -> Ask:
    """Return what has an agent work at one task, and keeps its row."""
    from dataclasses import replace

    from sopforge.cli.evaluate.runs import prepare_runs
    from sopforge.grading.grades import Stop

    def ask(package: ProvedPackage, task: str, turn: int) -> Answer | None:
        # A turn is an epoch: with all before it, so that none is asked twice.
        (run,) = prepare_runs(package, [task], [agent], replace(options, epochs=turn + 1), purse)
        run.make(folder)
        row = folder.rows.get(run.asked[-1].key)
        if row is None or row.stop == Stop.PROVIDER:
            return None
        names = [item.name for item in package.model.outcomes]
        return {name: row.grade.stated[name] for name in names if name in row.grade.stated}

    return ask


def _build_record(done: Examination) -> dict[str, object]:
    inquiry = done.inquiry
    return {
        "cases": [{"task": task, "right": not wrong} for task, wrong in done.wrong.items()],
        "mistakes": done.mistakes,
        "ruled_out": done.ruled_out,
        "stated": [
            {"mistakes": _list_mistakes(item.belief), "proofs": list(item.proofs)}
            for item in done.stated
        ],
        "unexplained": inquiry.errors,
        "unknown": inquiry.is_unknown,
        "unsteady": list(done.unsteady),
        "likely": [
            {"mistakes": _list_mistakes(belief), "probability": round(share, 3)}
            for belief, share in inquiry.list_likely(MOST_SHOWN)
        ],
        "broken_off": done.is_broken_off,
    }


def _list_mistakes(belief: Belief) -> list[dict[str, str]]:
    return [{"id": item.mutant.id, "words": item.mutant.words} for item in belief.readings]


def _show(screen: Console, examiner: Examiner, done: Examination) -> None:
    table = make_table("Cases", "", "task", "answer")
    for number, (task, is_wrong) in enumerate(done.wrong.items(), start=1):
        table.add_row(str(number), task, "wrong" if is_wrong else "right")
    screen.print(table)
    if done.is_broken_off:
        say(screen, "The examination stopped: an attempt could not be made.")
    if done.unsteady:
        named = ", ".join(done.unsteady)
        say(screen, f"It gave different answers to the same case: {named}.")
    for statement in done.stated:
        _show_mistake(screen, examiner, statement)
    _show_rest(screen, done)
    say(screen, f"{len(done.wrong)} answers rule out {done.ruled_out} of {done.mistakes} mistakes.")


def _show_rest(screen: Console, done: Examination) -> None:
    """Say what is known of all that is not stated."""
    inquiry, open_ = done.inquiry, done.inquiry.errors
    if not open_:
        rest = "It follows everything else as written" if done.stated else "It made no mistake"
        say(screen, f"{rest}, as far as these cases show.")
    elif inquiry.is_unknown:
        say(screen, f"No known mistake explains the answers to {', '.join(open_)}.")
    else:
        say(screen, "Its other mistakes are uncertain. The most probable ones:")
        for belief, share in inquiry.list_likely(MOST_SHOWN):
            if share >= LEAST_SHOWN:
                say(screen, f"  {share:.2f}: {_join_words(belief)}")


def _show_mistake(screen: Console, examiner: Examiner, statement: Statement) -> None:
    from sopforge.diagnosis.places import find_place

    belief = statement.belief
    say(screen, f"It acts by a mistake: {_join_words(belief)}.")
    say(screen, f"That is shown by {', '.join(statement.proofs)}.")
    first = belief.readings[0]
    place = find_place(statement.model, first.mutant, first.model)
    clause = examiner.find_clause(place) if place else ""
    if clause:
        say(screen, f"The SOP says: {clause}")


def _join_words(belief: Belief) -> str:
    return "; or ".join(belief.words[:MOST_SHOWN])
