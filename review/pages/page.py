"""A page: a template, and what it is filled with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Query: TypeAlias = Mapping[str, str]
"""What is asked for in the page's address, such as ``case`` or ``page``."""


@dataclass(frozen=True, slots=True)
class Page:
    """A template below ``review/templates``, a part of a page, and its variables."""

    template: str
    context: Mapping[str, object]
