"""Trying a tool: the page of its form, and what the tool answers in the sandbox."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from review.access.posting import Form, get_csrf_token
from review.access.visitors import FOR_SOMEBODY
from review.artifact import Artifact
from review.desk import AtDesk, AtDomain, Desk, StageName
from review.pages.registry import build_trying_page
from review.pages.trying import ARGUMENT
from review.reading.gate_view import GateView, find_version
from review.rendering import mark_safe, render, render_hidden_token, render_page
from review.routes.stage import get_workspace
from sopforge.store.versions import DomainStore

router = APIRouter()


@router.get("/d/{domain}/{stage}/try", dependencies=FOR_SOMEBODY)
def show_tool(request: Request, desk: AtDesk, domain: AtDomain, stage: StageName) -> Response:
    """Show the form of a tool."""
    return _render_trying_page(request, desk, (domain, stage), request.query_params.get("tool", ""))


@router.post("/d/{domain}/{stage}/try")
def call_tool(
    request: Request, form: Form, desk: AtDesk, domain: AtDomain, stage: StageName
) -> Response:
    """Call the tool with what was typed, and show what it answers."""
    names = [name for name in form.fields if name.startswith(ARGUMENT)]
    sent = {name.removeprefix(ARGUMENT): form.get_text(name) for name in names}
    with desk.turns.take_turn():
        return _render_trying_page(request, desk, (domain, stage), form.get_text("tool"), sent)


def _render_trying_page(
    request: Request,
    desk: Desk,
    place: tuple[DomainStore, str],
    tool: str,
    sent: dict[str, str] | None = None,
) -> Response:
    domain, stage = place
    version = find_version(domain, stage, request.query_params.get("version", ""))
    state = GateView(domain).get_gate(version).state
    found = build_trying_page(
        Artifact(domain.name, version, get_workspace(desk, domain, version), state), tool, sent
    )
    if found is None:
        raise HTTPException(404)
    shown: dict[str, Any] = {"domain": domain, "stage": stage, "version": version, "tool": tool}
    part = render_page(found, try_fields=render_hidden_token(get_csrf_token(request)))
    return render(request, "desk/trying.html.j2", **shown, part=mark_safe(part))
