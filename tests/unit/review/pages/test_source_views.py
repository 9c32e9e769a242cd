"""The page of a model shows what became of each sentence of its brief, and where items are from."""

from __future__ import annotations

import pytest

from review.pages.parts.source_views import build_source_view
from sopforge.workspace import Workspace
from tests.unit.checks.sources.test_brief_and_model import BRIEF, build_workspace


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return build_workspace(BRIEF.replace("In 2019 the", "No lid may be open. In 2019 the", 1))


def test_each_sentence_shows_what_comes_from_it(workspace: Workspace) -> None:
    view = build_source_view(workspace)

    assert view is not None
    sentences = {item.text: item for _, part in view.parts for item in part}
    most = sentences["A refund above 500 EUR is referred to a manager."]
    assert [(item.name, item.anchor) for item in most.items] == [
        ("policy.most", "policy-most"),
        ("decisions.verdict.R4", "rule-verdict.R4"),
    ]
    assert most.items[0].words == "most without a manager: 500 EUR"
    assert sentences["In 2019 the shop had 12 clerks."].because == "history"
    assert [text for text, item in sentences.items() if item.is_open] == ["No lid may be open."]


def test_each_item_shows_its_passages_or_its_assumption(workspace: Workspace) -> None:
    view = build_source_view(workspace)

    assert view is not None
    rows = {row.item.name: row for row in view.items}
    assert rows["policy.days"].quotes == ("A refund is asked for within 30 days of delivery",)
    assert rows["decisions.postage.P2"].assumed == "Otherwise there is no postage."
    assert "fields.age" not in rows


def test_a_model_without_sources_has_no_such_part() -> None:
    text = BRIEF[: BRIEF.index("remarks:")] + BRIEF[BRIEF.index("model:") :]

    assert build_source_view(build_workspace(text)) is None
