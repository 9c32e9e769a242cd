"""Registers, made on the grader's side: near-duplicates beside cases, each proved to mislead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sopforge.harness.layers.call_names import find_free_name
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import make_dial_error
from sopforge.harness.layers.matching import Matching
from sopforge.harness.layers.records.arranging import Arranger, Cluster
from sopforge.harness.layers.records.drawing import Drawer, NearRow
from sopforge.harness.layers.records.known_cases import (
    KnownCase,
    choose_columns,
    is_key_taken,
    list_compared_entries,
    list_known_cases,
    list_published_rows,
    list_references,
)
from sopforge.harness.layers.records.mistaking import Effect, Mistake
from sopforge.harness.layers.records.recorded import PartialCase, Records
from sopforge.harness.layers.records.register import Cells
from sopforge.harness.layers.records.stating import TITLE, SearchRules, write_left_out, write_search
from sopforge.harness.layers.stated_cases import StatedCase, list_stated_cases
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.tasks.task_texts import leave_out_entries
from sopforge.sandbox.answers import as_json, as_text
from sopforge.seeds import permute_items
from sopforge.session.layers import FILE

TOOL = "findCases"
_LEAST_ROWS, _LEAST_COLUMNS = 10, 2
_FAILURES = 10
"""How many rows that do not mislead to an answer are tried for a case."""


def make_records(ground: Ground, dose: int, seed: int) -> tuple[Records, None]:
    """Return the layer of so many near-duplicates beside each case.

    Raises:
        MaterialError: the tasks of the domain cannot lose the keys of their cases.
    """
    return _RegisterMaker(ground, dose, seed).make(), None


@dataclass(frozen=True)
class _RegisterMaker:
    """Makes the register of one package."""

    ground: Ground
    dose: int
    seed: int

    def make(self) -> Records:
        if len(self.columns) < _LEAST_COLUMNS:
            message = "a near-duplicate is found by an entry beside the one in which it differs"
            hint = "leave the dial out, or state two entries of each case beside its key"
            raise make_dial_error(Records.name, message, hint)
        clusters = [self._make_cluster(case) for case in self.cases]
        self._require_room(clusters)
        arranged = Arranger(
            self.model, list(self.columns), self.published, clusters, self.limit, self.seed
        ).arrange()
        taken = {tool.name for tool in self.ground.shown.tools}
        rules = SearchRules(
            find_free_name(TOOL, taken), self.limit, self.model.key, tuple(self.columns)
        )
        section = write_search(
            self.model,
            rules,
            has_further=any(len(names) > 1 for names in arranged.left_out.values()),
            has_queue=FILE in taken,
        )
        nears = [row for cluster in clusters for row in cluster.nears]
        return Records(
            dose=self.dose,
            tool=rules.tool,
            key=self.model.key,
            columns=self.columns,
            limit=self.limit,
            rows=arranged.rows,
            own=arranged.own,
            cases=self._state_cases(arranged.left_out),
            near={row.entries[self.model.key]: row.near for row in nears},
            compared=frozenset(list_compared_entries(self.model)),
            title=TITLE,
            section=list(section),
        )

    @property
    def model(self) -> DomainModel:
        return self.ground.model

    @property
    def limit(self) -> int:
        """How many rows a search returns at most: those of two cases with their near-duplicates."""
        return max(_LEAST_ROWS, 2 * (self.dose + 1))

    @cached_property
    def cases(self) -> Sequence[KnownCase]:
        return list_known_cases(self.ground)

    @cached_property
    def published(self) -> Mapping[str, Cells]:
        return list_published_rows(self.ground, self.cases)

    @cached_property
    def columns(self) -> Mapping[str, Matching]:
        return choose_columns(self.ground)

    @cached_property
    def drawer(self) -> Drawer:
        return Drawer(self.model, list(self.columns), self.published, self.seed)

    def _make_cluster(self, case: KnownCase) -> Cluster:
        """Return the near-duplicates of a case, by what its task leaves out for most of them.

        Those count first that lead to an answer, for nothing then shows that it is another case's.
        """
        best, most = Cluster(case, (self.model.key,)), (0, 0)
        for left_out in self._list_options(case):
            wrong, spare = self._find_nears(case, left_out)
            nears = (*wrong, *spare)[: self.dose]
            if (len(wrong), len(nears)) > most:
                best, most = Cluster(case, left_out, nears), (len(wrong), len(nears))
            if len(wrong) == self.dose:
                break
        return best

    def _list_options(self, case: KnownCase) -> list[tuple[str, ...]]:
        """Return what the task of a case may leave out, what distinguishes cases best first.

        Where no tool takes the key, it leaves out an entry by which another record is found. Of a
        case that comes to no results nothing can be mistaken.
        """
        key = self.model.key
        if not any(place.is_decided for place in case.places):
            return []
        used = [name for name in (key, *list_references(self.model)) if self._is_used(case, name)]
        further = [(key, name) for name in used if name != key and name in self.columns]
        drawn = permute_items(further, self.seed, "left out", case.entries[key])
        alone = [(key,)] if key in used else []
        return [*alone, *drawn] if is_key_taken(self.model) else [*drawn, *alone]

    def _is_used(self, case: KnownCase, name: str) -> bool:
        """Return whether a tool is called with an entry of a case."""
        if name not in case.entries:
            return False
        item, cell = self.model.fields[name], case.entries[name]
        return (
            cell != item.missing and as_text(as_json(item.as_json(item.parse(cell)))) in case.used
        )

    def _find_nears(
        self, case: KnownCase, left_out: tuple[str, ...]
    ) -> tuple[list[NearRow], list[NearRow]]:
        """Return rows that mislead to an answer, and such that mislead to none."""
        found: dict[Effect, list[NearRow]] = {effect: [] for effect in Effect}
        wrong, undecided = found[Effect.WRONG], found[Effect.UNDECIDED]
        turn = failures = 0
        while len(wrong) < self.dose and failures < _FAILURES:
            if not wrong and len(undecided) >= self.dose:
                break
            row = self.drawer.draw(case, left_out, turn)
            turn += 1
            effect = Effect.NONE if row is None else self._assess(case, row, left_out)
            failures += effect is not Effect.WRONG
            if row is not None:
                found[effect].append(row)
        return wrong, undecided

    def _assess(self, case: KnownCase, row: NearRow, left_out: tuple[str, ...]) -> Effect:
        """Return the least that comes of it, wherever what a row has is taken for a case."""
        key, compared = row.entries[self.model.key], list_compared_entries(self.model)

        def resolve(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
            return row.near.resolve_arguments(key, arguments, is_compared=tool in compared)

        taken = {**case.entries, **{name: row.entries[name] for name in left_out}}
        found = Effect.WRONG
        for place in (place for place in case.places if place.is_decided):
            effect = Mistake(self.ground, place, taken, resolve).assess()
            if effect is Effect.NONE:
                return effect
            found = effect if effect is Effect.UNDECIDED else found
        return found

    def _require_room(self, clusters: Sequence[Cluster]) -> None:
        """Refuse a domain in which fewer than half of the cases can be mistaken."""
        decided = [item for item in clusters if any(place.is_decided for place in item.case.places)]
        size, can = len(decided), sum(bool(cluster.nears) for cluster in decided)
        if not size or 2 * can < size:
            message = (
                f"{can} of {size} cases can be mistaken for another one that comes to another"
                " answer: their tasks need no key"
            )
            hint = "leave the dial out, or have a tool look up the case by its key"
            raise make_dial_error(Records.name, message, hint)

    def _state_cases(
        self, left_out: Mapping[tuple[str, int], Sequence[str]]
    ) -> Mapping[str, Sequence[PartialCase]]:
        """Return for each task its cases as it states them with the layer."""
        return {
            name: [
                self._state_case(case, left_out.get((name, number), ()))
                for number, case in enumerate(list_stated_cases(task, self.ground.work_right(name)))
            ]
            for name, task in self.ground.shown.tasks.items()
        }

    def _state_case(self, case: StatedCase, left_out: Sequence[str]) -> PartialCase:
        """Return a case without some entries; it is as it was where its text states them anyhow."""
        text = leave_out_entries(self.model, case.text, case.entries, left_out)
        if not left_out or text is None:
            return PartialCase(case.text)
        return PartialCase(text + write_left_out(self.model, left_out), tuple(left_out))
