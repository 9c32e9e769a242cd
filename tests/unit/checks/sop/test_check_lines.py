"""A check of a tool follows its code; what the line says of it is read back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from sopforge.briefs.brief_files import load_brief
from sopforge.checks.sop.sop_reads_back import read_back_findings
from sopforge.domain.model import DomainModel
from sopforge.findings import has_errors
from sopforge.rendering.sop.document import Line
from sopforge.rendering.sop.sop import render_sop

ROOT = Path(__file__).parents[4]
INTAKE, COUNTER = "briefs/patient_intake.yaml", "briefs/tables/bank_counter.yaml"
OF_ONE_TOOL = 'risk_not_acceptable: the overall risk level is neither "low" nor "moderate".'
OF_SEVERAL = "no_session (endSession): the person at the counter has not been identified."
LEAD = "registerPatient also refuses a call in the cases listed below."


@cache
def make_sop(brief: str) -> tuple[DomainModel, Sequence[Line]]:
    model = load_brief(ROOT / brief).model
    return model, render_sop(model, "").lines


def is_accepted(brief: str, old: str, new: str) -> bool:
    """Return whether an SOP with some words replaced, which are there once, says the same."""
    model, lines = make_sop(brief)
    (place,) = [place for place, line in enumerate(lines) if old in line.text]
    changed = replace(lines[place], text=lines[place].text.replace(old, new))
    return not has_errors(read_back_findings(model, [*lines[:place], changed, *lines[place + 1 :]]))


@pytest.mark.parametrize(
    ("brief", "old", "new"),
    [
        (INTAKE, OF_ONE_TOOL, OF_ONE_TOOL.replace(":", " (registerPatient):")),
        (INTAKE, OF_ONE_TOOL, OF_ONE_TOOL.replace(": ", ": refused if ")),
        (
            INTAKE,
            OF_ONE_TOOL,
            'risk_not_acceptable: refused unless the overall risk level is "low" or "moderate".',
        ),
        (
            INTAKE,
            OF_ONE_TOOL,
            (
                "registerPatient refuses with risk_not_acceptable unless the overall risk level is"
                ' "low" or "moderate".'
            ),
        ),
        (
            COUNTER,
            OF_SEVERAL,
            (
                "endSession refuses with no_session unless the person at the counter has been"
                " identified."
            ),
        ),
    ],
)
def test_the_same_in_another_form_is_accepted(brief: str, old: str, new: str) -> None:
    assert is_accepted(brief, old, new)


@pytest.mark.parametrize(
    ("brief", "old", "new"),
    [
        pytest.param(INTAKE, OF_ONE_TOOL, new, id=new)
        for new in (
            OF_ONE_TOOL.replace("risk_not_acceptable", "pharmacy_not_confirmed"),
            OF_ONE_TOOL.replace("risk_not_acceptable", "risk_too_high"),
            OF_ONE_TOOL.replace(":", " (verifyPharmacy):"),
            OF_ONE_TOOL.replace(": ", ": refused unless "),
            OF_ONE_TOOL.replace("neither", "either").replace("nor", "or"),
            OF_ONE_TOOL.replace('nor "moderate"', 'nor "high"'),
            OF_ONE_TOOL.replace("overall", "lifestyle"),
            OF_ONE_TOOL.replace(".", ", which is rare."),
            "",
        )
    ]
    + [
        pytest.param(INTAKE, LEAD, LEAD.replace("registerPatient", "verifyPharmacy"), id="lead"),
        pytest.param(INTAKE, LEAD, LEAD.replace("refuses", "accepts"), id="accepts"),
    ]
    + [
        pytest.param(COUNTER, OF_SEVERAL, new, id=new)
        for new in (
            OF_SEVERAL.replace("endSession", "openSession"),
            OF_SEVERAL.replace(" (endSession)", ""),
            OF_SEVERAL.replace("has not been", "has been"),
            OF_SEVERAL.replace(": ", ": refused unless "),
            OF_SEVERAL.replace("no_session", "not_signed"),
        )
    ],
)
def test_another_check_is_noticed(brief: str, old: str, new: str) -> None:
    assert not is_accepted(brief, old, new)
