"""Domains with tables mean one thing to all that read them, and to a reference that knows none.

``SOPFORGE_AGREE_TABLES`` says on how many domains; ``make agree`` takes hundreds.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.generators.tables import make_document, write_document
from tests.judges.table_agreement import Tally, check_number, check_rows

MODELS = int(os.environ.get("SOPFORGE_AGREE_TABLES", "12"))
FRAMES, SOLVED = 30, 2
CODES = {"unknown_record", "not_now", "out_of_range", "same_record"}


def test_all_readings_agree_on_every_domain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tally = Tally()
    for number in range(MODELS):
        check_number(number, FRAMES, SOLVED, tmp_path, tally)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{tally.models} domains with tables, {tally.frames} frames, {tally.calls} calls; "
            f"ends and refusals: {dict(tally.ends)}\n"
        )

    assert set(tally.ends) >= CODES, "no frame comes to some refusal"


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(number=st.integers(10_000, 10_000_000))
def test_all_readings_agree_on_other_domains(number: int, tmp_path: Path) -> None:
    check_number(number, FRAMES, 0, tmp_path, Tally())


@pytest.mark.parametrize("number", range(MODELS))
def test_rows_that_are_drawn_and_made_can_stand_together(number: int) -> None:
    check_rows(number, count=60, witnesses=2)


def test_domains_differ() -> None:
    assert len({write_document(make_document(number)) for number in range(200)}) == 200
