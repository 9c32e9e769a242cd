"""Who asks: by a session, by a proxy's word, or the one user of this machine."""

from __future__ import annotations

import getpass
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from review.access.guard import Guard, get_guard
from review.access.users import Role, User
from review.settings import is_loopback

CSRF = "csrf"
_ID, _NAME, _PROOF = "id", "name", "proof"
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


class NotLoggedInError(Exception):
    """Nobody is known to ask: a page that needs somebody sends to the login."""


class NotAllowedError(Exception):
    """Who asks may not do that; says why in words."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks; ``is_local`` is the one user of a machine on which nobody named users."""

    name: str
    role: Role
    is_local: bool = False
    can_log_out: bool = False

    def may(self, role: Role) -> bool:
        """Return whether the visitor may do what a role may."""
        return self.role.covers(role)

    @property
    def may_decide(self) -> bool:
        """Whether the visitor may decide, edit and regenerate."""
        return self.may(Role.REVIEWER)

    @property
    def may_publish(self) -> bool:
        """Whether the visitor may publish."""
        return self.may(Role.PUBLISHER)


def find_visitor(request: Request) -> Visitor | None:
    """Return who asks, None if nobody is known to.

    Raises:
        NotAllowedError: a proxy names somebody who is not a user.
    """
    guard, address = get_guard(request), get_address(request)
    users = guard.users.read_users()
    if guard.settings.is_proxy(address):
        named = request.headers.getlist(guard.settings.identity_header)
        if any(name.strip() for name in named):
            return _require_proxy_visitor(named, users)
    found = _find_session_user(request, guard)
    if found is not None:
        return Visitor(found.name, found.role, can_log_out=True)
    if not guard.users.were_named and _is_at_this_machine(request, guard, address):
        return Visitor(getpass.getuser(), Role.PUBLISHER, is_local=True)
    return None


def begin_session(request: Request, user: User) -> None:
    """Let the browser be known as a user; what its session held before is gone."""
    request.session.clear()
    known = {_ID: secrets.token_urlsafe(16), _NAME: user.name, _PROOF: user.proof}
    # The token as well: put in later, it would be signed anew, and the session last longer.
    request.session.update({**known, CSRF: make_token()})


def make_token() -> str:
    """Return a token for the forms of a session."""
    return secrets.token_urlsafe(24)


def end_session(request: Request) -> None:
    """Forget the session; a copy of its cookie is of no use any more."""
    identity = request.session.get(_ID)
    if identity:
        get_guard(request).ended_sessions.add(str(identity))
    request.session.clear()


def require_visitor(request: Request) -> Visitor:
    """Return who asks.

    Raises:
        NotLoggedInError: nobody is known to.
    """
    visitor = find_visitor(request)
    if visitor is None:
        raise NotLoggedInError
    return visitor


def with_role(visitor: Visitor, role: Role) -> Visitor:
    """Return the visitor; raises ``NotAllowedError`` for one who may not do what a role may."""
    if not visitor.may(role):
        message = f"{visitor.name} has the role {visitor.role} here; this needs the role {role}"
        raise NotAllowedError(message)
    return visitor


Somebody = Annotated[Visitor, Depends(require_visitor)]
FOR_SOMEBODY = [Depends(require_visitor)]
"""What a page takes that looks the same for everybody."""


def _require_proxy_visitor(named: Sequence[str], users: Mapping[str, User]) -> Visitor:
    if len(named) > 1:
        # One of them may be the browser's own, which the proxy should have dropped.
        message = f"the proxy named {len(named)} users for one request"
        raise NotAllowedError(message)
    user = users.get(named[0].strip())
    if user is None:
        message = f"{named[0].strip()} is logged in, but is not a user of this review app"
        raise NotAllowedError(message)
    return Visitor(user.name, user.role)


def _find_session_user(request: Request, guard: Guard) -> User | None:
    session = request.session
    user = guard.users.read_users().get(str(session.get(_NAME, "")))
    if user is None or session.get(_ID) in guard.ended_sessions:
        return None
    is_same = secrets.compare_digest(user.proof, str(session.get(_PROOF, "")))
    return user if is_same else None


def _is_at_this_machine(request: Request, guard: Guard, address: str) -> bool:
    """Return whether a request was made on this machine, and by no proxy for somebody else."""
    is_forwarded = any(name in request.headers for name in _FORWARDED)
    return guard.settings.is_private and is_loopback(address) and not is_forwarded


def get_address(request: Request) -> str:
    """Return where a request came from."""
    return request.client.host if request.client else ""
