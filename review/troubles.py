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

from review.access.posting import ForgedError, typed
from review.access.security_headers import HEADERS
from review.access.visitors import NotAllowedError, NotLoggedInError
from review.desk import desk_of
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
    **dict.fromkeys(("store-unusable", "domain-locked", "lock-lost"), 503),
    **dict.fromkeys(("store-damaged", "artifact-changed", "audit-log-broken", "store-format"), 500),
    "text-too-long": 413,
    "pages-busy": 429,
}
_TITLES = {
    404: "There is no such page",
    405: "That cannot be done here",
    409: "This has changed meanwhile",
    413: "That is too large",
    422: "This cannot be taken as it is",
    429: "Too much is asked for at once",
    503: "The store cannot be used now",
}
_DAMAGED = "Something in the store is not as it was written"
_SESSIONS = "session"


def add_handlers(app: FastAPI) -> None:
    """Have every error of a request answered by a page."""
    app.add_exception_handler(SopForgeError, _told)
    app.add_exception_handler(NotLoggedInError, _to_login)
    app.add_exception_handler(NotAllowedError, _not_allowed)
    app.add_exception_handler(ForgedError, _forged)
    app.add_exception_handler(HTTPException, _plain)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(Exception, _our_fault)


async def too_large(request: Request) -> Response:
    """Return what is said of a body that is not read; the browser still has what was typed."""
    request.scope.setdefault(_SESSIONS, {})
    message = f"A request may have {LARGEST_BODY:,} bytes."
    hint = "Go back: your browser still has what you wrote. Then hand in less."
    return PlainTextResponse(f"{message} {hint}\n", 413)


def _told(request: Request, refused: Exception) -> Response:
    """Return the page of an error that a person can act on."""
    faults = refused.faults if isinstance(refused, SopForgeError) else ()
    default = 422 if isinstance(refused, MaterialError) else 500
    status = max((_STATUS.get(fault.code, default) for fault in faults), default=500)
    title = _TITLES.get(status, _DAMAGED)
    return _page(request, status, title, faults)


def _to_login(request: Request, refused: Exception) -> Response:  # noqa: ARG001 - as starlette calls it
    """Send somebody to the login; what was typed is shown there, to be kept."""
    if "hx-request" in request.headers:
        return PlainTextResponse("log in again\n", 401)
    if request.method == "GET":
        whole = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/login?next={quote(whole, safe='')}", 303)
    return render(
        request, "desk/login.html.j2", 401, following="/", refused="ended", typed=typed(request)
    )


def _not_allowed(request: Request, refused: Exception) -> Response:
    fault = Fault("role-missing", str(refused), "", "ask who serves this page for the role")
    return _page(request, 403, "You may not do that", (fault,))


def _forged(request: Request, refused: Exception) -> Response:  # noqa: ARG001 - as starlette calls it
    message = "the form is too old, or did not come from this app"
    fault = Fault("form-not-ours", message, "", "open the page again, and repeat it there")
    return _page(request, 403, "Nothing was done", (fault,))


def _plain(request: Request, refused: Exception) -> Response:
    status = refused.status_code if isinstance(refused, HTTPException) else 500
    return _page(request, status, _TITLES.get(status, HTTPStatus(status).phrase), ())


def _malformed(request: Request, refused: Exception) -> Response:  # noqa: ARG001 - as starlette calls it
    return _page(request, 422, _TITLES[422], ())


def _gone(request: Request, refused: Exception) -> Response:  # noqa: ARG001 - as starlette calls it
    """Answer a browser that left while it was sending, and that hears nothing any more."""
    return PlainTextResponse("gone\n", 400)


def _our_fault(request: Request, fault: Exception) -> Response:
    """Return the page of an error that nobody foresaw; what it was stays in the log."""
    _LOG.error("%s %s failed", request.method, request.url.path, exc_info=fault)
    answer = _page(request, 500, "This is a fault of SOPForge", ())
    # This is called outside of what puts the headers on other answers.
    answer.headers.update(HEADERS)
    return answer


def _page(request: Request, status: int, title: str, faults: tuple[Fault, ...]) -> HTMLResponse:
    request.scope.setdefault(_SESSIONS, {})
    shown: dict[str, Any] = {"title": title, "faults": faults, "typed": typed(request)}
    answer = render(request, "desk/trouble.html.j2", status, **shown, now=_now(request, status))
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        answer.headers["Retry-After"] = "10"
    return answer


def _now(request: Request, status: int) -> Overview | None:
    """Return where a domain stands now, if it is what changed under a request."""
    domain = str(request.path_params.get("domain", ""))
    if status != HTTPStatus.CONFLICT or not domain:
        return None
    return desk_of(request).index.refresh(domain)
