"""Replies that are kept for a run which is killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.errors import MaterialError
from sopforge.evaluation.models.replies import REPLIES, Replies


def test_replies_of_attempts_that_are_not_over_are_found_again(tmp_path: Path) -> None:
    kept = Replies(tmp_path, over=())
    kept.add("a", 1, "d1", '{"text": "x"}')
    kept.add("b", 1, "d1", '{"text": "y"}')
    again = Replies(tmp_path, over={"b"})

    assert again.find("a", 1, "d1") == '{"text": "x"}'
    assert again.find("a", 1, "d2") is None
    assert again.find("a", 2, "d1") is None
    assert again.find("b", 1, "d1") is None


def test_a_line_that_a_kill_tore_is_dropped(tmp_path: Path) -> None:
    Replies(tmp_path, over=()).add("a", 1, "d", "{}")
    with (tmp_path / REPLIES).open("a") as file:
        file.write('{"key": "b", "turn": 1, "as')
    again = Replies(tmp_path, over=())
    again.add("c", 1, "d", "{}")

    assert {key for key, _, _ in Replies(tmp_path, over=()).kept} == {"a", "c"}


def test_a_line_that_is_no_reply_is_named(tmp_path: Path) -> None:
    (tmp_path / REPLIES).write_text('{"key": "a", "turn": 1, "asked": "d", "output": {}}\n[]\n')
    with pytest.raises(MaterialError) as refused:
        Replies(tmp_path, over=())

    assert refused.value.faults[0].code == "run-reply-malformed"
    assert refused.value.faults[0].where.endswith("replies.jsonl, line 2")
