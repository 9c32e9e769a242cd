"""Asides that an office of any trade makes in its SOP, on the roles, systems and papers it has.

They are frames: each names what of a domain it needs. None has a number, a label, a condition on
a case or the name of a tool, and none asks for what the rules decide.
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


ASIDES = (
    # What an instruction adds for whoever is at it.
    Aside(
        Place.STEP,
        "To {activity} takes longer on the first days of a month, when the {system} is busy.",
    ),
    Aside(
        Place.STEP,
        "Keep the {paper} at hand: whoever calls back about a {case} asks for the {entry} first.",
    ),
    Aside(
        Place.STEP,
        "Do this with the {paper} in hand, and put it back into the folder of the {case}"
        " afterwards.",
    ),
    Aside(Place.STEP, "New {workers} {activity} beside a colleague in their first weeks."),
    Aside(Place.STEP, "What was learned here is shown to the {role} on request."),
    Aside(Place.STEP, "The {label} is often asked about, and can be passed on by telephone."),
    Aside(Place.STEP, "Mark on the {paper} that the {system} was asked, and on which day."),
    Aside(Place.STEP, "Write the {label} on the {paper} in pencil once it is known."),
    Aside(Place.STEP, "Leave the {system} open: later steps go on from the same screen."),
    Aside(Place.STEP, "On a {paper} of the former layout, the {entry} stands on the back."),
    Aside(Place.STEP, "Some {workers} {inquiry} while the sender waits, others call back."),
    Aside(Place.STEP, "Have the {entry} repeated where it is given by telephone."),
    # What is left to other papers.
    Aside(
        Place.SCOPE,
        "Changes of the {label} after a case is closed are no part of this procedure.",
    ),
    Aside(
        Place.SCOPE,
        "Enquiries about the {label} alone, without a {case} at hand, are answered by the {role}.",
    ),
    Aside(
        Place.SCOPE,
        "How the {system} is kept up, and who may enter a {label} there, is laid down in {code}.",
    ),
    Aside(Place.SCOPE, "Letters about a {case} follow the layouts in {code}."),
    Aside(
        Place.SCOPE,
        "What {workers} say about a {case} to the press and to relatives is settled in {code}.",
    ),
    Aside(
        Place.SCOPE,
        "Requests to see a {paper} again after the case is closed go to the {role}, and are"
        " no part of this procedure.",
    ),
    Aside(Place.SCOPE, "The {paper} is designed by the {owner}; this procedure only uses it."),
    Aside(
        Place.SCOPE,
        "Other desks {inquiry} too, for purposes of their own; they do not go by this procedure.",
    ),
    # Who else has to do with it.
    Aside(
        Place.ROLES,
        "The {owner} names a deputy for absences, and informs the {workers} who it is.",
    ),
    Aside(
        Place.ROLES,
        "The {role} explains the {label} to new {workers}, and answers their questions on it.",
    ),
    Aside(
        Place.ROLES,
        "The operator of the {system} gives the {workers} access to it, and trains them in"
        " its use.",
    ),
    Aside(
        Place.ROLES,
        "The records clerk keeps the {papers} of closed cases, and brings them when the"
        " {role} asks.",
    ),
    Aside(Place.ROLES, "The senior {worker} of a shift shares the {papers} out evenly."),
    Aside(
        Place.ROLES,
        "The {owner} compares the {label} with the {paper} in a few closed cases each quarter.",
    ),
    # Words.
    Aside(
        Place.DEFINITIONS, "{label}: one of the things that {workers} learn when they {inquiry}."
    ),
    Aside(
        Place.DEFINITIONS,
        "Folder: the {papers} and notes on one {case}, in the order in which they came in.",
    ),
    Aside(Place.DEFINITIONS, "File copy: the copy of the {paper} that stays with the {workers}."),
    Aside(
        Place.DEFINITIONS,
        "Former layout: the {paper} as it was printed before the {system} was brought in; it"
        " asks for the same.",
    ),
    Aside(
        Place.DEFINITIONS, "Sender: whoever handed the {paper} in, or has it handed in by others."
    ),
    Aside(
        Place.DEFINITIONS,
        "Enquiry: what a {worker} asks the {system} about one {case}, and what it answers.",
    ),
    Aside(
        Place.DEFINITIONS,
        "Open {case}: one on which the {worker} still has something to look up.",
    ),
    # Where entries come from.
    Aside(
        Place.INPUTS,
        "The {entry} stands at the head of the {paper}, and the {other} right below it.",
    ),
    Aside(
        Place.INPUTS,
        "The {entry} and the {other} are stated as the {paper} had them when it was handed in.",
    ),
    Aside(
        Place.INPUTS,
        "In letters of the {owner}, the {entry} is given in full, as it stands here.",
    ),
    Aside(
        Place.INPUTS,
        "The {system} asks for the {entry} in the same form as the {paper} does.",
    ),
    Aside(
        Place.INPUTS,
        "Why the {paper} asks for the {entry} is explained on its back, in several languages.",
    ),
    Aside(
        Place.INPUTS,
        "Good examples of a {paper} are collected by the {owner}, with made-up entries, for"
        " new {workers} to read.",
    ),
    # How tools and systems behave.
    Aside(Place.EXCEPTIONS, "A tool that answers slowly has not refused: wait for its answer."),
    Aside(
        Place.EXCEPTIONS,
        "The words in which the {system} puts a refusal may vary from day to day; the code"
        " does not.",
    ),
    Aside(Place.EXCEPTIONS, "The {system} keeps what was typed when it signs off by itself."),
    Aside(
        Place.EXCEPTIONS,
        "The operator of the {system} announces beforehand when it is not to be reached,"
        " mostly at night.",
    ),
    Aside(
        Place.EXCEPTIONS,
        "A {paper} that cannot be read is copied out by whoever sent it, and both are kept.",
    ),
    Aside(
        Place.EXCEPTIONS,
        "The {label} appears in the {system} with a delay of a few seconds at busy hours.",
    ),
    # Who hands what over to whom.
    Aside(
        Place.ESCALATION,
        "Whoever takes a case over finds the {entry} and the {label} in its record.",
    ),
    Aside(
        Place.ESCALATION,
        "Give the {role} the {entry} first when asking about a {case}: its lists are sorted"
        " by that.",
    ),
    Aside(
        Place.ESCALATION,
        "At the end of a shift, the {worker} goes through the open {cases} with the colleague"
        " who takes over.",
    ),
    Aside(
        Place.ESCALATION,
        "Complaints about how a {worker} spoke with a sender go to the {owner}, whatever"
        " becomes of the {case}.",
    ),
    Aside(
        Place.ESCALATION,
        "The {role} is reached through the rota, which the {owner} keeps for each month.",
    ),
    Aside(
        Place.ESCALATION,
        "The {role} sees the {entry} and the {label} in the {system}, and needs no copy of them.",
    ),
    Aside(
        Place.ESCALATION, "The {role} is shown the folder of the {case} with the {paper} on top."
    ),
    # What is filed where.
    Aside(Place.RECORDS, "The {label} is noted as it was returned, with the time of the call."),
    Aside(Place.RECORDS, "The {paper} is kept with the record, in the folder of the {case}."),
    Aside(Place.RECORDS, "Notes on calls with the {role} are kept in the folder of the {case}."),
    Aside(
        Place.RECORDS,
        "File the {paper} by the {entry}, and notes on calls by the day on which they were made.",
    ),
    Aside(
        Place.RECORDS,
        "Copies of the {paper} for the {role} bear the name of the {worker} and the day on"
        " which they were made.",
    ),
    Aside(
        Place.RECORDS,
        "The {label} stays in the {system} as well, where the {owner} can see it.",
    ),
    Aside(
        Place.RECORDS,
        "Prints from the {system} that show the {label} are destroyed once they have been"
        " looked at.",
    ),
)
