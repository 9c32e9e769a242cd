"""``sopforge diagnose``: which rules an agent masters, and which mistakes explain its answers."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from sopforge.cli.evaluate.follow import follow
from sopforge.cli.evaluate.run_options import ReadRuns
from sopforge.cli.output import Parts, Result, make_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sopforge.evaluation.diagnosis.diagnosing import Evidence
    from sopforge.evaluation.diagnosis.hypotheses import Belief
    from sopforge.evaluation.diagnosis.mastery import Mastered
    from sopforge.evaluation.understanding.understanding import Examiner, Understanding

MOST_SHOWN = 20


def diagnose(
    runs: ReadRuns,
    is_of_twins: Annotated[
        bool,
        typer.Option(
            "--twins",
            help="Show instead whether agents follow the changed rule of a twin: whether their"
            " answers change exactly where the right answers do.",
        ),
    ] = False,
) -> Result:
    """Show which rules agents have understood, and which they have misread.

    The command reports a mistake only if it explains several wrong answers, and more of them
    than chance would.

    With --twins, the runs must contain attempts at a package and at its twins. The command pairs
    attempts by task, seed and epoch.
    """
    if is_of_twins:
        return follow(runs)
    from sopforge.evaluation.understanding.packages import examine_series

    found = list(examine_series(runs.list_series(), *runs.sources))
    parts = (part for item in found for part in _lay_out(*item))
    return Result({"agents": [_build_record(*item) for item in found]}, parts)


def _build_record(examiner: Examiner, understood: Understanding) -> dict[str, object]:
    series, diagnosis = understood.series[0], understood.diagnosis
    return {
        "package": series.package,
        "digests": [item.digest for item in understood.series],
        "agent": series.agent,
        "model": series.model,
        "settings": series.settings,
        "tasks": diagnosis.tasks,
        "tasks_asked": sum(item.tasks_asked for item in understood.series),
        "errors": list(diagnosis.errors),
        "mastery": {
            kind: {"mastered": hits, "of": count, "share": share, "low": low, "high": high}
            for kind, hits, count, (share, low, high) in _iterate_shares(understood.mastery)
        },
        "not_mastered": [
            {
                "place": str(item.place),
                "wrong": list(item.wrong),
                "tasks": len(item.tasks),
                "clause": examiner.find_clause(item.place),
            }
            for item in understood.mastery
            if not item.is_mastered
        ],
        "stated": [_build_evidence(item) for item in diagnosis.stated],
        "suspected": [_build_evidence(item) for item in diagnosis.suspected],
        "unexplained": list(diagnosis.unexplained),
        "further": {task: _list_readings(item) for task, item in diagnosis.further.items()},
        "constant": diagnosis.constant,
        "unsteady": list(understood.unsteady),
    }


def _build_evidence(item: Evidence) -> dict[str, object]:
    return {
        "mistakes": _list_readings(item.belief),
        "explained": list(item.explained),
        "contradicted": list(item.contradicted),
        "chance": round(item.chance, 6),
    }


def _list_readings(belief: Belief) -> list[dict[str, str]]:
    return [{"id": item.mutant.id, "words": item.mutant.words} for item in belief.readings]


def _iterate_shares(
    mastery: Sequence[Mastered],
) -> list[tuple[str, int, int, tuple[float, float, float]]]:
    """Return for each kind of place, and for all, how many are mastered, with Wilson's interval."""
    from sopforge.evaluation.runs.metrics import compute_wilson_interval

    kinds: dict[str, list[bool]] = defaultdict(list)
    for item in mastery:
        kinds[item.place.kind].append(item.is_mastered)
        kinds["all"].append(item.is_mastered)
    found = []
    for kind, hits in sorted(kinds.items(), key=lambda pair: pair[0] == "all"):
        share = sum(hits) / len(hits)
        low, high = compute_wilson_interval(share, len(hits))
        figures = (round(share, 3), round(low, 3), round(high, 3))
        found.append((str(kind), sum(hits), len(hits), figures))
    return found


def _lay_out(examiner: Examiner, understood: Understanding) -> Parts:
    series = understood.series[0]
    rows = [
        (kind, hits, count, "{:.2f} ({:.2f} to {:.2f})".format(*figures))
        for kind, hits, count, figures in _iterate_shares(understood.mastery)
    ]
    title = f"{series.name} on {series.package}"
    yield make_table(title, ["kind", "mastered", "of", "share"], rows)
    lacking = [item for item in understood.mastery if not item.is_mastered]
    if lacking:
        places = [
            (
                *(str(item.place), len(item.wrong), len(item.tasks)),
                examiner.find_clause(item.place),
            )
            for item in sorted(lacking, key=lambda item: -len(item.wrong))[:MOST_SHOWN]
        ]
        yield make_table("Not mastered", ["place", "wrong", "of", "the SOP says"], places)
    for own in understood.series:
        if not own.is_finished:
            yield Text(f"The run on {own.package} is not finished: {own.progress}.", "yellow")
    yield from _iterate_reasons(understood)


def _iterate_reasons(understood: Understanding) -> Iterator[str]:
    """Yield how many answers are wrong, and what explains them."""
    diagnosis = understood.diagnosis
    count = len(diagnosis.errors)
    yield f"{count} of {diagnosis.tasks} answers are wrong."
    if diagnosis.constant is not None:
        yield _describe_constant(diagnosis.constant)
        return
    for found in diagnosis.stated:
        yield f"It acts by a mistake: {_describe(found, count)}"
    for found in diagnosis.suspected:
        yield f"Perhaps it acts by a mistake: {_describe(found, count)}"
    if diagnosis.further:
        yield _describe_further(diagnosis.further)
    if diagnosis.unknown:
        named = ", ".join(diagnosis.unknown[:MOST_SHOWN])
        yield f"No known mistake explains {len(diagnosis.unknown)} of them: {named}"
    if understood.unsteady:
        named = ", ".join(understood.unsteady[:MOST_SHOWN])
        yield f"It gave several answers to each of {len(understood.unsteady)} tasks: {named}"


def _describe_further(further: Mapping[str, Belief]) -> str:
    count = len(further)
    fit = "answers fit further single mistakes" if count > 1 else "answer fits a further mistake"
    shown = list(further.items())[:MOST_SHOWN]
    named = "; ".join(f"{task}: {' or '.join(belief.words)}" for task, belief in shown)
    return f"{count} {fit}, for which too little speaks: {named}"


def _describe_constant(answer: Mapping[str, str]) -> str:
    stated = ", ".join(f"{name}: {value}" for name, value in answer.items())
    said = f"It gave the same answer to every task ({stated})" if stated else "It gave no answer"
    return f"{said}, so the answers do not show how it reads the rules."


def _describe(item: Evidence, errors: int) -> str:
    words = "; or ".join(item.belief.words[:MOST_SHOWN])
    against = (
        f"{len(item.contradicted)} contradict it" if item.contradicted else "none contradicts it"
    )
    return f"{words}. It explains {len(item.explained)} of {errors} wrong answers; {against}."
