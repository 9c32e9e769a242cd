"""The prose of a brief in its SOP: what is given for that, and nothing that could be a rule."""

from __future__ import annotations

import pytest

from sopforge.artifacts.rendering.sop.sections.given_prose import LeftOut, select_prose
from sopforge.artifacts.rendering.sop.sop import write_brief_sop
from sopforge.artifacts.rendering.sop.writer import Writer
from sopforge.language.domain.reading import Brief, read_brief
from tests.worlds.quick_builds import REFUND
from tests.worlds.small_models import parcel

MODEL = parcel()
HEAD = """\
format: 1
domain: parcel
title: Release of Parcels
author: anthropic
"""
POLICY = (
    "Depot clerks look at each parcel. One that weighs more than 20 kg stays. A damp one counts as"
    " damaged."
)
PROSE = f"""\
{HEAD}
business_task: Decide which parcels leave.
task_context: {POLICY}
context: [From June heavy ones leave too.]
answers:
  - {{question: q-000000000000, case: a damp parcel, says: A damp parcel counts as damaged.}}
"""


def read(text: str, draft: str = "") -> Brief:
    return read_brief(text, "brief.yaml", draft)


def render(brief: Brief) -> list[str]:
    return write_brief_sop(Writer(MODEL), brief).as_text().splitlines()


def get_section(lines: list[str], title: str) -> list[str]:
    """Return the lines of a section with a number."""
    start = next(n for n, line in enumerate(lines) if line.endswith(f". {title}"))
    return lines[start + 1 : lines.index("", start)]


def test_nothing_of_a_policy_in_prose_or_of_what_settled_it_stands_beside_the_rules() -> None:
    text = "\n".join(render(read(PROSE)))

    assert not [part for part in ("Depot clerks", "20 kg stays", "damp", "June") if part in text]
    assert "for information only" not in text


def test_a_prose_brief_gives_purpose_and_scope_as_such() -> None:
    given = "sop: {purpose: Parcels leave in good order., scope: It covers the northern depot.}\n"
    lines = render(read(PROSE + given))

    assert get_section(lines, "Purpose") == ["Parcels leave in good order."]
    assert get_section(lines, "Scope") == ["It covers the northern depot."]


def test_a_draft_is_a_source_of_rules_where_a_model_is_written_from_prose() -> None:
    draft = (
        "# Purpose\n\nParcels leave in good order. Damp ones must stay.\n\n"
        "# Steps\n\nLook at the label first.\n"
    )
    brief = read(PROSE, draft)

    lines = render(brief)
    assert get_section(lines, "Purpose") == ["Parcels leave in good order."]
    assert "Look at the label first." not in "\n".join(lines)
    assert select_prose(brief, MODEL).left_out == (LeftOut("draft_sop", "Damp ones must stay."),)


def test_a_task_that_is_a_rule_is_replaced_by_a_sentence_of_the_model() -> None:
    model = parcel(
        ("Decide whether a parcel may leave the depot.", "Parcels of more than 20 kg stay.")
    )
    lines = write_brief_sop(Writer(model), read(PROSE)).as_text().splitlines()

    (said,) = get_section(lines, "Purpose")
    assert said.startswith('This procedure, "Release of Parcels", describes how each parcel is')


def test_a_purpose_may_ask_what_may_be() -> None:
    assert get_section(render(read(PROSE)), "Purpose") == [
        "Decide whether a parcel may leave the depot."
    ]


@pytest.mark.parametrize(
    ("addition", "left"),
    [
        ("The desk moved in May.", ["The desk moved in May."]),
        ("The desk moved in May. Calls must be short.", ["The desk moved in May."]),
        ("Orders above 12 USD are looked at twice.", []),
        ("All late requests are refused.", []),
    ],
)
def test_later_additions_inform_and_never_bind(addition: str, left: list[str]) -> None:
    brief = read(f'{REFUND}context: ["{addition}"]\n')

    assert list(select_prose(brief, brief.model).context) == left


def test_a_draft_beside_rules_of_the_brief_stands_as_its_author_wrote_it() -> None:
    draft = "# Purpose\n\nRefunds are fair. Clerks must stay polite.\n\n# Tone\n\nBe brief.\n"
    brief = read(REFUND, draft)

    prose = select_prose(brief, brief.model)
    assert [part.title for part in prose.sections] == ["Purpose", "Tone"]
    assert prose.left_out == ()
