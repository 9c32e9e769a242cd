"""Forms that were posted: by somebody, from a page of this app, within limits."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData, UploadFile

from review.access.users import Role
from review.access.visitors import (
    CSRF,
    NotLoggedInError,
    Visitor,
    find_visitor,
    make_token,
    with_role,
)
from review.settings import LARGEST_BODY, LARGEST_ESCAPED
from sopforge.errors import Fault, MaterialError

_TYPED = ("comment", "quote", "text", "context", "patch")
_MOST_FIELDS = 1_000
_ESCAPED = b"application/x-www-form-urlencoded"
_MOST_FILES = 2


class ForgedError(Exception):
    """A form came from no page of this app, or from one that is too old."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A form, and who posted it."""

    visitor: Visitor
    fields: FormData

    def get_text(self, name: str) -> str:
        """Return what was written into a field, with line ends as files have them."""
        value = self.fields.get(name, "")
        return value.replace("\r\n", "\n") if isinstance(value, str) else ""

    def list_texts(self, name: str) -> tuple[str, ...]:
        """Return all values of a field."""
        return tuple(value for value in self.fields.getlist(name) if isinstance(value, str))

    def select_fields(self, start: str) -> dict[str, str]:
        """Return the fields whose names begin so."""
        return {name: self.get_text(name) for name in self.fields if name.startswith(start)}

    def read_file_text(self, name: str) -> str:
        """Return the text of a file that was handed in, empty if none was.

        Raises:
            MaterialError: it is not UTF-8 text.
        """
        upload = self.fields.get(name)
        if not isinstance(upload, UploadFile) or not upload.filename:
            return ""
        data = upload.file.read()
        try:
            return data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as cause:
            message = f"'{upload.filename}' is not valid UTF-8 at byte {cause.start}"
            hint = "save the file as UTF-8 text"
            raise MaterialError(Fault("not-utf-8", message, upload.filename, hint)) from cause


def get_csrf_token(request: Request) -> str:
    """Return the token that the forms shown in this browser carry."""
    if CSRF not in request.session:
        request.session[CSRF] = make_token()
    return str(request.session[CSRF])


def get_typed_texts(request: Request) -> Mapping[str, str]:
    """Return what a person wrote into the form of a request, to be given back."""
    found: Mapping[str, str] = getattr(request.state, "typed", {})
    return found


async def read_genuine_form(request: Request) -> FormData:
    """Return a form that a page of this app posted.

    Raises:
        ForgedError: it did not.
        MaterialError: its fields are longer than a browser sends them in that encoding.
    """
    _refuse_encoding(request)
    form = await request.form(
        max_files=_MOST_FILES, max_fields=_MOST_FIELDS, max_part_size=LARGEST_BODY
    )
    texts = ((name, form.get(name)) for name in _TYPED)
    # Before the token is looked at: whoever's session has ended gets back what they wrote.
    request.state.typed = {
        name: text for name, text in texts if isinstance(text, str) and text.strip()
    } | _join_comments(form)
    token = form.get(CSRF)
    expected = str(request.session.get(CSRF, ""))
    # As bytes, for of texts compare_digest takes ASCII alone, and a stranger sends anything.
    is_same = isinstance(token, str) and secrets.compare_digest(token.encode(), expected.encode())
    if not expected or not is_same or _is_from_elsewhere(request):
        raise ForgedError
    return form


def _join_comments(form: FormData) -> dict[str, str]:
    """Return all comments on passages as one text, if there are any."""
    said = [text for text in form.getlist("said") if isinstance(text, str) and text.strip()]
    return {"comments": "\n\n".join(said)} if said else {}


def _refuse_encoding(request: Request) -> None:
    """Refuse a form whose reading would keep everybody waiting, before anything of it is read.

    Browsers send UTF-8 without saying so. Other encodings take hours to decode, or make texts that
    no page can show; and a long text with each byte escaped takes many seconds.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    charset = options.get(b"charset", b"utf-8").lower()
    if charset != b"utf-8":
        raise ForgedError
    # Browsers state a length; one that is not a number was refused already.
    length = int(request.headers.get("content-length", LARGEST_BODY))
    if kind == _ESCAPED and length > LARGEST_ESCAPED:
        message = f"the form has {length:,} bytes; at most {LARGEST_ESCAPED:,} are accepted"
        hint = "go back (your browser still has what you wrote) and shorten the text"
        raise MaterialError(Fault("text-too-long", message, "", hint))


def _is_from_elsewhere(request: Request) -> bool:
    """Return whether the browser says that another site had the form posted."""
    origin = request.headers.get("origin")
    # Not parsed as an address: it is none where a stranger sends what no browser does.
    is_other = origin is not None and origin.partition("://")[2] != request.headers.get("host")
    return is_other or request.headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}


async def read_posted_form(request: Request) -> Posted:
    """Return a form that somebody posted from a page of this app."""
    try:
        form = await read_genuine_form(request)
    except ForgedError:
        # Who is no longer known needs a login before anything else.
        if find_visitor(request) is None:
            raise NotLoggedInError from None
        raise
    visitor = find_visitor(request)
    if visitor is None:
        raise NotLoggedInError
    return Posted(visitor, form)


async def require_reviewer_form(request: Request) -> Posted:
    """Return a form of somebody who may decide."""
    return _require_role(Role.REVIEWER, await read_posted_form(request))


async def require_publisher_form(request: Request) -> Posted:
    """Return a form of somebody who may publish."""
    return _require_role(Role.PUBLISHER, await read_posted_form(request))


def _require_role(role: Role, form: Posted) -> Posted:
    with_role(form.visitor, role)
    return form


Form = Annotated[Posted, Depends(read_posted_form)]
ReviewerForm = Annotated[Posted, Depends(require_reviewer_form)]
BY_SOMEBODY = [Depends(read_posted_form)]
BY_REVIEWER = [Depends(require_reviewer_form)]
BY_PUBLISHER = [Depends(require_publisher_form)]
"""What an address takes that reads nothing of the form."""
