"""A stranger verifies who signed a release and its decisions, by allowed signers of their own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.releases.signatures import load_release_signature, sign_release
from sopforge.pipeline.releases.verifying.claims import Claim, ClaimStanding
from sopforge.pipeline.releases.verifying.verify import verify_release
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.opening import open_store
from sopforge.store.signatures.allowed_signers import AllowedSigners
from sopforge.store.signatures.signing import Signer
from sopforge.store.versions import Store
from tests.worlds.keys import allowed, listed, needs_ssh_keygen
from tests.worlds.quick_builds import refund, settle
from tests.worlds.releases import change_json, rechain, sealed

pytestmark = needs_ssh_keygen

RELEASE, DECISIONS = "the release is signed", "decisions of persons are signed"


@pytest.fixture
def signers(keys: dict[str, Path]) -> AllowedSigners:
    return allowed(listed("ada", keys["ada"]), listed("grace", keys["grace"]))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, keys: dict[str, Path]) -> Store:
    """Return a store with a signed release, of which ada approved the schema."""
    opened = open_store(tmp_path_factory.mktemp("store"))
    advance(opened, refund())
    sign = Signer(keys["ada"]).sign_entry
    settle(opened, "schema", sign=sign)
    advance(opened, refund(), approve_clean=True)
    assert publish(opened, refund(), signer=Signer(keys["grace"])).is_new
    return opened


@pytest.fixture(scope="module")
def unsigned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a store with a release on which nobody signed anything."""
    folder = tmp_path_factory.mktemp("unsigned")
    opened = open_store(folder)
    advance(opened, refund(), approve_clean=True)
    publish(opened, refund())
    return folder


@pytest.fixture
def release(store: Store, tmp_path: Path) -> Path:
    return shutil.copytree(Path(store.place, "refund/releases/1.0.0"), tmp_path / "copy")


def claims(release: Path, signers: AllowedSigners | None) -> dict[str, Claim]:
    """Return the claims of the release itself, by what they say."""
    found = verify_release(release, signers=signers).claims
    return {claim.what: claim for claim in found if claim.part == "release"}


def codes(claim: Claim) -> list[str]:
    return [finding.id for finding in claim.findings]


def test_a_stranger_verifies_signatures_by_signers_of_their_own(
    release: Path, signers: AllowedSigners
) -> None:
    found = verify_release(release, signers=signers)

    assert found.holds
    claims = {claim.what: claim for claim in found.claims}
    assert (claims[RELEASE].standing, claims[DECISIONS].standing) == (ClaimStanding.VERIFIED,) * 2
    assert claims[RELEASE].message.startswith("signed by grace (SHA256:")
    assert claims[RELEASE].message.endswith("), as signers has it")
    assert claims[DECISIONS].message == "1 of 1 (ada schema)"
    standings = {name: item.standing.value for name, item in found.signatures.items()}
    assert standings["release.json"] == standings["audit_log/000001.json"] == "signed"
    assert standings["audit_log/000002.json"] == "unsigned"


def test_without_allowed_signers_nothing_fails_and_nothing_is_verified(release: Path) -> None:
    found = claims(release, None)
    assert found[RELEASE].standing is found[DECISIONS].standing is ClaimStanding.OPEN
    assert found[RELEASE].message == (
        "signed, but no allowed signers are listed, so the signature was not verified"
    )
    assert found[DECISIONS].message == (
        "0 of 1; not entry 1 by ada; signed, but no allowed signers are listed, so the signature"
        " was not verified"
    )


def test_a_release_made_anew_by_a_forger_is_refused(release: Path, signers: AllowedSigners) -> None:
    change_json(release / "release.json", lambda record: record.update(changes="## 1.0.0\n\nX\n"))
    assert codes(claims(release, signers)[RELEASE]) == ["signature-other-text"]


def test_a_log_written_anew_with_all_digests_is_refused(
    release: Path, signers: AllowedSigners
) -> None:
    rechain(release, lambda entry: entry.update(at="2026-01-01T00:00:00+00:00"))
    sealed(release)

    found = claims(release, signers)

    assert found["audit log is whole"].standing is ClaimStanding.VERIFIED
    assert codes(found[DECISIONS]) == ["signature-other-text"]
    assert codes(found[RELEASE]) == ["signature-other-text"]


def test_a_removed_signer_is_refused(release: Path, keys: dict[str, Path]) -> None:
    found = claims(release, allowed(listed("grace", keys["grace"])))
    assert found[RELEASE].standing is ClaimStanding.VERIFIED
    assert codes(found[DECISIONS]) == ["signature-unknown-key"]


def test_who_may_sign_decisions_alone_signs_no_release(
    release: Path, keys: dict[str, Path]
) -> None:
    line = listed("grace", keys["grace"], 'namespaces="sopforge-decision"')
    found = claims(release, allowed(listed("ada", keys["ada"]), line))
    assert codes(found[RELEASE]) == ["signature-namespace"]
    assert "grace's key may only sign sopforge-decision" in found[RELEASE].findings[0].message


def test_an_expired_signer_signs_no_later_release(release: Path, keys: dict[str, Path]) -> None:
    line = listed("grace", keys["grace"], 'valid-before="20200101"')
    found = claims(release, allowed(listed("ada", keys["ada"]), line))
    assert codes(found[RELEASE]) == ["signature-expired"]


def test_signatures_taken_away_leave_it_unsigned(release: Path, signers: AllowedSigners) -> None:
    (release / "release.json.sig").unlink()
    assert claims(release, signers)[RELEASE].message == "unsigned"
    (release / "audit_log" / "000001.sig").unlink()
    found = claims(release, signers)
    assert (
        found["files are those listed"].standing is ClaimStanding.FAILED
    )  # release.json counts it
    assert found[DECISIONS].message == "0 of 1; not entry 1 by ada"


def test_a_release_of_an_unsigned_log_has_the_files_of_before(unsigned: Path) -> None:
    folder = unsigned / "refund" / "releases" / "1.0.0"
    assert sorted(path.name for path in folder.iterdir()) == [
        *("CHANGES.md", "audit_log", "refund", "refund_l1", "release.json")
    ]
    assert {path.suffix for path in (folder / "audit_log").iterdir()} == {".json"}
    assert list(json.loads((folder / "release.json").read_text(encoding="utf-8"))) == [
        *("domain", "version", "stages", "terms", "layout", "packages", "files", "audit_log"),
        "changes",
    ]


def test_a_release_is_signed_afterwards_and_its_digest_stays(
    unsigned: Path, tmp_path: Path, keys: dict[str, Path], signers: AllowedSigners
) -> None:
    store = open_store(shutil.copytree(unsigned, tmp_path, dirs_exist_ok=True))
    before = publish(store, refund())
    assert (
        load_release_signature(store.get_domain("refund"), "1.0.0", signers).summary == "unsigned"
    )

    sign_release(store.get_domain("refund"), "1.0.0", Signer(keys["ada"], signers))

    assert load_release_signature(store.get_domain("refund"), "1.0.0", signers).by == "ada"
    again = publish(store, refund(), signer=Signer(keys["grace"], signers))
    assert (again.is_new, again.digest, again.files) == (False, before.digest, before.files)
    assert load_release_signature(store.get_domain("refund"), "1.0.0", signers).by == "ada"
