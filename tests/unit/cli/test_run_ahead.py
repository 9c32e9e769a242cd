"""``--run-ahead`` on the command line: what is shown of the stages after a gate."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.findings import make_error_finding
from sopforge.pipeline.stages.building.orders import Order
from sopforge.store.entries import DecisionVerdict
from sopforge.store.opening import open_store
from sopforge.store.versions import DomainStore, Version
from tests.worlds.quick_builds import QuickBuild, settle

REFUND = Path(__file__).parents[2] / "briefs" / "refund.yaml"
WAITING = 3


def said(place: Path, build: QuickBuild, *arguments: str) -> tuple[int, str]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("sopforge.pipeline.stages.building.version.build_and_store_version", build)
        result = CliRunner().invoke(app, [*arguments, "--store", str(place)])
    return result.exit_code, result.output


def test_each_stage_built_ahead_is_shown_as_provisional(tmp_path: Path) -> None:
    code, output = said(tmp_path, QuickBuild(), "generate", str(REFUND), "--run-ahead")

    lines = output.splitlines()
    assert code == WAITING
    assert lines[1].endswith("no findings, waiting")
    assert [line.split()[1] for line in lines[2:8]] == [
        *("sop", "dataset", "api", "toolspec", "tools", "complexity")
    ]
    assert all(
        line.endswith("no findings, provisional: schema is not approved") for line in lines[2:8]
    )
    assert "schema waits at its gate." in lines
    assert (
        "Later stages built provisionally: sop, dataset, api, toolspec, tools, complexity." in lines
    )


def test_a_plain_run_shows_its_gate_alone(tmp_path: Path) -> None:
    said(tmp_path, QuickBuild(), "generate", str(REFUND), "--run-ahead")
    code, output = said(tmp_path, QuickBuild(), "generate", str(REFUND))
    assert code == WAITING
    assert "provisional" not in output


def test_regenerate_runs_ahead_too(tmp_path: Path) -> None:
    said(tmp_path, QuickBuild(), "generate", str(REFUND))
    code, output = said(tmp_path, QuickBuild(), "regenerate", "refund", "--run-ahead")
    assert code == WAITING
    assert output.count("provisional: schema is not approved") == 6


def test_errors_ahead_are_reported_with_where_to_look(tmp_path: Path) -> None:
    build = QuickBuild({"dataset": (make_error_finding("odd", "this is wrong"),)})
    code, output = said(tmp_path, build, "generate", str(REFUND), "--run-ahead")
    assert code == WAITING
    assert "Later stages built provisionally: sop, dataset.\n" in output
    look = f"sopforge show refund dataset --store {tmp_path}"
    assert f"dataset has errors, so no later stage was built: {look}\n" in output


class OvertakenBuild(QuickBuild):
    """Somebody decides on the schema while the SOP is built ahead of it."""

    def __call__(self, domain: DomainStore, order: Order) -> Version:
        if order.stage.name == "sop":
            settle(domain.store, "schema", DecisionVerdict.APPROVE)
        return super().__call__(domain, order)


def test_a_decision_meanwhile_is_reported(tmp_path: Path) -> None:
    code, output = said(tmp_path, OvertakenBuild(), "generate", str(REFUND), "--run-ahead")
    assert code == WAITING
    assert "waits at its gate" not in output
    assert (
        f"schema has been decided in the meantime. Continue with: sopforge generate {REFUND}"
        in output
    )


def test_an_artifact_that_is_provisional_is_shown_as_that(tmp_path: Path) -> None:
    said(tmp_path, QuickBuild(), "generate", str(REFUND), "--run-ahead")
    shown = CliRunner().invoke(app, ["show", "refund", "sop", "--store", str(tmp_path)]).output
    assert "provisional: schema is not approved\n" in shown
    settle(open_store(tmp_path), "schema")
    said(tmp_path, QuickBuild(), "generate", str(REFUND))
    shown = CliRunner().invoke(app, ["show", "refund", "sop", "--store", str(tmp_path)]).output
    assert "provisional" not in shown
