"""What an SOP says of requesters, and read back from it."""

from __future__ import annotations

import pytest

from sopforge.harness.layers.text.sections import UnreadableTextError, add_section
from sopforge.harness.layers.user.stating import (
    TITLE,
    read_requester,
    write_requester,
)

SOP = "1. Purpose\nTo decide.\n"


@pytest.mark.parametrize("has_queue", [False, True])
def test_the_tool_is_read_where_all_rules_stand(*, has_queue: bool) -> None:
    lines = list(write_requester("callBack", has_queue=has_queue))

    assert read_requester(add_section(SOP, TITLE, lines)) == "callBack"
    assert any("callBack reaches the requester" in line for line in lines) == has_queue


@pytest.mark.parametrize("place", [1, 2, 3, 4, 5])
def test_a_rule_that_is_missing_is_noticed(place: int) -> None:
    lines = list(write_requester("callBack", has_queue=False))
    sop = add_section(SOP, TITLE, [*lines[:place], *lines[place + 1 :]])

    with pytest.raises(UnreadableTextError):
        read_requester(sop)


def test_an_sop_without_the_section_states_nothing() -> None:
    with pytest.raises(UnreadableTextError):
        read_requester(SOP)
