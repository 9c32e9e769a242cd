"""What a reviewer sees of a dataset: shortcuts, answers, paths and fields, each with its plot."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from markupsafe import Markup

from review.plots import Bar, bars, columns, told
from sopforge.dataset.coverage import Count, Impossible, Open, Shown, read_coverage
from sopforge.dataset.coverage_text import (
    ALIKE,
    NO_CASE,
    because,
    heading,
    mutant_counts,
    told_tasks,
)
from sopforge.dataset.profile import FieldProfile, Profile, Spread, read_profile, ways_apart
from sopforge.workspace import COVERAGE, COVERAGE_TEXT, DATA_PROFILE, SHORTCUTS

MOST_PATHS = 24
Rows: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A plot under its name, what it says in words, and its numbers as a table."""

    name: str
    label: str
    role: str
    plot: Markup
    says: str
    rows: Rows


@dataclass(frozen=True, slots=True)
class DatasetPage:
    """The cards of a dataset in their order, by heading."""

    tasks: int
    groups: Mapping[str, tuple[Card, ...]]
    coverage: CoveragePart | None


@dataclass(frozen=True, slots=True)
class Told:
    """A goal in words, what is to be said of it, and the sentences of a proof."""

    words: str
    says: str
    proof: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CoveragePart:
    """The counts of goals and mutants as tables, and lists that stand open or fold up."""

    counts: tuple[tuple[str, Count], ...]
    mutants: Mapping[str, int]
    open: Mapping[str, tuple[Told, ...]]
    folded: Mapping[str, tuple[Told, ...]]


def dataset_page(files: Mapping[str, str]) -> DatasetPage | None:
    """Return what the files of the dataset stage show; None if they hold no profile."""
    names = [name.partition("/")[2] for name in (DATA_PROFILE, SHORTCUTS)]
    if not all(name in files for name in names):
        return None
    profile = read_profile(files[names[0]])
    groups: dict[str, tuple[Card, ...]] = {
        "How far shortcuts lead": (_shortcuts(json.loads(files[names[1]])),),
        "Answers": tuple(_field(item, profile) for item in profile.outcomes),
        "Paths": (_paths(profile),),
    }
    filling = profile.filling
    if filling is not None and filling.tasks:
        groups[f"Answers and paths of tasks that fill up, mixed as asked ({filling.tasks})"] = (
            *(_field(item, filling) for item in filling.outcomes),
            _paths(filling),
        )
    groups["Fields"] = tuple(_field(item, profile) for item in profile.others)
    return DatasetPage(profile.tasks, groups, _coverage(files))


def _coverage(files: Mapping[str, str]) -> CoveragePart | None:
    """Return what the page says of the goals; a dataset without the report says nothing."""
    text, report = (name.partition("/")[2] for name in (COVERAGE_TEXT, COVERAGE))
    if text not in files:
        return None
    coverage = read_coverage(files[report])
    mutants = coverage.mutants
    rows = (*coverage.counts, coverage.total)
    shown = {
        heading(row.kind): _shown(goal for goal in coverage.goals.values() if goal.kind == row.kind)
        for row in coverage.counts
    }
    return CoveragePart(
        tuple((heading(row.kind), row) for row in rows),
        mutant_counts(coverage),
        {
            "What no case shows, and why": _impossible(coverage.infeasible, NO_CASE),
            "Undecided goals": _open(coverage.undecided),
            "Undecided mutants": _open(mutants.undecided),
        },
        {
            **shown,
            "Mutants that a task notices": _shown(mutants.killed.values()),
            "Mutants that change only the path": _shown(mutants.other_path_only.values()),
            "Mutants that decide every case alike": _impossible(mutants.equivalent, ALIKE),
        },
    )


def _shown(goals: Iterable[Shown]) -> tuple[Told, ...]:
    return tuple(Told(goal.words, told_tasks(goal.tasks)) for goal in goals)


def _impossible(goals: Mapping[str, Impossible], said: str) -> tuple[Told, ...]:
    return tuple(
        Told(goal.words, f"{said}{because(goal.proof)}", goal.proof) for goal in goals.values()
    )


def _open(goals: Mapping[str, Open]) -> tuple[Told, ...]:
    return tuple(Told(goal.words, goal.reason) for goal in goals.values())


def _shortcuts(report: dict[str, object]) -> Card:
    found: list[dict[str, dict[str, str]]] = report["shortcuts"]  # type: ignore[assignment]
    bar, outcome = str(report["bar"]), str(report["outcome"])
    shares = {str(item["name"]): item["primary"]["share"] for item in found}
    items = [Bar(name, float(share), share) for name, share in shares.items()]
    says = f"Share of tasks with {outcome} right; the dashed line at {bar} must not be passed."
    meant = {str(item["name"]): item for item in found}
    rows = tuple(
        (
            f"{name}: {item['meaning']}",
            f"{item['primary']['share']}; every outcome right: {item['all_outcomes']['share']}",
        )
        for name, item in meant.items()
    )
    title = ", ".join(f"{name} {share}" for name, share in shares.items())
    plot = bars(f"Shortcuts: {title}; bar {bar}", items, 1.0, min(1.0, float(bar)))
    return Card(outcome, "what shortcuts score", "", plot, says, rows)


def _paths(profile: Profile) -> Card:
    apart = ways_apart(profile.paths)
    named = [
        (" → ".join(item.steps) + _by(" by", apart[item.path]), item.tasks)
        for item in profile.paths
    ]
    items = [
        Bar(
            f"to {item.steps[-1]}{_by(' by', apart[item.path]) or f', {len(item.steps)} steps'}",
            item.tasks,
            f"{item.tasks} · {_percent(item.tasks, profile.tasks)}",
        )
        for item in profile.paths[:MOST_PATHS]
    ]
    title = "Paths: " + ", ".join(f"{name} {count}" for name, count in named)
    plot = bars(title, items, max(item.tasks for item in profile.paths))
    drawn = f"; drawn are the {MOST_PATHS} most taken" if len(named) > MOST_PATHS else ""
    says = f"{len(named)} paths; the tasks that take each{drawn}."
    return Card("paths", "where cases go", "", plot, says, tuple((n, str(c)) for n, c in named))


def _by(word: str, ways: str) -> str:
    return f"{word} {ways}" if ways else ""


def _field(item: FieldProfile, profile: Profile) -> Card:
    lacking = f"; missing in {_percent(item.missing, profile.tasks)}" if item.missing else ""
    if item.malformed:
        lacking += f"; malformed in {_percent(item.malformed, profile.tasks)}"
    plot, says = Markup(), "no value in any task"
    rows: Rows = ()
    if item.labels is not None:
        plot, says, rows = _labels(item, item.labels, profile.tasks)
    elif item.spread is not None:
        plot, says, rows = _spread(item, item.spread)
    elif item.distinct is not None:
        says = f"{item.distinct} different texts"
    return Card(item.name, item.label, item.role, plot, says + lacking, rows)


def _labels(item: FieldProfile, labels: Mapping[str, int], tasks: int) -> tuple[Markup, str, Rows]:
    items = [
        Bar(label, count, f"{count} · {_percent(count, tasks)}") for label, count in labels.items()
    ]
    plot = bars(f"{item.label}: {told(labels)}", items, max(1, *labels.values(), 1))
    most = max(labels, key=lambda label: labels[label])
    rows = tuple((label, f"{count}") for label, count in labels.items())
    return plot, f"{len(labels)} values, most often {most}", rows


def _spread(item: FieldProfile, spread: Spread) -> tuple[Markup, str, Rows]:
    unit = f" {item.unit}" if item.unit else ""
    low, middle, high = spread.quartiles
    says = f"half of them from {low} to {high}{unit}, median {middle}"
    title = f"{item.label}: from {spread.least} to {spread.greatest}{unit}, {says}"
    heights = [part.tasks for part in spread.bins]
    rows = (
        ("least", spread.least),
        ("first quartile", low),
        ("median", middle),
        ("third quartile", high),
        ("greatest", spread.greatest),
        *((_range(part.low, part.high), str(part.tasks)) for part in spread.bins),
    )
    return columns(title, heights, (spread.least, spread.greatest)), says, rows


def _range(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


def _percent(part: int, whole: int) -> str:
    return f"{round(100 * part / max(1, whole))} %"
