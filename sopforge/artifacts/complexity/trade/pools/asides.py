"""Asides that an office of any trade makes in its SOP, on the roles, systems and papers it has.

They are frames: each names what of a domain it needs. They read as the other lines of their section
do: a role and what it does, a term and what it means, an instruction on how to work. None has a
number, a label, a condition on a case or the name of a tool, and none asks for what the rules
decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AsidePlace(StrEnum):
    """Where a passage of a kind would stand: the title of a section, or a step."""

    SCOPE = "Scope"
    ROLES = "Roles"
    DEFINITIONS = "Definitions"
    INPUTS = "Inputs"
    STEP = "Main procedure"
    EXCEPTIONS = "Exceptions"
    ESCALATION = "Escalation"
    RECORDS = "Records"


@dataclass(frozen=True, slots=True)
class Aside:
    """A passage with its place; ``{role}`` and other names in braces stand for the domain's own."""

    place: AsidePlace
    text: str


_TEXTS = {
    AsidePlace.STEP: (
        "Compare the spelling of the {entry} in the {system} with the {paper}.",
        "Note the {label} in the case file as it was returned, and do not abbreviate it.",
        "Do not give the {label} by telephone before the caller has stated the {entry}.",
        "If the {system} shows a notice of maintenance, finish the call that you have begun.",
        "Attach a print of the {label} to the case file if the {role} works from paper.",
        "Use the search by {entry} in the {system}; the list of recent cases may be out of date.",
        "Add the source of the {label} to your notes.",
        "Ask for the {entry} to be spelled out if it is given by telephone.",
        "Do not change the {label} in the {system}, even if it looks wrong; write to its operator.",
    ),
    AsidePlace.SCOPE: (
        "It does not cover enquiries about the {label} that are made without an open case.",
        "It does not cover changes to the {label} after a case has been closed.",
        "Statements to the press are outside this procedure; the {owner} makes them.",
        "Requests for a copy of a case file are handled by the {owner}.",
        "The design of the {paper} is not part of this procedure.",
        "Statistics on the {label} are compiled elsewhere.",
    ),
    AsidePlace.ROLES: (
        "The {owner} names a deputy for periods of absence.",
        "The {owner} discusses a sample of closed cases with the {workers} every quarter.",
        "The {role} explains the {label} to new {workers} and answers questions about it.",
        "The operator of the {system} grants access and trains its users.",
        "The shift lead distributes incoming cases among the {workers}.",
        "The records office keeps the {papers} of closed cases.",
        "The service desk restores access to the {system} after a fault.",
        "The {owner} informs the {workers} of changes to this procedure before they take effect.",
        "The {role} and the {owner} meet once a month to discuss open questions.",
        "The mail room registers each {paper} on the day on which it arrives.",
        "The {role} receives a monthly report on the cases that were handed over.",
    ),
    AsidePlace.DEFINITIONS: (
        "Deputy: the person who acts for the {owner} during an absence.",
        "Case note: a remark by the {worker} on how a case was handled.",
        "Operator of the {system}: the team that runs it and grants access to it.",
        "Audit sample: closed cases that the {owner} selects for review.",
        "Working copy: a print of the {paper} that is destroyed when the case is closed.",
        "Original: the {paper} as it was submitted, before anything was added to it.",
        "{label}: as it is held in the {system} at the time of the call.",
    ),
    AsidePlace.INPUTS: (
        "The {entry} and the {other} are taken over from the {paper} as they were submitted.",
        "The {entry} appears on the acknowledgement of receipt.",
        "The {entry} is shown in the {system} in the same form.",
        "Requests for a list of the entries of a case are answered by the {owner}.",
        "The {paper} explains on its last page why the {entry} is asked for.",
        "Entries are taken from the {paper}, not from the letter that came with it.",
        "The {owner} keeps specimens of the {paper} with fictitious entries for training.",
        "The order of the entries is that of the {paper}.",
    ),
    AsidePlace.EXCEPTIONS: (
        "Sign in again if the {system} has ended your session; what you have entered is kept.",
        "The operator of the {system} announces planned maintenance on the staff page.",
        "The wording of a refusal may differ between releases of the {system}, its code does not.",
        "Ask the service desk for a new password if the {system} has locked your account.",
        "If the {paper} is damaged, ask for a new copy and keep both.",
        "The {label} may appear on the screen of the {system} a few seconds after it was returned.",
    ),
    AsidePlace.ESCALATION: (
        "State the {entry} first when you ask the {role} about a case.",
        "The {role} confirms receipt of a case by message.",
        "You remain the contact for the case until the {role} has confirmed receipt.",
        "Complaints about the conduct of a {worker} go to the {owner}.",
        "The rota on the staff page shows who is on duty for the {role}.",
        "The {role} has access to the {system} and needs no print of the {label}.",
        "AsidePlace the {paper} on top of the case file when you hand it to the {role}.",
        "Do not discuss a case that has been handed over; refer questions to the {role}.",
        "Ask the {owner} for advice if you know somebody in a case personally.",
        "The {role} returns the {paper} to the records office when its work is done.",
    ),
    AsidePlace.RECORDS: (
        "File the {paper} under the {entry}.",
        "Destroy prints that show the {label} when the case is closed.",
        "The {owner} may ask for any record at any time.",
        "Name the {role} in the case file if you have asked for advice.",
        "Scan the {paper} on both sides, and check that the scan is legible.",
        "Mark a copy of the {paper} as a copy before it leaves the office.",
        "The {label} also remains in the {system}.",
    ),
}

ASIDES = tuple(Aside(place, text) for place, texts in _TEXTS.items() for text in texts)
