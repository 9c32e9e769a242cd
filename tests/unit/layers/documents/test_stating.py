from dataclasses import replace

import pytest

from sopforge.harness.layers.documents.document import Document, DocumentStanding, EntryPage
from sopforge.harness.layers.documents.stating import (
    make_reply,
    read_document,
    read_entry_page,
    write_document,
    write_entry_page,
)
from sopforge.harness.layers.text.sections import UnreadableTextError

RULE = Document(
    number=1234,
    title="Look; Ask",
    owner="north desk",
    edition=3,
    since="2026-02-01",
    lines=("6.1 Look", "- The sum is (at most) 3.", ""),
    follows=2345,
    references={"step 6.2": 2345, "section 13": 3456, "tool getSum": 4567},
)
TITLES = {"step 6.2": "Ask (twice)", "section 13": "Results"}
TODAY = "2026-06-30"


def reread(document: Document) -> Document:
    return read_document(make_reply(write_document(document, TITLES)))


@pytest.mark.parametrize(
    "document",
    [
        RULE,
        replace(RULE, standing=DocumentStanding.SUPERSEDED, in_force=9999),
        replace(RULE, standing=DocumentStanding.LATER, since="2026-09-01", in_force=9999),
        replace(RULE, standing=DocumentStanding.PAPER, owner="mail room", references={}),
        replace(RULE, follows=0, goes_on=8888),
    ],
    ids=["rule", "superseded", "later", "paper", "cut"],
)
def test_a_document_reads_back_from_its_words(document: Document) -> None:
    assert reread(document) == document


def test_who_does_not_say_whose_it_is_is_no_document() -> None:
    reply = make_reply(write_document(RULE, TITLES))

    with pytest.raises(UnreadableTextError, match="whose it is"):
        read_document({**reply, "holds": "Edition 3 holds from 2026-02-01 on."})
    with pytest.raises(UnreadableTextError, match="when it holds"):
        read_document({**reply, "holds": "A rule of the north desk. It holds."})


@pytest.mark.parametrize(
    ("document", "is_binding"),
    [
        (RULE, True),
        (replace(RULE, since=TODAY), True),
        (replace(RULE, since="2026-07-01"), False),
        (replace(RULE, owner="south desk"), False),
        (replace(RULE, standing=DocumentStanding.SUPERSEDED, in_force=1), False),
        (replace(RULE, standing=DocumentStanding.LATER, in_force=1), False),
        (replace(RULE, standing=DocumentStanding.PAPER), False),
    ],
    ids=["in force", "from today", "tomorrow", "other desk", "superseded", "later", "paper"],
)
def test_what_binds_is_a_rule_of_the_desk_that_holds_today(
    document: Document, *, is_binding: bool
) -> None:
    assert reread(document).is_binding("north desk", TODAY) is is_binding


@pytest.mark.parametrize("always", [(), (8888,), (8888, 9999)], ids=["none", "one", "two"])
def test_the_entry_page_reads_back(always: tuple[int, ...]) -> None:
    page = EntryPage("north desk", TODAY, "searchHandbook", "openDocument2", 1001, 1002, always)

    assert read_entry_page(write_entry_page(page, 'Parcels "and" more', 40)) == page
