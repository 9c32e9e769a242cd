"""Answers of the solver in the store, each under a seal that only their own writer can make.

``DOMAIN/answers.jsonl`` has the answers to the questions about one subject, a line each. They are
sealed with a key that lies outside the store, in the user's own files: a line that somebody
changed, put there or brought from another machine does not fit, and its question is asked again.
Nothing depends on them but the time.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import time
from contextlib import suppress
from pathlib import Path

from sopforge.errors import StoreError
from sopforge.proof.solving.kept_answers import Kept
from sopforge.store.objects import Objects

SECONDS = 3.0
"""So often answers are written down; what is done before that is as soon done again."""
_KEY_BYTES = 32


class SealedAnswers:
    """The answers about one subject, in the place of any about another one.

    What cannot be written is not kept, for the run that found it can go on without.
    """

    def __init__(self, objects: Objects, domain: str, subject: str) -> None:
        self._objects = objects
        self._name = f"{domain}/answers.jsonl"
        self._subject = subject
        self._key = _read_key()
        self._known = self._read()
        self._begun = bool(self._known)
        self._open: list[str] = []
        self._written = time.monotonic()

    def find(self, question: str) -> Kept | None:
        """Return the answer that was noted, nothing where there is none that fits its seal."""
        return self._known.get(self._digest(question))

    def note(self, question: str, answer: Kept) -> None:
        """Keep an answer with the next ones that are written."""
        if not self._key:
            self._key = _make_key()
        name = self._digest(question)
        self._known[name] = answer
        text = json.dumps(answer)
        self._open.append(
            json.dumps({"question": name, "answer": text, "seal": self._seal(name, text)})
        )
        if time.monotonic() - self._written >= SECONDS:
            self.write()

    def write(self) -> None:
        """Write down what was noted since."""
        lines = "".join(f"{line}\n" for line in self._open).encode()
        self._open.clear()
        if not lines or not self._key:
            return
        with suppress(StoreError):
            if self._begun:
                self._objects.append(self._name, lines)
            else:
                self._objects.replace(self._name, lines)
            self._begun = True
        self._written = time.monotonic()

    def close(self, *, is_done: bool) -> None:
        """End the work: what took too little time to be written down so far is not worth it."""
        if self._begun or not is_done:
            self.write()

    def _read(self) -> dict[str, Kept]:
        data, found = None, {}
        with suppress(StoreError):
            data = self._objects.read(self._name) if self._key else None
        for line in (data or b"").splitlines():
            # Whatever else stands there is nobody's answer.
            with suppress(AttributeError, KeyError, RecursionError, TypeError, ValueError):
                item = json.loads(line)
                name, text = str(item["question"]), str(item["answer"])
                if hmac.compare_digest(self._seal(name, text), str(item["seal"])):
                    found[name] = json.loads(text)
        return found

    def _digest(self, question: str) -> str:
        return self._sign(f"{self._subject}\0{question}")

    def _seal(self, name: str, text: str) -> str:
        return self._sign(f"{self._sign(self._subject)}\0{name}\0{text}")

    def _sign(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), "sha256").hexdigest()


def locate_key() -> Path:
    """Return where the key lies by which this user's runs know their own answers."""
    home = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(home) / "sopforge" / "answers.key"


def _read_key() -> bytes:
    """Return the key, nothing where there is none."""
    try:
        key = locate_key().read_bytes()
    except (OSError, RuntimeError):
        return b""
    return key if len(key) == _KEY_BYTES else b""


def _make_key() -> bytes:
    """Return the key, a new one where there is none, nothing where none can be kept."""
    try:
        path = locate_key()
        path.parent.mkdir(parents=True, exist_ok=True)
        # Whole under its name, and readable by its owner alone, before anybody reads it.
        beside = path.with_name(f"{path.name}.{os.getpid()}")
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(_KEY_BYTES))
        with suppress(FileExistsError):
            os.link(beside, path)
        beside.unlink()
    except (OSError, RuntimeError):
        return b""
    return _read_key()
