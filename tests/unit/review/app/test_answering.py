"""Open questions stand on the schema's page, and are answered there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from review.settings import Settings
from sopforge.pipeline.briefs.brief_files import list_kept_versions
from tests.servers.review_browser import Browser, Form, Page, Served, named_users
from tests.worlds.questioned import Questioned, ask_two_readers

SCHEMA, QUESTIONS = "/d/fees/schema", "/d/fees/questions"


@pytest.fixture
def found(tmp_path: Path) -> Questioned:
    return ask_two_readers(tmp_path / "store")


@pytest.fixture
def started() -> list[str]:
    return []


@pytest.fixture
def served(found: Questioned, started: list[str], tmp_path: Path) -> Served:
    return Served(found.store, Settings(named_users(tmp_path)), started.append)


def form_of(browser: Browser) -> tuple[Form, str]:
    """Return the form of the schema's page, and the question that it asks."""
    page = browser.page(SCHEMA)
    (question,) = re.findall(r'id="(q-[0-9a-f]{12})"', page.text)
    return page.form(QUESTIONS), question


def says(found: Questioned) -> list[str]:
    return [item.says for item in found.brief.parts.answers]


def test_questions_stand_right_below_what_there_is_to_decide(served: Served) -> None:
    page = served.browser("ada").page(SCHEMA)

    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.text))
    assert "What is right in this case?" in text
    assert "kind of the item Reference" in text
    assert "delay 2 days" in text
    assert "A: lateness “charged” ; fee “2.50”" in text
    assert "B: lateness “tolerated” ; fee “no fee due”" in text
    assert "Up to 3 days late it is tolerated, unless a film was lent" in text
    places = [page.text.index(f'id="{name}"') for name in ("gate", "questions", "artifact")]
    assert places == sorted(places)
    assert page.inline == []


def test_an_answer_is_kept_and_the_run_goes_on(
    served: Served, found: Questioned, started: list[str]
) -> None:
    ada = served.browser("ada")
    form, question = form_of(ada)

    answer = ada.send(form, {f"answer:{question}": "B"})

    assert answer.status_code == 303
    assert answer.headers["location"] == "/d/fees/schema?done=answered"
    assert started == ["fees"]
    (said,) = says(found)
    assert said.endswith('the lateness is "tolerated".')
    page = ada.page("/d/fees/schema?done=answered")
    assert "Your answers are kept in the brief" in page.text
    assert "Answered (1)" in page.text
    assert QUESTIONS not in page.posting
    assert said.replace('"', "&#34;") in page.text

    found.advance()

    after = ada.page(SCHEMA)
    assert "Answered (1)" in after.text
    assert "What is right in this case?" not in after.text


def test_own_words_are_kept_with_or_without_their_mark(served: Served, found: Questioned) -> None:
    ada = served.browser("ada")
    form, question = form_of(ada)
    own = {f"own:{question}": "Reference books\r\n are <b>never</b> charged."}

    assert ada.send(form, own).status_code == 303
    assert ada.send(form, {**own, f"answer:{question}": "own"}).status_code == 303

    assert says(found) == ["Reference books are <b>never</b> charged."]
    assert "<b>never</b>" not in ada.page(SCHEMA).text


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "answer-not-usable"),
        ({"answer:{}": "own"}, "answer-not-usable"),
        ({"answer:{}": "A", "answer:q-000000000000": "A"}, "unknown-question"),
        ({"own:{}": "x" * 2_001}, "answer-not-usable"),
    ],
)
def test_what_cannot_be_kept_is_given_back_and_nothing_is_kept(
    served: Served, found: Questioned, started: list[str], given: dict[str, str], code: str
) -> None:
    ada = served.browser("ada")
    form, question = form_of(ada)
    typed = {name.format(question): text for name, text in given.items()}

    answer = ada.send(form, typed)

    assert answer.status_code == 422
    assert code in answer.text
    assert list_kept_versions(found.store.get_domain("fees")) == ["0001"]
    assert started == []
    own = typed.get(f"own:{question}", "")
    assert Page(answer.text).form(QUESTIONS).fields[f"own:{question}"].strip() == own


def test_a_viewer_reads_questions_and_cannot_answer(served: Served, found: Questioned) -> None:
    vera = served.browser("vera")
    form, question = form_of(vera)

    answer = vera.send(form, {f"answer:{question}": "B"})

    assert answer.status_code == 403
    assert says(found) == []
    assert "Keep my answers" not in vera.page(SCHEMA).text


def test_an_earlier_version_asks_nothing(served: Served, found: Questioned) -> None:
    ada = served.browser("ada")
    form, question = form_of(ada)
    ada.send(form, {f"answer:{question}": "B"})
    found.advance()

    assert "Answered (1)" not in ada.page(f"{SCHEMA}?version=1").text
    assert "Answered (1)" in ada.page(f"{SCHEMA}?version=2").text
