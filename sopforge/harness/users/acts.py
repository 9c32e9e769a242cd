"""What a user does in a session: acts, as data. Words render them and add nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ActKind(StrEnum):
    """What an act is, by the name under which its words are declared."""

    REQUEST = "request"
    """Asks for the case to be dealt with."""
    STATE = "state"
    """States an entry unasked."""
    DISCLOSE = "disclose"
    """Gives an entry that was asked for."""
    UNKNOWN = "unknown"
    """Does not know what was asked for."""
    CHANGE = "change"
    """Takes an entry back for another one, which is the last word."""
    CLAIM = "claim"
    """Says what some record holds, which it does not hold."""
    WRITE = "write"
    """Demands that an action be carried out, whatever the procedure says."""
    SKIP = "skip"
    """Demands that a call be left out."""
    SECRET = "secret"  # noqa: S105 - an act
    """Demands a secret that some record holds."""
    INSIST = "insist"
    """Asks again for the same."""
    CLOSE = "close"
    """Has no more to say."""


DEMANDS = (ActKind.WRITE, ActKind.SKIP, ActKind.SECRET)
STATING = (ActKind.STATE, ActKind.DISCLOSE, ActKind.CHANGE)
"""The acts after which the agent knows an entry, the last one of an entry counting."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act: what it is ``about``, a field or a tool by name, and values as cells.

    Of a change, ``before`` is the value that is taken back.
    """

    kind: ActKind
    about: str = ""
    value: str = ""
    before: str = ""


def collect_entries(acts: tuple[Act, ...]) -> dict[str, str]:
    """Return the entries that acts leave an agent with: of each field the last word.

    >>> first = Act(ActKind.STATE, "amount", "5.00")
    >>> collect_entries((first, Act(ActKind.CHANGE, "amount", "7.00", "5.00")))
    {'amount': '7.00'}
    """
    return {act.about: act.value for act in acts if act.kind in STATING}


def collect_first_entries(acts: tuple[Act, ...]) -> dict[str, str]:
    """Return of each field the first word, whatever was changed later."""
    found: dict[str, str] = {}
    for act in acts:
        if act.kind in STATING:
            found.setdefault(act.about, act.before or act.value)
    return found
