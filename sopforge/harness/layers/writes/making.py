"""Files, made on the grader's side: how each stands, what is entered, and the codes of reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sopforge.harness.environment.session import open_session
from sopforge.harness.layers.call_names import find_free_name
from sopforge.harness.layers.desk import open_desk
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import make_dial_error
from sopforge.harness.layers.matching import choose_matching
from sopforge.harness.layers.stated_cases import list_stated_cases
from sopforge.harness.layers.writes.filed import Writes
from sopforge.harness.layers.writes.files import Journal, read_journals
from sopforge.harness.layers.writes.judging import FilingJudge
from sopforge.harness.layers.writes.rules import (
    ANY_VALUE,
    FREE,
    Act,
    FileStanding,
    FilingRules,
    Status,
)
from sopforge.harness.layers.writes.stating import TITLE, write_filing
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import BOOLEAN_WORDS, BooleanType, EnumType
from sopforge.seeds import draw_below, permute_index, permute_items
from sopforge.session.layers import FILE

DESKS = ("audit desk", "appeals desk", "accounts desk", "training desk")
_HALF = 2
_CODES = 900


def make_writes(ground: Ground, dose: int, seed: int) -> tuple[Writes, FilingJudge]:
    """Return the layer in which so many results are entered on files, and what judges these.

    A domain with fewer results has all of them entered. Half of the files are not free, of those of
    one path every other one in drawn order, so that nothing in a case shows which.

    Raises:
        MaterialError: fewer than half of the cases come to results.
    """
    return _FilesMaker(ground, dose, seed).make()


@dataclass(frozen=True)
class _FilesMaker:
    """Makes the files of one package."""

    ground: Ground
    dose: int
    seed: int

    def make(self) -> tuple[Writes, FilingJudge]:
        rules = FilingRules(
            self._name_tools(),
            {item.name: item.missing for item in self._choose_results()},
            self.model.primary.name,
            dict(self._iterate_reasons()),
        )
        has_queue = any(tool.name == FILE for tool in self.ground.shown.tools)
        layer = Writes(
            dose=self.dose,
            rules=rules,
            results=[item.name for item in self.model.outcomes],
            desks=DESKS,
            statuses=self._draw_statuses(),
            keys=self.keys,
            title=TITLE,
            section=list(write_filing(self.model, rules, has_queue=has_queue)),
        )
        return layer, self._make_judge(layer)

    def _make_judge(self, layer: Writes) -> FilingJudge:
        """Return what judges files: they are right as the reference leaves them."""
        environment = layer.join(self.ground.environment)
        right: dict[str, dict[str, Journal]] = {}
        for task in environment.shown.tasks:
            session = open_session(environment, task)
            self.ground.solve(open_desk(session), self.model)
            right[task] = read_journals(layer.acts, session.state.events)
        self._require_room(right)
        return FilingJudge(
            layer.acts,
            {item.name: choose_matching(item.type) for item in self.model.outcomes},
            right,
        )

    def _require_room(self, right: Mapping[str, Mapping[str, Journal]]) -> None:
        """Refuse a domain in which nothing is to be done about more than half of the files."""
        size = sum(len(set(keys)) for keys in self.keys.values())
        can = sum(len(journals) for journals in right.values())
        if 2 * can < size:
            message = f"{can} of {size} cases come to results, which alone are entered on file"
            hint = "leave the dial out, or ask for more tasks that come to results"
            raise make_dial_error(Writes.name, message, hint)

    @property
    def model(self) -> DomainModel:
        return self.ground.model

    def _name_tools(self) -> Mapping[Act, str]:
        taken = {tool.name for tool in self.ground.shown.tools}
        return {act: find_free_name(act.value, taken) for act in Act}

    def _choose_results(self) -> Sequence[Field]:
        """Return the results that are entered, in drawn order; the primary one is among them."""
        outcomes = self.model.outcomes
        drawn = permute_items(outcomes, self.seed, "results")
        chosen = sorted(drawn, key=lambda item: not item.primary)[: self.dose]
        return [item for item in drawn if item in chosen]

    def _iterate_reasons(self) -> Iterator[tuple[str, str]]:
        """Yield the code for each cell of the primary result, each code once."""
        for number, cell in enumerate(_list_cells(self.model.primary)):
            yield cell, f"R{100 + permute_index(number, _CODES, self.seed, 'reason')}"

    @cached_property
    def keys(self) -> Mapping[str, Sequence[str]]:
        """The keys of the cases of each task, in their order."""
        return {
            name: [
                case.entries[self.model.key]
                for case in list_stated_cases(task, self.ground.work_right(name))
            ]
            for name, task in self.ground.shown.tasks.items()
        }

    def _draw_statuses(self) -> Mapping[str, Status]:
        """Return how the file of each case stands, also of those that come up in no session."""
        paths: dict[str, str] = {}
        for task, keys in self.keys.items():
            for key, path in zip(keys, self.ground.paths[task], strict=True):
                paths.setdefault(key, path)
        key_field = self.model.fields[self.model.key]
        for row in self.ground.published:
            paths.setdefault(key_field.format_cell(row[self.model.key]), "")
        drawn = permute_items(list(paths), self.seed, "files")
        ranked = sorted(drawn, key=lambda key: paths[key])
        return {key: self._draw_status(number, key) for number, key in enumerate(ranked)}

    def _draw_status(self, number: int, key: str) -> Status:
        if number % _HALF == 0:
            return FREE
        if number % (2 * _HALF) == 1:
            return Status(FileStanding.CLOSED)
        desk = DESKS[draw_below(len(DESKS), self.seed, "desk", key)]
        return Status(FileStanding.RESERVED, desk)


def _list_cells(item: Field) -> list[str]:
    """Return the cells of a result with labels, and what stands for all of any other."""
    if isinstance(item.type, EnumType):
        cells = list(item.type.values)
    else:
        cells = list(BOOLEAN_WORDS) if isinstance(item.type, BooleanType) else [ANY_VALUE]
    return [*cells, item.missing] if item.missing and cells != [ANY_VALUE] else cells
