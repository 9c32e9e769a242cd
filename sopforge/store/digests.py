"""Digests: equal content gives equal text, whatever machine or order it came from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

DIGEST = "digest"
"""The name of the digest in an object that is kept with it."""


def digest_value(value: object) -> str:
    """Return the SHA-256 of a JSON-like value in canonical form."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return digest_text(text)


def with_digest(value: Mapping[str, object]) -> dict[str, Any]:
    """Return a JSON object as it is kept: with the digest of all else in it."""
    # Digested as it will be read back: by then a tuple is a list, and a Decimal a text.
    plain = json.loads(json.dumps(value, ensure_ascii=False, default=str))
    return {**plain, DIGEST: digest_value(plain)}


def is_as_written(value: Mapping[str, object]) -> bool:
    """Return whether an object that was kept with its digest still is what it was."""
    plain = {name: part for name, part in value.items() if name != DIGEST}
    return value.get(DIGEST) == digest_value(plain)


def digest_text(text: str) -> str:
    """Return the SHA-256 of a text's UTF-8 bytes."""
    return sha256(text.encode()).hexdigest()


def digest_bytes(data: bytes) -> str:
    """Return the SHA-256 of bytes."""
    return sha256(data).hexdigest()


def digest_files(files: Mapping[str, str | bytes]) -> str:
    """Return one digest over all names and contents."""
    return digest_value(digest_each_file(files))


def digest_each_file(files: Mapping[str, str | bytes]) -> dict[str, str]:
    """Return the digest of each file; the digest of these is that of the files."""
    return {name: _digest_content(content) for name, content in files.items()}


def _digest_content(content: str | bytes) -> str:
    return digest_text(content) if isinstance(content, str) else digest_bytes(content)
