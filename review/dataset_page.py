"""What a reviewer sees of a dataset: shortcuts, answers, paths and fields, each with its plot."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from markupsafe import Markup

from review.plots import Bar, bars, columns, told
from sopforge.dataset.profile import FieldProfile, Profile, Spread, read_profile
from sopforge.workspace import DATA_PROFILE, SHORTCUTS

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


def dataset_page(files: Mapping[str, str]) -> DatasetPage | None:
    """Return what the files of the dataset stage show; None if they hold no profile."""
    names = [name.partition("/")[2] for name in (DATA_PROFILE, SHORTCUTS)]
    if not all(name in files for name in names):
        return None
    profile = read_profile(files[names[0]])
    groups = {
        "How far shortcuts lead": (_shortcuts(json.loads(files[names[1]])),),
        "Answers": tuple(_field(item, profile) for item in profile.outcomes),
        "Paths": (_paths(profile),),
        "Fields": tuple(_field(item, profile) for item in profile.others),
    }
    return DatasetPage(profile.tasks, groups)


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
    named = [(" → ".join(item.steps), item.tasks) for item in profile.paths]
    items = [
        Bar(f"to {item.steps[-1]}, {len(item.steps)} steps", item.tasks, str(item.tasks))
        for item in profile.paths
    ]
    title = "Paths: " + ", ".join(f"{name} {count}" for name, count in named)
    plot = bars(title, items, max(item.tasks for item in profile.paths))
    says = f"{len(named)} paths; the tasks that take each."
    return Card("paths", "where cases go", "", plot, says, tuple((n, str(c)) for n, c in named))


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
