"""Prose that names a result is pointed out, unless it only says what the procedure decides."""

from __future__ import annotations

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.sop.brief_prose import CHECK
from sopforge.language.domain.reading import read_brief
from sopforge.workspace import DOMAIN, SOP_TEXT, SOP_TRACE, Workspace
from tests.worlds.quick_builds import REFUND

TASK = "Decide on refund requests of a web shop: look the order up, judge it, and pay or refuse."


def warned(task: str) -> list[str]:
    folded = REFUND.replace("  Decide on refund requests", f"  {task} Decide on refund requests")
    brief = read_brief(folded, "brief.yaml")
    author = OfflineAuthor()
    written = author.write_sop(brief.model, brief)
    files = {SOP_TEXT: written.as_text(), SOP_TRACE: written.as_trace()}
    workspace = Workspace(brief, {DOMAIN: author.write_domain(brief), **files})
    return [item.hint for item in CHECK.examine(workspace) if item.id == "sop-prose"]


@pytest.mark.parametrize(
    "task",
    [
        'Determine whether the order is "eligible".',
        'Each order is judged to be "eligible" or "excluded".',
        'It is decided whether a request ends as "paid", "passed on" or "refused".',
    ],
)
def test_a_sentence_on_what_is_decided_is_not_pointed_out(task: str) -> None:
    assert warned(task) == []


@pytest.mark.parametrize(
    ("task", "named"),
    [
        ('Late requests are "excluded".', '"excluded"'),
        ('Orders are "eligible" whether or not they are damaged.', '"eligible"'),
        ('Decide quickly. Gifts are "excluded".', '"excluded"'),
        ('Judge gifts to be "excluded".', '"excluded"'),
    ],
)
def test_a_sentence_that_gives_a_result_is_pointed_out(task: str, named: str) -> None:
    assert warned(task) == [f"write this sentence of the brief without {named}, or leave it out"]
