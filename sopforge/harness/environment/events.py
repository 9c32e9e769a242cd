"""What happens in a session, and how it is read back from a log."""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from sopforge.session.environment import (
    TOOL_FAULT,
    UNKNOWN_TOOL,
    Arguments,
    Called,
    Event,
    Reply,
    Said,
    write_json,
    write_log,
)

__all__ = [
    "TOOL_FAULT",
    "UNKNOWN_TOOL",
    "Arguments",
    "Called",
    "Event",
    "Reply",
    "Said",
    "read_event",
    "read_events",
    "write_events",
    "write_log",
]


def write_events(events: Iterable[Event]) -> str:
    """Return events as one JSON array, which ``read_events`` reads."""
    return write_json([event.as_record() for event in events])


def read_events(text: str) -> tuple[Event, ...]:
    """Return the events that ``write_events`` wrote."""
    return tuple(read_event(entry) for entry in json.loads(text, parse_float=Decimal))


def read_event(entry: dict[str, Any]) -> Event:
    """Return the event of one entry of that array, its fractions read as decimals."""
    if "said" in entry:
        return Said(entry["said"], entry.get("user", ""))
    reply = Reply(entry.get("result"), entry.get("refusal", ""), entry.get("message", ""))
    return Called(entry["tool"], entry["arguments"], reply)
