"""The forms of an SOP differ in what they explain and in their order, never in a rule."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from sopforge.artifacts.rendering.sop.document import SopDocument, Style
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.language.domain.documents.schema import ControlDocument, SopForm
from sopforge.language.domain.model import DomainModel
from tests.worlds.small_models import callers, claims, orders, parcel, permits, stays, warranty

FORMS: tuple[SopForm, ...] = ("instruction", "manual", "policy")
MODELS = {
    "callers": callers(),
    "claims": claims(),
    "orders": orders(),
    "parcel": parcel(),
    "permits": permits(),
    "stays": stays(),
    "warranty": warranty(),
}
KEPT = ControlDocument(number="SOP-7", retention="5 years")


def made(model: DomainModel, form: SopForm) -> SopDocument:
    return render_sop(model, "", control=KEPT, form=form)


@cache
def made_once(name: str, form: SopForm) -> SopDocument:
    return made(MODELS[name], form)


def titles(document: SopDocument) -> list[str]:
    sections = [line.text for line in document.lines if line.style is Style.SECTION]
    return [text.partition(". ")[2] for text in sections]


@pytest.mark.parametrize("name", MODELS)
def test_each_form_has_the_same_statements_of_rules(name: str) -> None:
    said = [Counter((x.kind, x.term) for x in made_once(name, form).statements) for form in FORMS]

    for found in said:
        del found["", None]
    assert said[0]
    assert said[0] == said[1] == said[2]


def test_an_instruction_is_shorter_and_a_policy_longer_than_a_manual() -> None:
    for name in MODELS:
        words = [len(made_once(name, form).as_text().split()) for form in FORMS]

        assert words == sorted(words)
        assert len(set(words)) == len(words)


def test_an_instruction_leaves_out_what_no_rule_needs() -> None:
    found = titles(made(parcel(), "instruction"))

    assert not {"Scope", "Definitions"} & set(found)
    assert {"Purpose", "Inputs", "Main procedure", "Records", "Results"} <= set(found)
    text = made(parcel(), "instruction").as_text()
    assert "weight that costs nothing" not in text
    assert "Keep case records for 5 years." in text
    assert "Keep the following on record" not in text


def test_a_policy_states_each_limit_once_with_its_meaning() -> None:
    lines = [line.text for line in made(parcel(), "policy").lines]

    assert lines.count("5 kg: weight that costs nothing") == 1
    assert not [line for line in lines if line.startswith("| weight that costs nothing")]


def with_roles() -> DomainModel:
    """Return a model whose driver holds parcels, and whose shift clerk does all else."""
    return parcel(
        ("    start: look", "    by: shift clerk\n    start: look"),
        ("hold: {title: Hold, ", "hold: {title: Hold, by: driver, "),
    )


def test_steps_name_who_is_responsible_where_the_brief_does() -> None:
    model = parcel(("    start: look", "    by: shift clerk\n    start: look"))
    document, short = render_sop(model, ""), made(model, "instruction")

    # In the full form, the roles say so once.
    assert "Responsible:" not in document.as_text()
    assert "- The shift clerk carries out the steps" in document.as_text()
    assert short.as_text().count("Responsible: shift clerk.") == len(model.steps)


def test_steps_name_their_roles_where_no_section_does() -> None:
    model = with_roles()

    own = "# Roles\n- Shift clerk: looks after the depot.\n- Driver: holds parcels."
    for text in (render_sop(model, own), made(model, "instruction")):
        assert text.as_text().count("Responsible: shift clerk.") == len(model.steps) - 1
        assert text.as_text().count("Responsible: driver.") == 1


def test_roles_that_name_their_steps_are_not_repeated_at_the_steps() -> None:
    text = render_sop(with_roles(), "").as_text()

    assert "Responsible:" not in text
    assert "- The shift clerk carries out steps 6.1 to 6.4." in text
    assert "- The driver carries out step 6.5." in text
