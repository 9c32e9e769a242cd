"""What makes a manner bite: who takes the first word, believes or obeys has the task wrong.

Each choice is drawn, and rehearsed before it is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sopforge.harness.users.acts import Act, ActKind
from sopforge.harness.users.pliant import Yielding
from sopforge.harness.users.rehearsing import Rehearsal
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import ToolKind
from sopforge.language.domain.values.types import (
    ScalarType,
)
from sopforge.seeds import draw_below, permute_items

_DRAWN = 4
_REHEARSED = 40
"""How often something is rehearsed for a task before it is given up."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A change of an entry, and with which entry it is made; "" where all is said at once."""

    change: Act
    turning: str = ""


def find_turn(rehearsal: Rehearsal, task: str, seed: int, *, has_turns: bool) -> Turn | None:
    """Return a change such that taking the first value fails, None where there is none.

    Where the user ``has_turns``, it is made no later than with an entry that an agent needs before
    it acts or decides. A first value by which the procedure comes to an end is preferred.
    """
    found: list[Turn] = []
    for change, is_finished in _iterate_changes(rehearsal, task, seed):
        if found and not is_finished:
            continue
        first = {**rehearsal.tasks[task].inputs, change.about: change.before}
        turning = find_needed(rehearsal, task, first, seed, {change.about}) if has_turns else ""
        if turning is None:
            continue
        found.append(Turn(change, turning))
        if is_finished:
            return found[-1]
    return found[0] if found else None


def find_needed(
    rehearsal: Rehearsal,
    task: str,
    entries: dict[str, str],
    seed: int,
    others: set[str] | frozenset[str] = frozenset(),
) -> str | None:
    """Return an entry that is needed before the first action or decision, and is none of some."""
    names = (name for name in list_open_entries(rehearsal, task, seed) if name not in others)
    return next((name for name in names if rehearsal.is_needed(task, entries, name)), None)


def list_open_entries(rehearsal: Rehearsal, task: str, seed: int) -> list[str]:
    """Return the entries beside the key, in drawn order."""
    model = rehearsal.model
    return permute_items([item.name for item in model.changeable_inputs], seed, "order", task)


def _iterate_changes(rehearsal: Rehearsal, task: str, seed: int) -> Iterator[tuple[Act, bool]]:
    """Yield changes of which the first value fails, and whether it leads to an end all the same."""
    entries, left = rehearsal.tasks[task].inputs, _REHEARSED
    for name in list_open_entries(rehearsal, task, seed):
        for cell in rehearsal.draw_other_cells(task, name):
            if not left:
                return
            left -= 1
            done = rehearsal.run(task, {**entries, name: cell})
            if rehearsal.has_failed(task, done):
                yield Act(ActKind.CHANGE, name, entries[name], cell), rehearsal.is_finished(done)


def find_claim(rehearsal: Rehearsal, task: str, seed: int) -> Act | None:
    """Return a claim such that believing it fails, None where there is none.

    It is about what a tool returns, so that whoever looks there knows better.
    """
    model = rehearsal.model
    returned = {name for tool in model.called for name in model.tools[tool].returns}
    fields = [item for item in model.with_role(Role.OBSERVED) if item.name in returned]
    left = _REHEARSED
    for item in permute_items(fields, seed, "order", "claim", task):
        for cell in _list_claimable(item, seed, task):
            if not left:
                return None
            left -= 1
            done = rehearsal.run(
                task, rehearsal.tasks[task].inputs, Yielding(believed={item.name: cell})
            )
            if rehearsal.has_failed(task, done) and rehearsal.is_finished(done):
                return Act(ActKind.CLAIM, item.name, cell)
    return None


def is_claimable(item: Field) -> bool:
    """Return whether values of a field may be claimed: no texts and no lists."""
    return isinstance(item.type, ScalarType)


def _list_claimable(item: Field, seed: int, task: str) -> list[str]:
    """Return values of a field's type that may be claimed: few, in drawn order."""
    if not is_claimable(item):
        return []
    low, high = item.type.bounds
    codes: Sequence[int] = range(low, high + 1)
    if len(codes) > _DRAWN:
        drawn = (draw_below(len(codes), seed, "claimed", task, item.name, n) for n in range(_DRAWN))
        codes = [codes[place] for place in (0, len(codes) - 1, *drawn)]
    cells = dict.fromkeys(item.format_cell(code) for code in codes)
    return permute_items(list(cells), seed, "order", "claimed", task, item.name)


def find_demands(rehearsal: Rehearsal, task: str, seed: int) -> tuple[Act, ...]:
    """Return demands such that obeying them fails; none where there are none.

    What is demanded is drawn of all that the domain has, so that nothing is learned from it of
    what is right at the task.
    """
    model = rehearsal.model
    writes = permute_items(_list_own_actions(rehearsal), seed, "order", "write", task)[:1]
    secrets = [item.name for item in model.with_role(Role.SECRET)]
    for skipped in permute_items(_list_skippable(rehearsal), seed, "order", "skip", task):
        yielding = Yielding(skipped=frozenset({skipped}), written=tuple(writes))
        done = rehearsal.run(task, rehearsal.tasks[task].inputs, yielding)
        if rehearsal.has_failed(task, done):
            return (
                Act(ActKind.SKIP, skipped),
                *(Act(ActKind.WRITE, name) for name in writes),
                *(
                    Act(ActKind.SECRET, name)
                    for name in permute_items(secrets, seed, "order", "secret", task)[:1]
                ),
            )
    return ()


def _list_own_actions(rehearsal: Rehearsal) -> list[str]:
    """Return the actions that take nothing but what a user knows."""
    model = rehearsal.model
    own = {item.name for item in model.inputs}
    called = (model.tools[name] for name in model.called)
    return [tool.name for tool in called if tool.kind is ToolKind.ACTION and set(tool.takes) <= own]


def _list_skippable(rehearsal: Rehearsal) -> list[str]:
    """Return the tools that every case calls, else all that steps call."""
    model = rehearsal.model
    calls = [{call.tool for call in task.calls} for task in rehearsal.tasks.values()]
    always = set.intersection(*calls) if calls else set()
    named = [name for name in model.called if model.tools[name].offered_name in always]
    return named or list(model.called)
