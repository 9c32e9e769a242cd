"""A release is verified by its files alone; what was forged is noticed, or it is known by what."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sopforge.checks.auditing.own import check_own_package
from sopforge.findings import Severity
from sopforge.pipeline.releases.verifying.claims import ClaimStanding
from sopforge.pipeline.releases.verifying.verify import Verification, verify_package, verify_release
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.worlds.releases import POINT, WORDS, change_json, rechain, reviewed, sealed

STORE_CLAIM = "the store has it and its log"
REBUILD_CLAIM = "it is made again from its brief"
UNSIGNED = {"the release is signed", "decisions of persons are signed"}
"""What nobody signed is not verified, and fails nothing."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Return a store with one release, on which persons and a policy decided."""
    opened = open_store(tmp_path_factory.mktemp("store"))
    assert reviewed(opened).is_new
    return opened


@pytest.fixture
def release(store: Store, tmp_path: Path) -> Path:
    """Return a copy of the release, as a stranger has it."""
    return shutil.copytree(Path(store.place) / "refund/releases/1.0.0", tmp_path / "copy")


def failed(found: Verification) -> set[str]:
    return {claim.what for claim in found.claims if claim.standing is ClaimStanding.FAILED}


def left_open(found: Verification) -> set[str]:
    return {claim.what for claim in found.claims if claim.standing is ClaimStanding.OPEN}


def test_a_stranger_verifies_a_copy_by_hashing(release: Path) -> None:
    found = verify_release(release)

    assert failed(found) == set()
    announced = "the digest is the announced one"
    assert left_open(found) == {announced, STORE_CLAIM, REBUILD_CLAIM, *UNSIGNED}


def test_with_digest_store_and_brief_nothing_but_signatures_is_left_open(
    release: Path, store: Store
) -> None:
    digest = verify_release(release).digest

    found = verify_release(release, digest=digest, store=store, rebuild=True)

    assert (failed(found), left_open(found)) == (set(), UNSIGNED)


def test_stages_that_a_policy_approved_are_listed(release: Path) -> None:
    (claim,) = [
        item
        for item in verify_release(release).claims
        if item.what == "stages are approved as the brief asks"
    ]

    assert claim.message == (
        "policy-approved by approve-clean: schema, dataset, api, toolspec, tools, complexity;"
        " by ada and grace: sop"
    )


def test_words_of_reviewers_are_in_no_file_of_a_release(release: Path) -> None:
    files = [path.read_bytes() for path in release.rglob("*") if path.is_file()]

    assert not any(WORDS.encode() in content for content in files)


@pytest.mark.parametrize("name", ["refund", "refund_l1"])
def test_a_package_knows_who_signed_a_line_of_its_sop(release: Path, name: str) -> None:
    found = check_own_package(release / name)

    assert {item.id for item in found if item.severity is Severity.ERROR} == set()
    trace = (release / name / "grader" / "trace.json").read_text(encoding="utf-8")
    assert '"read_by": "signed by grace"' in trace


def test_ratings_and_points_of_persons_are_shown(release: Path) -> None:
    package = release / "refund"
    metadata = json.loads((package / "metadata.json").read_text(encoding="utf-8"))

    assert metadata["human_ratings"] == {
        "sop": {
            "ambiguity": {"mean": 2.0, "raters": 2},
            "ease": {"mean": 7.5, "raters": 2},
            "reasoning": {"mean": 6.0, "raters": 2},
        }
    }
    assert metadata["human_complexity"] == 3.83  # (11 - 7.5 + 2 + 6) / 3
    assert metadata["checklist"] == {"sop": {POINT: 2}}
    card = (package / "README.md").read_text(encoding="utf-8")
    assert "| sop | ease | 7.5 | 2 |" in card
    assert f"| sop | {POINT} | 2 |" in card
    provenance = json.loads((package / "provenance.json").read_text(encoding="utf-8"))
    assert provenance["reviews"]["sop"]["checklist"] == {POINT: ["ada", "grace"]}
    assert provenance["reviews"]["sop"]["marks"] == [
        {"ambiguity": 2, "ease": 7, "reasoning": 6},
        {"ambiguity": 2, "ease": 8, "reasoning": 6},
    ]
    # Within: 1 + 1. Among 2 2 7 8 6 6, of sum 31 and squares 193: 2 (6 · 193 - 31²) = 394.
    # 1 - 2 · 5 / 394.
    assert metadata["rating_agreement"]["alpha"] == 0.975
    assert metadata["rating_agreement"]["is_enough"] is False


def provenance_of(release: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    for package in ("refund", "refund_l1"):
        change_json(release / package / "provenance.json", edit)


def forge_approver(release: Path) -> None:
    approval = {"entry": 9, "by": "turing", "verdict": "approved"}
    provenance_of(release, lambda origin: origin["approvals"]["sop"].append(approval))


def show_policy_as_person(release: Path) -> None:
    def show(origin: dict[str, Any]) -> None:
        origin["approvals"]["schema"][0].update(by="turing", verdict="approved")

    provenance_of(release, show)


def show_policy_as_person_in_the_log(release: Path) -> None:
    def show(entry: dict[str, Any]) -> None:
        if entry["by"] == "approve-clean":
            entry["kind"] = "person"

    rechain(release, show)


def drop_decision(release: Path) -> None:
    (release / "audit_log" / "000002.json").unlink()


def drop_last_decision(release: Path) -> None:
    max((release / "audit_log").iterdir()).unlink()


def raise_marks(release: Path) -> None:
    provenance_of(
        release, lambda origin: origin["reviews"]["sop"]["ratings"]["ease"].update(mean=10)
    )


def change_a_raters_mark(release: Path) -> None:
    provenance_of(release, lambda origin: origin["reviews"]["sop"]["marks"][0].update(ease=8))


def change_answers(release: Path) -> None:
    path = release / "refund" / "test_set_with_outputs.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(",paid", ",refused"), encoding="utf-8")


def change_graded_tasks(release: Path) -> None:
    path = release / "refund" / "grader" / "tasks.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"paid"', '"refused"'), "utf-8")


def take_canary_away(release: Path) -> None:
    path = release / "refund" / "README.md"
    path.write_text(path.read_text(encoding="utf-8").split("## Canary")[0], encoding="utf-8")


def show_canary_to_agents(release: Path) -> None:
    package = release / "refund"
    canary = json.loads((package / "metadata.json").read_text(encoding="utf-8"))["canary"]
    with (package / "tools.py").open("a", encoding="utf-8") as file:
        file.write(f"# {canary}\n")


def lower_approvers(release: Path) -> None:
    for package in ("refund", "refund_l1"):
        path = release / package / "grader" / "brief.yaml"
        path.write_text(path.read_text(encoding="utf-8").replace("sop: 2", "sop: 3"), "utf-8")


def change_brief(release: Path) -> None:
    for package in ("refund", "refund_l1"):
        path = release / package / "grader" / "brief.yaml"
        path.write_text(path.read_text(encoding="utf-8").replace("value: 30", "value: 31"), "utf-8")


def change_edit(release: Path) -> None:
    for package in ("refund", "refund_l1"):
        path = release / package / "grader" / "edits.json"
        path.write_text(
            path.read_text(encoding="utf-8").replace("Follow the steps", "Go through the steps"),
            "utf-8",
        )


def claim_other_changes(release: Path) -> None:
    change_json(
        release / "release.json", lambda record: record.update(changes="## 2.0.0\n\nMore.\n")
    )


def count_otherwise(release: Path) -> None:
    change_json(release / "release.json", lambda record: record.update(version="1.0.1"))


@pytest.mark.parametrize(
    ("forge", "claim"),
    [
        pytest.param(forge_approver, "stages are approved as the brief asks", id="approver"),
        pytest.param(
            show_policy_as_person,
            "stages are approved as the brief asks",
            id="policy as person",
        ),
        pytest.param(show_policy_as_person_in_the_log, "audit log is whole", id="policy in log"),
        pytest.param(drop_decision, "audit log is whole", id="decision dropped"),
        pytest.param(drop_last_decision, "audit log is whole", id="last decision dropped"),
        pytest.param(raise_marks, "stages are approved as the brief asks", id="marks"),
        pytest.param(
            change_a_raters_mark, "stages are approved as the brief asks", id="a rater's mark"
        ),
        pytest.param(change_answers, "test sets are the graded tasks", id="answers"),
        pytest.param(change_graded_tasks, "files are those of the stages", id="graded tasks"),
        pytest.param(take_canary_away, "canary stands where it should", id="no canary"),
        pytest.param(show_canary_to_agents, "canary stands where it should", id="canary shown"),
        pytest.param(lower_approvers, "stages are approved as the brief asks", id="approvers"),
        pytest.param(change_brief, "files are those of the stages", id="brief"),
        pytest.param(change_edit, "stages are approved as the brief asks", id="edit"),
        pytest.param(claim_other_changes, "version fits the changes listed", id="changes"),
        pytest.param(count_otherwise, "packages are of one release", id="version"),
    ],
)
def test_a_forged_release_is_noticed_though_all_digests_were_made_anew(
    release: Path, forge: Callable[[Path], None], claim: str
) -> None:
    forge(release)
    sealed(release)

    assert claim in failed(verify_release(release))


def test_an_older_release_without_the_marks_of_each_rater_is_as_approved(release: Path) -> None:
    provenance_of(release, lambda origin: origin["reviews"]["sop"].pop("marks"))
    sealed(release)

    assert "stages are approved as the brief asks" not in failed(verify_release(release))


def test_every_changed_byte_of_a_file_is_noticed(release: Path) -> None:
    for path in sorted(path for path in release.rglob("*") if path.is_file()):
        before = path.read_bytes()
        middle = len(before) // 2
        path.write_bytes(before[:middle] + bytes([before[middle] ^ 1]) + before[middle + 1 :])
        assert not verify_release(release).holds, path
        path.write_bytes(before)


def test_every_changed_byte_of_what_a_release_says_of_itself_is_noticed(release: Path) -> None:
    path = release / "release.json"
    before = path.read_bytes()
    for place in range(0, len(before), 41):
        path.write_bytes(before[:place] + bytes([before[place] ^ 1]) + before[place + 1 :])
        assert not verify_release(release).holds, place


@pytest.mark.parametrize(
    "name", ["notes.txt", "audit_log/notes.txt", "refund/notes.txt", "refund/__pycache__/tools.pyc"]
)
def test_a_file_more_is_noticed(release: Path, name: str) -> None:
    path = release / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("Mine.\n", encoding="utf-8")

    assert not verify_release(release).holds


def test_a_link_in_the_place_of_a_file_is_noticed(release: Path, tmp_path: Path) -> None:
    path = release / "refund" / "sop.txt"
    path.rename(tmp_path / "sop.txt")
    path.symlink_to(tmp_path / "sop.txt")

    assert "files are those listed" in failed(verify_release(release))


def test_packages_of_two_releases_are_distinguished(release: Path) -> None:
    change_json(release / "refund_l1" / "metadata.json", lambda card: card.update(version="1.0.1"))
    change_json(
        release / "refund_l1" / "provenance.json", lambda origin: origin.update(release="1.0.1")
    )
    sealed(release)

    assert "packages are of one release" in failed(verify_release(release))


def rename_person(release: Path, old: str, new: str) -> None:
    """Rename a person wherever a release names who decided, with all digests of the log anew."""
    for path in (release / "refund", release / "refund_l1"):
        for name in ("provenance.json", "grader/edits.json", "grader/stages.json"):
            text = (path / name).read_text(encoding="utf-8")
            for sign in ('"', "signed by "):
                text = text.replace(f'{sign}{old}"', f'{sign}{new}"')
            (path / name).write_text(text, "utf-8")

    def rename(entry: dict[str, Any]) -> None:
        entry["by"] = new if entry["by"] == old else entry["by"]

    rechain(release, rename)
    sealed(release)


def test_a_log_rewritten_as_a_whole_needs_the_digest_or_the_store(
    release: Path, store: Store
) -> None:
    digest = verify_release(release).digest

    rename_person(release, "ada", "hopper")

    assert failed(verify_release(release)) == set()
    assert failed(verify_release(release, digest=digest)) == {"the digest is the announced one"}
    assert failed(verify_release(release, store=store)) == {STORE_CLAIM}


def test_who_signed_a_line_is_part_of_the_edit_that_the_log_knows(release: Path) -> None:
    rename_person(release, "grace", "hopper")

    assert failed(verify_release(release)) == {"stages are approved as the brief asks"}


def test_a_file_of_no_stage_needs_the_digest_or_the_rebuilding(release: Path) -> None:
    digest = verify_release(release).digest
    path = release / "refund" / "LICENSE.md"
    path.write_text("Do as you please.\n", encoding="utf-8")
    sealed(release)

    assert failed(verify_release(release)) == set()
    assert failed(verify_release(release, digest=digest)) == {"the digest is the announced one"}
    assert failed(verify_release(release, rebuild=True)) == {REBUILD_CLAIM}


def test_a_package_alone_leaves_its_approvals_open(release: Path, tmp_path: Path) -> None:
    package = shutil.copytree(release / "refund", tmp_path / "alone")

    found = verify_package(package)
    assert failed(found) == set()
    assert "stages are approved as the brief asks" in left_open(found)
    assert failed(verify_package(package, digest=found.digest)) == set()
    assert not verify_package(package, digest="0" * 64).holds


@pytest.mark.parametrize(
    "name",
    [
        *("release.json", "refund/SHA256SUMS", "refund/provenance.json", "CHANGES.md"),
        *("refund/grader/stages.json", "refund/grader/brief.yaml", "audit_log/000001.json"),
    ],
)
@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"\xff"], ids=repr)
def test_what_cannot_be_read_is_a_finding(release: Path, name: str, content: bytes) -> None:
    (release / name).write_bytes(content)

    assert not verify_release(release).holds


def test_a_release_without_packages_is_a_finding(release: Path) -> None:
    shutil.rmtree(release / "refund")
    shutil.rmtree(release / "refund_l1")

    assert not verify_release(release).holds
