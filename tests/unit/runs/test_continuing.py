"""What is to go on follows from the store alone, and has one name whoever finds it."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from sopforge.errors import ContinuationError, Fault
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import keep_brief, load_latest_brief
from sopforge.pipeline.briefs.regeneration import change_brief
from sopforge.pipeline.runs import continuing
from sopforge.pipeline.runs.continuing import (
    MOST_TRIES,
    Due,
    find_due_run,
    find_due_runs,
    find_next_run,
    start_all,
)
from sopforge.pipeline.runs.run import lock_run, run
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.store.entries import DecisionVerdict
from sopforge.store.last_run import RunSettings, keep_last_run, load_last_run
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.worlds.quick_builds import settle
from tests.worlds.worded import let_worded_wait

REFUND = Path(__file__).parents[2] / "briefs" / "refund.yaml"


def brief_of(domain: str = "refund") -> Brief:
    text = REFUND.read_text(encoding="utf-8").replace("domain: refund", f"domain: {domain}", 1)
    return read_brief(text, "refund.yaml")


def say(store: Store, verdict: DecisionVerdict, by: str = "ada", stage: str = "schema") -> None:
    if verdict is DecisionVerdict.REQUEST_CHANGES:
        let_worded_wait(store, "refund")
    settle(store, stage, verdict, by=by)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a store in which the schema waits at its gate."""
    opened = open_store(tmp_path / "store")
    run(opened, brief_of(), RunSettings())
    return opened


def cut_off(store: Store, tries: int = 1) -> None:
    """Leave the last run as a process that was killed leaves it."""
    noted = load_last_run(store.get_domain("refund"))
    keep_last_run(store.get_domain("refund"), replace(noted, ended="", tries=tries))


def test_what_waits_has_nothing_to_do(store: Store) -> None:
    assert find_due_run(store.get_domain("refund")) is None


@pytest.mark.parametrize("verdict", [DecisionVerdict.APPROVE, DecisionVerdict.REQUEST_CHANGES])
def test_a_decision_makes_it_due_until_a_run_has_acted_on_it(
    store: Store, verdict: DecisionVerdict
) -> None:
    say(store, verdict)
    due = find_due_run(store.get_domain("refund"))
    assert due is not None
    assert due.after == f"schema, {verdict.replace('_', ' ')} by ada"

    run(store, brief_of(), RunSettings())
    assert find_due_run(store.get_domain("refund")) is None


def test_a_run_that_does_the_work_while_another_looks_leaves_nothing_due(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(store, DecisionVerdict.APPROVE)

    def meanwhile(*_: object) -> bool:
        run(store, brief_of(), RunSettings())
        return False

    monkeypatch.setattr(continuing, "is_at_work", meanwhile)
    assert find_due_run(store.get_domain("refund")) is None


def test_a_decision_whose_process_died_before_it_took_the_version_off_makes_it_due(
    store: Store,
) -> None:
    [version] = store.get_domain("refund").list_versions("schema")
    say(store, DecisionVerdict.APPROVE)
    store.get_domain("refund").set_waiting(version)

    assert find_due_run(store.get_domain("refund")) is not None


def test_a_brief_that_was_added_to_makes_it_due_under_a_name_of_its_own(store: Store) -> None:
    say(store, DecisionVerdict.REJECT)
    before = find_next_run(store.get_domain("refund")).key
    keep_brief(
        store,
        change_brief(load_latest_brief(store.get_domain("refund")), "Pets travel free of charge."),
    )

    due = find_due_run(store.get_domain("refund"))
    assert due is not None
    assert due.key != before

    run(store, load_latest_brief(store.get_domain("refund")), RunSettings())
    assert find_due_run(store.get_domain("refund")) is None


def test_a_brief_that_was_added_to_while_a_run_was_at_work_makes_it_due(store: Store) -> None:
    read = load_latest_brief(store.get_domain("refund"))
    keep_brief(store, change_brief(read, "Pets travel free of charge."))
    run(store, read, RunSettings())

    assert find_due_run(store.get_domain("refund")) is not None


def test_a_rejection_leads_nowhere(store: Store) -> None:
    say(store, DecisionVerdict.REJECT)
    assert find_due_run(store.get_domain("refund")) is None


def test_the_first_of_two_approvals_that_are_asked_for_leads_nowhere(tmp_path: Path) -> None:
    opened = open_store(tmp_path)
    text = REFUND.read_text(encoding="utf-8") + "gates: {approvers: {schema: 2}}\n"
    run(opened, read_brief(text, "refund.yaml"), RunSettings())
    say(opened, DecisionVerdict.APPROVE, "ada")
    assert find_due_run(opened.get_domain("refund")) is None
    say(opened, DecisionVerdict.APPROVE, "bob")
    assert find_due_run(opened.get_domain("refund")) is not None


def test_a_run_that_was_cut_off_is_due_a_few_times(store: Store) -> None:
    found = []
    for tries in range(1, MOST_TRIES + 1):
        cut_off(store, tries)
        due = find_due_run(store.get_domain("refund"))
        found.append(due.key if due else None)
    assert found[-1] is None
    assert len(set(found)) == MOST_TRIES  # each try has a name of its own


def test_a_run_that_failed_for_good_waits_for_a_person(store: Store) -> None:
    say(store, DecisionVerdict.APPROVE)
    noted = load_last_run(store.get_domain("refund"))
    keep_last_run(store.get_domain("refund"), replace(noted, decisions=1, ended="Failed"))
    assert find_due_run(store.get_domain("refund")) is None


def left(store: Store) -> dict[str, str]:
    return dict(find_due_runs(store).left)


@pytest.mark.parametrize(
    ("ended", "tries", "reason"),
    [
        ("Failed", 1, "its last run failed"),
        ("Cancelled", 1, "its last run was cancelled"),
        ("", MOST_TRIES, f"its last {MOST_TRIES} runs were cut off"),
    ],
)
def test_what_only_a_person_goes_on_with_is_named_with_the_reason(
    store: Store, ended: str, tries: int, reason: str
) -> None:
    say(store, DecisionVerdict.APPROVE)
    noted = replace(
        load_last_run(store.get_domain("refund")), decisions=1, ended=ended, tries=tries
    )
    keep_last_run(store.get_domain("refund"), noted)
    assert find_due_run(store.get_domain("refund")) is None
    assert left(store) == {"refund": reason}
    with lock_run(store.get_domain("refund"), lambda: None):
        assert left(store) == {}


def test_what_waits_at_a_gate_or_was_rejected_is_not_named_as_left(store: Store) -> None:
    noted = replace(load_last_run(store.get_domain("refund")), decisions=1, ended="Failed")
    keep_last_run(store.get_domain("refund"), noted)
    assert left(store) == {}
    say(store, DecisionVerdict.REJECT)
    assert left(store) == {}


def test_what_a_run_is_at_work_on_is_left_to_it(store: Store) -> None:
    say(store, DecisionVerdict.APPROVE)
    with lock_run(store.get_domain("refund"), lambda: None):
        assert find_due_run(store.get_domain("refund")) is None
    assert find_due_run(store.get_domain("refund")) is not None


def test_a_policy_that_approves_makes_nothing_due(tmp_path: Path) -> None:
    opened = open_store(tmp_path)
    run(opened, brief_of(), RunSettings(approve_clean=True))
    assert find_due_run(opened.get_domain("refund")) is None


def test_the_end_of_the_chain_has_nothing_to_do(store: Store) -> None:
    for stage in STAGES:
        say(store, DecisionVerdict.APPROVE, stage=stage.name)
        run(store, brief_of(), RunSettings())
    assert load_last_run(store.get_domain("refund")).ended == "Approved"
    assert find_due_run(store.get_domain("refund")) is None


def test_who_looks_later_or_from_elsewhere_finds_the_same_name(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(store, DecisionVerdict.APPROVE)
    key = find_next_run(store.get_domain("refund")).key
    monkeypatch.chdir(Path(store.place).parent)
    assert find_next_run(open_store("store").get_domain("refund")).key == key
    content = store.get_domain("refund").list_versions("schema")[0].manifest.content[:12]
    assert key.startswith(f"refund:schema:{content}:1:")


def test_another_decision_and_another_store_have_other_names(store: Store, tmp_path: Path) -> None:
    waits = find_next_run(store.get_domain("refund")).key
    say(store, DecisionVerdict.APPROVE)
    approved = find_next_run(store.get_domain("refund")).key
    shutil.copytree(store.place, tmp_path / "copy")
    copied = find_next_run(open_store(tmp_path / "copy").get_domain("refund")).key
    assert len({waits, approved, copied}) == 3


def test_a_run_goes_on_with_what_is_left_of_the_budget(store: Store) -> None:
    noted = load_last_run(store.get_domain("refund"))
    settings = RunSettings(approve_clean=True, budget=Decimal("2.50"), prices="prices.yaml")
    noted = replace(noted, settings=settings, spent=Decimal("1.00"))
    keep_last_run(store.get_domain("refund"), noted)
    line = {"event": "answered", "call": 1, "key": "k", "stage": "sop", "tokens": "unknown"}

    store.objects.append("refund/calls.jsonl", _line({**line, "cost": "1.75", "outcome": "answer"}))
    assert find_next_run(store.get_domain("refund")).settings == replace(
        settings, budget=Decimal("1.75")
    )

    store.objects.append("refund/calls.jsonl", _line({**line, "cost": "9.00", "outcome": "answer"}))
    assert find_next_run(store.get_domain("refund")).settings == replace(
        settings, budget=Decimal(0)
    )


def _line(event: dict[str, object]) -> bytes:
    return (json.dumps(event) + "\n").encode()


def test_a_domain_with_a_fault_stops_no_other(store: Store) -> None:
    run(store, brief_of("broken"), RunSettings())
    store.objects.replace("broken/last_run.json", b"none")
    say(store, DecisionVerdict.APPROVE)
    look = find_due_runs(store)
    assert [due.domain for due in look.due] == ["refund"]
    assert [fault.code for fault in look.faults["broken"]] == ["store-damaged"]


def test_a_domain_of_which_nothing_is_built_yet_is_found(tmp_path: Path) -> None:
    opened = open_store(tmp_path)
    run(opened, brief_of(), RunSettings())
    cut_off(opened)
    shutil.rmtree(tmp_path / "refund" / "stages")
    assert [due.after for due in find_due_runs(opened).due] == ["its brief"]


class Starting:
    """Starts nothing: notes what it is asked for, and refuses one domain."""

    def __init__(self, refused: str) -> None:
        self.refused = refused

    def start(self, place: str, due: Due) -> str:
        if due.domain == self.refused:
            raise ContinuationError(Fault("run-not-started", "no answer"))
        return f"{due.domain} in {place}"

    def get_page_address(self, domain: str) -> str:
        return f"page of {domain}"


def test_a_run_that_is_not_started_stops_no_other() -> None:
    dues = [Due(name, "its brief", name, RunSettings()) for name in ("one", "two", "three")]
    started = list(start_all("/place", dues, Starting("two")))
    assert [(item.domain, item.message) for item in started] == [
        ("one", "one in /place"),
        ("two", ""),
        ("three", "three in /place"),
    ]
    assert [fault.code for fault in started[1].faults] == ["run-not-started"]
