"""The pages of a domain's gates in Prefect, which show each gate as it is now."""

from __future__ import annotations

from dataclasses import dataclass

from prefect.artifacts import Artifact, create_markdown_artifact
from prefect.client.schemas.objects import Artifact as Shown

from flows.gate_words import (
    Approvals,
    make_page_key,
    render_gate_page,
    render_passed_page,
    render_reopened_page,
)
from sopforge.findings import format_finding_count
from sopforge.pipeline.runs.run import describe_end
from sopforge.pipeline.stages.pipeline import Progress
from sopforge.store.versions import Version
from sopforge.workspace import STAGE_NAMES


@dataclass(frozen=True, slots=True)
class GatePages:
    """The pages of one domain; a gate at which no run ended has none."""

    domain: str

    def show(self, progress: Progress, store: str, approvals: Approvals) -> None:
        """Show the gate at which a run ended."""
        manifest = progress.version.manifest
        said = f"{describe_end(progress)}; {format_finding_count(manifest.findings)}"
        page = render_gate_page(progress, store, approvals)
        create_markdown_artifact(page, key=self._make_key(manifest.stage), description=said)

    def show_passed(self, version: Version, said: str) -> None:
        """Show that a gate is passed, and by whom."""
        manifest = version.manifest
        description = f"{manifest.stage} version {version.number} {manifest.content[:12]} {said}"
        self._replace(manifest.stage, description, render_passed_page(version, said))

    def reopen(self, built: str) -> None:
        """Show that a stage is being built, at its gate and at those after it."""
        for stage in STAGE_NAMES[STAGE_NAMES.index(built) :]:
            said = "is being built" if stage == built else f"is checked again after {built}"
            page = render_reopened_page(self.domain, stage, said)
            self._replace(stage, f"{stage} {said}", page)

    def _replace(self, stage: str, said: str, page: str) -> None:
        """Show something else at a gate, where its page does not say so yet."""
        # Prefect keeps each page that is made as a further version: an equal one is not made again.
        shown = Artifact.get(self._make_key(stage))
        # Callers that await it get a coroutine.
        if isinstance(shown, Shown) and shown.description != said:
            create_markdown_artifact(page, key=self._make_key(stage), description=said)

    def _make_key(self, stage: str) -> str:
        return make_page_key("gate", self.domain, stage)
