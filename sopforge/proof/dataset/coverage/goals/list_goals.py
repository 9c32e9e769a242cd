"""Goals of lists that are made: entries that are listed and left out, no entry, and a full list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    Choice,
    Compare,
    Constant,
    Expression,
    Not,
    Relation,
    Selection,
)
from sopforge.language.domain.expressions.numbers import make_number_constant
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Formula, HitPolicy, Rule, Table
from sopforge.language.domain.values.types import BOOLEAN, NumberType
from sopforge.language.logic.variants.slots import Slot
from sopforge.proof.dataset.coverage.goals.goal import Goal, GoalKind
from sopforge.proof.dataset.coverage.goals.sites import (
    build_meeting_condition,
    list_formula_moments,
)
from sopforge.proof.solving.unfolding import TRUE, Unfolded

NONE = "none"


def build_list_goals(
    model: DomainModel, places: Sequence[Unfolded], slots: Mapping[str, Slot]
) -> Iterator[Goal]:
    """Ask for each list that is made of another with all that can become of the entries there.

    The mistakes: nothing is ever listed, or everything; where nothing is to be listed there is no
    answer, or everything is listed; and a full list counts as none.
    """
    for target, decision in model.decisions.items():
        if isinstance(decision, Formula) and isinstance(decision.value, Selection):
            slot, moments = slots[f"formula {target}"], list_formula_moments(places, target)
            for name, condition, words, wrong in _iterate_results(decision.value):
                met = build_meeting_condition(moments, condition)
                mistaken = tuple(slot.put(value) for value in wrong)
                if name == NONE:
                    mistaken = (*mistaken, _without_empty_answer(model, decision, condition))
                text = f"in formula {target}, {words}"
                yield Goal(f"list {target}, {name}", met, text, GoalKind.LIST, mistaken)


def _without_empty_answer(
    model: DomainModel, decision: Formula, is_empty: Expression
) -> DomainModel:
    """Return the model in which a list without entries is no answer."""
    rule = Rule("listed", Not(is_empty), decision.value)
    table = Table(decision.target, HitPolicy.UNIQUE, (rule,), decision.description)
    return replace(model, decisions={**model.decisions, decision.target: table})


def _iterate_results(
    node: Selection,
) -> Iterator[tuple[str, Expression, str, tuple[Expression, ...]]]:
    """Yield what can become of the entries: a name, when it does, the words, and the mistakes."""
    nothing = Constant(node.type, ())
    everything = Selection(node.type, node.list, node.size, None, node.parts)
    is_empty, is_full = _count_is(node, 0), _count_is(node, node.size)
    yield "some", _is_any(node, node.where or TRUE), "an entry is listed", (nothing,)
    if node.where is not None:
        yield "left out", _is_any(node, Not(node.where)), "an entry is left out", (everything,)
    all_listed = Choice(node.type, is_empty, everything, node)
    yield NONE, is_empty, "no entry is listed", (all_listed,) if node.where is not None else ()
    words = "as many entries are listed as there can be"
    yield "full", is_full, words, (Choice(node.type, is_full, nothing, node),)


def _is_any(node: Selection, wanted: Expression) -> Expression:
    function = AggregateFunction.ANY
    return Aggregate(BOOLEAN, function, node.list, node.size, None, wanted, None)


def _count_is(node: Selection, number: int) -> Expression:
    kind = NumberType(0, node.size)
    function = AggregateFunction.COUNT
    count = Aggregate(kind, function, node.list, node.size, node.where, None, None)
    return Compare(Relation.EQ, count, make_number_constant(number))
