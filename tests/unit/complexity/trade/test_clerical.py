"""Clerical instructions of a domain: on what its cases state, and true beside any rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sopforge.briefs.brief_files import load_brief
from sopforge.checks.sop.sop_marks import check_sop_marks
from sopforge.complexity.trade.clerical import iterate_clerical_passages, make_deed_passages
from sopforge.complexity.trade.setting import read_setting
from sopforge.complexity.variant import Variant
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import EnumType, NumberType
from sopforge.rendering.sop.added.clerical import CLERICAL, is_clerical
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.sop import render_sop

ROOT = Path(__file__).parents[4]
BRIEFS = ("patient_intake", "dangerous_goods", "referral_abuse", "tables/bank_counter")


def make(name: str, seed: int) -> tuple[DomainModel, list[Line]]:
    model = load_brief(ROOT / "briefs" / f"{name}.yaml").model
    setting = read_setting(Variant(model, render_sop(model, "")))
    return model, [item.line for item in iterate_clerical_passages(model, setting, seed)]


@pytest.mark.parametrize("name", BRIEFS)
@pytest.mark.parametrize("seed", range(3))
def test_each_is_about_an_entry_of_the_case_or_a_call(name: str, seed: int) -> None:
    model, lines = make(name, seed)
    labels = [item.label for item in model.inputs]
    tools = {tool.offered_name for tool in model.tools.values()}

    assert len(lines) > 2
    for line in lines:
        called = re.match(r"Once (\w+) has returned", line.text)
        assert is_clerical(line.text), line.text
        assert called[1] in tools if called else any(label in line.text for label in labels)


@pytest.mark.parametrize("seed", range(6))
def test_a_label_is_one_of_its_field_and_an_amount_none_of_a_limit(seed: int) -> None:
    model, lines = make("dangerous_goods", seed)
    limits = {str(item.constant.value) for item in model.policy.values()}

    for line in lines:
        found = re.search(r'[Ii]f the ([\w -]+) is (?:"([^"]+)"|more than (\d+))', line.text)
        if found is None:
            continue
        field = next(item for item in model.inputs if item.label == found[1])
        if found[2]:
            assert isinstance(field.type, EnumType)
            assert found[2] in field.type.values
        else:
            assert isinstance(field.type, NumberType)
            assert found[3] not in limits


def test_an_instruction_of_other_words_is_no_clerical_passage() -> None:
    model, (line, *_) = make("dangerous_goods", 0)
    changed = Line(Style.PARAGRAPH, "If it is so, refuse the case.", excused=CLERICAL)

    assert list(check_sop_marks(model, [line])) == []
    (finding,) = check_sop_marks(model, [changed])
    assert finding.evidence == changed.text


def test_fields_that_a_level_adds_have_instructions_too() -> None:
    model, _ = make("patient_intake", 0)
    setting = read_setting(Variant(model, render_sop(model, "")))
    item = next(item for item in model.inputs if isinstance(item.type, EnumType))

    said = [passage.line.text for passage in make_deed_passages([item], model, setting, 3)]

    assert len(said) == 2
    assert all(item.label in text for text in said)
