"""Values that an office keeps for purposes of its own, and on which no procedure turns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SideLabel:
    """A value that an end records: one of several labels."""

    name: str
    label: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SideDay:
    """A day so many days after another."""

    name: str
    label: str
    description: str
    days: tuple[int, ...]


BANDS = (("high", "medium", "low"), ("upper", "middle", "lower"), ("band 3", "band 2", "band 1"))
"""Labels of the bands into which a number falls, from the highest; one row for a value."""
CLASSES = (
    ("frequent", "occasional", "rare"),
    ("A", "B", "C"),
    ("class 1", "class 2", "class 3"),
)
"""Labels of the classes to which labels belong; the last is that of all others."""
SIDE_LABELS = (
    SideLabel("reply_form", "form of the reply", ("letter", "e-mail", "telephone call")),
    SideLabel("follow_up", "follow-up", ("none needed", "after a week", "after a month")),
    SideLabel("handling", "kind of handling", ("ordinary", "thorough", "shortened")),
    SideLabel("reply_language", "language of the reply", ("English", "language of the request")),
    SideLabel("enclosures", "enclosures of the reply", ("none enclosed", "copy enclosed")),
    SideLabel("state_of_file", "state of the file", ("complete file", "file with gaps")),
)
SIDE_DAYS = (
    SideDay("reply_due_on", "last day for the reply", "day by which the sender expects a reply",
            (10, 20, 35, 50)),
    SideDay("second_check_on", "day of the second check", "day on which the case is checked again",
            (40, 80, 120, 200)),
    SideDay("reminded_on", "day of the reminder", "day on which the sender is reminded",
            (5, 15, 25, 70)),
)  # fmt: skip
