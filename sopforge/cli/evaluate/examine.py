"""``sopforge examine``: an agent is asked case by case until it is known what it believes."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.evaluate.run_options import AgentOptions, RunOptions
from sopforge.cli.options import AskedPackage
from sopforge.cli.output import Parts, Result, make_table
from sopforge.errors import Fault, MaterialError

if TYPE_CHECKING:
    from sopforge.evaluation.diagnosis.hypotheses import Answer, Belief
    from sopforge.evaluation.models.spending import Purse
    from sopforge.evaluation.packages.proved import ProvedPackage
    from sopforge.evaluation.runs.rows import RunFolder
    from sopforge.evaluation.understanding.examination import Ask, Examination, Statement
    from sopforge.evaluation.understanding.understanding import Examiner

MOST_SHOWN, LEAST_SHOWN = 5, 0.01


def examine(
    asked: AskedPackage,
    agent: Annotated[str, typer.Option(help="Agent to examine, as for 'evaluate'.")],
    cases: Annotated[int, typer.Option(min=1, help="Maximum number of cases.")] = 25,
    draws: Annotated[
        int, typer.Option(min=0, max=5, help="Number of times to generate further tasks.")
    ] = 1,
    out: Annotated[
        Path,
        typer.Option(help="Folder for rows and logs. Cases already recorded there are skipped."),
    ] = Path("examination"),
    *,
    agent_options: AgentOptions,
) -> Result:
    """Give an agent the most informative cases, one by one, to find the rules that it misreads.

    The cases come from a plain package (L0), and from new cases with proved answers.
    """
    from functools import partial

    from sopforge.cli.evaluate.runs import make_purse
    from sopforge.evaluation.experiments.sources import read_source
    from sopforge.evaluation.packages.reading import read_evaluated
    from sopforge.evaluation.runs.rows import RunFolder
    from sopforge.evaluation.understanding.draws import iterate_draws, make_cases
    from sopforge.evaluation.understanding.examination import examine_agent
    from sopforge.evaluation.understanding.packages import require_plain
    from sopforge.evaluation.understanding.understanding import Examiner, read_traced_sop

    options = RunOptions(**asdict(agent_options), concurrency=1)
    models = options.models or []
    if len(models) > 1:
        message = f"{len(models)} models are named, but 'examine' takes one agent"
        raise MaterialError(Fault("examination-of-several", message, "--model", "name one model"))
    purse = make_purse([agent], options)
    with asked.locate() as found:
        folder = found.require_package()
        own = require_plain(read_evaluated(folder), folder)
        plain = read_source(folder).plain
        packages = [own, *iterate_draws(own, plain, draws, options.seed)]
        examiner = Examiner(packages, read_traced_sop(folder))
        run_folder = RunFolder(out)
        with run_folder.hold():
            ask = _make_asking(agent, options, purse, run_folder)
            done = examine_agent(packages, examiner, partial(make_cases, own, plain), ask, cases)
    record = {"agent": agent, "package": own.shown.name, **_build_record(done)}
    return Result(record, _lay_out(examiner, done))


def _make_asking(agent: str, options: RunOptions, purse: Purse | None, folder: RunFolder) -> Ask:
    """Return what has an agent work at one task, and keeps its row."""
    from dataclasses import replace

    from sopforge.cli.evaluate.runs import prepare_runs
    from sopforge.harness.grading.grades import Stop

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


def _lay_out(examiner: Examiner, done: Examination) -> Parts:
    rows = [
        (number, task, "wrong" if is_wrong else "right")
        for number, (task, is_wrong) in enumerate(done.wrong.items(), start=1)
    ]
    yield make_table("Cases", ["", "task", "answer"], rows)
    if done.is_broken_off:
        yield "The examination stopped: an attempt could not be made."
    if done.unsteady:
        named = ", ".join(done.unsteady)
        yield f"It gave different answers to the same case: {named}."
    for statement in done.stated:
        yield from _lay_out_mistake(examiner, statement)
    yield from _lay_out_rest(done)
    yield f"{len(done.wrong)} answers rule out {done.ruled_out} of {done.mistakes} mistakes."


def _lay_out_rest(done: Examination) -> Parts:
    """Say what is known of all that is not stated."""
    inquiry, open_ = done.inquiry, done.inquiry.errors
    if not open_:
        rest = "It follows everything else as written" if done.stated else "It made no mistake"
        yield f"{rest}, as far as these cases show."
    elif inquiry.is_unknown:
        yield f"No known mistake explains the answers to {', '.join(open_)}."
    else:
        yield "Its other mistakes are uncertain. The most probable ones:"
        for belief, share in inquiry.list_likely(MOST_SHOWN):
            if share >= LEAST_SHOWN:
                yield f"  {share:.2f}: {_join_words(belief)}"


def _lay_out_mistake(examiner: Examiner, statement: Statement) -> Parts:
    from sopforge.evaluation.diagnosis.places import find_place

    belief = statement.belief
    yield f"It acts by a mistake: {_join_words(belief)}."
    yield f"That is shown by {', '.join(statement.proofs)}."
    first = belief.readings[0]
    place = find_place(statement.model, first.mutant, first.model)
    clause = examiner.find_clause(place) if place else ""
    if clause:
        yield f"The SOP says: {clause}"


def _join_words(belief: Belief) -> str:
    return "; or ".join(belief.words[:MOST_SHOWN])
