"""Who hears of what happens between a run and a language model, while it happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Event: TypeAlias = Mapping[str, Any]
Watch: TypeAlias = Callable[[Event], None]
"""Hears of each line of the log once it is written, and of waits between attempts."""


def ignore_event(event: Event) -> None:
    """Look away."""
