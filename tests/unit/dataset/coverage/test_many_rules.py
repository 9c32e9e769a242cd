"""What a table with many rules asks for grows with its rules, and needs no deep recursion."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from sopforge.language.domain.expressions.expressions import Expression, list_ordered_parts
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.coverage import covering, sighting
from sopforge.proof.dataset.coverage.covering import cover_goals
from sopforge.proof.dataset.coverage.goals.goals import collect_goals, make_mutant_goals
from sopforge.proof.dataset.coverage.noticing import Noticing
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.solving.unfolding import unfold
from tests.worlds.small_models import derived, judged, observed

DEEP = 400


def ranked(count: int) -> DomainModel:
    """Return a model of one table; its rules read an intermediate value."""
    rules = {f"R{place}": (f"doubled == {4 * place}", "good") for place in range(count)}
    fields = {"amount": observed(0, 1000), "doubled": derived(0, 2000)}
    return judged(fields, rules, formulas={"doubled": "amount + amount"})


def size(conditions: Iterable[Expression]) -> int:
    """Return how many parts conditions have, one that several share counted once."""
    return len(list_ordered_parts(conditions))


def test_the_conditions_of_goals_grow_with_the_rules() -> None:
    sizes = []
    for count in (10, 20, 30):
        model = ranked(count)
        sizes.append(size(goal.condition for goal in collect_goals(model, unfold(model))))

    assert sizes[2] - sizes[1] == pytest.approx(sizes[1] - sizes[0], rel=0.05)


def test_many_rules_have_goals() -> None:
    model = ranked(DEEP)
    found = {goal.id: goal for goal in collect_goals(model, unfold(model))}
    assert f"rule result.R{DEEP - 1}" in found
    assert f"rule result.R{DEEP - 1}, no" in found


def test_many_rules_have_mutants() -> None:
    model = ranked(DEEP)
    last = list(derive_mutants(model))[-1:]
    (goal,) = make_mutant_goals(last)
    assert goal.id == last[0].id
    assert size([Noticing(model).derive_notice(goal).outcomes]) > DEEP


def test_what_mistakes_leave_alone_is_one_expression_in_all_models() -> None:
    """What a mistake is noticed by grows with the rules, not with the rules of each mistake."""
    sizes = []
    for count in (10, 20, 30):
        model = ranked(count)
        noticing = Noticing(model)
        dropped = [item for item in derive_mutants(model) if item.id.endswith("dropped")]
        conditions = [noticing.derive_notice(goal).outcomes for goal in make_mutant_goals(dropped)]
        sizes.append(size(conditions) / count)

    assert sizes[2] - sizes[1] == pytest.approx(sizes[1] - sizes[0], rel=0.1)


@pytest.mark.parametrize("number", [1, 3])
def test_how_much_is_looked_at_together_changes_no_task(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ranked(6)
    usual = cover_goals(model, 1)
    monkeypatch.setattr(sighting, "AT_ONCE", number)
    monkeypatch.setattr(covering, "AHEAD", number)
    other = cover_goals(model, 1)

    assert [task.id for task in other.tasks] == [task.id for task in usual.tasks]
    assert [task.row for task in other.tasks] == [task.row for task in usual.tasks]
    assert other.unmet == usual.unmet
