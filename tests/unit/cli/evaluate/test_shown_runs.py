"""What commands show of runs stays readable in a narrow terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from sopforge.cli.evaluate.shown_runs import ShownRun, lay_out_runs
from sopforge.cli.output import print_parts
from tests.worlds.attempt_rows import make_signed_rows

PACKAGES = ("insurance_of_parcels_in_transit_l0", "insurance_of_parcels_in_transit_l1")


def test_a_narrow_table_keeps_the_ends_of_names(capsys: pytest.CaptureFixture[str]) -> None:
    agent = "command:python an_agent_of_ours.py"
    done = [ShownRun(make_signed_rows("+-", package=name, agent=agent), 2, ()) for name in PACKAGES]

    print_parts(Console(width=80), lay_out_runs(done, Path("runs/first of all"), 0, 0))

    shown = capsys.readouterr().out
    table = shown.partition("In brackets")[0].splitlines()
    assert "…" not in shown
    assert max(map(len, table)) <= 80
    # The first column is as wide as its longest piece.
    starts = "".join(line.split(" ")[0] for line in table)
    assert all(name in starts for name in PACKAGES)
    assert shown.endswith("Next: sopforge report 'runs/first of all'\n")
