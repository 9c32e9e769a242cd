"""Tasks in the words of the domain: each entry is stated, and read back as it was."""

from __future__ import annotations

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.tasks.task_texts import (
    leave_out_entries,
    parse_task_text,
    render_task_text,
)
from tests.worlds.small_models import parcel

CELLS = {
    "parcel_id": "PX-0412",
    "sent_on": "2026-02-03",
    "weight": "7.50",
    "fragile": "yes",
    "contents": "Glass; Books",
    "note": "leave it at the door",
    "signed_by": "Ada",
}


def with_requests(*texts: str) -> DomainModel:
    lines = "".join(f"    - {text!r}\n" for text in texts)
    return parcel(("  procedure:\n", f"  requests:\n{lines}  procedure:\n"))


def whole_text(model: DomainModel, before: str) -> str:
    """Return a text that names every input."""
    return before + "; ".join(f"{item.label} {{{item.name}}}" for item in model.inputs) + "."


MODEL = parcel()
OWN = with_requests(whole_text(MODEL, "Dear depot, one more parcel: "))


def test_the_texts_of_tasks_are_those_of_the_domain() -> None:
    cells = {item.name: CELLS.get(item.name, "no") for item in OWN.inputs}
    text = render_task_text(OWN, "any", cells)

    assert text.startswith("Dear depot, one more parcel: ")
    assert "PX-0412" in text
    assert "7.50 kg" in text


@pytest.mark.parametrize("task", ["a", "b", "c", "d"])
def test_every_entry_is_read_back(task: str) -> None:
    model = with_requests(
        whole_text(MODEL, "Dear depot, one more parcel: "), whole_text(MODEL, "Parcel: ")
    )
    cells = {
        item.name: {"number": "7.50"}.get(type(item.type).__name__, CELLS.get(item.name, "no"))
        for item in model.inputs
    }
    text = render_task_text(model, task, cells)

    assert parse_task_text(model, task, text) == cells


def test_a_text_without_an_entry_states_the_others() -> None:
    cells = {item.name: CELLS.get(item.name, "no") for item in OWN.inputs}
    text = render_task_text(OWN, "any", cells)
    left = leave_out_entries(OWN, f"{text} Thanks.", cells, ["weight"])

    assert left is not None
    assert left.endswith(" Thanks.")
    assert "7.50" not in left
    assert "PX-0412" in left


REFUSED = {
    "an input is lacking": ("Parcel {parcel_id}.", "request-lacks-input"),
    "twice": (whole_text(MODEL, "{parcel_id} "), "request-repeats-input"),
    "unknown": (whole_text(MODEL, "{colour_of_it} "), "request-unknown-input"),
    "a brace alone": (whole_text(MODEL, "{ "), "request-malformed"),
}


@pytest.mark.parametrize(("text", "code"), REFUSED.values(), ids=REFUSED)
def test_a_text_that_does_not_fit_is_refused(text: str, code: str) -> None:
    with pytest.raises(MaterialError) as refused:
        with_requests(text)

    assert [fault.code for fault in refused.value.faults] == [code]
    assert "requests" in refused.value.faults[0].where
