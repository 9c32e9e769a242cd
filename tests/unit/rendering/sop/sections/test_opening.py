"""The roles of an SOP: who carries out which steps, as the brief declares it and the steps say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.language.domain.documents.schema import UNDECLARED, SettingDocument
from sopforge.language.domain.model import DomainModel
from tests.worlds.small_models import parcel

DECLARED = SettingDocument(worker="depot clerk")


def done_by(*roles: str) -> DomainModel:
    """Return the model of parcels whose first steps some roles carry out."""
    model = parcel()
    named = zip(model.steps, roles, strict=False)
    changed = {step: replace(model.steps[step], by=role) for step, role in named}
    return replace(model, steps={**model.steps, **changed})


def find_workers(model: DomainModel, setting: SettingDocument = UNDECLARED) -> list[str]:
    """Return what the roles say of who carries out steps."""
    lines = render_sop(model, "", setting=setting).statements
    return [line.text for line in lines if " carries out " in line.text]


@pytest.mark.parametrize(
    ("by", "setting", "worker"),
    [
        ((), UNDECLARED, "case worker"),
        ((), DECLARED, "depot clerk"),
        (("", "porter"), UNDECLARED, "porter"),
        (("depot clerk",), DECLARED, "depot clerk"),
    ],
)
def test_one_role_carries_out_the_steps(
    by: tuple[str, ...], setting: SettingDocument, worker: str
) -> None:
    assert find_workers(done_by(*by), setting) == [
        f"The {worker} carries out the steps, applies the rules and reports the results."
    ]


def test_the_declared_worker_carries_out_what_no_other_does() -> None:
    assert find_workers(done_by("", "porter"), DECLARED) == [
        "The depot clerk carries out steps 6.1 and 6.3 to 6.5.",
        "The porter carries out step 6.2.",
    ]


def test_a_worker_who_has_no_step_left_is_no_role() -> None:
    every = done_by(*["porter"] * len(parcel().steps))

    assert find_workers(every, DECLARED) == find_workers(every)


@pytest.mark.parametrize(
    ("label", "named"),
    [("parcel number", "its parcel number"), ("number of the parcel", "the number of the parcel")],
)
def test_the_key_has_one_genitive(label: str, named: str) -> None:
    model = parcel(("parcel_id: {", f"parcel_id: {{label: {label}, "))

    lines = [line.text for line in render_sop(model, "").statements]

    assert [line for line in lines if f" is identified by {named}. " in line]
