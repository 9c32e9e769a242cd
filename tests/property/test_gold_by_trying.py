"""Gold says of calls, deciding nodes and pairs what trying everything on small domains shows.

``SOPFORGE_AGREE_TABLES`` says on how many domains; ``make agree`` takes hundreds.
"""

from __future__ import annotations

import os
import sys

import pytest

from tests.generators.tables import make_document, with_ruled_action
from tests.judges.gold_agreement import GoldTally, check_gold
from tests.judges.pair_agreement import PairTally, check_pairs

MODELS = int(os.environ.get("SOPFORGE_AGREE_TABLES", "12"))
FRAMES, ROWS = 6, 24


def test_calls_and_deciders_are_what_trying_shows(capsys: pytest.CaptureFixture[str]) -> None:
    tally = GoldTally()
    for number in range(MODELS):
        document = with_ruled_action(make_document(number))
        check_gold(document, number, FRAMES, tally, is_thorough=number < MODELS // 3)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{tally.frames} frames; orders that may be or not: {dict(tally.orders)}; "
            f"calls: {dict(tally.calls)}; decided by: {dict(tally.deciders)}\n"
        )

    assert min(tally.orders[True], tally.orders[False]) > tally.frames
    assert min(tally.calls["left out"], tally.calls["needed"]) > tally.frames
    assert {"guard", "edge", "rule", "unknown_record"} <= set(tally.deciders)


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(3, id="one look-up is made twice"),
        pytest.param(7, id="a second action is refused for what the first has changed"),
        pytest.param(34, id="an edge asks for what an action has changed"),
        pytest.param(56, id="two steps try the same action, and one has no edge for its refusal"),
    ],
)
def test_what_was_once_wrong(number: int) -> None:
    check_gold(make_document(number), number, 12, GoldTally(), is_thorough=False)


def test_pairs_are_one_datum_apart_and_none_is_overlooked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tally = PairTally()
    for number in range(MODELS):
        check_pairs(with_ruled_action(make_document(number)), number, ROWS, tally)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{tally.pairs} pairs; leaves without: {dict(tally.alone)}; "
            f"neighbours that pairs do not ask for: {dict(tally.beside)}\n"
        )

    assert tally.pairs >= MODELS // 3
    assert tally.alone["proved"]


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(8, id="a reference is never the same as one that leads nowhere"),
        pytest.param(206, id="a record that a case lacks refers to none in turn"),
    ],
)
def test_pairs_that_were_once_wrong(number: int) -> None:
    check_pairs(with_ruled_action(make_document(number)), number, 30, PairTally())
