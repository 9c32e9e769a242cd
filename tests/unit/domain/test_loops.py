"""The steps of a loop, by hand: what lies between an edge back and where it leads."""

from __future__ import annotations

import pytest

from sopforge.language.domain.model import Edge, Step
from sopforge.language.domain.procedure.loops import (
    is_entered_again,
    list_loop_steps,
    may_enter_within,
)

# ask -> look -> judge -> done; look -> look; judge -> ask, and judge -> look
LEADS = {"ask": ["look"], "look": ["look", "judge"], "judge": ["ask", "look", "done"], "done": []}


def make_steps(leads: dict[str, list[str]]) -> dict[str, Step]:
    return {
        name: Step(
            name,
            name,
            "",
            None,
            (),
            tuple(Edge(name, str(n), to, None) for n, to in enumerate(targets, 1)),
            None,
        )
        for name, targets in leads.items()
    }


@pytest.mark.parametrize(
    ("step", "number", "loop", "again"),
    [
        ("look", 1, ("look",), True),
        ("judge", 1, ("ask", "look", "judge"), False),
        ("judge", 2, ("look", "judge"), True),
    ],
)
def test_a_loop_has_the_steps_between(
    step: str, number: int, loop: tuple[str, ...], *, again: bool
) -> None:
    steps = make_steps(LEADS)
    edge = steps[step].edges[number - 1]
    assert list_loop_steps(steps, edge) == loop
    assert is_entered_again(steps, edge) is again
    assert not may_enter_within(steps, "ask", edge)


def test_a_loop_may_be_entered_in_its_midst() -> None:
    steps = make_steps({**LEADS, "ask": ["look", "judge"]})
    back_to_look, back_to_ask = steps["judge"].edges[1], steps["judge"].edges[0]
    assert may_enter_within(steps, "ask", back_to_look)
    assert not may_enter_within(steps, "ask", back_to_ask)
