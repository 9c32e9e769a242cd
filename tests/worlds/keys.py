"""SSH keys as tests make them, and the lines by which allowed signers list them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from sopforge.store.signatures.allowed_signers import AllowedSigners

needs_ssh_keygen = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed: nothing can be signed"
)


def make_key(folder: Path, name: str, passphrase: str = "") -> Path:
    """Return a new private key; its public half lies beside it."""
    path = folder / f"{name}_key"
    ran = ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", name, "-f", str(path)]
    subprocess.run(ran, check=True, capture_output=True)
    return path


def listed(name: str, key: Path, options: str = "") -> str:
    """Return the line that lets somebody sign with a key."""
    kind, data, *_ = Path(f"{key}.pub").read_text(encoding="utf-8").split()
    return " ".join(part for part in (name, options, kind, data) if part)


def allowed(*lines: str) -> AllowedSigners:
    """Return allowed signers of these lines."""
    return AllowedSigners("".join(f"{line}\n" for line in lines), "signers")
