"""What a reply is by the rules of recovery, the rules in words, and a program that follows them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from sopforge.harness.layers.dial import Ability
from sopforge.harness.layers.faults.recovering import Recovering
from sopforge.harness.layers.faults.recovery import BUSY, CLOSED, LATE, Health, Recovery
from sopforge.harness.layers.faults.stating import add_recovery, read_recovery
from sopforge.harness.layers.text.sections import UnreadableTextError
from sopforge.language.logic.tool_calls import Refused
from sopforge.sandbox.answers import JSON

RULES = Recovery(
    3,
    {"getOrder": "getOrderStandIn", "ship": "shipStandIn"},
    "copied_on",
    "changed_on",
    {"getOrder": {"total": (Decimal("0.00"), Decimal("999.99"))}},
)
GOOD: dict[str, JSON] = {
    "total": Decimal("12.50"),
    "copied_on": "2025-03-02",
    "changed_on": "2025-03-02",
}
STALE = GOOD | {"copied_on": "2025-03-01"}
DAMAGED = GOOD | {"total": Decimal("1000.00")}
PARTIAL = {name: value for name, value in GOOD.items() if name != "total"}


@pytest.mark.parametrize(
    ("result", "health"),
    [
        (GOOD, Health.SOUND),
        (GOOD | {"total": Decimal("999.99")}, Health.SOUND),
        (DAMAGED, Health.UNTRUE),
        (GOOD | {"total": Decimal("-0.01")}, Health.UNTRUE),
        (STALE, Health.UNTRUE),
        (GOOD | {"copied_on": "2026-01-01"}, Health.SOUND),
        (PARTIAL, Health.REPEATABLE),
        (STALE | {"total": None}, Health.UNTRUE),
    ],
)
def test_a_result_is_judged_by_its_values_and_its_days(
    result: dict[str, Any], health: Health
) -> None:
    assert RULES.assess_result("getOrder", result, ["total"]) is health


@pytest.mark.parametrize(
    ("code", "health"),
    [
        (BUSY, Health.REPEATABLE),
        (LATE, Health.REPEATABLE),
        (CLOSED, Health.CLOSED),
        ("not_found", Health.SOUND),
    ],
)
def test_a_refusal_is_judged_by_its_code(code: str, health: Health) -> None:
    assert RULES.assess_refusal(code) is health


def test_the_rules_are_read_back_from_their_words() -> None:
    assert read_recovery(add_recovery("1. Purpose\nWhy.\n", RULES)) == RULES


def test_a_text_without_all_rules_is_refused() -> None:
    text = add_recovery("1. Purpose\nWhy.\n", RULES)

    for lost in ("stale copy", "up to 3 times", "with the tool's stand-in"):
        with pytest.raises(UnreadableTextError):
            read_recovery("\n".join(line for line in text.split("\n") if lost not in line))


@dataclass
class Answering:
    """Gives one reply after the other, and keeps which tools were called."""

    replies: list[Mapping[str, object] | Refused]
    called: list[str] = field(default_factory=list)

    def __call__(self, tool: str, _: Mapping[str, Any]) -> Mapping[str, object] | Refused:
        self.called.append(tool)
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


def recover(
    answering: Answering, lacks: Collection[Ability] = ()
) -> Mapping[str, object] | Refused:
    recovering = Recovering(answering, RULES, {"getOrder": ["total"], "ship": []}, lacks)
    return recovering("getOrder", {"order_id": "O-1"})


BUSY_NOW, CLOSED_NOW = Refused(BUSY, ""), Refused(CLOSED, "")
TOOL, OTHER = "getOrder", "getOrderStandIn"


@pytest.mark.parametrize(
    ("replies", "called"),
    [
        ([GOOD], [TOOL]),
        ([BUSY_NOW, PARTIAL, BUSY_NOW, GOOD], [TOOL] * 4),
        ([BUSY_NOW] * 4 + [GOOD], [TOOL] * 4 + [OTHER]),
        ([CLOSED_NOW, GOOD], [TOOL, OTHER]),
        ([STALE, GOOD], [TOOL, OTHER]),
        ([BUSY_NOW, DAMAGED, GOOD], [TOOL, TOOL, OTHER]),
    ],
)
def test_a_call_is_repeated_three_times_and_then_made_with_the_stand_in(
    replies: list[Any], called: list[str]
) -> None:
    answering = Answering(list(replies))

    assert recover(answering) == {"total": Decimal("12.50")}
    assert answering.called == called


def test_who_does_not_repeat_gives_up_at_once() -> None:
    answering = Answering([BUSY_NOW, GOOD])

    assert isinstance(recover(answering, (Ability.REPEATING,)), Refused)
    assert answering.called == [TOOL]
