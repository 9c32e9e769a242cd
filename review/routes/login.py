"""Logging in and out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from review.access.guard import get_guard
from review.access.login_attempts import WAIT_SECONDS
from review.access.posting import BY_SOMEBODY, read_genuine_form
from review.access.visitors import begin_session, end_session, find_visitor, get_address
from review.rendering import render

router = APIRouter()
_LONGEST_NAME = 64


@router.get("/login")
def show_login(request: Request) -> Response:
    """Show the form; who is known already goes on."""
    following = _normalize_address(request.query_params.get("next", ""))
    if find_visitor(request) is not None:
        return RedirectResponse(following, 303)
    return render(request, "desk/login.html.j2", following=following)


@router.post("/login")
def log_in(request: Request, form: Annotated[FormData, Depends(read_genuine_form)]) -> Response:
    """Begin a session for a name and its secret."""
    name, secret = str(form.get("name", ""))[:_LONGEST_NAME], str(form.get("secret", ""))
    following, guard = _normalize_address(str(form.get("next", ""))), get_guard(request)
    if not guard.attempts.is_allowed(name, get_address(request)):
        answer = render(request, "desk/login.html.j2", 429, following=following, refused="often")
        answer.headers["Retry-After"] = str(WAIT_SECONDS)
        return answer
    user = guard.users.verify_user(name, secret)
    if user is None:
        return render(request, "desk/login.html.j2", 401, following=following, refused="wrong")
    begin_session(request, user)
    return RedirectResponse(following, 303)


@router.post("/logout", dependencies=BY_SOMEBODY)
def log_out(request: Request) -> Response:
    """End the session."""
    end_session(request)
    return RedirectResponse("/login", 303)


def _normalize_address(address: str) -> str:
    """Return an address of this app, whatever was asked for."""
    # Browsers take `//host` and `/\host` for the address of another host.
    is_inside = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if is_inside and address.isprintable() else "/"
