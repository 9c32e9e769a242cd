"""What the doctor says of this machine is what was tried on it."""

from __future__ import annotations

import pytest

from sopforge.sandbox import machine
from sopforge.sandbox.child.kernel import UnenforceableError
from sopforge.sandbox.child.seccomp import allow_only
from sopforge.sandbox.levels import Level
from sopforge.sandbox.machine import Attempt, LevelReport, Machine


def report(level: Level, *, unavailable: str = "", reached: bool = False) -> LevelReport:
    """Return a report with one attempt."""
    return LevelReport(level, unavailable, (Attempt("read a file", reached, ""),))


def of(*levels: LevelReport, chosen: Level = Level.STRONG) -> Machine:
    """Return a machine of which this was found."""
    return Machine("Linux 6", "x86_64", "3.11", "root", 7, "", levels, chosen)


def test_this_machine_refuses_what_it_says() -> None:
    found = machine.examine()
    if found.best is Level.LIMITS:
        pytest.skip("this machine has no boundary to try")
    strong = found.levels[0]
    assert [item.words for item in strong.attempts if item.succeeded] == []
    assert len(strong.attempts) == 9
    assert found.is_ready


def test_an_attack_that_succeeds_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the level without a boundary all of them do, but for the memory."""
    monkeypatch.setattr(machine, "_list_blocked_acts", lambda _: machine.ACTS)
    limits = machine.examine().levels[2]
    refused = {item.words for item in limits.attempts if not item.succeeded}
    assert "take much memory" in refused
    assert refused.isdisjoint({"open a connection", "run a program", "change a limit"})
    assert not limits.holds


def test_the_best_level_is_the_first_that_holds() -> None:
    broken = report(Level.STRONG, reached=True)
    missing = report(Level.KERNEL, unavailable="no Landlock")
    found = of(broken, missing, report(Level.LIMITS))
    assert found.best is Level.LIMITS
    assert not found.is_ready
    assert of(broken, missing).best is Level.NONE
    assert of(broken, report(Level.KERNEL), chosen=Level.KERNEL).is_ready


def test_an_unknown_processor_has_no_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        machine = "riscv64"

    monkeypatch.setattr("os.uname", Other)
    with pytest.raises(UnenforceableError, match="on riscv64"):
        allow_only(())
