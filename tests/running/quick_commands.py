"""Commands in this process, with builds that are made once and a clock that stands still.

What a stage makes is known by its key, so that a test of the store need not have it made again: it
is kept in a folder, of which any process takes what another made.
"""

from __future__ import annotations

import io
import os
import pickle
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import typer.main

from sopforge.checks.registry import examine
from sopforge.cli.app import main
from sopforge.cli.output import EXIT_BAD_INPUT
from sopforge.findings import Finding
from sopforge.pipeline.releases import package_files as packages
from sopforge.pipeline.releases import publishing
from sopforge.pipeline.stages.building import level_findings
from sopforge.pipeline.stages.building import version as building
from sopforge.pipeline.stages.building.orders import Order
from sopforge.store.backends.atomic_files import replace_file
from sopforge.store.digests import digest_files, digest_value
from sopforge.store.log import audit_log
from sopforge.store.opening import open_store
from sopforge.store.versions import DomainStore, Manifest, Version
from sopforge.workspace import Workspace

Made = TypeVar("Made")
# Typer reads the signatures of all commands at each call, half of the time of a quick one.
setattr(typer.main, "get_command", cache(typer.main.get_command))  # noqa: B010 - mypy's
_CODE = re.compile(r"^([a-z0-9]+(?:-[a-z0-9]+)+): ", re.MULTILINE)


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said."""

    code: int
    said: str

    @property
    def refusal(self) -> str:
        """The code of the first fault that it reported, such as ``nothing-waits``."""
        found = _CODE.search(self.said) if self.code == EXIT_BAD_INPUT else None
        return found[1] if found else ""


def run_command(*arguments: str) -> Ended:
    """Run the command in this process."""
    before, printed = sys.argv, io.StringIO()
    sys.argv = ["sopforge", *arguments]
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            main()
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.argv = before
    return Ended(code, printed.getvalue())


class _StandingClock(datetime):
    @classmethod
    def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
        del tz
        return datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def _ignore(handle: int) -> None:
    del handle


def use_quick_builds(folder: Path) -> None:
    """Have this process and its children take from a folder what was made before."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = _Kept(folder)
    build, make = building.build_and_store_version, packages.build_level_files

    def made(order: Order) -> tuple[Manifest, dict[str, str]]:
        with tempfile.TemporaryDirectory() as home:
            version = build(open_store(home).get_domain(order.workspace.brief.parts.domain), order)
            return version.manifest, version.files

    def quick_build(domain: DomainStore, order: Order) -> Version:
        stage = order.stage.name
        manifest, files = kept.get(f"{domain}-{order.key}", lambda: made(order))
        with domain.lock():
            found = domain.find(stage, order.key)
            return found or domain.save(manifest, files, {"seconds": 0})

    def quick_files(
        variant: Workspace,
        level: str,
        version: str,
        origin: Mapping[str, object],
        carried: Mapping[str, str],
    ) -> dict[str, str | bytes]:
        text, files = variant.brief.text, digest_files(variant.files)
        name = f"files-{digest_value([text, files, level, version, origin, carried])}"
        return kept.get(name, lambda: make(variant, level, version, origin, carried))

    def quick_examine(stage: str, workspace: Workspace) -> list[Finding]:
        key = f"{stage}-{digest_files(workspace.files)}"
        return kept.get(key, lambda: list(examine(stage, workspace)))

    for module, name, quick in (
        (building, "build_and_store_version", quick_build),
        (publishing, "build_level_files", quick_files),
        (level_findings, "examine", quick_examine),
        (audit_log, "datetime", _StandingClock),
        # A process that is killed loses nothing that the system has taken.
        (os, "fsync", _ignore),
    ):
        assert hasattr(module, name), name
        setattr(module, name, quick)


@dataclass(frozen=True)
class _Kept:
    folder: Path

    def get(self, name: str, make: Callable[[], Made]) -> Made:
        """Return what was made under a name; make it where it was not."""
        path = self.folder / f"{name}.pickle"
        try:
            kept: Any = pickle.loads(path.read_bytes())  # noqa: S301 - it is our own
        except FileNotFoundError:
            kept = make()
            replace_file(path, pickle.dumps(kept))
        made: Made = kept
        return made
