from __future__ import annotations

from collections.abc import Mapping

import pytest

from sopforge.harness.environment.events import Called, Reply, Said
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.shown import Shown, ShownTask, ShownTool
from sopforge.harness.layers.layer import Done
from sopforge.sandbox.answers import JSONValue
from tests.unit.layers.documents.books import (
    FOREIGN,
    LATER,
    MAIN,
    OLD,
    OURS,
    PAPER,
    PURPOSE,
    RESULTS,
    STEPS,
    THEIRS,
    WORDS,
    bind,
)

BOOK = bind()
TASK = ShownTask("t1", "Send it.", {"parcel": "P1"})
SCHEMA: Mapping[str, object] = {"type": "object"}
SHOWN = Shown(
    "parcels",
    "",
    "Parcels",
    (ShownTool("getSum", "Adds.", SCHEMA), ShownTool("getDay", "Names the day.", SCHEMA)),
    {"t1": TASK},
    {},
)


class Inner:
    """Answers each call with the tool's name, and counts calls."""

    def begin(self, task: ShownTask, seed: int) -> int:  # noqa: ARG002 - protocol
        return 0

    def answer(self, kept: int, tool: str, arguments: Mapping[str, JSONValue]) -> tuple[int, Reply]:
        if tool not in {"getSum", "getDay"}:
            return kept, Reply(None, "unknown_tool", "")
        if not arguments:
            return kept + 1, Reply(None, "no_parcel", "which?")
        return kept + 1, Reply({"sum": 5, "tool": tool})


def answer(tool: str, **arguments: JSONValue) -> tuple[int, Reply]:
    service = BOOK.join(Environment(SHOWN, Inner())).service
    (_, kept), reply = service.answer(service.begin(TASK, 0), tool, arguments)
    return kept, reply


def test_a_document_is_opened_by_its_number_and_calls_nothing_within() -> None:
    kept, reply = answer("openDocument", number=RESULTS)

    assert kept == 0
    assert reply.result == {
        "number": RESULTS,
        "title": f"Part {RESULTS}",
        "holds": "A rule of the north desk. Edition 2 holds from 2026-01-01 on.",
        "text": "4. Results\n- sum (sum): the sum.",
        "refers_to": [],
    }


def test_a_search_shows_titles_and_first_words_and_not_what_binds() -> None:
    _, reply = answer("searchHandbook", query="purpose")

    assert reply.result == {
        "hits": [
            {
                "number": PURPOSE,
                "title": f"Part {PURPOSE}",
                "begins": "Parcels 1. Purpose Parcels are sent.",
            }
        ]
    }


@pytest.mark.parametrize("given", [{}, {"query": 3}, {"query": "a", "most": 2}], ids=str)
def test_a_search_without_words_is_refused(given: dict[str, JSONValue]) -> None:
    assert answer("searchHandbook", **given)[1].refusal == "invalid_query"


@pytest.mark.parametrize("given", [{}, {"number": 99}, {"number": "11"}, {"number": True}], ids=str)
def test_what_is_no_number_of_a_document_opens_none(given: dict[str, JSONValue]) -> None:
    assert answer("openDocument", **given)[1].refusal == "unknown_document"


def test_another_desks_tool_shows_other_values_the_same_each_time() -> None:
    kept, reply = answer("getSumDesk", parcel="P1")

    assert kept == 1
    assert reply.result in ({"sum": 1, "tool": "getSum"}, {"sum": 9, "tool": "getSum"})
    assert answer("getSumDesk", parcel="P1")[1] == reply


def test_another_desks_tool_refuses_as_the_tool_does() -> None:
    assert answer("getSumDesk")[1].refusal == "no_parcel"


def test_a_tool_under_its_name_in_documents_is_no_tool_of_the_list() -> None:
    names = [tool.name for tool in BOOK.show(SHOWN).tools]

    assert names == ["searchHandbook", "openDocument", "getSumDesk", "getSumHub", "getDay"]


def test_without_the_layer_nothing_was_looked_up_and_tools_have_their_names() -> None:
    reply = Reply({"sum": 5})
    done = Done(
        (
            Called("searchHandbook", {"query": "sum"}, Reply({"hits": []})),
            Called("openDocument", {"number": MAIN}, Reply({})),
            Said("Well."),
            Called("getSumHub", {"parcel": "P1"}, reply),
            Called("getSumDesk", {"parcel": "P1"}, Reply({"sum": 9})),
            Called("getDay", {}, Reply({})),
        ),
        "answer",
    )

    assert BOOK.unwrap("t1", done) == Done(
        (
            Said("Well."),
            Called("getSum", {"parcel": "P1"}, reply),
            Called("getSum", {"parcel": "P1"}, Reply({"sum": 9})),
            Called("getDay", {}, Reply({})),
        ),
        "answer",
    )


def test_documents_that_bind_and_were_opened_count_once() -> None:
    opened = [MAIN, MAIN, OLD, LATER, FOREIGN, PAPER, WORDS, 99]
    events = [Called("openDocument", {"number": number}, Reply({})) for number in opened]

    assert BOOK.list_opened([*events, Called("getDay", {"number": STEPS}, Reply({}))]) == {
        MAIN,
        WORDS,
    }


def test_tools_that_documents_describe_name_the_document_and_say_no_more() -> None:
    shown = {tool.name: tool.description for tool in BOOK.show(SHOWN).tools}

    assert shown["getSumHub"] == f"Document {OURS} describes this tool."
    assert shown["getSumDesk"] == f"Document {THEIRS} describes this tool."
    assert shown["getDay"] == "Names the day."
