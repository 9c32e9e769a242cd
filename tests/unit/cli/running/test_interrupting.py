"""Ctrl-C ends a run with what was kept and how to go on, which every command then names alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.pipeline.runs.run import lock_run
from sopforge.pipeline.stages.building import version as building
from sopforge.pipeline.stages.building.orders import Order
from sopforge.progress.tracking import Step, listen
from sopforge.store.opening import open_store
from sopforge.store.versions import DomainStore, Version

REFUND = Path(__file__).parents[3] / "briefs" / "refund.yaml"


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "store")


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the stages at which somebody presses Ctrl-C."""
    build, stages = building.build_and_store_version, list[str]()

    def pressed(domain: DomainStore, order: Order) -> Version:
        if order.stage.name in stages:
            raise KeyboardInterrupt
        return build(domain, order)

    monkeypatch.setattr(building, "build_and_store_version", pressed)
    return stages


def said(place: str, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*words, "--store", place])
    return result.exit_code, result.output


def ended(place: str) -> str:
    noted = (Path(place) / "refund" / "last_run.json").read_text(encoding="utf-8")
    return str(json.loads(noted)["ended"])


@pytest.mark.own_builds
@pytest.mark.parametrize(
    ("what", "kept"),
    [
        ("tasks found or proved impossible", ["schema", "sop"]),
        ("levels made", ["schema", "sop", "dataset", "api", "toolspec", "tools"]),
    ],
)
def test_what_is_done_is_kept_when_a_stage_is_interrupted_in_its_midst(
    place: str, what: str, kept: list[str]
) -> None:
    def press(steps: Sequence[Step]) -> None:
        if any(step.what == what and step.done == 1 for step in steps):
            raise KeyboardInterrupt

    with listen(press):
        code, output = said(place, "generate", str(REFUND), "--approve-clean")
    stages = ", ".join(f"{stage} version 1" for stage in kept)
    go_on = f"sopforge continue refund --store {place}"
    assert code == 130, output
    assert output.splitlines()[-1] == f"refund: interrupted. Kept: {stages}. Continue with: {go_on}"
    assert "run: the last run was interrupted" in said(place, "status", "refund")[1]
    assert sorted(path.name for path in (Path(place) / "refund" / "stages").iterdir()) == sorted(
        kept
    )


@pytest.mark.parametrize(
    ("stage", "kept"), [("schema", "the brief"), ("dataset", "schema version 1, sop version 1")]
)
def test_an_interrupted_run_says_what_is_kept_and_how_to_go_on(
    place: str, interrupted: list[str], stage: str, kept: str
) -> None:
    interrupted.append(stage)
    code, output = said(place, "generate", str(REFUND), "--approve-clean")
    go_on = f"sopforge continue refund --store {place}"
    assert code == 130, output
    assert output.splitlines()[-1] == f"refund: interrupted. Kept: {kept}. Continue with: {go_on}"
    assert ended(place) == ""

    assert json.loads(said(place, "status", "refund", "--json")[1])["next"] == {"go_on": go_on}
    assert said(place, "continue")[1].splitlines() == [
        "refund: can continue after its brief",
        f"Continue with: sopforge continue --all --store {place}",
    ]
    interrupted.clear()
    assert said(place, "continue", "--all")[0] == 0
    assert ended(place) == "Approved"


def test_a_published_domain_whose_next_run_was_interrupted_is_to_go_on(
    place: str, interrupted: list[str]
) -> None:
    said(place, "generate", str(REFUND), "--approve-clean")
    said(place, "publish", "refund")
    interrupted.append("schema")
    patch = Path(place).parent / "patch.yaml"
    patch.write_text("policy: {refund_days: {value: 20}}\n", encoding="utf-8")
    code, output = said(place, "regenerate", "refund", "--model-patch", str(patch))
    assert code == 130, output
    steps = json.loads(said(place, "status", "refund", "--json")[1])["next"]
    assert steps == {"go_on": f"sopforge continue refund --store {place}"}


def test_a_run_that_waited_for_another_has_nothing_of_its_own_to_go_on_with(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(*_arguments: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sopforge.cli.running.advancing._say_that_it_waits", press)
    with lock_run(open_store(place).get_domain("refund"), lambda: None):
        code, output = said(place, "generate", str(REFUND))
    assert code == 130, output
    message = "refund: interrupted before it began. To continue, run the same command again"
    assert output.strip() == message


def test_interrupted_runs_of_several_domains_say_how_many_had_ended(
    place: str, interrupted: list[str]
) -> None:
    returns = Path(place).parent / "returns.yaml"
    text = REFUND.read_text(encoding="utf-8").replace("domain: refund", "domain: returns", 1)
    returns.write_text(text, encoding="utf-8")
    interrupted.append("sop")
    code, output = said(place, "generate", str(returns), str(REFUND))
    assert code == 3, output
    for domain in ("refund", "returns"):
        said(place, "approve", domain, "schema")
    code, output = said(place, "continue", "--all")
    assert code == 130, output
    message = "interrupted: 0 of 2 runs had ended. What the others built is kept."
    assert output.splitlines()[-1] == f"{message} To continue, run the same command again"
