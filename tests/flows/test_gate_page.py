from __future__ import annotations

from pathlib import Path

import pytest

from flows.gate_page import Commands, gate_message, gate_page, page_key, review_url
from sopforge.findings import Finding, error, warning
from sopforge.stages.pipeline import Ending, Progress
from sopforge.store.folder import FolderObjects
from sopforge.store.versions import Manifest, Version

CONTENT = "0123456789abcdef"
STORE = "generated"


def progress(ending: Ending, *findings: Finding) -> Progress:
    manifest = Manifest("patient_intake", "sop", "ffee", CONTENT, "offline", {}, findings)
    return Progress(ending, Version(3, "v3", manifest, FolderObjects(Path("store"))), ())


APPROVE = "sopforge approve patient_intake sop --digest 0123456789ab"
GENERATE = "prefect deployment run generate-domain/local --param domain=patient_intake"
PUBLISH = "prefect deployment run publish-domain/local --param domain=patient_intake"


@pytest.fixture(autouse=True)
def no_review_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOPFORGE_REVIEW_URL", raising=False)


@pytest.mark.parametrize(
    ("ending", "message"),
    [
        (Ending.AWAITING_APPROVAL, f"waits. Approve: {APPROVE} | Go on: {GENERATE}"),
        (Ending.REJECTED, "was rejected. Generate again with a changed brief"),
        (Ending.APPROVED, f"and all before it are approved. Publish: {PUBLISH}"),
    ],
    ids=["awaiting", "rejected", "approved"],
)
def test_a_message_names_the_artifact_and_the_next_command(ending: Ending, message: str) -> None:
    assert gate_message(progress(ending), STORE) == f"patient_intake: sop 0123456789ab {message}"


def test_commands_name_a_store_that_is_not_the_default() -> None:
    known = Commands("fees", "else where")
    assert known.go_on.endswith("--param domain=fees --param 'store=else where'")
    assert known.approve("sop", "00").endswith("--store 'else where'")


def test_a_page_has_a_row_for_each_finding_and_shows_its_text_as_it_is() -> None:
    findings = (
        error("first", "a | b\nc", where="rule <1>", evidence="x = 1", hint="mend it"),
        warning("second", "![](http://x.test/?a)"),
    )
    page = gate_page(progress(Ending.AWAITING_APPROVAL, *findings), STORE)
    assert "| error | first | rule \\<1\\> | a \\| b c | x = 1 | mend it |\n" in page
    assert "| warning | second |  | !\\[\\](http\\://x.test/?a) |  |  |\n" in page


def test_a_page_offers_each_decision_on_exactly_what_it_shows() -> None:
    page = gate_page(progress(Ending.AWAITING_APPROVAL), STORE)
    for verb in ("approve", "request-changes", "edit", "reject"):
        assert f"sopforge {verb} patient_intake sop --digest 0123456789ab" in page
    assert GENERATE in page


def test_a_page_of_a_rejected_version_does_not_offer_to_approve_it() -> None:
    page = gate_page(progress(Ending.REJECTED), STORE)
    assert "sopforge approve" not in page
    assert "was rejected" in page


@pytest.mark.parametrize(
    ("setting", "url"),
    [
        ("https://review.test/", "https://review.test/d/patient_intake/sop"),
        ("http://h:80/a b>", "http://h:80/a%20b%3E/d/patient_intake/sop"),
        ("javascript:alert(1)//", ""),
        ("", ""),
    ],
)
def test_a_page_links_to_the_review_pages_where_it_is_said_where_they_are(
    monkeypatch: pytest.MonkeyPatch, setting: str, url: str
) -> None:
    monkeypatch.setenv("SOPFORGE_REVIEW_URL", setting)
    assert review_url("patient_intake", "sop") == url
    page = gate_page(progress(Ending.AWAITING_APPROVAL), STORE)
    assert ("[Look at it and decide]" in page) == bool(url)
    assert f"<{url}>" in page or not url


def test_a_key_has_only_characters_that_prefect_allows() -> None:
    assert page_key("gate", "patient_intake", "sop") == "gate-patient-intake-sop"
    assert page_key("release", "fees") == "release-fees"
