from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.harness.layers.documents.document import Document, DocumentStanding
from sopforge.harness.layers.documents.shelf import LackingPassageError, Shelf
from tests.unit.layers.documents.books import (
    BESIDE,
    FOREIGN,
    MAIN,
    OLD,
    PAGE,
    PURPOSE,
    RESULTS,
    RULES,
    STEPS,
    TEXT,
    WORDS,
    bind,
    call_book,
)


def open_shelf(*changed: Document, opened: list[int] | None = None, without: int = 0) -> Shelf:
    book = bind(*changed, without=without)
    return Shelf(call_book(book, opened), book.page)


def test_nothing_binds_in_the_place_of_another_desks_rule() -> None:
    with pytest.raises(LackingPassageError, match="document 0"):
        open_shelf().take(FOREIGN)


def test_editions_that_lead_to_each_other_end_the_search() -> None:
    other = replace(
        RULES[4],
        number=RESULTS,
        standing=DocumentStanding.SUPERSEDED,
        since="2025-01-01",
        in_force=OLD,
    )

    with pytest.raises(LackingPassageError):
        open_shelf(other).take(OLD)


def test_a_passage_that_no_document_has_is_lacking() -> None:
    with pytest.raises(LackingPassageError, match=r"step 2\.7"):
        open_shelf().read_passage("step 2.7")


def test_a_passage_whose_rest_cannot_be_opened_is_lacking() -> None:
    shelf = open_shelf(without=STEPS)
    shelf.take(MAIN)

    with pytest.raises(LackingPassageError, match=f"document {STEPS}"):
        shelf.read_passage("step 2.1")


def test_a_step_needs_what_it_refers_to_and_not_the_steps_after_it() -> None:
    opened: list[int] = []
    shelf = open_shelf(opened=opened)
    shelf.take(MAIN)
    shelf.open_needed("section 2")

    # Of the main section and the words, not of the results, which the words alone refer to.
    assert opened == [MAIN, WORDS]

    shelf.open_needed("step 2.2")

    assert opened == [MAIN, WORDS, STEPS, OLD, RESULTS]


def test_a_document_without_a_section_is_none_in_which_work_begins() -> None:
    book = bind(page=replace(PAGE, start=STEPS))

    with pytest.raises(LackingPassageError, match="section in which the work begins"):
        Shelf(call_book(book), book.page).find_main_section()


def test_the_text_of_what_is_held_is_joined_in_its_order_whatever_was_opened_first() -> None:
    shelf = open_shelf()
    for number in (RESULTS, STEPS, WORDS, PURPOSE, MAIN):
        shelf.take(number)

    assert shelf.join_text() == TEXT


def test_the_work_begins_in_the_section_of_its_document() -> None:
    assert open_shelf().find_main_section() == 2


def test_documents_of_one_title_are_found_whoever_they_bind() -> None:
    found = {item.number for item in open_shelf().find_titled(RULES[4].title)}

    assert found == {RESULTS, *(item.number for item in BESIDE)}
