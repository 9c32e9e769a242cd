"""The text of a level, read from its words alone, decides every case as the model does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.briefs.brief_files import load_brief
from sopforge.complexity.levels import apply_doses
from sopforge.complexity.variant import Variant
from sopforge.dataset.oracle import label_row
from sopforge.dataset.sampling.sampling import sample_rows
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import Table
from sopforge.reading.read_steps import read_steps
from sopforge.rendering.sop.document import Style
from sopforge.rendering.sop.references import PROCEDURE
from sopforge.rendering.sop.sop import render_sop

BRIEFS = Path(__file__).parents[2] / "briefs"
# As many as there are kinds of each: all that a careless reader could take for a rule.
DOSES = {
    "cross_references": 6,
    "indirect_thresholds": 8,
    "redundant_detail": 12,
    "redundant_rules": 32,
    "superseded": 24,
    "superseded_tools": 2,
    "tangents": 24,
}


@pytest.mark.parametrize("name", ["patient_intake", "dangerous_goods"])
@pytest.mark.parametrize("seed", [3, 8])
def test_a_level_read_from_its_words_decides_as_the_model_does(name: str, seed: int) -> None:
    brief = load_brief(BRIEFS / f"{name}.yaml")
    model = brief.model
    sop = render_sop(model, brief.draft, seed=seed, control=brief.parts.document)
    level = apply_doses(Variant(model, sop, background=brief.parts.task_context), DOSES, seed)
    titles = [line.text for line in sop.lines if line.style is Style.SECTION]
    (main,) = [n for n, title in enumerate(titles, 1) if title.endswith(f". {PROCEDURE}")]

    read = read_steps(without_rules(model), level.sop.as_text(), main).model

    for row in sample_rows(model, 5, range(60)):
        right, walked = label_row(model, row), label_row(read, row)
        # A transition that was put in counts those after it on.
        assert list_steps(walked.path) == list_steps(right.path)
        assert walked.known == right.known


def list_steps(path: Sequence[str]) -> list[str]:
    return [edge.partition(".")[0] for edge in path]


def without_rules(model: DomainModel) -> DomainModel:
    """Return a model whose tables and steps have their last rule and transition alone."""
    decisions = {
        name: replace(item, rules=item.rules[-1:]) if isinstance(item, Table) else item
        for name, item in model.decisions.items()
    }
    steps = {name: replace(step, edges=step.edges[-1:]) for name, step in model.steps.items()}
    return replace(model, steps=steps, decisions=decisions)
