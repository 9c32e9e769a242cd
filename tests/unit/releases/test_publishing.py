"""Releases are numbered by what changed since the last one, and say what that is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from sopforge.errors import StoreError
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.gates.withdrawing import take_decision_back
from sopforge.pipeline.releases.publishing import (
    Published,
    find_matching_release,
    plan_release,
    publish,
)
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.log.audit_log import Opinion
from sopforge.store.log.yanks import yank
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.worlds.changed_briefs import LONGER, NEW_TOOL, OTHER_WORDS, REFUND
from tests.worlds.quick_builds import settle
from tests.worlds.sealing import seal_anew
from tests.worlds.small_models import changed


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with one release."""
    place = tmp_path_factory.mktemp("store")
    assert release(open_store(place)).version == "1.0.0"
    return place


@pytest.fixture
def store(first: Path, tmp_path: Path) -> Store:
    return open_store(shutil.copytree(first, tmp_path / "store"))


def approve(store: Store, *changes: tuple[str, str]) -> Brief:
    brief = read_brief(changed(REFUND, *changes), "brief.yaml")
    advance(store, brief, approve_clean=True)
    return brief


def release(store: Store, *changes: tuple[str, str]) -> Published:
    return publish(store, approve(store, *changes))


def entry_of(store: Store, version: str) -> str:
    return str(store.get_domain("refund").read_release(version)["changes"])


def test_what_is_planned_is_what_is_published(store: Store) -> None:
    brief = approve(store, LONGER)
    plan = plan_release(store, brief)
    assert store.get_domain("refund").list_releases() == ["1.0.0"]

    done = publish(store, brief, shown=plan)

    assert (done.version, done.is_new) == (plan.version, True) == ("2.0.0", True)
    assert entry_of(store, "2.0.0") == plan.entry
    assert store.get_domain("refund").read_release("2.0.0")["stages"] == plan.source.contents
    assert plan_release(store, brief).entry == ""


def test_what_is_no_longer_as_it_was_planned_is_not_published(store: Store) -> None:
    def publish_other() -> None:
        release(store, NEW_TOOL)

    def add_entry() -> None:
        yank(store.get_domain("refund"), "1.0.0", by="ada", reason="A limit is wrong.")

    def withdraw() -> None:
        take_decision_back(store.get_domain("refund"), stage="sop", digest="", by="ada")

    for act, code in (
        (publish_other, "stale-decision"),
        (add_entry, "stale-decision"),
        (withdraw, "not-approved"),
    ):
        brief = approve(store, LONGER)
        plan = plan_release(store, brief)
        act()
        brief = approve(store, LONGER) if act is publish_other else brief
        with pytest.raises(StoreError) as caught:
            publish(store, brief, shown=plan)
        assert caught.value.faults[0].code == code
        assert "2.0.0" not in store.get_domain("refund").list_releases()


def test_the_first_release_says_that_it_is_the_first(store: Store) -> None:
    assert entry_of(store, "1.0.0") == "## 1.0.0\n\nThe first release.\n"


@pytest.mark.parametrize(
    ("change", "version", "line"),
    [
        pytest.param(LONGER, "2.0.0", "value 30 days → 32 days", id="answers"),
        pytest.param(NEW_TOOL, "1.1.0", "- `lookUpPayment`: the tool is new.", id="tool"),
        pytest.param(OTHER_WORDS, "1.0.1", "- sop/sop.txt: passages", id="words"),
    ],
)
def test_a_release_is_numbered_by_what_changed(
    store: Store, change: tuple[str, str], version: str, line: str
) -> None:
    published = release(store, change)
    assert (published.version, published.is_new) == (version, True)
    assert line in entry_of(store, version)


def test_the_same_content_is_released_once(store: Store) -> None:
    assert release(store, LONGER).version == "2.0.0"
    again = release(store, LONGER)
    assert (again.version, again.is_new) == ("2.0.0", False)
    back = release(store)
    assert (back.version, back.is_new) == ("1.0.0", False)
    assert store.get_domain("refund").list_releases() == ["1.0.0", "2.0.0"]


def test_the_release_that_holds_what_is_approved_is_found(store: Store) -> None:
    def approved_as(*changes: tuple[str, str], is_approved: bool = True) -> str:
        brief = read_brief(changed(REFUND, *changes), "brief.yaml")
        advance(store, brief, approve_clean=is_approved)
        return find_matching_release(store, brief)

    assert approved_as() == "1.0.0"
    assert approved_as(LONGER, is_approved=False) == ""
    assert approved_as(LONGER) == ""
    release(store, LONGER)
    assert approved_as(LONGER) == "2.0.0"
    assert approved_as() == "1.0.0"
    # Other terms make another release of the same stages.
    assert approved_as(("author: offline", "package: {outputs: all}\nauthor: offline")) == ""


def test_other_terms_alone_are_a_patch_that_says_so(store: Store) -> None:
    terms = ("author: offline", "package: {outputs: all}\nauthor: offline")
    assert release(store, terms).version == "1.0.1"
    assert entry_of(store, "1.0.1") == (
        "## 1.0.1\n\nThe terms of publishing changed, and nothing else.\n"
    )


def test_changes_stand_beside_the_packages_release_by_release(store: Store) -> None:
    published = release(store, LONGER)
    text = published.files["CHANGES.md"].decode()
    assert text == f"# Changes\n\n{entry_of(store, '2.0.0')}\n{entry_of(store, '1.0.0')}"
    assert (Path(published.place) / "CHANGES.md").read_text(encoding="utf-8") == text
    assert not any(name.endswith("/CHANGES.md") for name in published.files)


@pytest.mark.parametrize("how", ["deleted", "changed"])
def test_a_release_whose_versions_are_gone_is_followed_by_a_minor_one(
    store: Store, how: str
) -> None:
    folder = Path(store.place) / "refund" / "stages" / "dataset" / "0001"
    if how == "deleted":
        shutil.rmtree(folder)
    else:
        (folder / "files" / "tasks.jsonl").write_text("{}\n", encoding="utf-8")
    assert release(open_store(store.place), LONGER).version == "1.1.0"
    assert entry_of(store, "1.1.0") == (
        "## 1.1.0\n\nWhat 1.0.0 was made from (dataset) is no longer kept, so that what changed"
        " since cannot be listed.\n"
    )


def test_ratings_that_come_later_change_no_release(store: Store) -> None:
    before = publish(store, read_brief(REFUND, "brief.yaml"))
    two = ("author: offline", "gates: {approvers: {sop: 2}}\nauthor: offline")
    brief = read_brief(changed(REFUND, two), "brief.yaml")
    for by in ("ada", "grace"):
        advance(store, brief)
        said = Opinion(ratings={"ease": 3})
        settle(store, "sop", by=by, opinion=said)
    advance(store, brief)

    again = publish(store, brief)

    assert (again.version, again.is_new, again.digest) == ("1.0.0", False, before.digest)
    assert b"human_ratings" not in again.files["refund/metadata.json"]
    assert again.files == before.files


def test_words_in_entries_of_before_are_published_only_where_somebody_says_so(
    tmp_path: Path,
) -> None:
    store, brief = open_store(tmp_path), read_brief(REFUND, "brief.yaml")
    advance(store, brief)
    said = Opinion(feedback="Say what late means.")
    settle(store, "schema", opinion=said)
    path = tmp_path / "refund" / "decisions" / "000001.json"
    entry = json.loads(path.read_text(encoding="utf-8"))
    old = {**entry, "feedback": said.feedback}
    del old["words"]
    path.write_text(json.dumps(old, indent=1) + "\n", encoding="utf-8")
    seal_anew(tmp_path, "refund")
    advance(store, brief, approve_clean=True)

    with pytest.raises(StoreError) as caught:
        publish(store, brief)
    assert caught.value.faults[0].code == "words-in-log"
    assert "1 (ada)" in caught.value.faults[0].message
    assert store.get_domain("refund").list_releases() == []
    assert publish(store, brief, with_words=True).is_new


@pytest.mark.parametrize("name", ["refund/sop.txt", "audit_log/000003.json", "CHANGES.md"])
def test_a_release_that_was_changed_is_not_said_to_be_published(store: Store, name: str) -> None:
    path = Path(store.place) / "refund" / "releases" / "1.0.0" / name
    path.write_text("Other.\n", encoding="utf-8")

    with pytest.raises(StoreError) as caught:
        release(store)

    assert caught.value.faults[0].code == "release-changed"
