"""Whether a user can know what he must say: what gold calls need is his, or tools return it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sopforge.errors import Fault, PackageUnreadableError
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task


def require_known(model: DomainModel, tasks: Mapping[str, Task]) -> None:
    """Raise ``PackageUnreadableError`` where an entry of a task is nowhere to be had.

    The example is the shortest: of all tasks the one with the fewest calls, at its first such call.
    """
    found = [gap for task in tasks.values() for gap in _iterate_gaps(model, task)]
    if not found:
        return
    size, task, name, tool = min(found)
    needs = f"its call of {tool} takes it" if tool else "its procedure reads it"
    message = f"the user of {task} does not know '{name}', although {needs}"
    more = f"; the same holds for {len({gap[1] for gap in found})} tasks" if len(found) > 1 else ""
    hint = "add it to the task's inputs, or let a tool return it; then publish the package again"
    where = f"tasks.jsonl, {task}, after {size} calls"
    raise PackageUnreadableError(Fault("user-cannot-know", f"{message}{more}", where, hint))


def _iterate_gaps(model: DomainModel, task: Task) -> Iterator[tuple[int, str, str, str]]:
    """Yield the entries that a task lacks: after how many calls, the task, entry and tool."""
    returned: set[str] = set()
    lacking = [item.name for item in model.inputs if item.name not in task.inputs]
    for place, call in enumerate(task.calls):
        for name in lacking:
            if name in _list_takers(model, call.tool) and name not in returned:
                yield place, task.id, name, call.tool
        returned |= set(call.result)
    # Without a call that takes it, the rules still may ask for it.
    taken = {name for call in task.calls for name in _list_takers(model, call.tool)}
    yield from ((len(task.calls), task.id, name, "") for name in lacking if name not in taken)


def _list_takers(model: DomainModel, offered: str) -> Iterable[str]:
    """Return the fields that calls of a tool take, by whichever step they are made."""
    tools = (tool for tool in model.tools.values() if tool.offered_name == offered)
    return {name for tool in tools for name in tool.takes}
