"""How answers, paths and fields of a dataset are spread, as bars beside their numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sopforge.proof.dataset.tasks.profile import (
    FieldProfile,
    Profile,
    Spread,
    find_path_differences,
)

MOST_BARS = 24
FULL = 100
"""How long the longest bar is."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A label, how long its bar is from 0 to ``FULL``, and what stands beside it."""

    label: str
    length: int
    says: str


@dataclass(frozen=True, slots=True)
class Card:
    """Bars under a name, and what they say in words; ``limit`` is a mark across them.

    ``left`` says how many bars there would be beyond those that are shown.
    """

    name: str
    label: str
    role: str
    says: str
    bars: tuple[Bar, ...] = ()
    limit: int | None = None
    left: int = 0


def build_cards(profile: Profile) -> dict[str, tuple[Card, ...]]:
    """Return the cards of a profile by their heading."""
    groups: dict[str, tuple[Card, ...]] = {
        "Answers": tuple(_build_field_card(item, profile.tasks) for item in profile.outcomes),
        "Paths": (_build_paths_card(profile),),
    }
    filling = profile.filling
    if filling is not None and filling.tasks:
        groups[
            (
                "Answers and paths of the tasks that fill the dataset up in the requested mix "
                f"({filling.tasks})"
            )
        ] = (
            *(_build_field_card(item, filling.tasks) for item in filling.outcomes),
            _build_paths_card(filling),
        )
    groups["Fields"] = tuple(_build_field_card(item, profile.tasks) for item in profile.others)
    return groups


def build_shortcuts_card(text: str) -> Card:
    """Return what shortcuts score, with the share that none may pass as the limit."""
    report: dict[str, Any] = json.loads(text)
    found = [
        Bar(
            f"{item['name']}: {item['meaning']}",
            round(FULL * float(item["primary"]["share"])),
            f"{item['primary']['share']}; every answer right: {item['all_outcomes']['share']}",
        )
        for item in report["shortcuts"]
    ]
    says = (
        f"Share of tasks with {report['outcome']} right; no shortcut may score more than "
        f"{report['bar']}."
    )
    limit = round(FULL * min(1.0, float(report["bar"])))
    return Card("shortcuts", "what shortcuts score", "", says, tuple(found), limit)


def _build_paths_card(profile: Profile) -> Card:
    apart = find_path_differences(profile.paths)
    counts = {
        " → ".join(item.steps) + (f" by {apart[item.path]}" if apart[item.path] else ""): item.tasks
        for item in profile.paths
    }
    card = Card("paths", "where cases go", "", f"{len(counts)} paths.")
    return _with_bars(card, counts, profile.tasks)


def _build_field_card(item: FieldProfile, tasks: int) -> Card:
    lacking = f"; missing in {_format_percent(item.missing, tasks)}" if item.missing else ""
    if item.malformed:
        lacking += f"; malformed in {_format_percent(item.malformed, tasks)}"
    card = Card(item.name, item.label, item.role, "no value in any task")
    if item.labels is not None:
        card = _add_labels(card, item.labels, tasks)
    elif item.spread is not None:
        card = _add_spread(card, item.spread, item.unit, tasks)
    elif item.distinct is not None:
        card = replace(card, says=f"{item.distinct} different texts")
    return replace(card, says=f"{card.says}{lacking}.".replace("..", "."))


def _add_labels(card: Card, labels: Mapping[str, int], tasks: int) -> Card:
    most = max(labels, key=lambda label: labels[label])
    says = f"{len(labels)} values, most often {most}"
    return _with_bars(replace(card, says=says), labels, tasks)


def _add_spread(card: Card, spread: Spread, unit: str, tasks: int) -> Card:
    low, middle, high = spread.quartiles
    measured = f" {unit}" if unit else ""
    says = f"half of the values are from {low} to {high}{measured}, median {middle}"
    counts = {_format_range(part.low, part.high): part.tasks for part in spread.bins}
    return _with_bars(replace(card, says=says), counts, tasks)


def _with_bars(card: Card, counts: Mapping[str, int], tasks: int) -> Card:
    longest = max(1, *counts.values(), 1)
    found = [
        Bar(label, -(-FULL * count // longest), f"{count} · {_format_percent(count, tasks)}")
        for label, count in _select_first(counts.items())
    ]
    return replace(card, bars=tuple(found), left=len(counts) - len(found))


def _select_first(counts: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return list(counts)[:MOST_BARS]


def _format_range(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"


def _format_percent(part: int, whole: int) -> str:
    return f"{round(100 * part / max(1, whole))} %"
