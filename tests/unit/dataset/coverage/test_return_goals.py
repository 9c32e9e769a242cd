"""The return from a part to each step that carries it out is a goal; what is inside is one once."""

from __future__ import annotations

from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.coverage.goals.goal import GoalKind
from sopforge.proof.dataset.coverage.goals.goals import collect_goals
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.solving.unfolding import unfold
from tests.worlds.small_models import callers

MODEL = callers()
GOALS = collect_goals(MODEL, unfold(MODEL))


def changed_edges(model: DomainModel) -> dict[str, list[str]]:
    return {
        name: [edge.to for edge in step.edges]
        for name, step in model.steps.items()
        if step is not MODEL.steps[name]
    }


def test_each_step_with_a_part_has_a_goal_of_return() -> None:
    goals = {goal.id: goal for goal in GOALS if goal.kind is GoalKind.RETURN}

    assert list(goals) == [
        f"return to {s}" for s in ("verify_large", "look", "verify_change", "check")
    ]
    # A case that came back from the first verification as from the second is confused; one that
    # came back from the second as from the first would come here again.
    (confused,) = goals["return to verify_large"].wrong
    assert changed_edges(confused) == {"verify_large": ["move", "hold"]}
    straight = goals["return to verify_change"].wrong
    assert [changed_edges(wrong) for wrong in straight] == [
        {"verify_change": ["move"]},
        {"verify_change": ["hold"]},
    ]


def test_what_is_inside_a_part_is_a_goal_once() -> None:
    names = [goal.id for goal in GOALS if goal.kind is GoalKind.EDGE]

    assert len(names) == len(set(names))
    assert "edge judge.1" in names
    assert {goal.words for goal in GOALS if goal.kind is GoalKind.PAIR_OF_EDGES} >= {
        "a case comes back from step 'known' and goes by edge verify_large.2"
    }


def test_mistakes_about_parts_are_mutants() -> None:
    words = [
        mutant.words for mutant in derive_mutants(MODEL) if mutant.about == "part of the procedure"
    ]

    assert words == [
        "at step 'verify_large', back from 'verify' as to step 'verify_change'",
        "in part 'verify', its loops count over the whole case",
    ]
