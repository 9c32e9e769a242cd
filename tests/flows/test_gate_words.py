from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from flows.gate_words import (
    Approvals,
    Commands,
    describe_gate,
    make_page_key,
    make_review_url,
    render_gate_page,
    render_passed_page,
    render_reopened_page,
)
from sopforge.findings import Finding, make_error_finding, make_warning_finding
from sopforge.pipeline.stages.pipeline import Ending, Progress
from sopforge.store.backends.folder import FolderObjects
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
        (Ending.AWAITING_APPROVAL, f"waits. Approve: {APPROVE} | Continue: {GENERATE}"),
        (Ending.REJECTED, "was rejected. Generate again with a changed brief"),
        (Ending.APPROVED, f"and all before it are approved. Publish: {PUBLISH}"),
    ],
    ids=["awaiting", "rejected", "approved"],
)
def test_a_message_names_the_artifact_and_the_next_command(ending: Ending, message: str) -> None:
    line = describe_gate(progress(ending), STORE, Approvals())
    assert line == f"patient_intake: sop 0123456789ab {message}"


def test_commands_name_a_store_that_is_not_the_default() -> None:
    known = Commands("fees", "else where")
    assert known.go_on.endswith("--param domain=fees --param 'store=else where'")
    assert known.approve(progress(Ending.AWAITING_APPROVAL).version.manifest).endswith(
        "--store 'else where'"
    )


def test_a_page_has_a_row_for_each_finding_and_shows_its_text_as_it_is() -> None:
    findings = (
        make_error_finding("first", "a | b\nc", where="rule <1>", evidence="x = 1", hint="fix it"),
        make_warning_finding("second", "![](http://x.test/?a)"),
    )
    page = render_gate_page(progress(Ending.AWAITING_APPROVAL, *findings), STORE, Approvals())
    assert "| error | first | rule \\<1\\> | a \\| b c | x = 1 | fix it |\n" in page
    assert "| warning | second |  | !\\[\\](http\\://x.test/?a) |  |  |\n" in page


def test_a_page_offers_each_decision_on_exactly_what_it_shows() -> None:
    page = render_gate_page(progress(Ending.AWAITING_APPROVAL), STORE, Approvals())
    for verb in ("approve", "edit", "reject"):
        assert f"sopforge {verb} patient_intake sop --digest 0123456789ab" in page
    assert GENERATE in page


def test_a_page_lists_the_files_and_how_to_read_each(tmp_path: Path) -> None:
    found = progress(Ending.AWAITING_APPROVAL)
    version = replace(found.version, objects=FolderObjects(tmp_path))
    for name in ("sop.txt", "parts/trace.json"):
        path = tmp_path / "v3" / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text", encoding="utf-8")
    page = render_gate_page(replace(found, version=version), STORE, Approvals())
    files = page.partition("## Files")[2].partition("## To go on")[0]
    assert "| sop.txt | sopforge show patient\\_intake sop --file sop.txt |" in files
    assert "| parts/trace.json | " in files


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://review.test:9000", "[Review and decide](<http://review.test:9000/d/"),
        ("", "For a link to its review page, set `SOPFORGE_REVIEW_URL`"),
    ],
)
def test_a_page_has_a_link_or_says_what_it_takes(
    address: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOPFORGE_REVIEW_URL", address)
    page = render_gate_page(progress(Ending.AWAITING_APPROVAL), STORE, Approvals())
    assert said in page
    assert page.count("eview page") + page.count("Review and decide") == 1


def test_what_has_errors_is_offered_only_as_it_would_be_accepted() -> None:
    found = progress(Ending.AWAITING_APPROVAL, make_error_finding("gap", "no rule holds"))
    page = render_gate_page(found, STORE, Approvals())
    assert f"{APPROVE} --despite-errors\n" in page
    assert f"{APPROVE}\n" not in page
    assert "It has errors. Change the brief" in page
    line = describe_gate(found, STORE, Approvals())
    assert f"waits and has errors. Approve: {APPROVE} --despite-errors |" in line


def test_what_was_decided_meanwhile_is_offered_no_more() -> None:
    found = replace(progress(Ending.AWAITING_APPROVAL), is_overtaken=True)
    page, line = (make(found, STORE, Approvals()) for make in (render_gate_page, describe_gate))
    assert "sop has been decided\n" in page
    assert line.endswith(f"sop 0123456789ab has been decided in the meantime. Continue: {GENERATE}")
    for text in (page, line):
        assert "sopforge approve" not in text
        assert "sopforge reject" not in text
        assert GENERATE in text


def test_a_page_of_a_rejected_version_does_not_offer_to_approve_it() -> None:
    page = render_gate_page(progress(Ending.REJECTED), STORE, Approvals())
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
    assert make_review_url("patient_intake", "sop") == url
    page = render_gate_page(progress(Ending.AWAITING_APPROVAL), STORE, Approvals())
    assert ("[Review and decide]" in page) == bool(url)
    assert f"<{url}>" in page or not url


@pytest.mark.parametrize(
    ("by", "standing"),
    [
        ((), "2 people must approve it; it has 0 of these."),
        (("ada",), "2 people must approve it; it has 1 of these, by ada."),
    ],
)
def test_a_gate_says_how_many_must_approve_and_who_has(by: tuple[str, ...], standing: str) -> None:
    waiting, approvals = progress(Ending.AWAITING_APPROVAL), Approvals(2, by)
    assert f"{standing} Read the files" in render_gate_page(waiting, STORE, approvals)
    assert f" waits. {standing} Approve: {APPROVE}" in describe_gate(waiting, STORE, approvals)


def test_a_gate_that_is_passed_or_open_again_offers_no_decision() -> None:
    version = progress(Ending.AWAITING_APPROVAL).version
    passed = render_passed_page(version, "approved by ada")
    assert passed.startswith("# patient\\_intake: sop is approved by ada\n")
    opened = render_reopened_page("patient_intake", "sop", "is being built")
    assert opened.startswith("# patient\\_intake: sop is being built\n")
    assert "sopforge" not in passed + opened


def test_a_key_has_only_characters_that_prefect_allows() -> None:
    assert make_page_key("gate", "patient_intake", "sop") == "gate-patient-intake-sop"
    assert make_page_key("release", "fees") == "release-fees"
