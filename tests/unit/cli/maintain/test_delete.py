"""``sopforge delete`` deletes one domain, after it was shown, and never a release unasked."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import pytest

from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.digests import digest_bytes
from sopforge.store.opening import open_store
from tests.running.commands import Ran, contents, run
from tests.worlds.changed_briefs import REFUND

OTHER = REFUND.replace("domain: refund", "domain: returns")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    for text in (REFUND, OTHER):
        advance(open_store(folder), read_brief(text, "brief.yaml"))
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    """Return a store with two domains that wait."""
    return Path(shutil.copytree(made, tmp_path / "store"))


def delete(place: Path, *options: str) -> Ran:
    return run("delete", "refund", *options, "--store", str(place))


def digest(place: Path) -> str:
    return digest_bytes((place / "refund" / "seal.json").read_bytes())[:12]


def test_all_of_a_domain_goes_and_nothing_of_another(place: Path) -> None:
    other = contents(place / "returns")

    ran = delete(place, "--yes")

    assert ran.code == 0
    assert "1 brief, 1 version, 0 decisions, 0 releases; " in ran.out
    assert not (place / "refund").exists()
    assert contents(place / "returns") == other
    assert delete(place, "--yes").code == 2


def test_without_a_terminal_it_says_how_to_confirm_what_was_shown(place: Path) -> None:
    before = contents(place)
    ran = delete(place)
    assert ran.code == 2
    assert f"sopforge delete refund --yes --digest {digest(place)} --store {place}" in ran.err
    assert contents(place) == before


def test_a_domain_that_changed_since_it_was_shown_stays(place: Path) -> None:
    shown = digest(place)
    run("approve", "refund", "schema", "--by", "ada", "--store", str(place))
    before = contents(place)

    ran = delete(place, "--yes", "--digest", shown)

    assert ran.code == 2
    assert f"the domain has changed: its digest is {digest(place)}" in ran.err
    assert contents(place) == before


def test_releases_go_only_where_that_is_said(place: Path) -> None:
    open_store(place).get_domain("refund").save_release("1.0.0", {}, {"stages": {}})

    kept = delete(place, "--yes")

    assert kept.code == 2
    assert "domain-released: refund: 'refund' has releases: 1.0.0" in kept.err
    gone = delete(place, "--yes", "--releases", "--json")
    assert json.loads(gone.out)["deleted"]["releases"] == ["1.0.0"]
    assert not (place / "refund").exists()


def test_a_domain_with_a_run_at_work_stays(place: Path) -> None:
    with open_store(place).objects.hold_lock("refund/run"):
        ran = delete(place, "--yes")
    assert ran.code == 2
    assert "domain-locked: refund: a run is at work" in ran.err
    assert (place / "refund").exists()


def test_on_a_terminal_it_asks(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = io.StringIO("n\ny\n")
    typed.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stdin", typed)
    kept = delete(place)
    assert (kept.code, kept.out.endswith("Nothing was deleted.\n")) == (0, True)
    assert (place / "refund").exists()
    assert delete(place).code == 0
    assert not (place / "refund").exists()


def test_a_domain_that_was_half_deleted_is_deleted_by_the_same_command(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(path: Path) -> None:
        (path / "current.json").unlink()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", die)
        assert delete(place, "--yes").code == 130
    assert run("continue", "refund", "--store", str(place)).code == 2

    assert delete(place, "--yes").code == 0
    assert not (place / "refund").exists()
