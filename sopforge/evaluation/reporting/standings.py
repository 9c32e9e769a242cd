"""How agents stand beside each other on a package: the best first, and unfinished work last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sopforge.evaluation.figures.summaries import Summary, rank_summaries
from sopforge.evaluation.reporting.plots import NARROW, WIDE, Interval, draw_intervals
from sopforge.evaluation.reporting.trust import Trust


@dataclass(frozen=True, slots=True)
class AgentStanding:
    """A line of the table: an agent on a package, with what is known of its understanding.

    ``page`` is the one with its details, empty where they are on the same page.
    """

    name: str
    summary: Summary
    rank: int | None
    trust: Trust | None
    page: str = ""

    @property
    def mastered(self) -> tuple[int, int] | None:
        """Of how many places it masters how many, None where that is not known."""
        if self.trust is None:
            return None
        marks = self.trust.marks.values()
        return sum(mark.right == mark.of for mark in marks), len(marks)

    @property
    def progress(self) -> str:
        """How far the run came, empty where it is finished."""
        series = self.summary.series
        return "" if series.is_finished else series.progress

    @property
    def right(self) -> int:
        """How many attempts are right."""
        return sum(row.grade.is_right for row in self.summary.series.rows)


@dataclass(frozen=True, slots=True)
class Standings:
    """The agents on one package, with their plot for a wide page and for a narrow one."""

    package: str
    digest: str
    lines: Sequence[AgentStanding]
    wide: str
    narrow: str


def build_standings(
    packages: Mapping[str, Sequence[Summary]],
    names: Mapping[tuple[str, str], str],
    trusts: Sequence[Trust],
    page: str = "",
) -> list[Standings]:
    """Return the agents on each package, by what ``names`` call them."""
    known = {
        (series.agent, series.settings, series.digest): trust
        for trust in trusts
        for series in trust.understood.series
    }
    found = []
    for digest, summaries in packages.items():
        lines = _list_lines(summaries, names, known, page)
        points = [Interval(item.name, item.summary.rates.tsr, item.progress) for item in lines]
        plots = (draw_intervals(points, width) for width in (WIDE, NARROW))
        found.append(Standings(summaries[0].series.package, digest, lines, *plots))
    return found


def _list_lines(
    summaries: Sequence[Summary],
    names: Mapping[tuple[str, str], str],
    known: Mapping[tuple[str, str, str], Trust],
    page: str,
) -> list[AgentStanding]:
    lines = []
    for item, rank in zip(summaries, rank_summaries(summaries), strict=True):
        series = item.series
        key = series.agent, series.settings
        lines.append(AgentStanding(names[key], item, rank, known.get((*key, series.digest)), page))
    return sorted(lines, key=_order)


def _order(item: AgentStanding) -> tuple[bool, float, str]:
    return bool(item.progress), -(item.summary.rates.tsr.share or 0), item.name
