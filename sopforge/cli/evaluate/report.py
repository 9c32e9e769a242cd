"""``sopforge report``: what agents did in runs, as a page for people and tables for programs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sopforge.cli.evaluate.follow import build_following_record
from sopforge.cli.evaluate.leaderboard import write_site
from sopforge.cli.evaluate.run_options import ReadRuns
from sopforge.cli.options import refuse_options
from sopforge.cli.out_files import write_out
from sopforge.cli.output import Result

if TYPE_CHECKING:
    from sopforge.evaluation.figures.summaries import Summary
    from sopforge.evaluation.reporting.trust import Trust
    from sopforge.evaluation.twins.following import Following


def report(
    runs: ReadRuns,
    out: Annotated[
        Path | None,
        typer.Option(
            help="HTML file to write, or folder of a site [default: report.html, or leaderboard].",
            show_default=False,
        ),
    ] = None,
    site: Annotated[
        bool,
        typer.Option(
            "--site",
            help="Write a static site of all runs in a folder and its subfolders instead: what you"
            " can trust each agent with, for each domain.",
        ),
    ] = False,
    csv: Annotated[
        Path | None, typer.Option(help="Also write all figures to this CSV file.")
    ] = None,
    trajectories: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Number of wrong attempts to show for each agent [default: 20, or 10 on a site].",
            show_default=False,
        ),
    ] = None,
    figures_only: Annotated[
        bool,
        typer.Option(
            "--figures-only",
            help="Skip the analysis of what agents have understood; it takes some seconds per"
            " package.",
        ),
    ] = False,
) -> Result:
    """Write a report on what agents did, and what you can trust them with.

    The report covers success, calls, costs, failures by path, and trajectories.

    The site of --site needs no server and no scripts. The command replaces a site that it wrote
    earlier, and refuses a folder that contains anything else.
    """
    if site:
        given = {"--csv": csv, "--packages": runs.packages, "--figures-only": figures_only}
        refuse_options(given, "with --site")
        return write_site(runs.runs, runs.place, out, trajectories)
    out, most = out or Path("report.html"), 20 if trajectories is None else trajectories
    from sopforge.evaluation.figures.summaries import summarize
    from sopforge.evaluation.figures.tables import build_records, write_csv
    from sopforge.evaluation.reporting.material import collect_attempts, collect_trusts
    from sopforge.evaluation.reporting.page import render_report
    from sopforge.evaluation.twins.following import find_followings

    summaries = [summarize(item) for item in runs.list_series()]
    followings: list[Following] = []
    trusts: list[Trust] = []
    if not figures_only:
        series = [item.series for item in summaries]
        followings, twins = find_followings(series, *runs.sources)
        trusts = collect_trusts(summaries, *runs.sources, twins=twins)
    shown = collect_attempts(summaries, *runs.sources, most, trusts=trusts)
    figures = build_records(summaries)
    write_out(out, render_report(summaries, shown, trusts, followings))
    said = [f"The report of {len(runs.rows)} attempts is in {out}."]
    if csv is not None:
        write_out(csv, write_csv(figures))
        said.append(f"Its {len(figures)} figures are in {csv}.")
    record = {
        "out": str(out),
        "csv": None if csv is None else str(csv),
        "trust": [_build_trust_record(item) for item in trusts],
        "followed": [build_following_record(item) for item in followings],
        "series": [_build_record(item, summaries) for item in summaries],
        "figures": figures,
    }
    return Result(record, said)


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
