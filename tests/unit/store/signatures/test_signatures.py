"""A signature is of one entry, by a key that its decider owned then; or it is said why not."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest

from sopforge.errors import StoreError
from sopforge.store.entries import DeciderKind, Decision, DecisionVerdict
from sopforge.store.signatures import ssh_keygen
from sopforge.store.signatures.allowed_signers import AllowedSigners
from sopforge.store.signatures.refusals import OF_DECISION, OF_RELEASE
from sopforge.store.signatures.signatures import (
    Signature,
    SignatureStanding,
    check_entries,
    check_release,
)
from sopforge.store.signatures.signing import Signer
from sopforge.store.signatures.ssh_keygen import SshKeygenError
from tests.worlds.keys import allowed, listed, make_key, needs_ssh_keygen

pytestmark = needs_ssh_keygen

NOON = "2026-05-04T12:00:00+00:00"


@pytest.fixture
def signers(keys: dict[str, Path]) -> AllowedSigners:
    return allowed(listed("ada", keys["ada"]), listed("grace", keys["grace"]))


def entry(sequence: int = 1, by: str = "ada", at: str = NOON) -> str:
    """Return the text of an entry; its number, its decider and its time count."""
    decision = Decision(
        sequence,
        "",
        at,
        "depot",
        "sop",
        "k",
        "c",
        "",
        DecisionVerdict.APPROVE,
        by,
        DeciderKind.PERSON,
    )
    return json.dumps(asdict(decision), indent=1) + "\n"


def signed(text: str, key: Path, namespace: str = OF_DECISION) -> bytes:
    return ssh_keygen.sign(text.encode(), key, namespace)


def found(
    signers: AllowedSigners | None, signature: bytes, *texts: str, number: int = 1
) -> Signature:
    """Return what is known of the signature of one of the entries."""
    return check_entries(texts, {number: signature}, signers, "depot/signatures")[number]


def refused(found: Signature) -> tuple[str, str]:
    assert found.standing is SignatureStanding.REFUSED
    assert found.fault is not None
    return found.fault.code, found.fault.message


def test_a_decision_is_signed_by_its_decider_s_key(
    keys: dict[str, Path], signers: AllowedSigners
) -> None:
    line = ["ssh-keygen", "-l", "-f", str(keys["ada"])]
    fingerprint = subprocess.run(line, check=True, capture_output=True, text=True).stdout.split()[1]

    state = found(signers, signed(entry(), keys["ada"]), entry())

    assert state.standing is SignatureStanding.SIGNED
    assert state.summary == f"signed by ada ({fingerprint})"
    assert state.as_record() == {
        "standing": "signed",
        "by": "ada",
        "key": fingerprint,
        "code": None,
        "summary": state.summary,
    }


def test_without_a_signature_it_is_unsigned(signers: AllowedSigners) -> None:
    (state,) = check_entries([entry()], {}, signers, "depot/signatures").values()
    assert (state.standing, state.summary) == (SignatureStanding.UNSIGNED, "unsigned")


def test_without_allowed_signers_nothing_is_verified(keys: dict[str, Path]) -> None:
    state = found(None, signed(entry(), keys["ada"]), entry())
    assert state.standing is SignatureStanding.UNVERIFIED
    assert state.summary == (
        "signed, but no allowed signers are listed, so the signature was not verified"
    )


def test_without_allowed_signers_a_changed_text_is_refused_all_the_same(
    keys: dict[str, Path],
) -> None:
    assert refused(found(None, signed(entry(), keys["ada"]), entry(by="grace"))) == (
        "signature-other-text",
        "entry 1 was changed after it was signed, or this is the signature of something else",
    )


def test_somebody_else_s_key_is_refused_with_whose_it_is(
    keys: dict[str, Path], signers: AllowedSigners
) -> None:
    assert refused(found(signers, signed(entry(), keys["grace"]), entry())) == (
        "signature-other-signer",
        "the key does not belong to ada, but to grace",
    )


def test_an_entry_rewritten_as_somebody_else_s_is_refused(
    keys: dict[str, Path], signers: AllowedSigners
) -> None:
    state = found(signers, signed(entry(by="grace"), keys["grace"]), entry(by="ada"))
    assert refused(state)[0] == "signature-other-text"


def test_a_key_that_nobody_lists_is_refused(keys: dict[str, Path], signers: AllowedSigners) -> None:
    assert refused(found(signers, signed(entry(), keys["mallory"]), entry())) == (
        "signature-unknown-key",
        "its key is not listed in signers: the signer is unknown or was removed",
    )


def test_a_signer_who_was_removed_is_refused(keys: dict[str, Path]) -> None:
    left = allowed(listed("grace", keys["grace"]))
    state = found(left, signed(entry(), keys["ada"]), entry())
    assert refused(state)[0] == "signature-unknown-key"


def test_a_key_that_had_expired_is_refused(keys: dict[str, Path]) -> None:
    line = listed("ada", keys["ada"], 'valid-before="20260504110000Z"')
    assert refused(found(allowed(line), signed(entry(), keys["ada"]), entry())) == (
        "signature-expired",
        (
            "ada's key expired at 2026-05-04 11:00:00 UTC, but entry 1 is dated"
            " 2026-05-04 12:00:00 UTC"
        ),
    )


def test_a_key_that_expired_since_holds_for_what_it_signed_before(keys: dict[str, Path]) -> None:
    line = listed("ada", keys["ada"], 'valid-before="20260504130000Z"')
    assert found(allowed(line), signed(entry(), keys["ada"]), entry()).summary.startswith(
        "signed by"
    )


def test_a_key_that_is_not_yet_valid_is_refused(keys: dict[str, Path]) -> None:
    line = listed("ada", keys["ada"], 'valid-after="202605041300Z"')
    assert refused(found(allowed(line), signed(entry(), keys["ada"]), entry())) == (
        "signature-not-yet-valid",
        (
            "ada's key is valid from 2026-05-04 13:00:00 UTC, but entry 1 is dated"
            " 2026-05-04 12:00:00 UTC"
        ),
    )


def test_times_without_a_zone_are_utc_on_every_machine(
    keys: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")  # nine hours ahead
    line = listed("ada", keys["ada"], 'valid-after="20260504115900",valid-before="20260504120100"')
    assert (
        found(allowed(line), signed(entry(), keys["ada"]), entry()).standing
        is SignatureStanding.SIGNED
    )


def test_an_expired_key_cannot_sign_as_of_a_time_before_the_entries_in_front(
    keys: dict[str, Path],
) -> None:
    line = listed("ada", keys["ada"], 'valid-before="20260504110000Z"')
    backdated = entry(2, at="2026-05-04T10:00:00+00:00")
    signature = signed(backdated, keys["ada"])

    assert found(allowed(line), signature, backdated).standing is SignatureStanding.SIGNED
    backdated_grace = found(allowed(line), signature, entry(by="grace"), backdated, number=2)
    assert refused(backdated_grace)[0] == "signature-expired"


def test_the_signature_of_an_older_entry_is_reported_as_that(
    keys: dict[str, Path], signers: AllowedSigners
) -> None:
    texts = [entry(number) for number in (1, 2, 3)]
    assert refused(found(signers, signed(texts[1], keys["ada"]), *texts, number=3)) == (
        "signature-older-entry",
        "it is the signature of entry 2",
    )


def test_a_signature_made_for_something_else_is_refused(
    keys: dict[str, Path], signers: AllowedSigners
) -> None:
    assert refused(found(signers, signed(entry(), keys["ada"], "file"), entry())) == (
        "signature-namespace",
        "it was made for 'file', not for 'sopforge-decision'",
    )


def test_a_key_listed_for_something_else_alone_is_refused(keys: dict[str, Path]) -> None:
    only = allowed(listed("ada", keys["ada"], 'namespaces="sopforge-release"'))
    assert refused(found(only, signed(entry(), keys["ada"]), entry())) == (
        "signature-namespace",
        "ada's key may only sign sopforge-release, not sopforge-decision",
    )


BEGIN, END = b"-----BEGIN SSH SIGNATURE-----\n", b"\n-----END SSH SIGNATURE-----\n"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe no text",
        BEGIN + b"U1NIU0lHAAAAAQAAADMAAAALc3No",
        BEGIN + b"!!!" + END,
        BEGIN + END,
        BEGIN + b"U1NIU0lIAAAAAQ==" + END,
        BEGIN + b"U1NIU0lHAAAAAQ==" + END,
    ],
    ids=["empty", "bytes", "cut", "no base64", "nothing in it", "other magic", "no fields"],
)
def test_what_is_no_signature_is_refused(signers: AllowedSigners, data: bytes) -> None:
    assert refused(found(signers, data, entry()))[0] == "signature-malformed"


@pytest.mark.parametrize("by", ["*", "a?a", "ada,grace", "!ada", "-ada", "#ada", 'a"da', "a\\da"])
def test_a_name_that_is_a_pattern_or_an_option_signs_nothing(
    keys: dict[str, Path], by: str
) -> None:
    anybody = allowed(listed("*", keys["ada"]))
    state = found(anybody, signed(entry(by=by), keys["ada"]), entry(by=by))
    assert refused(state)[0] == "signer-name"


@pytest.mark.parametrize("by", ["ada\0", "ada\nsigned", "\udcff"])
def test_a_forged_name_that_cannot_be_seen_is_refused(keys: dict[str, Path], by: str) -> None:
    text = entry().replace('"ada"', json.dumps(by))
    anybody = allowed(listed("*", keys["ada"]))
    try:
        state = found(anybody, signed(text, keys["ada"]), text)
    except StoreError as refusal:  # No entry can have half of a pair of characters.
        assert refusal.faults[0].code == "audit-log-broken"  # noqa: PT017
    else:
        assert refused(state)[0] == "signer-name"


def test_a_name_may_have_blanks_and_letters_of_any_script(keys: dict[str, Path]) -> None:
    name = "Ада Лавлейс"
    listing = allowed(listed(f'"{name}"', keys["ada"]))
    text = entry(by=name)
    assert found(listing, signed(text, keys["ada"]), text).by == name


@pytest.mark.parametrize("at", ["", "yesterday", "2026-05-04T12:00:00"])
def test_an_entry_whose_time_cannot_be_read_is_refused(
    keys: dict[str, Path], signers: AllowedSigners, at: str
) -> None:
    text = entry(at=at)
    assert refused(found(signers, signed(text, keys["ada"]), text)) == (
        "signature-time",
        "the time of entry 1 cannot be read",
    )


def test_an_authority_lets_its_certificates_sign(keys: dict[str, Path], tmp_path: Path) -> None:
    authority, own = make_key(tmp_path, "authority"), make_key(tmp_path, "own")
    names = ["-I", "ada", "-n", "ada"]
    made = ["ssh-keygen", "-q", "-s", str(authority), *names, f"{own}.pub"]
    subprocess.run(made, check=True, capture_output=True)
    signature = signed(entry(), Path(f"{own}-cert.pub"))

    listing = allowed(listed("*", authority, "cert-authority"))
    assert found(listing, signature, entry()).by == "ada"
    unlisted = found(allowed(listed("ada", keys["ada"])), signature, entry())
    assert refused(unlisted)[0] == "signature-refused"


def test_a_release_is_signed_by_anybody_who_is_listed(
    keys: dict[str, Path], signers: AllowedSigners
) -> None:
    record = b'{"version": "1.0.0"}\n'
    signature = ssh_keygen.sign(record, keys["grace"], OF_RELEASE)

    assert check_release(record, signature, [], signers).by == "grace"
    changed = check_release(record + b"\n", signature, [], signers)
    assert refused(changed)[0] == "signature-other-text"
    stranger = ssh_keygen.sign(record, keys["mallory"], OF_RELEASE)
    assert refused(check_release(record, stranger, [], signers))[0] == "signature-unknown-key"


def test_a_decision_s_signature_is_none_of_a_release(
    keys: dict[str, Path], signers: AllowedSigners
) -> None:
    state = check_release(b"{}", ssh_keygen.sign(b"{}", keys["ada"], OF_DECISION), [], signers)
    assert refused(state)[0] == "signature-namespace"


def test_where_ssh_keygen_is_not_installed_nothing_is_verified(
    keys: dict[str, Path], signers: AllowedSigners, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = entry(at="2026-05-05T00:00:00+00:00")
    signature = signed(text, keys["ada"])
    monkeypatch.setenv("PATH", str(tmp_path))

    state = found(signers, signature, text)

    assert state.standing is SignatureStanding.UNVERIFIED
    assert state.fault is not None
    assert state.fault.code == "ssh-keygen-missing"


def test_an_ssh_keygen_that_does_not_end_is_not_waited_for(
    keys: dict[str, Path], signers: AllowedSigners, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = entry(at="2026-05-06T00:00:00+00:00")
    signature = signed(text, keys["ada"])
    stuck = tmp_path / "ssh-keygen"
    stuck.write_text("#!/bin/sh\nexec /bin/sleep 60\n", encoding="utf-8")
    stuck.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(ssh_keygen, "_VERIFYING_SECONDS", 0.1)

    state = found(signers, signature, text)

    assert state.fault is not None
    assert (state.standing, state.fault.code) == (SignatureStanding.UNVERIFIED, "ssh-keygen-slow")


def decision(by: str = "ada") -> Decision:
    return Decision(**{**json.loads(entry(by=by)), "verdict": DecisionVerdict.APPROVE})


def refused_to_sign(key: Path, signers: AllowedSigners | None = None, by: str = "ada") -> str:
    with pytest.raises((StoreError, SshKeygenError)) as caught:
        Signer(key, signers).sign_entry(decision(by), entry(by=by))
    return caught.value.faults[0].code


def test_what_would_be_refused_is_not_signed(
    keys: dict[str, Path], signers: AllowedSigners
) -> None:
    assert refused_to_sign(keys["grace"], signers) == "signature-other-signer"
    assert refused_to_sign(keys["mallory"], signers) == "signature-unknown-key"
    assert refused_to_sign(keys["ada"], None, by="*") == "signer-name"


def test_a_key_that_cannot_sign_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    monkeypatch.setattr("sys.stdin", None)
    locked = make_key(tmp_path, "locked", "a passphrase")
    alone = make_key(tmp_path, "alone")
    alone.unlink()

    assert refused_to_sign(tmp_path / "nothing") == "signing-failed"
    assert refused_to_sign(locked) == "signing-failed"
    assert refused_to_sign(Path(f"{alone}.pub")) == "signing-failed"


def test_an_agent_signs_for_a_public_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, socket = make_key(tmp_path, "ada"), tmp_path / "agent"
    listing = allowed(listed("ada", key))
    begun = ["ssh-agent", "-D", "-a", str(socket)]
    agent = subprocess.Popen(begun, stdout=subprocess.DEVNULL)
    try:
        while not socket.exists():
            assert agent.poll() is None
        monkeypatch.setenv("SSH_AUTH_SOCK", str(socket))
        added = ["ssh-add", "-q", str(key)]
        subprocess.run(added, check=True, capture_output=True)
        key.unlink()
        signature = Signer(Path(f"{key}.pub"), listing).sign_entry(decision(), entry())
    finally:
        agent.terminate()
        agent.wait()
    assert found(listing, signature, entry()).by == "ada"
