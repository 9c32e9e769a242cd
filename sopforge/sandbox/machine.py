"""What this machine enforces on tools, found out by trying."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sopforge.errors import SandboxError, ToolProcessError
from sopforge.sandbox.answers import JSONValue, Observation
from sopforge.sandbox.child import probes
from sopforge.sandbox.levels import Level, read_chosen_level
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.zygotes import WRAPPER, Zygote, get_shared_zygote

LEVELS = (Level.STRONG, Level.KERNEL, Level.LIMITS)
ACTS = tuple(name for name in vars(probes.ProbeManager) if not name.startswith("_"))
_PROBES = Path(probes.__file__).read_bytes


@dataclass(frozen=True, slots=True)
class Attempt:
    """Something that no tool may do, whether it succeeded, and what was answered."""

    words: str
    succeeded: bool
    said: str


@dataclass(frozen=True, slots=True)
class LevelReport:
    """One level on this machine: why it cannot be had, or what was tried at it."""

    level: Level
    unavailable: str
    attempts: tuple[Attempt, ...]

    @property
    def holds(self) -> bool:
        """Whether the level is there and nothing that it forbids succeeded."""
        return not self.unavailable and not any(item.succeeded for item in self.attempts)


@dataclass(frozen=True, slots=True)
class Machine:
    """What confines tools here."""

    system: str
    processor: str
    python: str
    user: str
    landlock: int
    """The version of its interface, 0 where there is none."""
    wrapper: str
    """What keeps bubblewrap from being used, "" where it is."""
    levels: tuple[LevelReport, ...]
    chosen: Level

    @property
    def best(self) -> Level:
        """The strongest level that holds."""
        return next((report.level for report in self.levels if report.holds), Level.NONE)

    @property
    def is_ready(self) -> bool:
        """Whether tools can be run at the level that is asked for."""
        return any(report.level is self.chosen and report.holds for report in self.levels)


def examine() -> Machine:
    """Return what this machine enforces.

    Raises:
        SandboxError: the level that is asked for is none.
    """
    chosen = read_chosen_level()
    try:
        zygote = get_shared_zygote()
    except SandboxError as cause:
        reason = cause.faults[0].message
        reports = tuple(LevelReport(level, reason, ()) for level in LEVELS)
        return _build_machine(0, "nothing was started", reports, chosen)
    reports = tuple(_report_level(level, zygote) for level in LEVELS)
    return _build_machine(
        zygote.landlock, "" if zygote.wrapped else _explain_missing_wrapper(), reports, chosen
    )


def _build_machine(
    landlock: int, wrapper: str, levels: tuple[LevelReport, ...], chosen: Level
) -> Machine:
    return Machine(
        system=f"{platform.system()} {platform.release()}",
        processor=platform.machine(),
        python=f"{platform.python_version()}, {sys.executable}",
        user="root" if hasattr(os, "geteuid") and os.geteuid() == 0 else "not root",
        landlock=landlock,
        wrapper=wrapper,
        levels=levels,
        chosen=chosen,
    )


def _report_level(level: Level, zygote: Zygote) -> LevelReport:
    try:
        with TemporaryDirectory(prefix="sopforge-doctor-") as folder:
            return LevelReport(level, "", tuple(_attempt_acts(level, zygote, Path(folder))))
    except SandboxError as cause:
        return LevelReport(level, cause.faults[0].message, ())


def _attempt_acts(level: Level, zygote: Zygote, folder: Path) -> Iterator[Attempt]:
    """Try each act in a process of its own, as one may end it."""
    secret = folder / "secret"
    secret.write_text("x")
    given: dict[str, Mapping[str, JSONValue]] = {
        "read_a_file": {"path": str(secret)},
        "look_at_a_file": {"path": str(secret)},
        "write_a_file": {"path": str(folder / "made")},
        "signal_a_process": {"number": zygote.number},
    }
    for act in ACTS:
        if act in _list_blocked_acts(level):
            succeeded, said = _try_act(level, zygote, act, given.get(act, {}))
            yield Attempt(act.replace("_", " "), succeeded, said)


def _list_blocked_acts(level: Level) -> Collection[str]:
    """Return which acts fail at a level."""
    match level:
        case Level.STRONG:
            return ACTS
        case Level.KERNEL:
            return [act for act in ACTS if act != "look_at_a_file"]
        case _:
            return ["take_much_memory"]


def _try_act(
    level: Level, zygote: Zygote, name: str, arguments: Mapping[str, JSONValue]
) -> tuple[bool, str]:
    files = {"tools.py": _PROBES()}
    # Unwatched: what Python's own functions refuse says nothing about the kernel.
    with ToolProcess(files=files, level=level, zygote=zygote, is_watched=False) as tools:
        try:
            answer = tools.call(name, arguments)
        except ToolProcessError as cause:
            (fault,) = cause.faults
            # An act that ended the process was let through, as where it becomes another program.
            return fault.code == "tool-process-died", fault.message
    if isinstance(answer, Observation):
        return True, "it succeeded"
    return False, answer.message or answer.code


def _explain_missing_wrapper() -> str:
    """Return why bubblewrap is not around the processes."""
    if not (wrapper := shutil.which(WRAPPER)):
        return "not installed"
    with suppress(OSError, subprocess.TimeoutExpired):
        command = [wrapper, "--unshare-all", "--ro-bind", "/", "/", "--", sys.executable, "-c", ""]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)  # noqa: S603
        if ran.returncode:
            return ran.stderr.strip() or f"it ends with {ran.returncode}"
    return "Python does not start in it"
