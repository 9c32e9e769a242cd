"""What makes cases of a domain hang on each other: rules of sessions, and limits that change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice, zip_longest

from sopforge.artifacts.complexity.rules.earlier_values import draw_earlier_value
from sopforge.harness.layers.own_rules import collect_own_decisions
from sopforge.harness.layers.queue import tallies
from sopforge.harness.layers.queue.plans import Memo
from sopforge.harness.layers.queue.tallies import (
    Cells,
    Counted,
    Quota,
    SessionRules,
    Strikes,
    Tally,
    Total,
    read_figure,
)
from sopforge.language.domain.expressions.expressions import Expression, collect_named_constants
from sopforge.language.domain.fields import Field
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import list_decision_expressions
from sopforge.language.domain.values.types import (
    EnumType,
    NumberType,
    OrderedType,
    require_integer,
)

_LABELS = 2
_A_HALF = Fraction(1, 2)
_A_QUARTER = Fraction(1, 4)
_COUNTED = 6
"""How many labels are counted at most."""
_DRAWN = 4
"""How many other values of a limit are drawn."""


@dataclass(frozen=True, slots=True)
class Known:
    """A task as it is right by itself: what it states, what it comes to, and by how many calls.

    One that ``has_acted`` carried out an action: what it came to is not changed by other cases.
    """

    inputs: Cells
    outcomes: Cells
    calls: int
    has_acted: bool


def choose_rules(model: DomainModel, tasks: Sequence[Known], size: int) -> SessionRules:
    """Return the rules of sessions of so many cases."""
    return SessionRules(_choose_tallies(model, tasks, size), tuple(_iterate_counters(model, tasks)))


def _iterate_counters(model: DomainModel, tasks: Sequence[Known]) -> Iterator[Counted]:
    """Yield what is counted: outcomes take turns, each with the next of its labels or its sum.

    Who errs in one case has the counters of later ones wrong, too.
    """
    ranked = [
        _rank_counted(item, tasks)
        for item in sorted(model.outcomes, key=lambda item: not item.primary)
    ]
    turns = (pair for turn in zip_longest(*ranked) for pair in turn if pair is not None)
    for number, (name, label) in enumerate(islice(turns, _COUNTED), 1):
        counter = f"count_{number}"
        yield tallies.Counter(counter, name, label) if label else Total(counter, name)


def _rank_counted(item: Field, tasks: Sequence[Known]) -> list[tuple[str, str]]:
    """Return the labels of an outcome that are to be counted, "" for the sum of a number.

    Of labels, the one nearest to half of all comes first; the last follows from the others.
    """
    cells = {task.outcomes[item.name] for task in tasks}
    if isinstance(item.type, NumberType) and any(read_figure(cell) is not None for cell in cells):
        return [(item.name, "")]
    if not isinstance(item.type, EnumType):
        return []
    counts = Counter(task.outcomes[item.name] for task in tasks)
    labels = sorted(counts, key=lambda name: (abs(2 * counts[name] - len(tasks)), name))
    return [(item.name, label) for label in labels[: max(1, len(labels) - 1)]]


def _choose_tallies(model: DomainModel, tasks: Sequence[Known], size: int) -> tuple[Tally, ...]:
    """Return the rules by which cases change others: none where no outcome has labels for them.

    They change one label of an outcome into another, none of which comes with an action. The quota
    is on the label to which the most is done, the strikes on a value of an input.
    """
    outcome = _find_labelled(model)
    if outcome is None:
        return ()
    counts = Counter(task.outcomes[outcome.name] for task in tasks)
    acted = {task.outcomes[outcome.name] for task in tasks if task.has_acted}
    labels = [
        label
        for label, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        if label not in acted
    ]
    if len(labels) < _LABELS:
        return ()
    longest = max(labels, key=lambda label: _average_calls(tasks, outcome, label))
    others = [label for label in labels if label != longest]
    limit = _limit_share(counts[longest], len(tasks), size, _A_HALF)
    quota = Quota(outcome.name, longest, limit, others[0])
    strikes = _choose_strikes(model, tasks, size, quota, others[-1])
    return (quota,) if strikes is None else (strikes, quota)


def _find_labelled(model: DomainModel) -> Field | None:
    """Return an outcome with labels, the primary one where it has some."""
    known = [model.primary, *model.outcomes]
    return next((item for item in known if isinstance(item.type, EnumType)), None)


def _average_calls(tasks: Sequence[Known], outcome: Field, label: str) -> Fraction:
    calls = [task.calls for task in tasks if task.outcomes[outcome.name] == label]
    return Fraction(sum(calls), len(calls))


def _limit_share(count: int, tasks: int, size: int, share: Fraction) -> int:
    """Return how many of a session's cases are a share of those that are to be expected."""
    return max(1, int(Fraction(size * count, tasks) * share))


def _choose_strikes(
    model: DomainModel, tasks: Sequence[Known], size: int, quota: Quota, instead: str
) -> Strikes | None:
    """Return strikes on the value of an input that comes nearest to a quarter of the tasks."""
    label = quota.instead if instead != quota.instead else quota.label
    found = [
        (abs(Fraction(count, len(tasks)) - _A_QUARTER), item.name, value, count)
        for item in model.inputs
        if isinstance(item.type, EnumType)
        for value, count in Counter(task.inputs[item.name] for task in tasks).items()
        if count < len(tasks)
    ]
    if not found:
        return None
    _, name, value, count = min(found)
    limit = _limit_share(count, len(tasks), size, _A_HALF)
    return Strikes(quota.outcome, label, name, value, limit, instead)


def list_memos(model: DomainModel, seed: int) -> list[Memo]:
    """Return plausible other values of the limits by which the agent decides.

    Limits that tools work with stay as they are: they would answer by the old ones.
    """
    found = {
        Memo(name, require_integer(other.value)): None
        for name in sorted(list_own_limits(model))
        for turn in range(_DRAWN)
        if (other := draw_earlier_value(model, model.policy[name].constant, seed + turn))
    }
    return list(found)


def list_own_limits(model: DomainModel) -> set[str]:
    """Return the limits that stand in rules and edges of the agent, and in nothing of the tools."""
    decided = collect_own_decisions(model)
    tools = model.tools.values()
    theirs = [
        *(
            item
            for name, decision in model.decisions.items()
            if name not in decided
            for item in list_decision_expressions(decision)
        ),
        *(check.test for tool in tools for check in list_guard_checks(tool.guard)),
        *(effect for tool in tools for effect in tool.effects.values()),
    ]
    own = [
        *(item for name in decided for item in list_decision_expressions(model.decisions[name])),
        *(edge.when for step in model.steps.values() for edge in step.edges if edge.when),
    ]
    found = _collect_constants(own) - _collect_constants(theirs)
    kinds = {name: item.constant.type for name, item in model.policy.items()}
    return {name for name in found if name in kinds and isinstance(kinds[name], OrderedType)}


def list_steps_with(model: DomainModel, constant: str) -> list[str]:
    """Return the steps whose rules or edges have a limit, by their ids."""
    found = []
    for name, step in model.steps.items():
        decided = (list_decision_expressions(model.decisions[item]) for item in step.decide)
        tests = (edge.when for edge in step.edges if edge.when is not None)
        if constant in _collect_constants([*chain(*decided), *tests]):
            found.append(name)
    return found


def _collect_constants(expressions: Iterable[Expression]) -> set[str]:
    return {name for item in expressions for name in collect_named_constants(item)}
