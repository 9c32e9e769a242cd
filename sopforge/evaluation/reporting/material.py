"""What a report shows of attempts: wrong ones of each agent, with their logs and gold calls."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from pathlib import Path

from sopforge.evaluation.figures.series import Series
from sopforge.evaluation.figures.summaries import Summary
from sopforge.evaluation.reporting.gold import find_gold_tasks
from sopforge.evaluation.reporting.page import name_agents
from sopforge.evaluation.reporting.trajectories import ShownAttempt, choose_attempts, show_attempt
from sopforge.evaluation.reporting.trust import Trust, build_trust
from sopforge.evaluation.runs.rows import Attempted, iterate_logs
from sopforge.evaluation.understanding.packages import examine_explainable

MOST_IN_ALL = 200
"""Attempts on a page, which is to stay small however many agents there are."""


def collect_attempts(
    summaries: Sequence[Summary],
    folders: Sequence[Path],
    packages: Sequence[str],
    store: str,
    most: int,
    *,
    trusts: Sequence[Trust] = (),
) -> dict[str, list[ShownAttempt]]:
    """Return wrong attempts by the name of their agent: ``most`` of each, of many agents fewer.

    Attempts that prove what ``trusts`` say of an agent come before others.

    Raises:
        SopForgeError: a named package is none, or no attempt is of it.
    """
    names = name_agents(summaries)
    proofs = {row.asked.key for item in trusts for one in item.misreadings for row in one.proofs}
    by_agent: dict[tuple[str, str], list[Series]] = {key: [] for key in names}
    for item in summaries:
        by_agent[item.series.agent, item.series.settings].append(item.series)
    share = min(most, max(1, MOST_IN_ALL // len(names)))
    chosen = {key: choose_attempts(series, share, proofs) for key, series in by_agent.items()}
    rows = [row for found in chosen.values() for row in found]
    wanted: dict[str, list[str]] = {item.series.digest: [] for item in summaries}
    for row in rows:
        wanted[row.asked.digest].append(row.asked.task)
    gold = find_gold_tasks(wanted, packages, folders, store)
    logs = _read_logs(folders, {row.asked.key for row in rows})
    return {
        names[key]: [
            show_attempt(row, logs.get(row.asked.key), gold.get((row.asked.digest, row.asked.task)))
            for row in found
        ]
        for key, found in chosen.items()
    }


def collect_trusts(
    summaries: Sequence[Summary],
    folders: Sequence[Path],
    packages: Sequence[str],
    store: str,
    *,
    twins: Container[str] = (),
) -> list[Trust]:
    """Return what agents can be trusted with, as far as their answers can be explained.

    ``twins`` are left out, by their digests: they are there to be compared with the packages that
    they are twins of.
    """
    names = name_agents(summaries)
    series = [item.series for item in summaries if item.series.digest not in twins]
    found = examine_explainable(series, folders, packages, store)
    return [
        build_trust(examiner, understood, names[first.agent, first.settings])
        for examiner, understood in found
        for first in understood.series[:1]
    ]


def _read_logs(folders: Iterable[Path], keys: set[str]) -> dict[str, Attempted]:
    return {key: log for folder in folders for key, log in iterate_logs(folder, keys)}
