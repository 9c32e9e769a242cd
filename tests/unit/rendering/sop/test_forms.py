"""The forms of an SOP differ in what they explain and in their order, never in a rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.documents.schema import ControlDocument, SopForm
from sopforge.domain.model import DomainModel
from sopforge.rendering.sop.document import SopDocument, Style
from sopforge.rendering.sop.sop import render_sop
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
    return render_sop(model, "", (), 1, "", control=KEPT, form=form)


def titles(document: SopDocument) -> list[str]:
    sections = [line.text for line in document.lines if line.style is Style.SECTION]
    return [text.partition(". ")[2] for text in sections]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_each_form_says_what_the_model_decides(model: DomainModel, form: SopForm) -> None:
    assert list(read_back_findings(model, made(model, form).lines)) == []


def test_an_instruction_is_shorter_and_a_policy_longer_than_a_manual() -> None:
    for model in MODELS.values():
        words = [len(made(model, form).as_text().split()) for form in FORMS]

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


def test_a_policy_has_what_rules_refer_to_in_annexes_after_all_else() -> None:
    found = titles(made(parcel(), "policy"))

    assert found[-4:] == [
        "Annex: Inputs",
        "Annex: Data dictionary",
        "Annex: How values are worked out",
        "Annex: How to read the rules",
    ]
    assert "Results" in found[:-4]


def test_a_policy_states_each_limit_once_with_its_meaning() -> None:
    lines = [line.text for line in made(parcel(), "policy").lines]

    assert lines.count("5 kg: weight that costs nothing") == 1
    assert not [line for line in lines if line.startswith("| weight that costs nothing")]


def test_steps_name_who_is_responsible_where_the_brief_does() -> None:
    model = parcel(("    start: look", "    by: shift clerk\n    start: look"))
    document, short = render_sop(model, ""), made(model, "instruction")

    # In the full form, the roles say so once.
    assert "Responsible:" not in document.as_text()
    assert "- The shift clerk carries out the steps" in document.as_text()
    assert short.as_text().count("Responsible: shift clerk.") == len(model.steps)
    for text in (document, short):
        assert list(read_back_findings(model, text.lines)) == []


def test_steps_name_their_roles_where_no_section_does() -> None:
    model = parcel(
        ("    start: look", "    by: shift clerk\n    start: look"),
        ("hold: {title: Hold, ", "hold: {title: Hold, by: driver, "),
    )

    own = "# Roles\n- Shift clerk: looks after the depot.\n- Driver: holds parcels."
    for text in (render_sop(model, own), made(model, "instruction")):
        assert text.as_text().count("Responsible: shift clerk.") == len(model.steps) - 1
        assert text.as_text().count("Responsible: driver.") == 1
        assert list(read_back_findings(model, text.lines)) == []


def test_roles_that_name_their_steps_are_not_repeated_at_the_steps() -> None:
    model = parcel(
        ("    start: look", "    by: shift clerk\n    start: look"),
        ("hold: {title: Hold, ", "hold: {title: Hold, by: driver, "),
    )
    document = render_sop(model, "")
    lines = [
        replace(line, text=line.text.replace("The driver carries", "The owner carries"))
        for line in document.lines
    ]

    assert "Responsible:" not in document.as_text()
    assert "The driver carries out step 6.5." in document.as_text()
    assert list(read_back_findings(model, document.lines)) == []
    messages = [finding.message for finding in read_back_findings(model, lines)]
    assert any("it is carried out by owner" in message for message in messages)


def test_one_who_carries_out_all_steps_has_to_be_named() -> None:
    model = parcel(("    start: look", "    by: shift clerk\n    start: look"))
    lines = [
        replace(line, text=line.text.replace("shift clerk", "driver"))
        for line in render_sop(model, "").lines
    ]

    messages = [finding.message for finding in read_back_findings(model, lines)]
    assert messages == ["the text does not say: among the roles, the shift clerk"]


def test_another_role_at_a_step_is_found() -> None:
    model = parcel(("    start: look", "    by: shift clerk\n    start: look"))
    lines = [
        replace(line, text=line.text.replace("Responsible: shift clerk", "Responsible: driver"))
        for line in made(model, "instruction").lines
    ]

    messages = [finding.message for finding in read_back_findings(model, lines)]
    assert [text for text in messages if "carried out by driver" in text]
