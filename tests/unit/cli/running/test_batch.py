"""``sopforge generate`` takes several briefs, and says of each how its run ended."""

from __future__ import annotations

import io
import json
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from queue import Queue

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from sopforge.cli.app import app
from sopforge.cli.running import asked_briefs, batch
from sopforge.cli.running.batch import Job, run_job
from sopforge.cli.screens.board import Board
from sopforge.errors import MaterialError
from sopforge.pipeline.runs.run import run
from sopforge.store.last_run import RunSettings, keep_last_run, load_last_run
from sopforge.store.opening import open_store
from tests.worlds.quick_builds import refund

BRIEFS = Path(__file__).parents[3] / "briefs"
FEES, REFUND = BRIEFS / "fees.yaml", BRIEFS / "refund.yaml"


def generated(store: Path, *arguments: str) -> Result:
    """Return how ``generate`` ended; its two outputs are apart."""
    return CliRunner().invoke(app, ["generate", *arguments, "--store", str(store)])


def with_a_gap(folder: Path) -> Path:
    """Return a brief whose schema has an error."""
    text = FEES.read_text(encoding="utf-8")
    rule = "        - {id: L3, otherwise: charged}\n"
    assert rule in text
    brief = folder / "gap.yaml"
    brief.write_text(text.replace(rule, "").replace("domain: fees", "domain: gap"))
    return brief


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_each_brief_has_a_run_and_the_worst_ending_counts(tmp_path: Path, jobs: str) -> None:
    gap, store = with_a_gap(tmp_path), tmp_path / "store"

    done = generated(store, str(gap), str(REFUND), "--jobs", jobs)

    assert done.exit_code == 1
    versions = {
        name: open_store(store).get_domain(name).list_versions("schema")[0]
        for name in ("gap", "refund")
    }
    digests = {name: version.manifest.content[:12] for name, version in versions.items()}
    look = f"sopforge show gap schema --store {store}"
    assert sorted(done.stdout.splitlines()) == [
        f"gap: schema version 1 {digests['gap']} waits at its gate and has errors; see: {look}",
        f"refund: schema version 1 {digests['refund']} waits at its gate",
    ]


def test_programs_get_a_list_in_the_order_of_the_briefs(tmp_path: Path) -> None:
    one = json.loads(generated(tmp_path / "one", str(FEES), "--json").stdout)

    done = generated(tmp_path / "two", str(REFUND), str(FEES), "--jobs", "2", "--json")

    refunds, fees = json.loads(done.stdout)
    assert done.exit_code == 3
    assert (refunds["domain"], fees["domain"]) == ("refund", "fees")
    assert {**fees, "next": {}} == {**one, "next": {}}
    assert fees["next"]["go_on"] == f"sopforge generate {FEES} --store {tmp_path / 'two'}"


def test_a_run_that_is_refused_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asked_briefs.load_asked_brief

    def gone(path: Path, variant: str) -> object:
        if path == REFUND:
            path = tmp_path / "gone.yaml"
        return asked(path, variant)

    monkeypatch.setattr(batch, "load_asked_brief", gone)

    done = generated(tmp_path / "store", str(REFUND), str(FEES), "--json")

    refunds, fees = json.loads(done.stdout)
    assert (done.exit_code, refunds["exit_code"], fees["exit_code"]) == (2, 2, 3)
    assert refunds.keys() == fees.keys()
    assert [fault["code"] for fault in refunds["faults"]] == ["brief-not-found"]
    assert "brief-not-found" in done.stderr


def test_nothing_is_built_where_a_brief_cannot_be_read_or_two_are_of_one_domain(
    tmp_path: Path,
) -> None:
    other, bad = tmp_path / "other.yaml", tmp_path / "bad.yaml"
    other.write_bytes(FEES.read_bytes())
    bad.write_text("domain: [", encoding="utf-8")

    done = generated(tmp_path / "store", str(FEES), str(bad), str(other))

    assert isinstance(done.exception, MaterialError)
    codes = [fault.code for fault in done.exception.faults]
    assert (len(codes), codes[-1]) == (2, "domain-twice")
    assert str(FEES) in done.exception.faults[-1].message
    assert not (tmp_path / "store").exists()


def test_a_run_whose_process_was_killed_says_how_to_go_on() -> None:
    future: Future[batch.Outcome] = Future()
    future.set_exception(BrokenProcessPool("gone"))

    found = batch.get_outcome(future, "there", Job("fees", "sopforge generate fees.yaml"))

    assert [fault.code for fault in found.faults] == ["run-killed"]
    assert found.faults[0].hint.endswith("sopforge generate fees.yaml --store there")
    assert found.code == 2


def test_without_a_brief_a_domain_goes_on_as_its_last_run_was_asked_for(tmp_path: Path) -> None:
    opened = open_store(tmp_path)
    run(opened, refund(), RunSettings(publish=True))
    job = Job("refund", "sopforge continue refund")
    assert run_job(opened.place, job).record["ending"] == "AwaitingApproval"
    noted = load_last_run(opened.get_domain("refund"))
    asked = replace(noted.settings, approve_clean=True)
    keep_last_run(opened.get_domain("refund"), replace(noted, settings=asked))

    done = run_job(opened.place, job)

    assert done.message == f"published 1.0.0 in {tmp_path}/refund/releases/1.0.0"
    assert (done.code, done.record["ending"], done.faults) == (0, "Published", ())


def test_a_domain_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    [fault] = run_job(str(tmp_path), Job("refund", "sopforge continue refund")).faults
    assert fault.code == "unknown-domain"


def drawn(board: Board) -> list[str]:
    """Return the lines of a view."""
    screen = Console(file=io.StringIO(), width=80)
    with screen.capture() as caught:
        screen.print(board.render_view())
    return [" ".join(line.split()) for line in caught.get().splitlines() if line.strip()]


def test_a_view_shows_how_far_each_run_is_that_is_at_work() -> None:
    queue: Queue[tuple[str, str]] = Queue()
    board = Board(4)
    board.listen(queue)
    for domain in ("fees", "refund", "fees"):
        queue.put((domain, f"{domain} {queue.qsize()}"))
    assert drawn(board) == ["domain progress", "fees fees 2", "refund refund 1", "2 not started"]

    board.mark_ended("fees")
    queue.put(("fees", "late"))
    assert drawn(board) == ["domain progress", "refund refund 1", "2 not started"]


@pytest.mark.own_builds
def test_a_run_reports_how_far_it_is(tmp_path: Path) -> None:
    reports: list[tuple[str, str]] = []
    job = Job("fees", "", FEES, settings=RunSettings())

    run_job(str(tmp_path), job, lambda domain, line: reports.append((domain, line)))

    assert {domain for domain, _ in reports} == {"fees"}
    lines = [line for _, line in reports]
    assert lines[:2] == ["starts", "schema"]
    assert "schema: checks 0 of " in lines[2]
    assert lines[-1].startswith("1/7 schema      version 1  ")
