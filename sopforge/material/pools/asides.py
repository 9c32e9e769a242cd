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
    # What an instruction adds for whoever sits at the screen.
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
        "Read the {entry} once more from the {paper} before going on; the {system} shows it"
        " as it was typed.",
    ),
    Aside(Place.STEP, "New {workers} {activity} beside a colleague in their first weeks."),
    Aside(
        Place.STEP,
        "The {system} shows the {label} next to the {entry}, and older notes on the {case} below.",
    ),
    Aside(
        Place.STEP,
        "What the {role} wants to know about a {case} later is mostly how it came to the {label}.",
    ),
    Aside(Place.STEP, "Mark on the {paper} that the {system} was asked, and on which day."),
    Aside(
        Place.STEP,
        "Write the {label} on the {paper} in pencil once the {system} has shown it.",
    ),
    Aside(Place.STEP, "Leave the {system} open: the next steps go on from the same screen."),
    Aside(Place.STEP, "Inform whoever waits that the {system} takes a moment."),
    Aside(Place.STEP, "On a {paper} of the former layout, the {entry} stands on the back."),
    Aside(Place.STEP, "Some {workers} {inquiry} while the caller waits, others call back."),
    Aside(
        Place.STEP,
        "Note in the folder of the {case} who was spoken to, and in which language.",
    ),
    Aside(Place.STEP, "Show the {paper} to the {role} on request; it is not handed out."),
    Aside(
        Place.STEP,
        "Put the {paper} back into the folder of the {case} once it has been looked at.",
    ),
    # What other papers deal with.
    Aside(
        Place.SCOPE,
        "How the {system} is kept up, and who may enter a {label} there, is laid down in {code}.",
    ),
    Aside(Place.SCOPE, "Letters about a {case} follow the layouts in {code}."),
    Aside(
        Place.SCOPE,
        "The figures on {cases} that the {owner} reports each year are drawn up by {code}.",
    ),
    Aside(
        Place.SCOPE,
        "What {workers} say about a {case} to the press and to relatives is settled in {code}.",
    ),
    Aside(
        Place.SCOPE,
        "Requests to see a {paper} after the case is closed are no part of this procedure,"
        " and go to the {role}.",
    ),
    Aside(
        Place.SCOPE,
        "{cases} from before the {system} was brought in are kept on cards, and are looked"
        " after by the {owner}.",
    ),
    Aside(Place.SCOPE, "The {paper} is designed by the {owner}; this procedure only uses it."),
    # Who else there is.
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
    Aside(
        Place.ROLES,
        "The experienced {worker} of a shift sees to it that the {papers} are shared out evenly.",
    ),
    Aside(
        Place.ROLES,
        "The {role} meets the {workers} each month, and hears what was hard to explain to callers.",
    ),
    # Words.
    Aside(
        Place.DEFINITIONS, "Day list: the {cases} that a {worker} has open at the end of a shift."
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
        Place.DEFINITIONS,
        "Caller: whoever asks about a {case} by telephone; the {worker} asks for the {entry}"
        " first.",
    ),
    Aside(
        Place.DEFINITIONS,
        "Enquiry: what a {worker} asks the {system} about one {case}, and what it answers.",
    ),
    Aside(
        Place.DEFINITIONS,
        "Note on the {label}: what a {worker} has written beside it in the folder, for colleagues.",
    ),
    # What the entries are like.
    Aside(
        Place.INPUTS,
        "The {entry} stands at the head of the {paper}, and the {other} right below it.",
    ),
    Aside(
        Place.INPUTS,
        "In letters of the {owner}, the {entry} is given in full, as it stands here.",
    ),
    Aside(
        Place.INPUTS,
        "Good examples of a {paper} are collected by the {owner}, with made-up entries, for"
        " new {workers} to read.",
    ),
    Aside(
        Place.INPUTS,
        "The {system} asks for the {entry} in the same form as the {paper} does.",
    ),
    Aside(Place.INPUTS, "Older {papers} have the {other} where the {entry} stands today."),
    Aside(
        Place.INPUTS,
        "Why the {paper} asks for the {entry} is explained on its back, in several languages.",
    ),
    # What goes wrong with systems.
    Aside(
        Place.EXCEPTIONS,
        "The operator of the {system} announces beforehand when it is not to be reached,"
        " mostly at night.",
    ),
    Aside(
        Place.EXCEPTIONS,
        "Inform the operator of the {system} of faults that come back, with the time of day"
        " and what it showed.",
    ),
    Aside(
        Place.EXCEPTIONS,
        "A {paper} that cannot be read is copied out by whoever sent it, and both are kept.",
    ),
    Aside(Place.EXCEPTIONS, "The {system} keeps what was typed when it signs off by itself."),
    Aside(
        Place.EXCEPTIONS,
        "Two {workers} can look at the same {case} in the {system} at a time; neither"
        " holds the other up.",
    ),
    Aside(
        Place.EXCEPTIONS,
        "The {label} appears in the {system} with a delay of a few seconds at busy hours.",
    ),
    # Who hands what over to whom.
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
        "Complaints about how a {worker} spoke with a caller go to the {owner}, whatever"
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
    Aside(
        Place.ESCALATION,
        "A {worker} who falls ill during a shift leaves the {papers} with the colleague at"
        " the next desk.",
    ),
    # What is filed where.
    Aside(
        Place.RECORDS,
        "File the {paper} by the {entry}, and notes on calls by the day on which they were made.",
    ),
    Aside(Place.RECORDS, "Notes on calls with the {role} are kept in the folder of the {case}."),
    Aside(
        Place.RECORDS,
        "Copies of the {paper} for the {role} bear the name of the {worker} and the day on"
        " which they were made.",
    ),
    Aside(Place.RECORDS, "Folders are shared out to the archive by the {entry}, as {code} says."),
    Aside(Place.RECORDS, "The {paper} is kept with the record, in the folder of the {case}."),
    Aside(
        Place.RECORDS,
        "The {label} stays in the {system} as well, where the {owner} can see it.",
    ),
    Aside(
        Place.RECORDS,
        "The {owner} looks through the folders of a few closed {cases} each quarter.",
    ),
    Aside(
        Place.RECORDS,
        "Prints from the {system} that show the {label} are destroyed once they have been"
        " looked at.",
    ),
)
