"""Findings and faults lead to the line that they are about."""

from __future__ import annotations

import pytest

from review.reading.places import TextPlace, find_place
from sopforge.errors import Fault
from sopforge.findings import make_error_finding

MODEL = """\
fields:
  age: {role: input}
decisions:
  verdict:
    hit: first
    rules:
      - {id: V1, when: age > limit, then: excluded}
      - {id: V2, otherwise: in order}
  age:
    value: 1
"""
SOP = """\
# 1. Scope
- The claim is refused if it is late.
- The claim is refused if it is late and has no receipt.
"""


@pytest.mark.parametrize(
    ("fault", "text", "line"),
    [
        (Fault("unknown-field", "no field", "domain.yaml:5, model.x"), MODEL, 5),
        (Fault("edit-unreadable", "invalid syntax (<unknown>, line 3)", "tools.py"), MODEL, 3),
        (Fault("unknown-field", "no field", "domain.yaml:50"), MODEL, None),
        (
            make_error_finding("unreachable-rule", "never", where="decisions.verdict, rule V1"),
            MODEL,
            7,
        ),
        (make_error_finding("field-not-used", "unused", where="fields.age"), MODEL, 2),
        (make_error_finding("no-cycle", "for age", where="decisions.age"), MODEL, 9),
        (
            make_error_finding("openapi-invalid", "'V2' is not valid", where="api/openapi.yaml"),
            MODEL,
            8,
        ),
        (
            make_error_finding(
                "sop-reads-differently",
                "the text differs from the rule",
                where="sop/sop.txt",
                evidence="the text: The claim is refused if it is late and has no receipt.; more",
            ),
            SOP,
            3,
        ),
        (
            make_error_finding(
                "sop-not-stated", "the text does not state 60 days", where="sop/sop.txt"
            ),
            SOP,
            None,
        ),
    ],
)
def test_a_finding_leads_to_its_line(fault: Fault, text: str, line: int | None) -> None:
    found = find_place(fault, text)

    assert found == (line and TextPlace(line, text.splitlines()[line - 1].strip()))


def test_a_name_is_found_as_a_whole_word() -> None:
    fault = make_error_finding("described-differs", "payClaim, description: it is empty")

    assert find_place(fault, "payClaims: 1\npayClaim: 2\n") == TextPlace(2, "payClaim: 2")
