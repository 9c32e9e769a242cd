"""Rules of files that tests share, and files that stand in each manner."""

from __future__ import annotations

from sopforge.harness.layers.writes.filed import Writes
from sopforge.harness.layers.writes.rules import FREE, Act, FileStanding, FilingRules, Status

RULES = FilingRules(
    {act: act.value for act in Act},
    {"charge": "no charge", "verdict": ""},
    "verdict",
    {"paid": "R101", "refused": "R202"},
)
PAID = "<verdict>paid</verdict><charge>12.50</charge><note>of no account</note>"
REFUSED = "<verdict>refused</verdict><charge>no charge</charge>"
LAYER = Writes(
    dose=2,
    rules=RULES,
    results=["verdict", "charge", "note"],
    desks=["audit desk", "appeals desk"],
    statuses={
        "F": FREE,
        "C": Status(FileStanding.CLOSED),
        "R": Status(FileStanding.RESERVED, "audit desk"),
    },
    keys={"task": ["F"]},
    title="Results on file",
    section=["Rules."],
)
