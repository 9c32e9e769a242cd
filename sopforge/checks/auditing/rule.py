"""What a rule of the audit is, and what it says of a package."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.checks.auditing.subject import Subject
from sopforge.findings import Finding, Severity


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a package that a rule is about, with what shows it."""

    message: str
    where: str
    evidence: str = ""


Finder: TypeAlias = Callable[[Subject], Iterable[Spot]]


@dataclass(frozen=True, slots=True)
class AuditRule:
    """One kind of defect, by the code of its findings."""

    code: str
    find: Finder
    hint: str
    severity: Severity = Severity.ERROR

    def collect_findings(self, subject: Subject) -> list[Finding]:
        """Return a finding for each place."""
        return [
            Finding(self.code, self.severity, spot.message, spot.where, spot.evidence, self.hint)
            for spot in self.find(subject)
        ]
