"""Answers that an earlier process kept: nothing is asked again, and nothing comes out otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.coverage import goal_rows
from sopforge.proof.dataset.coverage.covering import Covering, cover_goals
from sopforge.proof.dataset.coverage.goal_rows import Witnesses
from sopforge.proof.solving import budgets
from sopforge.proof.solving.kept_answers import Kept
from tests.worlds.small_models import orders

EVERYTHING = Path(__file__).parents[3] / "domains" / "everything.yaml"
MODELS = {"orders": orders(), "every feature": load_brief(EVERYTHING).model}


class Answers:
    """Answers as a file keeps them: as JSON."""

    def __init__(self) -> None:
        self.lines: dict[str, str] = {}

    def find(self, question: str) -> Kept | None:
        return json.loads(self.lines[question]) if question in self.lines else None

    def note(self, question: str, answer: Kept) -> None:
        assert question not in self.lines
        self.lines[question] = json.dumps(answer)


def cover(model: DomainModel, answers: Answers) -> Covering:
    return cover_goals(model, 5, witnesses=Witnesses(answers))


@pytest.fixture(scope="module", params=MODELS)
def model(request: pytest.FixtureRequest) -> DomainModel:
    return MODELS[request.param]


@pytest.fixture(scope="module")
def kept(model: DomainModel) -> tuple[Covering, Answers]:
    """Return what a first process came to, and what it kept."""
    answers = Answers()
    return cover(model, answers), answers


def test_with_all_answers_kept_the_solver_is_not_asked(
    model: DomainModel, kept: tuple[Covering, Answers], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, answers = kept
    assert answers.lines
    for name in ("ask", "find_witness", "decide_conditions"):
        monkeypatch.delattr(goal_rows, name)

    again = cover(model, answers)

    assert (again.tasks, again.unmet, again.reasons) == (first.tasks, first.unmet, first.reasons)


@pytest.mark.parametrize(
    "share", [3, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (0, 1))]
)
def test_with_some_answers_kept_the_same_comes_out(
    share: int, model: DomainModel, kept: tuple[Covering, Answers]
) -> None:
    first, answers = kept
    some = Answers()
    names = list(answers.lines)[: len(answers.lines) * share // 4]
    some.lines = {name: answers.lines[name] for name in names}

    again = cover(model, some)

    assert (again.tasks, again.unmet, again.reasons) == (first.tasks, first.unmet, first.reasons)
    assert some.lines == answers.lines


def test_what_a_budget_ended_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EASY_WITNESS", "HARD_GOAL"):
        monkeypatch.setattr(budgets, name, 1)
    answers = Answers()
    covering = cover(MODELS["orders"], answers)

    assert covering.reasons
    assert all(json.loads(line) is not None for line in answers.lines.values())
    witnesses = [name for name in answers.lines if name.startswith(("witness", "possible"))]
    assert not any(goal in name for goal in covering.reasons for name in witnesses)
