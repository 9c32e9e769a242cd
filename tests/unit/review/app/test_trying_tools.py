"""A tool is tried from its page, and answers in the sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.review_browser import Browser, Form
from tests.unit.review.app.conftest import Serve

TRY = "/d/refund/tools/try?version=1&tool=payRefund"


@pytest.fixture
def vera(serve: Serve, passed_store: Path) -> Browser:
    return serve(passed_store).browser("vera")


def test_a_tools_page_leads_to_its_form(vera: Browser) -> None:
    links = [link.replace("&amp;", "&") for link in vera.page("/d/refund/tools").links]

    assert "tools/try?version=1&tool=payRefund" in links
    assert vera.page(TRY).inline == []


@pytest.mark.parametrize(
    ("eligibility", "shown"),
    [("eligible", "The tool answered:"), ("excluded", "not_eligible"), ("<b>", "The tool refused")],
)
def test_a_tool_answers_what_was_typed(vera: Browser, eligibility: str, shown: str) -> None:
    form = vera.page(TRY).form("")
    form.action = TRY

    answer = vera.send(form, {"a.eligibility": eligibility})

    assert answer.status_code == 200
    assert shown in answer.text
    assert "<b>" not in answer.text


@pytest.mark.parametrize(
    "address", [TRY.replace("payRefund", "other"), TRY.replace("&tool=payRefund", "")]
)
def test_a_tool_that_is_not_there_is_no_page(vera: Browser, address: str) -> None:
    token = vera.page("/").form("/logout").fields["csrf"]

    assert vera.get(address).status_code == 404
    assert vera.send(Form(address, "post", {"csrf": token, "tool": "other"})).status_code == 404
