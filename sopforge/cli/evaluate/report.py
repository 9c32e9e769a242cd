"""``sopforge report``: what agents did in runs, as a page for people and tables for programs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.evaluate.follow import build_following_record
from sopforge.cli.options import DEFAULT_STORE, AsJson, StorePlace
from sopforge.cli.out_files import write_out
from sopforge.cli.output import make_console, print_json, say

if TYPE_CHECKING:
    from sopforge.evaluation.figures.summaries import Summary
    from sopforge.evaluation.reporting.trust import Trust
    from sopforge.evaluation.twins.following import Following


def report(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN", help="Output folder of 'evaluate', or FOLDER#AGENT for one agent."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="HTML file to write.")] = Path("report.html"),
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Also write all figures to this CSV file.")
    ] = None,
    packages: Annotated[
        list[str] | None,
        typer.Option(
            "--packages",
            metavar="PACKAGE",
            help="Package that the runs used, for its gold calls [default: where 'evaluate' found"
            " it]. Can be repeated.",
        ),
    ] = None,
    trajectories: Annotated[
        int,
        typer.Option(
            "--trajectories", min=0, help="Number of wrong attempts to show for each agent."
        ),
    ] = 20,
    figures_only: Annotated[
        bool,
        typer.Option(
            "--figures-only",
            help="Skip the analysis of what agents have understood; it takes some seconds per"
            " package.",
        ),
    ] = False,
    as_json: AsJson = False,
    place: StorePlace = DEFAULT_STORE,
) -> None:
    """Write a report on what agents did, and what you can trust them with.

    The report covers success, calls, costs, failures by path, and trajectories.
    """
    from sopforge.evaluation.figures.series import list_series
    from sopforge.evaluation.figures.summaries import summarize
    from sopforge.evaluation.figures.tables import build_records, write_csv
    from sopforge.evaluation.reporting.material import collect_attempts, collect_trusts
    from sopforge.evaluation.reporting.page import render_report
    from sopforge.evaluation.runs.comparing import locate_run, read_asked_runs, read_runs
    from sopforge.evaluation.twins.following import find_followings

    rows = [row for run in runs for row in read_runs(run)]
    summaries = [summarize(item) for item in list_series(rows, read_asked_runs(runs))]
    folders = list(dict.fromkeys(map(locate_run, runs)))
    named = packages or []
    followings: list[Following] = []
    trusts: list[Trust] = []
    if not figures_only:
        series = [item.series for item in summaries]
        followings, twins = find_followings(series, folders, named, place)
        trusts = collect_trusts(summaries, folders, named, place, twins=twins)
    shown = collect_attempts(summaries, folders, named, place, trajectories, trusts=trusts)
    records = build_records(summaries)
    write_out(out, render_report(summaries, shown, trusts, followings))
    if csv is not None:
        write_out(csv, write_csv(records))
    if as_json:
        found = {"out": str(out), "csv": None if csv is None else str(csv)}
        lines = [_build_record(item, summaries) for item in summaries]
        trusted = [_build_trust_record(item) for item in trusts]
        print_json(
            {
                **found,
                "trust": trusted,
                "followed": [build_following_record(item) for item in followings],
                "series": lines,
                "figures": records,
            }
        )
        return
    screen = make_console()
    say(screen, f"The report of {len(rows)} attempts is in {out}.")
    if csv is not None:
        say(screen, f"Its {len(records)} figures are in {csv}.")


def _build_record(summary: Summary, summaries: list[Summary]) -> dict[str, object]:
    from sopforge.evaluation.figures.summaries import rank_summaries

    series = summary.series
    rivals = [item for item in summaries if item.series.digest == series.digest]
    return {
        "package": series.package,
        "digest": series.digest,
        "agent": series.agent,
        "model": series.model,
        "settings": series.settings,
        "tasks": len(series.tasks),
        "tasks_asked": series.tasks_asked,
        "attempts": len(series.rows),
        "attempts_asked": len(series.rows) + len(series.lacking),
        "rank": rank_summaries(rivals)[rivals.index(summary)],
    }


def _build_trust_record(item: Trust) -> dict[str, object]:
    diagnosis = item.understood.diagnosis
    return {
        "agent": item.name,
        "package": item.package,
        "verdict": item.verdict.name.lower(),
        **asdict(item.whole),
        "kinds": [
            {"cases": kind.name, "verdict": kind.verdict.name.lower(), **asdict(kind.rate)}
            for kind in item.kinds
        ],
        "misreadings": [
            {
                "words": list(found.words),
                "is_stated": found.is_stated,
                "clause": found.clause,
                "acts": list(found.acts),
                "explained": list(found.evidence.explained),
                "contradicted": list(found.evidence.contradicted),
            }
            for found in item.misreadings
        ],
        "unexplained": list(diagnosis.unexplained),
        "mastery": [
            {"place": str(place), "right": mark.right, "of": mark.of}
            for place, mark in item.marks.items()
        ],
    }
