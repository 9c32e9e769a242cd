"""The page of a stage: what was made, what changed, what was found, and the forms to decide."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import PlainTextResponse, Response

from review.access.visitors import FOR_SOMEBODY, Somebody
from review.artifact import Artifact
from review.desk import AtDesk, AtDomain, Desk, StageName
from review.pages.registry import build_artifact_page
from review.reading.gate_view import Gate, GateView, find_version, read_entry_words
from review.reading.signers import collect_decision_signatures
from review.reading.stage_words import ABOUT
from review.reading.version_inputs import load_workspace
from review.reading.waiting_stages import find_neighbours, list_waiting
from review.rendering import mark_safe, render, render_page
from sopforge.artifacts.packaging.rating.ratings import MARKS, RATINGS
from sopforge.findings import Finding, has_errors, sort_by_severity
from sopforge.language.domain.documents.schema import GatesDocument
from sopforge.pipeline.briefs.answering import STAGE as QUESTIONED
from sopforge.pipeline.briefs.answering import Asked, collect_questions
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.pipeline.changes.changelog import REASONS, count_task_changes, describe_cases
from sopforge.pipeline.changes.changes import FIRST_VERSION
from sopforge.pipeline.changes.schemas import Impact
from sopforge.pipeline.changes.sides import ComparisonRequest, Sides, find_sides
from sopforge.pipeline.gates.withdrawing import find_withdrawable
from sopforge.pipeline.stages.editing.edits import EDITABLE
from sopforge.store.course import find_current_version
from sopforge.store.entries import Decision
from sopforge.store.overview import count_severities
from sopforge.store.versions import DomainStore, Version
from sopforge.workspace import STAGE_NAMES, Workspace

router = APIRouter()


@dataclass(frozen=True, slots=True)
class ShownVersion:
    """A version as a page shows it."""

    gate: Gate
    gates: GatesDocument
    findings: tuple[Finding, ...]

    @property
    def version(self) -> Version:
        """The version that is shown."""
        return self.gate.version

    @property
    def context(self) -> dict[str, Any]:
        """What templates receive of it."""
        manifest = self.version.manifest
        return {
            "domain": manifest.domain,
            "stage": manifest.stage,
            "manifest": manifest,
            "version": self.version,
            "gate": self.gate,
            "findings": self.findings,
            "has_errors": has_errors(self.findings),
            "checklist": self.gates.checklist,
            "ratings": RATINGS,
            "marks": list(MARKS),
            "editable": EDITABLE.get(manifest.stage, ""),
            "about": ABOUT[manifest.stage],
            "following": dict(pairwise(STAGE_NAMES)).get(manifest.stage, ""),
        }


def build_version_view(domain: DomainStore, version: Version) -> ShownVersion:
    """Return what a page shows of a version, findings in order of severity."""
    gates = load_latest_brief(domain).parts.gates
    gate = GateView(domain).get_gate(version)
    return ShownVersion(gate, gates, tuple(sort_by_severity(version.manifest.findings)))


def get_workspace(desk: Desk, domain: DomainStore, version: Version) -> Workspace:
    """Return the files of a version and of what it was made from."""
    key = version.name, version.manifest.content
    return desk.workspaces.get(key, lambda: load_workspace(domain, version))


@router.get("/d/{domain}/changes", dependencies=FOR_SOMEBODY)
def show_changes(request: Request, desk: AtDesk, domain: AtDomain) -> Response:
    """Show what changed in all stages, or since a release."""
    return _render_changes(
        request, desk, domain, ComparisonRequest("", request.query_params.get("from", "")[:20])
    )


@router.get("/d/{domain}/{stage}")
def show_stage(
    request: Request, visitor: Somebody, desk: AtDesk, domain: AtDomain, stage: StageName
) -> Response:
    """Show a version of a stage, the one that counts where the address names none."""
    query = {name: value[:2_000] for name, value in request.query_params.items()}
    version = find_version(domain, stage, query.pop("version", ""))
    # A notice of what was just done must not be in the key, or the part is rendered anew for it.
    query.pop("done", None)
    found = build_version_view(domain, version)
    artifact = Artifact(
        domain.name, version, get_workspace(desk, domain, version), found.gate.state
    )
    key = version.name, version.manifest.content, found.gate.state, tuple(sorted(query.items()))
    fragment = desk.fragments.get(key, lambda: render_page(build_artifact_page(artifact, query)))
    return render(
        request,
        "desk/stage.html.j2",
        **found.context,
        artifact=mark_safe(fragment),
        said=read_entry_words(domain, found.gate.decisions),
        signed=collect_decision_signatures(domain, desk.signers_file),
        has_decided=found.gate.has_decided(visitor.name),
        files=list(version.files),
        beside=find_neighbours(
            list_waiting(desk.index.list_domains().rows, visitor.name), domain.name
        ),
        counts=count_severities(found.findings),
        has_earlier=_has_earlier_version(domain, version),
        asked=_find_questions(domain, version),
        withdrawable=_find_withdrawable(domain, version),
        typed={},
    )


def _has_earlier_version(domain: DomainStore, version: Version) -> bool:
    """Return whether there is something with which a version can be compared."""
    versions = domain.list_versions(version.manifest.stage)
    return any(item.number < version.number for item in versions)


def _find_withdrawable(domain: DomainStore, version: Version) -> Decision | None:
    """Return the newest decision on the stage if this is its version today; None elsewhere."""
    stage = version.manifest.stage
    current = find_current_version(domain, stage)
    is_current = current is not None and current.number == version.number
    return find_withdrawable(domain, stage) if is_current else None


def _find_questions(domain: DomainStore, version: Version) -> Asked | None:
    """Return the questions of the schema that counts; None for any other version."""
    stage = version.manifest.stage
    current = find_current_version(domain, stage) if stage == QUESTIONED else None
    if current is None or current.number != version.number:
        return None
    return collect_questions(load_latest_brief(domain), version)


@router.get("/d/{domain}/{stage}/gate")
def show_gate(
    request: Request, visitor: Somebody, desk: AtDesk, domain: AtDomain, stage: StageName
) -> Response:
    """Show where a version stands, to a page that looks again."""
    number = request.query_params.get("version", "")
    version = find_version(domain, stage, number)
    gate = GateView(domain).get_gate(version)
    return render(
        request,
        "desk/gate.html.j2",
        domain=domain,
        stage=stage,
        gate=gate,
        said=read_entry_words(domain, gate.decisions),
        signed=collect_decision_signatures(domain, desk.signers_file),
        has_decided=gate.has_decided(visitor.name),
    )


@router.get("/d/{domain}/{stage}/changes", dependencies=FOR_SOMEBODY)
def show_stage_changes(
    request: Request,
    desk: AtDesk,
    domain: AtDomain,
    stage: StageName,
) -> Response:
    """Show what changed in a stage since it was approved, once that is known."""
    query = request.query_params
    number = str(find_version(domain, stage, query.get("version", "")).number)
    asked = ComparisonRequest(stage, query.get("from", "")[:20], number)
    return _render_changes(request, desk, domain, asked)


@router.get("/d/{domain}/{stage}/files/{name:path}", dependencies=FOR_SOMEBODY)
def show_file(request: Request, domain: AtDomain, stage: StageName) -> Response:
    """Hand a file of a version out, as text to be kept."""
    name, number = str(request.path_params["name"]), request.query_params.get("version", "")
    files = find_version(domain, stage, number).files
    if name not in files:
        raise HTTPException(404)
    last = quote(name.rpartition("/")[2])
    kept = {"Content-Disposition": f"attachment; filename*=UTF-8''{last}"}
    return PlainTextResponse(files[name], headers=kept)


def _render_changes(
    request: Request, desk: Desk, domain: DomainStore, asked: ComparisonRequest
) -> Response:
    sides = find_sides(desk.store, load_latest_brief(domain), asked)
    changes = desk.comparisons.find_changes(sides)
    is_part = "hx-request" in request.headers
    is_alone = not is_part or "alone" in request.query_params
    query = {**request.query_params, **({"alone": "yes"} if is_alone else {})}
    return render(
        request,
        "desk/changes.html.j2" if is_part else "desk/changes_page.html.j2",
        heading="h2" if is_alone else "h3",
        domain=domain,
        stage=asked.stage,
        sides=sides,
        changes=changes,
        cases=list(describe_cases(changes.cases)) if changes and changes.cases else [],
        task_counts=count_task_changes(changes.tasks.changed) if changes else [],
        labels=_collect_labels(sides) if changes and changes.cases else {},
        impacts=list(Impact),
        why_next=REASONS[changes.bump] if changes else "",
        first_version=FIRST_VERSION,
        again=f"{request.url.path}?{urlencode(query)}",
    )


def _collect_labels(sides: Sides) -> dict[str, str]:
    """Return what fields are called in sentences, by name."""
    known = {**sides.old.model.fields, **sides.new.model.fields}
    return {name: item.label for name, item in known.items()}
