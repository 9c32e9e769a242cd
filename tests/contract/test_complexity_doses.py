"""Each operator moves the one figure that it is there for, and no answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.complexity_doses import (
    BRIEFS,
    DOSES,
    MEASURES,
    SIZES,
    Measured,
    measured,
    plain_variant,
)
from sopforge.artifacts.complexity.levels import OPERATORS
from sopforge.artifacts.complexity.variant import Operator

EACH_OPERATOR = pytest.mark.parametrize(
    "operator", OPERATORS, ids=lambda operator: str(operator.name)
)
EACH_BRIEF = pytest.mark.parametrize("path", BRIEFS, ids=lambda path: path.stem)
TOLERANCE = 0.05
# Where a domain has no more to give: the warranty has one look-up of two results, and two rules
# beside which little is known for certain; the orders have rules of one or two facts alone. A limit
# of months after a day is said as a figure.
FULL = {
    ("partial_tools", "warranty"): 2,
    ("redundant_rules", "warranty"): 3,
    ("redundant_rules", "orders"): 3,
    ("superseded", "warranty"): 4,
    ("superseded", "orders"): 3,
    ("indirect_thresholds", "warranty"): 0,
}


@EACH_BRIEF
@EACH_OPERATOR
def test_a_dose_moves_its_own_figure_and_no_answer(operator: Operator, path: Path) -> None:
    plain = plain_variant(path)
    found = [measured(plain, operator, dose) for dose in DOSES]
    most = FULL.get((operator.name, path.stem), DOSES[-1])

    moved = [item.figures[MEASURES[operator.name]] for item in found]
    assert moved == [min(dose, most) for dose in DOSES]
    for item in found[1:]:
        assert answers(item, found[0]) == answers(found[0], found[0])
        assert strays(operator.name, found[0], item) == []


def answers(item: Measured, plain: Measured) -> list[object]:
    """Return ids, frames, outcomes and paths of the tasks, without what was put in."""
    names = plain.rows[0].keys()
    frames = [{name: row[name] for name in names} for row in item.rows]
    kept = [(t.id, t.outcomes, t.intermediates, t.path, t.rules, len(t.calls)) for t in item.tasks]
    return [*frames, *kept]


def strays(operator: str, plain: Measured, harder: Measured) -> list[str]:
    """Return the other figures that moved by more than a twentieth."""
    own = {MEASURES[operator], *SIZES[operator]}
    return [
        name
        for name, value in plain.figures.items()
        if name not in own and is_moved(value, harder.figures[name])
    ]


def is_moved(value: object, other: object) -> bool:
    if isinstance(value, int) and isinstance(other, int):
        return abs(other - value) > TOLERANCE * abs(value)
    return value != other
