"""Services that the office of a domain would have, in frames that its own names fill.

Each looks up something that is on file of a case, of a system, of a paper or of a role, and on
which nothing turns.
"""

from __future__ import annotations

from dataclasses import dataclass

_NAMES = ("A. Brandt", "C. Okafor", "J. Marsh", "L. Ferrer", "M. Ito", "S. Novak")


@dataclass(frozen=True, slots=True)
class ServiceFrame:
    """A look-up: ``{}`` stands for the name of what it is of, and ``{of}`` for what that is called.

    ``{case}`` stands for what cases are about.
    """

    tool: str
    says: str
    field: str
    means: str
    values: tuple[str, ...]


OF_CASES = (
    ServiceFrame(
        "list{}Letters",
        "List the letters that were sent about {a_case}, the latest first",
        "{}_latest_letter",
        "latest letter that was sent",
        ("Acknowledgement of receipt", "Cover letter", "Copy of the file", "No letter on file"),
    ),
    ServiceFrame(
        "get{}CallNotes",
        "Read the telephone notes on {a_case}",
        "{}_call_note",
        "latest telephone note",
        ("Asked for opening hours", "Asked who deals with it", "New number given", "No note"),
    ),
    ServiceFrame(
        "get{}EntryHistory",
        "Show who entered {a_case} in the {system}, and by which desk",
        "{}_entered_by",
        "person who made the entry",
        _NAMES,
    ),
    ServiceFrame(
        "find{}Folder",
        "Find the paper folder of {a_case}",
        "{}_folder_place",
        "place of the paper folder",
        ("Archive", "Day tray", "On loan to a colleague", "Scanning"),
    ),
    ServiceFrame(
        "list{}Scans",
        "List the scanned papers of {a_case}",
        "{}_scan_state",
        "state of the scans",
        ("All pages scanned", "First pages only", "Waiting for the scanner"),
    ),
    ServiceFrame(
        "get{}ContactWish",
        "Read how to get in touch about {a_case}",
        "{}_contact_wish",
        "preferred means of contact",
        ("By e-mail", "By letter", "By telephone"),
    ),
    ServiceFrame(
        "search{}Notes",
        "Search what {workers} have noted on {a_case}",
        "{}_desk_note",
        "latest note of the desk",
        ("Folder is thick", "Likes to call early", "Nothing noted", "Two namesakes"),
    ),
    ServiceFrame(
        "get{}Worklist",
        "Show on whose list {a_case} stands",
        "{}_listed_with",
        "person on whose list it stands",
        _NAMES,
    ),
)
OF_SYSTEMS = (
    ServiceFrame(
        "check{}Status",
        "Ask whether the {of} runs as usual, for the work on {a_case}",
        "{}_service_state",
        "state of service of the {of}",
        ("Maintenance tonight", "Running", "Slow this morning"),
    ),
    ServiceFrame(
        "list{}Changes",
        "List the latest changes to the screens of the {of}",
        "{}_latest_change",
        "latest change to the screens of the {of}",
        ("Larger print", "New help page", "No change this month", "Search moved to the top"),
    ),
    ServiceFrame(
        "find{}Operator",
        "Find who answers questions about the {of}",
        "{}_operator",
        "person who answers questions about the {of}",
        _NAMES,
    ),
)
OF_PAPERS = (
    ServiceFrame(
        "get{}Layout",
        "Show which layout of the {of} was used for {a_case}",
        "{}_layout",
        "layout of the {of}",
        ("Layout A", "Layout B", "Layout C"),
    ),
    ServiceFrame(
        "find{}Copy",
        "Find the file copy of the {of} of {a_case}",
        "{}_copy_place",
        "place of the file copy of the {of}",
        ("Archive", "Desk file", "Not copied"),
    ),
    ServiceFrame(
        "count{}Prints",
        "Look up how many prints of the {of} are in stock",
        "{}_prints_in_stock",
        "prints of the {of} in stock",
        ("Enough", "Few left", "Ordered"),
    ),
)
OF_ROLES = (
    ServiceFrame(
        "get{}Rota",
        "Look up the rota of the {of} for the work on {cases}",
        "{}_rota",
        "name in the rota of the {of}",
        _NAMES,
    ),
    ServiceFrame(
        "get{}Hours",
        "Show when the {of} takes calls about {cases}",
        "{}_hours",
        "hours in which the {of} takes calls",
        ("Afternoons", "All day", "By appointment", "Mornings"),
    ),
    ServiceFrame(
        "locate{}",
        "Show where the {of} is found that keeps files on {cases}",
        "{}_place",
        "place of the {of}",
        ("Annex", "East wing", "Ground floor", "Main building", "Riverside"),
    ),
    ServiceFrame(
        "show{}Notice",
        "Show the latest notice of the {of} about {cases}",
        "{}_notice",
        "latest notice of the {of}",
        ("Copy filed", "New shelf mark", "No notice", "Scan replaced", "Yearly stocktaking"),
    ),
)
OFFICES = (
    "archive",
    "cash office",
    "data protection office",
    "facilities desk",
    "help desk",
    "legal library",
    "mail room",
    "press office",
    "print shop",
    "quality team",
    "reception",
    "records room",
    "staff council",
    "training centre",
    "translation service",
    "travel desk",
)
"""Offices that any organisation has, beside the roles that a brief names."""
