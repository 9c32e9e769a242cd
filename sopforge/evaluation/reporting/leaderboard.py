"""The leaderboard: a static site of all runs below a folder, with a report for each of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sopforge.errors import Fault, MaterialError, SopForgeError
from sopforge.evaluation.figures.series import list_series
from sopforge.evaluation.figures.summaries import Summary, group_by_package, summarize
from sopforge.evaluation.reporting.material import collect_attempts, collect_trusts
from sopforge.evaluation.reporting.page import (
    name_agents,
    render_page,
    render_report,
)
from sopforge.evaluation.reporting.standings import Standings, build_standings
from sopforge.evaluation.runs.comparing import read_runs
from sopforge.evaluation.runs.rows import ROWS, Row, read_asked
from sopforge.evaluation.twins.following import Following, find_followings
from sopforge.progress.tracking import enter_step
from sopforge.store.format import MARKER

INDEX = "index.html"
MARKS = {r"index\.html": "SOPForge leaderboard", r"domain-\d+\.html": "<title>Evaluation report<"}
"""The names of pages as patterns, and what says that a page of such a name is ours."""


@dataclass(frozen=True, slots=True)
class Site:
    """The pages by their names, and the folders that were passed over, each with the reason."""

    pages: Mapping[str, str]
    runs: int
    passed: Mapping[str, str] = field(default_factory=dict)


def build_site(folder: Path, store: str, trajectories: int) -> Site:
    """Return the site of all runs below a folder.

    Raises:
        MaterialError: there is none.
    """
    found, passed = _read_folders(folder)
    if not found:
        message = f"there is no run below {folder}"
        hint = (
            "name a folder into which 'sopforge evaluate --out' wrote, or one of its parent folders"
        )
        raise MaterialError(Fault("run-not-found", message, str(folder), hint))
    rows = [row for own in found.values() for row in own]
    asked = [item for place in found for item in read_asked(place)]
    summaries = [summarize(item) for item in list_series(rows, asked)]
    pages, standings = {}, list[Standings]()
    series = [item.series for item in summaries]
    followings, twins = find_followings(series, list(found), [], store)
    plain = [item for item in summaries if item.series.digest not in twins]
    for number, own in enumerate(_group_by_domain(plain).values(), start=1):
        page = f"domain-{number}.html"
        with enter_step(own[0].series.package):
            trusts = collect_trusts(own, list(found), [], store)
            shown = collect_attempts(own, list(found), [], store, trajectories, trusts=trusts)
            pages[page] = render_report(own, shown, trusts, _select(followings, own))
        standings += build_standings(group_by_package(own), name_agents(own), trusts, page)
    index = render_page(
        "leaderboard.html.j2",
        standings=standings,
        agents=len(name_agents(plain)),
        packages=len(group_by_package(plain)),
        runs=len(found),
        passed=passed,
    )
    return Site({INDEX: index, **pages}, len(found), passed)


def _read_folders(folder: Path) -> tuple[dict[Path, list[Row]], dict[str, str]]:
    """Return the rows of each run below a folder, and why others cannot be read."""
    found: dict[Path, list[Row]] = {}
    passed: dict[str, str] = {}
    # The rows of a store's tasks are no run's.
    stores = {marker.parent for marker in folder.rglob(MARKER)}
    for file in sorted(folder.rglob(ROWS)):
        if not stores.isdisjoint(file.parents):
            continue
        try:
            found[file.parent] = read_runs(str(file.parent))
        except SopForgeError as refused:
            passed[str(file.parent)] = refused.faults[0].message
    return found, passed


def _group_by_domain(summaries: Iterable[Summary]) -> dict[str, list[Summary]]:
    """Return the summaries by the name of their package: draws of a domain have the same."""
    found: dict[str, list[Summary]] = {}
    for item in summaries:
        found.setdefault(item.series.package, []).append(item)
    return dict(sorted(found.items()))


def _select(followings: Iterable[Following], summaries: Iterable[Summary]) -> list[Following]:
    """Return how agents follow changes of the packages of some summaries."""
    digests = {item.series.digest for item in summaries}
    return [item for item in followings if item.original.digest in digests]
