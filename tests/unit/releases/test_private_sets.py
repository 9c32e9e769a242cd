"""A private test set has tasks of its own, and all else of the release that it is drawn from."""

from __future__ import annotations

import csv
import io
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.checks.package.package_solved import judge, read_graded_folder, run_agents
from sopforge.errors import PackageRefusedError, StoreError
from sopforge.findings import Finding, Severity
from sopforge.pipeline.gates.gate import edit
from sopforge.pipeline.releases.private_sets import TRIES, draw_anew
from sopforge.pipeline.releases.publishing import Published, publish
from sopforge.pipeline.releases.rebuilding.derivation import check_derivation
from sopforge.pipeline.releases.rebuilding.rebuild import check_rebuilding
from sopforge.pipeline.releases.verifying.claims import ClaimStanding
from sopforge.pipeline.releases.verifying.verify import verify_release
from sopforge.pipeline.stages.pipeline import advance
from sopforge.pipeline.upkeep.damage import find_damage
from sopforge.store.entries import DeciderKind
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.log.yanks import yank
from sopforge.store.opening import open_store
from sopforge.store.versions import DomainStore, Store
from tests.worlds.releases import change_json, rechain, reviewed, reviewed_brief, sealed

SHARED = ("sop.txt", "tools.py", "toolspecs.json", "openapi.yaml")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with a release and a draw of it."""
    home = tmp_path_factory.mktemp("store")
    reviewed(open_store(home))
    assert draw_anew(open_store(home).get_domain("refund"), "1.0.0").is_new
    return home


@pytest.fixture
def store(place: Path, tmp_path: Path) -> Store:
    return open_store(shutil.copytree(place, tmp_path / "store"))


@pytest.fixture
def private(store: Store) -> Path:
    return Path(store.place) / "refund" / "releases" / "1.0.0-private.1"


@pytest.fixture
def public(store: Store) -> Path:
    return Path(store.place) / "refund" / "releases" / "1.0.0"


def inputs(package: Path) -> list[dict[str, str]]:
    """Return the inputs of a package's tasks, without their ids."""
    text = (package / "test_set_without_outputs.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    return [{name: row[name] for name in row if name != "task_id"} for row in rows]


def json_of(package: Path, name: str = "provenance.json") -> dict[str, object]:
    return dict(json.loads((package / name).read_text(encoding="utf-8")))


def test_an_earlier_release_is_drawn_from_as_it_was(store: Store) -> None:
    brief = reviewed_brief()
    sop = store.get_domain("refund").list_versions("sop")[-1].files["sop.txt"]
    other = replace(brief, parts=brief.parts.model_copy(update={"context": ("Be kind.",)}))
    advance(store, other, approve_clean=True)
    text = store.get_domain("refund").list_versions("sop")[-1].files["sop.txt"]
    assert text != sop
    edit(store.get_domain("refund"), stage="sop", digest="", text=text + "Be brief.\n", by="ada")

    drawn = draw_anew(store.get_domain("refund"), "1.0.0")

    assert (drawn.version, drawn.read_text("L0", "sop.txt")) == ("1.0.0-private.2", sop)
    assert verify_release(Path(drawn.place), store=store).holds
    assert check_rebuilding(Path(drawn.packages["L0"])) == []


@pytest.mark.parametrize("level", ["", "_l1"])
@pytest.mark.parametrize("name", SHARED)
def test_an_agent_gets_the_same_procedure_and_tools(
    private: Path, public: Path, level: str, name: str
) -> None:
    drawn = private / f"refund_private1{level}" / name
    assert drawn.read_bytes() == (public / f"refund{level}" / name).read_bytes()


def test_no_task_is_one_of_the_public_set(private: Path, public: Path) -> None:
    drawn, known = inputs(private / "refund_private1"), inputs(public / "refund")
    assert len(drawn) == len(known) == 12
    assert not [item for item in drawn if item in known]


def test_the_seed_is_secret_and_stands_on_the_graders_side_alone(
    private: Path, store: Store
) -> None:
    seed = str(json_of(private / "refund_private1", "grader/draw.json")["seed"])
    assert int(seed) > 1 << 40
    holders = {
        path.relative_to(store.place).as_posix()
        for path in Path(store.place).rglob("*")
        if path.is_file() and seed.encode() in path.read_bytes()
    }
    release = "refund/releases/1.0.0-private.1"
    assert holders == {
        f"{release}/refund_private1/grader/draw.json",
        f"{release}/refund_private1_l1/grader/draw.json",
    }


def test_the_policy_that_drew_is_shown_as_one(private: Path, store: Store) -> None:
    approvals = json_of(private / "refund_private1")["approvals"]
    assert isinstance(approvals, dict)
    by = {
        stage: {(item["by"], item["verdict"]) for item in approvals[stage]} for stage in approvals
    }
    drawn = {("drawn-anew", "policy-approved")}
    assert by["dataset"] == by["tools"] == by["complexity"] == drawn
    assert by["sop"] == {("ada", "approved"), ("grace", "approved")}
    assert by["schema"] == {("approve-clean", "policy-approved")}
    last = AuditLog(store.get_domain("refund")).list_entries()[-3:]
    assert [(item.by, item.kind) for item in last] == [("drawn-anew", DeciderKind.POLICY)] * 3


def test_a_private_test_set_that_was_changed_is_reported(store: Store, private: Path) -> None:
    assert find_damage(store.get_domain("refund")) == []
    sop = private / "refund_private1" / "sop.txt"
    sop.write_text(sop.read_text() + "x")

    assert [(item.code, item.where) for item in find_damage(store.get_domain("refund"))] == [
        ("release-changed", str(private))
    ]


def test_it_has_a_canary_a_name_and_a_mark_of_its_own(private: Path, public: Path) -> None:
    drawn = json_of(private / "refund_private1", "metadata.json")
    known = json_of(public / "refund", "metadata.json")
    assert (drawn["name"], drawn["private"], drawn["drawn_from"]) == (
        "refund_private1",
        True,
        "1.0.0",
    )
    assert "private" not in known
    assert drawn["canary"] != known["canary"]


def test_it_is_verified_made_again_and_solved(private: Path, store: Store) -> None:
    digest = verify_release(private).digest
    found = verify_release(private, digest=digest, store=store)
    failed = [claim for claim in found.claims if claim.standing is ClaimStanding.FAILED]
    assert failed == []
    for package in (private / "refund_private1", private / "refund_private1_l1"):
        assert check_derivation(package) == []
        assert check_rebuilding(package) == []
        runs = run_agents(read_graded_folder(package))
        assert [finding for run in runs for finding in judge(run)] == []


def test_draws_are_numbered_and_the_release_before_stays_the_last(store: Store) -> None:
    again = draw_anew(store.get_domain("refund"), "1.0.0", seed=12)
    assert again.version == "1.0.0-private.2"
    assert store.get_domain("refund").list_releases() == ["1.0.0"]
    assert store.get_domain("refund").list_private_releases() == [
        "1.0.0-private.1",
        "1.0.0-private.2",
    ]
    found: Published = publish(store, reviewed_brief())
    assert (found.version, found.is_new) == ("1.0.0", False)


def draw_and_die(store: Store, monkeypatch: pytest.MonkeyPatch, seed: int | None = None) -> None:
    """Draw anew in a process that is killed before the release is written."""

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr(DomainStore, "save_release", die)
        with pytest.raises(KeyboardInterrupt):
            draw_anew(store.get_domain("refund"), "1.0.0", seed=seed)


def test_a_draw_that_is_repeated_after_a_kill_records_each_approval_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = len(AuditLog(store.get_domain("refund")).list_entries())
    draw_and_die(store, monkeypatch, seed=12)

    drawn = draw_anew(store.get_domain("refund"), "1.0.0", seed=12)

    made = AuditLog(store.get_domain("refund")).list_entries()[before:]
    assert [entry.stage for entry in made] == ["dataset", "tools", "complexity"]
    assert verify_release(Path(drawn.place), store=store).holds


def test_a_draw_with_a_secret_seed_that_was_killed_is_continued(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = len(AuditLog(store.get_domain("refund")).list_entries())
    draw_and_die(store, monkeypatch)
    approved = AuditLog(store.get_domain("refund")).list_entries()[before:]
    assert find_damage(store.get_domain("refund")) == []

    drawn = draw_anew(store.get_domain("refund"), "1.0.0")

    assert AuditLog(store.get_domain("refund")).list_entries()[before:] == approved
    stages = store.get_domain("refund").read_release(drawn.version)["stages"]
    assert {entry.content for entry in approved} <= set(stages.values())
    assert not (Path(store.place) / "refund" / "drawing.json").exists()
    # The next one has a seed of its own again.
    other = draw_anew(store.get_domain("refund"), "1.0.0")
    assert find_damage(store.get_domain("refund")) == []
    assert inputs(Path(other.packages["L0"])) != inputs(Path(drawn.packages["L0"]))


def test_a_seed_whose_package_fails_its_checks_is_not_tried_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = Finding("canary-leak", Severity.ERROR, "an answer is readable", "package")
    with monkeypatch.context() as patched:
        patched.setattr("sopforge.pipeline.releases.publishing.check_packages", lambda *_: [error])
        with pytest.raises(PackageRefusedError):
            draw_anew(store.get_domain("refund"), "1.0.0")
    assert not (Path(store.place) / "refund" / "drawing.json").exists()


def test_a_seed_whose_tasks_were_released_is_refused(store: Store, private: Path) -> None:
    drawn = json_of(private / "refund_private1", "grader/draw.json")["seed"]
    before = store.get_domain("refund").list_private_releases()

    for seed in (reviewed_brief().parts.dataset.seed, drawn):
        assert isinstance(seed, int)
        with pytest.raises(StoreError) as caught:
            draw_anew(store.get_domain("refund"), "1.0.0", seed=seed)
        assert caught.value.faults[0].code == "draw-repeats"

    assert store.get_domain("refund").list_private_releases() == before


# Of twelve tasks that this seed draws, an agent that guesses has too many right.
UNSOUND = 106


def test_a_seed_of_ones_own_whose_tasks_are_unsound_is_refused(store: Store) -> None:
    log = AuditLog(store.get_domain("refund")).read_entry_texts()

    with pytest.raises(StoreError) as caught:
        draw_anew(store.get_domain("refund"), "1.0.0", seed=UNSOUND)

    assert [fault.code for fault in caught.value.faults] == ["shortcut-leads-far"]
    assert store.get_domain("refund").list_private_releases() == ["1.0.0-private.1"]
    assert AuditLog(store.get_domain("refund")).read_entry_texts() == log


def test_a_secret_seed_whose_tasks_are_unsound_is_replaced_by_another(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds = [UNSOUND, *range(100, 100 + TRIES)]
    draw = "sopforge.pipeline.releases.private_sets.secrets.randbelow"
    monkeypatch.setattr(draw, lambda _: seeds.pop(0))

    drawn = draw_anew(store.get_domain("refund"), "1.0.0")

    assert json.loads(drawn.read_text("L0", "grader/draw.json"))["seed"] == 100
    assert verify_release(Path(drawn.place), store=store).holds


def test_nothing_is_drawn_from_a_release_that_was_yanked(store: Store) -> None:
    yank(store.get_domain("refund"), "1.0.0", by="ada", reason="wrong")

    with pytest.raises(StoreError) as caught:
        draw_anew(store.get_domain("refund"), "1.0.0")

    assert caught.value.faults[0].code == "release-yanked"


def test_nothing_is_drawn_where_an_agent_would_be_given_other_files(store: Store) -> None:
    path = Path(store.place) / "refund" / "releases" / "1.0.0" / "refund_l1" / "sop.txt"
    path.write_text("Another version wrote this.\n", encoding="utf-8")

    with pytest.raises(StoreError) as caught:
        draw_anew(store.get_domain("refund"), "1.0.0")

    assert caught.value.faults[0].code == "draw-differs"
    assert store.get_domain("refund").list_private_releases() == ["1.0.0-private.1"]


def test_a_draw_that_a_person_is_said_to_have_approved_is_noticed(private: Path) -> None:
    def show(entry: dict[str, object]) -> None:
        if entry["by"] == "drawn-anew":
            entry.update(by="ada", kind="person")

    rechain(private, show)
    for package in ("refund_private1", "refund_private1_l1"):
        path = private / package / "provenance.json"
        change_json(path, lambda said: _shown_as_person(said["approvals"]))
    sealed(private)

    found = verify_release(private)

    messages = [item.message for claim in found.claims for item in claim.findings]
    assert any("drawn-anew is not its only approver" in message for message in messages)


def _shown_as_person(approvals: dict[str, list[dict[str, object]]]) -> None:
    for found in approvals.values():
        for item in found:
            if item["by"] == "drawn-anew":
                item.update(by="ada", verdict="approved")
