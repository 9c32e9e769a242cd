"""What pages show, and what artifacts and addresses cannot make them do."""

from __future__ import annotations

import io
import re
import shutil
import time
from pathlib import Path

import pytest
from docx import Document

from sopforge.pipeline.gates.gate import edit
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.log.yanks import yank
from sopforge.store.opening import open_store
from tests.judges.markup import parsed
from tests.servers.review_browser import Browser, Page, Served
from tests.unit.review.app.conftest import Serve, refund
from tests.worlds.quick_builds import settle

STAGES = ("schema", "sop", "dataset", "api", "toolspec", "tools", "complexity")
PAGES = (
    "/",
    "/d/refund",
    "/d/refund/changes",
    "/d/refund/history",
    "/d/refund/releases",
    "/d/refund/regenerate",
    "/d/refund/schema/edit",
    "/d/refund/schema/changes",
    "/d/refund/schema/gate",
    *(f"/d/refund/{stage}" for stage in STAGES),
)
ATTACK = '<script>alert(1)</script><img src=x onerror="alert(2)">'


@pytest.fixture
def passed(serve: Serve, passed_store: Path) -> Served:
    return serve(passed_store)


def compared(browser: Browser, address: str) -> Page:
    """Return a page once what it compares is known."""
    page = browser.page(address)
    deadline = time.monotonic() + 60
    while "is comparing the old and the new version" in page.text:
        assert time.monotonic() < deadline
        page = browser.page(address)
    return page


@pytest.mark.parametrize("address", PAGES)
def test_every_page_keeps_to_the_policy_that_it_states(passed: Served, address: str) -> None:
    answer = passed.browser("grace").get(address)

    assert answer.status_code == 200
    assert Page(answer.text).inline == []
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["cache-control"] == "no-store"


def test_pages_load_nothing_from_elsewhere(passed: Served) -> None:
    browser = passed.browser("grace")
    text = browser.page("/d/refund/schema").text
    loaded = re.findall(r'<(?:script|link)[^>]*(?:src|href)="([^"]*)"', text)

    assert len(loaded) >= 4
    for address in loaded:
        assert address.startswith("/static/")
        assert browser.get(address).status_code == 200


def test_the_inbox_shows_what_waits_for_whom(ada: Browser) -> None:
    text = ada.page("/").text

    assert "waits for a decision" in text
    assert 'href="/d/refund/schema"' in text
    assert "1 approval missing" in text
    assert re.search(r">a moment</td>|>\d+ (minute|second|hour)s?</td>", text)


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ("q=ref", True),
        ("q=REF", True),
        ("q=nothing", False),
        ("q=order", True),
        ("phase=waiting", True),
        ("phase=me", True),
        ("phase=passed", False),
        ("phase=nonsense", False),
        ("stage=schema", True),
        ("stage=sop", False),
        ("page=99", True),
        ("page=-1", True),
        ("page=x", True),
    ],
)
def test_the_inbox_is_searched(ada: Browser, query: str, *, is_found: bool) -> None:
    assert ('id="open-refund"' in ada.page(f"/?{query}").text) is is_found


def test_domains_are_called_by_their_titles(ada: Browser, served: Served) -> None:
    served.store.objects.create("untitled/briefs/0001/brief.yaml", b"domain: untitled")
    served.store.objects.create("odd/briefs/0001/brief.yaml", b"title: A <b>bold</b> one")
    for address in ("/d/refund", "/d/refund/schema", "/d/refund/history", "/d/refund/releases"):
        page = parsed(ada.page(address).text.removeprefix("<!doctype html>"))
        assert page.one("head").one("title").text.startswith("Order Refunds")
        assert page.one("h1").text.startswith("Order Refunds")
        assert "Order Refunds" in page.one("nav", kind="trail").text
        assert "refund" not in page.one("nav", kind="trail").text

    rows = parsed(ada.page("/").text.removeprefix("<!doctype html>"))
    names = {part.attributes["id"]: part.text for part in rows.one("table", kind="rows").all("a")}
    assert names == {
        "open-refund": "Order Refunds",
        "open-untitled": "untitled",
        "open-odd": "A <b>bold</b> one",
    }


def test_the_inbox_has_pages(served: Served) -> None:
    for number in range(120):
        served.store.objects.create(f"many_{number:03}/briefs/0001/brief.yaml", b"domain: many")
    ada = served.browser("ada")

    # What takes longer to be read than anybody waits for is shown as far as it was read.
    while "domains so far" in (first := ada.page("/?q=many")).text:
        time.sleep(0.1)
    last = ada.page("/?q=many&page=3")

    assert re.findall("[0-9]+ domains[^<]*", first.text) == ["120 domains, page 1 of 3"]
    assert len(re.findall('id="open-many', first.text)) == 50
    assert len(re.findall('id="open-many', last.text)) == 20
    assert "/?q=many&page=2" in [link.replace("&amp;", "&") for link in first.links]


def test_a_domain_page_follows_what_appears(ada: Browser, served: Served) -> None:
    before = ada.get("/d/refund", **{"hx-request": "true"}).text
    assert before.count("not made yet") == 6
    assert "<html" not in before

    settle(served.store, "schema", by="eve")
    advance(served.store, refund())

    after = ada.get("/d/refund", **{"hx-request": "true"}).text
    assert after.count("not made yet") == 5
    assert "approved by eve" in after


def test_an_attack_in_an_sop_is_shown_as_text(serve: Serve, waiting_store: Path) -> None:
    served = serve(waiting_store)
    store, brief = served.store, refund()
    settle(store, "schema", by="eve")
    version = advance(store, brief).version
    text = version.files["sop.txt"].replace("Take the steps in order", f"{ATTACK}", 1)
    edit(store.get_domain("refund"), stage="sop", digest="", text=text, by="eve")
    advance(store, brief)

    ada = served.browser("ada")
    for address in ("/d/refund/sop", "/d/refund/sop/changes", "/d/refund/sop/edit"):
        page = compared(ada, address)
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page.text
        assert page.inline == []


@pytest.mark.parametrize("field", ["comment", "quote"], ids=["in a comment", "in a quoted passage"])
def test_an_attack_in_a_decision_is_shown_as_text(ada: Browser, field: str) -> None:
    form = ada.page("/d/refund/schema").form("/d/refund/schema/decide", verdict="reject")
    assert ada.send(form, {"comment": "Correct it.", field: ATTACK}).status_code == 303

    for address in ("/d/refund/history", "/d/refund/schema?version=1"):
        page = ada.page(address)
        assert "&lt;script&gt;alert(1)" in page.text
        assert page.inline == []


def test_changes_are_shown_by_consequence_once_they_are_known(
    serve: Serve, waiting_store: Path
) -> None:
    served = serve(waiting_store)
    settle(served.store, "schema", by="eve")
    advance(served.store, refund(("{value: 30, unit: days", "{value: 20, unit: days")))
    ada = served.browser("ada")

    text = compared(ada, "/d/refund/schema/changes?version=2").text

    headings = re.findall(r"<h2>([^<]*)</h2>", text)
    assert headings == ["Cases decided differently", "Rules", "Text"]
    assert "version 2 compared with version 1" in text
    assert "Some cases are decided differently." in text
    assert re.search(r"<del>30 days</del><ins>20 days</ins>|<del>30</del><ins>20</ins>", text)
    assert "eligibility of the order: eligible became excluded" in text
    clauses = re.findall(r'<blockquote class="clause"><p>(.*?)</p>', text)
    limits = [
        re.findall(r"days since delivery are more than (\d+)\b", clause) for clause in clauses
    ]
    assert limits[:2] == [["30"], ["20"]]
    assert "SOP, 6.1 Look the order up (as SOPForge writes the SOP from these rules)" in text
    assert "The first release will be 1.0.0." in text
    assert "Next release" not in text


def test_changes_since_a_release_say_what_the_next_one_is(serve: Serve, passed_store: Path) -> None:
    served = serve(passed_store)
    advance(served.store, refund(("{value: 30, unit: days", "{value: 20, unit: days")))

    text = compared(served.browser("ada"), "/d/refund/schema/changes?version=2").text

    assert "Next release, judged by this stage alone: minor." in text
    assert "first release" not in text


def test_the_inbox_marks_a_release_that_was_yanked(
    serve: Serve, passed_store: Path, tmp_path: Path
) -> None:
    assert "yanked" not in serve(passed_store).browser("ada").page("/").text

    place = shutil.copytree(passed_store, tmp_path / "yanked")
    yank(open_store(place).get_domain("refund"), "1.0.0", by="eve", reason="The limit is wrong.")

    text = serve(place).browser("ada").page("/").text
    assert re.search(r'<td data-label="Release">1.0.0 <span class="[^"]*">yanked</span></td>', text)


def test_what_is_yet_to_be_looked_at_again_is_not_said_to_be_unchanged(
    serve: Serve, passed_store: Path
) -> None:
    served = serve(passed_store)
    advance(served.store, refund(("value: 30,", "value: 31,")))
    ada = served.browser("ada")

    text = compared(ada, "/d/refund/changes").text

    stages = "sop, dataset, api, toolspec, tools, complexity."
    assert f"Older than the last change, and checked again after the schema: {stages}" in text
    assert "Unchanged: " not in text


def test_who_may_decide_sees_first_what_waits_for_them(serve: Serve, waiting_store: Path) -> None:
    served = serve(waiting_store)

    assert "1 domain waits for your decision." in served.browser("ada").page("/").text
    assert "for your decision" not in served.browser("vera").page("/").text
    assert (
        "After your approval, SOPForge makes the sop."
        in served.browser("ada").page("/d/refund/schema").text
    )


def test_operations_of_the_services_can_be_tried(serve: Serve, passed_store: Path) -> None:
    ada = serve(passed_store).browser("ada")
    tries = [link for link in ada.page("/d/refund/api").links if "/try" in link]

    assert [link.partition("tool=")[2] for link in tries] == ["lookUpOrder", "payRefund"]
    assert "Back to version 1 of the api" in ada.page(f"/d/refund/{tries[1]}").text


def test_a_first_version_has_nothing_to_be_compared_with(ada: Browser) -> None:
    assert "This is the first version" in ada.page("/d/refund/schema/changes").text


def test_an_old_version_is_shown_as_one(serve: Serve, waiting_store: Path) -> None:
    served = serve(waiting_store)
    advance(served.store, refund(("{value: 30, unit: days", "{value: 20, unit: days")))

    page = served.browser("ada").page("/d/refund/schema?version=1")

    assert "This version does not wait for a decision." in page.text
    assert "Version 2 of the schema does." in page.text
    assert page.posting == ["/logout"]


def test_an_empty_store_says_how_to_begin(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    text = serve(tmp_path / "empty").browser("ada").page("/").text

    assert "The store has no domain yet." in text
    assert open_store(tmp_path / "empty").list_domains() == []


def test_an_sop_is_handed_out_as_a_word_document(serve: Serve, passed_store: Path) -> None:
    served = serve(passed_store)
    ada = served.browser("ada")
    (link,) = [link for link in ada.page("/d/refund/sop").links if ".docx" in link]
    assert link == "sop/sop.docx?version=1"

    answer = ada.get(f"/d/refund/{link}")

    assert answer.headers["content-disposition"] == 'attachment; filename="refund-sop-1.docx"'
    assert "wordprocessingml" in answer.headers["content-type"]
    paragraphs = Document(io.BytesIO(answer.content)).paragraphs
    text = served.store.get_domain("refund").list_versions("sop")[0].files["sop.txt"]
    assert paragraphs[0].text == text.partition("\n")[0]
    assert ada.get("/d/refund/sop/sop.docx?version=9").status_code == 404
    assert served.browser().get(f"/d/refund/{link}").status_code == 303
