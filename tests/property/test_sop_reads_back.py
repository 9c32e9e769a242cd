"""The words of an SOP alone lead every case to the answers of the model, in every wording."""

from __future__ import annotations

import pytest

from sopforge.checks.sop_reads_back import read_back_findings
from sopforge.dataset.oracle import label
from sopforge.dataset.sampling import sample_rows
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import read_brief
from sopforge.logic.walking import outcomes
from sopforge.rendering.sop import render_sop
from tests.conftest import BRIEFS
from tests.small_models import claims, orders, parcel, stays, warranty
from tests.sop_faults import planted
from tests.sop_walker import model_of_text

INTAKE = read_brief((BRIEFS / "patient_intake.yaml").read_text(encoding="utf-8"), "brief").model
SMALL = {
    "parcel": parcel(),
    "claims": claims(),
    "orders": orders(),
    "stays": stays(),
    "warranty": warranty(),
}
MODELS = {**SMALL, "patient intake": INTAKE}
SEEDS = range(4)


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_a_text_of_the_model_is_read_back_without_a_difference(model: DomainModel) -> None:
    for seed in (None, *SEEDS):
        document = render_sop(model, "", (), seed)

        assert list(read_back_findings(model, document.lines)) == []


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_who_walks_by_the_text_comes_to_the_answers_of_the_model(model: DomainModel) -> None:
    rows = sample_rows(model, 11, range(200))
    for seed in SEEDS:
        told = model_of_text(model, render_sop(model, "", (), seed).lines)

        for row in rows:
            assert outcomes(told, label(told, row)) == outcomes(model, label(model, row))


@pytest.mark.parametrize("model", SMALL.values(), ids=SMALL)
def test_a_fault_in_the_text_is_found(model: DomainModel) -> None:
    document = render_sop(model, "", (), 1)

    missed = [
        (fault.kind, fault.text)
        for fault in planted(model, document)
        if not any(read_back_findings(model, fault.document.lines))
    ]

    assert missed == []
