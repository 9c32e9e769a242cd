"""What refuses a brief with several faults, and a document that is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.domain.minimal_brief import BRIEF, refusal, replaced

ERRORS = Path(__file__).parent / "errors"


BROKEN = {
    "unknown_names": replaced(
        ("price > 1", "prize > 1"),
        ("when: age", "when: agge"),
        ("refund == 'full'", "refund == 'ful'"),
        ("present(returned_on)", "exists(returned_on)"),
    ),
    "procedure": replaced(
        ("start: look", "start: lok"),
        ("call: findReturn", "call: findRefund"),
        ("          - {to: wait}\n", ""),
        ("decide: [refund]", "decide: [refnd]"),
        ("{to: close}", "{to: closed}"),
        ("end: {status: closed}", "end: {status: lost, kind: Book}"),
        ("        end: {status: waits}\n", ""),
    ),
    "duplicate_keys": replaced(
        ("    fee: {", "    return_days: {"), ("      close:", "      look:")
    ),
    "broken_yaml": replaced(("extras: {", "extras: {{")),
    "anchor": replaced(("values: [Gift, Card]", "values: &list [Gift, Card]")),
    "no_brief": "- refunds\n",
    "empty": "# to be written\n",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_brief_gets_its_message(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(ERRORS / f"{name}.txt", f"{refusal(BROKEN[name])}\n")


def test_each_stored_message_belongs_to_a_brief() -> None:
    assert sorted(path.stem for path in ERRORS.iterdir()) == sorted(BROKEN)


def test_the_brief_is_whole_before_it_is_broken() -> None:
    assert all(text != BRIEF for text in BROKEN.values())
