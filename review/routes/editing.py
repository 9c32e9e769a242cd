"""Editing a file in place: the checks say what they find before the edit is kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from review.access.guard import get_guard
from review.access.posting import ReviewerForm
from review.access.users import Role
from review.access.visitors import Somebody, with_role
from review.desk import AtDesk, AtDomain, StageName
from review.reading.gate_view import find_version
from review.reading.places import find_place
from review.rendering import render
from review.routes.deciding import require_version_on_page
from review.routes.stage import get_workspace
from sopforge.errors import Fault, MaterialError
from sopforge.findings import Finding, sort_by_severity
from sopforge.pipeline.changes.sentences import list_changed_sentences
from sopforge.pipeline.changes.texts import TextPassage, compare_passages
from sopforge.pipeline.gates.edit_reading import sign_edit
from sopforge.pipeline.gates.edit_trials import EditTrial, try_edit
from sopforge.pipeline.gates.gate import edit
from sopforge.pipeline.stages.editing.edits import require_editable_file
from sopforge.store.digests import digest_text
from sopforge.store.log.kept_edits import LineReading
from sopforge.store.versions import Version
from sopforge.workspace import Workspace

router = APIRouter()
_UNCHANGED, _NOT_READ = "edit-empty", "sop-not-read"


@dataclass(frozen=True, slots=True)
class _Draft:
    """A version with the text that its file is to have."""

    version: Version
    text: str
    tried: EditTrial | None = None
    sentences: tuple[TextPassage, ...] = ()
    is_signed: bool = False
    faults: tuple[Fault, ...] = ()
    is_waiting: bool = True

    @property
    def context(self) -> dict[str, Any]:
        manifest = self.version.manifest
        return {
            "domain": manifest.domain,
            "stage": manifest.stage,
            "manifest": manifest,
            "version": self.version,
            "file": require_editable_file(manifest.stage),
            "text": self.text,
            "tried": self.tried,
            "is_waiting": self.is_waiting,
            "checked": digest_text(self.text) if self.tried else "",
            "passages": self._list_passages(),
            "sentences": self.sentences,
            "is_signed": self.is_signed,
            "can_sign": self.is_signed or any(x.id == _NOT_READ for x in self._list_findings()),
            "faults": self.faults,
            "findings": self._list_findings(),
            "outcome": self._describe_outcome(),
            "is_unchanged": self._is_unchanged(),
            "place": partial(find_place, text=self.text),
            "is_quick": False,
        }

    def _list_passages(self) -> object:
        made = self.tried.edit if self.tried else None
        return compare_passages(made.before, made.after) if made else ()

    def _list_findings(self) -> list[Finding]:
        return sort_by_severity(self.tried.findings if self.tried else ())

    def _is_unchanged(self) -> bool:
        return any(fault.code == _UNCHANGED for fault in self.faults)

    def _describe_outcome(self) -> str:
        """Return what was found, in a few words."""
        if self._is_unchanged():
            return "You changed nothing."
        if self.faults:
            return "Your text cannot be read."
        counts = Counter(item.severity.value for item in self._list_findings())
        counted = [f"{count} {kind}{'s' * (count != 1)}" for kind, count in counts.items()]
        return f"Found: {', '.join(counted)}." if counted else "The checks found nothing."


@router.get("/d/{domain}/{stage}/edit")
def show_editor(
    request: Request, visitor: Somebody, domain: AtDomain, stage: StageName
) -> Response:
    """Show the file of the version that counts, to be edited."""
    with_role(visitor, Role.REVIEWER)
    file = require_editable_file(stage)
    version = find_version(domain, stage, "")
    waiting = domain.find_waiting_version()
    is_waiting = waiting is not None and waiting.name == version.name
    draft = _Draft(version, version.files[file], is_waiting=is_waiting)
    return render(request, "desk/edit.html.j2", **draft.context)


@router.post("/d/{domain}/{stage}/edit")
def save_edit(
    request: Request, form: ReviewerForm, desk: AtDesk, domain: AtDomain, stage: StageName
) -> Response:
    """Keep an edit that was checked as it is; check any other, and show what was found."""
    version, text = require_version_on_page(form, domain, stage), form.get_text("text")
    is_signed = stage == "sop" and form.get_text("sign") == "on"
    is_checked = form.get_text("checked") == digest_text(text)
    if form.get_text("action") != "keep" or not is_checked:
        with desk.turns.take_turn():
            files = get_workspace(desk, domain, version)
            draft = _Draft(version, text, is_signed=is_signed)
            return _render_editor(request, draft, files, form.visitor.name)
    content, by = version.manifest.content, form.visitor.name
    read = _sign(get_workspace(desk, domain, version), text, by) if is_signed else ()
    edit(domain, stage=stage, digest=content, text=text, by=by, readings=read)
    desk.continue_if_due(domain.name)
    return RedirectResponse(f"/d/{domain}?done=edited", 303)


@router.post("/d/{domain}/{stage}/edit/now")
def check_now(
    request: Request, form: ReviewerForm, desk: AtDesk, domain: AtDomain, stage: StageName
) -> Response:
    """Say what the quick checks find in a text that is being typed."""
    name = form.visitor.name
    with get_guard(request).checks.take_turn(name) as is_given:
        if not is_given:
            raise HTTPException(429)
        version, text = require_version_on_page(form, domain, stage), form.get_text("text")
        with desk.turns.take_turn():
            draft = _try_draft(
                _Draft(version, text), get_workspace(desk, domain, version), name, is_quick=True
            )
    return render(request, "desk/edit_found.html.j2", **{**draft.context, "is_quick": True})


def _render_editor(request: Request, draft: _Draft, files: Workspace, by: str) -> Response:
    """Return the editor with what the checks found in a draft, or why it cannot be read."""
    found = _try_draft(draft, files, by)
    return render(request, "desk/edit.html.j2", 422 if found.faults else 200, **found.context)


def _try_draft(draft: _Draft, files: Workspace, by: str, *, is_quick: bool = False) -> _Draft:
    try:
        stage = draft.version.manifest.stage
        read = _sign(files, draft.text, by) if draft.is_signed else ()
        tried = try_edit(files, stage, draft.text, by, read, is_quick=is_quick)
        changed = () if is_quick else list_changed_sentences(files, tried.workspace)
        return replace(draft, tried=tried, sentences=changed)
    except MaterialError as refused:
        return replace(draft, faults=refused.faults)


def _sign(files: Workspace, text: str, by: str) -> tuple[LineReading, ...]:
    """Return what a person states of the lines of an SOP that no check can read."""
    return sign_edit(files, text, by).readings
