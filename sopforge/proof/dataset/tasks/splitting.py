"""The two sides of a dataset: one to develop agents on, one to test them on."""

from __future__ import annotations

from sopforge.seeds import draw_below

DEV = "dev"
TEST = "test"


def choose_split(task_id: str, dev_share: int) -> str:
    """Return a task's side; its id alone decides, so that further tasks move none across.

    A greater ``dev_share`` (percent) only moves tasks from the test side to the other.
    """
    return DEV if draw_below(100, 0, "split", task_id) < dev_share else TEST
