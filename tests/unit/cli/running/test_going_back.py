"""A run whose ground a person takes away while it works says so, and each stage but once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sopforge.cli.app import app
from sopforge.pipeline.stages.building import version as building
from sopforge.pipeline.stages.building.orders import Order
from sopforge.store.opening import open_store
from sopforge.store.versions import DomainStore, Version
from tests.running.commands import run

REFUND = Path(__file__).parents[3] / "briefs" / "refund.yaml"


@pytest.fixture
def withdrawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let somebody withdraw the approval of the SOP while the dataset is built."""
    build = building.build_and_store_version

    def build_meanwhile(domain: DomainStore, order: Order) -> Version:
        made = build(domain, order)
        if order.stage.name == "dataset":
            words = ["withdraw", "refund", "sop", "--by", "grace", "--store", domain.place]
            assert run(*words).code == 0
        return made

    monkeypatch.setattr(building, "build_and_store_version", build_meanwhile)


def generate(place: Path, *more: str) -> Result:
    words = ["generate", str(REFUND), "--approve-clean", "--store", str(place), *more]
    return CliRunner().invoke(app, words)


@pytest.mark.usefixtures("withdrawing")
def test_why_a_run_goes_back_is_one_line_and_no_stage_is_said_twice(tmp_path: Path) -> None:
    done = generate(tmp_path)
    assert done.exit_code == 3, done.output
    lines = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")]
    stages = [(line.split()[1], line.rpartition(", ")[2]) for line in lines if "/7 " in line]
    assert stages == [
        ("schema", "approved by policy"),
        ("sop", "approved by policy"),
        ("sop", "waiting"),
    ]
    assert "sop version 1 is not approved any more; the run goes back to it" in lines


@pytest.mark.usefixtures("withdrawing")
def test_for_programs_each_stage_stands_there_once_as_it_came_out(tmp_path: Path) -> None:
    found = json.loads(generate(tmp_path, "--json").stdout)
    stages = [(item["stage"], item["gate"], item["is_built"]) for item in found["stages"]]
    assert stages == [("schema", "approved", True), ("sop", "waiting", True)]
    assert [
        item.number for item in open_store(tmp_path).get_domain("refund").list_versions("dataset")
    ] == [1]
