from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from threading import Barrier, Thread

import pytest

from sopforge.errors import MaterialError, StoreError
from sopforge.findings import make_warning_finding
from sopforge.store.digests import digest_files
from sopforge.store.entries import DeciderKind, DecisionVerdict
from sopforge.store.log.audit_log import AuditLog, GateState, Opinion
from sopforge.store.opening import open_store
from sopforge.store.versions import Manifest, Store, Version
from tests.worlds.sealing import seal_anew

FILES = {"one.txt": "first\n"}
NEWER = {"ratings", "checked", "carries", "words"}
PERSON, POLICY = DeciderKind.PERSON, DeciderKind.POLICY


@pytest.fixture
def log(store: Store) -> AuditLog:
    return AuditLog(store.get_domain("depot"))


def waiting(store: Store, key: str = "k1", files: dict[str, str] = FILES) -> Version:
    """Store a version and let it wait at its gate."""
    found = (make_warning_finding("odd", "is this right?"),)
    made = Manifest("depot", "sop", key, digest_files(files), "offline", {}, found)
    version = store.get_domain("depot").save(made, files, {})
    store.get_domain("depot").set_waiting(version)
    return version


def entry(store: Store, number: int) -> Path:
    return Path(store.place, "depot") / "decisions" / f"{number:06d}.json"


def test_a_version_waits_until_someone_decides(store: Store, log: AuditLog) -> None:
    assert log.compute_gate_state(waiting(store)) is GateState.WAITING


@pytest.mark.parametrize("said", ["\x1b[2JApproved.", "Refund \u202eevery\u2069 case."])
def test_words_that_nobody_sees_as_they_are_are_not_kept(
    store: Store, log: AuditLog, said: str
) -> None:
    version = waiting(store)

    with pytest.raises(MaterialError) as caught:
        log.append_decision(version, DecisionVerdict.REQUEST_CHANGES, "ada", PERSON, Opinion(said))

    [fault] = caught.value.faults
    assert (fault.code, fault.where) == ("character-unseen", "words on depot")
    assert log.list_entries() == []
    assert not Path(store.place, "depot", "words").exists()
    assert log.compute_gate_state(version) is GateState.WAITING


@pytest.mark.parametrize(
    ("verdict", "state"),
    [
        (DecisionVerdict.APPROVE, GateState.APPROVED),
        (DecisionVerdict.REQUEST_CHANGES, GateState.CHANGES_REQUESTED),
        (DecisionVerdict.REJECT, GateState.REJECTED),
    ],
    ids=["approve", "request changes", "reject"],
)
def test_a_verdict_settles_the_state(
    store: Store, log: AuditLog, verdict: DecisionVerdict, state: GateState
) -> None:
    version = waiting(store)

    log.append_decision(version, verdict, "ada", PERSON, Opinion("shorter"))

    assert log.compute_gate_state(version) is state


def test_a_decision_is_about_its_content_and_inputs_only(store: Store, log: AuditLog) -> None:
    log.append_decision(waiting(store, "k1"), DecisionVerdict.APPROVE, "ada", PERSON)

    assert log.compute_gate_state(waiting(store, "k2")) is GateState.WAITING
    assert log.compute_gate_state(waiting(store, "k1", {"one.txt": "other\n"})) is GateState.WAITING


def test_a_decision_about_something_else_than_what_waits_is_refused(
    store: Store, log: AuditLog
) -> None:
    old, new = waiting(store, "k1"), waiting(store, "k2")

    with pytest.raises(StoreError) as caught:
        log.append_decision(old, DecisionVerdict.APPROVE, "ada", PERSON)

    assert caught.value.faults[0].code == "stale-decision"
    assert log.list_entries() == []
    log.append_decision(new, DecisionVerdict.APPROVE, "ada", PERSON)


def test_nothing_can_be_decided_where_nothing_waits(store: Store, log: AuditLog) -> None:
    version = waiting(store)
    store.get_domain("depot").set_waiting(None)

    with pytest.raises(StoreError) as caught:
        log.append_decision(version, DecisionVerdict.APPROVE, "ada", PERSON)
    assert caught.value.faults[0].code == "stale-decision"


def test_nobody_decides_twice_on_the_same_version(store: Store, log: AuditLog) -> None:
    version = waiting(store)
    log.append_decision(version, DecisionVerdict.APPROVE, "ada", PERSON)

    with pytest.raises(StoreError) as caught:
        log.append_decision(version, DecisionVerdict.REJECT, "ada", PERSON)

    assert caught.value.faults[0].code == "second-decision"
    assert log.compute_gate_state(version) is GateState.APPROVED
    log.append_decision(version, DecisionVerdict.REJECT, "grace", PERSON)
    assert log.compute_gate_state(version) is GateState.REJECTED


def test_entries_are_numbered_and_chained(store: Store, log: AuditLog) -> None:
    assert log.read_head() == ""
    first = log.append_decision(waiting(store, "k1"), DecisionVerdict.APPROVE, "ada", PERSON)
    head = log.read_head()
    second = log.append_decision(waiting(store, "k2"), DecisionVerdict.APPROVE, "ada", POLICY)

    assert (first.sequence, first.previous) == (1, "")
    assert (second.sequence, second.previous) == (2, head)
    assert log.list_entries() == [first, second]
    assert log.read_head() != head


def three_decisions(store: Store, log: AuditLog) -> None:
    for key in ("k1", "k2", "k3"):
        log.append_decision(waiting(store, key), DecisionVerdict.APPROVE, "ada", PERSON)


@pytest.mark.parametrize("number", [1, 2], ids=["first", "middle"])
def test_an_edited_entry_breaks_the_chain(store: Store, log: AuditLog, number: int) -> None:
    three_decisions(store, log)
    path = entry(store, number)
    path.write_text(path.read_text().replace('"ada"', '"eve"'))
    seal_anew(store.place, "depot")

    with pytest.raises(StoreError) as caught:
        log.list_entries()
    assert caught.value.faults[0].code == "audit-log-broken"


@pytest.mark.parametrize("number", [1, 2], ids=["first", "middle"])
def test_a_removed_entry_breaks_the_chain(store: Store, log: AuditLog, number: int) -> None:
    three_decisions(store, log)
    entry(store, number).unlink()
    seal_anew(store.place, "depot")

    with pytest.raises(StoreError) as caught:
        log.list_entries()
    assert caught.value.faults[0].code == "audit-log-broken"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"sequence": 1}', '{"verdict": "approve", "kind": "ghost"}'],
    ids=["empty", "cut off", "list", "incomplete", "unknown kind"],
)
def test_an_entry_that_cannot_be_read_breaks_the_chain(
    store: Store, log: AuditLog, text: str
) -> None:
    three_decisions(store, log)
    entry(store, 3).write_text(text)
    seal_anew(store.place, "depot")

    with pytest.raises(StoreError) as caught:
        log.list_entries()
    assert caught.value.faults[0].code == "audit-log-broken"


def test_a_cut_end_shows_against_the_head_of_a_release(store: Store, log: AuditLog) -> None:
    three_decisions(store, log)
    head = log.read_head()

    entry(store, 3).unlink()
    seal_anew(store.place, "depot")

    assert log.read_head() != head


def test_nothing_is_decided_on_a_broken_log(store: Store, log: AuditLog) -> None:
    three_decisions(store, log)
    entry(store, 1).unlink()

    with pytest.raises(StoreError):
        log.append_decision(waiting(store, "k4"), DecisionVerdict.APPROVE, "ada", PERSON)


def test_feedback_is_kept_in_order_per_stage(store: Store, log: AuditLog) -> None:
    log.append_decision(
        waiting(store, "k1"), DecisionVerdict.REQUEST_CHANGES, "ada", PERSON, Opinion("shorter")
    )
    log.append_decision(
        waiting(store, "k2"), DecisionVerdict.REQUEST_CHANGES, "ada", PERSON, Opinion("clearer")
    )
    log.append_decision(waiting(store, "k3"), DecisionVerdict.REJECT, "ada", PERSON, Opinion("no"))

    assert log.list_feedback("sop") == ("shorter", "clearer")
    assert log.list_feedback("tools") == ()


def test_no_person_decides_under_the_name_of_a_policy(store: Store, log: AuditLog) -> None:
    with pytest.raises(StoreError) as caught:
        log.append_decision(waiting(store), DecisionVerdict.APPROVE, "approve-clean", PERSON)

    assert caught.value.faults[0].code == "policy-name"
    assert log.list_entries() == []


def test_words_stand_beside_the_entry_and_are_known_by_their_digest(
    store: Store, log: AuditLog
) -> None:
    made = log.append_decision(
        waiting(store), DecisionVerdict.REQUEST_CHANGES, "ada", PERSON, Opinion("shorter")
    )

    assert "shorter" not in entry(store, 1).read_text(encoding="utf-8")
    assert made.words == sha256(b"shorter").hexdigest()
    assert log.read_words(made) == "shorter"
    kept = Path(store.place) / "depot" / "words" / f"{made.words}.txt"
    kept.write_text("longer", encoding="utf-8")
    with pytest.raises(StoreError, match="differs from the recorded one"):
        log.list_feedback("sop")


def test_words_in_an_entry_of_before_are_read(store: Store, log: AuditLog) -> None:
    log.append_decision(waiting(store), DecisionVerdict.REQUEST_CHANGES, "ada", PERSON)
    path = entry(store, 1)
    known = json.loads(path.read_text(encoding="utf-8"))
    del known["words"]
    path.write_text(json.dumps({**known, "feedback": "shorter"}), encoding="utf-8")
    seal_anew(store.place, "depot")

    assert log.list_feedback("sop") == ("shorter",)


def test_a_decision_pins_the_findings_that_were_shown(store: Store, log: AuditLog) -> None:
    version = waiting(store)
    clean = replace(version, manifest=replace(version.manifest, findings=()))

    shown = log.append_decision(version, DecisionVerdict.APPROVE, "ada", PERSON)
    other = log.append_decision(clean, DecisionVerdict.APPROVE, "grace", PERSON)

    assert shown.findings != other.findings


def decide_at_once(store: Store, version: Version, names: list[str]) -> list[str]:
    """Let each name approve in a thread of its own; return the codes of the refusals."""
    barrier, refusals = Barrier(len(names)), list[str]()

    def approve(by: str) -> None:
        own = open_store(Path(store.place))
        barrier.wait()
        try:
            AuditLog(own.get_domain("depot")).append_decision(
                version, DecisionVerdict.APPROVE, by, PERSON
            )
        except StoreError as cause:
            refusals.append(cause.faults[0].code)

    threads = [Thread(target=approve, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return refusals


def test_two_people_who_approve_at_once_both_count(store: Store, log: AuditLog) -> None:
    version = waiting(store)

    assert decide_at_once(store, version, ["ada", "grace"]) == []
    assert {decision.by for decision in log.list_entries()} == {"ada", "grace"}


def test_one_person_who_approves_at_once_in_many_windows_counts_once(
    store: Store, log: AuditLog
) -> None:
    version = waiting(store)

    assert decide_at_once(store, version, ["ada"] * 4) == ["second-decision"] * 3
    assert [decision.by for decision in log.list_entries()] == ["ada"]


def test_an_entry_can_be_read_without_sopforge(store: Store, log: AuditLog) -> None:
    version = waiting(store)
    log.append_decision(version, DecisionVerdict.REQUEST_CHANGES, "ada", PERSON, Opinion("shorter"))

    stored = json.loads(entry(store, 1).read_text(encoding="utf-8"))

    assert stored["verdict"] == "request_changes"
    assert stored["kind"] == "person"
    assert (stored["by"], stored["words"]) == ("ada", sha256(b"shorter").hexdigest())
    assert stored["content"] == version.manifest.content
    assert stored["at"].endswith("+00:00")


def test_as_many_persons_approve_as_are_asked_for(store: Store, log: AuditLog) -> None:
    version = waiting(store)

    log.append_decision(version, DecisionVerdict.APPROVE, "ada", PERSON)
    after_one = log.compute_gate_state(version, approvers=2)
    log.append_decision(version, DecisionVerdict.APPROVE, "approve-clean", POLICY)
    after_policy = log.compute_gate_state(version, approvers=2)
    log.append_decision(version, DecisionVerdict.APPROVE, "grace", PERSON)

    assert after_one is after_policy is GateState.WAITING
    assert log.compute_gate_state(version, approvers=2) is GateState.APPROVED
    assert log.compute_gate_state(version, approvers=3) is GateState.WAITING


def test_one_rejection_outweighs_approvals(store: Store, log: AuditLog) -> None:
    version = waiting(store)
    log.append_decision(version, DecisionVerdict.REJECT, "ada", PERSON)
    log.append_decision(version, DecisionVerdict.APPROVE, "grace", PERSON)

    assert log.compute_gate_state(version) is GateState.REJECTED


def test_a_carried_approval_names_the_entry_that_it_carries(store: Store, log: AuditLog) -> None:
    approval = log.append_decision(waiting(store), DecisionVerdict.APPROVE, "ada", PERSON)
    again = waiting(store, key="k2")

    carried = log.renew_approval(again, approval)

    assert (carried.carries, carried.by, carried.kind) == (1, "ada", PERSON)
    assert carried.key == "k2"
    assert log.compute_gate_state(again) is GateState.APPROVED
    assert log.list_entries() == [approval, carried]


def test_marks_and_points_are_kept_with_a_decision(store: Store, log: AuditLog) -> None:
    said = Opinion("fine", {"ease": 7, "ambiguity": 2}, ("Every limit is named.",))
    log.append_decision(waiting(store), DecisionVerdict.APPROVE, "ada", PERSON, said)

    (found,) = log.list_entries()

    assert found.ratings == {"ease": 7, "ambiguity": 2}
    assert found.checked == ("Every limit is named.",)


def test_an_entry_of_before_ratings_is_read(store: Store, log: AuditLog) -> None:
    log.append_decision(waiting(store), DecisionVerdict.APPROVE, "ada", PERSON)
    path = entry(store, 1)
    known = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({k: v for k, v in known.items() if k not in NEWER}))
    seal_anew(store.place, "depot")

    (found,) = log.list_entries()

    assert (found.by, found.ratings, found.checked, found.carries) == ("ada", {}, (), 0)
