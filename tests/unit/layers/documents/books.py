"""A handbook put together by hand: five documents of a text, and what stands beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sopforge.harness.layers.documents.document import Document, DocumentStanding, EntryPage
from sopforge.harness.layers.documents.handbook import Handbook
from sopforge.harness.layers.documents.similar_tools import SimilarTool
from sopforge.harness.layers.documents.stating import write_document, write_sheet
from sopforge.harness.scoring.agents import Call
from sopforge.language.logic.tool_calls import Refused

TEXT = """Parcels

1. Purpose
Parcels are sent.

2. Main procedure
Begin with step 2.1 (Look). See section 3 (Words) for the words.

2.1 Look
Call getSum with parcel.
If any of the following applies, go to step 2.2 (Stop):
  - the sum is more than 30;
  - the parcel is lost.

2.2 Stop
State the results as section 4 (Results) says.

3. Words
- Sum: what section 4 (Results) asks for.

4. Results
- sum (sum): the sum."""
LINES = TEXT.split("\n")
PURPOSE, MAIN, STEPS, WORDS, RESULTS = 11, 12, 13, 14, 15
OURS, THEIRS, OLD, LATER, FOREIGN, PAPER = 21, 22, 31, 32, 33, 34
DESK, OTHER_DESK = "north desk", "south desk"
PAGE = EntryPage(DESK, "2026-06-30", "searchHandbook", "openDocument", PURPOSE, MAIN)
TITLES = {"section 3": "Words", "section 4": "Results", "step 2.2": "Stop"}


def rule(number: int, start: int, end: int, **changes: Any) -> Document:  # noqa: ANN401 - handed on
    """Return a document in force that has some lines of the text."""
    lines = tuple(LINES[start:end])
    return replace(Document(number, f"Part {number}", DESK, 2, "2026-01-01", lines), **changes)


# The step "Look" begins in one document and ends in the next. The reference to the results leads
# to an edition that is superseded.
RULES = (
    rule(PURPOSE, 0, 5, follows=MAIN),
    rule(
        MAIN,
        5,
        12,
        goes_on=STEPS,
        references={"step 2.2": STEPS, "section 3": WORDS, "tool getSum": OURS},
    ),
    rule(STEPS, 12, 17, follows=WORDS, references={"section 4": OLD}),
    rule(WORDS, 17, 20, follows=RESULTS, references={"section 4": RESULTS}),
    rule(RESULTS, 20, 22),
)
BESIDE = (
    replace(
        RULES[4],
        number=OLD,
        standing=DocumentStanding.SUPERSEDED,
        since="2025-01-01",
        in_force=RESULTS,
        lines=("4. Results", "- none"),
    ),
    replace(
        RULES[4],
        number=LATER,
        standing=DocumentStanding.LATER,
        since="2026-12-01",
        in_force=RESULTS,
        lines=("4. Results", "- all"),
    ),
    replace(RULES[4], number=FOREIGN, owner=OTHER_DESK, lines=("4. Results", "- some")),
    replace(
        RULES[4], number=PAPER, standing=DocumentStanding.PAPER, owner="mail room", lines=("News.",)
    ),
)
TOOL = SimilarTool(
    "getSum",
    "getSumHub",
    "getSumDesk",
    is_other_first=True,
    sheet=OURS,
    other_sheet=THEIRS,
    values={"sum": (1, 5, 9)},
)


def sheet(number: int, desk: str, name: str) -> Document:
    """Return the document that says by which name a desk calls the tool."""
    line = f"{write_sheet(desk, name, TOOL.tool)} It adds."
    return Document(number, f"Tool {name}", desk, 1, "2026-01-01", (line,))


SHEETS = (sheet(OURS, DESK, TOOL.name), sheet(THEIRS, OTHER_DESK, TOOL.other))


def bind(*changed: Document, without: int = 0, page: EntryPage = PAGE) -> Handbook:
    """Return the handbook, with some documents changed, and without one."""
    found = {item.number: item for item in (*RULES, *SHEETS, *BESIDE, *changed)}
    opened = [write_document(item, TITLES) for item in found.values() if item.number != without]
    return Handbook(len(opened), 1, "Parcels", page, tuple(opened), (TOOL,))


def call_book(book: Handbook, opened: list[int] | None = None) -> Call:
    """Return what calls the two tools of a handbook; ``opened`` gets the numbers."""

    def call(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
        if tool == book.page.open and opened is not None:
            opened.append(arguments["number"])
        answer = book.answer_opening if tool == book.page.open else book.answer_search
        reply = answer(arguments)
        if not isinstance(reply.result, dict):
            return Refused(reply.refusal, reply.message)
        return reply.result

    return call
