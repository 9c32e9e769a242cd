"""Checks for many packages that differ from a sound one in one file: most need not run again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sopforge.checks.auditing import audit as auditing
from sopforge.checks.auditing import own, package_audited
from sopforge.checks.check import Check
from sopforge.checks.registry import load_checks
from sopforge.findings import Finding
from sopforge.workspace import Workspace


class Reads(Mapping[str, str]):
    """Files that remember which of them were read."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.names.add(name)
        return self._files[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check found in a sound package, and what it had read."""

    brief: str
    read: Mapping[str, str]
    findings: list[Finding]

    def holds_for(self, workspace: Workspace) -> bool:
        """Return whether the check would read the same in another package."""
        files = workspace.files
        return workspace.brief.text == self.brief and all(
            files.get(name) == text for name, text in self.read.items()
        )


@dataclass
class SharedChecks:
    """Stands in for the checks of stages and for the audit; sound packages are seen first."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    audits: dict[tuple[bytes, ...], auditing.Audit] = field(default_factory=dict)

    def install(self) -> None:
        """Have packages of this process examined with shared checks."""
        audit = auditing.audit

        def shared_audit(folder: Path) -> auditing.Audit:
            key = _top_level(folder)
            if key not in self.audits:
                if len(self.audits) > 1:  # the sound package, and the last one
                    self.audits.popitem()
                self.audits[key] = audit(folder)
            return self.audits[key]

        # Modules hold the functions by name, and so do those who import them.
        vars(auditing)["audit"] = vars(package_audited)["audit"] = shared_audit
        vars(own)["examine"] = self.examine

    def examine(self, stage: str, workspace: Workspace) -> list[Finding]:
        """Return what the checks of a stage find, from before where they read the same."""
        checks = [check for check in load_checks() if check.stage == stage]
        return [finding for check in checks for finding in self.found(check, workspace)]

    def found(self, check: Check, workspace: Workspace) -> list[Finding]:
        known = self.outcomes.get(check.name)
        if known is not None and known.holds_for(workspace):
            return known.findings
        files = Reads(workspace.files)
        findings = check.examine(Workspace(workspace.brief, files))
        read = {name: workspace.files[name] for name in files.names}
        self.outcomes.setdefault(check.name, Outcome(workspace.brief.text, read, findings))
        return findings


def _top_level(folder: Path) -> tuple[bytes, ...]:
    """Return all that the audit of anyone's package may read."""
    paths = sorted(path for path in folder.iterdir() if path.is_file())
    return tuple(part for path in paths for part in (path.name.encode(), path.read_bytes()))
