"""Clears stores in processes that are killed at a step, each at a later one.

Each step has a store of its own. Prints, one JSON object a line, what was left of it and what a
rerun made of that.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from sopforge.pipeline.upkeep.clearing import clear, find_needed_versions
from sopforge.store.opening import open_store
from tests.running.commands import contents
from tests.worlds.histories import DOMAIN, history, quiet

STEPS = ("link", "rename", "replace", "unlink", "rmdir")
SEED = 3


def clear_all(folder: Path) -> object:
    """Clear the domain of what nothing needs."""
    return clear(open_store(folder).get_domain(DOMAIN))


def cleared(folder: Path) -> dict[str, Any]:
    """Return the versions that are needed, and whether all that are there are whole."""
    store = open_store(folder)
    return {
        "needed": sorted(find_needed_versions(store.get_domain(DOMAIN))),
        "are_whole": all(version.is_intact for version in quiet(store).versions),
    }


def main(folder: Path) -> None:
    """Kill at each step in turn; print what is left, and what there is after a rerun."""
    first = folder / "first"
    history(open_store(first), SEED)
    step, was_killed = 0, True
    while was_killed:
        store = folder / str(step)
        shutil.copytree(first, store)
        was_killed = _killed_at(step, partial(clear_all, store))
        left = cleared(store)
        clear_all(store)
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
    main(Path(sys.argv[1]))
