"""``sopforge status``: a row for each domain, the stages of one, and both for programs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sopforge.cli.app import app
from sopforge.cli.running.next_steps import list_next_steps
from sopforge.findings import Severity, make_error_finding, make_warning_finding
from sopforge.language.domain.stage_names import STAGE_NAMES
from sopforge.pipeline.runs.at_work import note_run
from sopforge.pipeline.runs.run import lock_run
from sopforge.pipeline.stages.pipeline import Progress, advance
from sopforge.progress.tracking import enter_step, track
from sopforge.store.entries import DecisionVerdict
from sopforge.store.last_run import LastRun, RunSettings, keep_last_run
from sopforge.store.log.audit_log import AuditLog, Opinion
from sopforge.store.log.yanks import yank
from sopforge.store.overview import Next, Overview, build_overview
from sopforge.store.versions import Store
from tests.worlds.quick_builds import LONGER, QuickBuild, approve_to, go, refund, settle
from tests.worlds.sealing import seal_anew
from tests.worlds.worded import let_worded_wait

TWO = ("author: offline", "gates: {approvers: {schema: 2}}\nauthor: offline")


def said(store: Store, *arguments: str) -> str:
    result = CliRunner().invoke(app, ["status", *arguments, "--store", store.place])
    assert result.exit_code == 0, result.output
    return result.output


def row(store: Store) -> dict[str, str]:
    """Return the cells of the one row, by their heads."""
    head, line = said(store).splitlines()
    names = head.split()
    starts = [head.index(name) for name in names]
    ends = [*starts[1:], len(line) + 1]
    return {name: line[a:b].strip() for name, a, b in zip(names, starts, ends, strict=True)}


def record(store: Store) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said(store, "--json"))
    [only] = found["domains"]
    return dict(only)


def test_what_waits_is_shown_with_version_digest_and_findings(store: Store) -> None:
    go(store)
    found = (make_warning_finding("odd", "right?"), make_warning_finding("rare", "really?"))
    waiting = go(store, refund(LONGER), build=QuickBuild({"schema": found})).version

    assert row(store) == {
        "domain": "refund",
        "stage": "schema",
        "version": "2",
        "digest": waiting.manifest.content[:12],
        "findings": "2 warnings",
        "gate": "waiting",
        "next": "decide",
        "release": "",
    }


def test_errors_are_to_be_corrected(store: Store) -> None:
    go(store, build=QuickBuild({"schema": (make_error_finding("odd", "wrong"),)}))
    assert (row(store)["findings"], row(store)["next"]) == ("1 error", "fix the brief")


def test_what_stands_after_a_gate_is_shown(store: Store) -> None:
    go(store, run_ahead=True)
    assert row(store)["gate"] == "waiting; provisional up to complexity"
    assert record(store)["provisional"] == list(STAGE_NAMES[1:])


def test_who_has_approved_so_far_is_shown(store: Store) -> None:
    go(store, refund(TWO))
    settle(store, "schema")
    assert row(store)["gate"] == "waiting, approved by ada so far"


def publish_quickly(store: Store) -> Progress:
    ended = go(store, approve_clean=True)
    contents = {
        s: store.get_domain("refund").list_versions(s)[-1].manifest.content for s in STAGE_NAMES
    }
    store.get_domain("refund").save_release("1.0.0", {}, {"stages": contents})
    return ended


@pytest.mark.parametrize(
    ("make", "stage", "gate", "following"),
    [
        pytest.param(
            lambda store: (go(store), settle(store, "schema")),
            *("schema", "approved by ada", "continue"),
            id="approved",
        ),
        pytest.param(
            lambda store: (
                go(store),
                let_worded_wait(store, "refund"),
                settle(
                    store, "schema", DecisionVerdict.REQUEST_CHANGES, opinion=Opinion("shorter")
                ),
            ),
            *("schema", "changes requested by ada", "continue"),
            id="sent back",
        ),
        pytest.param(
            lambda store: (go(store), settle(store, "schema", DecisionVerdict.REJECT)),
            *("schema", "rejected by ada", "fix the brief"),
            id="rejected",
        ),
        pytest.param(
            lambda store: (go(store), settle(store, "schema", DecisionVerdict.REJECT), go(store)),
            *("schema", "rejected by ada", "fix the brief"),
            id="rejected and run again",
        ),
        pytest.param(
            lambda store: go(store, approve_clean=True),
            *("complexity", "approved by policy", "publish"),
            id="all approved",
        ),
        pytest.param(publish_quickly, *("complexity", "approved by policy", ""), id="published"),
        pytest.param(
            lambda store: (
                publish_quickly(store),
                go(store, refund(LONGER), approve_clean=True),
            ),
            *("complexity", "approved by policy", "publish"),
            id="changed since the release",
        ),
        pytest.param(
            lambda store: (
                publish_quickly(store),
                go(store, refund(LONGER), approve_clean=True),
                go(store),
            ),
            *("complexity", "approved by policy", ""),
            id="changed back to the release",
        ),
        pytest.param(
            lambda store: (
                go(store),
                settle(store, "schema", DecisionVerdict.REJECT),
                go(store, refund(LONGER), approve_clean=True),
                go(store),
            ),
            *("schema", "rejected by ada", "fix the brief"),
            id="changed back to what was rejected",
        ),
    ],
)
def test_where_nothing_waits_the_last_decision_says_what_is_next(
    store: Store, make: Callable[[Store], object], stage: str, gate: str, following: str
) -> None:
    make(store)
    found = row(store)
    assert (found["stage"], found["gate"], found["next"]) == (stage, gate, following)


def test_a_domain_whose_first_gate_was_not_reached_is_to_be_generated(store: Store) -> None:
    go(store)
    for name in ("pending.json", "current.json"):
        Path(store.place, "refund", name).unlink()
    seal_anew(store.place, "refund")
    assert (row(store)["gate"], row(store)["next"]) == ("not reached", "continue")


def test_a_domain_that_cannot_be_read_hides_no_other(store: Store, tmp_path: Path) -> None:
    go(store)
    broken = tmp_path / "broken"
    (broken / "stages" / "schema" / "0001").mkdir(parents=True)
    (broken / "pending.json").write_text("{", encoding="utf-8")

    result = CliRunner().invoke(app, ["status", "--store", store.place])

    lines = result.stdout.splitlines()
    assert result.exit_code == 2
    assert lines[1].startswith("broken")
    assert "cannot be read" in lines[1]
    assert "waiting" in lines[2]
    assert "sopforge store check broken" in result.stderr
    status = CliRunner().invoke(app, ["status", "--json", "--store", store.place])
    [fault] = json.loads(status.stdout)["domains"][0]["faults"]
    assert fault["code"] == "seal-missing"


def test_many_domains_stand_below_one_head_by_their_names(store: Store, tmp_path: Path) -> None:
    for number in range(30):
        folder = tmp_path / f"domain_{number:02}" / "stages" / "schema"
        folder.mkdir(parents=True)
        (folder / "0001").mkdir()
    lines = said(store).splitlines()
    assert [line.split()[0] for line in lines[1:]] == [f"domain_{n:02}" for n in range(30)]


def test_a_row_has_the_same_keys_whatever_stands_there(store: Store) -> None:
    waiting = go(store, run_ahead=True).version.manifest
    shown = {
        "domain": "refund",
        "next": "decide",
        "stage": "schema",
        "version": 1,
        "content": waiting.content,
        "is_waiting": True,
        "findings": {"error": 0, "warning": 0, "note": 0},
        "provisional": list(STAGE_NAMES[1:]),
        "last_decision": None,
        "release": None,
        "yanked": False,
        "run": None,
        "faults": [],
    }
    assert record(store) == shown
    settle(store, "schema")
    [decision] = AuditLog(store.get_domain("refund")).list_entries()
    decided = {"verdict": "approve", "by": "ada", "kind": "person", "at": decision.at}
    nothing: dict[str, object] = {"is_waiting": False, "findings": None, "provisional": []}
    assert record(store) == {**shown, **nothing, "next": "continue", "last_decision": decided}


def test_a_yanked_release_is_marked(store: Store) -> None:
    publish_quickly(store)
    yank(store.get_domain("refund"), "1.0.0", by="ada", reason="a wrong limit")
    assert row(store)["release"] == "1.0.0 (yanked)"
    assert record(store)["yanked"] is True

    yank(store.get_domain("refund"), "1.0.0", by="ada", reason="", undo=True)
    assert row(store)["release"] == "1.0.0"
    assert (record(store)["release"], record(store)["yanked"]) == ("1.0.0", False)


def test_no_domain_is_an_empty_list_for_programs(store: Store) -> None:
    assert json.loads(said(store, "--json")) == {"domains": []}


def test_the_stages_of_a_domain_are_listed_for_programs(store: Store) -> None:
    approve_to(store, "sop")
    go(store, run_ahead=True)

    found = json.loads(said(store, "refund", "--json"))

    assert (found["domain"], found["releases"]) == ("refund", [])
    assert [item["stage"] for item in found["stages"]] == list(STAGE_NAMES)
    [approval, *_] = AuditLog(store.get_domain("refund")).list_entries()
    assert found["stages"][0] == {
        "stage": "schema",
        "version": 1,
        "content": store.get_domain("refund").list_versions("schema")[0].manifest.content,
        "gate": "approved",
        "description": "approved by ada",
        "provisional_after": None,
        "is_reached": True,
        "is_intact": True,
        "findings": {"error": 0, "warning": 0, "note": 0},
        "rebuilt_because": [],
        "decisions": [
            {
                "entry": 1,
                "verdict": "approve",
                "by": "ada",
                "kind": "person",
                "at": approval.at,
                "signature": {
                    "standing": "unsigned",
                    "by": None,
                    "key": None,
                    "code": None,
                    "summary": "unsigned",
                },
            }
        ],
    }
    assert found["stages"][1]["gate"] == "waiting"
    later = found["stages"][2]
    assert (later["gate"], later["provisional_after"]) == ("provisional", "sop")
    assert later["is_reached"] is False


def test_the_stages_of_a_domain_are_listed_in_a_table(store: Store) -> None:
    go(store, run_ahead=True)
    lines = said(store, "refund").splitlines()
    assert lines[1].split() == ["stage", "version", "digest", "findings", "gate"]
    assert lines[2].split()[-1] == "waiting"
    assert lines[3].strip().endswith("provisional: schema is not approved")
    assert "releases: none" in lines
    digest, there = (
        store.get_domain("refund").list_versions("schema")[0].manifest.content[:12],
        store.place,
    )
    assert lines[-4:] == [
        f"  look:     sopforge show refund schema --store {there}",
        f"  approve:  sopforge approve refund schema --digest {digest} --store {there}",
        f"  or:       sopforge edit refund schema --store {there}",
        f"  continue: sopforge continue refund --store {there}",
    ]


def test_findings_from_before_a_change_are_not_said_to_be_none(store: Store) -> None:
    go(store, approve_clean=True)
    go(store, refund(LONGER))

    rows = [line for line in said(store, "refund").splitlines() if "before the last change" in line]

    assert len(rows) == 6
    assert all(" not checked again " in row for row in rows)


CHANGED = {"regenerate": "regenerate refund --model-patch FILE", "generate": "generate BRIEF"}


@pytest.mark.parametrize(
    ("make", "commands"),
    [
        (
            lambda store: go(
                store, build=QuickBuild({"schema": (make_error_finding("odd", "wrong"),)})
            ),
            {"look": "show refund schema", **CHANGED},
        ),
        (
            lambda store: (go(store), settle(store, "schema", DecisionVerdict.REJECT)),
            CHANGED,
        ),
        (lambda store: (go(store), settle(store, "schema")), {"go_on": "continue refund"}),
        (lambda store: go(store, approve_clean=True), {"publish": "publish refund"}),
        (publish_quickly, {"verify": "verify refund@1.0.0"}),
    ],
    ids=["errors", "rejected", "decided", "passed", "released"],
)
def test_a_domain_is_shown_with_the_command_that_leads_on(
    store: Store, make: Callable[[Store], object], commands: dict[str, str]
) -> None:
    make(store)
    assert json.loads(said(store, "refund", "--json"))["next"] == {
        name: f"sopforge {command} --store {store.place}" for name, command in commands.items()
    }


def test_an_edit_with_errors_is_to_be_edited_again() -> None:
    found = Overview("refund", Next.EDIT, "sop", findings={Severity.ERROR: 1})
    assert list_next_steps(found, "generated") == {
        "look": "sopforge show refund sop",
        "edit": "sopforge edit refund sop",
        "go_on": "sopforge continue refund",
    }


def test_a_model_that_heeds_words_is_given_more_of_them() -> None:
    found = Overview("refund", Next.FIX, "sop", heeds_words=True)

    change = list_next_steps(found, "generated")["regenerate"]

    assert change == "sopforge regenerate refund --context TEXT"


def test_a_yank_is_undone_or_leads_to_another_release(store: Store) -> None:
    publish_quickly(store)
    yank(store.get_domain("refund"), "1.0.0", by="ada", reason="a wrong limit")

    found = build_overview(store.get_domain("refund"))

    assert row(store)["next"] == record(store)["next"] == "replace the yanked release"
    assert list_next_steps(found, store.place) == {
        name: f"sopforge {command} --store {store.place}"
        for name, command in {"undo": "yank refund 1.0.0 --undo", **CHANGED}.items()
    }


def test_files_that_were_changed_are_reported(store: Store, tmp_path: Path) -> None:
    go(store)
    path = tmp_path / "refund" / "stages" / "schema" / "0001" / "files" / "domain.yaml"
    path.write_text("changed", encoding="utf-8")
    assert "files were changed" in said(store, "refund")
    assert json.loads(said(store, "refund", "--json"))["stages"][0]["is_intact"] is False


def test_a_note_of_what_waits_that_cannot_be_read_says_what_to_do(store: Store) -> None:
    go(store)
    Path(store.place, "refund", "pending.json").write_text("{", encoding="utf-8")
    result = CliRunner().invoke(app, ["status", "refund", "--store", store.place])
    assert "generate again to rewrite it" in str(result.exception)


def test_a_rebuilt_stage_is_shown_with_what_changed(store: Store) -> None:
    advance(store, refund())
    assert "was rebuilt" not in said(store, "refund")
    advance(store, refund(LONGER))

    reason = "brief: model.policy.refund_days.value 31 (was 30)"
    assert f"schema was rebuilt: {reason}" in said(store, "refund")
    found = json.loads(said(store, "refund", "--json"))["stages"]
    assert [item["rebuilt_because"] for item in found] == [[reason]]
    shown = CliRunner().invoke(app, ["show", "refund", "schema", "--store", store.place])
    assert f"rebuilt because of {reason}" in shown.output


def test_a_run_that_is_at_work_is_shown_with_its_stage_and_what_it_does(store: Store) -> None:
    settled_up_to_sop(store)
    began = LastRun(RunSettings(), Decimal(0), decisions=1, tries=1)
    keep_last_run(store.get_domain("refund"), began)
    noted = note_run(store.get_domain("refund"))
    with lock_run(store.get_domain("refund"), lambda: None), noted, enter_step("sop"):
        passages = track(range(9), "passages")
        next(passages)
        [head, line, at_work] = said(store).splitlines()
        run, shown = record(store)["run"], said(store, "refund")
        one = json.loads(said(store, "refund", "--json"))
    assert line[head.index("next") :].split() == ["at", "work"]
    assert at_work.startswith("refund: a run has been at work since 20")
    assert at_work.endswith(" UTC: passages 0 of 9")
    assert (run["is_at_work"], run["stage"], run["doing"], run["process"]) == (
        True, "sop", "sop: passages 0 of 9", os.getpid()
    )  # fmt: skip
    assert (one["run"]["stage"], one["next"]) == ("sop", {})
    assert "run: a run has been at work since 20" in shown
    assert "continue:" not in shown


def test_a_run_that_was_cut_off_is_not_at_work(store: Store) -> None:
    settled_up_to_sop(store)
    began = LastRun(RunSettings(), Decimal(0), decisions=1, tries=1)
    keep_last_run(store.get_domain("refund"), began)
    assert row(store)["next"] == "continue"
    assert record(store)["run"]["is_at_work"] is False
    shown = said(store, "refund").splitlines()
    assert "run: the last run was interrupted" in shown
    assert shown[-1].split() == [
        "continue:",
        *f"sopforge continue refund --store {store.place}".split(),
    ]

    keep_last_run(store.get_domain("refund"), replace(began, ended="Approved"))
    assert record(store)["run"] is None
    assert "run:" not in said(store, "refund")


def test_what_waits_while_a_run_goes_ahead_of_it_is_still_to_be_decided(store: Store) -> None:
    go(store)
    began = LastRun(RunSettings(), Decimal(0), decisions=0, tries=1)
    keep_last_run(store.get_domain("refund"), began)
    with lock_run(store.get_domain("refund"), lambda: None):
        head, line, at_work = said(store).splitlines()
        assert "approve" in json.loads(said(store, "refund", "--json"))["next"]
    assert line[head.index("next") :].split() == ["decide"]
    assert at_work == "refund: a run is at work"


def settled_up_to_sop(store: Store) -> None:
    """Let the schema be approved, which is what a run goes on from."""
    go(store)
    settle(store, "schema")
