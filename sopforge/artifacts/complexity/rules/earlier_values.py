"""Earlier values of policy constants that could have been in force: near, in range, with effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sopforge.language.domain.expressions.calendars import MINUTES_AN_HOUR
from sopforge.language.domain.expressions.expressions import (
    AddMonths,
    Compare,
    Constant,
    Expression,
    Relation,
    Rescale,
    walk,
)
from sopforge.language.domain.expressions.numbers import (
    make_number_constant,
    require_number_type,
    rescale_number,
)
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.values.types import (
    ANY_DAY,
    DurationType,
    MomentType,
    NumberType,
    OrderedType,
    require_integer,
)
from sopforge.language.logic.readings.scalar import evaluate
from sopforge.seeds import draw_below

_CLOSE = 4  # an earlier value differs by a quarter at most, where the figures allow that
_LEAST_CHOICE = 2
_MONTHS = (-3, -2, -1, 1, 2, 3)
_DAYS = (-14, -7, -1, 1, 7, 14)
_MARGIN = 100  # days within which no calendar ends


def draw_earlier_value(model: DomainModel, item: Constant, seed: int) -> Constant | None:
    """Return a value that the constant may have had, None where no other is plausible.

    It keeps the sign, lies near, and wherever the constant is compared, some values that are
    compared with it lie on either side, some of them on another side than now.
    """
    uses = list(_iterate_uses(model, item))
    for candidates in _iterate_value_rows(item):
        fitting = [value for value in candidates if _fits(item, value, uses)]
        if fitting:
            return _with_value(
                item, fitting[draw_below(len(fitting), seed, "superseded", item.name)]
            )
    return None


def draw_earlier_limit(model: DomainModel, limit: Constant, seed: int) -> Constant | None:
    """Return an earlier value of a constant as it stands in a condition, None as above.

    There it may have more decimal places than in the policy: beside an amount, 800 is 800.00.
    """
    if limit.name not in model.policy:
        return None
    earlier = draw_earlier_value(model, model.policy[limit.name].constant, seed)
    if earlier is None:
        return None
    if isinstance(limit.type, NumberType):
        scaled = rescale_number(earlier, limit.type.places)
        earlier = scaled if isinstance(scaled, Constant) else earlier
    return replace(earlier, type=limit.type)


@dataclass(frozen=True, slots=True)
class _Use:
    """A comparison with the constant: the values low, low + step, ... high stand beside it."""

    low: int
    high: int
    step: int
    factor: int  # of the constant, for the comparison may have more places
    is_exact: bool
    is_below: bool  # what equals the constant is on its lower side

    def count_below(self, value: int) -> int:
        """Return how many of the values lie on the lower side of another constant."""
        reach = value * self.factor - self.low + (self.step if self.is_below else self.step - 1)
        return max(0, min(self.size, reach // self.step))

    @property
    def size(self) -> int:
        """How many values there are."""
        return (self.high - self.low) // self.step + 1

    def can_separate(self, now: int, value: int) -> bool:
        """Return whether another constant divides the values, and differently from now."""
        if self.is_exact:
            place, rest = divmod(value * self.factor - self.low, self.step)
            return not rest and 0 <= place < self.size > 1
        return 0 < self.count_below(value) < self.size and self.count_below(
            value
        ) != self.count_below(now)


def _iterate_uses(model: DomainModel, item: Constant) -> Iterator[_Use]:
    for node in (part for found in collect_deciding_expressions(model) for part in walk(found)):
        if isinstance(node, Compare):
            for side, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(side, Constant) and side.name == item.name:
                    yield _use(node, side, other, item)


def _use(node: Compare, side: Constant, other: Expression, item: Constant) -> _Use:
    low, high = other.type.bounds
    is_left = node.left is side
    is_number = isinstance(item.type, NumberType)
    places = require_number_type(side).places - require_number_type(item).places if is_number else 0
    step = 10**other.digits if isinstance(other, Rescale) else 1
    is_exact = node.relation in {Relation.EQ, Relation.NE}
    is_below = (node.relation in {Relation.LE, Relation.GT}) != is_left
    return _Use(low, high, step, 10**places, is_exact, is_below)


def _fits(item: Constant, value: int, uses: Iterable[_Use]) -> bool:
    now = require_integer(item.value)
    is_alike = value != now and (value * now > 0 or now == 0)
    return is_alike and all(use.can_separate(now, value) for use in uses)


def _with_value(item: Constant, value: int) -> Constant:
    if not isinstance(item.type, OrderedType):
        raise TypeError(f"{item.name} is no number and no day")
    return Constant(item.type.with_bounds(value, value), value, item.name)


def _iterate_value_rows(item: Constant) -> Iterator[list[int]]:
    """Return rows of values near a constant, the likeliest row first."""
    now = require_integer(item.value)
    if isinstance(item.type, MomentType):
        if _MARGIN < now < ANY_DAY.maximum - _MARGIN:
            yield [_add_months(now, months) for months in _MONTHS]
        yield [now + days for days in _DAYS if 0 < now + days <= ANY_DAY.maximum]
        return
    if isinstance(item.type, DurationType) and now % MINUTES_AN_HOUR == 0:
        hours = _iterate_round_rows(now // MINUTES_AN_HOUR)
        yield from ([value * MINUTES_AN_HOUR for value in row] for row in hours)
    yield from _iterate_round_rows(now)
    if now == 0:
        one = 10 ** require_number_type(item).places
        yield [-one, one]
    yield [now - 1, now + 1]


def _iterate_round_rows(now: int) -> Iterator[list[int]]:
    """Return the round values near a number, the roundest first: for 1440 they are 1200, 1600."""
    widest = abs(now) // _CLOSE
    for exponent in reversed(range(len(str(widest)) + 1)):
        for leading in (5, 2, 1):
            unit = leading * 10**exponent
            first = -((widest - now) // unit) * unit
            row = [value for value in range(first, now + widest + 1, unit) if value != now]
            if len(row) >= _LEAST_CHOICE:
                yield row


def _add_months(day: int, months: int) -> int:
    later = AddMonths(ANY_DAY, Constant(ANY_DAY, day), make_number_constant(months))
    return require_integer(evaluate(later, {}))
