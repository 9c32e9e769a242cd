"""Pages as HTML: templates in the app's layout, in which all text of artifacts is escaped."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files

from fastapi import Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from review.access.posting import get_csrf_token
from review.access.visitors import NotAllowedError, Visitor, find_visitor
from review.desk import Desk
from review.pages.page import Page
from review.reading.titles import read_title
from sopforge.errors import MaterialError
from sopforge.pipeline.changes.changelog import (
    describe_item,
    describe_sample,
    describe_text,
    describe_turn,
)
from sopforge.pipeline.changes.texts import compare_words
from sopforge.store.entries import DRAW_POLICY, POLICY_NAME, DecisionVerdict

_NOTICES = {
    "approved": "Your approval is recorded.",
    "changes": "Your request is recorded and sent to the author.",
    "rejected": "Your rejection is recorded.",
    "withdrawn": "The decision is withdrawn, and the next run comes back to the stage.",
    "edited": "Your edit is kept. SOPForge checks it, and then it waits for approval.",
    "answered": "Your answers are kept in the brief, and SOPForge changes what they affect.",
    "regenerated": "The new brief is kept, and SOPForge makes again what it affects.",
    "continued": "The next run has started.",
    "publishing": "SOPForge is writing the release.",
}
_VERDICTS = {
    DecisionVerdict.YANK: "release yanked",
    DecisionVerdict.UNYANK: "release unyanked",
}
_POLICIES = {
    POLICY_NAME: "automatic: the checks found no error",
    DRAW_POLICY: "automatic: tasks were drawn again on request",
}
_WITHOUT_MODEL = "SOPForge, without a language model"
_STEPS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


@cache
def build_environment() -> Environment:
    """Return the templates with what they may call."""
    made = Environment(
        loader=PackageLoader("review"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "ago": describe_age,
        "author": describe_author,
        "item_line": describe_item,
        "policy": describe_policy,
        "sample_line": describe_sample,
        "text_line": describe_text,
        "turn_line": describe_turn,
        "verdict": describe_verdict,
    }
    made.globals |= {"word_changes": compare_words, "static": make_static_address}
    return made


def render(request: Request, template: str, status: int = 200, **context: object) -> HTMLResponse:
    """Return a page of the app for whoever asks."""
    shared: dict[str, object] = {
        "visitor": find_allowed_visitor(request),
        "csrf": get_csrf_token(request),
        "notice": _NOTICES.get(request.query_params.get("done", ""), ""),
        "path": request.url.path,
    }
    if "domain" in context and "title" not in context:
        desk: Desk = request.app.state.desk
        shared["title"] = read_title(desk.store.get_domain(str(context["domain"])))
    text = build_environment().get_template(template).render({**shared, **context})
    # An artifact may hold half of a pair of characters, written as an escape: it is shown as that.
    return HTMLResponse(text.encode("utf-8", "backslashreplace"), status)


def render_page(page: Page, **more: object) -> str:
    """Return the part of a page that shows an artifact."""
    return build_environment().get_template(page.template).render({**page.context, **more})


def render_hidden_token(csrf: str) -> Markup:
    """Return the hidden input by which a form names its session."""
    return Markup('<input type="hidden" name="csrf" value="{}">').format(csrf)


def mark_safe(text: str) -> Markup:
    """Return a rendered part, to be put into a page as it is."""
    return Markup(text)  # noqa: S704 - it is what a template with escaping made


def find_allowed_visitor(request: Request) -> Visitor | None:
    """Return who asks, None for whoever may see no more than a message."""
    try:
        return find_visitor(request)
    except (NotAllowedError, MaterialError):
        return None


def describe_verdict(verdict: DecisionVerdict) -> str:
    """Return a verdict in words."""
    return _VERDICTS.get(verdict) or verdict.value.replace("_", " ")


def describe_policy(name: str) -> str:
    """Return what it means that a policy decided, in words."""
    return _POLICIES.get(name, "automatic, by a policy")


def describe_author(author: str) -> str:
    """Return who wrote a version, in words.

    >>> describe_author("offline, edited by ada")
    'SOPForge, without a language model, edited by ada'
    """
    name, mark, more = author.partition(",")
    return f"{_WITHOUT_MODEL if name == 'offline' else name}{mark}{more}"


def describe_age(since: str, now: datetime | None = None) -> str:
    """Return how long ago a time was, in words.

    >>> describe_age("2026-01-01T10:00:00+00:00", datetime(2026, 1, 1, 12, 30, tzinfo=UTC))
    '2 hours'
    """
    try:
        seconds = ((now or datetime.now(UTC)) - datetime.fromisoformat(since)).total_seconds()
    except (TypeError, ValueError):
        return ""
    for size, name in _STEPS:
        count = int(seconds // size)
        if count >= 1:
            return f"{count} {name}{'s' * (count != 1)}"
    return "a moment"


@cache
def make_static_address(name: str) -> str:
    """Return the address of a static file, which changes with what is in it."""
    data = files("review").joinpath("static", name)
    digest = sha256(data.read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={digest}"
