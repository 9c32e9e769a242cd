"""What a small mistake is about: the headings under which mutants are counted."""

from __future__ import annotations

from enum import StrEnum


class About(StrEnum):
    """The kinds of mistakes, in the order in which they are reported."""

    TABLE = "table"
    LIMIT = "limit"
    COMPARATOR = "comparator"
    LABEL = "label"
    CONSTANT = "constant"
    CONDITION = "condition"
    ORDER = "order"
    RESULT = "result"
    ROUNDING = "rounding"
    CALENDAR = "calendar"
    LIST = "list"
    MISSING = "missing value"
    EDGE = "edge"
    END = "end"
    PART = "part of the procedure"
    GUARD = "guard"
    INPUT = "malformed input"
