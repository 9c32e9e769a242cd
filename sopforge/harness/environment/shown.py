"""What an agent may see of a package: its SOP, its tools and its tasks.

It is read from the agent's side of a package alone, so that no answer can come along.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from sopforge.artifacts.packaging.sop_bench import SHOWN_TASKS
from sopforge.errors import Fault, PackageUnreadableError
from sopforge.sandbox.untrusted_files import MOST_BYTES
from sopforge.session.environment import copy_json
from sopforge.store.digests import digest_files
from sopforge.untrusted.content import refuse_unreadable
from sopforge.untrusted.plain_files import RefusedFileError, read_below

Schema: TypeAlias = Mapping[str, object]
SOP, TOOLSPECS, TOOLS = "sop.txt", "toolspecs.json", "tools.py"


@dataclass(frozen=True, slots=True)
class ShownTool:
    """A tool as an agent is offered it; ``parameters`` is a JSON Schema."""

    name: str
    description: str
    parameters: Schema


@dataclass(frozen=True, slots=True)
class ShownTask:
    """A task as an agent is given it: in words, and as cells by the names of its inputs."""

    id: str
    text: str
    inputs: Mapping[str, str]
    split: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """All that agents may see of a package, its tasks by their ids.

    ``digest`` is that of the files which decide it.
    """

    name: str
    digest: str
    sop: str
    tools: tuple[ShownTool, ...]
    tasks: Mapping[str, ShownTask]
    files: Mapping[str, bytes] = field(repr=False)
    """The tools and their records, which answer calls and are never shown."""


def read_shown(folder: Path) -> Shown:
    """Return what an agent may see of a package of SOPForge.

    Raises:
        PackageUnreadableError: a file is missing, no plain file, too large, or malformed.
    """
    names = [SOP, TOOLSPECS, SHOWN_TASKS, TOOLS]
    names += sorted(path.name for path in folder.glob("records*.csv"))
    files = {name: _read_file(folder, name) for name in names}
    with refuse_unreadable(TOOLSPECS, TOOLSPECS):
        tools = read_tools(files[TOOLSPECS].decode())
    with refuse_unreadable(SHOWN_TASKS, SHOWN_TASKS):
        tasks = {task.id: task for task in _iterate_tasks(files[SHOWN_TASKS].decode())}
    with refuse_unreadable(SOP, SOP):
        sop = files[SOP].decode()
    if not tasks:
        raise PackageUnreadableError(
            Fault("package-malformed", "there are no tasks", SHOWN_TASKS, "restore the file")
        )
    own = {name: data for name, data in files.items() if name == TOOLS or name.endswith(".csv")}
    return Shown(folder.name, digest_files(files), sop, tools, tasks, own)


def _read_file(folder: Path, name: str) -> bytes:
    if not (folder / name).exists():
        fault = Fault(
            "package-file-missing", f"the package has no {name}", name, "publish it again"
        )
        raise PackageUnreadableError(fault)
    try:
        return read_below(folder, name, MOST_BYTES)
    except RefusedFileError as refused:
        raise PackageUnreadableError(refused.make_fault_at("it", name)) from refused


def write_tools(tools: Iterable[ShownTool]) -> str:
    """Return tools as a file of tool descriptions."""
    entries = [
        {
            "toolSpec": {
                "name": tool.name,
                "description": tool.description,
                "inputSchema": {"json": tool.parameters},
            }
        }
        for tool in tools
    ]
    return json.dumps(entries, indent=2, ensure_ascii=False) + "\n"


def write_shown_tasks(tasks: Iterable[ShownTask]) -> str:
    """Return tasks as a file of what agents may see of each."""
    entries = (
        {"task_id": task.id, "split": task.split, "text": task.text, "inputs": dict(task.inputs)}
        for task in tasks
    )
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)


def read_tools(toolspecs: str) -> tuple[ShownTool, ...]:
    """Return the tools of a file of tool descriptions; what is malformed raises as it comes."""
    return tuple(_iterate_tools(_read_json(toolspecs)))


def _read_json(text: str) -> Any:  # noqa: ANN401 - JSON
    """Return a value that any reader can be shown: not too deep, and of whole characters."""
    return copy_json(json.loads(text))


def _iterate_tools(document: list[dict[str, dict[str, object]]]) -> Iterator[ShownTool]:
    for entry in document:
        spec = entry["toolSpec"]
        schema = spec["inputSchema"]
        if not isinstance(schema, dict):
            raise TypeError("'inputSchema' is no object")
        yield ShownTool(str(spec["name"]), str(spec["description"]), schema["json"])


def _iterate_tasks(text: str) -> Iterator[ShownTask]:
    # Not splitlines: a text may hold U+2028, at which that would cut its line in two.
    for entry in (_read_json(line) for line in text.split("\n") if line):
        yield ShownTask(entry["task_id"], entry["text"], entry["inputs"], entry["split"])
