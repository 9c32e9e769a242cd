"""The installed command, offline: from a brief through its gates to a proved package."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from sopforge.cli import main; main()"]
PROJECT = Path(__file__).parents[2]
REFUND = PROJECT / "tests" / "briefs" / "refund.yaml"
# It takes some seconds after its tools are there, in which its run can be killed.
ORDERS = PROJECT / "tests" / "domains" / "orders.yaml"


def environment(store: Path) -> dict[str, str]:
    """Return the environment of a command that works in a store as the person 'ada'."""
    return {**os.environ, "SOPFORGE_STORE": str(store), "SOPFORGE_USER": "ada", "COLUMNS": "200"}


def run(store: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Return a finished command."""
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(store),
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )


def contents(store: Path) -> dict[str, str]:
    """Return the content digest of every stored version, by stage and number."""
    manifests = sorted(store.glob("*/stages/*/*/manifest.json"))
    return {
        f"{path.parts[-3]}/{path.parts[-2]}": json.loads(path.read_text())["content"]
        for path in manifests
    }


def test_each_gate_stops_until_a_person_approves(tmp_path: Path) -> None:
    stages = ["schema", "sop", "dataset", "api", "toolspec", "tools", "complexity"]
    for stage in stages:
        stopped = run(tmp_path, "generate", str(REFUND))
        assert stopped.returncode == 3, stopped.stdout + stopped.stderr
        assert f"{stage} waits at its gate" in stopped.stdout
        approved = run(tmp_path, "approve", "refund", stage)
        assert approved.returncode == 0, approved.stderr
    finished = run(tmp_path, "generate", str(REFUND))
    assert finished.returncode == 0
    assert "All stages are approved" in finished.stdout


def test_what_waits_can_be_read_as_a_page(tmp_path: Path) -> None:
    run(tmp_path, "generate", str(REFUND))
    page = tmp_path / "page.html"
    shown = run(tmp_path, "show", "refund", "schema", "--html", str(page))
    assert shown.returncode == 0
    assert "<h1>Order Refunds: schema</h1>" in page.read_text()


def test_a_decision_on_another_digest_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    run(tmp_path, "generate", str(REFUND))
    refused = run(tmp_path, "approve", "refund", "schema", "--digest", "0123456789ab")
    assert refused.returncode == 2
    assert "stale-decision" in refused.stderr
    assert run(tmp_path, "generate", str(REFUND)).returncode == 3


def test_an_approval_of_a_superseded_version_is_refused(tmp_path: Path) -> None:
    run(tmp_path, "generate", str(REFUND))
    (old,) = contents(tmp_path).values()
    changed = tmp_path / "changed.yaml"
    changed.write_text(REFUND.read_text().replace("value: 30,", "value: 45,"))
    assert run(tmp_path, "generate", str(changed)).returncode == 3
    refused = run(tmp_path, "approve", "refund", "schema", "--digest", old[:12])
    assert refused.returncode == 2
    assert "stale-decision" in refused.stderr


def test_changes_that_nobody_would_make_are_not_asked_for(tmp_path: Path) -> None:
    run(tmp_path, "generate", str(REFUND))
    refused = run(tmp_path, "request-changes", "refund", "schema", "--feedback", "be kinder")
    assert refused.returncode == 2
    assert "feedback-unheeded" in refused.stderr


def test_an_approval_that_was_withdrawn_is_asked_for_again(tmp_path: Path) -> None:
    run(tmp_path, "generate", str(REFUND), "--approve-clean")
    withdrawn = run(tmp_path, "withdraw", "refund", "sop", "--reason", "Too early.")
    assert withdrawn.returncode == 0
    again = run(tmp_path, "generate", str(REFUND), "--approve-clean")
    assert again.returncode == 3
    assert "sop waits at its gate" in again.stdout


def test_a_rejected_stage_leads_no_further(tmp_path: Path) -> None:
    run(tmp_path, "generate", str(REFUND))
    assert run(tmp_path, "reject", "refund", "schema").returncode == 0
    stopped = run(tmp_path, "generate", str(REFUND), "--approve-clean")
    assert stopped.returncode == 1
    assert "was rejected" in stopped.stdout


def test_publishing_needs_every_approval(tmp_path: Path) -> None:
    run(tmp_path, "generate", str(REFUND))
    refused = run(tmp_path, "publish", "refund")
    assert refused.returncode == 2
    assert "not-approved" in refused.stderr
    assert not (tmp_path / "refund" / "releases").exists()


def test_a_policy_approves_what_is_clean_and_the_record_says_so(tmp_path: Path) -> None:
    run(tmp_path, "generate", str(REFUND), "--approve-clean")
    entries = [json.loads(path.read_text()) for path in tmp_path.glob("refund/decisions/*.json")]
    assert [entry["kind"] for entry in entries] == ["policy"] * 7


def test_a_policy_does_not_approve_errors(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    otherwise = "- {id: E2, otherwise: eligible}"
    rule = "- {id: E2, when: days_since_delivery < refund_days, then: eligible}"
    broken.write_text(REFUND.read_text().replace(otherwise, rule))
    stopped = run(tmp_path, "generate", str(broken), "--approve-clean")
    assert stopped.returncode == 1
    assert "no rule of 'eligibility' covers reason for the request" in stopped.stdout


def test_a_published_package_is_proved_by_its_own_tools(tmp_path: Path) -> None:
    run(tmp_path, "generate", str(REFUND), "--approve-clean")
    assert run(tmp_path, "publish", "refund").returncode == 0
    package = tmp_path / "refund" / "releases" / "1.0.0" / "refund"
    proved = run(tmp_path, "run-oracle", str(package))
    assert proved.returncode == 0, proved.stdout
    again = run(tmp_path, "publish", "refund")
    assert "Already published" in again.stdout
    (package / "records.csv").write_text("request_id\n")
    assert run(tmp_path, "run-oracle", str(package)).returncode == 1


def test_a_killed_run_loses_nothing_that_was_finished(tmp_path: Path) -> None:
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    run(undisturbed, "generate", str(ORDERS), "--approve-clean")
    arguments = [*COMMAND, "generate", str(ORDERS), "--approve-clean"]
    process = subprocess.Popen(
        arguments, env=environment(killed), cwd=PROJECT, stdout=subprocess.DEVNULL
    )
    wait_for(killed / "order_release" / "stages" / "tools" / "0001")
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = contents(killed)
    assert run(killed, "generate", str(ORDERS), "--approve-clean").returncode == 0
    after = contents(killed)
    assert before.items() <= after.items()
    assert after == contents(undisturbed)


def wait_for(path: Path) -> None:
    """Wait until a path exists; fail after a minute."""
    deadline = time.monotonic() + 400
    while not path.exists():
        if time.monotonic() > deadline:
            pytest.fail(f"{path} never came")
        time.sleep(0.02)
