"""Calls answered by the model itself: the meaning that everything else is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sopforge.errors import Fault, PackageUnreadableError
from sopforge.harness.environment.events import Reply
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.shown import Shown, ShownTask
from sopforge.language.domain.model import DomainModel
from sopforge.language.logic.tool_calls import Refused
from sopforge.proof.dataset.records import Row, build_case_rows
from sopforge.proof.dataset.trials.model_answers import ModelAnswers
from sopforge.proof.dataset.trials.table_answers import TableAnswers, TableState
from sopforge.proof.dataset.trials.tool_trials import parse_case_inputs
from sopforge.sandbox.answers import JSONValue, as_json


@dataclass(frozen=True, slots=True)
class Records:
    """The row of the case of a session, and the rows of other cases that its calls changed."""

    own: Row
    others: Mapping[str, Row]


@dataclass(frozen=True, slots=True)
class ModelService:
    """Answers by the rules of a model; it keeps what the records hold now."""

    answers: ModelAnswers
    rows: Mapping[str, Row]

    def begin(self, task: ShownTask, seed: int) -> Records:  # noqa: ARG002 - protocol
        """Return the records as they are published."""
        return Records(self.rows[task.id], {})

    def answer(
        self, kept: Records, tool: str, arguments: Mapping[str, JSONValue]
    ) -> tuple[Records, Reply]:
        """Return the records after a call, and the reply."""
        model = self.answers.model
        said, own = self.answers.answer(model.tools[tool], arguments, kept.own)
        if said is not None:
            return replace(kept, own=own), _make_reply(said)
        key = str(arguments[model.key])
        before = kept.others.get(key) or self.answers.cases[key]
        said, after = self.answers.answer(model.tools[tool], arguments, before)
        if said is None:
            raise AssertionError("a call about the case of its own key is about no other")
        return replace(kept, others={**kept.others, key: after}), _make_reply(said)


@dataclass(frozen=True, slots=True)
class TableService:
    """Answers by the rules of a model with tables; it keeps what has changed in them."""

    answers: TableAnswers

    def begin(self, task: ShownTask, seed: int) -> TableState:  # noqa: ARG002 - protocol
        """Return the tables as they are published, and a session that has just begun."""
        return self.answers.begin()

    def answer(
        self, kept: TableState, tool: str, arguments: Mapping[str, JSONValue]
    ) -> tuple[TableState, Reply]:
        """Return what has changed after a call, and the reply."""
        said, after = self.answers.answer(self.answers.model.tools[tool], arguments, kept)
        return after, _make_reply(said)


def make_table_service(model: DomainModel, files: Mapping[str, str]) -> TableService:
    """Return the service of a model with tables, from the files of the records.

    Raises:
        PackageUnreadableError: a file is no table.
        ValueNotAllowedError: a cell is no value of its field.
    """
    return TableService(TableAnswers(model, files))


def make_model_service(
    model: DomainModel, files: Mapping[str, str], tasks: Iterable[ShownTask]
) -> ModelService:
    """Return the service of some tasks, from the files of the records.

    Raises:
        PackageUnreadableError: a file is no table, or a task has no record.
        ValueNotAllowedError: a cell is no value of its field.
    """
    given = list(tasks)
    found = build_case_rows(model, files, parse_case_inputs(model, [task.inputs for task in given]))
    rows = {task.id: row for task, row in zip(given, found, strict=True) if row is not None}
    if lacking := [task.id for task in given if task.id not in rows]:
        message = f"{lacking[0]} has no record"
        fault = Fault("package-malformed", message, "records.csv", "publish the package again")
        raise PackageUnreadableError(fault)
    return ModelService(ModelAnswers(model, files), rows)


def make_model_environment(
    model: DomainModel, shown: Shown, files: Mapping[str, str]
) -> Environment[Any]:
    """Return the environment in which a model answers; raises as the makers of its services."""
    if model.operations is not None:
        return Environment(shown, make_table_service(model, files))
    return Environment(shown, make_model_service(model, files, shown.tasks.values()))


def _make_reply(said: Mapping[str, JSONValue] | Refused) -> Reply:
    if isinstance(said, Refused):
        return Reply(None, said.code, said.says)
    return Reply({name: as_json(value) for name, value in said.items()})
