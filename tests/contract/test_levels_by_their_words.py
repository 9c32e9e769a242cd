"""A text, plain or of a level, read from its words alone decides every case as the model does."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.pipeline.briefs.brief_files import load_brief
from tests.judges.level_agreement import find_other_answers, make_plain
from tests.worlds.known_briefs import SMALL, load_known

BRIEFS = Path(__file__).parents[2] / "briefs"
# As many as there are kinds of each: all that a careless reader could take for a rule.
DOSES = {
    "indirect_thresholds": 8,
    "redundant_detail": 12,
    "redundant_rules": 32,
    "superseded": 24,
    "superseded_tools": 2,
    "tangents": 24,
}


# The clinic has few rules that are sentences: more of them moved would leave no place for others.
@pytest.mark.parametrize(("name", "moved"), [("patient_intake", 2), ("dangerous_goods", 6)])
@pytest.mark.parametrize("seed", [3, 8])
def test_a_level_read_from_its_words_decides_as_the_model_does(
    name: str, moved: int, seed: int
) -> None:
    doses = {**DOSES, "cross_references": moved}
    level = make_plain(load_brief(BRIEFS / f"{name}.yaml")).apply(doses, seed)

    assert {*level.count_additions()} == {*doses}
    assert list(find_other_answers(level.model, level.sop, 60)) == []


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_a_plain_sop_read_from_its_words_decides_as_the_model_does(path: Path) -> None:
    plain = make_plain(load_known(path)).variant

    assert list(find_other_answers(plain.model, plain.sop, 40)) == []
