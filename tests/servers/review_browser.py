"""A browser without a screen for the tests of the review app: it follows links and fills in forms.

Forms are read from the page as it was sent, so that a form without its token, or for another
version, shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import TypeAlias

from httpx2 import Response
from starlette.testclient import TestClient

from review.access.users import Role, UserFile
from review.app import create_app
from review.runs.local_runs import LocalRuns
from review.settings import Settings
from sopforge.pipeline.runs.continuing import Continuation
from sopforge.store.versions import Store

ORIGIN = "http://127.0.0.1:8321"
SECRETS = {
    "vera": "vera sees all of it",
    "ada": "ada decides on things",
    "grace": "grace publishes",
}
ROLES = {"vera": Role.VIEWER, "ada": Role.REVIEWER, "grace": Role.PUBLISHER}
Value: TypeAlias = str | list[str]
Files: TypeAlias = Mapping[str, tuple[str, bytes]]


@dataclass
class Form:
    """A form of a page: where it goes, and what it holds as it is."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    encoding: str = ""


class Page(HTMLParser):
    """A page, read for its forms, links and what a strict policy forbids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.inline: list[str] = []
        self._open: str | None = None
        self.feed(text)

    def form(self, action: str, **fixed: str) -> Form:
        """Return the one form that goes to an address, and holds these values."""
        found = [
            form
            for form in self.forms
            if form.action == action and fixed.items() <= form.fields.items()
        ]
        assert len(found) == 1, f"{len(found)} forms go to {action} with {fixed}: {self.text}"
        return found[0]

    @property
    def posting(self) -> list[str]:
        """Where the forms go that change something."""
        return [form.action for form in self.forms if form.method == "post"]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.inline += [f"{tag} {name}" for name in given if name == "style" or name[:2] == "on"]
        match tag:
            case "form":
                method, encoding = given.get("method", "get"), given.get("enctype", "")
                self.forms.append(Form(given.get("action", ""), method, encoding=encoding))
            case "input" if self.forms and given.get("type") in {None, "hidden", "text"}:
                self.forms[-1].fields[given["name"]] = given.get("value", "")
            case "textarea" if self.forms and "readonly" not in given:
                self._open = given["name"]
                self.forms[-1].fields[given["name"]] = ""
            case "a":
                self.links.append(given.get("href", ""))
            case "script" if "src" not in given:
                self.inline.append("script")
            case "style":
                self.inline.append("style")
            case _:
                pass

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            # A browser drops the line end that a text area begins with.
            self.forms[-1].fields[self._open] += data.removeprefix("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._open = None


class Browser:
    """A browser of one person."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def get(self, address: str, **headers: str) -> Response:
        """Open a page, without going where it leads."""
        return self.client.get(address, headers=headers, follow_redirects=False)

    def page(self, address: str) -> Page:
        """Open a page that is there."""
        answer = self.client.get(address)
        assert answer.status_code == 200, answer.text
        return Page(answer.text)

    def send(
        self,
        form: Form,
        given: Mapping[str, Value] | None = None,
        *,
        files: Files | None = None,
        headers: Mapping[str, str] | None = None,
        **changes: Value,
    ) -> Response:
        """Send a form as it is, but for what is given or changed, in the encoding that it names."""
        data: dict[str, Value] = {**form.fields, **(given or {}), **changes}
        parts: list[tuple[str, tuple[str | None, str | bytes]]] = list((files or {}).items())
        if form.encoding == "multipart/form-data":
            parts += [(name, (None, text)) for name, value in data.items() for text in _each(value)]
            data = {}
        return self.client.post(
            form.action, data=data, files=parts, headers=headers, follow_redirects=False
        )

    def log_in(self, name: str, secret: str = "") -> Response:
        """Log in by the form."""
        form = self.page("/login").form("/login")
        return self.send(form, name=name, secret=secret or SECRETS[name])


def _each(value: Value) -> list[str]:
    return [value] if isinstance(value, str) else value


@dataclass
class Served:
    """An app over a store, and browsers that open it."""

    store: Store
    settings: Settings
    go_on: Callable[[str], None]
    runs: LocalRuns | None = None
    continuation: Continuation | None = None

    def __post_init__(self) -> None:
        self.app = create_app(
            self.store,
            self.settings,
            go_on=self.go_on,
            runs=self.runs,
            continuation=self.continuation,
        )

    def browser(self, name: str = "", address: str = "127.0.0.1", host: str = ORIGIN) -> Browser:
        """Return a new browser, of somebody who is logged in where a name is given."""
        client = TestClient(self.app, base_url=host, client=(address, 50_000))
        client.headers.update({"sec-fetch-site": "same-origin"})
        browser = Browser(client)
        if name:
            assert browser.log_in(name).status_code == 303
        return browser


def named_users(folder: Path) -> Path:
    """Return a file with a user of each role."""
    file = UserFile(folder / "users.json")
    for name, role in ROLES.items():
        file.add(name, role, SECRETS[name])
    return file.path
