"""Making a domain again with new context: the brief's difference is shown before it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from review.access.posting import Posted, ReviewerForm
from review.access.users import Role
from review.access.visitors import Somebody, with_role
from review.desk import AtDesk, AtDomain, Desk
from review.reading.fact_tables import build_fact_tables, patch_of_tables
from review.rendering import render
from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.briefs.brief_files import keep_brief, load_latest_brief
from sopforge.pipeline.briefs.regeneration import PatchText, change_brief
from sopforge.pipeline.changes.items import compare_items
from sopforge.pipeline.changes.texts import compare_passages
from sopforge.store.digests import digest_text
from sopforge.store.versions import DomainStore

router = APIRouter()
_LONGEST = 200_000


@router.get("/d/{domain}/regenerate")
def show_form(request: Request, visitor: Somebody, domain: AtDomain) -> Response:
    """Show the form."""
    with_role(visitor, Role.REVIEWER)
    brief = load_latest_brief(domain)
    return render(request, "desk/regenerate.html.j2", **_build_context(domain, brief))


@router.post("/d/{domain}/regenerate")
def regenerate(request: Request, form: ReviewerForm, desk: AtDesk, domain: AtDomain) -> Response:
    """Show what the brief becomes; keep it, and start the run, once that was seen."""
    # Long YAML takes seconds to read; to keep what was read takes a moment, or waits for a lock.
    with desk.turns.take_turn():
        brief = load_latest_brief(domain)
        written = form.select_fields("fact:")
        facts = patch_of_tables(brief, written.get)
        given: dict[str, object] = {
            "context": form.get_text("context"),
            "patch": form.get_text("patch"),
            "written": written,
            "has_facts": facts is not None,
        }
        try:
            added = _parse_addition(form, facts)
            new = added.apply_to(brief)
        except MaterialError as refused:
            again = {**_build_context(domain, brief, **given), "faults": refused.faults}
            return render(request, "desk/regenerate.html.j2", 422, **again)
        if form.get_text("action") != "keep":
            # What was handed in as a file stands in the form from here on.
            given |= {"context": added.context, "patch": added.patch.text if added.patch else ""}
            shown = {**_build_context(domain, brief, **given), **_compare_briefs(brief, new)}
            return render(request, "desk/regenerate.html.j2", **shown)
    return _start_regeneration(desk, domain, new, form.get_text("base"))


def _start_regeneration(desk: Desk, domain: DomainStore, brief: Brief, base: str) -> Response:
    keep_brief(desk.store, brief, base)
    desk.go_on(domain.name)
    return RedirectResponse(f"/d/{domain}?done=regenerated", 303)


def _build_context(domain: DomainStore, brief: Brief, **given: object) -> dict[str, Any]:
    return {
        "domain": domain,
        "base": digest_text(brief.text),
        "brief": brief.text,
        "has_model": brief.parts.model is not None,
        "tables": build_fact_tables(brief),
        "context": "",
        "patch": "",
        "written": {},
        "has_facts": False,
        "passages": None,
        "items": (),
        "faults": (),
        **given,
    }


def _compare_briefs(brief: Brief, new: Brief) -> dict[str, object]:
    """Return what an addition changes: of the model, part by part, and of the text, by line.

    Comments, which no addition keeps, are left out.
    """
    passages = compare_passages(brief.text, new.text)
    is_known = brief.built is not None and new.built is not None
    return {
        "passages": passages,
        "items": compare_items(brief.model, new.model) if is_known else (),
    }


@dataclass(frozen=True, slots=True)
class _Added:
    """What is added to a brief: in words, as YAML, and in its tables of limits and rules."""

    context: str
    patch: PatchText | None
    facts: PatchText | None

    def apply_to(self, brief: Brief) -> Brief:
        """Return the brief with all of it."""
        new = change_brief(brief, self.context, self.patch)
        return new if self.facts is None else change_brief(new, "", self.facts)


def _parse_addition(form: Posted, facts: PatchText | None) -> _Added:
    said, handed_in = form.get_text("context").strip(), form.read_file_text("context_file").strip()
    patch = form.read_file_text("patch_file") or form.get_text("patch")
    for text, what in ((said, "context"), (handed_in, "context"), (patch, "patch")):
        _refuse_long(text, what)
    context = "\n".join(text for text in (said, handed_in) if text)
    if not context and not patch.strip() and facts is None:
        message, hint = "nothing was added", "write what is new, change a table or choose a file"
        raise MaterialError(Fault("context-empty", message, "", hint))
    typed = PatchText(patch, "the change to the model") if patch.strip() else None
    return _Added(context, typed, facts)


def _refuse_long(text: str, what: str) -> None:
    if len(text) > _LONGEST:
        message = f"the {what} has {len(text):,} characters; at most {_LONGEST:,} are allowed"
        hint = "shorten it to what the brief needs"
        raise MaterialError(Fault("text-too-long", message, what, hint))
