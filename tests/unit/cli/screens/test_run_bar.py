"""A bar shows how far the whole of a run is, and the rest once something is known of it."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console

from sopforge.cli.screens.run_bar import RunBar
from sopforge.progress.tracking import Step


def drawn(bar: RunBar) -> str:
    """Return what a terminal shows of a bar, without the spaces at its sides."""
    screen = Console(file=io.StringIO(), width=100, color_system=None, force_terminal=True)
    shown = bar.render()
    with screen.capture() as caught:
        screen.print("nothing" if shown is None else shown)
    return caught.get().strip()


@pytest.fixture
def at() -> Callable[[RunBar, float, list[Step]], str]:
    """Return what draws a bar at a time of its clock, with its work within some steps."""

    def draw(bar: RunBar, now: float, steps: list[Step]) -> str:
        bar._clock = lambda: now  # noqa: SLF001 - its clock
        bar.hear(steps)
        return drawn(bar)

    return draw


Draw = Callable[[RunBar, float, list[Step]], str]
MADE = [Step("complexity"), Step("levels made", 4, 2)]


def test_before_the_first_stage_there_is_none(at: Draw) -> None:
    assert at(RunBar(goes_on=True), 0, []) == "nothing"


def test_it_is_as_long_as_what_is_done_of_all_seven_stages(at: Draw) -> None:
    bar = RunBar(goes_on=True)
    assert at(bar, 0, [Step("schema")]).endswith("0%, stage 1 of 7")
    half = at(bar, 60, MADE)
    # 33 percent are of the stages before, and a quarter of 67 is done: 19 and a half of 40 places.
    assert half.startswith("━" * 19 + "╸ ")
    assert "50%, stage 7 of 7, about 1 min left in all" in half


def test_the_rest_is_not_said_before_a_quarter_nor_of_a_run_that_ends_at_a_gate(at: Draw) -> None:
    early, gated = RunBar(goes_on=True), RunBar(goes_on=False)
    at(early, 0, [Step("schema")])
    at(gated, 0, [Step("schema")])
    found = [Step("dataset"), Step("tasks found or proved impossible", 10, 5)]
    assert "left" not in at(early, 60, found)
    assert "left" not in at(gated, 60, MADE)


def test_it_does_not_go_back_where_a_run_begins_again(at: Draw) -> None:
    bar = RunBar(goes_on=False)
    before = at(bar, 60, MADE)
    assert at(bar, 61, [Step("sop")]).partition(",")[0] == before.partition(",")[0]


def test_between_two_stages_it_stays(at: Draw) -> None:
    bar = RunBar(goes_on=False)
    assert at(bar, 60, MADE) == at(bar, 61, [])
