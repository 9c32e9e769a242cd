"""Fields that cases show and nothing reads: of papers, of roles and of amounts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.artifacts.complexity.document import render_variant_document
from sopforge.artifacts.complexity.levels import apply_level
from sopforge.artifacts.complexity.setting import Setting
from sopforge.artifacts.complexity.trade.details import (
    OF_FILES,
    iterate_named_fields,
    name_cases,
)
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.language.domain.fields import Field
from sopforge.language.domain.reading import read_domain
from tests.worlds.small_models import PARCEL, parcel

ROOT = Path(__file__).parents[3]
SETTING = Setting(
    domain="mail",
    case="parcel",
    worker="clerk",
    roles=("stores", "head of the yard"),
    owner="head of the yard",
    systems=("yard register",),
    papers=("customs form", "yard file", "sender's receipt"),
    entries=("parcel number",),
    results=(),
    first_day=0,
)


def list_named(seed: int) -> list[Field]:
    return list(iterate_named_fields(parcel(), SETTING, seed))


@pytest.mark.parametrize("seed", range(6))
def test_one_thing_is_said_of_each_paper_and_each_role(seed: int) -> None:
    clauses = [item.said.yes for item in list_named(seed) if item.said]
    papers = [text for text in clauses if text.startswith(("the customs", "the sender"))]
    roles = [text for text in clauses if text.startswith(("the stores", "the head"))]

    # The file of the case is no paper that somebody signs.
    assert sorted(text.split(" ")[1] for text in papers) == ["customs", "sender's"]
    assert sorted(text.split(" ")[1] for text in roles) == ["head", "stores"]
    assert len(clauses) == 4


def test_the_verb_agrees_with_who_is_meant() -> None:
    clauses = {item.said.yes for seed in range(20) for item in list_named(seed) if item.said}

    assert {"the stores have been informed", "the stores were asked beforehand"} <= clauses
    assert "the head of the yard has been informed" in clauses
    assert not [text for text in clauses if text.startswith("the stores ha") and "has" in text]


def test_of_a_role_whose_name_joins_two_things_the_label_speaks_alone() -> None:
    """Its clause would be no plain one, and the document of the level could not be read."""
    setting = replace(SETTING, roles=("health and safety team",))

    found = [item for seed in range(20) for item in iterate_named_fields(parcel(), setting, seed)]
    of_team = [item for item in found if item.name.startswith("health_and_safety_team_")]

    assert len({item.name for item in of_team}) > 1
    assert [item.said for item in of_team if item.said] == []


def test_names_are_those_of_fields() -> None:
    names = {item.name for seed in range(20) for item in list_named(seed)}

    assert {"customs_form_signed", "senders_receipt_stamped", "stores_informed"} <= names
    assert all(name.isidentifier() for name in names)


def test_what_a_field_of_the_domain_says_is_not_said_again() -> None:
    model = parcel()
    colour = replace(model.fields["colour"], description="whether the customs form is signed")
    known = replace(model, fields={**model.fields, "colour": colour})
    names = {item.name for seed in range(20) for item in iterate_named_fields(known, SETTING, seed)}

    assert "customs_form_signed" not in names
    assert "customs_form_dated" in names


def test_pools_name_the_case_of_the_domain() -> None:
    named = {item.name: item for item in name_cases(OF_FILES, "sample")}

    assert named["marked_urgent"].said is not None
    assert named["marked_urgent"].said.yes == "the sample is marked as urgent"
    assert named["marked_urgent"].said.no == "the sample is not marked as urgent"


def test_the_document_of_a_level_has_the_clauses_of_its_fields() -> None:
    plain = Variant(parcel(), render_sop(parcel(), ""))
    made = apply_level(plain, "L3", 5)
    text = render_variant_document(PARCEL, made.model)
    again = read_domain(text, "domain.yaml")

    said = {name: item.said for name, item in made.model.fields.items() if item.said}
    assert said
    assert {name: again.fields[name].said for name in said} == said
