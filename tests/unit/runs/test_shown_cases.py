"""Cases of a preview are rows that a run could take."""

from __future__ import annotations

from sopforge.language.domain.documents.schema import DatasetDocument
from sopforge.pipeline.runs.shown_cases import CASES, draw_shown_cases
from tests.worlds.small_models import branches


def test_they_meet_the_constraints() -> None:
    model = branches(50, constraints=["f0 >= 90 or f0 < 10"])

    shown = draw_shown_cases(model, DatasetDocument(n_samples=20))

    assert len(shown) == CASES
    values = [int(case.facts["f0"]) for case in shown]
    assert [value for value in values if 10 <= value < 90] == []
