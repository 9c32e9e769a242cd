"""Work says where it is to those who listen, and does the same where nobody does."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Thread

import pytest

from sopforge.progress.tracking import (
    Step,
    enter_step,
    has_listeners,
    ignore_listeners,
    listen,
    repeat_report,
    track,
)


class Heard(list[str]):
    """Notes each report in short: ``dataset > goals 1/3``."""

    def hear(self, steps: Sequence[Step]) -> None:
        parts = (
            f"{step.what} {step.done}/{step.total}{step.name and f' {step.name}'}"
            if step.total
            else step.what
            for step in steps
        )
        self.append(" > ".join(parts))


def test_steps_lie_within_each_other_and_end_with_their_work() -> None:
    heard = Heard()
    with listen(heard.hear), enter_step("dataset"):
        for check in track(["labels", "texts"], "checks", name=lambda name: name):
            if check == "labels":
                assert list(track(iter("ab"), "rows", 2)) == ["a", "b"]
    assert heard == [
        "dataset",
        "dataset > checks 0/2",
        "dataset > checks 0/2 labels",
        "dataset > checks 0/2 labels > rows 0/2",
        "dataset > checks 0/2 labels > rows 0/2",
        "dataset > checks 0/2 labels > rows 1/2",
        "dataset > checks 0/2 labels",
        "dataset > checks 1/2 texts",
        "dataset",
        "",
    ]


def test_what_nobody_goes_through_to_the_end_is_left_with_what_it_lies_in() -> None:
    heard = Heard()
    with listen(heard.hear):
        with enter_step("tools"):
            left = track("abc", "trials")
            assert next(left) == "a"
        with enter_step("complexity"):
            assert heard[-1] == "complexity"
        left.close()  # type: ignore[attr-defined]
        assert heard[-1] == ""


def test_an_error_ends_the_steps_that_it_leaves() -> None:
    heard = Heard()
    with listen(heard.hear), enter_step("sop"):
        with pytest.raises(ValueError, match="'b'"):
            list(map(int, track("1b2", "letters")))
        with enter_step("words"):
            assert heard[-1] == "sop > words"


def test_several_listeners_hear_the_same_and_each_as_long_as_it_listens() -> None:
    outer, inner = Heard(), Heard()
    with listen(outer.hear), enter_step("dataset"):
        with listen(inner.hear), enter_step("filling"):
            pass
        with enter_step("checks"):
            pass
    assert inner == ["dataset > filling", "dataset"]
    assert outer[1:3] == inner
    assert outer[3] == "dataset > checks"


def test_without_a_listener_the_items_are_handed_on_as_they_are() -> None:
    assert not has_listeners()
    with enter_step("dataset"):
        items = iter("ab")
        assert track(items, "goals") is items
        repeat_report()


def test_nobody_hears_of_a_copy_or_of_another_thread() -> None:
    heard, found = Heard(), list[bool]()
    with listen(heard.hear):
        thread = Thread(target=lambda: found.append(has_listeners()))
        thread.start()
        thread.join()
        with listen():
            ignore_listeners()
            assert list(track("ab", "goals")) == ["a", "b"]
        assert has_listeners()
    assert (heard, found) == ([], [False])


def test_what_others_do_is_heard_within_what_waits_for_them() -> None:
    heard = Heard()
    with listen(heard.hear), enter_step("complexity"):
        repeat_report([Step("L2"), Step("checks", 9, 4)])
        repeat_report()
    assert heard == ["complexity", "complexity > L2 > checks 4/9", "complexity", ""]
