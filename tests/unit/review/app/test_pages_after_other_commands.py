"""Pages show what other commands left in a store: provisional versions, yanks, words, damage."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flows.gate_words import make_review_url
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import AuditLog, Opinion
from sopforge.store.log.yanks import yank
from sopforge.store.opening import open_store
from tests.servers.review_browser import Form, Page, Served
from tests.unit.review.app.conftest import Serve, refund
from tests.worlds.quick_builds import LONGER, go, settle
from tests.worlds.quick_builds import refund as quick_refund

PRIVATE = "1.0.0-private.1"


@pytest.fixture(scope="session")
def ahead_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store in which the schema waits, and all later stages are provisional."""
    folder = tmp_path_factory.mktemp("ahead")
    advance(open_store(folder), refund(), run_ahead=True)
    return folder


@pytest.fixture
def ahead(serve: Serve, ahead_store: Path) -> Served:
    return serve(ahead_store)


@pytest.fixture
def released(serve: Serve, passed_store: Path) -> Served:
    """Serve a store with a release and a private test set of it, both yanked."""
    served = serve(passed_store)
    served.store.get_domain("refund").save_release(PRIVATE, {}, {})
    yank(served.store.get_domain("refund"), "1.0.0", by="grace", reason="Rule 3 <b>is wrong</b>.")
    yank(served.store.get_domain("refund"), PRIVATE, by="grace", reason="It leaked.")
    return served


def row(page: Page, stage: str) -> str:
    """Return the words of a stage's row."""
    pattern = rf'<tr>\s*<th scope="row">(?:<a[^>]*>)?{stage}\b.*?</tr>'
    [found] = re.findall(pattern, page.text, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", found).split())


def test_what_is_downstream_of_a_gate_is_provisional(ahead: Served) -> None:
    ada = ahead.browser("ada")

    page = ada.page("/d/refund")

    assert "waiting, 1 approval missing" in row(page, "schema")
    assert "provisional: schema is not approved" in row(page, "sop")
    assert "SOPForge, without a language model" in row(page, "sop")
    assert "The provisional stages count only if the schema is approved." in page.text
    assert "provisional up to complexity" in ada.page("/").text


def test_stages_from_before_a_change_are_not_said_to_have_no_findings(
    serve: Serve, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    served = serve(tmp_path / "empty")
    go(served.store, approve_clean=True)
    go(served.store, quick_refund(LONGER))

    page = served.browser("ada").page("/d/refund")

    assert "not checked again" in row(page, "tools")
    assert "not checked again" not in row(page, "schema")


def test_nobody_decides_on_what_is_provisional(ahead: Served) -> None:
    ada = ahead.browser("ada")
    page = ada.page("/d/refund/sop")
    assert "This version does not wait for a decision." in page.text
    assert page.posting == ["/logout"]

    version = ahead.store.get_domain("refund").list_versions("sop")[0].manifest
    fields = {"csrf": page.form("/logout").fields["csrf"], "verdict": "approve"}
    fields |= {"digest": version.content, "key": version.key}
    refused = ada.send(Form("/d/refund/sop/decide", "post", fields), comment="Fine by me.")

    assert refused.status_code == 409
    assert "provisional-decision" in refused.text
    assert "Fine by me." in refused.text
    assert AuditLog(ahead.store.get_domain("refund")).list_entries() == []


def test_files_that_were_changed_are_reported(ahead: Served) -> None:
    files = Path(ahead.store.place, "refund/stages/schema/0001/files")
    (files / "domain.yaml").write_text("changed", encoding="utf-8")

    assert "files were changed" in row(ahead.browser("ada").page("/d/refund"), "schema")


def test_words_are_shown_where_they_are_those_that_were_said(
    serve: Serve, waiting_store: Path
) -> None:
    served = serve(waiting_store)
    settle(served.store, "schema", DecisionVerdict.REJECT, opinion=Opinion("Say 20 <i>days</i>."))
    ada = served.browser("ada")
    shown = "Say 20 &lt;i&gt;days&lt;/i&gt;."
    assert shown in ada.page("/d/refund/history").text
    assert shown in ada.page("/d/refund/schema?version=1").text

    [words] = Path(served.store.place, "refund/words").iterdir()
    words.write_text("Say 90 days.", encoding="utf-8")

    page = ada.page("/d/refund/history").text
    assert "the comment differs from the recorded one" in page
    assert "Say 90 days." not in page
    assert ">verified<" in page


def test_a_yanked_release_says_so_wherever_it_is_shown(released: Served) -> None:
    page = released.browser("vera").page("/d/refund/releases").text

    assert "grace yanked it" in page
    assert "Rule 3 &lt;b&gt;is wrong&lt;/b&gt;." in page
    assert PRIVATE not in page
    text = released.browser("grace").page("/d/refund/releases").text
    assert f"Private test set {PRIVATE}, yanked: It leaked." in text


def test_a_private_test_set_is_not_handed_out(released: Served) -> None:
    grace = released.browser("grace")

    assert grace.get("/d/refund/releases/1.0.0.zip").status_code == 200
    assert grace.get(f"/d/refund/releases/{PRIVATE}.zip").status_code == 404


def test_the_history_lists_releases_that_were_taken_back_and_given_back(
    released: Served,
) -> None:
    yank(released.store.get_domain("refund"), "1.0.0", by="ada", reason="It was right.", undo=True)

    page = released.browser("ada").page("/d/refund/history").text

    assert page.count("release yanked") == 2
    assert "release unyanked" in page
    assert page.count(">release 1.0.0</a>") == 2
    assert "It was right." in page
    assert "yanked" not in released.browser("ada").page("/d/refund/releases").text


def test_a_domain_stands_where_its_gates_left_it_whatever_became_of_its_releases(
    released: Served,
) -> None:
    page = released.browser("ada").page("/").text

    assert "all gates passed" in page
    assert "7 of 7" in page


@pytest.mark.parametrize(("stage", "shown"), [("", "The <strong>schema</strong>"), ("sop", "sop")])
def test_pages_of_prefect_link_to_pages_that_there_are(
    ahead: Served, monkeypatch: pytest.MonkeyPatch, stage: str, shown: str
) -> None:
    monkeypatch.setenv("SOPFORGE_REVIEW_URL", "http://127.0.0.1:8321/")

    address = make_review_url("refund", stage)

    assert shown in ahead.browser("ada").page(address.removeprefix("http://127.0.0.1:8321")).text
