"""Values that an office keeps for purposes of its own, and on which no procedure turns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SideLabel:
    """A value that is one of several labels; the last is that of all other cases."""

    name: str
    label: str
    description: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SideDay:
    """A day so many days after another."""

    name: str
    label: str
    description: str
    days: tuple[int, ...]


SIDE_LABELS = (
    SideLabel(
        "file_class", "class of the file", "class under which the file is kept",
        ("short term", "long term", "standard term"),
    ),
    SideLabel(
        "letter_template", "template of the letter", "template by which letters are written",
        ("detailed template", "plain template", "usual template"),
    ),
    SideLabel(
        "statistics_group", "group for the statistics",
        "group in which the work counts in the monthly statistics",
        ("group A", "group B", "group C"),
    ),
    SideLabel(
        "case_weight", "weight for planning", "weight by which the work of the team is planned",
        ("heavy", "light", "medium"),
    ),
    SideLabel(
        "archive_series", "series of the archive", "series in which the file is archived",
        ("series N", "series P", "series M"),
    ),
    SideLabel(
        "survey_group", "group of the survey", "group that receives the yearly survey",
        ("first group", "second group", "no survey"),
    ),
    SideLabel(
        "cost_centre", "cost centre", "cost centre to which the work is booked",
        ("centre 410", "centre 430", "centre 400"),
    ),
    SideLabel(
        "audit_sample", "sample of the audit", "sample of the internal audit",
        ("monthly sample", "yearly sample", "no sample"),
    ),
    SideLabel(
        "training_set", "set for training", "set of examples in which new staff find the file",
        ("basic set", "advanced set", "no set"),
    ),
    SideLabel(
        "mail_route", "route of the mail", "route by which papers travel within the house",
        ("courier round", "house mail", "internal post"),
    ),
)  # fmt: skip
SIDE_DAYS = (
    SideDay(
        "look_again_on", "date of the next look", "day on which the file is looked at again",
        (10, 20, 35, 50),
    ),
    SideDay(
        "archived_on", "date of archiving", "day from which the file is in the archive",
        (40, 80, 120, 200),
    ),
    SideDay(
        "counted_on", "date of the count", "day on which the file counts in the statistics",
        (5, 15, 25, 70),
    ),
)  # fmt: skip
