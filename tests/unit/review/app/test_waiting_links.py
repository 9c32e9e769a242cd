"""From each stage a reviewer goes on to the next that waits, and back, round and round."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from review.reading.waiting_stages import find_neighbours, list_waiting
from sopforge.findings import Severity
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.entries import DecisionVerdict
from sopforge.store.overview import Next, Overview
from tests.judges.markup import Element, parsed
from tests.servers.review_browser import Browser, Served
from tests.worlds.quick_builds import settle

FEES = Path(__file__).parents[3] / "briefs" / "fees.yaml"
NONE = dict.fromkeys(Severity, 0)


def waits(domain: str, since: str, *approved_by: str) -> Overview:
    return Overview(domain, Next.DECIDE, "sop", findings=NONE, since=since, approved_by=approved_by)


def read_page(browser: Browser, address: str) -> Element:
    return parsed(browser.page(address).text.removeprefix("<!doctype html>"))


def test_what_waits_longest_comes_first_and_nothing_that_one_has_decided() -> None:
    old, new, unknown = waits("b", "2026-01-01"), waits("a", "2026-02-01"), waits("c", "")
    mine = waits("d", "2026-01-01", "ada")
    done = replace(old, domain="e", findings=None)

    assert list_waiting([unknown, mine, new, done, old], "ada") == [old, new, unknown]


def test_after_the_last_one_comes_the_first() -> None:
    one, two, three = rows = [waits(name, name) for name in "abc"]
    around = {
        row.domain: (found.earlier, found.later)
        for row in rows
        for found in [find_neighbours(rows, row.domain)]
    }

    assert around == {"a": (three, two), "b": (one, three), "c": (two, one)}


def test_a_domain_that_does_not_wait_leads_to_the_first_and_the_last() -> None:
    rows = [waits(name, name) for name in "abc"]
    found = find_neighbours(rows, "z")

    assert (found.earlier, found.later) == (rows[-1], rows[0])


def test_a_domain_that_waits_alone_leads_nowhere() -> None:
    assert find_neighbours([waits("a", "")], "a").later is None


def test_pages_link_to_what_else_waits(served: Served) -> None:
    advance(served.store, read_brief(FEES.read_text(encoding="utf-8"), "fees.yaml"))
    ada = served.browser("ada")
    for address in ("/d/refund/schema", "/d/refund"):
        waiting = read_page(ada, address).one("nav", kind="waiting")
        later, earlier = waiting.one(id="later-waiting"), waiting.one(id="earlier-waiting")

        assert later.attributes["href"] == earlier.attributes["href"] == "/d/fees/schema"
        assert later.text == "Next to decide: Late Fees of a Library, schema →"
        assert [part.text for part in waiting.all("kbd")] == ["p", "n"]

    settle(served.store, "schema", DecisionVerdict.REJECT, by="eve", domain="fees")
    served.browser("ada").page("/d/fees")
    assert read_page(ada, "/d/refund/schema").all("nav", kind="waiting") == []
