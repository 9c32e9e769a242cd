"""What a check reports about an artifact: a finding is data to store and show, not an error."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum

from sopforge.errors import Fault, shorten_texts


class Severity(StrEnum):
    """How a gate treats a finding: an error blocks, a warning must be seen, a note informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found, with its place and, where there is one, a counterexample.

    ``count`` says for how many cases it stands, where a check reports those of a kind together.
    """

    id: str
    severity: Severity
    message: str
    where: str = ""
    evidence: str = ""
    hint: str = ""
    count: int = 1

    def __post_init__(self) -> None:
        shorten_texts(self)

    def as_record(self) -> dict[str, str]:
        """Return the finding as plain text fields, ready for JSON; a count of one is not said."""
        texts = {name: str(value) for name, value in asdict(self).items()}
        return texts if self.count > 1 else {n: text for n, text in texts.items() if n != "count"}


def make_error_finding(
    finding_id: str,
    message: str,
    *,
    where: str = "",
    evidence: str = "",
    hint: str = "",
    count: int = 1,
) -> Finding:
    """Return a finding that blocks its gate."""
    return Finding(finding_id, Severity.ERROR, message, where, evidence, hint, count)


def make_warning_finding(
    finding_id: str, message: str, *, where: str = "", evidence: str = "", hint: str = ""
) -> Finding:
    """Return a finding that a reviewer must see."""
    return Finding(finding_id, Severity.WARNING, message, where, evidence, hint)


def make_note_finding(
    finding_id: str, message: str, *, where: str = "", evidence: str = "", hint: str = ""
) -> Finding:
    """Return a finding that asks for nothing."""
    return Finding(finding_id, Severity.NOTE, message, where, evidence, hint)


def convert_faults(faults: Iterable[Fault], *, where: str = "", count: int = 1) -> list[Finding]:
    """Return faults as findings, with all that they say; ``where`` stands for their own places."""
    return [
        make_error_finding(
            item.code, item.message, where=where or item.where, hint=item.hint, count=count
        )
        for item in faults
    ]


def sort_by_severity(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by severity; those of one severity stay as they were found."""
    ranks = list(Severity)
    return sorted(findings, key=lambda item: ranks.index(item.severity))


def format_finding_count(findings: Collection[Finding]) -> str:
    """Return in words how many findings there are, with the notes, which ask for nothing, apart."""
    notes = sum(item.severity is Severity.NOTE for item in findings)
    count = len(findings) - notes
    parts = [f"{count} finding{'s' * (count != 1)}"] * bool(count or not notes)
    parts += [f"{notes} note{'s' * (notes != 1)}"] * bool(notes)
    return " and ".join(parts) if findings else "no findings"


def has_errors(findings: Iterable[Finding]) -> bool:
    """Return whether any finding blocks its gate."""
    return any(finding.severity is Severity.ERROR for finding in findings)


def count_errors(findings: Iterable[Finding]) -> int:
    """Return how many cases are wrong: those reported together count each."""
    return sum(finding.count for finding in findings if finding.severity is Severity.ERROR)
