"""What Prefect shows about a gate: the message of a run's last state, and a Markdown page."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from sopforge.findings import Finding
from sopforge.stages.pipeline import Ending, Progress

DEFAULT_STORE = "generated"
_SHOWN_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Request:
    """What a run was asked for; the commands that go on from it name the same store."""

    brief: str
    store: str

    @property
    def generate_command(self) -> str:
        """The command that starts the next run."""
        return self._run("generate-domain/local", f"brief={self.brief}")

    def publish_command(self, domain: str) -> str:
        """Return the command that publishes the domain."""
        return self._run("publish-domain/local", f"domain={domain}")

    def approve_command(self, domain: str, stage: str, content: str) -> str:
        """Return the command that approves exactly this content."""
        words = ["sopforge", "approve", domain, stage, "--digest", content[:_SHOWN_DIGITS]]
        return shlex.join(words + ([] if self._is_default_store else ["--store", self.store]))

    def _run(self, deployment: str, *parameters: str) -> str:
        if not self._is_default_store:
            parameters = (*parameters, f"store={self.store}")
        given = [word for parameter in parameters for word in ("--param", parameter)]
        return shlex.join(["prefect", "deployment", "run", deployment, *given])

    @property
    def _is_default_store(self) -> bool:
        return self.store == DEFAULT_STORE


def gate_message(progress: Progress, request: Request) -> str:
    """Return one line: domain, stage and content digest, and what to do to go on."""
    manifest = progress.version.manifest
    domain, stage, content = manifest.domain, manifest.stage, manifest.content
    artifact = f"{domain}: {stage} {content[:_SHOWN_DIGITS]}"
    match progress.ending:
        case Ending.AWAITING_APPROVAL:
            approve = request.approve_command(domain, stage, content)
            return f"{artifact} waits. Approve: {approve} | Go on: {request.generate_command}"
        case Ending.REJECTED:
            return f"{artifact} was rejected. Change the brief | Go on: {request.generate_command}"
        case Ending.APPROVED:
            publish = request.publish_command(domain)
            return f"{artifact} and all before it are approved. Publish: {publish}"


def gate_page(progress: Progress, request: Request) -> str:
    """Return the Markdown page of the gate at which a run ended without approval."""
    version, manifest = progress.version, progress.version.manifest
    is_rejected = progress.ending is Ending.REJECTED
    state = "was rejected" if is_rejected else "waits for approval"
    parts = [
        f"# {manifest.domain}: {manifest.stage} {state}",
        f"Version {version.number}, in `{version.place}`.",
        f"- content `{manifest.content}`\n- inputs `{manifest.key}`\n- author `{manifest.author}`",
        "## Findings",
        _findings_table(manifest.findings),
        "## To go on",
        _after_rejection(request) if is_rejected else _while_waiting(progress, request),
    ]
    return "\n\n".join(parts) + "\n"


def gate_key(progress: Progress) -> str:
    """Return the page's key; Prefect allows lowercase letters, digits and dashes in it."""
    manifest = progress.version.manifest
    return f"gate-{manifest.domain}-{manifest.stage}".replace("_", "-")


def _after_rejection(request: Request) -> str:
    return f"Change the brief or its draft, then run again:\n\n```\n{request.generate_command}\n```"


def _while_waiting(progress: Progress, request: Request) -> str:
    manifest = progress.version.manifest
    approve = request.approve_command(manifest.domain, manifest.stage, manifest.content)
    return (
        f"Read the files, then approve them:\n\n```\n{approve}\n```\n\n"
        "or `sopforge request-changes`, or `sopforge reject`. The decision is about the content "
        "above and is recorded in the store, not in Prefect: nothing waits in the meantime. "
        f"After an approval, run again:\n\n```\n{request.generate_command}\n```"
    )


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
