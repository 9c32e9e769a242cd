"""Making a domain again with new context: the brief's difference is shown before it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from review.access.posting import Posted, ReviewerForm
from review.access.users import Role
from review.access.visitors import Somebody, with_role
from review.desk import AtDesk, Desk, DomainName
from review.reading.fact_tables import fact_tables, patch_of_tables
from review.reading.kept_briefs import newest_brief
from review.rendering import render
from sopforge.briefs.files import keep_brief
from sopforge.briefs.regeneration import PatchText, changed_brief
from sopforge.changes.items import item_changes
from sopforge.changes.texts import passage_changes
from sopforge.domain.documents.yaml_documents import write_document
from sopforge.domain.reading import Brief
from sopforge.errors import Fault, MaterialError
from sopforge.store.digests import digest_text

router = APIRouter()
_LONGEST = 200_000


@router.get("/d/{domain}/regenerate")
def show_form(request: Request, visitor: Somebody, desk: AtDesk, domain: DomainName) -> Response:
    """Show the form."""
    with_role(visitor, Role.REVIEWER)
    brief = newest_brief(desk.store, domain)
    return render(request, "desk/regenerate.html.j2", **_context(domain, brief))


@router.post("/d/{domain}/regenerate")
def regenerate(request: Request, form: ReviewerForm, desk: AtDesk, domain: DomainName) -> Response:
    """Show what the brief becomes; keep it, and start the run, once that was seen."""
    # Long YAML takes seconds to read; to keep what was read takes a moment, or waits for a lock.
    with desk.turns.turn():
        brief = newest_brief(desk.store, domain)
        written = form.given("fact:")
        facts = patch_of_tables(brief, written.get)
        given: dict[str, object] = {
            "context": form.text("context"),
            "patch": form.text("patch"),
            "written": written,
            "has_facts": facts is not None,
        }
        try:
            added = _added(form, facts)
            new = added.to(brief)
        except MaterialError as refused:
            again = {**_context(domain, brief, **given), "faults": refused.faults}
            return render(request, "desk/regenerate.html.j2", 422, **again)
        if form.text("action") != "keep":
            # What was handed in as a file stands in the form from here on.
            given |= {"context": added.context, "patch": added.patch.text if added.patch else ""}
            shown = {**_context(domain, brief, **given), **_changes(brief, new)}
            return render(request, "desk/regenerate.html.j2", **shown)
    return _started(desk, domain, new, form.text("base"))


def _started(desk: Desk, domain: str, brief: Brief, base: str) -> Response:
    keep_brief(desk.store, brief, base)
    desk.go_on(domain)
    return RedirectResponse(f"/d/{domain}?done=regenerated", 303)


def _context(domain: str, brief: Brief, **given: object) -> dict[str, Any]:
    return {
        "domain": domain,
        "base": digest_text(brief.text),
        "brief": brief.text,
        "has_model": brief.parts.model is not None,
        "tables": fact_tables(brief),
        "context": "",
        "patch": "",
        "written": {},
        "has_facts": False,
        "passages": None,
        "items": (),
        "faults": (),
        **given,
    }


def _changes(brief: Brief, new: Brief) -> dict[str, object]:
    """Return what an addition changes: of the model, part by part, and of the text, by line.

    Comments, which no addition keeps, are left out.
    """
    passages = passage_changes(write_document(brief.document.value), new.text)
    is_known = brief.built is not None and new.built is not None
    return {"passages": passages, "items": item_changes(brief.model, new.model) if is_known else ()}


@dataclass(frozen=True, slots=True)
class _Added:
    """What is added to a brief: in words, as YAML, and in its tables of limits and rules."""

    context: str
    patch: PatchText | None
    facts: PatchText | None

    def to(self, brief: Brief) -> Brief:
        """Return the brief with all of it."""
        new = changed_brief(brief, self.context, self.patch)
        return new if self.facts is None else changed_brief(new, "", self.facts)


def _added(form: Posted, facts: PatchText | None) -> _Added:
    said, handed_in = form.text("context").strip(), form.file_text("context_file").strip()
    patch = form.file_text("patch_file") or form.text("patch")
    for text, what in ((said, "context"), (handed_in, "context"), (patch, "patch")):
        _refuse_long(text, what)
    context = "\n".join(text for text in (said, handed_in) if text)
    if not context and not patch.strip() and facts is None:
        message, hint = "nothing was added", "write what is new, change a table, or hand in a file"
        raise MaterialError(Fault("context-empty", message, "", hint))
    typed = PatchText(patch, "the change of the model") if patch.strip() else None
    return _Added(context, typed, facts)


def _refuse_long(text: str, what: str) -> None:
    if len(text) > _LONGEST:
        message = f"the {what} has {len(text):,} characters; at most {_LONGEST:,} are read"
        hint = "leave out what belongs to no brief"
        raise MaterialError(Fault("text-too-long", message, what, hint))
