"""What a person is shown where something is wrong: a clear page, with what they had typed."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from review.access.posting import ForgedError, get_typed_texts
from review.access.security_headers import HEADERS
from review.access.visitors import NotAllowedError, NotLoggedInError
from review.desk import get_desk
from review.rendering import render
from review.settings import LARGEST_BODY
from sopforge.errors import Fault, MaterialError, SopForgeError
from sopforge.store.overview import Overview

_LOG = logging.getLogger("review")
_STATUS = {
    **dict.fromkeys(("unknown-domain", "unknown-stage", "unknown-version", "unknown-release"), 404),
    **dict.fromkeys(("stale-decision", "nothing-waits", "second-decision", "brief-changed"), 409),
    **dict.fromkeys(
        ("errors-open", "not-approved", "release-source-gone", "provisional-decision"), 409
    ),
    **dict.fromkeys(("nothing-to-withdraw", "decision-released"), 409),
    **dict.fromkeys(("store-unusable", "domain-locked", "lock-lost"), 503),
    **dict.fromkeys(("store-damaged", "artifact-changed", "audit-log-broken", "store-format"), 500),
    "text-too-long": 413,
    "pages-busy": 429,
}
_TITLES = {
    404: "This page does not exist",
    405: "This page does not accept that request",
    409: "This has changed in the meantime",
    413: "Your request is too large",
    422: "Your entry cannot be accepted",
    429: "The server is busy",
    503: "The store cannot be used at the moment",
}
_DAMAGED = "A file in the store is damaged or was changed"
_SESSIONS = "session"


def add_handlers(app: FastAPI) -> None:
    """Have every error of a request answered by a page."""
    app.add_exception_handler(SopForgeError, _answer_error)
    app.add_exception_handler(NotLoggedInError, _to_login)
    app.add_exception_handler(NotAllowedError, _answer_not_allowed)
    app.add_exception_handler(ForgedError, _answer_forged_form)
    app.add_exception_handler(HTTPException, _answer_http_error)
    app.add_exception_handler(RequestValidationError, _answer_malformed_request)
    app.add_exception_handler(ClientDisconnect, _answer_gone_browser)
    app.add_exception_handler(Exception, _answer_own_fault)


async def answer_too_large(request: Request) -> Response:
    """Return what is said of a body that is not read; the browser still has what was typed."""
    # What is refused this early has not come to the middleware that reads sessions.
    request.scope.setdefault(_SESSIONS, {})
    message = f"A request may have at most {LARGEST_BODY:,} bytes."
    hint = "Go back (your browser still has what you wrote) and send less."
    return PlainTextResponse(f"{message} {hint}\n", 413)


def _answer_error(request: Request, refused: Exception) -> Response:
    """Return the page of an error that a person can act on."""
    faults = refused.faults if isinstance(refused, SopForgeError) else ()
    default = 422 if isinstance(refused, MaterialError) else 500
    status = max((_STATUS.get(fault.code, default) for fault in faults), default=500)
    title = _TITLES.get(status, _DAMAGED)
    return _render_trouble_page(request, status, title, faults)


def _to_login(request: Request, refused: Exception) -> Response:  # noqa: ARG001 - as starlette calls it
    """Send somebody to the login; what was typed is shown there, to be kept."""
    if "hx-request" in request.headers:
        return PlainTextResponse("log in again\n", 401)
    if request.method == "GET":
        whole = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/login?next={quote(whole, safe='')}", 303)
    return render(
        request,
        "desk/login.html.j2",
        401,
        following="/",
        refused="ended",
        typed=get_typed_texts(request),
    )


def _answer_not_allowed(request: Request, refused: Exception) -> Response:
    fault = Fault(
        "role-missing", str(refused), "", "ask the person who runs this server to give you the role"
    )
    return _render_trouble_page(request, 403, "Your role does not allow this", (fault,))


def _answer_forged_form(request: Request, refused: Exception) -> Response:  # noqa: ARG001 - as starlette calls it
    message = "the form has expired, or did not come from this app"
    fault = Fault("form-not-ours", message, "", "open the page again and repeat what you did")
    return _render_trouble_page(request, 403, "Nothing was done", (fault,))


def _answer_http_error(request: Request, refused: Exception) -> Response:
    status = refused.status_code if isinstance(refused, HTTPException) else 500
    return _render_trouble_page(request, status, _TITLES.get(status, HTTPStatus(status).phrase), ())


def _answer_malformed_request(request: Request, refused: Exception) -> Response:  # noqa: ARG001 - as starlette calls it
    return _render_trouble_page(request, 422, _TITLES[422], ())


def _answer_gone_browser(request: Request, refused: Exception) -> Response:  # noqa: ARG001 - as starlette calls it
    """Answer a browser that left while it was sending, and that hears nothing any more."""
    return PlainTextResponse("gone\n", 400)


def _answer_own_fault(request: Request, fault: Exception) -> Response:
    """Return the page of an error that nobody foresaw; what it was stays in the log."""
    _LOG.error("%s %s failed", request.method, request.url.path, exc_info=fault)
    answer = _render_trouble_page(request, 500, "SOPForge has an internal error", ())
    # This is called outside of what puts the headers on other answers.
    answer.headers.update(HEADERS)
    return answer


def _render_trouble_page(
    request: Request, status: int, title: str, faults: tuple[Fault, ...]
) -> HTMLResponse:
    request.scope.setdefault(_SESSIONS, {})
    shown: dict[str, Any] = {"title": title, "faults": faults, "typed": get_typed_texts(request)}
    answer = render(
        request,
        "desk/trouble.html.j2",
        status,
        **shown,
        now=_find_current_overview(request, status),
    )
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        answer.headers["Retry-After"] = "10"
    return answer


def _find_current_overview(request: Request, status: int) -> Overview | None:
    """Return where a domain stands now, if it is what changed under a request."""
    domain = str(request.path_params.get("domain", ""))
    if status != HTTPStatus.CONFLICT or not domain:
        return None
    return get_desk(request).index.refresh(domain)
