"""Two models have one logic exactly where no question about them can be answered differently."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
import yaml
import z3

from sopforge.artifacts.complexity.levels import apply_level
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.checks.check import Check
from sopforge.checks.registry import select_checks
from sopforge.checks.schema.missing_reads import CHECK as MISSING_READS
from sopforge.checks.schema.procedure_cases import CHECK as PROCEDURE_CASES
from sopforge.checks.schema.table_cases import CHECK as TABLE_CASES
from sopforge.language.domain.documents.schema import Level
from sopforge.language.domain.reading import read_brief
from sopforge.proof.solving.logic_read import derive_logic
from sopforge.workspace import DOMAIN, Workspace
from tests.generators.briefs import as_brief
from tests.worlds.small_models import claims, parcel

DOMAINS = Path(__file__).parents[2] / "domains"
COLOUR = "        colour: {role: distractor, type: enum, values: [Brown, White],"


WORDS = {
    "a title": ("title: Look\n", "title: Look around\n"),
    "words": ("unit: kg, description: weight}", "unit: kg, description: mass}"),
    "a distractor": (COLOUR, COLOUR.replace("distractor", "input")),
    "a tool that no step calls": (
        "    priceParcel:\n",
        (
            "    peek: {kind: lookup, description: Peek, takes: [parcel_id], returns: [service]}\n"
            "    priceParcel:\n"
        ),
    ),
}


@pytest.mark.parametrize(("old", "new"), WORDS.values(), ids=WORDS)
def test_what_no_question_reads_is_no_logic(old: str, new: str) -> None:
    assert derive_logic(parcel((old, new))) == derive_logic(parcel())


LOGIC = {
    "a constant": ("grace: {value: 3", "grace: {value: 4"),
    "a rule": ("when: fragile or", "when: fragile and"),
    "a hit policy": ("      hit: first", "      hit: unique"),
    "an edge": ('> grace", to: hold', '> grace", to: price'),
    "a guard": ("is: surcharge <= 30", "is: surcharge < 30"),
    "a range": ("max: 40.00", "max: 41.00"),
    "a word for missing": ("missing: no due date", "missing: without a date"),
    "what a tool returns": ("returns: [service, due_on]", "returns: [due_on]"),
    "what one takes": ("takes: [parcel_id, weight, service]", "takes: [parcel_id, weight]"),
    "an end": ("end: {release: held}", "end: {release: released}"),
    "the start": ("start: look", "start: price"),
    "a constraint": ("  decisions:\n", "  constraints: [weight > 1]\n  decisions:\n"),
}


@pytest.mark.parametrize(("old", "new"), LOGIC.values(), ids=LOGIC)
def test_what_a_question_reads_is_logic(old: str, new: str) -> None:
    assert derive_logic(parcel((old, new))) != derive_logic(parcel())


@pytest.mark.parametrize("level", get_args(Level))
def test_harder_levels_have_the_logic_of_the_plain_domain(level: Level) -> None:
    for model in (parcel(), claims()):
        plain = Variant(model, render_sop(model, ""))

        assert derive_logic(apply_level(plain, level, 7).model) == derive_logic(model)


def test_of_which_days_an_entry_is_known_to_lie_before_is_no_logic() -> None:
    """It follows from ranges and constraints; a further day that cases state changes it."""
    document = yaml.safe_load((DOMAINS / "repairs.yaml").read_text(encoding="utf-8"))
    plain = read_brief(as_brief(document), "repairs.yaml").model
    entity = next(iter(document["model"]["entities"].values()))
    day = {"role": "input", "type": "date", "min": "2090-01-01", "max": "2090-12-31"}
    entity["fields"]["further_day"] = {**day, "description": "day agreed on"}
    longer = read_brief(as_brief(document), "repairs.yaml").model

    parts = [{x.name: x.parts for x in model.fields.values()} for model in (plain, longer)]
    assert any(parts[0][name] != parts[1][name] for name in parts[0])
    assert derive_logic(longer) == derive_logic(plain)


def test_the_solver_is_not_asked_again_about_the_same_logic(
    sound: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        pytest.fail("the solver was asked")

    monkeypatch.setattr(z3.Solver, "check", refuse)

    checks = select_checks("schema", sound, sound)

    assert [finding for check in checks for finding in check.examine(sound)] == []


@pytest.mark.parametrize("check", [MISSING_READS, PROCEDURE_CASES, TABLE_CASES])
def test_another_logic_is_examined(check: Check, sound: Workspace) -> None:
    spoiled = check.spoil(sound)

    assert spoiled.files[DOMAIN] != sound.files[DOMAIN]
    assert check in select_checks("schema", spoiled, sound)
