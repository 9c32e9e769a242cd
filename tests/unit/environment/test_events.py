"""Events as JSON."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from sopforge.harness.environment.events import (
    Called,
    Event,
    Reply,
    Said,
    read_events,
    write_events,
)
from sopforge.sandbox.answers import as_text

ATOMS = (
    st.none() | st.booleans() | st.integers() | st.text() | st.decimals(-(10**9), 10**9, places=2)
)
VALUES = st.recursive(
    ATOMS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)
REPLIES = VALUES.map(Reply) | st.builds(Reply, st.none(), st.text(min_size=1), st.text())
EVENTS = st.builds(Said, st.text(), st.text()) | st.builds(
    Called, st.text(), st.dictionaries(st.text(), VALUES), REPLIES
)


@given(st.lists(EVENTS))
def test_events_are_read_as_they_were_written(events: list[Event]) -> None:
    assert read_events(write_events(events)) == tuple(events)


def test_numbers_keep_their_places() -> None:
    assert as_text({"fee": Decimal("12.50"), "é": [True, None, 3]}) == (
        '{"fee": 12.50, "é": [true, null, 3]}'
    )
    assert as_text({"share": 0.1}) == '{"share": 0.1}'
    assert Reply({"fee": Decimal("12.50")}).as_text() == '{"fee": 12.50}'
    assert Reply(None, "too_dear", "ask a clerk").as_text() == "too_dear: ask a clerk"
    assert Reply(None, "too_dear", "too_dear: ask us").as_text() == "too_dear: ask us"
