"""Following: whether agents change the answers that a twin changes, and no others."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sopforge.artifacts.packaging.release import TWIN
from sopforge.errors import Fault, MaterialError, SopForgeError
from sopforge.evaluation.experiments.sources import PROVENANCE
from sopforge.evaluation.figures.series import Series
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.evaluation.packages.reading import read_evaluated
from sopforge.evaluation.runs.comparing import select_pairs
from sopforge.evaluation.runs.metrics import Rate, compute_rate
from sopforge.evaluation.runs.rows import Row
from sopforge.evaluation.twins.lines import compare_lines
from sopforge.evaluation.understanding.packages import list_noted
from sopforge.harness.grading.grades import Stop
from sopforge.harness.scoring.trajectories import is_equal
from sopforge.language.domain.fields import Field
from sopforge.language.domain.tasks import Task
from sopforge.pipeline.releases.locating import locate_release
from sopforge.untrusted.content import refuse_unreadable

STEADY = 0.9
"""From which share on an agent is said to change what it must, and to keep the rest."""


class TwinVerdict(StrEnum):
    """What an agent does with a changed rule."""

    FOLLOWS = "Follows the changed rule"
    PARTLY = "Follows the changed rule in a part of the cases"
    REMEMBERS = "Answers as before the change"
    OTHERWISE = "Neither follows the changed rule nor answers as before"
    UNSTEADY = "Changes answers that the rule does not change"


@dataclass(frozen=True, slots=True)
class Side:
    """A package of runs; ``of`` is the digest of the one whose twin it is, with its ``change``."""

    package: ProvedPackage
    of: str = ""
    change: str = ""


@dataclass(frozen=True, slots=True)
class Following:
    """How an agent follows a change, by attempts at the same tasks of a package and its twin.

    ``responsive`` is the share of the answers that must change and are then right and other ones;
    ``steady`` is the share of those that must not change and stay. ``late`` are the tasks whose
    answer did not follow, ``moved`` those whose answer changed with no reason, and ``kept`` those
    of the late ones that got the same answer as before.
    """

    original: Series
    twin: Series
    change: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    responsive: Rate
    steady: Rate
    late: tuple[str, ...]
    moved: tuple[str, ...]
    kept: tuple[str, ...]

    @property
    def verdict(self) -> TwinVerdict | None:
        """What the agent does with a changed rule, None where too little was attempted."""
        responsive, steady = self.responsive.share, self.steady.share
        if responsive is None or steady is None:
            return None
        if steady < STEADY:
            return TwinVerdict.UNSTEADY
        if responsive >= STEADY:
            return TwinVerdict.FOLLOWS
        if responsive:
            return TwinVerdict.PARTLY
        return TwinVerdict.REMEMBERS if self.kept == self.late else TwinVerdict.OTHERWISE

    @property
    def score(self) -> float | None:
        """Responsive times steady: of an agent that reads, and does not remember, 1."""
        if self.responsive.share is None or self.steady.share is None:
            return None
        return self.responsive.share * self.steady.share


def measure_following(
    series: Sequence[Series], runs: Iterable[Path], named: Sequence[str], store: str
) -> list[Following]:
    """Return how each agent follows each change.

    Packages are those ``named``, else those that ``runs`` noted.

    Raises:
        SopForgeError: a package is gone or cannot be read; no twin was attempted, or the package
            that it is a twin of was not.
    """
    places = _list_places(series, runs, named, store)
    sides = _read_sides(places)
    found = _list_followings(series, sides)
    if not found:
        raise MaterialError(_make_no_twin_fault(sides.values()))
    return found


def find_followings(
    series: Sequence[Series], runs: Iterable[Path], named: Sequence[str], store: str
) -> tuple[list[Following], frozenset[str]]:
    """Return how agents follow changes, and the digests of all twins, as far as these are found."""
    places = [
        place for place in _list_places(series, runs, named, store) if _read_origin_of(place)[0]
    ]
    if not places:
        return [], frozenset()
    found: dict[str, Side] = {}
    for place in _list_places(series, runs, named, store):
        with suppress(SopForgeError, OSError):
            found |= _read_sides([place])
    twins = frozenset(digest for digest, side in found.items() if side.of)
    return _list_followings(series, found), twins


def _list_places(
    series: Sequence[Series], runs: Iterable[Path], named: Sequence[str], store: str
) -> list[tuple[str, str]]:
    wanted = {item.digest for item in series}
    return [(name, store) for name in named] or list_noted(runs, wanted, store)


def _list_followings(series: Sequence[Series], sides: Mapping[str, Side]) -> list[Following]:
    found = [
        _measure(one, other, sides)
        for other in series
        if other.digest in sides and sides[other.digest].of
        for one in series
        if one.digest == sides[other.digest].of
        and (one.agent, one.settings) == (other.agent, other.settings)
    ]
    return [item for item in found if item.responsive.of or item.steady.of]


def _make_no_twin_fault(sides: Iterable[Side]) -> Fault:
    if any(side.of for side in sides):
        message = "an agent attempted a twin, but not its original package"
        hint = "evaluate both packages into one folder, with the same agents and the same --seed"
    else:
        message = "none of the packages in the runs is a twin"
        hint = "make a twin with 'sopforge twin', and evaluate it together with its package"
    return Fault("twin-not-paired", message, "", hint)


def _read_sides(places: Iterable[tuple[str, str]]) -> dict[str, Side]:
    """Return the packages of our own, by their digests."""
    found: dict[str, Side] = {}
    for name, store in places:
        with locate_release(name, store) as located:
            folder = located.require_package()
            package = read_evaluated(folder)
            if isinstance(package, ProvedPackage):
                found[package.digest] = Side(package, *_read_origin(folder))
    return found


def _read_origin_of(place: tuple[str, str]) -> tuple[str, str]:
    """Return the origin of a package by its name, nothing where it is not found."""
    with suppress(SopForgeError, OSError), locate_release(*place) as located:
        return _read_origin(located.require_package())
    return "", ""


def _read_origin(folder: Path) -> tuple[str, str]:
    """Return of which package one is a twin, and what it changes; nothing of any other one."""
    if not (folder / PROVENANCE).is_file():
        return "", ""
    with refuse_unreadable(PROVENANCE, PROVENANCE):
        said = json.loads((folder / PROVENANCE).read_bytes()).get("experiment") or {}
        twin = said.get(TWIN)
        return (twin["of"], f"{twin['place']}: {twin['change']}") if twin else ("", "")


def _measure(one: Series, other: Series, sides: Mapping[str, Side]) -> Following:
    original, twin = sides[one.digest].package, sides[other.digest].package
    pairs = list(_iterate_pairs(one, other))
    flips = {
        task
        for task in twin.gold
        if task in original.gold and _list_changed(original.gold[task], twin.gold[task])
    }
    follows = [
        (row.asked.task, _has_followed(original, twin, before, row))
        for before, row in pairs
        if row.asked.task in flips
    ]
    stays = [
        (row.asked.task, _is_same(twin.model.outcomes, before, row))
        for before, row in pairs
        if row.asked.task not in flips
    ]
    late = _list_failed(follows)
    outcomes = twin.model.outcomes
    same = {row.asked.task for before, row in pairs if _is_same(outcomes, before, row)}
    gone, new = compare_lines(original.shown.sop, twin.shown.sop)
    return Following(
        one,
        other,
        sides[other.digest].change,
        gone,
        new,
        _compute_rate(follows),
        _compute_rate(stays),
        late,
        _list_failed(stays),
        tuple(task for task in late if task in same),
    )


def _iterate_pairs(one: Series, other: Series) -> Iterator[tuple[Row, Row]]:
    for pair in select_pairs(one.rows, other.rows):
        if not any(row.stop == Stop.PROVIDER for row in pair):
            yield pair


def _list_changed(before: Task, after: Task) -> list[str]:
    names = {**before.outcomes, **after.outcomes}
    return [name for name in names if before.outcomes.get(name) != after.outcomes.get(name)]


def _has_followed(original: ProvedPackage, twin: ProvedPackage, before: Row, after: Row) -> bool:
    """Return whether what must change is right now, and was not stated before."""
    task, fields = after.asked.task, twin.model.fields
    right = twin.gold[task].outcomes
    changed = _list_changed(original.gold[task], twin.gold[task])
    stated, earlier = after.grade.stated, before.grade.stated
    is_right = all(is_equal(fields[name], right.get(name), stated.get(name)) for name in changed)
    return is_right and any(
        not is_equal(fields[name], earlier.get(name), stated.get(name)) for name in changed
    )


def _is_same(outcomes: Sequence[Field], before: Row, after: Row) -> bool:
    """Return whether an answer was given both times, and is the same."""
    one, other = before.grade.stated, after.grade.stated
    return bool(one) and all(
        is_equal(item, one.get(item.name), other.get(item.name)) for item in outcomes
    )


def _compute_rate(hits: Sequence[tuple[str, bool]]) -> Rate:
    return compute_rate([(hit, task) for task, hit in hits])


def _list_failed(hits: Sequence[tuple[str, bool]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(task for task, hit in hits if not hit))
