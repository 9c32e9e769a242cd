"""What Prefect shows about a gate: the message of a run's last state, and a Markdown page."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from flows.markdown import escape_markdown, format_code, format_commands, format_table
from flows.parameters import DEFAULT_STORE
from sopforge.findings import Finding, has_errors
from sopforge.pipeline.stages.editing.edits import EDITABLE
from sopforge.pipeline.stages.pipeline import Ending, Progress
from sopforge.store.versions import Manifest, Version

REVIEW_SETTING = "SOPFORGE_REVIEW_URL"
_SHOWN_DIGITS = 12
_MOST_FILES = 40


@dataclass(frozen=True, slots=True)
class Commands:
    """The commands that go on with a domain in a store."""

    domain: str
    store: str

    @property
    def go_on(self) -> str:
        """The command that starts the next run."""
        return self._build_run_command("generate-domain/local")

    @property
    def publish(self) -> str:
        """The command that publishes the domain."""
        return self._build_run_command("publish-domain/local")

    def approve(self, manifest: Manifest) -> str:
        """Return the command that approves exactly this content, with its errors if it has any."""
        # Without the option it would be refused.
        more = ["--despite-errors"] if has_errors(manifest.findings) else []
        return self._decide("approve", manifest.stage, manifest.content, *more)

    def show(self, stage: str, file: str) -> str:
        """Return the command that shows a file of a stage."""
        return self._join(["sopforge", "show", self.domain, stage, "--file", file])

    def list_other_decisions(self, manifest: Manifest) -> list[str]:
        """Return the commands of the other decisions on exactly this content."""
        stage, content = manifest.stage, manifest.content
        ask = self._decide("request-changes", stage, content, "--feedback", "TEXT")
        edit = self._decide("edit", stage, content)
        return [
            *([ask] if manifest.heeds_words else []),
            *([edit] if stage in EDITABLE else []),
            self._decide("reject", stage, content, "--reason", "TEXT"),
        ]

    def _decide(self, verb: str, stage: str, content: str, *more: str) -> str:
        digest = content[:_SHOWN_DIGITS]
        return self._join(["sopforge", verb, self.domain, stage, "--digest", digest, *more])

    def _join(self, words: list[str]) -> str:
        return shlex.join(words + ([] if self._is_default else ["--store", self.store]))

    def _build_run_command(self, deployment: str) -> str:
        given = [f"domain={self.domain}"]
        given += [] if self._is_default else [f"store={self.store}"]
        words = [word for parameter in given for word in ("--param", parameter)]
        return shlex.join(["prefect", "deployment", "run", deployment, *words])

    @property
    def _is_default(self) -> bool:
        return self.store == DEFAULT_STORE


@dataclass(frozen=True, slots=True)
class Approvals:
    """How many persons must approve a version, and the names of those who did."""

    needed: int = 1
    by: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        """The same in words."""
        if self.needed <= 1:
            return "One person must approve it."
        names = f", by {', '.join(self.by)}" if self.by else ""
        return f"{self.needed} people must approve it; it has {len(self.by)} of these{names}."


def describe_gate(progress: Progress, store: str, approvals: Approvals) -> str:
    """Return one line: domain, stage and content digest, and what to do to go on."""
    manifest = progress.version.manifest
    domain, stage, content = manifest.domain, manifest.stage, manifest.content
    artifact = f"{domain}: {stage} {content[:_SHOWN_DIGITS]}"
    known = Commands(domain, store)
    match progress.ending:
        case Ending.AWAITING_APPROVAL if progress.is_overtaken:
            return f"{artifact} has been decided in the meantime. Continue: {known.go_on}"
        case Ending.AWAITING_APPROVAL:
            state = "waits and has errors." if has_errors(manifest.findings) else "waits."
            standing = f" {approvals.description}" if approvals.needed > 1 else ""
            approve = f"Approve: {known.approve(manifest)}"
            return f"{artifact} {state}{standing} {approve} | Continue: {known.go_on}"
        case Ending.REJECTED:
            return f"{artifact} was rejected. Generate again with a changed brief"
        case Ending.APPROVED:
            return f"{artifact} and all before it are approved. Publish: {known.publish}"


def render_gate_page(progress: Progress, store: str, approvals: Approvals) -> str:
    """Return the Markdown page of the gate at which a run ended without approval."""
    version, manifest = progress.version, progress.version.manifest
    known = Commands(manifest.domain, store)
    if progress.ending is Ending.REJECTED:
        state, following = "was rejected", _AFTER_REJECTION
    elif progress.is_overtaken:
        state, following = "has been decided", format_commands([known.go_on])
    else:
        state, following = "waits for approval", _render_next_commands(progress, known, approvals)
    identity = {"content": manifest.content, "inputs": manifest.key, "author": manifest.author}
    parts = [
        f"# {escape_markdown(manifest.domain)}: {escape_markdown(manifest.stage)} {state}",
        _describe_place(version),
        "\n".join(f"- {name} {format_code(value)}" for name, value in identity.items()),
        "## Findings",
        _render_findings_table(manifest.findings),
        "## Files",
        _render_files_table(version, known),
        *([] if make_review_url(manifest.domain) else [_WITHOUT_LINK]),
        "## To go on",
        following,
    ]
    return "\n\n".join(parts) + "\n"


def render_passed_page(version: Version, said: str) -> str:
    """Return the Markdown page of a gate that is passed; ``said`` is by whom."""
    manifest = version.manifest
    domain, stage = escape_markdown(manifest.domain), escape_markdown(manifest.stage)
    head = f"# {domain}: {stage} is {escape_markdown(said)}"
    return (
        "\n\n".join([head, _describe_place(version), f"- content {format_code(manifest.content)}"])
        + "\n"
    )


def render_reopened_page(domain: str, stage: str, said: str) -> str:
    """Return the Markdown page of a gate to which a run has yet to come."""
    head = f"# {escape_markdown(domain)}: {escape_markdown(stage)} {escape_markdown(said)}"
    return f"{head}\n\nNothing waits here now.\n"


def make_page_key(kind: str, domain: str, stage: str = "") -> str:
    """Return the key of a page, in which a dash stands for each ``_`` of a name.

    Prefect allows lowercase letters, digits and dashes. Names of domains and stages hold no dashes,
    so that no two get the same key.
    """
    return "-".join(filter(None, (kind, domain, stage))).replace("_", "-")


def make_review_url(domain: str, stage: str = "") -> str:
    """Return where the review pages show a domain or a stage of it, "" if it is not said where."""
    root = os.environ.get(REVIEW_SETTING, "").rstrip("/")
    if not root.startswith(("http://", "https://")):
        return ""
    path = f"/d/{quote(domain)}" + (f"/{quote(stage)}" if stage else "")
    # Whatever would end a link in Markdown is escaped, and what an address is made of stays.
    return quote(root, safe=":/?#[]@!$&'*+,;=%~") + path


_AFTER = (
    "The decision is about the content above and is recorded in the store, not in Prefect: nothing "
    "waits in the meantime. Where `SOPFORGE_CONTINUE=prefect` is set, it starts the next run; else "
    "start it:"
)
_WITH_ERRORS = (
    "It has errors. Change the brief and generate again, as is usual, or decide on it as it is:"
)
_WITHOUT_LINK = (
    "For a link to its review page, set `SOPFORGE_REVIEW_URL` in the environment of the worker."
)
_AFTER_REJECTION = "Change the brief or its draft, then generate again from it."


def _describe_place(version: Version) -> str:
    link = _format_review_link(version.manifest)
    return f"Version {version.number}, in {format_code(version.place)}.{link}"


def _format_review_link(manifest: Manifest) -> str:
    url = make_review_url(manifest.domain, manifest.stage)
    return f" [Review and decide](<{url}>)." if url else ""


def _render_next_commands(progress: Progress, known: Commands, approvals: Approvals) -> str:
    manifest = progress.version.manifest
    decisions = [known.approve(manifest), *known.list_other_decisions(manifest)]
    advice = _WITH_ERRORS if has_errors(manifest.findings) else "Read the files, then decide:"
    read = f"{escape_markdown(approvals.description)} {advice}"
    return "\n\n".join([read, format_commands(decisions), _AFTER, format_commands([known.go_on])])


def _render_files_table(version: Version, known: Commands) -> str:
    names, stage = version.list_files(), version.manifest.stage
    rows = [(name, known.show(stage, name)) for name in names[:_MOST_FILES]]
    table = format_table(("file", "read it with"), rows)
    left = len(names) - len(rows)
    return f"{table}\n\nand {left} more in the same folder" if left else table


def _render_findings_table(findings: Iterable[Finding]) -> str:
    rows = [
        (item.severity.value, item.id, item.where, item.message, item.evidence, item.hint)
        for item in findings
    ]
    if not rows:
        return "The checks found nothing."
    return format_table(("severity", "finding", "where", "message", "evidence", "hint"), rows)
