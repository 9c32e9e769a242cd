"""People review in a real browser: they find what changed, ask, edit and approve by what they see.

Chromium is the machine's own; without one the tests are skipped, and say so.
"""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from review.app import create_app
from review.settings import Settings
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import list_kept_versions, load_latest_brief
from sopforge.pipeline.stages.pipeline import STAGES, advance
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.servers.review_browser import SECRETS, named_users
from tests.worlds.quick_builds import settle
from tests.worlds.worded import let_worded_wait

REFUND = Path(__file__).parents[1] / "briefs" / "refund.yaml"
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
RUN_SECONDS = 400
# Selects the first place of a text in what was made, as a mouse does.
SELECT = """text => {
  const made = document.querySelector(".artifact");
  const words = document.createTreeWalker(made, NodeFilter.SHOW_TEXT);
  while (words.nextNode() && !words.currentNode.data.includes(text));
  const start = words.currentNode.data.indexOf(text);
  getSelection().setBaseAndExtent(words.currentNode, start, words.currentNode, start + text.length);
}"""
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(not CHROMIUM, reason="there is no Chromium on this machine"),
]


@dataclass(frozen=True)
class Site:
    """The app, served on a port of the test's own, over a store."""

    address: str
    store: Store


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Serve a store in which the schema of refunds waits."""
    store = open_store(tmp_path / "store")
    advance(store, refund())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    app = create_app(store, Settings(named_users(tmp_path), port=port))
    server = uvicorn.Server(uvicorn.Config(app, "127.0.0.1", port, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    until(lambda: server.started)
    yield Site(f"http://127.0.0.1:{port}", store)
    server.should_exit = True
    thread.join(30)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # The tests run as whoever runs them, who may be root, for whom Chromium has no sandbox.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> list[str]:
    """Return what the browser complains of: scripts that fail, and what the policy forbids."""
    return []


@pytest.fixture
def page(chromium: Browser, site: Site, complaints: list[str]) -> Iterator[Page]:
    """Return a window in which a reviewer has logged in."""
    context = chromium.new_context()
    yield logged_in(context.new_page(), site, "ada", complaints)
    context.close()
    assert complaints == []


def logged_in(page: Page, site: Site, name: str, complaints: list[str]) -> Page:
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda failed: complaints.append(str(failed)))
    page.set_default_timeout(RUN_SECONDS * 1000)
    page.goto(site.address)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Secret").fill(SECRETS[name])
    page.get_by_role("button", name="Log in").click()
    return page


def refund(*changes: tuple[str, str]) -> Brief:
    text = REFUND.read_text(encoding="utf-8")
    for old, new in changes:
        text = text.replace(old, new, 1)
    return read_brief(text, "refund.yaml")


def held_back(route: Route) -> None:
    time.sleep(1)
    route.continue_()


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + RUN_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_reviewer_approves_and_sees_the_next_stage_come(page: Page, site: Site) -> None:
    page.get_by_role("link", name="Order Refunds").click()
    page.get_by_role("link", name="Decide").click()
    page.get_by_label("Ease").select_option("7")
    page.get_by_role("button", name="Approve").click()

    expect(page.get_by_role("status").first).to_have_text("Your approval is recorded.")
    # Without a click: the page follows the run.
    expect(page.get_by_text("The sop waits for a decision.")).to_be_visible(
        timeout=RUN_SECONDS * 1000
    )
    page.get_by_role("link", name="Review and decide").click()
    expect(page.get_by_role("heading", name="Order Refunds: sop")).to_be_visible()
    [entry] = AuditLog(site.store.get_domain("refund")).list_entries()
    assert (entry.by, entry.verdict, entry.ratings) == ("ada", DecisionVerdict.APPROVE, {"ease": 7})


def test_a_reviewer_sees_which_cases_a_change_affects_and_asks_for_another(
    page: Page, site: Site
) -> None:
    settle(site.store, "schema", by="eve")
    advance(site.store, refund(("{value: 30, unit: days", "{value: 20, unit: days")))
    let_worded_wait(site.store, "refund")
    page.goto(f"{site.address}/d/refund/schema")

    expect(page.get_by_text("Cases decided differently")).to_be_visible()
    expect(page.get_by_text("Some cases are decided differently.")).to_be_visible()
    page.evaluate(SELECT, "refund_days")
    page.get_by_role("button", name="Quote the selection").click()
    expect(page.get_by_label("Passage, rule or row that it is about")).to_have_value("refund_days")
    page.get_by_label("What to change").fill("Make it 25 days.")
    page.get_by_role("button", name="Ask for changes").click()

    expect(page.get_by_role("status").first).to_contain_text("Your request is recorded")
    log = AuditLog(site.store.get_domain("refund"))
    assert log.read_words(log.list_entries()[-1]) == "About “refund_days”: Make it 25 days."


def test_comments_beside_passages_are_collected_and_go_with_one_decision(
    page: Page, site: Site
) -> None:
    let_worded_wait(site.store, "refund")
    page.goto(f"{site.address}/d/refund/schema")
    limit = page.locator("#policy-refund_days")
    limit.hover()
    limit.get_by_role("button", name="Comment on").click()
    page.keyboard.type("Why not 25? nnpp")
    rule = page.locator("#decision-eligibility tbody tr").first
    rule.get_by_role("button", name="Comment on").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("Right.")
    expect(page.get_by_role("heading", name="Your comments (2)")).to_be_visible()
    # A page that is opened again still has them.
    page.reload()
    expect(page.locator("#collected li")).to_have_count(2)
    page.get_by_role("button", name="Remove").last.click()
    expect(page.get_by_role("link", name="Decide (1)")).to_be_visible()
    page.get_by_role("button", name="Ask for changes").click()

    expect(page.get_by_role("status").first).to_contain_text("Your request is recorded")
    log = AuditLog(site.store.get_domain("refund"))
    about, said = log.read_words(log.list_entries()[-1]).rsplit(": ", 1)
    assert about.startswith("About “refund_days | 30 days | ")
    assert said == "Why not 25? nnpp"


def _shows_what_waits_elsewhere(page: Page, address: str) -> bool:
    page.goto(address)
    return page.get_by_role("navigation", name="What else waits for you").is_visible()


def test_keys_lead_to_what_else_waits_but_not_while_somebody_types(page: Page, site: Site) -> None:
    advance(site.store, refund(("domain: refund", "domain: returns"), ("Order Refunds", "Returns")))
    # What waits elsewhere is read again after a while, not for each page.
    until(lambda: _shows_what_waits_elsewhere(page, f"{site.address}/d/refund/schema"))
    remark = page.get_by_label("Comment (optional)")
    remark.fill("")
    remark.press_sequentially("npn")
    expect(remark).to_have_value("npn")
    assert page.url.endswith("/d/refund/schema")

    page.get_by_role("heading", name="Decide", exact=True).click()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Returns: schema")).to_be_visible()
    # A page shows its heading before its scripts, which read keys, have run.
    page.wait_for_load_state()
    page.keyboard.press("p")
    expect(page.get_by_role("heading", name="Order Refunds: schema")).to_be_visible()

    page.wait_for_load_state()
    page.get_by_label("use the keys p and n").uncheck()
    page.keyboard.press("n")
    page.reload()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="Order Refunds: schema")).to_be_visible()


def test_an_sop_is_printed_alone_and_dark_on_light(site: Site, chromium: Browser) -> None:
    advance(site.store, refund(("domain: refund", "domain: returns")), approve_clean=True)
    context = chromium.new_context(color_scheme="dark")
    page = logged_in(context.new_page(), site, "ada", [])
    page.goto(f"{site.address}/d/returns/sop")
    page.emulate_media(media="print", color_scheme="dark")

    expect(page.get_by_role("heading", name="6. Main procedure")).to_be_visible()
    for name in ("Status", "What was made", "About this version", "Where each part is stated"):
        expect(page.get_by_text(name, exact=True).first).to_be_hidden()
    expect(page.get_by_text("Save as a Word document")).to_be_hidden()
    ink = page.evaluate("getComputedStyle(document.querySelector('.text p')).color")
    assert ink == "rgb(27, 31, 36)"
    context.close()


def test_a_limit_changed_in_its_table_is_seen_kept_and_shown_by_its_cases(
    page: Page, site: Site
) -> None:
    settle(site.store, "schema", by="eve")
    page.goto(f"{site.address}/d/refund")
    page.get_by_role("link", name="Add context").click()
    page.get_by_text("Change limits and rules").click()
    limit = page.get_by_label("days after delivery in which a refund may be asked for")
    expect(limit).to_have_value("30")
    limit.fill("20")
    page.get_by_role("button", name="Show what the brief becomes").click()

    # One passage, and of it one word; the table still has what was typed.
    expect(page.locator("ol.passages > li")).to_have_count(1)
    expect(page.locator("ol.passages del")).to_have_text("30")
    expect(page.locator("ol.passages ins")).to_have_text("20")
    expect(limit).to_have_value("20")
    expect(limit).to_be_visible()
    assert len(list_kept_versions(site.store.get_domain("refund"))) == 1

    page.get_by_role("button", name="Keep it and start the run").click()

    expect(page.get_by_role("status").first).to_contain_text("The new brief is kept")
    # Without a click: the page follows the run.
    page.get_by_role("link", name="Review and decide").click()
    expect(page.get_by_role("heading", name="Order Refunds: schema")).to_be_visible()
    expect(page.get_by_text("Version 2, written by SOPForge")).to_be_visible()
    expect(page.get_by_text("Some cases are decided differently.")).to_be_visible()
    answers = page.get_by_role("region", name="Answers of the cases drawn").first
    [turn] = answers.get_by_role("row").filter(has_text="eligibility of the order").all()
    expect(turn.locator("del")).to_have_text("eligible")
    expect(turn.locator("ins")).to_have_text("excluded")
    reworded = "schema/domain.yaml: passages 1 reworded."
    expect(page.get_by_text(reworded)).to_be_visible()
    whole: Any = load_latest_brief(site.store.get_domain("refund")).document.value
    assert whole["model"]["policy"]["refund_days"]["value"] == 20


def test_a_reviewer_edits_in_place(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/d/refund/schema")
    page.get_by_role("link", name="Edit domain.yaml").click()
    editor = page.get_by_label("Text of domain.yaml")
    before = editor.input_value()
    editor.fill(before.replace("value: 30", "value: 20", 1))
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_role("heading", name="What the checks say")).to_be_visible()
    page.get_by_role("button", name="Keep this edit").click()

    expect(page.get_by_role("status").first).to_contain_text("Your edit is kept.")
    until(lambda: site.store.get_domain("refund").find_waiting_version() is not None)
    version = site.store.get_domain("refund").find_waiting_version()
    assert version is not None
    assert version.files["domain.yaml"] == before.replace("value: 30", "value: 20", 1)


def test_a_text_is_checked_as_it_is_typed(page: Page, site: Site) -> None:
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url) if "edit/now" in sent.url else None)
    page.clock.install()
    page.goto(f"{site.address}/d/refund/schema/edit")
    editor = page.get_by_label("Text of domain.yaml")
    before = editor.input_value()
    outcome = page.locator("#outcome")
    expect(outcome).to_have_text("The checks run as you type.")

    editor.fill(before.replace("unit: days", "unti: days", 1))
    expect(outcome).to_have_text("Your text cannot be read.")
    expect(page.get_by_text("did you mean 'unit'?")).to_be_visible()
    page.get_by_role("link", name="Line ").first.click()
    assert "unti: days" in page.evaluate("getSelection().toString()")

    # Keys that follow one another quickly are checked once. The page's clock stands, since on a
    # busy machine any two keys may be seconds apart.
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    asked.clear()
    editor.fill(before)
    editor.press_sequentially("# all of it")
    page.clock.resume()
    expect(outcome).to_have_text("The checks found nothing.")
    assert len(asked) == 1
    assert AuditLog(site.store.get_domain("refund")).list_entries() == []


def test_what_was_found_in_an_older_text_is_not_shown(page: Page, site: Site) -> None:
    page.goto(f"{site.address}/d/refund/schema/edit")
    editor = page.get_by_label("Text of domain.yaml")
    before = editor.input_value()
    outcome = page.locator("#outcome")
    with page.expect_request("**/edit/now"):
        # The answer comes only once the text is another.
        page.route("**/edit/now", held_back, times=1)
        editor.fill(before.replace("unit: days", "unti: days", 1))
    editor.fill(f"{before}# all of it")
    with page.expect_response("**/edit/now"):
        pass
    expect(outcome).to_have_text("The checks run as you type.")
    expect(outcome).to_have_text("The checks found nothing.")


def test_a_text_that_cannot_be_checked_says_so_and_stays(
    page: Page, site: Site, complaints: list[str]
) -> None:
    page.goto(f"{site.address}/d/refund/schema/edit")
    editor = page.get_by_label("Text of domain.yaml")
    page.context.clear_cookies()
    editor.fill("domain: mine")

    expect(page.get_by_text("The checks could not run just now.")).to_be_visible()
    page.get_by_role("button", name="Check it").click()
    expect(page.get_by_label("Text", exact=True)).to_have_value("domain: mine")
    # Refusals are answers of their own, which the browser notes as well.
    complaints[:] = [said for said in complaints if "40" not in said]


def test_two_reviewers_see_each_others_decision(
    page: Page, site: Site, chromium: Browser, complaints: list[str]
) -> None:
    let_worded_wait(site.store, "refund")
    page.goto(f"{site.address}/d/refund/schema")
    page.get_by_label("What to change").fill("Not to be lost.")
    context = chromium.new_context()
    other = logged_in(context.new_page(), site, "grace", complaints)
    other.goto(f"{site.address}/d/refund/schema")
    other.get_by_role("button", name="Approve").click()

    expect(page.get_by_text("grace: approve")).to_be_visible(timeout=30_000)
    expect(page.get_by_label("What to change")).to_have_value("Not to be lost.")
    page.get_by_role("button", name="Ask for changes").click()
    expect(page.get_by_role("heading", name="This has changed in the meantime")).to_be_visible()
    expect(page.get_by_label("Comment")).to_have_value("Not to be lost.")
    context.close()
    # A refusal is an answer of its own, which the browser notes as well.
    complaints[:] = [said for said in complaints if "409" not in said]


def test_everything_is_reached_by_the_keyboard_and_read_on_a_small_screen(
    page: Page, site: Site
) -> None:
    advance(site.store, refund(("domain: refund", "domain: returns")), approve_clean=True)
    page.set_viewport_size({"width": 360, "height": 740})
    for address in (
        "/",
        "/d/refund",
        "/d/refund/schema",
        "/d/refund/schema/edit",
        "/d/refund/changes",
        "/d/refund/history",
        "/d/refund/releases",
        "/d/refund/regenerate",
        *(f"/d/returns/{stage.name}" for stage in STAGES),
    ):
        page.goto(site.address + address)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert (address, wide) == (address, 360)
    page.goto(f"{site.address}/d/refund/schema")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.get_by_role("button", name="Approve").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_have_text("Your approval is recorded.")


def test_on_a_small_screen_nothing_is_covered_or_cut_without_a_sign(page: Page, site: Site) -> None:
    advance(site.store, refund(("value: 30", "value: 28")))
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto(f"{site.address}/d/refund/schema")

    links = page.get_by_role("navigation", name="Parts of the review").get_by_role("link")
    boxes = [box for link in links.all() if (box := link.bounding_box())]
    cut = """() => [...document.querySelectorAll('.scroll')].filter(part =>
      part.scrollWidth > part.clientWidth + 1).map(part => ({
        name: part.getAttribute('aria-labelledby'),
        sign: getComputedStyle(part).backgroundImage }))"""
    found = page.evaluate(cut)

    assert len(boxes) > 2
    for one, other in pairwise(boxes):
        assert one["x"] + one["width"] <= other["x"] or one["y"] + one["height"] <= other["y"]
    assert found
    assert [part for part in found if "gradient" not in part["sign"]] == []
    assert "limits" not in [part["name"] for part in found]


@pytest.mark.parametrize("width", [400, 1400])
def test_buttons_to_comment_cover_no_words(page: Page, site: Site, width: int) -> None:
    advance(site.store, refund(("value: 30", "value: 27")))
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{site.address}/d/refund/schema")
    covered = """() => [...document.querySelectorAll(':is(h2, h3, h4) + .comment-on')].map(one => {
      const own = one.getBoundingClientRect();
      const meets = box => box.left < own.right - 1 && own.left < box.right - 1
        && box.top < own.bottom - 1 && own.top < box.bottom - 1;
      const view = document.querySelector('.view');
      const words = document.createTreeWalker(view, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      for (let node; (node = words.nextNode());) {
        const isShown = node.parentElement.checkVisibility();
        if (!node.data.trim() || one.contains(node) || !isShown) continue;
        range.selectNodeContents(node);
        if ([...range.getClientRects()].some(meets)) {
          return `${one.previousElementSibling.textContent}: ${node.data}`;
        }
      }
      return '';
    })"""

    found = page.evaluate(covered)

    assert found
    assert [words for words in found if words] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_keeps_anybody_out(site: Site, chromium: Browser, scheme: str) -> None:
    advance(site.store, refund(("domain: refund", "domain: returns")), approve_clean=True)
    # Axe is a script that the pages' own policy would not let in.
    context = chromium.new_context(
        color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True
    )
    page = logged_in(context.new_page(), site, "grace", [])
    stages = [f"/d/returns/{stage.name}" for stage in STAGES]
    others = ["", "/changes", "/history", "/releases", "/regenerate", "/schema", "/schema/edit"]
    trying = "/d/returns/tools/try?tool=payRefund"
    for address in ("/", *stages, *(f"/d/refund{name}" for name in others), trying, "/nothing"):
        page.goto(site.address + address)
        page.wait_for_load_state("networkidle")
        found = Axe().run(page).response["violations"]
        serious = [item["id"] for item in found if item["impact"] in {"serious", "critical"}]
        assert (address, serious) == (address, [])
    page.goto(f"{site.address}/d/refund/schema/edit")
    editor = page.get_by_label("Text of domain.yaml")
    editor.fill(editor.input_value().replace("unit: days", "unti: days", 1))
    expect(page.locator("#outcome")).to_have_text("Your text cannot be read.")
    assert [item["id"] for item in Axe().run(page).response["violations"]] == []
    context.close()


def test_each_form_is_filled_in_by_the_keyboard_alone(page: Page, site: Site) -> None:
    let_worded_wait(site.store, "refund")
    page.goto(f"{site.address}/d/refund/schema")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    reached = tabbed(page, until="Ask for changes")
    # In the order of the page, and each with an outline to be seen.
    order = ["What was made", "Decide", "Approve", "Quote the selection", "Ask for changes"]
    places = [reached.index(name) for name in order]
    assert places == sorted(places)
    page.goto(f"{site.address}/d/refund/schema/edit")
    assert "Check it" in tabbed(page, until="Check it")


def tabbed(page: Page, until: str) -> list[str]:
    """Go on by the Tab key up to a control; return what was reached, all of it outlined."""
    reached: list[str] = []
    while until not in reached:
        assert len(reached) < 200, reached
        page.keyboard.press("Tab")
        name, width = page.evaluate(
            "() => { const at = document.activeElement, style = getComputedStyle(at);"
            " return [at.textContent.trim(), parseFloat(style.outlineWidth)]; }"
        )
        assert width >= 2, name
        reached.append(name)
    return reached
