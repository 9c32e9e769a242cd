"""Text patterns as regular expressions that Python and JSON Schema read alike."""

from __future__ import annotations

import re

_CLASS = re.compile(r"\[([^\]]*)\]")
_RANGE = re.compile(r"[A-Za-z0-9]-[A-Za-z0-9]|.")


def as_regex(pattern: str) -> str:
    r"""Return the regular expression of a pattern, in which a dot and a hyphen mean themselves.

    >>> as_regex("v[0-9].[a.-]{2}")
    'v[0-9][.][a.\\-]{2}'
    """
    parts = _CLASS.split(pattern)
    literals = [part.replace(".", "[.]") for part in parts[::2]]
    classes = [f"[{_escape_hyphens(part)}]" for part in parts[1::2]] + [""]
    return "".join(f"{literal}{kept}" for literal, kept in zip(literals, classes, strict=True))


def _escape_hyphens(members: str) -> str:
    """Escape the hyphens that stand for themselves."""
    found = _RANGE.findall(members)
    return "".join("\\-" if member == "-" else member for member in found)
