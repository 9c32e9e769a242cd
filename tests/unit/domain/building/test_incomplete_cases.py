"""Incomplete cases: what a brief says of them becomes fields and steps, or is a fault."""

from __future__ import annotations

from typing import Any

import pytest

from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.errors import MaterialError
from sopforge.proof.solving.examining.procedure import examine_procedure
from tests.worlds.counters import Parts, build_counter

SAID: dict[str, Any] = {
    "lacking": {"amount": 5},
    "answer": "return",
    "sets": {"verdict": "refused"},
}


def incomplete(**changes: object) -> dict[str, Any]:
    """Return what a brief says, with changes; None drops a key."""
    said = {**SAID, **changes}
    return {name: value for name, value in said.items() if value is not None}


def say(model: Parts, **changes: object) -> None:
    """Put incomplete cases into the counter; the reason may stay open there."""
    model["entities"]["request"]["fields"]["reason"]["missing"] = "not decided"
    model["incomplete"] = incomplete(**changes)


def test_without_the_block_the_model_is_as_it_was() -> None:
    model = build_counter()
    assert model.start == "log_in"
    assert not model.parts
    assert model.lacking == ()


def test_an_entry_that_may_be_lacking_is_looked_for_first() -> None:
    model = build_counter(say)
    assert model.start == "check_entries"
    assert model.steps["check_entries"].edges[0].to == "log_in"
    assert model.fields["amount"].missing == "not stated"
    assert model.lacking == ("amount",)
    end = model.steps["entry_lacking"].end
    assert end is not None
    assert end["verdict"].value == 1
    assert examine_procedure(model) == []


def test_the_sop_has_a_section_for_it() -> None:
    text = render_sop(build_counter(say), "").as_text()
    section = text.partition("Sub-procedure: Check that the entries are complete")[2]
    assert "if the amount is missing" in section or "amount" in section.partition("\n\n\n")[0]
    assert "Return the incomplete case" in text
    assert "Do not fill in the entry yourself" in text


def test_an_escalated_case_is_handed_to_its_office() -> None:
    model = build_counter(lambda parts: say(parts, answer="escalate", hand_to="duty desk"))
    assert model.hand_overs == {"duty desk": ("entry_lacking",)}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"lacking": {}}, "missing-field"),
        ({"lacking": {"nothing": 5}}, "unknown-field"),
        ({"lacking": {"request_id": 5}}, "unknown-field"),
        ({"lacking": {"reason": 5}}, "unknown-field"),
        ({"answer": "escalate"}, "missing-field"),
        ({"hand_to": "duty desk"}, "missing-field"),
        ({"sets": {"amount": 3}}, "unknown-outcome"),
        ({"sets": {"verdict": "lost"}}, "value-not-allowed"),
        ({"contradicting": {"payee": {"on_file": "payer.owner"}}}, "entry-cannot-differ"),
        ({"contradicting": {"amount": {"on_file": "payer.code"}}}, "entry-cannot-differ"),
        ({"contradicting": {"verdict": {"on_file": "payer.balance"}}}, "unknown-field"),
    ],
    ids=str,
)
def test_what_cannot_be_is_a_fault(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(MaterialError) as refused:
        build_counter(lambda model: say(model, **changes))
    assert code in [fault.code for fault in refused.value.faults]


def test_an_entry_with_a_word_of_its_own_cannot_be_lacking() -> None:
    def change(model: Parts) -> None:
        say(model)
        model["entities"]["request"]["fields"]["amount"]["missing"] = "any"

    with pytest.raises(MaterialError) as refused:
        build_counter(change)
    assert [fault.code for fault in refused.value.faults] == ["entry-cannot-lack"]


def test_a_step_of_the_same_name_is_a_fault() -> None:
    def change(model: Parts) -> None:
        say(model)
        model["procedure"]["steps"]["entry_lacking"] = {"title": "X", "end": {"verdict": "refused"}}

    with pytest.raises(MaterialError) as refused:
        build_counter(change)
    assert [fault.code for fault in refused.value.faults] == ["duplicate-name"]
