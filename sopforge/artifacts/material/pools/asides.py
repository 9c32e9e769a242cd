"""Asides that an office of any trade makes in its SOP, on the roles, systems and papers it has.

They are frames: each names what of a domain it needs. They read as the other lines of their section
do: a role and what it does, a term and what it means, an instruction on how to work. None has a
number, a label, a condition on a case or the name of a tool, and none asks for what the rules
decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Place(StrEnum):
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

    place: Place
    text: str


_TEXTS = {
    Place.STEP: (
        "Check that the {entry} on the screen is the one of this case before you {inquiry}.",
        "Record the time at which you {activity}, and your initials.",
        "Compare the spelling of the {entry} in the {system} with the {paper}.",
        "Keep the {paper} open while you {activity}.",
        "Note the {label} in the case file as it was returned, and do not abbreviate it.",
        "Do not give the {label} by telephone before the caller has stated the {entry}.",
        "If you are interrupted here, save the case file before you leave the screen.",
        "If the {system} shows a notice of maintenance, finish the call that you have begun.",
        "Attach a print of the {label} to the case file if the {role} works from paper.",
        "Speak to the {role} directly if you need help with how to {activity}.",
        "Use the search by {entry} in the {system}; the list of recent cases may be out of date.",
        "New staff {activity} together with an experienced {worker}.",
        "Add the source of the {label} to your notes.",
        "Ask for the {entry} to be spelled out if it is given by telephone.",
        "Close other case files before you {activity}, so that no entry is saved in the wrong one.",
        "Do not change the {label} in the {system}, even if it looks wrong; write to its operator.",
    ),
    Place.SCOPE: (
        "It does not cover enquiries about the {label} that are made without an open case.",
        "It does not cover changes to the {label} after a case has been closed.",
        "It does not cover the maintenance of the {system}, which is described in {code}.",
        "The layout of letters and messages is described in {code}.",
        "Statements to the press are outside this procedure; the {owner} makes them.",
        "Requests for a copy of a case file are handled by the {owner}.",
        "It applies at every site and on every shift.",
        "It applies to cases on paper and to cases sent in electronically.",
        "Other teams {inquiry} for purposes of their own and follow their own procedures.",
        "The training of {workers} is described in {code}.",
        "The design of the {paper} is not part of this procedure.",
        "Statistics on the {label} are compiled elsewhere.",
        "Staff of other departments may read this procedure but do not work by it.",
    ),
    Place.ROLES: (
        "The {owner} names a deputy for periods of absence.",
        (
            "The {owner} reviews a sample of closed cases every quarter and discusses it with "
            "the {workers}."
        ),
        "The {role} explains the {label} to new {workers} and answers questions about it.",
        "The operator of the {system} grants access and trains its users.",
        "The shift lead distributes incoming cases among the {workers}.",
        "The data protection officer answers questions about personal data in case files.",
        "The internal audit team may read closed case files at any time.",
        "The records office keeps the {papers} of closed cases.",
        "The service desk restores access to the {system} after a fault.",
        "The {owner} informs the {workers} of changes to this procedure before they take effect.",
        "The {role} and the {owner} meet once a month to discuss open questions.",
        "The training lead keeps the list of {workers} who may {activity}.",
        "The mail room registers each {paper} on the day on which it arrives.",
        "The {role} receives a monthly report on the cases that were handed over.",
    ),
    Place.DEFINITIONS: (
        "Case file: the entries of a case, the notes on it and the papers that belong to it.",
        "Closed case: a case whose results have been reported.",
        "Open case: a case whose results have not yet been reported.",
        "Sender: the person or office that submitted the case.",
        "Deputy: the person who acts for the {owner} during an absence.",
        "Case note: a remark by the {worker} on how a case was handled.",
        "Operator of the {system}: the team that runs it and grants access to it.",
        "Acknowledgement: the message that confirms that a case has been registered.",
        "Audit sample: closed cases that the {owner} selects for review.",
        "Enquiry: a question about a case from outside or from another department.",
        "Working copy: a print of the {paper} that is destroyed when the case is closed.",
        "Handover note: the summary of open cases at the end of a shift.",
        "Original: the {paper} as it was submitted, before anything was added to it.",
        "{label}: as it is held in the {system} at the time of the call.",
    ),
    Place.INPUTS: (
        "The {entry} and the {other} are taken over from the {paper} as they were submitted.",
        "The {entry} appears on the acknowledgement of receipt.",
        "Attachments are stored with the case and are not listed here.",
        "Entries are registered on the day on which a case arrives.",
        "Personal data among the entries may be used for this procedure only.",
        "The {entry} is shown in the {system} in the same form.",
        "Requests for a list of the entries of a case are answered by the {owner}.",
        "The {paper} explains on its last page why the {entry} is asked for.",
        (
            "Entries that were sent by post are typed in by the mail room and compared by a "
            "second person."
        ),
        "Entries are taken from the {paper}, not from the letter that came with it.",
        "The {owner} keeps specimens of the {paper} with fictitious entries for training.",
        "The order of the entries is that of the {paper}.",
    ),
    Place.EXCEPTIONS: (
        (
            "Report a message that is not listed here to the service desk, with the name of the "
            "tool and the time."
        ),
        "Sign in again if the {system} has ended your session; what you have entered is kept.",
        "The operator of the {system} announces planned maintenance on the staff page.",
        ("Do not copy the wording of a refusal into a letter; state it in your own words."),
        (
            "The wording of a refusal may differ between releases of the {system}; the code "
            "stays the same."
        ),
        "A slow answer is not a refusal: wait until the tool returns.",
        "Ask the service desk for a new password if the {system} has locked your account.",
        (
            "Faults of printers and scanners are reported to the service desk and do not "
            "concern the tools."
        ),
        "If the {paper} is damaged, ask for a new copy and keep both.",
        "Do not use the account of a colleague if your own access has expired.",
        "The {label} may appear on the screen of the {system} a few seconds after it was returned.",
        "A refusal is logged with your name; you need not report it as well.",
    ),
    Place.ESCALATION: (
        "Send a hand-over as a message and not by telephone, so that the case file shows its time.",
        "State the {entry} first when you ask the {role} about a case.",
        "The {role} confirms receipt of a case by message.",
        "You remain the contact for the case until the {role} has confirmed receipt.",
        "Complaints about the conduct of a {worker} go to the {owner}.",
        "The rota on the staff page shows who is on duty for the {role}.",
        "The {role} has access to the {system} and needs no print of the {label}.",
        "At the end of a shift, go through your open cases with the colleague who takes over.",
        "Place the {paper} on top of the case file when you hand it to the {role}.",
        ("Do not discuss a case that has been handed over; refer questions to the {role}."),
        "Ask the {owner} for advice if you know somebody in a case personally.",
        "The {role} returns the {paper} to the records office when its work is done.",
    ),
    Place.RECORDS: (
        "Keep notes of telephone calls in the case file.",
        "File the {paper} under the {entry}.",
        "Correct a record by a new entry, and leave the earlier one legible.",
        "Write notes in full sentences, so that a colleague can continue without asking.",
        "Destroy prints that show the {label} when the case is closed.",
        "Do not keep copies of a case file on your own device.",
        "The {owner} may ask for any record at any time.",
        "Name the {role} in the case file if you have asked for advice.",
        "Scan the {paper} on both sides, and check that the scan is legible.",
        "Records that are exported for statistics hold no names.",
        "Mark a copy of the {paper} as a copy before it leaves the office.",
        "Messages are stored with the case in order of their dates.",
        "The {label} also remains in the {system}.",
    ),
}

ASIDES = tuple(Aside(place, text) for place, texts in _TEXTS.items() for text in texts)
