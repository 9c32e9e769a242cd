"""Asides that are made of a domain's own names: of its trade, and never as rules speak."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice, pairwise

import pytest

from sopforge.artifacts.complexity.operators import tangents
from sopforge.artifacts.complexity.setting import Setting
from sopforge.artifacts.complexity.trade.asides import fill_frame, iterate_asides
from sopforge.artifacts.complexity.trade.pools.asides import ASIDES, AsidePlace
from sopforge.artifacts.complexity.trade.pools.tangents import SENTENCES
from sopforge.artifacts.rendering.sop.document import Style
from sopforge.artifacts.rendering.sop.marks import TANGENTIAL
from tests.worlds.plain_variants import find_excused, list_labels, load_variant

BRIEFS = ("patient_intake", "dangerous_goods", "referral_abuse", "tables/bank_counter")
SETTING = Setting(
    domain="mail",
    case="order",
    worker="clerk",
    roles=("night desk",),
    owner="head of the yard",
    systems=("yard register",),
    papers=("order form",),
    entries=("order number", "sender"),
    results=("state of the order",),
    first_day=0,
)


def added(name: str, dose: int, seed: int) -> list[str]:
    variant = tangents.OPERATOR.apply(load_variant(name), dose, seed)
    return [item.text for item in find_excused(variant, TANGENTIAL)]


@pytest.mark.parametrize("name", BRIEFS)
def test_asides_name_no_answer_no_figure_and_no_tool(name: str) -> None:
    variant = load_variant(name)
    made = tangents.OPERATOR.apply(variant, 64, 7)
    own = {item.text for item in variant.sop.statements}
    said = [item.text for item in find_excused(made, TANGENTIAL) if item.text not in own]
    labels = list_labels(variant.model)
    tools = {tool.offered_name for tool in variant.model.tools.values()}

    assert made.count_additions()["tangents"] == 64
    assert len(said) > 30
    for text in said:
        assert not any(label in text.lower() for label in labels), text
        assert not re.search(r"(?<![\w-])\d", text), text
        assert tools.isdisjoint(re.findall(r"\w+", text)), text


@pytest.mark.parametrize("seed", range(4))
def test_domains_share_no_aside_at_the_usual_dose(seed: int) -> None:
    texts = [added(name, 4 * tangents.OPERATOR.usual, seed) for name in BRIEFS]
    every = [text for one in texts for text in one]

    assert len(set(every)) == len(every) >= 4 * tangents.OPERATOR.usual
    assert not any(text in SENTENCES for one in texts for text in one)


def test_asides_of_a_few_are_of_different_places() -> None:
    places = [item.place for item in islice(iterate_asides(SETTING, 7), len(AsidePlace))]

    assert sorted(places) == sorted(AsidePlace)


def test_each_frame_is_a_sentence_without_figures() -> None:
    sentence = re.compile(r"[A-Z][^{}\d\"]*\.")
    texts = [fill_frame(frame.text, SETTING, 0, 7) for frame in ASIDES]

    assert [text for text in texts if not sentence.fullmatch(text) or " a order" in text] == []


def test_a_frame_that_needs_what_there_is_not_is_left_out() -> None:
    bare = replace(SETTING, roles=(), owner="", entries=("sender",))

    assert fill_frame("The {role} calls.", bare, 0, 7) == ""
    assert fill_frame("The {entry} and the {other}.", bare, 0, 7) == ""
    assert fill_frame("The {entry}.", bare, 0, 7) == "The sender."


def test_asides_stand_in_the_section_of_their_kind_and_never_in_a_list_of_rules() -> None:
    variant = load_variant("patient_intake")
    statements = tangents.OPERATOR.apply(variant, 40, 7).sop.statements
    places = {text.text: text.place for text in iterate_asides(variant.setting, 7)}
    section = ""
    found = set()
    for item, after in pairwise(statements):
        section = item.text.partition(". ")[2] if item.style is Style.SECTION else section
        if item.excused == TANGENTIAL and item.text in places:
            assert section == places[item.text]
            assert after.style is not Style.ROW
            assert after.kind not in {"rule", "setrule"}
            found.add((section, item.style))
    assert {("Roles", Style.BULLET), ("Definitions", Style.BULLET)} <= found
    assert ("Records", Style.PARAGRAPH) in found
