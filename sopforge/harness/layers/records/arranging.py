"""The rows of a register in their order, and the proof that one alone fits each case."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sopforge.harness.layers.records.drawing import NearRow
from sopforge.harness.layers.records.known_cases import KnownCase
from sopforge.harness.layers.records.mistaking import CasePlace
from sopforge.harness.layers.records.register import Cells, RegisterRow
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Value
from sopforge.seeds import draw


class Cluster(NamedTuple):
    """A case, what its task leaves out, and the near-duplicates that stand beside it."""

    case: KnownCase
    left_out: tuple[str, ...]
    nears: tuple[NearRow, ...] = ()


class Arranged(NamedTuple):
    """The rows of the register, those that differ in the sessions of a task, and what is left out.

    ``left_out`` is by task and number of a case.
    """

    rows: Sequence[RegisterRow]
    own: Mapping[str, Mapping[str, Cells | None]]
    left_out: Mapping[tuple[str, int], tuple[str, ...]]


@dataclass(frozen=True)
class Arranger:
    """Arranges the rows of the cases of a package and those of their near-duplicates."""

    model: DomainModel
    columns: Sequence[str]
    published: Mapping[str, Cells]
    clusters: Sequence[Cluster]
    limit: int
    seed: int

    def arrange(self) -> Arranged:
        """Return the register. A case that no search shows, or that others fit, keeps its key."""
        left_out = {
            (place.task, place.number): cluster.left_out
            for cluster in self.clusters
            for place in cluster.case.places
            if self._can_be_found(cluster, place)
        }
        rows = [
            RegisterRow(key, {name: self.rows[key][name] for name in self.columns})
            for key in sorted(self.rows, key=lambda key: self.places[key])
        ]
        return Arranged(rows, {task: own for task, own in self.own.items() if own}, left_out)

    @cached_property
    def rows(self) -> Mapping[str, Cells]:
        """All rows by their keys, as far as they are the same in all sessions."""
        nears = [row for cluster in self.clusters for row in cluster.nears]
        return {**self.published, **{self._get_key(row.entries): row.entries for row in nears}}

    def _get_key(self, entries: Cells) -> str:
        return entries[self.model.key]

    @cached_property
    def own(self) -> Mapping[str, Mapping[str, Cells | None]]:
        """The rows that are other ones in the sessions of a task: None for those left out there.

        A case may come up with other entries than it was published with. One that nobody asks for,
        and that fits a case as well as its own row does, is left out.
        """
        found: dict[str, dict[str, Cells | None]] = {}
        for cluster in self.clusters:
            entries = cluster.case.entries
            key = self._get_key(entries)
            fitting = [other for other in self._list_fitting(cluster) if other != key]
            for place in cluster.case.places:
                own = found.setdefault(place.task, {})
                if any(self.rows[key][name] != cell for name, cell in entries.items()):
                    row = {**self.rows[key], **entries}
                    own[key] = {name: row[name] for name in self.columns}
                free = [other for other in fitting if other not in self.coming[place.task]]
                own.update(dict.fromkeys(free))
        return found

    @cached_property
    def coming(self) -> Mapping[str, Mapping[str, Cells]]:
        """The rows of the cases that come up in the sessions of each task, by their keys."""
        found: dict[str, dict[str, Cells]] = defaultdict(dict)
        for cluster in self.clusters:
            for place in cluster.case.places:
                key = self._get_key(cluster.case.entries)
                found[place.task][key] = {**self.rows[key], **cluster.case.entries}
        return found

    def _can_be_found(self, cluster: Cluster, place: CasePlace) -> bool:
        """Return whether the row of a case alone fits it in a session, and some search shows it."""
        key, coming = self._get_key(cluster.case.entries), self.coming[place.task]
        stated = self._list_stated(cluster)
        others = [other for other, entries in coming.items() if self._fits(cluster, entries)]
        if others != [key] or not stated:
            return False
        return any(self._count_before(key, name, cluster) < self.limit for name in stated)

    def _list_stated(self, cluster: Cluster) -> list[str]:
        entries = cluster.case.entries
        return [n for n in self.columns if n in entries and n not in cluster.left_out]

    def _list_fitting(self, cluster: Cluster) -> list[str]:
        """Return the keys of all rows that fit what the task of a case states."""
        return [key for key, row in self.rows.items() if self._fits(cluster, row)]

    def _fits(self, cluster: Cluster, row: Cells) -> bool:
        entries = cluster.case.entries
        return all(
            row[name] == entries[name]
            or self._parse(name, row[name]) == self._parse(name, entries[name])
            for name in self._list_stated(cluster)
        )

    def _parse(self, name: str, cell: str) -> Value | None:
        return self.model.fields[name].parse(cell)

    def _count_before(self, key: str, name: str, cluster: Cluster) -> int:
        """Return how many rows at most a search by an entry returns before that of a case."""
        found = self._holding[name, cluster.case.entries[name]]
        return sum(self.places[other] < self.places[key] for other in found)

    @cached_property
    def _holding(self) -> Mapping[tuple[str, str], Sequence[str]]:
        """The keys of the rows that hold a cell of an entry."""
        found: dict[tuple[str, str], list[str]] = defaultdict(list)
        for key, row in self.rows.items():
            for name in self.columns:
                found[name, row[name]].append(key)
        return found

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each row stands: a drawn number, so that none gives itself away."""
        return {key: draw(self.seed, "place", key) for key in self.rows}
