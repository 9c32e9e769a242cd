"""Requests as this layer changes them, and what becomes of those that are not carried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

HANDLING = "handling"
"""The element that is stated in the place of results."""
REFUSE = "refuse"
"""The handling of a request from somebody who is not entitled."""


class RequestKind(StrEnum):
    """Why a request may be one that is not carried out."""

    CONTRADICTION = "contradiction"
    """It says what a record holds, and the look-up may return something else."""
    LACKING = "lacking"
    """It may lack an entry that has to be stated."""
    SENDER = "sender"
    """It says who sent it, who may not be entitled to."""
    OPEN = "open"
    """It states an entry twice, and may leave open which of two values is meant."""


@dataclass(frozen=True, slots=True)
class Request:
    """A task of the layer: that of another one, with what the request says besides.

    ``sender`` sent it; ``claimed`` is what it says of records, as cells by the names of values that
    look-ups return; ``lacking`` is the entry that it does not state; ``again`` has the entries that
    it states once more.
    """

    task: str
    kind: RequestKind
    sender: str = ""
    claimed: Mapping[str, str] = field(default_factory=dict)
    lacking: str = ""
    again: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RequestRules:
    """What the SOP says of requests, by the kinds that there are, and the entitled senders."""

    kinds: frozenset[RequestKind]
    senders: tuple[str, ...] = ()


def write_ask(name: str) -> str:
    """Return the handling of a request that lacks an entry, or leaves it open."""
    return f"ask for {name}"


def write_escalate(name: str) -> str:
    """Return the handling of a request that says what a record does not hold."""
    return f"escalate {name}"
