"""Commands sign what a person decides, show who signed what, and refuse before they record."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from sopforge.store.digests import digest_files
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.running.commands import Ran, run
from tests.worlds.keys import listed, needs_ssh_keygen
from tests.worlds.quick_builds import approve_to, go, settle
from tests.worlds.worded import let_worded_wait

pytestmark = needs_ssh_keygen


@pytest.fixture
def signers(keys: dict[str, Path], tmp_path: Path) -> Path:
    """Return a file of allowed signers."""
    path = tmp_path / "signers"
    lines = [listed("ada", keys["ada"]), listed("grace", keys["grace"])]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def signed_by(keys: dict[str, Path], signers: Path) -> dict[str, tuple[str | Path, ...]]:
    """Return the options that sign with each key, and with one that is not there."""
    named = {**keys, "nothing": Path("nothing")}
    verified = ("--allowed-signers", signers)
    return {name: ("--signing-key", key, *verified) for name, key in named.items()}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a store in which the schema waits."""
    opened = open_store(tmp_path / "store")
    go(opened)
    return opened


def said(store: Store, *arguments: str | Path) -> Ran:
    return run(*map(str, arguments), "--store", store.place)


def value(store: Store, *arguments: str | Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said(store, *arguments, "--json").out)
    return found


def test_a_decision_is_signed_and_reported_as_signed(
    store: Store, keys: dict[str, Path], signers: Path
) -> None:
    ran = said(store, "approve", "refund", "schema", "--by", "ada", "--signing-key", keys["ada"])
    assert ran.code == 0
    assert ran.out.splitlines()[1] == "Your decision is signed."

    verified = ("--allowed-signers", signers)
    status = said(store, "status", "refund", *verified).out
    assert "\n  schema: entry 1, approve by ada: signed by ada (SHA256:" in status
    (stage,) = value(store, "status", "refund", *verified)["stages"]
    (decision,) = stage["decisions"]
    assert (decision["by"], decision["signature"]["standing"]) == ("ada", "signed")
    assert value(store, "show", "refund", "schema", *verified)["decisions"] == [decision]
    shown = said(store, "show", "refund", "schema", *verified).out
    assert "  entry 1, approve by ada: signed by ada (SHA256:" in shown


def test_every_command_that_decides_signs(store: Store, keys: dict[str, Path]) -> None:
    key = ("--by", "ada", "--signing-key", keys["ada"])
    let_worded_wait(store, "refund")
    asked = ("--feedback", "Shorter.")
    assert value(store, "request-changes", "refund", "schema", *asked, *key)["is_signed"]
    go(store)
    assert value(store, "approve", "refund", "schema", *key)["is_signed"]
    text = Path(store.place).parent / "sop.txt"
    text.write_text(go(store).version.files["sop.txt"] + "More.\n", encoding="utf-8")
    assert value(store, "edit", "refund", "sop", "--from", text, *key)["is_signed"]
    go(store)
    assert value(store, "reject", "refund", "sop", *key)["is_signed"]
    store.get_domain("refund").save_release("1.0.0", {}, {"audit_log": ""})
    assert value(store, "yank", "refund", "1.0.0", "--reason", "wrong", *key)["is_signed"]
    assert sorted(AuditLog(store.get_domain("refund")).read_signatures()) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("key", "by", "code"),
    [
        ("nothing", "ada", "signing-failed"),
        ("ada", "*", "signer-name"),
        ("grace", "ada", "signature-other-signer"),
    ],
)
def test_what_cannot_be_signed_is_not_recorded(
    store: Store, signed_by: dict[str, tuple[str | Path, ...]], key: str, by: str, code: str
) -> None:
    ran = said(store, "approve", "refund", "schema", "--by", by, *signed_by[key])
    assert ran.code == 2
    assert ran.err.startswith(f"{code}: ")
    assert AuditLog(store.get_domain("refund")).list_entries() == []


def test_without_ssh_keygen_nothing_is_recorded(
    store: Store, keys: dict[str, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = said(store, "approve", "refund", "schema", "--signing-key", keys["ada"])
    assert ran.code == 2
    assert ran.err.startswith("ssh-keygen-missing: ssh-keygen is not installed")
    assert AuditLog(store.get_domain("refund")).list_entries() == []


def test_the_settings_are_shown_and_set(store: Store, signers: Path, tmp_path: Path) -> None:
    assert said(store, "store", "signers").out.startswith("The store keeps no allowed signers.")
    assert value(store, "store", "signers") == {"signers": []}

    rows = said(store, "store", "signers", "--from", signers).out.splitlines()

    assert [row.split()[0] for row in rows] == ["names", "ada", "grace"]
    found = value(store, "store", "signers")["signers"]
    assert [(item["names"], item["options"]) for item in found] == [(["ada"], {}), (["grace"], {})]
    assert found[0]["key"].startswith("SHA256:")
    broken = tmp_path / "broken"
    broken.write_text(signers.read_text(encoding="utf-8") + "mallory\n", encoding="utf-8")
    ran = said(store, "store", "signers", "--from", broken)
    assert (ran.code, ran.err.splitlines()[0]) == (
        2,
        f"signers-malformed: {broken}:3: the line lacks names, a key type or a key",
    )
    assert value(store, "store", "signers")["signers"] == found


def test_a_key_that_ssh_keygen_does_not_read_is_not_kept(store: Store, tmp_path: Path) -> None:
    cut = tmp_path / "cut"
    cut.write_text("ada ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA\n", encoding="utf-8")
    ran = said(store, "store", "signers", "--from", cut)
    assert (ran.code, ran.err.splitlines()[0]) == (
        2,
        f"signers-malformed: {cut}:1: ssh-keygen cannot read its key",
    )
    assert not Path(store.place, "allowed-signers").exists()


def test_a_file_comes_before_the_variable_and_that_before_the_store_s_own(
    store: Store,
    keys: dict[str, Path],
    signers: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said(store, "approve", "refund", "schema", "--by", "ada", "--signing-key", keys["ada"])
    nobody, other = tmp_path / "nobody", tmp_path / "other"
    nobody.write_text("# nobody\n", encoding="utf-8")
    other.write_text(listed("bob", keys["ada"]) + "\n", encoding="utf-8")

    def code(*arguments: str | Path) -> str | None:
        (stage,) = value(store, "status", "refund", *arguments)["stages"]
        found: str | None = stage["decisions"][0]["signature"]["code"]
        return found

    assert code() == "signature-unverified"
    said(store, "store", "signers", "--from", other)
    assert code() == "signature-other-signer"
    monkeypatch.setenv("SOPFORGE_ALLOWED_SIGNERS", str(nobody))
    assert code() == "signature-unknown-key"
    assert code("--allowed-signers", signers) is None


def test_check_store_ends_with_1_where_a_signature_is_refused(
    store: Store, keys: dict[str, Path], signers: Path
) -> None:
    said(store, "approve", "refund", "schema", "--by", "ada", "--signing-key", keys["grace"])
    assert said(store, "store", "check").code == 0

    ran = said(store, "store", "check", "--allowed-signers", signers)

    assert (ran.code, ran.out) == (1, "refund: 1 item damaged\n")
    assert ran.err.splitlines()[0] == (
        f"signature-other-signer: {store.place}/refund/signatures/000001.sig: the key does not"
        " belong to ada, but to grace"
    )
    (fault,) = value(store, "store", "check", "--allowed-signers", signers)["refund"]
    assert fault["code"] == "signature-other-signer"


def test_an_unsigned_store_says_so(store: Store) -> None:
    settle(store, "schema")
    assert "signatures: none; everything is unsigned" in said(store, "status", "refund").out
    assert "entry 1, approve by ada: unsigned" in said(store, "show", "refund", "schema").out


def test_what_stands_under_a_name_is_shown_before_it_is_signed(
    store: Store, keys: dict[str, Path], signers: Path
) -> None:
    approve_to(store, "sop")
    settle(store, "sop", by="grace")
    content = store.get_domain("refund").list_versions("schema")[-1].manifest.content
    sign = ("sign", "refund", "--by", "ada", "--signing-key", keys["ada"])
    verified = ("--allowed-signers", signers)

    asked = said(store, *sign, *verified)
    assert asked.code == 2
    assert "there is no terminal: entry 1: ada, approve, schema " + content[:12] in asked.err
    assert AuditLog(store.get_domain("refund")).read_signatures() == {}

    done = said(store, *sign, *verified, "--yes")
    assert (done.code, done.out) == (0, "Signed 1 of 1.\n")
    assert done.err.startswith(f"entry 1: ada, approve, schema {content[:12]}, ")
    assert sorted(AuditLog(store.get_domain("refund")).read_signatures()) == [1]
    assert said(store, *sign, *verified).out.startswith("Nothing to sign")
    again = value(store, "sign", "refund", "--by", "grace", *sign[4:], "--yes")
    assert [item["entry"] for item in again["signed"]] == [2]
    assert again["signed"][0].keys() == {
        *("domain", "stage", "content", "verdict", "by", "at", "entry"),
    }


def test_who_says_no_signs_nothing(
    store: Store, keys: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(store, "schema")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("typer.confirm", lambda question, err: not (question and err))
    ran = said(store, "sign", "refund", "--by", "ada", "--signing-key", keys["ada"])
    assert ran.out == "Signed 0 of 1.\n"
    assert AuditLog(store.get_domain("refund")).read_signatures() == {}


def test_signing_takes_a_key(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOPFORGE_SIGNING_KEY", raising=False)
    ran = said(store, "sign", "refund")
    assert (ran.code, ran.err.splitlines()[0]) == (
        2,
        "signing-key-missing: --signing-key: no signing key is named",
    )


def test_a_release_is_signed_once_and_copied_with_its_signature(
    store: Store, keys: dict[str, Path], signers: Path, tmp_path: Path
) -> None:
    store.get_domain("refund").save_release(
        "1.0.0", {}, {"audit_log": "", "files": digest_files({})}
    )
    sign = ("sign", "refund", "--release", "1.0.0", "--signing-key", keys["ada"], "--yes")
    assert said(store, *sign).out == "Signed 1 of 1.\n"
    assert said(store, *sign).out.startswith("Nothing to sign")
    assert said(store, *sign, "--again").out == "Signed 1 of 1.\n"

    status = said(store, "status", "refund", "--allowed-signers", signers).out
    assert "\n  release 1.0.0: signed by ada (SHA256:" in status
    kept = value(store, "status", "refund", "--allowed-signers", signers)["signatures"]
    assert kept["1.0.0"]["by"] == "ada"
    copy = tmp_path / "copy"
    assert said(store, "fetch", "refund@1.0.0", copy).code == 0
    assert (copy / "release.json.sig").is_file()
    shutil.rmtree(copy)
