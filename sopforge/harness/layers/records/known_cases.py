"""The cases of a package as whoever makes a register sees them: entries, places, what is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sopforge.harness.environment.events import Called
from sopforge.harness.layers.ground import Ground
from sopforge.harness.layers.layer import Done
from sopforge.harness.layers.matching import Matching, choose_matching
from sopforge.harness.layers.records.mistaking import CasePlace
from sopforge.harness.layers.records.register import Cells
from sopforge.harness.layers.stated_cases import list_stated_cases
from sopforge.harness.scoring.trajectories import read_answer
from sopforge.language.domain.fields import Role
from sopforge.language.domain.model import DomainModel, ToolKind
from sopforge.language.domain.values.types import TextType
from sopforge.sandbox.answers import as_text
from sopforge.session.layers import FILE


class KnownCase(NamedTuple):
    """A case by its entries, where it comes up, and with which values tools are called for it.

    ``used`` has these values as JSON text.
    """

    entries: Cells
    places: tuple[CasePlace, ...]
    used: frozenset[str]


def list_known_cases(ground: Ground) -> list[KnownCase]:
    """Return all cases that come up, each once, in the order in which they do first."""
    found: dict[tuple[tuple[str, str], ...], KnownCase] = {}
    for name, task in ground.shown.tasks.items():
        done = ground.work_right(name)
        used = list(_iterate_used(done))
        for number, case in enumerate(list_stated_cases(task, done)):
            if case.is_correction:
                continue
            stated = read_answer(case.statement or "")
            is_decided = all(item.name in stated for item in ground.model.outcomes)
            identity = tuple(sorted(case.entries.items()))
            before = found.get(identity, KnownCase(case.entries, (), frozenset()))
            found[identity] = KnownCase(
                case.entries,
                (*before.places, CasePlace(name, number, is_decided)),
                before.used | used[number],
            )
    return list(found.values())


def _iterate_used(done: Done) -> Iterator[frozenset[str]]:
    """Yield for each case of a session the values with which tools are called."""
    used: set[str] = set()
    for event in done.events:
        if not isinstance(event, Called):
            continue
        if event.tool == FILE:
            yield frozenset(used)
            used = set()
        else:
            used |= {as_text(value) for value in event.arguments.values()}
    yield frozenset(used)


def list_published_rows(ground: Ground, cases: Iterable[KnownCase]) -> dict[str, Cells]:
    """Return the entries of all cases by their keys, also of those that come up in no session.

    A key has the entries with which it was published, or comes up first.
    """
    model = ground.model
    rows = [
        {item.name: item.format_cell(row[item.name]) for item in model.inputs}
        for row in ground.published
    ]
    rows += [dict(case.entries) for case in cases if len(case.entries) == len(model.inputs)]
    found: dict[str, Cells] = {}
    for row in rows:
        found.setdefault(row[model.key], row)
    return found


def choose_columns(ground: Ground) -> dict[str, Matching]:
    """Return the entries that the register has, each with how it is searched.

    It has no key, no free text, and nothing that equals a secret of a record, such as a code.
    """
    model = ground.model
    secrets = [item.name for item in model.with_role(Role.SECRET)]
    secret = {
        item.name
        for item in model.inputs
        for row in ground.published
        if any(row.get(name) is not None and row[item.name] == row.get(name) for name in secrets)
    }
    return {
        item.name: choose_matching(item.type)
        for item in model.inputs
        if item.name != model.key
        and item.name not in secret
        and not (isinstance(item.type, TextType) and item.type.is_free)
    }


def list_compared_entries(model: DomainModel) -> Mapping[str, Sequence[str]]:
    """Return for each tool that compares entries of a case with its record which these are."""
    return {
        tool.offered_name: [name for name in tool.takes if name != model.key]
        for tool in model.offered.tools.values()
        if tool.kind is ToolKind.LOOKUP and not tool.operation and model.key in tool.takes
    }


def list_references(model: DomainModel) -> list[str]:
    """Return the entries that lead to records beside that of the case."""
    keys = {entity.key for entity in model.references}
    return [item.name for item in model.inputs if item.name in keys]


def is_key_taken(model: DomainModel) -> bool:
    """Return whether tools are called with the key of the case."""
    return any(model.key in model.tools[name].takes for name in model.called)
