"""Migrates and clears stores in processes that are killed at a step, each at a later one.

`X` takes a store of its own for each step, and
prints, one JSON object a line, what was left of it and what a rerun made of that.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tarfile
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from sopforge.store.backends.folder import FolderObjects
from sopforge.store.formats import formats
from sopforge.store.opening import open_store
from sopforge.upkeep.clearing import clear, find_needed_versions
from tests.running.commands import contents
from tests.worlds.histories import DOMAIN, history, quiet

OLDER = Path(__file__).parents[1] / "stores" / "format_1.tar.xz"
FILES = ("brief.yaml", "draft.md")
STEPS = ("link", "rename", "replace", "unlink", "rmdir")
SEED = 3


def unpack(folder: Path) -> None:
    """Put a store that was written in format 1 into a folder."""
    with tarfile.open(OLDER) as packed:
        packed.extractall(folder, filter="data")


def migrate(folder: Path) -> object:
    """Bring the store to the newest format, as a command does that writes."""
    return formats.migrate(FolderObjects(folder))


def clear_all(folder: Path) -> object:
    """Clear the domain of what nothing needs."""
    return clear(open_store(folder), DOMAIN)


def migrated(folder: Path) -> dict[str, Any]:
    """Return what can be read of a store at any moment: old names stay until there are new ones."""
    objects = FolderObjects(folder)
    places = (f"{DOMAIN}/brief", f"{DOMAIN}/briefs/0001")
    found = [[objects.read(f"{place}/{file}") for file in FILES] for place in places]
    briefs = next(texts for texts in found if None not in texts)
    rest = {
        name: data
        for name, data in contents(folder).items()
        if name.startswith((f"{DOMAIN}/stages", f"{DOMAIN}/decisions", f"{DOMAIN}/releases"))
    }
    return {"briefs": [_digest(data) for data in briefs], "rest": _digest(repr(rest).encode())}


def cleared(folder: Path) -> dict[str, Any]:
    """Return the versions that are needed, and whether all that are there are whole."""
    store = open_store(folder)
    return {
        "needed": sorted(find_needed_versions(store, DOMAIN)),
        "are_whole": all(version.is_intact for version in quiet(store).versions),
    }


def main(work: Callable[[Path], object], look: Callable[[Path], object], folder: Path) -> None:
    """Kill at each step in turn; print what is left, and what there is after a rerun."""
    first = folder / "first"
    if work is migrate:
        unpack(first)
    else:
        history(open_store(first), SEED)
    step, was_killed = 0, True
    while was_killed:
        store = folder / str(step)
        shutil.copytree(first, store)
        was_killed = _killed_at(step, partial(work, store))
        left = look(store)
        work(store)
        named = contents(store).items()
        # What a killed process was writing is cleared away when it has lain there for long.
        made = {name: _digest(data) for name, data in named if "/." not in f"/{name}"}
        # It also knows what a command announced that was killed.
        made.pop(f"{DOMAIN}/seal.json", None)
        faults = [str(fault) for fault in open_store(store).objects.find_faults(DOMAIN)]
        _print({"left": left, "made": made, "folders": _folders(store), "faults": faults})
        step += 1


def _killed_at(step: int, work: Callable[[], object]) -> bool:
    """Work in a child that is killed just before a step; return whether there was such a step."""
    child = os.fork()
    if child == 0:
        count = [0]
        for name in STEPS:
            setattr(os, name, _counting(getattr(os, name), count, step))
        work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def _counting(call: Callable[..., Any], count: list[int], step: int) -> Callable[..., Any]:
    def counted(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - of any call
        count[0] += 1
        if count[0] > step:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments, **named)

    return counted


def _folders(store: Path) -> list[str]:
    return sorted(
        path.relative_to(store).as_posix()
        for path in store.rglob("*")
        if path.is_dir() and not path.name.startswith(".")
    )


def _digest(data: bytes | None) -> str:
    return sha256(data or b"").hexdigest()


def _print(value: object) -> None:
    sys.stdout.write(json.dumps(value, sort_keys=True) + "\n")


if __name__ == "__main__":
    chosen = (migrate, migrated) if sys.argv[1] == "migrate" else (clear_all, cleared)
    main(*chosen, Path(sys.argv[2]))
