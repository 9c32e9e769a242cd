"""Named users with their roles, in a file of whoever serves the app; secrets are kept as hashes."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from filelock import FileLock

from review.access.private_files import write_private
from sopforge.errors import Fault, MaterialError
from sopforge.store.entries import POLICIES

FORMAT = 1
SHORTEST_SECRET = 12
LONGEST_SECRET = 1_000
_NAME = re.compile(r"[^\W_][\w.@+-]{0,63}")
_HASHER = PasswordHasher()
# Hashing takes much memory on purpose: more at once would let strangers take all of it.
_AT_ONCE = threading.Semaphore(2)
# A secret is verified for an unknown name as well, so that the time reveals nothing.
_NOBODY = _HASHER.hash("no user has this secret")


class Role(StrEnum):
    """What a user may do; each may do what those before it may."""

    VIEWER = "viewer"
    REVIEWER = "reviewer"
    PUBLISHER = "publisher"

    def covers(self, other: Role) -> bool:
        """Return whether who has this role may do what the other may."""
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(other)


@dataclass(frozen=True, slots=True)
class User:
    """A user; ``secret`` is a hash, empty for one who comes through a proxy alone."""

    name: str
    role: Role
    secret: str = ""

    @property
    def proof(self) -> str:
        """What a session of the user carries: it is another one once the user was changed."""
        return sha256(f"{self.name}\n{self.role}\n{self.secret}".encode()).hexdigest()[:32]


class UserFile:
    """The users of a file, which is read anew once it was changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: tuple[int, int, int] | None = None
        self._users: dict[str, User] = {}
        self._were_named = False
        self._reading = threading.Lock()

    def read_users(self) -> Mapping[str, User]:
        """Return all users by name.

        Raises:
            MaterialError: the file cannot be read, or is none of users.
        """
        with self._reading:
            stamp = self._read_stamp()
            if stamp != self._stamp:
                self._users = _read(self.path) if stamp else {}
                self._stamp = stamp
                self._were_named |= bool(self._users)
            return dict(self._users)

    @property
    def were_named(self) -> bool:
        """Whether there are users, or were some since this was made.

        A file that is gone opens no door: everybody is kept out.
        """
        return bool(self.read_users()) or self._were_named

    def verify_user(self, name: str, secret: str) -> User | None:
        """Return the user of a name and a secret; takes as long where there is none."""
        user = self.read_users().get(name)
        hashed = user.secret if user and user.secret else _NOBODY
        with _AT_ONCE:
            # No secret is longer, and a longer text would only cost time to hash.
            is_right = _is_right(hashed, secret[:LONGEST_SECRET])
        return user if is_right and user and user.secret else None

    def add(self, name: str, role: Role, secret: str | None) -> None:
        """Add a user; one without a secret comes through a proxy alone.

        Raises:
            MaterialError: the name or the secret is none, or there is a user of that name.
        """
        self.refuse_known(name)
        if secret is not None and not SHORTEST_SECRET <= len(secret) <= LONGEST_SECRET:
            message = (
                f"a secret needs at least {SHORTEST_SECRET} characters; this one has {len(secret)}"
            )
            hint = "use several words"
            raise MaterialError(Fault("secret-too-short", message, name, hint))
        with self._make_lock():
            # Once more, below the lock: another process may have added the name meanwhile.
            self.refuse_known(name)
            users = dict(self.read_users())
            users[name] = User(name, role, _HASHER.hash(secret) if secret is not None else "")
            self._write(users)

    def refuse_known(self, name: str) -> None:
        """Raise ``MaterialError`` for a name that cannot be added: it is none, or is there."""
        _refuse_name(name)
        if name in self.read_users():
            hint = f"remove it first: sopforge review-user remove {name}"
            message = f"the user '{name}' already exists"
            raise MaterialError(Fault("user-exists", message, str(self.path), hint))

    def remove(self, name: str) -> None:
        """Remove a user, whose sessions end.

        Raises:
            MaterialError: there is none of that name.
        """
        with self._make_lock():
            users = dict(self.read_users())
            if name not in users:
                known = ", ".join(users) or "none"
                message = f"there is no user '{name}'; users are: {known}"
                raise MaterialError(Fault("unknown-user", message, str(self.path)))
            del users[name]
            self._write(users)

    def _make_lock(self) -> FileLock:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=10)

    def _write(self, users: Mapping[str, User]) -> None:
        kept = {name: _make_record(user) for name, user in sorted(users.items())}
        text = json.dumps({"format": FORMAT, "users": kept}, indent=1, ensure_ascii=False)
        write_private(self.path, text + "\n")

    def _read_stamp(self) -> tuple[int, int, int] | None:
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino


def _make_record(user: User) -> dict[str, str]:
    return {name: value for name, value in asdict(user).items() if name != "name"}


def _is_right(hashed: str, secret: str) -> bool:
    try:
        return _HASHER.verify(hashed, secret)
    except (VerificationError, InvalidHashError):
        return False


def _refuse_name(name: str) -> None:
    if _NAME.fullmatch(name) is None or name in POLICIES:
        message = f"{name!r} is not a user name"
        hint = "use letters, digits and . @ + - _, at most 64 characters"
        raise MaterialError(Fault("user-name", message, "", hint))


def _read(path: Path) -> dict[str, User]:
    try:
        value: Any = json.loads(path.read_text(encoding="utf-8"))
        if value["format"] != FORMAT:
            raise _make_unreadable_error(path, f"its format is not {FORMAT}")
        return {
            name: User(name, Role(item["role"]), str(item["secret"]))
            for name, item in value["users"].items()
        }
    except (AttributeError, KeyError, OSError, TypeError, ValueError) as cause:
        raise _make_unreadable_error(path, str(cause)) from cause


def _make_unreadable_error(path: Path, why: str) -> MaterialError:
    hint = "restore it, or delete it and add the users again"
    return MaterialError(
        Fault("users-unreadable", f"it cannot be read as a file of users: {why}", str(path), hint)
    )
