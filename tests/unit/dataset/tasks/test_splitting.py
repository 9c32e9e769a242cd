from __future__ import annotations

from sopforge.proof.dataset.tasks.splitting import choose_split

IDS = [f"task-{number:08d}" for number in range(2_000)]


def test_about_the_asked_share_is_for_development() -> None:
    dev = sum(choose_split(task, 20) == "dev" for task in IDS)

    # Four standard deviations of 2,000 draws with a chance of 1 in 5 are 72.
    assert abs(dev - 400) < 72


def test_nothing_and_everything_can_be_asked_for() -> None:
    assert {choose_split(task, 0) for task in IDS} == {"test"}
    assert {choose_split(task, 100) for task in IDS} == {"dev"}


def test_a_greater_share_moves_tasks_to_development_only() -> None:
    for task in IDS[:300]:
        sides = [choose_split(task, share) for share in range(0, 101, 10)]
        assert sides == sorted(sides, reverse=True)
