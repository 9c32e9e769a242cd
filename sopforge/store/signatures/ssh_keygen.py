"""``ssh-keygen -Y``: signing texts and verifying signatures, without a shell, within a time limit.

What it reads lies in a folder of its own that nobody else can open. It is run in UTC and in the C
locale, so that every machine comes to the same; times of allowed signers without a zone are UTC.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sopforge.errors import Fault, SopForgeError
from sopforge.progress.tracking import wait_for_others

_VERIFYING_SECONDS = 10
_SIGNING_SECONDS = 60
"""A passphrase may have to be typed, or a hardware key to be touched."""
# Each takes 5 ms to verify, and review pages ask for all of a log at each look (ADR 0018).
_KEPT = 4096
_FINGERPRINT = re.compile(r"(SHA256:[A-Za-z0-9+/]+)\s*$")
_LISTED = re.compile(r"\b(SHA256:[A-Za-z0-9+/]+)")
_INSTALL = "install OpenSSH 8.9 or newer; on Debian: apt-get install openssh-client"


class SshKeygenError(SopForgeError):
    """``ssh-keygen`` is not installed, did not end in time, or cannot sign with a key."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of verifying: the key's ``fingerprint`` if it holds, else what was ``said``."""

    fingerprint: str
    said: str

    @property
    def is_good(self) -> bool:
        """Whether the signature holds."""
        return bool(self.fingerprint)


def sign(text: bytes, key: Path, namespace: str) -> bytes:
    """Return the signature of a text by a private key, or by a public one whose agent has it.

    Raises:
        SshKeygenError: there is no such key, its passphrase is wrong, or no agent has it.
    """
    with TemporaryDirectory(prefix="sopforge-signing-") as home:
        path = Path(home) / "text"
        path.write_bytes(text)
        # The text comes as a file: only then a passphrase is asked for at the terminal.
        arguments = ("-Y", "sign", "-q", "-f", str(key.absolute()), "-n", namespace, str(path))
        with wait_for_others("a passphrase"):
            ran = _run_ssh_keygen(arguments, seconds=_SIGNING_SECONDS)
        signature = path.with_name("text.sig")
        if ran.returncode == 0 and signature.is_file():
            return signature.read_bytes()
    hint = "name a private key, or a public key whose private key your ssh-agent holds (ssh-add)"
    message = f"the key cannot sign: {_read_last_error(ran) or 'ssh-keygen failed'}"
    raise SshKeygenError(Fault("signing-failed", message, str(key), hint))


@lru_cache(maxsize=_KEPT)
def check_signature(text: bytes, signature: bytes, namespace: str) -> Answer:
    """Return whether a signature is of a text, whoever made it; raises ``SshKeygenError``."""
    return _verify_signature(("check-novalidate", "-n", namespace), text, signature)


@lru_cache(maxsize=_KEPT)
def verify(
    text: bytes, signature: bytes, namespace: str, *, name: str, time: str, allowed: str
) -> Answer:
    """Return whether a text was signed by somebody whom the ``allowed`` signers list at a time.

    ``time`` is UTC, in digits from the year to the second. Raises ``SshKeygenError``.
    """
    wanted = ("verify", "-n", namespace, "-I", name, f"-Overify-time={time}")
    return _verify_signature(wanted, text, signature, allowed)


@lru_cache(maxsize=_KEPT)
def find_owners(signature: bytes, time: str, allowed: str) -> tuple[str, ...]:
    """Return whom the allowed signers give the key of a signature at a time, or patterns of them.

    Raises:
        SshKeygenError: ``ssh-keygen`` could not be asked.
    """
    with TemporaryDirectory(prefix="sopforge-verifying-") as home:
        arguments = ("-Y", "find-principals", f"-Overify-time={time}")
        ran = _run_ssh_keygen((*arguments, *_write_files(Path(home), signature, allowed)))
    found = ran.stdout.decode(errors="replace") if ran.returncode == 0 else ""
    return tuple(name for name in re.split(r"[,\n]", found) if name)


def compute_fingerprint(key: str) -> str:
    """Return the fingerprint of a public key, "" where the text is none."""
    with TemporaryDirectory(prefix="sopforge-verifying-") as home:
        path = Path(home) / "key.pub"
        path.write_text(key + "\n", encoding="utf-8")
        ran = _run_ssh_keygen(("-l", "-E", "sha256", "-f", str(path)))
    found = _LISTED.search(ran.stdout.decode(errors="replace"))
    return found[1] if ran.returncode == 0 and found else ""


def _verify_signature(
    wanted: Sequence[str], text: bytes, signature: bytes, allowed: str | None = None
) -> Answer:
    with TemporaryDirectory(prefix="sopforge-verifying-") as home:
        ran = _run_ssh_keygen(("-Y", *wanted, *_write_files(Path(home), signature, allowed)), text)
    found = _FINGERPRINT.search(ran.stdout.decode(errors="replace"))
    is_good = ran.returncode == 0 and found is not None
    return Answer(found[1] if is_good and found else "", _read_last_error(ran))


def _write_files(home: Path, signature: bytes, allowed: str | None) -> list[str]:
    """Write what ``ssh-keygen`` reads, and return the arguments that name it."""
    (home / "signature").write_bytes(signature)
    arguments = ["-s", str(home / "signature")]
    if allowed is not None:
        (home / "allowed").write_text(allowed, encoding="utf-8")
        arguments += ["-f", str(home / "allowed")]
    return arguments


def _run_ssh_keygen(
    arguments: Sequence[str], given: bytes | None = None, seconds: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("ssh-keygen")
    if program is None:
        message = "ssh-keygen is not installed; SOPForge needs it to sign and verify"
        raise SshKeygenError(Fault("ssh-keygen-missing", message, "", _INSTALL))
    limit = seconds or _VERIFYING_SECONDS
    environment = {**os.environ, "TZ": "UTC", "LC_ALL": "C"}
    try:
        return subprocess.run(  # noqa: S603 - found by its name, and no shell
            [program, *arguments],
            input=given,
            capture_output=True,
            env=environment,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired as cause:
        message = f"ssh-keygen did not end within {limit:.0f} seconds"
        hint = (
            "answer its prompt in time, or check what delays it, for example a key that waits for"
            " a touch"
        )
        raise SshKeygenError(Fault("ssh-keygen-slow", message, "", hint)) from cause


def _read_last_error(ran: subprocess.CompletedProcess[bytes]) -> str:
    """Return the last line that was said on standard error."""
    lines = ran.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else ""
