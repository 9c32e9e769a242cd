from dataclasses import replace

import pytest

from sopforge.harness.layers.text.sections import UnreadableTextError, add_section
from sopforge.harness.layers.writes.rules import ANY_VALUE, Act, FilingRules
from sopforge.harness.layers.writes.stating import (
    TITLE,
    read_filing,
    write_filing,
)
from tests.worlds.counters import build_counter

MODEL = build_counter()
RULES = FilingRules(
    {act: f"{act.value}2" for act in Act},
    {"reason": "not given", "verdict": ""},
    "verdict",
    {"carried out": "R101", "refused": "R202"},
)


def write(rules: FilingRules = RULES, *, has_queue: bool = False) -> str:
    return add_section(
        "1. Purpose\nNone.\n", TITLE, write_filing(MODEL, rules, has_queue=has_queue)
    )


@pytest.mark.parametrize("has_queue", [False, True])
@pytest.mark.parametrize(
    "rules",
    [
        RULES,
        replace(RULES, results={"verdict": ""}),
        replace(RULES, reasons={ANY_VALUE: "R303"}),
        replace(RULES, reasons={"no, not yet": "R1", "yes (all)": "R2"}),
    ],
    ids=["two results", "one result", "no labels", "labels with signs"],
)
def test_the_rules_are_read_back_from_the_text_alone(
    rules: FilingRules, *, has_queue: bool
) -> None:
    assert read_filing(add_section(write(rules, has_queue=has_queue), "More", ["- x: y"])) == rules


def test_the_order_of_the_results_is_read_too() -> None:
    assert list(read_filing(write()).results) == ["reason", "verdict"]


def test_a_session_with_several_cases_has_a_rule_of_its_own() -> None:
    assert "before fileCase is called" in write(has_queue=True)
    assert "fileCase" not in write()


@pytest.mark.parametrize(
    "line", ["- Look first", '- "free"', '- "reserved"', '- "closed"', "- reason;", "Reason codes"]
)
def test_a_rule_that_is_missing_is_noticed(line: str) -> None:
    lines = [text for text in write().split("\n") if not text.startswith(line)]
    if line == "- reason;":
        lines = [text for text in lines if text != "- verdict"]

    with pytest.raises(UnreadableTextError):
        read_filing("\n".join(lines))
