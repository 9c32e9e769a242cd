"""The audit of a package: every rule that a package alone allows, on anyone's package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from sopforge.checks.auditing import answers, calls, code, layout, results, rows, sop_text, specs
from sopforge.checks.auditing.own import check_own_package, is_own
from sopforge.checks.auditing.rule import AuditRule
from sopforge.checks.auditing.subject import Subject, read_subject
from sopforge.errors import PackageUnreadableError
from sopforge.findings import Finding, convert_faults, make_error_finding
from sopforge.progress.tracking import track
from sopforge.sandbox.linter import lint
from sopforge.untrusted.content import refuse_unreadable

RULES: tuple[AuditRule, ...] = (
    *layout.RULES,
    *answers.RULES,
    *rows.RULES,
    *specs.RULES,
    *sop_text.RULES,
    *code.RULES,
    *calls.RULES,
    *results.RULES,
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
        with refuse_unreadable("the package", str(folder)):
            subject = read_subject(folder)
            made = subject.trials.count
            scores = answers.compute_careless_scores(subject)
    except PackageUnreadableError as cause:
        return Audit(tuple(convert_faults(cause.faults)))
    named = track(RULES, "rules", name=_get_rule_code)
    findings = convert_faults(subject.faults)
    findings += [finding for rule in named for finding in _apply_rule(rule, subject)]
    if subject.tools:
        findings += lint(subject.tools, subject.libraries)
    else:
        findings.append(_without_tools())
    return Audit(tuple(findings), scores, made)


def audit_whole(folder: Path) -> Audit:
    """Return an audit in which a package of SOPForge also passes the checks of all its stages."""
    made = audit(folder)
    if not is_own(folder):
        return made
    # One of the package's own checks is this very audit, and finds the same again.
    known = set(made.findings)
    further = [finding for finding in check_own_package(folder) if finding not in known]
    return replace(made, findings=(*made.findings, *further), is_own=True)


def _get_rule_code(rule: AuditRule) -> str:
    return rule.code


def _apply_rule(rule: AuditRule, subject: Subject) -> list[Finding]:
    """Return what a rule finds, or that the package has a shape that it cannot look at."""
    try:
        with refuse_unreadable(f"what '{rule.code}' looks at", str(subject.folder)):
            return rule.collect_findings(subject)
    except PackageUnreadableError as cause:
        return convert_faults(cause.faults)


def _without_tools() -> Finding:
    message = "the package has no tools.py, so the behaviour of its tools was not checked"
    hint = "put the package's tools.py into the folder of its toolspecs.json"
    return make_error_finding("tools-missing", message, where="tools.py", hint=hint)
