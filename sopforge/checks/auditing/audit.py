"""The audit of a package: every rule that a package alone allows, on anyone's package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from sopforge.checks.auditing import answers, calls, code, layout, rows, sop_text, specs
from sopforge.checks.auditing.figures import careless_scores
from sopforge.checks.auditing.own import is_own, own_findings
from sopforge.checks.auditing.rule import AuditRule
from sopforge.checks.auditing.subject import read_subject
from sopforge.errors import PackageUnreadableError
from sopforge.findings import Finding, error
from sopforge.sandbox.linter import lint

RULES: tuple[AuditRule, ...] = (
    *layout.RULES,
    *answers.RULES,
    *rows.RULES,
    *specs.RULES,
    *sop_text.RULES,
    *code.RULES,
    *calls.RULES,
)


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found, with what careless answers score and how many calls were made."""

    findings: tuple[Finding, ...]
    scores: Mapping[str, float] = field(default_factory=dict)
    calls: int = 0
    is_own: bool = False


def audit(folder: Path) -> Audit:
    """Return what is wrong with the package in a folder; its tools run in the sandbox only."""
    try:
        subject = read_subject(folder)
    except PackageUnreadableError as cause:
        return Audit(tuple(_unreadable(cause)))
    findings = [finding for rule in RULES for finding in rule.findings(subject)]
    if subject.tools:
        findings += lint(subject.tools)
        made = len(subject.trials.tried) * 2 + len(subject.trials.changed)
    else:
        findings.append(_without_tools())
        made = 0
    return Audit(tuple(findings), careless_scores(subject), made)


def audit_whole(folder: Path) -> Audit:
    """Return an audit in which a package of SOPForge also passes the checks of all its stages."""
    made = audit(folder)
    if not is_own(folder):
        return made
    known = set(made.findings)
    further = [finding for finding in own_findings(folder) if finding not in known]
    return replace(made, findings=(*made.findings, *further), is_own=True)


def _unreadable(cause: PackageUnreadableError) -> list[Finding]:
    return [
        error(fault.code, fault.message, where=fault.where, hint=fault.hint)
        for fault in cause.faults
    ]


def _without_tools() -> Finding:
    message = "there is no tools.py: what tools do was not examined"
    hint = "put the package's tools.py beside its toolspecs.json"
    return error("tools-missing", message, where="tools.py", hint=hint)
