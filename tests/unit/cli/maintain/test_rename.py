"""``sopforge rename`` starts a domain under another name, and leaves the old one as it is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.briefs.brief_files import keep_brief, load_latest_brief
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.running.commands import Ran, Terminal, contents, run
from tests.worlds.changed_briefs import REFUND

TEXT = "# What the shop pays back.\n" + REFUND


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a store in which a schema was approved, and the SOP waits."""
    made, brief = open_store(tmp_path), read_brief(TEXT, "brief.yaml")
    keep_brief(made, brief)
    advance(made, brief)
    run("approve", "refund", "schema", "--by", "ada", "--store", made.place)
    advance(made, brief)
    return made


def rename(store: Store, *options: str, name: str = "returns") -> Ran:
    return run("rename", "refund", name, *options, "--store", store.place)


def test_the_brief_starts_another_domain_and_the_old_one_stays(store: Store) -> None:
    folder = Path(store.place)
    before = contents(folder / "refund")

    ran = rename(store)

    assert ran.code == 0
    assert "Nothing that was decided (1 entry of the audit log) or released (nothing)" in ran.out
    assert f"Build it with: sopforge continue returns --store {store.place}\n" in ran.out
    assert contents(folder / "refund") == before
    kept = (folder / "returns/briefs/0001/brief.yaml").read_text(encoding="utf-8")
    assert kept == TEXT.replace("domain: refund", "domain: returns")

    gone_on = run("continue", "returns", "--store", store.place)
    assert gone_on.code == 3
    assert "schema" in gone_on.out
    assert AuditLog(store.get_domain("returns")).list_entries() == []


def test_a_name_that_is_taken_is_refused(store: Store) -> None:
    other = read_brief(REFUND.replace("domain: refund", "domain: returns"), "brief.yaml")
    keep_brief(store, other)
    before = contents(Path(store.place))

    for name in ("returns", "refund"):
        ran = rename(store, name=name)
        assert ran.code == 2
        assert f"domain-taken: {name}: the store has a domain '{name}' already" in ran.err
        assert f"sopforge delete {name} --store {store.place}" in ran.err
    assert contents(Path(store.place)) == before


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("nothing", "returns", "unknown-domain"),
        ("refund", "../returns", "domain-name"),
        ("refund", "Returns", "domain-name"),
    ],
)
def test_what_is_no_domain_or_no_name_of_one_is_refused(
    store: Store, old: str, new: str, code: str
) -> None:
    before = contents(Path(store.place))
    ran = run("rename", old, new, "--store", store.place)
    assert (ran.code, ran.err.partition(":")[0]) == (2, code)
    assert contents(Path(store.place)) == before


def test_the_same_command_again_does_the_same(store: Store) -> None:
    rename(store)
    before = contents(Path(store.place) / "returns")
    assert rename(store).code == 0
    assert contents(Path(store.place) / "returns") == before


def test_on_a_terminal_it_asks(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("n\ny\n"))
    assert "Nothing was renamed." in rename(store).out
    assert not (Path(store.place) / "returns").exists()
    assert rename(store).code == 0
    assert (Path(store.place) / "returns").exists()


def test_a_brief_that_was_changed_since_it_was_shown_is_not_taken(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(Terminal):
        def readline(self, *_: object) -> str:  # type: ignore[override]
            brief = load_latest_brief(store.get_domain("refund"))
            keep_brief(store, read_brief(f"{brief.text}# Later.\n", "brief.yaml"))
            return "y\n"

    monkeypatch.setattr(sys, "stdin", Slow())
    ran = rename(store)

    assert ran.code == 2
    assert "stale-decision: refund: the brief of 'refund' has changed" in ran.err
    assert not (Path(store.place) / "returns").exists()
