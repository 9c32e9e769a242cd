"""An option that does not fit what a command is asked for is refused before anything is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.errors import MaterialError

FEES = str(Path(__file__).parents[2] / "briefs" / "fees.yaml")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["check", FEES, "--no-rebuild"], "--no-rebuild does not apply to a brief"),
        (["check", "fees@1.0.0", "--against", FEES], "--against does not apply to a package"),
        (["plan", FEES, "--budget", "0"], "--budget does not apply without --preview"),
        (["show", "fees@1.0.0/L0", "--file", "sop.txt"], "--file does not apply to a package"),
        (["show", "fees", "sop", "--conditions"], "--conditions does not apply to a domain"),
        (["reread", "fees", "--no-keep"], "--no-keep does not apply without --rate"),
        (
            ["report", "runs", "--site", "--csv", "all.csv", "--figures-only"],
            "--csv and --figures-only do not apply with --site",
        ),
        (["report", "first", "second", "--site"], "a site is of one folder"),
        (["status", "--cost"], "no domain is named"),
    ],
    ids=lambda value: " ".join(value[:1]) if isinstance(value, list) else "",
)
def test_an_option_that_does_not_fit_is_refused(
    typed: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    refused = CliRunner().invoke(app, typed).exception

    assert isinstance(refused, MaterialError)
    assert [fault.message for fault in refused.faults] == [message]
    assert list(tmp_path.iterdir()) == []
