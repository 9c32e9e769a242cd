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
    assert "Keep the record of a case for 5 years." in text
    assert "Keep the following on record" not in text


def test_a_policy_has_what_rules_refer_to_in_annexes_after_all_else() -> None:
    found = titles(made(parcel(), "policy"))

    assert found[-5:] == [
        "Annex: Inputs",
        "Annex: Data dictionary",
        "Annex: How values are worked out",
        "Annex: How to read the rules",
        "Annex: Limits and amounts",
    ]
    assert "Results" in found[:-5]


def test_the_annex_of_limits_states_each_constant_with_its_value() -> None:
    lines = made(parcel(), "policy").as_text().splitlines()

    assert "| weight that costs nothing | 5 kg |" in lines
    assert "| price of each further kilogram | 1.50 USD |" in lines


def test_another_value_in_the_annex_of_limits_is_found() -> None:
    row = "| weight that costs nothing | 5 kg |"
    lines = [
        replace(line, text=line.text.replace("5 kg", "6 kg")) if line.text == row else line
        for line in made(parcel(), "policy").lines
    ]

    assert {finding.id for finding in read_back_findings(parcel(), lines)} == {"sop-not-read"}


def test_steps_name_who_is_responsible_where_the_brief_does() -> None:
    model = parcel(("    start: look", "    by: shift clerk\n    start: look"))
    document = render_sop(model, "")

    assert document.as_text().count("Responsible: shift clerk.") == len(model.steps)
    assert "- The shift clerk carries out the steps" in document.as_text()
    assert list(read_back_findings(model, document.lines)) == []


def test_another_role_at_a_step_is_found() -> None:
    model = parcel(("    start: look", "    by: shift clerk\n    start: look"))
    lines = [
        replace(line, text=line.text.replace("Responsible: shift clerk", "Responsible: driver"))
        for line in render_sop(model, "").lines
    ]

    messages = [finding.message for finding in read_back_findings(model, lines)]
    assert [text for text in messages if "carried out by driver" in text]
