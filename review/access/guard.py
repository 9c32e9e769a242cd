"""What is known of who may do what, for as long as the app runs."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.requests import HTTPConnection

from review.access.check_turns import CheckTurns
from review.access.ended_sessions import EndedSessions
from review.access.login_attempts import LoginAttempts
from review.access.users import UserFile
from review.settings import Settings


@dataclass(frozen=True, slots=True)
class Guard:
    """The users, the attempts to log in, the turns to check, and the sessions that were ended."""

    settings: Settings
    users: UserFile
    ended_sessions: EndedSessions
    attempts: LoginAttempts = field(default_factory=LoginAttempts)
    checks: CheckTurns = field(default_factory=CheckTurns)


def get_guard(connection: HTTPConnection) -> Guard:
    """Return the guard of the app that a request came to."""
    guard: Guard = connection.app.state.guard
    return guard
