"""Editing a file in place: the checks say what they find before the edit is kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from review.access.guard import guard_of
from review.access.posting import ReviewerForm
from review.access.users import Role
from review.access.visitors import Somebody, with_role
from review.desk import AtDesk, DomainName, StageName
from review.reading.gate_view import find_version
from review.reading.places import place_of
from review.rendering import render
from review.routes.deciding import shown_version
from review.routes.stage import workspace
from sopforge.changes.texts import passage_changes
from sopforge.errors import Fault, MaterialError
from sopforge.findings import Finding, worst_first
from sopforge.gates.decisions import edit, waiting_version
from sopforge.gates.edit_trials import EditTrial, try_edit
from sopforge.stages.editing.edits import editable_file
from sopforge.store.digests import digest_text
from sopforge.store.versions import Version
from sopforge.workspace import Workspace

router = APIRouter()
_UNCHANGED = "edit-empty"


@dataclass(frozen=True, slots=True)
class _Draft:
    """A version with the text that its file is to have."""

    version: Version
    text: str
    tried: EditTrial | None = None
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
            "file": editable_file(manifest.stage),
            "text": self.text,
            "tried": self.tried,
            "is_waiting": self.is_waiting,
            "checked": digest_text(self.text) if self.tried else "",
            "passages": self._passages(),
            "faults": self.faults,
            "findings": self._findings(),
            "told": self._told(),
            "is_unchanged": self._is_unchanged(),
            "place": partial(place_of, text=self.text),
            "is_quick": False,
        }

    def _passages(self) -> object:
        made = self.tried.edit if self.tried else None
        return passage_changes(made.before, made.after) if made else ()

    def _findings(self) -> list[Finding]:
        return worst_first(self.tried.findings if self.tried else ())

    def _is_unchanged(self) -> bool:
        return any(fault.code == _UNCHANGED for fault in self.faults)

    def _told(self) -> str:
        """Return what was found, in a few words."""
        if self._is_unchanged():
            return "Nothing is changed."
        if self.faults:
            return "It cannot be read."
        counts = Counter(item.severity.value for item in self._findings())
        told = [f"{count} {kind}{'s' * (count != 1)}" for kind, count in counts.items()]
        return f"Found: {', '.join(told)}." if told else "The checks found nothing."


@router.get("/d/{domain}/{stage}/edit")
def show_editor(
    request: Request, visitor: Somebody, desk: AtDesk, domain: DomainName, stage: StageName
) -> Response:
    """Show the file of the version that counts, to be edited."""
    with_role(visitor, Role.REVIEWER)
    file = editable_file(stage)
    version = find_version(desk.store, domain, stage, "")
    waiting = waiting_version(desk.store, domain)
    is_waiting = waiting is not None and waiting.name == version.name
    draft = _Draft(version, version.files[file], is_waiting=is_waiting)
    return render(request, "desk/edit.html.j2", **draft.context)


@router.post("/d/{domain}/{stage}/edit")
def save_edit(
    request: Request, form: ReviewerForm, desk: AtDesk, domain: DomainName, stage: StageName
) -> Response:
    """Keep an edit that was checked as it is; check any other, and show what was found."""
    version, text = shown_version(desk, form, domain, stage), form.text("text")
    is_checked = form.text("checked") == digest_text(text)
    if form.text("action") != "keep" or not is_checked:
        with desk.turns.turn():
            files = workspace(desk, version)
            return _checked(request, _Draft(version, text), files, form.visitor.name)
    content, by = version.manifest.content, form.visitor.name
    edit(desk.store, domain, stage=stage, digest=content, text=text, by=by)
    desk.decided(domain)
    return RedirectResponse(f"/d/{domain}?done=edited", 303)


@router.post("/d/{domain}/{stage}/edit/now")
def check_now(
    request: Request, form: ReviewerForm, desk: AtDesk, domain: DomainName, stage: StageName
) -> Response:
    """Say what the quick checks find in a text that is being typed."""
    name = form.visitor.name
    with guard_of(request).checks.turn(name) as is_given:
        if not is_given:
            raise HTTPException(429)
        version, text = shown_version(desk, form, domain, stage), form.text("text")
        with desk.turns.turn():
            draft = _tried(_Draft(version, text), workspace(desk, version), name, is_quick=True)
    return render(request, "desk/edit_found.html.j2", **{**draft.context, "is_quick": True})


def _checked(request: Request, draft: _Draft, files: Workspace, by: str) -> Response:
    """Return the editor with what the checks found in a draft, or why it cannot be read."""
    found = _tried(draft, files, by)
    return render(request, "desk/edit.html.j2", 422 if found.faults else 200, **found.context)


def _tried(draft: _Draft, files: Workspace, by: str, *, is_quick: bool = False) -> _Draft:
    try:
        stage = draft.version.manifest.stage
        return replace(draft, tried=try_edit(files, stage, draft.text, by, is_quick=is_quick))
    except MaterialError as refused:
        return replace(draft, faults=refused.faults)
