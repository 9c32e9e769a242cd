"""Side values of a domain read as its own values, and nothing looks at them."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from sopforge.artifacts.complexity.passages import AddedPassage, place_passages
from sopforge.artifacts.complexity.trade.side_values import iterate_side_passages
from sopforge.artifacts.rendering.sop.document import Style
from sopforge.artifacts.rendering.sop.marks import SIDE
from sopforge.language.domain.fields import Role
from sopforge.language.domain.values.types import DateType, EnumType, NumberType
from tests.worlds.plain_variants import load_variant

BRIEFS = ("patient_intake", "dangerous_goods", "referral_abuse", "tables/bank_counter")
RECORDED = re.compile(r"Record the (?P<label>[\w' -]+?)(?: \((?P<name>\w+)\))? as \"")


def name_value(passage: AddedPassage) -> str:
    """Return the name of the value that a passage works out or records."""
    match passage.line.term:
        case ("decides" | "chooses", (_, name), *_) | ("opens" | "looks", _, (_, name)):
            return str(name)
        case _:
            found = RECORDED.match(passage.line.text)
            assert found, passage.line
            return found["name"] or found["label"].replace(" ", "_")


@pytest.mark.parametrize("name", BRIEFS)
@pytest.mark.parametrize("seed", range(3))
def test_all_of_them_decide_nothing(name: str, seed: int) -> None:
    variant = load_variant(name)
    passages = list(iterate_side_passages(variant, seed))
    placed = place_passages(variant, "tangents", passages, seed)
    added = [item for item in placed.sop.statements if item not in variant.sop.statements]
    values = list(map(name_value, passages))
    text = variant.sop.as_text()

    assert len(passages) >= 6
    assert len({item.line.text for item in passages}) == len(passages)
    assert {item.excused for item in added} == {SIDE}
    assert not any(item.states for item in added)
    # Each is a value of its own, which the rules cannot name.
    assert len(set(values)) == len(values)
    assert set(values).isdisjoint(variant.model.fields)
    assert not re.search(rf"\b(?:{'|'.join(values)})\b", text)


@pytest.mark.parametrize("seed", range(6))
def test_conditions_are_on_what_is_decided_or_stated_and_name_no_limit(seed: int) -> None:
    variant = load_variant("dangerous_goods")
    limits = {str(item.constant.value) for item in variant.model.policy.values()}
    decided = variant.model.with_role(Role.DERIVED, Role.OUTCOME)
    labels = {item.label: item.type for item in (*variant.model.inputs, *decided)}
    said = [item.line.text for item in iterate_side_passages(variant, seed)]
    found = [re.search(r'if the ([\w -]+) is (?:"([^"]+)"|more than (\d+))', text) for text in said]
    days = [re.search(r": (\d+) days after the ([\w ]+)\.", text) for text in said]

    assert any(found)
    for match in filter(None, found):
        kind = labels[match[1]]
        if match[2]:
            assert isinstance(kind, EnumType)
            assert match[2] in kind.values
        else:
            assert isinstance(kind, NumberType)
            assert match[3] not in limits
    assert any(days)
    for match in filter(None, days):
        assert match[1] not in limits
        assert isinstance(labels[match[2]], DateType)


@pytest.mark.parametrize("seed", range(4))
def test_the_first_goes_by_the_first_label_of_a_value_that_is_decided_there_or_before(
    seed: int,
) -> None:
    variant = load_variant("patient_intake")
    passage = next(iter(iterate_side_passages(variant, seed)))
    lines = place_passages(variant, "tangents", [passage], seed).sop.statements
    before = "\n".join(line.text for line in lines[: lines.index(passage.line)])

    # Each of these is decided by rules, the first of which gives the label that is asked for.
    first = {
        'the insurance validation is "not accepted"': "insurance validation",
        'the prescription validation is "not accepted"': "prescription validation",
        'the lifestyle risk level is "high"': "lifestyle risk level",
        'the overall risk level is "high"': "overall risk level",
        'the pharmacy check is "declined"': "pharmacy check",
    }
    (asked,) = (said for said in first if f"if {said}" in passage.line.text)
    assert re.search(rf"(?:Determine|Set) the {first[asked]}\b", before)


def test_a_value_stands_in_the_dictionary_under_the_step_that_works_it_out() -> None:
    variant = load_variant("referral_abuse")
    passages = [item for item in iterate_side_passages(variant, 7) if item.besides]
    lines = place_passages(variant, "tangents", passages, 7).sop.statements
    headings, steps = {}, {}
    step = heading = ""
    for line, after in pairwise(lines):
        step = line.text if line.style is Style.STEP else step
        is_opening = line.style is Style.PARAGRAPH and after.style is Style.BULLET
        heading = line.text if is_opening else heading
        name = re.search(r"\((\w+)\)", line.text) if line.excused == SIDE else None
        if line.style is Style.PARAGRAPH and name:
            steps[name[1]] = step.partition(" ")[0]
        elif line.excused == SIDE and re.match(r"\w+ \(", line.text):
            headings[line.text.partition(" ")[0]] = heading

    assert len(headings) >= 2
    assert all(f"step {steps[name]} " in headings[name] for name in headings)
