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
class SideCheck:
    """A value that a limit or some labels decide: the label of those cases, and of all others."""

    name: str
    label: str
    description: str
    values: tuple[str, str]


@dataclass(frozen=True, slots=True)
class SideDay:
    """A day so many days after another."""

    name: str
    label: str
    description: str
    days: tuple[int, ...]


SIDE_CHECKS = (
    SideCheck("second_check", "second check", "whether a second person checks the result",
              ("required", "not required")),
    SideCheck("spot_check", "spot check", "whether a sample is taken of the work",
              ("due", "not due")),
    SideCheck("call_back", "call-back", "whether the entries are confirmed by telephone",
              ("needed", "not needed")),
    SideCheck("order_of_work", "order of work", "turn in which the work is done",
              ("ahead of others", "in turn")),
    SideCheck("file_class", "class of the file", "class under which the file is kept",
              ("long-term file", "current file")),
    SideCheck("reporting", "reporting", "whether the result appears in the monthly report",
              ("reportable", "not reportable")),
    SideCheck("site_visit", "visit", "whether somebody goes to see for themselves",
              ("arranged", "not arranged")),
    SideCheck("costing", "costing", "how the cost of the work is worked out",
              ("by the hour", "flat rate")),
    SideCheck("written_reasons", "written reasons", "whether reasons are given in writing",
              ("full reasons", "brief reasons")),
    SideCheck("security_level", "security level", "level at which the file is kept",
              ("restricted", "internal")),
    SideCheck("sign_off", "sign-off", "who signs the covering letter",
              ("two signatures", "one signature")),
    SideCheck("review_cycle", "review cycle", "how often the result is looked at again",
              ("each quarter", "once a year")),
)  # fmt: skip
ROLE_CHECKS = (
    SideCheck("{role}_notice", "notice to the {0}", "whether a notice goes to the {0}",
              ("to be given", "not needed")),
    SideCheck("copy_for_{role}", "copy for the {0}", "whether a copy goes to the {0}",
              ("to be sent", "not sent")),
    SideCheck("call_to_{role}", "call to the {0}", "whether the {0} receives a call",
              ("same day", "no call")),
    SideCheck("list_of_{role}", "weekly list of the {0}",
              "whether the case is entered in the weekly list of the {0}", ("entered", "left out")),
    SideCheck("note_for_{role}", "file note for the {0}",
              "whether a note for the {0} is put on file", ("put on file", "no note")),
    SideCheck("review_by_{role}", "review by the {0}",
              "whether the {0} reviews the file later", ("planned", "not planned")),
)  # fmt: skip
"""What an office decides about one of its roles, whose name stands in each."""
SIDE_LABELS = (
    SideLabel("reply_form", "form of the reply", ("letter", "e-mail", "telephone call")),
    SideLabel("follow_up", "follow-up", ("none needed", "after a week", "after a month")),
    SideLabel("handling", "kind of handling", ("ordinary", "thorough", "shortened")),
    SideLabel("reply_language", "language of the reply", ("English", "language of the request")),
    SideLabel("enclosures", "enclosures of the reply", ("none enclosed", "copy enclosed")),
    SideLabel("state_of_file", "state of the file", ("complete file", "file with gaps")),
)
SIDE_DAYS = (
    SideDay("reply_due_on", "last day for the reply", "day by which a reply is expected",
            (10, 20, 35, 50)),
    SideDay("second_check_on", "day of the second check", "day on which the case is checked again",
            (40, 80, 120, 200)),
    SideDay("reminded_on", "day of the reminder", "day on which a reminder is sent",
            (5, 15, 25, 70)),
)  # fmt: skip
