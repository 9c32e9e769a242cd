"""Labels in an order: every case of a small frame is decided as its document says."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.errors import MaterialError
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.walking import collect_outcomes
from sopforge.proof.dataset.coverage.goals.goals import collect_goals
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.solving.unfolding import unfold
from tests.generators.scopes import natural
from tests.judges.document_walker import walk_document
from tests.worlds.read_models import read_model

PATH = Path(__file__).parents[1] / "worlds" / "incidents.yaml"
DOCUMENT: dict[str, Any] = yaml.safe_load(PATH.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def model() -> DomainModel:
    return read_domain(PATH.read_text(encoding="utf-8"), PATH.name)


def test_each_case_is_decided_as_the_document_says(model: DomainModel) -> None:
    read = read_model(model, render_sop(model, "")).model
    alarms = [levels for size in range(3) for levels in product(range(3), repeat=size)]
    cases = [*product(range(3), range(3), alarms)]
    for urgency, impact, levels in cases:
        row: dict[str, Value | None] = {
            "incident_id": "I000001",
            "urgency": urgency,
            "impact": impact,
            "alarms": tuple({"level": level} for level in levels),
        }
        record = {name: natural(model.fields[name].type, value) for name, value in row.items()}
        expected = walk_document(DOCUMENT["model"], record)

        done = label_row(model, row)

        assert done.path == expected.path
        found = collect_outcomes(model, done)
        assert found == collect_outcomes(read, label_row(read, row))
        assert {name: model.fields[name].format_cell(value) for name, value in found.items()} == {
            name: expected.known[name] for name in ("severity", "team", "handling")
        }
    assert len(cases) == 117


def test_mistakes_are_in_the_order(model: DomainModel) -> None:
    words = {mutant.words for mutant in derive_mutants(model)}

    assert {
        "in 'severity', rule S1, < for <=",
        "in 'severity', rule S2, medium for low",
        "in 'severity', rule S2, result, max for min",
        "in 'severity', rule S3, min for max",
        "in 'severity', min for max",
        "in 'team', night shift before day shift",
        "in 'team', helpdesk before day shift",
        "in 'team', the first rule that applies, not the result that goes before the others",
        "at step 'rate', edge 1, > for >=",
        "at step 'rate', edge 1, medium for high",
        "at step 'rate', edge 1, min for max",
    } <= words


def test_boundaries_are_the_neighbouring_labels(model: DomainModel) -> None:
    goals = {goal.words for goal in collect_goals(model, unfold(model))}

    rule = "in rule severity.S1, {} the boundary of 'the impact is at most the urgency'"
    assert {rule.format(side) for side in ("just below", "at", "just above")} <= goals
    # Nothing is above the highest label.
    edge = "edge rate.1, {} the boundary"
    assert any(edge.format("just below") in words for words in goals)
    assert not any(edge.format("just above") in words for words in goals)


def test_the_text_has_the_rules_as_they_are_written(model: DomainModel) -> None:
    lines = [line.text for line in render_sop(model, "").statements]
    start = next(
        place for place, line in enumerate(lines) if line.startswith("Determine the team.")
    )

    opening = "If several of these rules apply, take the first of their results in the order"
    assert lines[start : start + 6] == [
        f'Determine the team. {opening} "day shift", "night shift" and "helpdesk":',
        '"helpdesk" if the urgency is "low".',
        '"night shift" if the severity is at least "medium".',
        '"day shift" if the impact is below the severity.',
        '"night shift" if the impact is "high".',
        '"helpdesk" in all other cases.',
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[day shift, night shift, helpdesk]\n", "[day shift, night shift]\n", "lacks results"),
        ("[day shift, night shift, helpdesk]\n", "[day shift, day shift]\n", "twice"),
        ("[day shift, night shift, helpdesk]\n", "[day shift, nobody]\n", "no value 'nobody'"),
        ("hit: priority", "hit: first", "'priority' requires 'hit: priority'"),
        ("then: day shift", "then: missing", "must be a label"),
    ],
)
def test_an_order_that_does_not_fit_is_refused(old: str, new: str, message: str) -> None:
    text = PATH.read_text(encoding="utf-8")
    assert old in text

    with pytest.raises(MaterialError) as refused:
        read_domain(text.replace(old, new), PATH.name)

    assert message in str(refused.value)
