"""Sentences that a reader would put otherwise: what there is of something, and what is done now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.briefs.brief_files import load_brief
from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.reading import read_brief
from sopforge.rendering.sop.document import Style
from sopforge.rendering.sop.general import render_result_rules
from sopforge.rendering.sop.sop import render_sop
from tests.worlds.small_models import changed

ROOT = Path(__file__).parents[4]


def list_texts(brief: str) -> list[str]:
    return [line.text for line in render_sop(load_brief(ROOT / brief).model, "").lines]


@pytest.mark.parametrize(
    ("brief", "said"),
    [
        pytest.param(
            "briefs/referral_abuse.yaml",
            "1 point if the share of lost referrals is more than 50 percent and there is at least "
            "one complaint.",
            id="some",
        ),
        pytest.param(
            "briefs/tables/bank_counter.yaml",
            "has_proxies (closeAccount): there is at least one proxy of the named account.",
            id="not none",
        ),
        pytest.param(
            "briefs/dangerous_goods.yaml",
            "The call records that a consignment has been booked for this request.",
            id="done now",
        ),
        pytest.param(
            "briefs/tables/bank_counter.yaml",
            "If getCard refuses with unknown_record (there is no record of this named card), go to "
            "step 6.48 (Refuse for the card).",
            id="a thing without a record",
        ),
        pytest.param(
            "briefs/tables/lending_library.yaml",
            "4 EUR: fee for the replacement of a lost copy",
            id="what a result costs",
        ),
    ],
)
def test_a_fact_is_said_as_people_say_it(brief: str, said: str) -> None:
    assert said in list_texts(brief)


def test_otherwise_stands_only_after_another_transition() -> None:
    model = load_brief(ROOT / "briefs/tables/lending_library.yaml").model
    texts = list_texts("briefs/tables/lending_library.yaml")
    title = "6.47 (Print the papers)"
    ends = [place for place, text in enumerate(texts) if text.endswith(f"step {title}.")]

    for place in (place for place in ends if "continue" in texts[place].lower()):
        is_other = texts[place].startswith("Otherwise, ")
        assert is_other == texts[place - 1].startswith("If ")
    assert any(step.refusals and step.decide for step in model.steps.values())


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("dispatch decision", ["or unit. The final decision is the dispatch decision."]),
        ("decision", ["or unit."]),
    ],
)
def test_which_result_is_the_decision_is_said_unless_its_name_says_so(
    label: str, said: list[str]
) -> None:
    model = load_brief(ROOT / "tests/briefs/tool_hire.yaml").model
    primary = replace(model.primary, label=label)
    renamed = replace(model, fields={**model.fields, primary.name: primary})

    (text,) = render_result_rules(renamed)

    assert [text[text.index("or unit") :]] == said


def test_what_is_done_now_and_what_was_done_before_are_one_fact() -> None:
    now, before = "yes: a consignment has been booked", "yes: a consignment has already been booked"
    text = (ROOT / "briefs/dangerous_goods.yaml").read_text(encoding="utf-8")
    model = read_brief(changed(text, (now, before)), "dangerous_goods.yaml").model
    lines = render_sop(model, "").lines
    done = "The call records that a consignment has been booked for this request."
    (place,) = [number for number, line in enumerate(lines) if line.text == done]

    for other, found in (("has already been booked", 0), ("has not been booked", 1)):
        text = done.replace("has been booked", other)
        said = type(lines[place])(Style.PARAGRAPH, text, lines[place].states)
        read = read_back_findings(model, [*lines[:place], said, *lines[place + 1 :]])
        assert bool(list(read)) == bool(found)
