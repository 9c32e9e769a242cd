"""The key that signs sessions, kept beside the users so that a restart ends none."""

from __future__ import annotations

import secrets
from pathlib import Path

from review.access.private_files import write_private
from sopforge.errors import Fault, MaterialError

_NAME = "review-session.key"
_LENGTH = 64


def load_session_key(users_file: Path) -> str:
    """Return the key, which is made where there is none.

    Raises:
        MaterialError: it cannot be read or written.
    """
    path = users_file.with_name(_NAME)
    try:
        if not path.exists():
            write_private(path, secrets.token_hex(_LENGTH // 2))
        key = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as cause:
        raise _make_key_error(path, str(cause)) from cause
    if len(key) < _LENGTH:
        raise _make_key_error(path, "it is too short")
    return key


def _make_key_error(path: Path, why: str) -> MaterialError:
    hint = "delete the file, and the server makes a new key; or name another file with --users"
    message = f"the session key cannot be used: {why}"
    return MaterialError(Fault("session-key", message, str(path), hint))
