"""Digests: equal content gives equal text, whatever machine or order it came from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256


def digest_of(value: object) -> str:
    """Return the SHA-256 of a JSON-like value in canonical form."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return digest_text(text)


def digest_text(text: str) -> str:
    """Return the SHA-256 of a text's UTF-8 bytes."""
    return sha256(text.encode()).hexdigest()


def digest_bytes(data: bytes) -> str:
    """Return the SHA-256 of bytes."""
    return sha256(data).hexdigest()


def digest_files(files: Mapping[str, str | bytes]) -> str:
    """Return one digest over all names and contents."""
    return digest_of(file_digests(files))


def file_digests(files: Mapping[str, str | bytes]) -> dict[str, str]:
    """Return the digest of each file; the digest of these is that of the files."""
    return {name: _digest(content) for name, content in files.items()}


def _digest(content: str | bytes) -> str:
    return digest_text(content) if isinstance(content, str) else digest_bytes(content)
