"""Limits in a section of their own, read from its words, and said there as rules say them."""

from __future__ import annotations

from sopforge.artifacts.complexity.operators import indirect_thresholds
from sopforge.artifacts.complexity.variant import Variant, derive_alone
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.limits import find_limits
from sopforge.artifacts.rendering.sop.marks import LIMIT
from sopforge.language.domain.values.kinds.duration import HOURS_AND_MINUTES
from tests.worlds.small_models import parcel

MODEL = parcel()
WAIT = "        wait: {role: input, type: duration, min: 0, max: 600, description: w}\n"
MOST = "    most: {value: 150, unit: minutes, meaning: patience of a driver}\n"
WAITING = parcel(
    ("        colour:", f"{WAIT}        colour:"),
    ("  policy:\n", f"  policy:\n{MOST}"),
    ("when: fragile or", "when: wait > most or"),
)
TITLE = Statement(Style.SECTION, "9. Limits and amounts")


def entries(*texts: str) -> list[Statement]:
    return [TITLE, *(Statement(Style.BULLET, text) for text in texts)]


def test_a_limit_is_so_much_above_or_below_another_one() -> None:
    found = find_limits(
        MODEL.fields,
        entries(
            "Least weight: 5.50 kg",
            "Greatest weight: 2 kg more than the least weight",
            "Last day: 1 day earlier than the first day",
            "First day: 2026-03-01",
            "Share: 10 percent",
            "Greater share: 5 percentage points more than the share",
            "Few crates: 1 crate",
            "Many crates: 3 crates more than the few crates",
            "Price: 3 kg more than the share",
            "One: 2 kg more than the other",
            "Other: 2 kg less than the one",
        ),
    )

    assert {name: term[1:3] for name, term in found.items() if term[0] == "number"} == {
        "least weight": ("5.50", "kg"),
        "greatest weight": ("7.50", "kg"),
        "share": ("10", "percent"),
        "greater share": ("15", "percent"),
        "few crates": ("1", "crate"),
        "many crates": ("4", "crates"),
    }
    assert found["last day"][1] == "2026-02-28"
    assert not {"price", "one", "other"} & set(found)


def test_a_limit_is_so_much_later_or_longer_than_another_one() -> None:
    found = find_limits(
        MODEL.fields,
        entries(
            "Start: 2026-03-01 23:30",
            "End: 45 minutes later than the start",
            "Notice: 72 hours",
            "Long notice: 30 minutes more than the notice",
        ),
    )

    assert found["end"][:2] == ("time", "2026-03-02 00:15")
    assert found["long notice"][:3] == ("number", "4350", HOURS_AND_MINUTES)


def test_durations_are_said_and_read_in_hours_and_minutes() -> None:
    found = find_limits(
        WAITING.fields,
        entries("Wait: 1 hour and 45 minutes", "Longest wait: 45 minutes more than the wait"),
    )
    plain = Variant(WAITING, derive_alone(WAITING))
    put = indirect_thresholds.OPERATOR.apply(plain, 4, 2).sop.statements
    said = [item.text for item in put if item.excused == LIMIT]

    assert found["longest wait"][:3] == ("number", "150", HOURS_AND_MINUTES)
    assert "- 2 hours and 30 minutes: patience of a driver" in plain.sop.as_text()
    assert "Patience of a driver: 2 hours and 30 minutes" in said
    assert find_limits(WAITING.fields, put)["patience of a driver"][1] == "150"
