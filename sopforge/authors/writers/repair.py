"""What a writing starts from: what reviewers said of earlier files, what checks found in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff
from typing import Any, TypeAlias

from sopforge.findings import Finding, Severity

Ask: TypeAlias = Callable[[str, Mapping[str, object]], Mapping[str, Any]]
"""Asks by a template, with the values of its parameters."""
AskAll: TypeAlias = Callable[[Sequence[tuple[str, Mapping[str, object]]]], list[Mapping[str, Any]]]
"""Asks several questions, each by a template; answers come in their order."""

LONGEST_CHANGES = 6_000
"""So many characters of a correction that was not kept are shown, as its changes."""


@dataclass(frozen=True, slots=True)
class Review:
    """What reviewers asked for, oldest first, and the files of which they said it last."""

    feedback: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)

    def build_values(
        self, kind: str, file: str, rules: str, material: Sequence[Mapping[str, str]]
    ) -> dict[str, object]:
        """Return what is asked with to have a file changed as reviewers want it."""
        return {
            "kind": kind,
            "rules": rules,
            "material": list(material),
            "document": self.files[file],
            "remarks": as_records(self.feedback),
        }


@dataclass(frozen=True, slots=True)
class Attempt:
    """A correction that made things no better: its files, and what the checks found in them."""

    files: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    def list_findings(self) -> list[dict[str, str]]:
        """Return the findings as the templates show them, errors first."""
        return _list_records(self.findings)


NOT_TRIED = Attempt()


@dataclass(frozen=True, slots=True)
class Repair:
    """A round of repair; round 0 is the first writing, of which nothing was found yet."""

    round: int = 0
    rounds: int = 0
    files: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    dropped: Attempt = NOT_TRIED

    @property
    def is_over(self) -> bool:
        """Whether all rounds in which a model may be asked are over."""
        return self.round > self.rounds

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that block the gate."""
        return tuple(item for item in self.findings if item.severity is Severity.ERROR)

    def build_values(
        self, kind: str, file: str, rules: str, feedback: Sequence[str]
    ) -> dict[str, object]:
        """Return what is asked with to have a file repaired, as reviewers want it to be."""
        return {
            "kind": kind,
            "rules": rules,
            "document": self.files[file],
            "remarks": as_records(feedback),
            "findings": self.list_findings(),
            "dropped": self.dropped.list_findings(),
            "dropped_changes": self._show_dropped_changes(file),
            "attempt": self.round,
            "attempts": self.rounds,
        }

    def list_findings(self) -> list[dict[str, str]]:
        """Return the findings as the templates show them, errors first."""
        return _list_records(self.findings)

    def _show_dropped_changes(self, file: str) -> str:
        """Return what the last correction changed in a file, "" where none was dropped."""
        if file not in self.dropped.files:
            return ""
        before, after = self.files[file], self.dropped.files[file]
        lines = unified_diff(before.splitlines(), after.splitlines(), "kept", "dropped", "", "", 1)
        return _cut_changes("\n".join(lines))


def _cut_changes(text: str) -> str:
    """Return the start of what was changed: what is longer wrote most of a document anew."""
    if len(text) <= LONGEST_CHANGES:
        return text
    return f"{text[:LONGEST_CHANGES]}\n[{len(text) - LONGEST_CHANGES:,} further characters]"


def _list_records(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """Return findings as records, errors first; notes ask for no correction."""
    ranks = {Severity.ERROR: 0, Severity.WARNING: 1}
    shown = [item for item in findings if item.severity in ranks]
    return [item.as_record() for item in sorted(shown, key=lambda item: ranks[item.severity])]


NOTHING_FOUND = Repair()
NOTHING_SAID = Review()


def as_records(texts: Iterable[str]) -> list[dict[str, str]]:
    """Return texts as the records that templates take."""
    return [{"text": text} for text in texts]
