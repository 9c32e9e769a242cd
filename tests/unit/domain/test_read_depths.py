"""How far a document is read is known by what is wrong with it first."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.language.domain.reading import ReadDepth, measure_read_depth
from sopforge.pipeline.briefs.brief_files import load_brief

FEES = load_brief(Path(__file__).parents[2] / "briefs" / "fees.yaml")
SOUND = OfflineAuthor().write_domain(FEES)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", ReadDepth.MODEL),
        ("\nmodel:", "\nmodel: [", ReadDepth.NOTHING),
        ("format: 1", "format: 1\nformat: 1", ReadDepth.NOTHING),
        ("\nmodel:", "\nmodels:", ReadDepth.SYNTAX),
        ("value: 3,", "value: three,", ReadDepth.SHAPE),
        ("days_late <= grace_days", "days_late <= grace_day", ReadDepth.DECLARATIONS),
        ("days_late <= grace_days", "days_late <= (", ReadDepth.DECLARATIONS),
    ],
)
def test_a_document_is_read_as_far_as_it_is_right(old: str, new: str, expected: ReadDepth) -> None:
    assert old in SOUND
    assert measure_read_depth(SOUND.replace(old, new, 1), "domain.yaml") is expected
