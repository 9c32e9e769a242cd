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
    # What an instruction of a step adds for whoever sits at the screen.
    Aside(Place.STEP, "The {system} takes a moment to open in the first hour of the morning."),
    Aside(
        Place.STEP,
        "Keep the {paper} beside the screen: its entries stand in the same order as those of the"
        " {system}.",
    ),
    Aside(Place.STEP, "The {system} shows the {entry} at the top of the screen, in small print."),
    Aside(
        Place.STEP,
        "New {workers} watch this step beside a colleague before they carry it out on their own.",
    ),
    Aside(
        Place.STEP,
        "The {system} sorts what it shows by day; a click on the head of a column sorts it anew.",
    ),
    Aside(Place.STEP, "Have a colleague look at a {paper} whose handwriting is hard to make out."),
    Aside(
        Place.STEP,
        "Older entries of the {system} bear the initials of {workers} who have left; that is of no"
        " concern here.",
    ),
    Aside(
        Place.STEP,
        "A {paper} of the former layout has the {entry} on its back; it asks for the same.",
    ),
    Aside(
        Place.STEP,
        "The {system} signs off by itself during a long break, and keeps what was looked up.",
    ),
    Aside(Place.STEP, "Speak softly where others at the counter could hear of a {case}."),
    Aside(
        Place.STEP,
        "The {role} likes to see the {paper} on top of the folder, with the notes below it.",
    ),
    Aside(
        Place.STEP,
        "The abbreviations on the screen of the {system} are explained on its help page.",
    ),
    # Scope: what other papers deal with.
    Aside(Place.SCOPE, "How {papers} are ordered, stored and thrown away is laid down in {code}."),
    Aside(Place.SCOPE, "Letters that belong to this procedure, and their layout, are in {code}."),
    Aside(
        Place.SCOPE,
        "The yearly figures on {cases} are drawn up by the {owner} from the {system}, and are no"
        " part of this procedure.",
    ),
    Aside(
        Place.SCOPE,
        "Visitors and press are shown a short account of this procedure, which the {owner} keeps.",
    ),
    Aside(Place.SCOPE, "Access to the {system} is given and taken back as {code} says."),
    Aside(
        Place.SCOPE,
        "The training of new {workers} has a plan of its own, which takes up this procedure in its"
        " second week.",
    ),
    # Roles.
    Aside(
        Place.ROLES,
        "The records clerk files the {papers} and fetches them when they are asked for.",
    ),
    Aside(
        Place.ROLES,
        "The operator of the {system} gives access to it, and announces when it is not to"
        " be reached.",
    ),
    Aside(
        Place.ROLES,
        "The trainer goes through closed cases with new {workers}, and shows them the {system}.",
    ),
    Aside(Place.ROLES, "The deputy of the {owner} stands in during absences, as the rota says."),
    Aside(Place.ROLES, "The mail room brings the {papers} that come by post, twice a day."),
    Aside(
        Place.ROLES,
        "The quality team reads a few closed cases each quarter, and shows the {workers}"
        " what it found.",
    ),
    # Definitions.
    Aside(Place.DEFINITIONS, "Day list: what a {worker} has open at the end of a shift."),
    Aside(
        Place.DEFINITIONS,
        "Folder: the papers on one {case}, in the order in which they came in.",
    ),
    Aside(Place.DEFINITIONS, "File copy: the copy of the {paper} that stays with the {workers}."),
    Aside(Place.DEFINITIONS, "Rota: the list of who is on duty, and of who stands in for whom."),
    Aside(
        Place.DEFINITIONS,
        "Help page: what the operator of the {system} has written on each of its screens.",
    ),
    Aside(
        Place.DEFINITIONS, "Shelf mark: the place of a folder in the archive, by year and letter."
    ),
    # Inputs.
    Aside(
        Place.INPUTS,
        "Good examples of a filled-in {paper} hang in the training room; the names on them are"
        " made up.",
    ),
    Aside(
        Place.INPUTS,
        "On paper, the {entry} is asked for in block letters, with a box for each of them.",
    ),
    Aside(
        Place.INPUTS,
        "The {entry} and the {other} stand side by side on the {paper}, as they do here.",
    ),
    Aside(
        Place.INPUTS,
        "The layout of the {paper} is the business of the {owner}, to whom suggestions are sent.",
    ),
    Aside(Place.INPUTS, "Most {papers} come in on the first days of the week."),
    # Exceptions.
    Aside(
        Place.EXCEPTIONS,
        "Maintenance of the {system} is announced on its opening page, and done at night.",
    ),
    Aside(
        Place.EXCEPTIONS,
        "Report a fault of the {system} that comes back to its operator, with the time of day and"
        " what the screen showed.",
    ),
    Aside(
        Place.EXCEPTIONS,
        "The {system} greets its users with the news of its operator, which can be closed unread.",
    ),
    Aside(
        Place.EXCEPTIONS,
        "The help desk resets forgotten passwords; its number is on the back of the badge.",
    ),
    Aside(
        Place.EXCEPTIONS,
        "The {system} and the printer hang on different lines: one may stand still while the other"
        " runs.",
    ),
    # Escalation.
    Aside(
        Place.ESCALATION,
        "Whom to call at the {role} is said by the rota, which hangs beside the telephone.",
    ),
    Aside(
        Place.ESCALATION,
        "At the end of a shift, go through the day list with the colleague who takes over.",
    ),
    Aside(
        Place.ESCALATION,
        "Complaints about a conversation go to the {owner}, whatever becomes of the case.",
    ),
    Aside(
        Place.ESCALATION, "The {role} answers e-mails of the {workers} on the same day as a rule."
    ),
    Aside(
        Place.ESCALATION,
        "The {workers} and the {role} meet each month, and talk about what was hard to explain.",
    ),
    # Records.
    Aside(
        Place.RECORDS,
        "File {papers} on paper by the day on which they came in, and within a day by name.",
    ),
    Aside(Place.RECORDS, "Telephone notes are kept in the folder, below the {paper}."),
    Aside(
        Place.RECORDS,
        "Stick the label with the shelf mark on the back of the folder, low enough to be"
        " seen on the shelf.",
    ),
    Aside(
        Place.RECORDS,
        "Copies for the {role} are made from the scan, so that the {paper} stays in the folder.",
    ),
    Aside(Place.RECORDS, "The archive takes folders in on the last afternoon of the month."),
    Aside(
        Place.RECORDS,
        "Prints from the {system} bear the day on which they were made, and go into the locked bin"
        " after use.",
    ),
)
