"""Decisions are signed as they are made or afterwards; forged ones are found out, and how."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from sopforge.errors import StoreError
from sopforge.pipeline.gates.gate import edit
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.releases.signatures import (
    find_refused_signatures,
    list_unsigned_decisions,
    load_signed_log,
    sign_decision,
)
from sopforge.pipeline.stages.pipeline import list_approved_versions
from sopforge.pipeline.upkeep.damage import find_damage
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.log.yanks import yank
from sopforge.store.opening import open_store
from sopforge.store.signatures.allowed_signers import AllowedSigners, keep_signers
from sopforge.store.signatures.signing import Signer
from sopforge.store.signatures.ssh_keygen import SshKeygenError
from sopforge.store.versions import Store
from tests.worlds.keys import allowed, listed, needs_ssh_keygen
from tests.worlds.quick_builds import approve_to, go, refund, settle
from tests.worlds.sealing import seal_anew

pytestmark = needs_ssh_keygen

TWO = ("author: offline", "gates: {approvers: {schema: 2, sop: 2}}\nauthor: offline")


@pytest.fixture
def signers(keys: dict[str, Path]) -> AllowedSigners:
    return allowed(listed("ada", keys["ada"]), listed("grace", keys["grace"]))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a store in which the schema waits for two persons."""
    opened = open_store(tmp_path)
    go(opened, refund(TWO))
    return opened


def approve(store: Store, by: str, key: Path | None = None, stage: str = "schema") -> None:
    sign = Signer(key).sign_entry if key else None
    settle(store, stage, by=by, sign=sign)


def states(store: Store, signers: AllowedSigners | None) -> list[str]:
    """Return the standing of each entry's signature, or why it is refused."""
    found = load_signed_log(store.get_domain("refund"), signers).signatures.values()
    return [item.fault.code if item.fault else item.standing for item in found]


def entry_path(store: Store, number: int) -> Path:
    return Path(store.place, "refund", "decisions", f"{number:06d}.json")


def signature_path(store: Store, number: int) -> Path:
    return Path(store.place, "refund", "signatures", f"{number:06d}.sig")


def test_each_decision_is_signed_as_it_is_made(
    store: Store, keys: dict[str, Path], signers: AllowedSigners
) -> None:
    approve(store, "ada", keys["ada"])
    approve(store, "grace", keys["grace"])
    text = go(store, refund(TWO)).version.files["sop.txt"]
    sign = Signer(keys["ada"]).sign_entry
    edit(
        store.get_domain("refund"),
        stage="sop",
        digest="",
        text=text + "More.\n",
        by="ada",
        sign=sign,
    )
    store.get_domain("refund").save_release("1.0.0", {}, {"audit_log": ""})
    signed = Signer(keys["grace"]).sign_entry
    yank(store.get_domain("refund"), "1.0.0", by="grace", reason="wrong", sign=signed)

    assert states(store, signers) == ["signed"] * 4
    assert find_refused_signatures(store.get_domain("refund"), signers) == []
    assert find_damage(store.get_domain("refund"), signers) == find_damage(
        store.get_domain("refund")
    )


def test_a_key_that_cannot_sign_leaves_nothing_over(store: Store, tmp_path: Path) -> None:
    before = sorted(Path(store.place).rglob("*"))
    with pytest.raises(SshKeygenError):
        approve(store, "ada", tmp_path / "no_key")

    assert sorted(Path(store.place).rglob("*")) == before
    approve(store, "ada")
    assert len(AuditLog(store.get_domain("refund")).list_entries()) == 1


def test_a_process_killed_before_the_signature_leaves_a_decision_to_be_signed(
    store: Store,
    keys: dict[str, Path],
    signers: AllowedSigners,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(AuditLog, "keep_signature", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            approve(store, "ada", keys["ada"])
    assert states(store, signers) == ["unsigned"]

    with pytest.raises(StoreError) as caught:
        approve(store, "ada", keys["ada"])  # It is not recorded twice.
    assert caught.value.faults[0].code == "second-decision"
    (left,) = list_unsigned_decisions(load_signed_log(store.get_domain("refund"), signers), "ada")
    sign_decision(store.get_domain("refund"), left, Signer(keys["ada"], signers))

    assert states(store, signers) == ["signed"]


def test_what_stands_under_a_name_unsigned_is_what_persons_of_it_decided(
    store: Store, keys: dict[str, Path], signers: AllowedSigners
) -> None:
    approve(store, "ada")
    approve(store, "grace")
    approve_to(store, "sop", refund(TWO))
    approve(store, "ada", keys["ada"], "sop")
    approve(store, "grace", None, "sop")
    go(store, refund(TWO), approve_clean=True)
    log = load_signed_log(store.get_domain("refund"), signers)

    assert [entry.sequence for entry in list_unsigned_decisions(log, "ada")] == [1]
    assert [entry.sequence for entry in list_unsigned_decisions(log, "grace")] == [2, 4]
    assert list_unsigned_decisions(log, "approve-clean") == []


def rewrite(path: Path, **parts: Any) -> None:  # noqa: ANN401 - any JSON
    value = json.loads(path.read_text(encoding="utf-8"))
    text = json.dumps({**value, **parts}, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")


def rewrite_as_grace(store: Store) -> None:
    rewrite(entry_path(store, 2), by="grace")


def move_older_signature(store: Store) -> None:
    signature_path(store, 2).write_bytes(signature_path(store, 1).read_bytes())


def make_approval_of_rejection(store: Store) -> None:
    rewrite(entry_path(store, 2), verdict="reject")


def drop_newest_entry(store: Store) -> None:
    entry_path(store, 2).unlink()


def cut_signature(store: Store) -> None:
    path = signature_path(store, 2)
    path.write_bytes(path.read_bytes()[:100])


@pytest.mark.parametrize(
    ("forge", "code"),
    [
        (rewrite_as_grace, "signature-other-text"),
        (move_older_signature, "signature-older-entry"),
        (make_approval_of_rejection, "signature-other-text"),
        (cut_signature, "signature-malformed"),
        (drop_newest_entry, "signature-without-entry"),
    ],
)
def test_a_forged_decision_is_found_out_with_its_reason(
    store: Store,
    keys: dict[str, Path],
    signers: AllowedSigners,
    forge: Callable[[Store], None],
    code: str,
) -> None:
    approve(store, "grace", keys["grace"])
    approve(store, "ada", keys["ada"])
    forge(store)
    seal_anew(store.place, "refund")  # Whoever forges the log can forge its seal, too.

    (fault,) = find_refused_signatures(store.get_domain("refund"), signers)

    assert fault.code == code
    assert fault.where == str(signature_path(store, 2))
    assert code in {item.code for item in find_damage(store.get_domain("refund"), signers)}


def test_an_approval_signed_by_somebody_else_is_found_out(
    store: Store, keys: dict[str, Path], signers: AllowedSigners
) -> None:
    approve(store, "ada", keys["grace"])

    (fault,) = find_refused_signatures(store.get_domain("refund"), signers)

    assert (fault.code, fault.message) == (
        "signature-other-signer",
        "the key does not belong to ada, but to grace",
    )


def test_a_policy_s_approval_rewritten_into_a_person_s_is_unsigned(
    tmp_path: Path, keys: dict[str, Path], signers: AllowedSigners
) -> None:
    store = open_store(tmp_path / "other")
    go(store)
    settle(store, "schema")
    go(store, approve_clean=True)
    newest = len(AuditLog(store.get_domain("refund")).list_entries())
    rewrite(entry_path(store, newest), by="ada", kind="person")
    seal_anew(store.place, "refund")
    sign_decision(
        store.get_domain("refund"),
        AuditLog(store.get_domain("refund")).list_entries()[0],
        Signer(keys["ada"], signers),
    )

    assert states(store, signers) == ["signed", *["unsigned"] * (newest - 1)]
    unsigned = list_unsigned_decisions(load_signed_log(store.get_domain("refund"), signers), "ada")
    assert [entry.sequence for entry in unsigned] == [newest]


def test_nothing_is_published_from_a_log_with_a_signature_that_is_refused(
    store: Store, keys: dict[str, Path], signers: AllowedSigners
) -> None:
    approve(store, "ada", keys["grace"])
    approve(store, "grace", keys["grace"])
    approve_to(store, "sop", refund(TWO))
    for by in ("ada", "grace"):
        approve(store, by, None, "sop")
    go(store, refund(TWO), approve_clean=True)
    assert list_approved_versions(store, refund(TWO))

    codes = []
    keep_signers(store.objects, signers)
    for given in (signers, None):  # None: the store's own.
        with pytest.raises(StoreError) as caught:
            publish(store, refund(TWO), signers=given)
        codes += [fault.code for fault in caught.value.faults]

    assert codes == ["signature-other-signer"] * 2
    assert store.get_domain("refund").list_releases() == []


def test_what_is_refused_is_signed_anew_where_that_is_asked_for(
    store: Store, keys: dict[str, Path], signers: AllowedSigners
) -> None:
    approve(store, "ada", keys["grace"])
    log = load_signed_log(store.get_domain("refund"), signers)
    assert list_unsigned_decisions(log, "ada") == []
    (left,) = list_unsigned_decisions(log, "ada", again=True)
    sign_decision(store.get_domain("refund"), left, Signer(keys["ada"], signers))
    assert states(store, signers) == ["signed"]


def test_an_entry_that_was_changed_since_it_was_shown_is_not_signed(
    store: Store, keys: dict[str, Path], signers: AllowedSigners
) -> None:
    approve(store, "ada")
    (left,) = list_unsigned_decisions(load_signed_log(store.get_domain("refund"), signers), "ada")
    rewrite(entry_path(store, 1), verdict="reject")
    seal_anew(store.place, "refund")
    with pytest.raises(StoreError) as caught:
        sign_decision(store.get_domain("refund"), left, Signer(keys["ada"], signers))
    assert caught.value.faults[0].code == "store-damaged"
    assert not signature_path(store, 1).exists()
