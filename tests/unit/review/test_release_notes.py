"""What changed with a release is read as a document."""

from __future__ import annotations

from review.reading.release_notes import Block, parse_blocks


def test_an_entry_is_a_document_without_its_title() -> None:
    entry = (
        "## 1.1.0\n\nRules differ.\n\n### Rules\n\n- `a` changed.\n- `b` is gone.\n\n### Tasks\n"
    )

    assert list(parse_blocks(entry)) == [
        Block("paragraph", ("Rules differ.",)),
        Block("heading", ("Rules",)),
        Block("list", ("`a` changed.", "`b` is gone.")),
        Block("heading", ("Tasks",)),
    ]
    assert list(parse_blocks("")) == []
