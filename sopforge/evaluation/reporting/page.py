"""The report as one page: it needs no network and no script, and what agents wrote stays text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, floor

from jinja2 import Environment, PackageLoader, StrictUndefined

from sopforge.evaluation.figures.paths import shorten_path
from sopforge.evaluation.figures.summaries import (
    Summary,
    find_cost_at_equal_success,
    group_by_package,
    rank_shares,
    rank_summaries,
)
from sopforge.evaluation.reporting.curves import list_cost_points, list_curves
from sopforge.evaluation.reporting.standings import build_standings
from sopforge.evaluation.reporting.trajectories import ShownAttempt, group_alike
from sopforge.evaluation.reporting.trust import GOOD, SAFE, ClaimVerdict, Trust
from sopforge.evaluation.runs.metrics import Rate
from sopforge.evaluation.twins.following import Following

MOST_PATHS = 25
MOST_PLACES = 10
NOTHING = "-"


@dataclass(frozen=True, slots=True)
class Cell:
    """A TSR in the overview with its rank among the agents on the package; None without a run."""

    rate: Rate | None
    rank: int | None
    is_finished: bool = True


@dataclass(frozen=True, slots=True)
class AgentLine:
    """An agent's line of the overview: a cell for each package, and the mean of them."""

    name: str
    cells: Sequence[Cell]
    mean: float | None
    rank: int | None


def render_report(
    summaries: Sequence[Summary],
    attempts: Mapping[str, Sequence[ShownAttempt]],
    trusts: Sequence[Trust] = (),
    followings: Sequence[Following] = (),
) -> str:
    """Return the page; ``attempts`` are shown by the names that ``name_agents`` gives.

    It begins with how agents compare; what is known of each, and of single attempts, follows.
    """
    names = name_agents(summaries)
    standings = build_standings(group_by_package(summaries), names, trusts)
    packages = {item.digest: [line.summary for line in item.lines] for item in standings}
    return render_page(
        "report.html.j2",
        names=names,
        wrong=_count_wrong(summaries, names),
        packages=packages,
        overview=build_overview(summaries),
        attempts={name: group_alike(items) for name, items in attempts.items()},
        trusts=sorted(trusts, key=lambda item: -(item.whole.share or 0)),
        standings=standings,
        unfinished=[
            (line.name, line.summary.series)
            for item in standings
            for line in item.lines
            if line.progress
        ],
        followings=followings,
        verdicts=ClaimVerdict,
        shown={item.row.asked.key for items in attempts.values() for item in items},
        curves=list_curves(summaries),
        costs=list_cost_points(summaries),
        safe=SAFE,
        good=GOOD,
        equal={
            id(item): find_cost_at_equal_success(item, rivals)
            for rivals in packages.values()
            for item in rivals
        },
        ranks={digest: _rank_summaries(items) for digest, items in packages.items()},
        most_paths=MOST_PATHS,
        most_places=MOST_PLACES,
    )


def render_page(template: str, **shown: object) -> str:
    """Return a page by its template; it needs no network and no script."""
    return _build_environment().get_template(template).render(**shown)


def name_agents(summaries: Iterable[Summary]) -> dict[tuple[str, str], str]:
    """Return what each agent is called on the page, by its name and settings."""
    found = {(item.series.agent, item.series.settings): item.series.name for item in summaries}
    shared = [name for name in found.values() if list(found.values()).count(name) > 1]
    return {
        key: f"{name} [{key[1]}]" if name in shared and key[1] else name
        for key, name in found.items()
    }


def build_overview(summaries: Sequence[Summary]) -> list[AgentLine]:
    """Return a line for each agent, with a cell for each package; the best mean comes first."""
    packages = group_by_package(summaries)
    names = name_agents(summaries)
    found = {
        (item.series.agent, item.series.settings, item.series.digest): item for item in summaries
    }
    columns = []
    for digest in packages:
        here = [found.get((*key, digest)) for key in names]
        ranks = rank_shares(
            [item.rates.tsr.share if item and item.series.is_finished else None for item in here]
        )
        columns.append(
            [
                Cell(item.rates.tsr if item else None, rank)
                for item, rank in zip(here, ranks, strict=True)
            ]
        )
    lines = list(zip(*columns, strict=True))
    means = [_compute_cell_mean(cells) for cells in lines]
    made = [
        AgentLine(name, cells, mean, rank)
        for name, cells, mean, rank in zip(
            names.values(), lines, means, rank_shares(means), strict=True
        )
    ]
    return sorted(made, key=lambda line: (line.mean is None, -(line.mean or 0)))


def _make_cell(item: Summary | None, rank: int | None) -> Cell:
    return Cell(item.rates.tsr, rank, item.series.is_finished) if item else Cell(None, None)


def _compute_cell_mean(cells: Sequence[Cell]) -> float | None:
    """Return the mean of the packages, None where an agent lacks one or has not finished it."""
    shares = [cell.rate.share for cell in cells if cell.rate is not None and cell.is_finished]
    known = [share for share in shares if share is not None]
    return sum(known) / len(cells) if len(known) == len(cells) else None


def _count_wrong(
    summaries: Iterable[Summary], names: Mapping[tuple[str, str], str]
) -> Mapping[str, int]:
    """Return how many attempts of each agent are wrong."""
    found: Counter[str] = Counter()
    for item in summaries:
        found[names[item.series.agent, item.series.settings]] += sum(item.failures.values())
    return found


def _rank_summaries(summaries: Sequence[Summary]) -> dict[int, int | None]:
    ranks = rank_summaries(summaries)
    return {id(item): rank for item, rank in zip(summaries, ranks, strict=True)}


@cache
def _build_environment() -> Environment:
    made = Environment(
        loader=PackageLoader("sopforge.evaluation.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "key": id,
        "share": format_share,
        "amount": format_amount,
        "money": format_money,
        "range": format_range,
        "steps": shorten_path,
    }
    return made


def format_range(rate: Rate, places: int, whole: int = 1) -> str:
    """Return the interval of a rate of so many, rounded outwards: it claims no more than is known.

    >>> format_range(Rate(0.97, 0.896, 0.991, 30), 2)
    '0.89 to 1.00'
    """
    scale, nearest = 10**places, 9
    # What only the binary form of a number puts beside a limit stays on it.
    low = floor(round(rate.low * whole * scale, nearest)) / scale
    high = ceil(round(rate.high * whole * scale, nearest)) / scale
    return f"{low:.{places}f} to {high:.{places}f}"


def format_share(share: float | None) -> str:
    """Return a share with three places, a dash where there is none."""
    return NOTHING if share is None else f"{share:.3f}"


def format_amount(value: float | None) -> str:
    """Return an amount: large ones whole, small ones with two places."""
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if value == round(value) or value >= 100 else f"{value:.2f}"  # noqa: PLR2004 - from three digits on


def format_money(value: float | None) -> str:
    """Return dollars, small amounts with four places."""
    if value is None:
        return NOTHING
    return f"${value:,.2f}" if value >= 1 or not value else f"${value:.4f}"
