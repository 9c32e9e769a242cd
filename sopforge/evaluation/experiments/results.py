"""Results: each agent under each condition, compared task by task with the first of its model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from sopforge.evaluation.experiments.designs import FACTORIAL, Condition, Design
from sopforge.evaluation.experiments.effects import Factorial, compute_factorial
from sopforge.evaluation.experiments.preparing import PACKAGES, Prepared
from sopforge.evaluation.figures.means import compute_row_rates
from sopforge.evaluation.runs.comparing import Pairs, pair_across
from sopforge.evaluation.runs.metrics import Rates
from sopforge.evaluation.runs.rows import Row, Spent, sum_spent

Rows: TypeAlias = Mapping[tuple[str, str], Sequence[Row]]
"""The rows of each agent under each condition, by their names; where none was attempted, none."""


@dataclass(frozen=True, slots=True)
class Result:
    """An agent under a condition; ``pairs`` is how the first condition of its model compares."""

    condition: Condition
    agent: str
    tasks: int
    attempts: int
    rates: Rates
    spent: Spent
    against: str
    pairs: Pairs | None

    def as_record(self) -> dict[str, object]:
        """Return it as JSON; of turns, tokens and cost the means, none where no model was asked."""
        return {
            "condition": self.condition.name,
            "agent": self.agent,
            "tasks": self.tasks,
            "attempts": self.attempts,
            "ecr": asdict(self.rates.ecr),
            "tsr": asdict(self.rates.tsr),
            "against": self.against or None,
            "pairs": self.pairs.as_record() if self.pairs else None,
            "turns": self.compute_mean(self.spent.turns),
            "tokens_in": self.compute_mean(self.spent.tokens_in),
            "tokens_out": self.compute_mean(self.spent.tokens_out),
            "cost": None if self.spent.cost is None else self.spent.cost / self.attempts,
        }

    def compute_mean(self, total: int) -> float | None:
        """Return a total by attempts; None where no model was asked."""
        return total / self.attempts if self.spent.turns else None


def compute_results(design: Design, rows: Rows) -> list[Result]:
    """Return a line for each condition and agent that has attempts, condition by condition."""
    found = []
    agents = dict.fromkeys(agent for _, agent in rows)
    for condition in design.conditions:
        first = design.find_reference(condition)
        for agent in agents:
            own = rows.get((condition.name, agent), ())
            if own:
                before = () if condition == first else rows.get((first.name, agent), ())
                found.append(_compute_result(condition, agent, own, first, before))
    return found


def _compute_result(
    condition: Condition, agent: str, own: Sequence[Row], first: Condition, before: Sequence[Row]
) -> Result:
    return Result(
        condition,
        agent,
        len({row.asked.task for row in own}),
        len(own),
        compute_row_rates(own),
        sum_spent(own),
        "" if condition == first else first.name,
        pair_across(before, own),
    )


def compute_effects(design: Design, rows: Rows) -> dict[str, Factorial]:
    """Return the effects of a factorial by agent, of its first and last length and branching.

    There are none for an agent that lacks attempts, or in another design.
    """
    if design.name != FACTORIAL:
        return {}
    ends = [(design.doses[0], design.doses[-1]), (design.branches[0], design.branches[-1])]
    found = {}
    for agent in dict.fromkeys(agent for _, agent in rows):
        cells = {
            (is_long, is_branched): rows.get(
                (_name_cell(design, ends[0][is_long], ends[1][is_branched]), agent), ()
            )
            for is_long in (False, True)
            for is_branched in (False, True)
        }
        effects = compute_factorial(cells)
        if effects is not None:
            found[agent] = effects
    return found


def _name_cell(design: Design, length: int, branches: int) -> str:
    places = [(one, other) for other in design.branches for one in design.doses]
    return design.conditions[places.index((length, branches))].name


def build_condition_record(item: Prepared, doses: Mapping[str, int]) -> dict[str, Any]:
    """Return what is known of a condition: what was asked of it, and what it became."""
    return {
        "name": item.condition.name,
        "package": f"{PACKAGES}/{item.condition.name}",
        "digest": item.digest,
        "level": item.condition.level,
        "doses": dict(doses),
        "branches_added": item.condition.branches,
        "put_in": dict(item.put_in),
        "tasks": len(item.package.plain.gold),
        **item.figures,
    }


def build_effect_records(effects: Mapping[str, Factorial]) -> list[dict[str, Any]]:
    """Return the effects of each agent as JSON."""
    return [{"agent": agent, **asdict(found)} for agent, found in effects.items()]


def find_equal_conditions(prepared: Sequence[Prepared]) -> Iterator[tuple[str, str]]:
    """Yield conditions that came to the same package as an earlier one, which has room no more."""
    first: dict[str, str] = {}
    for item in prepared:
        earlier = first.setdefault(item.digest, item.condition.name)
        if earlier != item.condition.name:
            yield earlier, item.condition.name
