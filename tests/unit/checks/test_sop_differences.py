"""What stands in an SOP and is none of the model's lines, and what is gone of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from sopforge.artifacts.rendering.sop.document import ITEM, Statement, Style
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.sop.differences import Derived, StatementChange, compare_statements, derive_sop
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.workspace import DOMAIN, Workspace

BRIEFS = Path(__file__).parents[2] / "briefs"
NAMES = ("fees", "tool_hire")


@cache
def derive(name: str) -> Derived:
    brief = load_brief(BRIEFS / f"{name}.yaml")
    return derive_sop(Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)}))


def list_kinds(derived: Derived, statements: list[Statement]) -> list[StatementChange]:
    return [item.kind for item in compare_statements(derived, statements)]


@pytest.mark.parametrize("name", NAMES)
def test_a_line_that_the_brief_does_not_have_cannot_be_left_out(name: str) -> None:
    derived, given = derive(name), " ".join((BRIEFS / f"{name}.yaml").read_text("utf-8").split())
    statements = list(derived.document.statements)

    kept = [
        item.text
        for place, item in enumerate(statements)
        if not list_kinds(derived, [*statements[:place], *statements[place + 1 :]])
    ]

    assert all(" ".join(text.rstrip(".").split()) in given for text in kept)


@pytest.mark.parametrize("name", NAMES)
def test_a_further_line_that_reads_as_a_rule_or_repeats_one_is_none_of_a_persons(name: str) -> None:
    derived = derive(name)
    statements = list(derived.document.statements)
    rules = [item for item in statements if item.term is not None and item.kind != "row"]
    assert rules

    for item in rules:
        added = Statement(Style.PARAGRAPH, item.text)
        [found] = compare_statements(derived, [*statements, added])
        assert (found.kind, found.is_rule) == (StatementChange.ADDED, True), item.text


def test_a_remark_is_no_rule() -> None:
    derived = derive("fees")
    added = Statement(Style.PARAGRAPH, "Readers are glad to be thanked for the return.")

    [found] = compare_statements(derived, [*derived.document.statements, added])

    assert (found.kind, found.is_rule) == (StatementChange.ADDED, False)


def test_a_list_that_is_joined_is_another_line() -> None:
    """Its bullets would read as minus signs."""
    derived = derive("tool_hire")
    statements = list(derived.document.statements)
    place = next(n for n, item in enumerate(statements) if ITEM in item.text)
    joined = Statement(statements[place].style, statements[place].text.replace(ITEM, " - "))

    [found] = compare_statements(derived, [*statements[:place], joined, *statements[place + 1 :]])

    assert (found.kind, found.is_alike) == (StatementChange.CHANGED, False)
