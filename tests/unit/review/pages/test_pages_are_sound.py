"""Every page is well formed, serves keyboard and screen reader, and has nothing inline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from review.artifact import Artifact
from review.pages.registry import VIEWS, build_trying_page
from sopforge.workspace import STAGE_NAMES
from tests.judges.markup import Element, parsed
from tests.worlds.reviewed import page, page_text, shown

QUERIES: Mapping[str, Mapping[str, str] | None] = {
    "schema": {"case": "1"},
    "schema, wrong": {"case": "1", "v.days_since_delivery": "many"},
    "sop": {},
    "dataset": {},
    "dataset, a part": {"part": "sample"},
    "dataset, a task": {"task": "task-40885922", "columns": "all"},
    "api": {},
    "toolspec": {},
    "tools": {"file": "tools.py"},
    "complexity": {"level": "L1"},
    **{f"{stage}, alone": None for stage in STAGE_NAMES},
}
FILLED = ("a", "button", "summary", "th", "h2", "h3", "h4")


@pytest.fixture(params=QUERIES)
def made(request: pytest.FixtureRequest, refunds: Mapping[str, Artifact]) -> Element:
    """Return each page."""
    name = str(request.param)
    return page(refunds[name.partition(",")[0]], QUERIES[name])


def test_there_is_a_view_for_each_stage() -> None:
    assert tuple(VIEWS) == STAGE_NAMES


def test_nothing_stands_inline_that_a_strict_policy_forbids(made: Element) -> None:
    assert made.all("script") == made.all("style") == []
    for part in made:
        assert not [name for name in part.attributes if name == "style" or name.startswith("on")]
        assert not part.attributes.get("href", "").startswith("javascript:")


def test_ids_are_given_once_and_lead_somewhere(made: Element) -> None:
    ids = Counter(part.attributes["id"] for part in made if "id" in part.attributes)
    named = [
        part.attributes[key].split()
        for part in made
        for key in ("aria-labelledby", "aria-describedby", "for", "list")
        if key in part.attributes
    ]
    aims = [part.attributes.get("href", "") for part in made.all("a")]

    assert [name for name, count in ids.items() if count > 1] == []
    assert {name for names in named for name in names} <= ids.keys()
    assert {aim[1:] for aim in aims if aim.startswith("#")} <= ids.keys()


def test_headings_go_down_one_level_at_a_time(made: Element) -> None:
    levels = [int(part.name[1]) for part in made if part.name in {"h1", "h2", "h3", "h4", "h5"}]

    assert 1 not in levels
    assert all(new <= old + 1 for old, new in zip([1, *levels], levels, strict=False))


def test_every_field_of_a_form_has_a_label(made: Element) -> None:
    labelled = {part.attributes.get("for") for part in made.all("label")}
    for part in made:
        if part.name in {"input", "select", "textarea"} and part.attributes.get("type") != "hidden":
            is_inside = part.above(lambda parent: parent.name == "label")
            assert is_inside or part.attributes.get("id") in labelled, part.attributes


def test_headings_of_tables_say_what_they_head(made: Element) -> None:
    scopes = {"col", "row", "colgroup", "rowgroup"}
    assert {part.attributes.get("scope") for part in made.all("th")} <= scopes


def test_what_is_read_out_says_something(made: Element) -> None:
    for part in made:
        if part.name in FILLED:
            assert part.text, (part.name, part.attributes)
        if part.attributes.get("role") in {"group", "navigation"} or part.name == "nav":
            assert {"aria-label", "aria-labelledby"} & part.attributes.keys()
    for drawing in made.all("svg", role="img"):
        assert drawing.all("title")[0].parent is drawing


def test_what_scrolls_can_be_reached_with_the_keyboard(made: Element) -> None:
    for part in made:
        if "scroll" in part.classes or part.name == "pre":
            assert part.attributes.get("tabindex") == "0"


def test_a_page_that_stands_alone_asks_no_server_for_more(refunds: Mapping[str, Artifact]) -> None:
    for artifact in refunds.values():
        made = page(artifact)
        assert made.all("form") == []
        assert all(part.attributes["href"].startswith("#") for part in made.all("a"))


def test_links_and_forms_keep_the_version(refunds: Mapping[str, Artifact]) -> None:
    for stage, artifact in refunds.items():
        made = page(artifact, {"case": "1"} if stage == "schema" else {})
        aims = [part.attributes["href"] for part in made.all("a")]
        assert all(aim.startswith("#") or "version=1" in aim for aim in aims), aims
        for form in made.all("form"):
            assert form.one("input", name="version").attributes["value"] == "1"


def test_the_form_of_a_tool_is_sound_too(refunds: Mapping[str, Artifact]) -> None:
    found = build_trying_page(refunds["tools"], "payRefund", {"request_id": "R1"})

    assert found is not None
    made = parsed(shown(found))
    test_nothing_stands_inline_that_a_strict_policy_forbids(made)
    test_ids_are_given_once_and_lead_somewhere(made)
    test_every_field_of_a_form_has_a_label(made)


def test_equal_artifacts_give_equal_pages(refunds: Mapping[str, Artifact]) -> None:
    for artifact in refunds.values():
        assert page_text(artifact, {}) == page_text(artifact, {})
