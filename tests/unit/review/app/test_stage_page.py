"""A stage's page begins with what there is to decide, and ends with digests and versions."""

from __future__ import annotations

import pytest

from sopforge.pipeline.stages.pipeline import advance
from tests.judges.markup import Element, parsed
from tests.servers.review_browser import Browser, Served
from tests.unit.review.app.conftest import refund
from tests.worlds.quick_builds import settle

TWENTY_DAYS = ("{value: 30, unit: days", "{value: 20, unit: days")


def read_page(browser: Browser, address: str) -> Element:
    return parsed(browser.page(address).text.removeprefix("<!doctype html>"))


def list_sections(page: Element) -> list[str]:
    """Return the ids of the headings of a page's own sections, in order."""
    main = page.one("main")
    return [
        part.attributes["aria-labelledby"] for part in main.all("section") if part.parent is main
    ]


@pytest.fixture
def changed(served: Served) -> Served:
    """Return the app over a store in which a second version of the schema waits."""
    settle(served.store, "schema", by="eve")
    advance(served.store, refund(TWENTY_DAYS))
    return served


def test_a_page_begins_with_what_there_is_to_decide(ada: Browser) -> None:
    page = read_page(ada, "/d/refund/schema")

    assert list_sections(page) == ["look", "artifact", "decide", "about-version"]
    assert page.one("h2", id="look").text == "Your decision"
    agenda = [part.text for part in page.one("ul", kind="agenda").all("li")]
    assert agenda == [
        "The checks found nothing.",
        "This is the first version, so there are no changes to review.",
    ]


def test_each_link_of_the_agenda_leads_to_a_part_of_the_page(changed: Served) -> None:
    page = read_page(changed.browser("ada"), "/d/refund/schema")
    links = [
        *(part.attributes["href"] for part in page.one("ul", kind="agenda").all("a")),
        *(part.attributes["href"] for part in page.one("nav", kind="parts-nav").all("a")),
    ]

    assert list_sections(page) == ["look", "changes", "artifact", "decide", "about-version"]
    assert {"#changes", "#artifact", "#decide"} <= set(links)
    assert all(page.one(id=link.removeprefix("#")) for link in links)


def test_digest_version_and_files_stand_at_the_foot_alone(ada: Browser, served: Served) -> None:
    [version] = served.store.get_domain("refund").list_versions("schema")
    page = read_page(ada, "/d/refund/schema")
    foot = page.one("section", kind="foot")

    assert foot is page.one("main").all("section")[-1]
    assert foot.text.startswith("About this version Name in commands: refund schema. Version 1,")
    assert version.manifest.content[:12] in foot.text
    assert page.one("main").text.count(version.manifest.content[:12]) == 1
    assert [part.text for part in foot.all("a")] == list(version.files)


def test_who_may_not_decide_sees_where_the_stage_stands(served: Served) -> None:
    page = read_page(served.browser("vera"), "/d/refund/schema")

    assert list_sections(page) == ["look", "artifact", "about-version"]
    assert page.one("h2", id="look").text == "Status"


def test_points_to_be_checked_off_stand_in_the_agenda(served: Served) -> None:
    points = ("author: offline\n", "author: offline\ngates: {checklist: [Every <b>limit</b>.]}\n")
    advance(served.store, refund(points))
    page = read_page(served.browser("ada"), "/d/refund/schema")

    agenda = [part.text for part in page.one("ul", kind="agenda").all("li")]
    assert "Check off below: Every <b>limit</b>." in agenda
