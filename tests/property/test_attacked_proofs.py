"""What is proved of goals that no task shows stands against many random rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.attack_impossible import attack, claimed
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.coverage.covering import Covering, Unmet, cover_goals
from tests.worlds.small_models import callers, orders, permits, stays, warranty

ROWS = 20_000
BRIEFS = Path(__file__).parents[1] / "briefs"


def fees() -> DomainModel:
    return read_brief((BRIEFS / "fees.yaml").read_text(encoding="utf-8"), "fees.yaml").model


def refund() -> DomainModel:
    return read_brief((BRIEFS / "refund.yaml").read_text(encoding="utf-8"), "refund.yaml").model


def covered(model: DomainModel, seed: int) -> Covering:
    covering = cover_goals(model, seed)
    assert covering.unmet
    return covering


SMALL = [orders, warranty, stays, callers, permits, fees, refund]


@pytest.mark.parametrize("make", SMALL, ids=[make.__name__ for make in SMALL])
def test_no_row_contradicts_what_is_proved(make: Callable[[], DomainModel]) -> None:
    model = make()
    covering = covered(model, 5)

    done = attack(model, covering, ROWS)

    assert done.against == {}
    assert done.rows > ROWS / 20
    assert sum(done.claims.values()) == len(covering.unmet)
    for _, _, condition in claimed(covering):
        assert not any(holds(condition, task.row) for task in covering.tasks)


def test_an_attack_finds_what_is_claimed_wrongly() -> None:
    """Goals that tasks show are claimed to be impossible, without effect or seen on paths alone."""
    model = orders()
    covering = covered(model, 5)
    covering.unmet = {
        "rule release.R2": Unmet.IMPOSSIBLE,
        "mutant release, R2 dropped": Unmet.WITHOUT_EFFECT,
        "mutant open_limit 4999": Unmet.WITHOUT_EFFECT,
        "mutant read, edge 2 to 'no_customer'": Unmet.PATH_ONLY,
        "rule reason.N1": Unmet.BEYOND,
    }

    done = attack(model, covering, 2_000)

    # No random order lies within a dollar of the limit; the reason changes no primary answer.
    assert set(done.against) == {
        "rule release.R2",
        "mutant release, R2 dropped",
        "mutant read, edge 2 to 'no_customer'",
    }
