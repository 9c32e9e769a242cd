"""Lists that a record of any trade may hold: what happened before, how long ago, of which kind."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class History:
    """A list: its name, what an entry is, the field that distinguishes entries, and its labels."""

    name: str
    entry: str
    part: str
    labels: tuple[str, ...]
    weights: tuple[int, ...]


HISTORIES = (
    History(
        "contacts",
        "contact with the office",
        "matter",
        ("Request", "Complaint", "Praise"),
        (40, 45, 15),
    ),
    History(
        "spot_checks",
        "spot check of the file",
        "finding",
        ("In order", "Mistake", "Left open"),
        (35, 45, 20),
    ),
    History(
        "notices", "notice that was sent", "kind", ("Reminder", "Receipt", "Warning"), (45, 25, 30)
    ),
    History("visits", "visit to the counter", "course", ("Kept", "Missed", "Moved"), (40, 40, 20)),
    History(
        "transfers", "transfer between offices", "direction", ("Outgoing", "Incoming"), (50, 50)
    ),
    History(
        "corrections",
        "correction of the file",
        "origin",
        ("Own slip", "Sender", "System"),
        (45, 35, 20),
    ),
    History("reviews", "review by a second person", "verdict", ("Upheld", "Changed"), (55, 45)),
    History(
        "interruptions",
        "interruption of the work",
        "cause",
        ("Absence", "Fault", "Query"),
        (30, 45, 25),
    ),
)
