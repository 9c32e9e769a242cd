"""Material of a library's own, written by hand, for the brief of late fees at all levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

FEES = (Path(__file__).parents[1] / "briefs" / "fees.yaml").read_text(encoding="utf-8")
FEES_L3 = FEES.replace("levels: [L0, L1]", "levels: [L0, L1, L2, L3]")

LEAD_INS = [
    "New colleagues at the desk like to look this up on busy afternoons.",
    "Trainees carry a note of this in the pocket of their apron.",
]
TANGENTS = [
    "The reading room keeps its green lamps from the founding years.",
    "Volumes come back smelling of attics, and the desk airs them by the garden door.",
    "The bookbinder visits on market days and takes torn spines along.",
    "Letters from readers, mostly kind, hang in the staff kitchen of the old wing.",
]
TWINS = [
    {
        "same_as": "lookUpLoan",
        "tool": "openLendingSlip",
        "description": "Show what the lending desk holds on a loan",
    },
    {
        "same_as": "lookUpLoan",
        "tool": "readLendingRegister",
        "description": "Read a loan in the lending register",
    },
]
EARLIER = [
    {
        "constant": "grace_days",
        "value": "5",
        "why": "The council of readers asked for the change in the year of the flood.",
    }
]
SERVICES: list[dict[str, Any]] = [
    {
        "tool": f"find{name}",
        "description": f"Find which {words} looks after the volume of a loan",
        "shows": {
            "name": f"volume_{name.lower()}",
            "description": f"{words} that looks after the volume",
            "values": ["Harbour quay", "Old mill"],
        },
    }
    for name, words in {
        "Bindery": "bindery",
        "Restorer": "restorer of paper",
        "Shelver": "keeper of shelves",
        "Courier": "courier by bicycle",
        "Sponsor": "friend of the library",
        "Printer": "printer of labels",
    }.items()
]
ROLES = ["bindery master", "keeper of the stacks", "Friends' desk"]
SYSTEMS = ["shelf register", "lending terminal"]
PAPERS = ["lending slip", "date slip"]


def label(name: str, description: str, *values: str) -> dict[str, Any]:
    return {
        "name": name,
        "description": description,
        "values": list(values),
        "lowest": 0,
        "highest": 0,
    }


def number(name: str, description: str, lowest: int, highest: int) -> dict[str, Any]:
    return {**label(name, description), "lowest": lowest, "highest": highest}


FORM_DETAILS = [
    label("slip_colour", "colour of the slip in the volume", "Pale green", "Yellow"),
    label("drop_box", "box into which the volume was dropped", "Courtyard", "Main door"),
    number("bag_number", "bag in which the volume came back", 1, 60),
    label("weather_mark", "mark of the weather on the wrapper", "Dry", "Wet"),
]
RECORD_DETAILS = [
    label("shelf_mark_style", "style of the mark on the spine", "Gilt", "Paper"),
    number("spine_repairs", "repairs of the spine so far", 0, 9),
    label("reading_room", "room in which the volume is read most", "Garden room", "Map room"),
]


def always(answer: dict[str, Any]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return a player who answers the same, whatever is asked."""
    return lambda _: answer


WRITTEN: dict[str, dict[str, Any]] = {
    "complexity_sentences": {"lead_ins": LEAD_INS, "tangents": TANGENTS},
    "complexity_additions": {
        "twins": TWINS,
        "earlier": EARLIER,
        "services": SERVICES,
        "form_details": FORM_DETAILS,
        "record_details": RECORD_DETAILS,
        "roles": ROLES,
        "systems": SYSTEMS,
        "papers": PAPERS,
    },
}
"""What a language model would answer to each template."""
