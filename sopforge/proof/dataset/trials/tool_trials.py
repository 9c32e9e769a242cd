"""Calls on which tools are tried, right and wrong ones, and what the model says to each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.values.patterns import read_pattern
from sopforge.language.domain.values.types import (
    Json,
    MomentType,
    Value,
)
from sopforge.language.logic.tool_calls import Refused
from sopforge.progress.tracking import track
from sopforge.proof.dataset.records import Row, as_json, build_case_rows
from sopforge.proof.dataset.tasks.told_texts import read_facts
from sopforge.proof.dataset.trials.model_answers import ModelAnswers, Raw
from sopforge.proof.dataset.trials.other_values import draw_other_value
from sopforge.proof.dataset.trials.table_answers import TableAnswers, TableState
from sopforge.proof.dataset.trials.turning_points import collect_named_days, find_turning_points
from sopforge.proof.dataset.trials.wrong_values import list_wrong_values
from sopforge.seeds import draw_below

SEED = 0
ROWS_WITH_TURNS = 60
"""Turning points are dear to find, and those of some rows are those of most."""
SLOTS = 160
"""How often each parameter is given something wrong, at least; once a row where rows are many."""
GROUPS = 12
"""In how many processes operations are tried: what one has changed is as it was in the next."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One call, and what the model says to it: a result, or the code of a refusal.

    ``is_first`` says that no call before it has changed the record. Calls of one ``group`` are made
    in order, in a process of their own.
    """

    tool: str
    arguments: Raw
    expected: Mapping[str, Json] | str
    is_first: bool = True
    group: int = 0


def iterate_tool_trials(
    model: DomainModel, records: Mapping[str, str], inputs: Sequence[Row], *, slots: int = SLOTS
) -> Iterator[Trial]:
    """Return calls of every tool on the record of each case, in order.

    A call may change the record for those after it. ``slots`` is how often each parameter is given
    something wrong.
    """
    wrong_a_row = max(1, -(-slots // max(1, len(inputs))))
    kind = _Trying if model.operations is None else _TryingOperations
    trying = kind(model, records, wrong_a_row, len(inputs))
    cases = track(build_case_rows(model, records, inputs), "cases tried with the tools")
    for number, found in enumerate(cases):
        yield from trying.iterate_case_trials(found or inputs[number], number)


class _Trying:
    """Tries the tools of a model, case by case."""

    answers: ModelAnswers | TableAnswers

    def __init__(
        self, model: DomainModel, records: Mapping[str, str], wrong_a_row: int, cases: int
    ) -> None:
        self.model = model.offered
        self.row_model = model
        self.wrong_a_row = wrong_a_row
        self.cases = cases
        self.open_records(model, records)
        self.records = self.answers.records
        tools = self.model.tools.values()
        self.days = {tool.name: collect_named_days(self.model, tool) for tool in tools}
        self.unknown = {key: self.find_unused_key(key) for key in self.answers.known}

    def open_records(self, model: DomainModel, records: Mapping[str, str]) -> None:
        """Read the records from which calls are answered."""
        self.answers = self.by_row = ModelAnswers(model, records)

    def find_unused_key(self, key: str) -> str:
        """Return a well-formed key that no record has, nothing where every key has one."""
        pattern = read_pattern(getattr(self.model.fields[key].type, "pattern", ""))
        texts, known = map(pattern.build_text, range(pattern.size)), self.answers.known[key]
        return next((text for text in texts if text not in known), "")

    def iterate_case_trials(self, row: Row, number: int) -> Iterator[Trial]:
        """Return the calls about one case."""
        first = row
        for tool in self.model.tools.values():
            frame = self.build_frame(tool, row, number)
            if not all(v is not None or self.model.fields[n].missing for n, v in frame.items()):
                continue  # those of a record that the case lacks are no arguments
            for raw in self.iterate_calls(tool, frame, row, number):
                said, after = self.by_row.answer(tool, raw, row)
                if said is not None:
                    expected = said.code if isinstance(said, Refused) else said
                    yield Trial(tool.name, raw, expected, row is first)
                row = after

    def build_frame(self, tool: Tool, record: Row, number: int) -> dict[str, Value | None]:
        """Return arguments: the record's own, and drawn values for what an agent would decide."""
        drawn: dict[str, Value | None] = {}
        for item in self.model.list_tool_parameters(tool):
            if item.name in record:
                drawn[item.name] = record[item.name]
            else:
                low, high = item.type.bounds
                drawn[item.name] = low + draw_below(
                    high - low + 1, SEED, tool.name, item.name, number
                )
        return drawn

    def iterate_calls(
        self, tool: Tool, frame: Mapping[str, Value | None], row: Row, number: int
    ) -> Iterator[Raw]:
        """Return the arguments of the calls of one tool about one case."""
        given = as_json(self.model, frame)
        yield given
        yield from self.iterate_other_calls(tool, frame, row, number)
        for place, item in enumerate(self.model.list_tool_parameters(tool)):
            wrong = list_wrong_values(item, item.as_json(frame[item.name]))
            start = (number + place) * self.wrong_a_row
            for turn in range(start, start + self.wrong_a_row):
                yield {**given, item.name: wrong[turn % len(wrong)]}
        lacking = tool.takes[number % len(tool.takes)]
        yield {name: value for name, value in given.items() if name != lacking}
        further = tool.takes[number % len(tool.takes)]
        # A name that is nearly a parameter's is refused like any other.
        yield {**given, ("further", further.upper(), f"{further} ", "")[number % 4]: 1}
        for entity in self.model.list_entities_read(tool):
            if self.unknown.get(entity.key):
                yield {**given, entity.key: self.unknown[entity.key]}
            if entity is not self.model.case and self.records.get(entity.name):
                keys = sorted(self.records[entity.name])
                yield {**given, entity.key: keys[number % len(keys)]}

    def iterate_other_calls(
        self, tool: Tool, frame: Mapping[str, Value | None], row: Row, number: int
    ) -> Iterator[Raw]:
        """Return calls with other values: one at a time, all at once, and around limits."""
        keys = {entity.key for entity in self.model.list_entities_read(tool)}
        free = [item for item in self.model.list_tool_parameters(tool) if item.name not in keys]
        drawn = {item.name: draw_other_value(item, frame[item.name], number) for item in free}
        others = {name: value for name, value in drawn.items() if value is not None}
        for name, value in others.items():
            yield as_json(self.model, {**frame, name: value})
        yield as_json(self.model, {**frame, **others})
        for name, value in self.iterate_near_days(tool, number):
            yield as_json(self.model, {**frame, name: value})
        for item in free if number < ROWS_WITH_TURNS else ():
            for value in find_turning_points(self.model, tool, frame, row, item):
                yield as_json(self.model, {**frame, item.name: value})

    def iterate_near_days(self, tool: Tool, number: int) -> Iterator[tuple[str, Value]]:
        """Return for each date and time one of the days that the tool's rules name, in turn."""
        days = self.days[tool.name]
        for item in self.model.list_tool_parameters(tool) if days else ():
            day = days[number % len(days)]
            if isinstance(item.type, MomentType):
                value = item.type.place(day)
                if item.type.minimum <= value <= item.type.maximum:
                    yield item.name, value


class _TryingOperations(_Trying):
    """Tries the operations of a model: each about the records that steps call it about."""

    def open_records(self, model: DomainModel, records: Mapping[str, str]) -> None:
        self.answers = self.by_table = TableAnswers(model, records)
        self.state = self.by_table.begin()
        self.group = 0

    def iterate_case_trials(self, row: Row, number: int) -> Iterator[Trial]:
        self.begin_group(number * GROUPS // max(1, self.cases))
        for bound in self.row_model.tools.values():
            tool = self.model.tools[bound.offered_name]
            seen = _rename_row(bound, row)
            frame = self.build_frame(tool, seen, number)
            if not all(v is not None or self.model.fields[n].missing for n, v in frame.items()):
                continue  # those of a record that the case lacks are no arguments
            for raw in self.iterate_calls(tool, frame, seen, number):
                before = self.state
                said, self.state = self.by_table.answer(tool, raw, before)
                expected = said.code if isinstance(said, Refused) else said
                yield Trial(tool.name, raw, expected, self.is_fresh(tool, raw, before), self.group)

    def begin_group(self, group: int) -> None:
        """Begin anew where a group of cases begins."""
        if group != self.group:
            self.group, self.state = group, self.by_table.begin()

    def is_fresh(self, tool: Tool, raw: Raw, state: TableState) -> bool:
        """Return whether what a call reads is as it was at the beginning."""
        places = set(self.by_table.list_places(tool, raw))
        is_begun = state.session == self.by_table.begin().session
        # Of what a record refers to, nothing is known here.
        return is_begun and not (places & set(state.changed)) and not state.changed


def _rename_row(bound: Tool, row: Row) -> Row:
    """Return a row in the terms of the operation that a tool is bound from."""
    named = {name: row[actual] for name, actual in bound.names.items() if actual in row}
    return {**row, **named}


def parse_case_inputs(model: DomainModel, tasks: Iterable[Mapping[str, str]]) -> list[Row]:
    """Return what tasks state, by their cells, as values."""
    return [
        {
            **{name: model.fields[name].parse(cell) for name, cell in inputs.items()},
            **read_facts(model, inputs),
        }
        for inputs in tasks
    ]
