"""A decision is taken back: it counts no longer, no policy repeats it, and the log keeps both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sopforge.pipeline.gates.gate import edit
from sopforge.pipeline.stages.pipeline import advance, list_approved_versions
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import AuditLog, Opinion
from sopforge.store.log.yanks import yank
from sopforge.store.opening import open_store
from sopforge.store.overview import Next, build_overview
from sopforge.store.versions import Store
from sopforge.workspace import STAGE_NAMES
from tests.running.commands import Ran, run
from tests.worlds.quick_builds import go, refund, settle
from tests.worlds.worded import let_worded_wait


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "store")


def withdraw(store: Store, stage: str, *more: str) -> Ran:
    return run("withdraw", "refund", stage, "--by", "grace", "--store", store.place, *more)


def waits(store: Store) -> str:
    version = store.get_domain("refund").find_waiting_version()
    return f"{version.manifest.stage} {version.number}" if version else ""


def list_entries(store: Store) -> list[tuple[str, str, int]]:
    entries = AuditLog(store.get_domain("refund")).list_entries()
    return [(item.verdict.value, item.by, item.withdraws) for item in entries]


def test_a_policys_approval_is_taken_back_and_not_given_again(store: Store) -> None:
    go(store, approve_clean=True)

    ran = withdraw(store, "schema", "--reason", "The limit is wrong.")

    content = store.get_domain("refund").list_versions("schema")[0].manifest.content[:12]
    said = f"grace withdrew entry 1: approve of refund schema {content} by approve-clean.\n"
    assert (ran.code, ran.out.partition("Continue")[0]) == (0, said)
    assert list_entries(store)[-1] == ("withdraw", "grace", 1)
    assert list_approved_versions(store, refund()) == ()
    assert build_overview(store.get_domain("refund")).next is Next.CONTINUE
    go(store, approve_clean=True)
    assert waits(store) == "schema 1"

    settle(store, "schema", by="grace")
    go(store, approve_clean=True)
    assert [item.manifest.stage for item in list_approved_versions(store, refund())] == [
        *STAGE_NAMES
    ]


def test_whoever_withdrew_an_approval_of_theirs_may_decide_again(store: Store) -> None:
    go(store)
    settle(store, "schema", by="grace")
    assert withdraw(store, "schema").code == 0
    go(store)

    settle(store, "schema", DecisionVerdict.REJECT, by="grace")

    assert [verdict for verdict, _, _ in list_entries(store)] == ["approve", "withdraw", "reject"]


def test_several_edits_are_undone_one_by_one_the_newest_first(store: Store) -> None:
    def read_limit() -> str:
        text = advance(store, refund()).version.files["domain.yaml"]
        return text.partition("value: ")[2][:2]

    for before, after in (("30", "20"), ("20", "25")):
        text = advance(store, refund()).version.files["domain.yaml"]
        text = text.replace(f"value: {before}", f"value: {after}")
        edit(store.get_domain("refund"), stage="schema", digest="", text=text, by="ada")
    assert read_limit() == "25"

    assert withdraw(store, "schema").code == 0
    assert read_limit() == "20"
    # Whoever repeats the command means the same decision.
    repeated = withdraw(store, "schema")
    assert (repeated.code, read_limit()) == (2, "20")
    assert "sopforge withdraw refund schema --entry 1" in repeated.err
    assert withdraw(store, "schema", "--entry", "1").code == 0
    assert read_limit() == "30"
    assert withdraw(store, "schema", "--entry", "1").code == 2


def test_a_request_is_taken_back_before_anybody_acts_on_it(store: Store) -> None:
    go(store)
    let_worded_wait(store, "refund")
    settle(store, "schema", DecisionVerdict.REQUEST_CHANGES, opinion=Opinion("Shorter."))
    log = AuditLog(store.get_domain("refund"))
    assert log.list_feedback("schema") == ("Shorter.",)

    assert withdraw(store, "schema").code == 0

    assert log.list_feedback("schema") == ()
    assert waits(store) == ""


def test_what_a_release_contains_is_not_taken_back(store: Store) -> None:
    go(store, approve_clean=True)
    contents = {
        s: store.get_domain("refund").list_versions(s)[-1].manifest.content for s in STAGE_NAMES
    }
    store.get_domain("refund").save_release("1.0.0", {}, {"stages": contents})
    before = list_entries(store)

    ran = withdraw(store, "sop")

    assert (ran.code, list_entries(store)) == (2, before)
    assert "decision-released: refund sop: release 1.0.0 was made from sop" in ran.err
    assert "sopforge yank refund 1.0.0 --reason TEXT" in ran.err

    yank(store.get_domain("refund"), "1.0.0", by="grace", reason="A tool is wrong.")
    assert withdraw(store, "sop").code == 0


def test_what_was_withdrawn_stays_so_from_other_inputs(store: Store) -> None:
    """The policy's approval is carried to a second brief, and withdrawn there."""
    first, second = refund(), refund(("weights: [40, 30, 30]", "weights: [50, 25, 25]"))
    advance(store, first)
    settle(store, "schema")
    made = advance(store, first).version
    settle(store, "sop")
    advance(store, second)
    settle(store, "schema")
    carried = advance(store, second)
    assert carried.version.manifest.stage == "dataset"
    assert withdraw(store, "sop").code == 0
    advance(store, second)
    settle(store, "sop", DecisionVerdict.REJECT, by="hal")

    again = advance(store, first, approve_clean=True)

    assert again.version.manifest == made.manifest
    assert waits(store) == "sop 1"


def test_an_edit_that_was_withdrawn_and_made_again_waits_for_a_person(store: Store) -> None:
    first = advance(store, refund()).version
    text = first.files["domain.yaml"].replace("value: 30", "value: 20")
    edit(store.get_domain("refund"), stage="schema", digest="", text=text, by="ada")
    advance(store, refund())
    withdraw(store, "schema")
    advance(store, refund())
    edit(store.get_domain("refund"), stage="schema", digest="", text=text, by="ada")

    ended = advance(store, refund(), approve_clean=True)

    assert "value: 20" in ended.version.files["domain.yaml"]
    assert waits(store) == "schema 2"


@pytest.mark.parametrize("more", [(), ("--digest", "000000000000")])
def test_where_there_is_nothing_to_take_back_nothing_is_recorded(
    store: Store, more: tuple[str, ...]
) -> None:
    go(store)
    if more:
        settle(store, "schema")
    before = list_entries(store)

    ran = withdraw(store, "schema", *more)

    assert (ran.code, list_entries(store)) == (2, before)
    assert "nothing-to-withdraw" in ran.err


def test_for_programs_it_says_what_no_longer_counts(store: Store) -> None:
    go(store)
    settle(store, "schema")

    value = json.loads(withdraw(store, "schema", "--json").out)

    assert (value["verdict"], value["by"], value["entry"]) == ("withdraw", "grace", 2)
    assert (value["withdraws"]["verdict"], value["withdraws"]["entry"]) == ("approve", 1)
    assert value["withdraws"]["content"] == value["content"]
    assert value["next"] == {"go_on": f"sopforge continue refund --store {store.place}"}
