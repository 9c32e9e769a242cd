"""What was yanked is not published again, and is listed with the next release."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sopforge.errors import StoreError
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.releases.locating import find_newest_release, locate_release
from sopforge.pipeline.releases.publishing import Published, publish
from sopforge.pipeline.releases.verifying.verify import verify_release
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.log.yanks import yank
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.worlds.changed_briefs import LONGER, OTHER_WORDS, REFUND
from tests.worlds.small_models import changed


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("store")
    release(open_store(place))
    return place


@pytest.fixture
def store(first: Path, tmp_path: Path) -> Store:
    opened = open_store(shutil.copytree(first, tmp_path / "store"))
    yank(opened.get_domain("refund"), "1.0.0", by="ada", reason="The limit is wrong.")
    return opened


def release(store: Store, *changes: tuple[str, str]) -> Published:
    brief = read_brief(changed(REFUND, *changes), "brief.yaml")
    advance(store, brief, approve_clean=True)
    return publish(store, brief)


def test_the_same_content_is_not_published_again(store: Store) -> None:
    with pytest.raises(StoreError) as caught:
        release(store)

    (fault,) = caught.value.faults
    assert fault.code == "release-yanked"
    assert "yanked by ada: The limit is wrong." in fault.message
    yank(store.get_domain("refund"), "1.0.0", by="ada", reason="", undo=True)
    assert not release(store).is_new


def test_a_yanked_release_is_reported_and_a_later_one_is_not(store: Store) -> None:
    release(store, LONGER)

    def warnings_about(version: str) -> list[tuple[str, str]]:
        home = Path(store.place) / "refund/releases" / version
        claims = verify_release(home, store=store).claims
        found = [item for claim in claims for item in claim.findings]
        return [(item.id, item.hint) for item in found if item.id == "yanked"]

    assert warnings_about("1.0.0") == [("yanked", "use a later release")]
    assert warnings_about("2.0.0") == []


def test_the_next_release_lists_it_once(store: Store) -> None:
    assert release(store, LONGER).version == "2.0.0"
    entry = str(store.get_domain("refund").read_release("2.0.0")["changes"])
    assert entry.endswith("\n\n### Earlier releases\n\n- 1.0.0 is yanked: The limit is wrong.\n")
    release(store, LONGER, OTHER_WORDS)
    assert "yanked" not in str(store.get_domain("refund").read_release("2.0.1")["changes"])
    assert verify_release(Path(store.place) / "refund/releases/2.0.1", store=store).holds


def test_a_domain_alone_names_the_newest_release_that_was_not_yanked(store: Store) -> None:
    assert find_newest_release(store.get_domain("refund")) == "1.0.0"
    release(store, LONGER)
    yank(store.get_domain("refund"), "2.0.0", by="ada", reason="worse")
    yank(store.get_domain("refund"), "1.0.0", by="ada", reason="", undo=True)
    assert find_newest_release(store.get_domain("refund")) == "1.0.0"


@pytest.mark.parametrize("named", ["refund@1.0.0", "{}/refund/releases/1.0.0/refund_l1"])
def test_who_uses_it_is_warned_and_verify_says_so(store: Store, named: str) -> None:
    with locate_release(named.format(store.place), store.place) as found:
        assert found.yanked is not None
        assert found.yanked.reason == "The limit is wrong."
        assert found.release is not None
        done = verify_release(found.release, store=store)
    warned = [item.id for claim in done.claims for item in claim.findings]
    assert (done.holds, warned) == (True, ["yanked"])


def test_its_own_files_stay_as_they_were(store: Store, first: Path) -> None:
    kept = "refund/releases/1.0.0"
    before, after = (
        {path.name: path.read_bytes() for path in (Path(place) / kept).rglob("*") if path.is_file()}
        for place in (first, store.place)
    )
    assert before == after
