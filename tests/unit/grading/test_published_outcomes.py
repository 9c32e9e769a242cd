"""Answers are read from a text, and compared by their declared types."""

from __future__ import annotations

import pytest

from sopforge.harness.grading.published_outcomes import (
    AnswerKind,
    Outcome,
    is_right,
    is_value,
    read_stated,
    write_stated,
)

LABEL = Outcome("decision", "decision", AnswerKind.LABEL, ("pay_back", "refuse", "None"))
TEXT = Outcome("reason", "reason", AnswerKind.LABEL)
FEE = Outcome("fee", "fee", AnswerKind.NUMBER, places=2)
COUNT = Outcome("count", "count", AnswerKind.NUMBER)
DAY = Outcome("day", "day", AnswerKind.DATE, format="%m/%d/%y")
READY = Outcome("ready", "ready", AnswerKind.BOOLEAN, missing="not determined")
TOOLS = Outcome("tools", "tools", AnswerKind.SET, ("saw", "drill", "file"))


@pytest.mark.parametrize(
    ("outcome", "cell", "stated", "verdict"),
    [
        # Whether it is a value of its type, and whether the right one.
        (LABEL, "pay_back", "Pay back", (True, True)),
        (LABEL, "pay_back", "pay-back ", (True, True)),
        (LABEL, "pay_back", "back", (False, False)),
        (LABEL, "pay_back", "pay_back or refuse", (False, False)),
        (LABEL, "pay_back", "refuse", (True, False)),
        (LABEL, "pay_back", "", (False, False)),
        (LABEL, "None", "none", (True, True)),
        (LABEL, "", "none", (True, False)),
        (TEXT, "late", "too late", (True, False)),
        (TEXT, "d\u00fcrr", "du\u0308rr", (True, True)),
        (TEXT, "du\u0308rr", "d\u00fcrr", (True, True)),
        (TEXT, "", "none", (True, False)),
        (FEE, "4.10", "4.1", (True, True)),
        (FEE, "4.10", "4.104", (True, True)),
        (FEE, "4.10", "4.11", (True, False)),
        (FEE, "1234.50", "1,234.5", (True, True)),
        (FEE, "4.10", "EUR 4.10", (False, False)),
        (FEE, "4.10", "nan", (False, False)),
        (FEE, "", "none", (True, True)),
        (FEE, "", "0", (True, False)),
        (COUNT, "12", "12.0", (True, True)),
        (COUNT, "12", "112", (True, False)),
        (DAY, "3/1/26", "2026-03-01", (True, True)),
        (DAY, "3/1/26", "03/01/26", (True, True)),
        (DAY, "3/1/26", "1 March", (False, False)),
        (READY, "True", "yes", (True, True)),
        (READY, "False", "true", (True, False)),
        (READY, "True", "ready", (False, False)),
        (READY, "", "not determined", (True, True)),
        (READY, "", "false", (True, False)),
        (TOOLS, "['saw', 'drill']", '["drill", "Saw"]', (True, True)),
        (TOOLS, "['saw', 'drill']", "drill; saw", (True, True)),
        (TOOLS, "['saw', 'drill']", "saw", (True, False)),
        (TOOLS, "[]", "[]", (True, True)),
        (TOOLS, "['saw']", "saw, hammer", (False, False)),
        (TOOLS, "['saw']", "[saw", (False, False)),
    ],
)
def test_an_answer_is_compared_by_its_type(
    outcome: Outcome, cell: str, stated: str, verdict: tuple[bool, bool]
) -> None:
    assert (is_value(outcome, stated), is_right(outcome, cell, stated)) == verdict


def test_what_is_not_stated_is_no_value_and_not_right() -> None:
    assert not is_value(TEXT, None)
    assert not is_right(TEXT, "", None)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("<decision>refuse</decision><fee>2.00</fee>", {"decision": "refuse", "fee": "2.00"}),
        ("<Decision>\nrefuse\n</Decision>", {"decision": "refuse"}),
        ("<decision>refuse</decision> no: <decision>pay back</decision>", {"decision": "pay back"}),
        ("<decision>a < b</decision>", {"decision": "a < b"}),
        ("<decision>refuse", {}),
        ('<final_output>{"Decision": "refuse", "fee": 2.5}</final_output>',
         {"decision": "refuse", "fee": "2.5"}),
        ('{"result": {"decision": null, "fee": true}}', {"decision": "none", "fee": "true"}),
        ("<final_response>{'decision': 'refuse', 'fee': 3}</final_response>",
         {"decision": "refuse", "fee": "3"}),
        ('```json\n{"decision": "refuse"}\n``` {"fee": [1]}', {"decision": "refuse", "fee": "[1]"}),
        ('<decision>refuse</decision>{"decision": "pay back"}', {"decision": "refuse"}),
        ("decision: refuse", {}),
        ("<final_decision>refuse</final_decision>", {}),
        ("{" * 50_000, {}),
    ],
)  # fmt: skip
def test_an_answer_is_read_from_elements_and_objects(text: str, stated: dict[str, str]) -> None:
    assert read_stated(text, (LABEL, FEE)) == stated


def test_a_single_answer_may_stand_in_the_element_that_sop_bench_asks_for() -> None:
    assert read_stated("<final_decision>refuse</final_decision>", (LABEL,)) == {
        "decision": "refuse"
    }


def test_an_element_is_found_however_its_name_is_spelled() -> None:
    spaced = Outcome("final status", "final status", AnswerKind.BOOLEAN)
    for text in ("<final status>true</final status>", "<final_status>true</final_status>"):
        assert read_stated(text, (spaced, LABEL)) == {"final status": "true"}


def test_what_is_written_is_read_again() -> None:
    stated = {"decision": "pay_back", "fee": "4.10"}
    assert read_stated(write_stated((LABEL, FEE, DAY), stated), (LABEL, FEE, DAY)) == stated
