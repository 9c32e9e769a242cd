"""What Prefect shows about a gate: the message of a run's last state, and a Markdown page."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from sopforge.findings import Finding
from sopforge.stages.pipeline import Ending, Progress

_SHOWN_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Request:
    """What a run was asked for: the parameters that the next run needs again."""

    brief: str
    store: str

    def command(self, flow: str) -> str:
        """Return the command that starts a flow's deployment with these parameters."""
        words = ["prefect", "deployment", "run", f"{flow}/local"]
        for name, value in (("brief", self.brief), ("store", self.store)):
            words += ["--param", f"{name}={value}"]
        return shlex.join(words)


def gate_message(progress: Progress, request: Request) -> str:
    """Return one line: domain, stage and content digest, and what to do to go on."""
    manifest = progress.version.manifest
    artifact = f"{manifest.domain}: {manifest.stage} {manifest.content[:_SHOWN_DIGITS]}"
    generate = request.command("generate-domain")
    match progress.ending:
        case Ending.AWAITING_APPROVAL:
            decide = _decide_command(progress, request)
            return f"{artifact} waits for approval; decide with: {decide}; then: {generate}"
        case Ending.REJECTED:
            return f"{artifact} was rejected; change the brief or its draft, then: {generate}"
        case Ending.APPROVED:
            publish = request.command("publish-domain")
            return f"{artifact} and all stages before it are approved; go on with: {publish}"


def gate_page(progress: Progress, request: Request) -> str:
    """Return the Markdown page of the gate at which a run ended."""
    version, manifest = progress.version, progress.version.manifest
    heading = {
        Ending.AWAITING_APPROVAL: "waits for approval",
        Ending.REJECTED: "was rejected",
        Ending.APPROVED: "is approved",
    }[progress.ending]
    parts = [
        f"# {manifest.domain}: {manifest.stage} {heading}",
        f"Version {version.number}, in `{version.folder}`.",
        f"- content `{manifest.content}`\n- inputs `{manifest.key}`\n- author `{manifest.author}`",
        "## Findings",
        _findings_table(manifest.findings),
        "## To go on",
        _next_steps(progress, request),
    ]
    return "\n\n".join(parts) + "\n"


def gate_key(progress: Progress) -> str:
    """Return the page's key; Prefect allows lowercase letters, digits and dashes in it."""
    manifest = progress.version.manifest
    return f"gate-{manifest.domain}-{manifest.stage}".replace("_", "-")


def _next_steps(progress: Progress, request: Request) -> str:
    generate = f"```\n{request.command('generate-domain')}\n```"
    if progress.ending is Ending.REJECTED:
        return f"Change the brief or its draft, then run again:\n\n{generate}"
    decide = f"```\n{_decide_command(progress, request)}\n```"
    return (
        f"Read the files, then decide, here or in the review pages:\n\n{decide}\n\n"
        "The decision is about the content digest above and is recorded in the store, not in "
        f"Prefect. Nothing waits in the meantime; once decided, run again:\n\n{generate}"
    )


def _decide_command(progress: Progress, request: Request) -> str:
    domain, stage = progress.version.manifest.domain, progress.version.manifest.stage
    return shlex.join(["sopforge", "approve", domain, stage, "--store", request.store])


def _findings_table(findings: Iterable[Finding]) -> str:
    rows = [
        _row(item.severity.value, item.id, item.where, item.message, item.evidence, item.hint)
        for item in findings
    ]
    if not rows:
        return "The checks found nothing."
    head = _row("severity", "finding", "where", "message", "evidence", "hint")
    return "\n".join([head, "| --- | --- | --- | --- | --- | --- |", *rows])


def _row(*cells: str) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
    return " ".join(escaped.split())
