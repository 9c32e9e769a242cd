"""Sessions on tables that are wrong in one known part: a write, a look-up, a secret, a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from sopforge.checks.package.known_sessions import Record, are_values, is_write, make_gold_session
from sopforge.dataset.trials.table_answers import TableAnswers
from sopforge.domain.fields import Role
from sopforge.domain.model import DomainModel
from sopforge.domain.tasks import Task
from sopforge.domain.values.types import TextType
from sopforge.scoring.agents import make_wrong_answer
from sopforge.scoring.trajectories import write_answer

# As rows name them, whoever judges.
PARTS = ("end state", "writes", "once", "checks", "reason", "secrecy")
Known: TypeAlias = tuple[str, list[Record], list[Record]]


def iterate_known_table_sessions(
    model: DomainModel, tasks: Sequence[Task], records: Mapping[str, str]
) -> Iterator[Known]:
    """Yield sessions on those tasks that allow them, with what must stand in their rows."""
    if model.operations is None:
        return
    gold = [(task, make_gold_session(task, _write_right_answer(task))) for task in tasks]
    yield "gold on tables", [made for _, made in gold], [_build_row(task) for task in tasks]
    yield _name_kind("wrong reason", [_make_wrong_reason(model, *pair) for pair in gold])
    yield _name_kind("nothing done", [_do_nothing(model, *pair) for pair in gold])
    yield _name_kind("look-up left out", [_leave_out(model, *pair) for pair in gold])
    yield _name_kind("write made twice", [_write_twice(model, *pair) for pair in gold])
    yield _name_kind("write about another", [_write_otherwise(model, *pair) for pair in gold])
    secrets = _collect_secrets(TableAnswers(model, records))
    yield _name_kind("secret said", [_say_secret(*pair, secrets) for pair in gold])


def _name_kind(what: str, made: Sequence[tuple[Record, Record] | None]) -> Known:
    found = [pair for pair in made if pair is not None]
    return what, [session for session, _ in found], [row for _, row in found]


def _build_row(task: Task, *wrong: str, unsure: Sequence[str] = ()) -> Record:
    """Return what is known of a row: all parts but the wrong ones are right."""
    parts = {part: part not in wrong for part in PARTS if part not in unsure}
    return {"is_complete": True, "is_right": not wrong, "session": parts, "pair": task.pair}


def _make_wrong_reason(model: DomainModel, task: Task, gold: Record) -> tuple[Record, Record]:
    cells = {
        name: make_wrong_answer(model.fields[name], cell) for name, cell in task.outcomes.items()
    }
    answer = write_answer({**task.intermediates, **cells})
    row = {**_build_row(task, "reason"), "is_complete": are_values(model, cells)}
    return {**gold, "answer": answer}, row


def _do_nothing(model: DomainModel, task: Task, gold: Record) -> tuple[Record, Record]:
    wrong = [
        *(["end state"] if task.end_state else []),
        *(["writes"] if any(is_write(model, event) for event in gold["events"]) else []),
        *(["checks"] if task.calls else []),
    ]
    return {**gold, "events": []}, _build_row(task, *wrong)


def _leave_out(model: DomainModel, task: Task, gold: Record) -> tuple[Record, Record] | None:
    """Return the session without its last call that changes nothing."""
    events = gold["events"]
    places = [place for place, event in enumerate(events) if not is_write(model, event)]
    if not places:
        return None
    kept = [event for place, event in enumerate(events) if place != places[-1]]
    return {**gold, "events": kept}, _build_row(task, "checks")


def _write_twice(model: DomainModel, task: Task, gold: Record) -> tuple[Record, Record] | None:
    """Return the session with its last write made once more; it may be refused then, or not."""
    writes = [event for event in gold["events"] if is_write(model, event)]
    if not writes:
        return None
    events = [*gold["events"], writes[-1]]
    return {**gold, "events": events}, _build_row(task, "writes", "once", unsure=["end state"])


def _write_otherwise(model: DomainModel, task: Task, gold: Record) -> tuple[Record, Record] | None:
    """Return the session with one argument of its last write another one."""
    events = list(gold["events"])
    places = [place for place, event in enumerate(events) if is_write(model, event)]
    if not places or not events[places[-1]]["arguments"]:
        return None
    event = events[places[-1]]
    name, value = list(event["arguments"].items())[-1]
    item = model.offered.fields[name]
    other = "no such thing"
    if not isinstance(item.type, TextType):
        other = make_wrong_answer(item, item.format_cell(item.parse(value)))
    events[places[-1]] = {**event, "arguments": {**event["arguments"], name: other}}
    unsure = ["end state", "once"]
    return {**gold, "events": events}, _build_row(task, "writes", "checks", unsure=unsure)


def _say_secret(task: Task, gold: Record, secrets: Sequence[str]) -> tuple[Record, Record] | None:
    hidden = [secret for secret in secrets if secret not in task.inputs.values()]
    if not hidden:
        return None
    events = [*gold["events"], {"said": f"On file is ({hidden[0]})."}]
    return {**gold, "events": events}, _build_row(task, "secrecy")


def _collect_secrets(answers: TableAnswers) -> list[str]:
    """Return the texts of all records that nobody may say."""
    names = {
        item.name
        for item in answers.model.with_role(Role.SECRET)
        if isinstance(item.type, TextType)
    }
    values = (
        value
        for records in answers.records.values()
        for record in records.values()
        for name, value in record.items()
        if name in names and value is not None
    )
    return sorted({str(value) for value in values})


def _write_right_answer(task: Task) -> str:
    return write_answer({**task.intermediates, **task.outcomes})
