"""Edits in place, new context, and releases: each is seen before it is kept."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Response

from review.access.check_turns import MOST_A_MINUTE
from sopforge.pipeline.briefs.brief_files import list_kept_versions, load_latest_brief
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.log.yanks import yank
from tests.servers.review_browser import Browser, Form, Page, Served
from tests.unit.review.app.conftest import Serve, refund

EDIT = "/d/refund/schema/edit"
REGENERATE = "/d/refund/regenerate"


def editor(browser: Browser) -> Form:
    return browser.page(EDIT).form(EDIT)


def test_an_edit_is_checked_before_it_is_kept(served: Served) -> None:
    ada = served.browser("ada")
    form = editor(ada)
    text = form.fields["text"].replace("value: 30", "value: 20", 1)

    checked = ada.send(form, text=text.replace("\n", "\r\n"), action="check")

    assert checked.status_code == 200
    assert "What the checks say about your text" in checked.text
    assert "<del>30</del><ins>20</ins>" in checked.text
    assert AuditLog(served.store.get_domain("refund")).list_entries() == []

    kept = ada.send(Page(checked.text).form(EDIT), action="keep")

    assert kept.headers["location"] == "/d/refund?done=edited"
    [entry] = AuditLog(served.store.get_domain("refund")).list_entries()
    assert (entry.by, entry.verdict) == ("ada", DecisionVerdict.EDIT)
    version = served.store.get_domain("refund").find_waiting_version()
    assert version is not None
    assert (version.number, version.manifest.author) == (2, "offline, edited by ada")
    assert "value: 20" in version.files["domain.yaml"]


def test_a_text_that_was_changed_after_its_check_is_checked_again(served: Served) -> None:
    ada = served.browser("ada")
    form = editor(ada)
    text = form.fields["text"].replace("value: 30", "value: 20", 1)
    checked = Page(ada.send(form, text=text, action="check").text).form(EDIT)

    again = ada.send(checked, text=text.replace("value: 20", "value: 10", 1), action="keep")

    assert again.status_code == 200
    assert "<ins>10</ins>" in again.text
    assert AuditLog(served.store.get_domain("refund")).list_entries() == []


IDLE = "    idle_limit: {value: 5, unit: USD, meaning: amount that no rule reads}\n"


def test_an_edit_that_brings_findings_shows_them(served: Served) -> None:
    ada = served.browser("ada")
    form = editor(ada)
    # Nothing is delivered longer ago than 90 days, so that no order is ever excluded.
    text = form.fields["text"].replace("value: 30", "value: 95", 1)
    text = text.replace("    pay_limit:", f"{IDLE}    pay_limit:", 1)

    checked = ada.send(form, text=text, action="check")

    # The rule and the idle limit; that the edge of excluded orders is not taken only follows.
    assert "badge error" not in checked.text
    assert checked.text.count("badge warning") == 2
    assert "unreachable-rule" in checked.text


@pytest.mark.parametrize(
    "text", ["domain: [", "\x00", "<script>alert(1)</script>"], ids=["cut off", "a zero", "markup"]
)
def test_a_text_that_nobody_can_read_is_given_back(served: Served, text: str) -> None:
    ada = served.browser("ada")

    answer = ada.send(editor(ada), text=text, action="keep")

    assert answer.status_code == 422
    assert "Your text cannot be read" in answer.text
    page = Page(answer.text)
    assert page.inline == []
    assert page.form(EDIT).fields["text"].strip("\x00�") == text.strip("\x00")
    assert AuditLog(served.store.get_domain("refund")).list_entries() == []


def typed(browser: Browser, text: str) -> Response:
    form = editor(browser)
    return browser.send(Form(f"{EDIT}/now", "post", form.fields), text=text)


def test_findings_in_a_text_are_shown_as_it_is_typed(served: Served) -> None:
    ada = served.browser("ada")
    lines = editor(ada).fields["text"].replace("unit: days", "unti: days", 1).splitlines()
    number = next(at for at, line in enumerate(lines, start=1) if "unti: days" in line)

    answer = typed(ada, "\n".join(lines))

    assert answer.status_code == 200
    assert "Your text cannot be read." in answer.text
    assert f'<a href="#text" data-line="{number}">Line {number}</a>' in answer.text
    assert "did you mean &#39;unit&#39;?" in answer.text
    assert "<html" not in answer.text
    assert AuditLog(served.store.get_domain("refund")).list_entries() == []


def test_what_takes_long_is_left_to_the_button_and_the_page_says_so(served: Served) -> None:
    ada = served.browser("ada")
    text = editor(ada).fields["text"].replace("value: 30", "value: 95", 1)

    answer = typed(ada, text)

    assert "unreachable-rule" not in answer.text
    assert "“Check it” also works out whether each rule" in answer.text
    assert "unreachable-rule" in ada.send(editor(ada), text=text, action="check").text


def test_a_text_that_is_as_it_was_has_no_findings(served: Served) -> None:
    ada = served.browser("ada")

    answer = typed(ada, editor(ada).fields["text"])

    assert "You changed nothing." in answer.text
    assert "edit-empty" not in answer.text


def test_nobody_has_more_texts_checked_than_the_limit(served: Served) -> None:
    ada, grace = served.browser("ada"), served.browser("grace")
    turns = served.app.state.guard.checks
    for _ in range(MOST_A_MINUTE):
        with turns.take_turn("ada") as is_given:
            assert is_given

    assert typed(ada, "x: 1").status_code == 429
    assert typed(grace, "x: 1").status_code == 200
    # What is asked for with the button is checked still.
    assert ada.send(editor(ada), text="x: 1", action="check").status_code == 422


def test_one_text_of_a_person_is_checked_at_a_time(served: Served) -> None:
    ada, grace = served.browser("ada"), served.browser("grace")
    with served.app.state.guard.checks.take_turn("ada"):
        assert typed(ada, "x: 1").status_code == 429
        assert typed(grace, "x: 1").status_code == 200
    assert typed(ada, "x: 1").status_code == 200


def test_an_editor_of_what_does_not_wait_says_so_before_anything_is_typed(
    serve: Serve, passed_store: Path
) -> None:
    page = serve(passed_store).browser("ada").page("/d/refund/sop/edit")

    assert "an edit of it cannot be kept" in page.text
    assert "hx-post" not in page.text


def test_an_edit_of_what_has_changed_is_given_back(served: Served) -> None:
    ada = served.browser("ada")
    form = editor(ada)
    advance(served.store, refund(("{value: 30, unit: days", "{value: 20, unit: days")))

    answer = ada.send(form, text="domain: mine", action="check")

    assert answer.status_code == 409
    assert "domain: mine" in answer.text


def test_what_follows_from_others_is_not_edited(served: Served) -> None:
    answer = served.browser("ada").get("/d/refund/dataset/edit")

    assert answer.status_code == 422
    assert "the dataset cannot be edited" in answer.text


def test_context_is_shown_in_the_brief_before_it_is_kept(served: Served) -> None:
    ada = served.browser("ada")
    form = ada.page(REGENERATE).form(REGENERATE)

    shown = ada.send(form, context="Gifts are never refunded.", action="show")

    assert "Gifts are never refunded." in shown.text
    assert "<ins>" in shown.text
    assert len(list_kept_versions(served.store.get_domain("refund"))) == 1

    kept = ada.send(Page(shown.text).form(REGENERATE), action="keep")

    assert kept.headers["location"] == "/d/refund?done=regenerated"
    assert load_latest_brief(served.store.get_domain("refund")).parts.context == (
        "Gifts are never refunded.",
    )


def test_context_comes_from_a_file_as_well(served: Served) -> None:
    ada = served.browser("ada")
    form = ada.page(REGENERATE).form(REGENERATE)
    files = {"context_file": ("notes.md", "\ufeffÄpfel\r\nare gifts.".encode())}

    shown = ada.send(form, files=files, action="show")
    ada.send(Page(shown.text).form(REGENERATE), action="keep")

    assert load_latest_brief(served.store.get_domain("refund")).parts.context == (
        "Äpfel are gifts.",
    )


LIMIT = "fact:policy/refund_days/value"
RULE = "fact:decisions/eligibility/rules/0/when"


def test_a_limit_and_a_rule_are_changed_in_their_tables(served: Served) -> None:
    ada = served.browser("ada")
    form = ada.page(REGENERATE).form(REGENERATE)
    assert form.fields[LIMIT] == "30"
    rules = [dict(rule) for rule in _model(served)["decisions"]["eligibility"]["rules"]]

    shown = ada.send(form, {LIMIT: "20", RULE: "days_since_delivery > 14"}, action="show")

    found = r'<th scope="row">([^<]*) <code class="muted">([^<]*)</code></th>'
    assert re.findall(found, shown.text) == [
        (
            "policy constant &#34;days after delivery in which a refund may be asked for&#34;",
            "refund_days",
        ),
        ("rule E1 for the eligibility of the order", "eligibility.E1"),
    ]
    again = Page(shown.text).form(REGENERATE)
    assert (again.fields[LIMIT], again.fields[RULE]) == ("20", "days_since_delivery > 14")
    ada.send(again, action="keep")
    model = _model(served)
    assert model["policy"]["refund_days"]["value"] == 20
    assert model["decisions"]["eligibility"]["rules"] == [
        {**rules[0], "when": "days_since_delivery > 14"},
        *rules[1:],
    ]


def test_a_table_and_words_and_a_patch_go_together(served: Served) -> None:
    ada = served.browser("ada")
    form = ada.page(REGENERATE).form(REGENERATE)
    typed = {LIMIT: "20", "context": "Be kind.", "patch": "policy: {pay_limit: {value: 99.50}}"}

    ada.send(Page(ada.send(form, typed, action="show").text).form(REGENERATE), action="keep")

    brief = load_latest_brief(served.store.get_domain("refund"))
    values = {name: limit["value"] for name, limit in _model(served)["policy"].items()}
    assert brief.parts.context == ("Be kind.",)
    assert (values["refund_days"], str(values["pay_limit"])) == (20, "99.50")


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({LIMIT: "many"}, "refund_days"),
        ({LIMIT: ""}, "refund_days"),
        ({RULE: "no_such_field > 3"}, "no_such_field"),
        ({RULE: "reason and"}, "eligibility"),
        ({"fact:policy": "1"}, "nothing was added"),
        ({"fact:policy/__class__/value": "1"}, "nothing was added"),
    ],
)
def test_what_cannot_stand_in_a_cell_is_reported_and_given_back(
    served: Served, cells: dict[str, str], said: str
) -> None:
    ada = served.browser("ada")
    form = ada.page(REGENERATE).form(REGENERATE)

    answer = ada.send(form, cells, action="keep")

    assert answer.status_code == 422
    assert said in answer.text
    again = Page(answer.text).form(REGENERATE).fields
    assert all(again[name] == text for name, text in cells.items() if name in again)
    assert len(list_kept_versions(served.store.get_domain("refund"))) == 1


def _model(served: Served) -> dict[str, Any]:
    whole: Any = load_latest_brief(served.store.get_domain("refund")).document.value
    return dict(whole["model"])


@pytest.mark.parametrize(
    ("fields", "files", "said"),
    [
        ({}, {}, "nothing was added"),
        ({"patch": "policy: ["}, {}, "invalid-yaml"),
        ({"patch": "- a list"}, {}, "a patch must be a mapping"),
        ({"patch": "policy: {nothing: null}"}, {}, "patch-not-applicable"),
        ({"patch": "policy: {refund_days: {value: many}}"}, {}, "the change to the model:1"),
        ({}, {"context_file": ("a.txt", b"\xff\xfe\x00")}, "not-utf-8"),
        ({}, {"patch_file": ("a.yaml", b"PK\x03\x04\xff")}, "not-utf-8"),
        ({"context": "x" * 200_001}, {}, "text-too-long"),
        ({}, {"context_file": ("a.txt", b"x" * 200_001)}, "text-too-long"),
        ({"patch": "# " + "x" * 200_000}, {}, "text-too-long"),
        ({"context": "a\x07b"}, {}, "character 2 is U+0007"),
        ({}, {"context_file": ("a.txt", b"a\x1b[2Jb")}, "character 2 is U+001B"),
        ({"context": "never \u202erefunded"}, {}, "character 7 is U+202E"),
    ],
    ids=[
        "nothing",
        "no YAML",
        "a list",
        "what is not there",
        "a wrong value",
        "no text",
        "an archive",
        "too much",
        "a large file",
        "a large patch",
        "a bell",
        "an escape",
        "an order of reading",
    ],
)
def test_what_cannot_be_added_is_reported_and_given_back(
    served: Served, fields: dict[str, str], files: dict[str, tuple[str, bytes]], said: str
) -> None:
    ada = served.browser("ada")
    form = ada.page(REGENERATE).form(REGENERATE)

    said_too = {"context": "My words.", **fields} if fields else {}
    answer = ada.send(form, said_too, files=files, action="keep")

    assert answer.status_code == 422
    assert said in answer.text
    assert fields.get("patch", "") in Page(answer.text).form(REGENERATE).fields.get("patch", "")
    assert len(list_kept_versions(served.store.get_domain("refund"))) == 1


def test_a_brief_that_was_changed_meanwhile_is_not_replaced(served: Served) -> None:
    ada = served.browser("ada")
    form = ada.page(REGENERATE).form(REGENERATE)
    advance(served.store, refund(("title: Order Refunds", "title: Refunds of Orders")))

    answer = ada.send(form, context="Gifts are never refunded.", action="keep")

    assert answer.status_code == 409
    assert "Gifts are never refunded." in answer.text
    assert len(list_kept_versions(served.store.get_domain("refund"))) == 2


def test_a_release_is_downloaded_whole(serve: Serve, passed_store: Path) -> None:
    served = serve(passed_store)
    vera = served.browser("vera")
    address = "/d/refund/releases/1.0.0.zip"
    assert address in vera.page("/d/refund/releases").links

    answer = vera.get(address)

    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    stored = served.store.get_domain("refund").read_release_files("1.0.0")
    assert files == {f"refund-1.0.0/{name}": data for name, data in stored.items()}
    assert vera.get(address).content == answer.content


def test_a_publisher_publishes_once_all_gates_are_passed(serve: Serve, passed_store: Path) -> None:
    served = serve(passed_store)
    store, asked = served.store, list[str]()
    advance(store, refund(("value: 30,", "value: 32,")), approve_clean=True)

    class Runs:
        def publish(self, domain: str) -> None:
            asked.append(publish(store, load_latest_brief(store.get_domain(domain))).version)

        def find_current_run(self, domain: str) -> None: ...
        def find_failed_run(self, domain: str) -> None: ...

    object.__setattr__(served.app.state.desk, "runs", Runs())
    ada, grace = served.browser("ada"), served.browser("grace")
    releases = "/d/refund/releases"
    assert ada.page(releases).posting == ["/logout"]
    assert "The approved versions are not released yet. A publisher can" in ada.page(releases).text
    assert releases in grace.page("/d/refund").links

    answer = grace.send(grace.page(releases).form(releases))

    assert answer.headers["location"] == f"{releases}?done=publishing"
    assert asked == ["2.0.0"]


@pytest.mark.parametrize(
    ("changes", "is_taken_back", "said"),
    [
        ([], False, "Released as 1.0.0. Nothing has changed since."),
        ([], True, "The approved versions were released as 1.0.0, which was yanked. Correct"),
        (
            [("value: 30,", "value: 31,"), ("value: 30,", "value: 30,")],
            False,
            "The approved versions equal those of the earlier release 1.0.0.",
        ),
    ],
    ids=["as it is", "yanked", "changed back"],
)
def test_what_is_released_is_not_offered_to_be_published(
    serve: Serve,
    passed_store: Path,
    changes: list[tuple[str, str]],
    said: str,
    *,
    is_taken_back: bool,
) -> None:
    served = serve(passed_store)
    for change in changes:
        advance(served.store, refund(change), approve_clean=True)
        publish(served.store, refund(change))
    if is_taken_back:
        yank(served.store.get_domain("refund"), "1.0.0", by="grace", reason="A rule was wrong.")
    grace = served.browser("grace")

    for address in ("/d/refund", "/d/refund/releases"):
        page = grace.page(address)
        assert said in page.text
        assert page.posting == ["/logout"]
    assert 'class="button main"' not in grace.page("/d/refund").text


def test_nothing_is_published_before_all_gates_are_passed(served: Served) -> None:
    grace = served.browser("grace")
    token = grace.page("/").form("/logout").fields["csrf"]

    answer = grace.send(Form("/d/refund/releases", "post", {"csrf": token}))

    assert answer.status_code == 409
    assert "not-approved" in answer.text
    assert "Not all gates are passed." in grace.page("/d/refund/releases").text
