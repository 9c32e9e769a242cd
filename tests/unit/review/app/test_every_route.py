"""What holds for every address: its role, its form's token, and the headers of its answer.

The addresses are those of the app itself, so that one that is added has to be given its role here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest
from fastapi.routing import APIRoute
from httpx2 import Response
from starlette.routing import BaseRoute, Mount

from review.access.security_headers import HEADERS
from review.access.users import Role
from tests.servers.review_browser import ROLES, Browser, Served
from tests.unit.review.app.conftest import Serve

ANYBODY = None
ROLE_OF: Mapping[tuple[str, str], Role | None] = {
    ("GET", "/login"): ANYBODY,
    ("POST", "/login"): ANYBODY,
    ("POST", "/logout"): Role.VIEWER,
    ("GET", "/"): Role.VIEWER,
    ("GET", "/d/{domain}"): Role.VIEWER,
    ("GET", "/d/{domain}/history"): Role.VIEWER,
    ("GET", "/d/{domain}/changes"): Role.VIEWER,
    ("GET", "/d/{domain}/releases"): Role.VIEWER,
    ("GET", "/d/{domain}/releases/{version}.zip"): Role.VIEWER,
    ("GET", "/d/{domain}/sop/sop.docx"): Role.VIEWER,
    ("GET", "/d/{domain}/{stage}"): Role.VIEWER,
    ("GET", "/d/{domain}/{stage}/gate"): Role.VIEWER,
    ("GET", "/d/{domain}/{stage}/changes"): Role.VIEWER,
    ("GET", "/d/{domain}/{stage}/files/{name:path}"): Role.VIEWER,
    ("GET", "/d/{domain}/{stage}/try"): Role.VIEWER,
    ("POST", "/d/{domain}/{stage}/try"): Role.VIEWER,
    ("POST", "/d/{domain}/continue"): Role.REVIEWER,
    ("POST", "/d/{domain}/{stage}/decide"): Role.REVIEWER,
    ("POST", "/d/{domain}/{stage}/withdraw"): Role.REVIEWER,
    ("GET", "/d/{domain}/{stage}/edit"): Role.REVIEWER,
    ("POST", "/d/{domain}/{stage}/edit"): Role.REVIEWER,
    ("POST", "/d/{domain}/{stage}/edit/now"): Role.REVIEWER,
    ("GET", "/d/{domain}/regenerate"): Role.REVIEWER,
    ("POST", "/d/{domain}/regenerate"): Role.REVIEWER,
    ("GET", "/d/{domain}/questions"): Role.VIEWER,
    ("POST", "/d/{domain}/questions"): Role.REVIEWER,
    ("POST", "/d/{domain}/releases"): Role.PUBLISHER,
}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
PLACES = {"domain": "refund", "stage": "tools", "name:path": "tools.py", "version": "1.0.0"}
POSTS = [path for method, path in ROLE_OF if method == "POST"]


def filled(path: str) -> str:
    """Return an address that is there."""
    address = re.sub(r"\{([^}]*)\}", lambda gap: PLACES[gap[1]], path)
    return f"{address}?tool=payRefund" if path.endswith("/try") else address


def routes(found: Iterable[BaseRoute]) -> Iterator[APIRoute]:
    """Return the routes of an app, but for files that anybody may have."""
    for route in found:
        match route:
            case APIRoute():
                yield route
            case Mount(path="/static"):
                pass
            case _:
                yield from routes(route.original_router.routes)  # type: ignore[attr-defined]


def call(
    browser: Browser, method: str, path: str, fields: Mapping[str, str], **headers: str
) -> Response:
    """Call an address, and compare its headers with those of every answer."""
    answer = browser.client.request(
        method, filled(path), data=fields, headers=headers, follow_redirects=False
    )
    kept = {name: answer.headers.get(name) for name in HEADERS}
    assert (method, path, kept) == (method, path, HEADERS)
    assert answer.headers["cache-control"] == "no-store"
    return answer


def token(browser: Browser) -> dict[str, str]:
    """Return the token of a browser's session."""
    page = browser.page("/" if browser.get("/").status_code == 200 else "/login")
    return {"csrf": page.forms[0].fields["csrf"]}


def kept(served: Served) -> dict[str, bytes]:
    """Return all that a store holds, but for what is locked while it is read."""
    files = Path(served.store.place).rglob("*")
    return {str(path): path.read_bytes() for path in files if path.is_file()}


@pytest.fixture
def site(serve: Serve, passed_store: Path) -> Served:
    return serve(passed_store)


def test_every_route_has_its_role_here(site: Served) -> None:
    there = [
        (method, item.path) for item in routes(site.app.routes) for method in item.methods or ()
    ]

    assert sorted(there) == sorted(ROLE_OF)


@pytest.mark.parametrize("name", ["", *ROLES])
def test_every_route_is_for_its_role_and_those_above(site: Served, name: str) -> None:
    browser = site.browser(name)
    fields = {**token(browser), "tool": "payRefund"}

    # The one that ends the session comes last.
    for (method, path), role in sorted(ROLE_OF.items(), key=lambda item: item[0][1] == "/logout"):
        status = call(browser, method, path, fields if method == "POST" else {}).status_code

        if role is ANYBODY or (name and ROLES[name].covers(role)):
            assert status in {200, 303, 409, 422} or (path, status) == ("/login", 401), path
        elif name:
            assert (method, path, status) == (method, path, 403)
        else:
            assert (method, path, status) == (method, path, 303 if method == "GET" else 401)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"content-type": "text/plain"},
        {"content-type": "application/json"},
        {"content-type": "multipart/form-data; boundary=x; charset=punycode"},
    ],
    ids=str,
)
def test_no_route_takes_a_form_from_elsewhere(site: Served, headers: Mapping[str, str]) -> None:
    grace = site.browser("grace")
    fields, before = token(grace), kept(site)

    for path in POSTS:
        answer = call(grace, "POST", path, fields, **headers)
        assert (path, answer.status_code) == (path, 403)

    assert kept(site) == before


def test_no_route_takes_a_form_without_the_token_of_its_session(site: Served) -> None:
    grace, of_ada, before = site.browser("grace"), token(site.browser("ada")), kept(site)

    for path in POSTS:
        for fields in ({}, {"csrf": ""}, {"csrf": "guessed"}, of_ada):
            answer = call(grace, "POST", path, fields)
            assert (path, answer.status_code) == (path, 403)

    assert kept(site) == before


def test_nothing_but_a_posted_form_changes_anything(site: Served) -> None:
    grace = site.browser("grace")
    fields, before = token(grace), kept(site)

    for path in {path for _, path in ROLE_OF}:
        there = {method for method in METHODS if (method, path) in ROLE_OF}
        for method in METHODS:
            if method == "POST" and method in there:
                continue
            status = call(grace, method, path, fields if method != "GET" else {}).status_code
            is_there = status not in {404, 405}
            assert (method, path, is_there) == (method, path, method in there)

    assert kept(site) == before
    assert grace.get("/").status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/nowhere",
        "/d/refund/nowhere",
        "/d/nowhere",
        "/d/..%2f..",
        "/d/%2e%2e/schema",
        "/d/Refund",
        "/d/refund%00",
        "/d/refund/..%2f..%2fetc",
        "/d/refund/package",
        "/d/refund/tools?version=../1",
        "/d/refund/tools?version=99",
        "/d/refund/releases/9.9.9.zip",
        "/d/refund/tools/files/..%2fmanifest.json",
        "/d/refund/tools/files/%2fetc%2fpasswd",
        "/d/refund/tools/files/%2e%2e/%2e%2e/%2e%2e/pending.json",
        "/d/refund/releases/..%2f..%2fbriefs.zip",
        "/docs",
        "/openapi.json",
        "/static/nowhere.js",
        "/static/..%2fapp.py",
    ],
)
def test_an_address_that_is_not_there_is_a_page_that_says_so(site: Served, address: str) -> None:
    answer = call(site.browser("vera"), "GET", address, {})

    assert answer.status_code == 404
    assert "This page does not exist" in answer.text


def test_what_is_downloaded_is_kept_and_not_shown(site: Served) -> None:
    vera = site.browser("vera")
    for path in ("/d/{domain}/{stage}/files/{name:path}", "/d/{domain}/releases/{version}.zip"):
        answer = call(vera, "GET", path, {})
        assert answer.headers["content-disposition"].startswith("attachment; filename")
        kind = answer.headers["content-type"]
        assert kind in {"text/plain; charset=utf-8", "application/zip"}


def test_static_files_have_the_same_headers(site: Served) -> None:
    for name in ("desk.js", "desk.css", "icon.svg"):
        assert call(site.browser(), "GET", f"/static/{name}", {}).status_code == 200
