"""On a terminal, what is decided on is shown, and nothing else is decided on."""

from __future__ import annotations

import io
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.briefs.brief_files import keep_brief, keep_changed, load_latest_brief
from sopforge.pipeline.briefs.regeneration import PatchText, change_brief
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.running.commands import Ran, Terminal, run
from tests.worlds.changed_briefs import REFUND


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a store in which a schema waits."""
    made = open_store(tmp_path)
    advance(made, read_brief(REFUND, "brief.yaml"))
    return made


def decide(store: Store, typed: io.StringIO, monkeypatch: pytest.MonkeyPatch, *command: str) -> Ran:
    monkeypatch.setattr(sys, "stdin", typed)
    verb, *more = command
    return run(verb, "refund", "schema", "--by", "ada", "--store", store.place, *more)


def verdicts(store: Store) -> list[str]:
    return [str(entry.verdict) for entry in AuditLog(store.get_domain("refund")).list_entries()]


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_it_is_shown_with_its_digest_and_decided_on_once_that_is_confirmed(
    store: Store, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    [version] = store.get_domain("refund").list_versions("schema")
    digest = version.manifest.content[:12]

    kept = decide(store, Terminal("n\n"), monkeypatch, verb)
    assert f"refund schema, version 1, {digest}: no findings" in kept.out
    assert "Nothing was decided." in kept.out
    assert verdicts(store) == []

    assert decide(store, Terminal("y\n"), monkeypatch, verb).code == 0
    assert verdicts(store) == [verb]


def test_what_takes_its_place_meanwhile_is_not_decided_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(Terminal):
        def readline(self, *_: object) -> str:  # type: ignore[override]
            patch = PatchText("policy: {refund_days: {value: 14}}", "patch")
            brief = load_latest_brief(store.get_domain("refund"))
            advance(
                store,
                keep_changed(store.get_domain("refund"), lambda: change_brief(brief, "", patch)),
            )
            return "y\n"

    ran = decide(store, Slow(), monkeypatch, "approve")

    assert ran.code == 2
    assert "stale-decision" in ran.err
    assert verdicts(store) == []


def test_a_digest_that_is_given_is_not_asked_about(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    [version] = store.get_domain("refund").list_versions("schema")
    given = ("approve", "--digest", version.manifest.content[:12])
    assert decide(store, Terminal(""), monkeypatch, *given).code == 0


def test_a_decision_is_named_before_it_is_withdrawn(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    decide(store, Terminal("y\n"), monkeypatch, "approve")

    kept = decide(store, Terminal("n\n"), monkeypatch, "withdraw")
    assert "Withdraw entry 1, approve of refund schema" in kept.out
    assert "Nothing was withdrawn." in kept.out
    assert verdicts(store) == ["approve"]

    decide(store, Terminal("y\n"), monkeypatch, "withdraw")
    assert verdicts(store) == ["approve", "withdraw"]


def test_words_that_change_nothing_are_refused_before_anybody_is_asked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = decide(store, Terminal(""), monkeypatch, "request-changes", "--feedback", "Shorter.")

    assert ran.err.startswith("feedback-unheeded: ")
    assert "Request changes of" not in ran.out + ran.err


def yank(store: Store, typed: Terminal, monkeypatch: pytest.MonkeyPatch, *more: str) -> Ran:
    monkeypatch.setattr(sys, "stdin", typed)
    command = ("yank", "refund", "1.0.0", "--by", "ada", "--reason", "A limit is wrong.")
    return run(*command, "--store", store.place, *more)


def test_a_release_is_named_with_its_digest_before_it_is_yanked(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.get_domain("refund").save_release("1.0.0", {}, {"stages": {}})
    digest = sha256((Path(store.place) / "refund/releases/1.0.0/release.json").read_bytes())

    kept = yank(store, Terminal("n\n"), monkeypatch)
    assert f"refund 1.0.0, digest {digest.hexdigest()}\nReason: A limit is wrong.\n" in kept.out
    assert "Nothing was decided." in kept.out
    assert verdicts(store) == []

    assert yank(store, Terminal("y\n"), monkeypatch).code == 0
    assert verdicts(store) == ["yank"]


@pytest.mark.parametrize("how", ["shown", "given"])
def test_a_release_that_takes_its_place_meanwhile_is_not_yanked(
    store: Store, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(Terminal):
        def readline(self, *_: object) -> str:  # type: ignore[override]
            store.objects.replace("refund/releases/1.0.0/release.json", b"{}")
            return "y\n"

    store.get_domain("refund").save_release("1.0.0", {}, {"stages": {}})
    given = ("--digest", "0123456789ab") if how == "given" else ()

    ran = yank(store, Slow(), monkeypatch, *given)

    assert ran.code == 2
    assert "stale-decision: refund 1.0.0: the release has changed" in ran.err
    assert verdicts(store) == []


@pytest.fixture
def approved(tmp_path: Path) -> Store:
    """Return a store in which all stages of the refunds are approved."""
    made = open_store(tmp_path / "approved")
    brief = read_brief(REFUND, "brief.yaml")
    keep_brief(made, brief)
    advance(made, brief, approve_clean=True)
    return made


def publish(store: Store, typed: Terminal, monkeypatch: pytest.MonkeyPatch, *more: str) -> Ran:
    monkeypatch.setattr(sys, "stdin", typed)
    return run("publish", "refund", "--store", store.place, *more)


def test_a_release_is_shown_with_what_it_is_made_from_before_it_is_published(
    approved: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    [sop] = approved.get_domain("refund").list_versions("sop")

    kept = publish(approved, Terminal("n\n"), monkeypatch)
    assert kept.out.startswith("## 1.0.0\n\nThe first release.\n")
    assert f", sop {sop.manifest.content[:12]}, " in kept.out
    assert "Nothing was published." in kept.out
    assert approved.get_domain("refund").list_releases() == []

    assert publish(approved, Terminal("y\n"), monkeypatch).code == 0
    assert approved.get_domain("refund").list_releases() == ["1.0.0"]
    # What is there already is not asked about.
    again = publish(approved, Terminal(""), monkeypatch)
    assert "Already published as refund 1.0.0" in again.out


def test_what_changed_since_it_was_shown_is_not_published(
    approved: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(Terminal):
        def readline(self, *_: object) -> str:  # type: ignore[override]
            terms = "package: {outputs: all}\nauthor: offline"
            brief = read_brief(REFUND.replace("author: offline", terms), "brief.yaml")
            keep_brief(approved, brief)
            return "y\n"

    ran = publish(approved, Slow(), monkeypatch)

    assert ran.code == 2
    assert "stale-decision: refund: what would be published has changed since 1.0.0" in ran.err
    assert approved.get_domain("refund").list_releases() == []


def test_a_release_is_published_unasked_where_that_is_said(
    approved: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert publish(approved, Terminal(""), monkeypatch, "--yes").code == 0
