"""What an agent gets of an answer: published results in their types, and refusals."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sopforge.checks.tools.agent_answers import build_agent_answer
from sopforge.errors import ToolProcessError
from sopforge.language.logic.tool_calls import Refused
from sopforge.sandbox.answers import JSON, Observation, Refusal
from tests.worlds.small_models import orders

MODEL = orders()
TOOL = next(tool for tool in MODEL.tools.values() if tool.guard)  # returns reserved, reservations


def test_a_published_result_is_handed_on() -> None:
    result: JSON = {"reserved": "yes", "reservations": 2}
    assert build_agent_answer(MODEL, TOOL, Observation(result)) == result


def test_a_refusal_is_handed_on() -> None:
    said = "the goods are reserved already"
    found = build_agent_answer(MODEL, TOOL, Refusal("already_reserved", said))
    assert found == Refused("already_reserved", said)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("already_reserved", 'it returns "already_reserved", which is not an object'),
        ([], "it returns [], which is not an object"),
        ({"reserved": "yes"}, "it returns no reservations"),
        (
            {"reserved": "yes", "reservations": 2, "note": ""},
            'it returns "note", which is not published',
        ),
        (
            {"reserved": "yes", "reservations": Decimal("2.0")},
            "it returns reservations as 2.0, which should be written 2",
        ),
        (
            {"reserved": "yes", "reservations": "2"},
            'it returns reservations as "2", which should be written 2',
        ),
        (
            {"reserved": "yes", "reservations": True},
            "it returns reservations as true, which is not a value of this field",
        ),
        (
            {"reserved": True, "reservations": 2},
            'it returns reserved as true, which should be written "yes"',
        ),
        (
            {"reserved": {}, "reservations": 2},
            "it returns reserved as {}, which is not a value of this field",
        ),
    ],
)
def test_anything_else_is_a_fault_that_shows_it(value: JSON, message: str) -> None:
    with pytest.raises(ToolProcessError) as caught:
        build_agent_answer(MODEL, TOOL, Observation(value))
    (fault,) = caught.value.faults
    assert (fault.code, fault.message) == ("result-not-published", message)
