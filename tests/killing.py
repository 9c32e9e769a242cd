"""Runs a small brief in processes that are killed at a write of the store, each at a later one.

``python -m tests.killing FOLDER`` writes into a store of its own for each write, and prints, one
JSON object a line, what a rerun of each found and made.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sopforge.domain.reading import Brief, read_brief
from sopforge.stages.pipeline import STAGES, advance
from sopforge.stages.publishing import publish
from sopforge.store.decisions import AuditLog
from sopforge.store.digests import digest_files
from sopforge.store.opening import open_store
from sopforge.store.versions import Store

BRIEF = Path(__file__).parent / "briefs" / "refund.yaml"
# Every way in which the store writes ends in one of these calls.
LAST_STEPS = ((os, "link"), (Path, "rename"), (Path, "replace"), (Path, "unlink"))


def made(store: Store, brief: Brief) -> dict[str, Any]:
    """Take a brief to its release, and return what identifies all that was made."""
    advance(store, brief, approve_clean=True)
    published = publish(store, brief)
    versions = {stage.name: store.versions("refund", stage.name) for stage in STAGES}
    return {
        "versions": {
            name: [(version.number, version.manifest.content) for version in found]
            for name, found in versions.items()
        },
        "decisions": [(d.stage, d.verdict, d.by) for d in AuditLog(store, "refund").entries()],
        "release": digest_files(published.files),
        "releases": store.releases("refund"),
    }


def killed_at(write: int, store: Store, brief: Brief) -> bool:
    """Run in a child that is killed just before a write; tell whether there was such a write."""
    child = os.fork()
    if child == 0:
        count = [0]
        for owner, name in LAST_STEPS:
            setattr(owner, name, _counting(getattr(owner, name), count, write))
        made(store, brief)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def _counting(step: Callable[..., Any], count: list[int], write: int) -> Callable[..., Any]:
    def counted(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 - of any step
        count[0] += 1
        if count[0] > write:
            os.kill(os.getpid(), signal.SIGKILL)
        return step(*arguments, **named)

    return counted


def main(folder: Path) -> None:
    """Kill at each write in turn, and print what a rerun makes of what is left."""
    brief = read_brief(BRIEF.read_text(encoding="utf-8"), BRIEF.name)
    _print(made(open_store(folder / "undisturbed"), brief))
    write, was_killed = 0, True
    while was_killed:
        store = open_store(folder / str(write))
        was_killed = killed_at(write, store, brief)
        _print(made(store, brief))
        write += 1


def _print(value: object) -> None:
    sys.stdout.write(json.dumps(value, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
