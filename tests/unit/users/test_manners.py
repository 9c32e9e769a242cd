"""Which user is asked for by names."""

from __future__ import annotations

import pytest

from sopforge.errors import MaterialError
from sopforge.harness.users.manners import Asked, Manner, Mode, read_asked


def test_manners_are_read_by_name_each_once_and_in_one_order() -> None:
    asked = read_asked("turn-by-turn", ["demands", "changes", "plain", "changes"], 3)

    assert asked == Asked(Mode.TURN_BY_TURN, (Manner.CHANGES, Manner.DEMANDS), seed=3)
    assert asked.list_candidates("task-1") == [(Manner.CHANGES, Manner.DEMANDS)]


def test_all_draws_by_task_and_seed_alone_and_comes_to_every_manner() -> None:
    asked = read_asked("one-message", ["all"], 5)
    drawn = {f"task-{n}": asked.list_candidates(f"task-{n}") for n in range(60)}

    assert drawn == {task: asked.list_candidates(task) for task in reversed(drawn)}
    assert {manners[0] for manners in drawn.values()} == {(item,) for item in Manner}
    assert all(set(manners) == {(item,) for item in Manner} for manners in drawn.values())
    other = read_asked("one-message", ["all"], 6)
    assert any(other.list_candidates(task) != manners for task, manners in drawn.items())


@pytest.mark.parametrize(
    ("mode", "names", "where", "hint"),
    [
        ("chatty", ["plain"], "--user", "choose from one-message, turn-by-turn"),
        ("turn-by-trun", ["plain"], "--user", "turn-by-turn"),
        ("one-message", ["rude"], "--manner", "choose from plain, changes"),
        ("one-message", ["claim"], "--manner", "claims"),
        ("one-message", ["all", "plain"], "--manner", "alone"),
    ],
)
def test_a_name_of_nobody_is_refused(mode: str, names: list[str], where: str, hint: str) -> None:
    with pytest.raises(MaterialError) as raised:
        read_asked(mode, names, 0)

    (fault,) = raised.value.faults
    assert (fault.code, fault.where) == ("user-manner-unknown", where)
    assert hint in fault.hint
