"""Cases in which an item decides: whether there is one that meets further conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sopforge.domain.language.expressions import AllOf, AnyOf, Expression, Not
from sopforge.solving.examining.inquiry import Inquiry
from sopforge.solving.examining.tables import build_condition_at
from sopforge.solving.questions import Row
from sopforge.solving.unfolded_places import TooManyStepsError
from sopforge.solving.unfolding import (
    FALSE,
    TRUE,
    Moment,
    Unfolded,
    find_decision_moments,
    unfold,
)
from sopforge.sources.asking.conditions import Ask, Condition, Conditions

_ANY_TIME = Moment(TRUE, {})
_TWO = 2


@dataclass(frozen=True)
class Cases:
    """The cases of one model, asked about where its items decide; what stays open is none."""

    conditions: Conditions

    @cached_property
    def inquiry(self) -> Inquiry:
        """The questions on the model."""
        return Inquiry(self.conditions.model, self._places)

    @cached_property
    def _places(self) -> Sequence[Unfolded]:
        """The places of the procedure, none where it is too long to be followed."""
        try:
            return unfold(self.conditions.model)
        except TooManyStepsError:
            return ()

    def _list_moments(self, condition: Condition) -> list[Moment]:
        """Return when the procedure comes to a rule, a formula or an edge."""
        kind, _, name = condition.group.partition(".")
        if kind == "steps":
            return [Moment(at.reached, at.after) for at in self._places if at.step.id == name]
        targets = self.conditions.list_targets(condition.group)
        return [at for target in targets[:1] for at in find_decision_moments(self._places, target)]

    def _list_deciding(self, condition: Condition) -> list[Expression]:
        """Return what has to be so where an item decides: itself, and nothing before it."""
        own = [] if condition.when is None else [condition.when]
        return [*self.list_passed(condition), *own]

    def list_passed(self, condition: Condition) -> list[Expression]:
        """Return that nothing holds which is tried before an item."""
        tried = [self.conditions.by_name[name].when for name in condition.tried]
        return [Not(when) for when in tried if when is not None]

    def has_case(self, condition: Condition, further: Sequence[Expression]) -> bool:
        """Return whether an item decides a case that meets further conditions."""
        return self._is_met_there(condition, [*self._list_deciding(condition), *further])

    def is_known(self, condition: Condition, name: str) -> bool:
        """Return whether a case knows a fact wherever an item decides."""
        known = [at.known[name] for at in self._list_moments(condition) if name in at.known]
        return all(item.present is not FALSE for item in known)

    def has_influence(self, condition: Condition, ask: Ask) -> bool:
        """Return whether a case would come out differently without one thing that an item asks.

        Of a formula that is taken as given.
        """
        when = condition.when
        rest = None if when is None else _drop(when, ask.test)
        if when is None or rest is None:
            return True
        passed = self.list_passed(condition)
        pairs = ((rest, Not(when)), (Not(rest), when))
        return any(self._is_met_there(condition, [*passed, *pair]) for pair in pairs)

    def _is_met_there(self, condition: Condition, wanted: Sequence[Expression]) -> bool:
        moments = self._list_moments(condition) or [_ANY_TIME]
        return any(self.is_met([build_condition_at(moment, wanted)]) for moment in moments)

    def is_met(self, wanted: Sequence[Expression]) -> bool:
        """Return whether some case meets conditions about what records hold."""
        return isinstance(self.inquiry.find_row(wanted, is_shown=False), Row)

    def are_different(self, one: Expression, other: Expression) -> bool:
        """Return whether in some case one of two conditions holds, and the other does not."""
        return self.is_met([one, Not(other)]) or self.is_met([other, Not(one)])


def _drop(node: Expression, part: Expression) -> Expression | None:
    """Return a condition without one of the things that it asks, None if nothing is left."""
    if node == part:
        return None
    match node:
        case Not(operand=operand):
            inner = _drop(operand, part)
            return None if inner is None else Not(inner)
        case AllOf(operands=operands) | AnyOf(operands=operands):
            left = [rest for item in operands if (rest := _drop(item, part)) is not None]
            if len(left) < _TWO:
                return left[0] if left else None
            return AllOf(tuple(left)) if isinstance(node, AllOf) else AnyOf(tuple(left))
        case _:
            return node
