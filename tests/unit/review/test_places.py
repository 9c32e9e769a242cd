"""Findings and faults lead to the line that they are about."""

from __future__ import annotations

import pytest

from review.reading.places import Place, place_of
from sopforge.errors import Fault
from sopforge.findings import error

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
    ("told", "text", "line"),
    [
        (Fault("unknown-field", "no field", "domain.yaml:5, model.x"), MODEL, 5),
        (Fault("edit-unreadable", "invalid syntax (<unknown>, line 3)", "tools.py"), MODEL, 3),
        (Fault("unknown-field", "no field", "domain.yaml:50"), MODEL, None),
        (error("unreachable-rule", "never", where="decisions.verdict, rule V1"), MODEL, 7),
        (error("field-not-used", "unused", where="fields.age"), MODEL, 2),
        (error("no-cycle", "for age", where="decisions.age"), MODEL, 9),
        (error("openapi-invalid", "'V2' is not valid", where="api/openapi.yaml"), MODEL, 8),
        (
            error(
                "sop-reads-otherwise",
                "it tells it otherwise",
                where="sop/sop.txt",
                evidence="the text: The claim is refused if it is late and has no receipt.; more",
            ),
            SOP,
            3,
        ),
        (
            error("sop-not-stated", "the text does not state 60 days", where="sop/sop.txt"),
            SOP,
            None,
        ),
    ],
)
def test_a_finding_leads_to_its_line(told: Fault, text: str, line: int | None) -> None:
    found = place_of(told, text)

    assert found == (line and Place(line, text.splitlines()[line - 1].strip()))


def test_a_name_is_found_as_a_whole_word() -> None:
    told = error("described-form", "payClaim, description: it is empty")

    assert place_of(told, "payClaims: 1\npayClaim: 2\n") == Place(2, "payClaim: 2")
