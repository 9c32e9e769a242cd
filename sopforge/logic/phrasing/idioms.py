"""What people say in one phrase and the tree holds in several nodes.

Signs, roundings, averages, bounds, members of one set, and what entries of lists have. How far
apart dates lie, and shares of a hundred, have modules of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from sopforge.domain.language.expressions import (
    Aggregate,
    AggregateFunction,
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Contains,
    Elapsed,
    Element,
    Expression,
    Extreme,
    Not,
    OneOf,
    Operation,
    Outermost,
    Quotient,
    Read,
    Relation,
    Rescale,
    Size,
    Subset,
    Workdays,
    list_children,
    may_be_missing,
)
from sopforge.domain.values.types import (
    BOOLEAN,
    BooleanType,
    DateType,
    EnumType,
    NumberType,
    require_integer,
)
from sopforge.logic.phrasing.distances import (
    Distance,
    find_distance,
    find_order,
    find_ordered_distance,
)
from sopforge.logic.phrasing.shares import find_compared_share, find_share

_LIMITS = 2
_HUNDRED = 100
_LOWER = {Relation.GT, Relation.GE}
_FACTS: TypeAlias = Compare | OneOf | Contains | Among | Subset


@dataclass(frozen=True, slots=True)
class Mean:
    """A rounded average over the items of a list, with the answer where there is none."""

    total: Aggregate
    places: int
    default: Expression


@dataclass(frozen=True, slots=True)
class Branch:
    """A value of a choice, and the condition under which it is taken."""

    then: Expression
    condition: Expression
    goes_on: bool
    """Whether the condition is about the label that the one before it is about, and excludes it."""


def unwrap_node(node: Expression) -> Expression:
    """Return what has words: a scale has none, and two negations say nothing."""
    match node:
        case Rescale():
            return unwrap_node(node.operand)
        case Not(operand=Not(operand=inner)):
            return unwrap_node(inner)
        case _:
            return node


def find_negated(node: Expression) -> Expression | None:
    """Return the number that stands after a sign, None if there is no sign."""
    match node:
        case Arithmetic(_, Operation.SUBTRACT, left, right) if is_plain_number(left, 0):
            return right
        case _:
            return None


def find_rounded(node: Quotient) -> Expression | None:
    """Return the number that is only rounded, None if it is divided too."""
    return node.left if is_plain_number(node.right, 1) else None


def find_mean(node: Choice) -> Mean | None:
    """Return the average that a choice stands for, None if it is another choice."""
    match node.condition, unwrap_node(node.otherwise):
        # The language divides by max(count, 1), so that no divisor is 0; the choice keeps the 1
        # from ever mattering.
        case (
            Compare(Relation.EQ, Aggregate(function=AggregateFunction.COUNT) as count, zero),
            Quotient(left=Aggregate(function=AggregateFunction.SUM) as total) as quotient,
        ) if is_plain_number(zero, 0) and _is_at_least_one(quotient.right, count):
            # A sum over other entries than those that are counted is no average of either.
            is_same = (count.list, count.where) == (total.list, total.where)
            return Mean(total, quotient.type.places, node.then) if is_same else None
        case _:
            return None


def flatten_group(group: AllOf | AnyOf) -> list[Expression]:
    """Return the conditions of a group, with those of groups of its own kind in it."""
    found: list[Expression] = []
    for part in group.operands:
        inner = unwrap_node(part)
        if isinstance(inner, AllOf | AnyOf) and type(inner) is type(group):
            found += flatten_group(inner)
        else:
            found.append(part)
    return found


def list_runs(group: AllOf | AnyOf) -> list[list[Expression]]:
    """Return the conditions of a group; neighbours that one phrase says stand together.

    These ask for members of one set, for a day of a period, or how far apart two days lie and in
    which order.
    """
    found: list[list[Expression]] = []
    for part in flatten_group(group):
        if found and any(
            is_said_with(found[-1], part, group)
            for is_said_with in (_is_alike, _is_order, _is_period)
        ):
            found[-1].append(part)
        else:
            found.append([part])
    return found


def _is_alike(run: Sequence[Expression], second: Expression, _group: AllOf | AnyOf) -> bool:
    """Return whether one verb says what both ask of a set."""
    first = run[0]
    one, other = find_membership(first), find_membership(second)
    if one is None or other is None or unwrap_node(one.operand) != unwrap_node(other.operand):
        return False
    return isinstance(unwrap_node(first), Not) == isinstance(unwrap_node(second), Not)


def find_run_distance(run: Sequence[Expression]) -> Distance | None:
    """Return the distance of two days that conditions of a group state with their order."""
    if len(run) != _LIMITS:
        return None
    return find_ordered_distance(*map(unwrap_node, run))


def find_period(run: Sequence[Expression]) -> tuple[Compare, Compare] | None:
    """Return the first and the last day that two conditions allow a day, None for others."""
    tests = [inner for part in run if isinstance(inner := unwrap_node(part), Compare)]
    if len(tests) != len(run) or len(tests) != _LIMITS:
        return None
    first, last = tests
    is_one = unwrap_node(first.left) == unwrap_node(last.left)
    is_day = isinstance(first.left.type, DateType) and isinstance(
        unwrap_node(first.left), Read | Element
    )
    are_days = isinstance(first.right, Constant) and isinstance(last.right, Constant)
    relations = (first.relation, last.relation)
    is_period = is_one and is_day and are_days and relations == (Relation.GE, Relation.LE)
    return (first, last) if is_period else None


def _is_period(run: Sequence[Expression], part: Expression, group: AllOf | AnyOf) -> bool:
    return isinstance(group, AllOf) and find_period([*run, part]) is not None


def _is_order(run: Sequence[Expression], part: Expression, group: AllOf | AnyOf) -> bool:
    return isinstance(group, AllOf) and find_run_distance([*run, part]) is not None


def find_range(group: AllOf | AnyOf) -> tuple[Compare, Compare] | None:
    """Return two limits of one number that are all that a group asks, None for another group."""
    tests = [inner for part in group.operands if isinstance(inner := unwrap_node(part), Compare)]
    if len(tests) != len(group.operands) or len(tests) != _LIMITS:
        return None
    first, second = tests
    is_one = unwrap_node(first.left) == unwrap_node(second.left)
    is_limit = all(map(_is_plain_limit, tests))
    # Of one kind, as "more than 5 or more than 7", they are no two ends.
    is_range = {test.relation in _LOWER for test in tests} == {True, False}
    return (first, second) if is_one and is_limit and is_range else None


def _is_plain_limit(test: Compare) -> bool:
    """Return whether a number of its own name is compared with a figure, at most or at least."""
    is_ordered = test.relation not in {Relation.EQ, Relation.NE}
    is_plain = isinstance(unwrap_node(test.left), Read | Element)
    is_number = isinstance(test.left.type, NumberType) and isinstance(test.right, Constant)
    return is_ordered and is_plain and is_number


def find_membership(condition: Expression) -> Contains | None:
    """Return the membership that a condition asks for or excludes, None for others."""
    inner = unwrap_node(condition)
    subject = unwrap_node(inner.operand) if isinstance(inner, Not) else inner
    return subject if isinstance(subject, Contains) else None


def list_entry_facts(condition: Expression) -> list[Expression]:
    """Return the facts about a list's item, each beginning with one of its fields; none else."""
    inner = unwrap_node(condition)
    parts = flatten_group(inner) if isinstance(inner, AllOf) else [condition]
    return parts if all(map(_has_leading_part, parts)) else []


def list_entry_answers(condition: Expression) -> list[Expression]:
    """Return the facts about a list's item as above, or its yes/no fields; none else."""
    inner = unwrap_node(condition)
    parts = flatten_group(inner) if isinstance(inner, AllOf) else [condition]
    return parts if all(map(is_answer_of_entry, parts)) else []


def is_answer_of_entry(condition: Expression) -> bool:
    """Return whether a condition begins with a field of a list's item, or is a yes/no one."""
    inner = unwrap_node(condition)
    answer = unwrap_node(inner.operand) if isinstance(inner, Not) else inner
    is_answer = isinstance(answer, Element) and isinstance(answer.type, BooleanType)
    return is_answer or _has_leading_part(condition)


def put_entry_first(test: Compare) -> Compare:
    """Return a comparison with what an entry has on the left, or with a figure on the right."""
    left, right = unwrap_node(test.left), unwrap_node(test.right)
    is_entry = isinstance(right, Element) and isinstance(left, Read | Constant)
    is_figure = isinstance(left, Constant) and isinstance(right, Read)
    return Compare(test.relation.mirrored, test.right, test.left) if is_entry or is_figure else test


def _has_leading_part(condition: Expression) -> bool:
    match unwrap_node(condition):
        case Compare() as test:
            distance = find_distance(test)
            subject = (
                distance.subject if distance else put_entry_first(find_order(test) or test).left
            )
            return isinstance(unwrap_node(subject), Element)
        case OneOf(operand=subject) | Contains(operand=subject) | Among(operand=subject):
            return isinstance(unwrap_node(subject), Element)
        case Subset(left=subject, right=Constant()):
            return isinstance(unwrap_node(subject), Element)
        case Not(operand=denied) if isinstance(unwrap_node(denied), _FACTS):
            return _has_leading_part(denied)
        case _:
            return False


@dataclass(frozen=True, slots=True)
class Held:
    """How many entries of a list meet a condition: more than so many, or at most, and so on."""

    entries: Aggregate
    where: Expression
    number: Constant


def find_held_entries(test: Compare) -> Held | None:
    """Return the entries of which a comparison says how many a list holds, None for others."""
    match unwrap_node(test.left), unwrap_node(test.right):
        case Aggregate(
            function=AggregateFunction.COUNT, where=where
        ) as count, Constant() as number if where:
            return Held(count, where, number) if test.relation is not Relation.NE else None
        case _:
            return None


_REACHING = {
    AggregateFunction.MAXIMUM: {Relation.GE, Relation.GT},
    AggregateFunction.MINIMUM: {Relation.LE, Relation.LT},
}


def find_reached(test: Compare) -> tuple[Aggregate, bool] | None:
    """Return the entries that a limit of the largest or smallest one is of, and if there is one.

    The largest is at least 5 where there is an entry of at least 5; what stands for no entry must
    lie on the side of none.
    """
    extreme, limit = test.left, test.right
    if not isinstance(extreme, Aggregate) or not isinstance(limit, Constant):
        return None
    default, value = extreme.default, extreme.value
    reaching = _REACHING.get(extreme.function)
    if reaching is None or value is None or not isinstance(default, Constant):
        return None
    is_some = test.relation in reaching
    relation = test.relation if is_some else test.relation.opposite
    if relation not in reaching or not isinstance(unwrap_node(value), Element):
        return None
    if default.type != limit.type and _get_places(default) != _get_places(limit):
        return None
    if _holds(relation, default, limit):
        return None
    reached = Compare(relation, value, limit)
    entries = replace(
        extreme, type=BOOLEAN, function=AggregateFunction.ANY, value=reached, default=None
    )
    return entries, is_some


def _get_places(node: Expression) -> int:
    return node.type.places if isinstance(node.type, NumberType) else 0


def _holds(relation: Relation, left: Constant, right: Constant) -> bool:
    first, second = require_integer(left.value), require_integer(right.value)
    return {
        Relation.GE: first >= second,
        Relation.GT: first > second,
        Relation.LE: first <= second,
        Relation.LT: first < second,
    }[relation]


def find_doubled(node: Arithmetic) -> Expression | None:
    """Return the number that a product is twice as much as, None for another product."""
    if node.operation is not Operation.MULTIPLY:
        return None
    for two, other in ((node.left, node.right), (node.right, node.left)):
        inner = unwrap_node(two)
        is_plain = isinstance(inner, Constant) and not inner.name and is_plain_number(inner, 2)
        whole = unwrap_node(other)
        # "twice 2 times" would double what is doubled, and of a product only the first factor.
        if is_plain and not (isinstance(whole, Arithmetic) and whole.operation is node.operation):
            return other
    return None


def find_counted_more(node: Arithmetic) -> tuple[Expression, int] | None:
    """Return a number of days or minutes, and how many more are meant; None for another sum."""
    left, right = unwrap_node(node.left), unwrap_node(node.right)
    sign = {Operation.ADD: 1, Operation.SUBTRACT: -1}.get(node.operation, 0)
    is_counted = isinstance(left, Elapsed | Workdays) and sign != 0
    if not is_counted or not isinstance(right, Constant) or right.name:
        return None
    is_whole = isinstance(right.type, NumberType) and not right.type.places
    count = require_integer(right.value) if is_whole else 0
    return (left, sign * count) if count > 0 else None


def is_amount(node: Expression) -> bool:
    """Return whether a number is written."""
    inner = unwrap_node(node)
    return isinstance(inner, Constant) and isinstance(inner.type, NumberType)


def find_bound(node: Outermost) -> tuple[Expression, Constant] | None:
    """Return the number that is at most or at least a constant, None for other extremes."""
    first, *others = node.operands
    limit = unwrap_node(others[-1]) if len(others) == 1 else None
    is_bound = isinstance(limit, Constant) and not isinstance(unwrap_node(first), Constant)
    return (first, limit) if is_bound and isinstance(limit, Constant) else None


def find_plain_bound(node: Outermost) -> tuple[Expression, Expression] | None:
    """Return the number that is at most or at least another, which is named or written.

    The number itself is worked out: of two that are named, neither bounds the other.
    """
    bounded = find_bound(node)
    first, *others = node.operands
    if bounded is not None or len(others) != 1:
        return bounded
    for number, limit in ((first, others[0]), (others[0], first)):
        if _is_worked_out(number) and _is_named_or_doubled(limit):
            return number, limit
    return None


def _is_worked_out(node: Expression) -> bool:
    is_word = isinstance(unwrap_node(node), Constant | Read | Element)
    return not is_word and not _is_named_or_doubled(node)


def _is_named_or_doubled(node: Expression) -> bool:
    inner = unwrap_node(node)
    doubled = find_doubled(inner) if isinstance(inner, Arithmetic) else None
    return isinstance(inner, Read) or (doubled is not None and is_amount(doubled))


def split_branches(node: Choice) -> tuple[list[Branch], Expression]:
    """Return the values of a choice with their conditions, and what is left for all others."""
    found: list[Branch] = []
    labels: dict[str, frozenset[object]] = {}
    rest: Expression = node
    while isinstance(inner := unwrap_node(rest), Choice) and find_mean(inner) is None:
        field, options = _find_asked_labels(inner.condition)
        # A label after labels would read as one of them: "is "a", "b" if it is "c"".
        is_distinct = isinstance(inner.then.type, NumberType) and not may_be_missing(inner.then)
        goes_on = is_distinct and field in labels and not labels[field] & options
        labels = {field: options | labels[field] if goes_on else options} if field else {}
        found.append(Branch(inner.then, inner.condition, goes_on))
        rest = inner.otherwise
    return found, rest


def _find_asked_labels(condition: Expression) -> tuple[str, frozenset[object]]:
    """Return the field of labels that a condition asks for some of, and those labels."""
    match unwrap_node(condition):
        case Compare(Relation.EQ, Read(EnumType(), field), Constant(_, value)):
            return field, frozenset([value])
        case OneOf(Read(EnumType(), field), options):
            return field, frozenset(option.value for option in options)
        case _:
            return "", frozenset()


def walk_spoken(node: Expression) -> Iterator[Expression]:
    """Return the expression and all its descendants that have words, parents first."""
    yield node
    for child in list_spoken_children(node):
        yield from walk_spoken(child)


def list_spoken_children(node: Expression) -> tuple[Expression, ...]:
    """Return the operands that have words, left to right."""
    negated = find_negated(node)
    if negated is not None:
        return (negated,)
    only = find_rounded(node) if isinstance(node, Quotient) else None
    if only is not None:
        return (only,)
    share = _find_spoken_share(node)
    if share:
        return share
    average = find_mean(node) if isinstance(node, Choice) else None
    if average is None:
        return list_children(node)
    condition = find_percentage(average)
    return (average.total, average.default) if condition is None else (condition, average.default)


def find_percentage(average: Mean) -> Expression | None:
    """Return the condition on the items whose percentage an average is, None for another average.

    A percentage is the average of a hundred for each of these items, and of zero for the others.
    """
    value = average.total.value
    inner = unwrap_node(value) if value is not None else None
    if average.total.where is not None or not isinstance(inner, Choice):
        return None
    figures = [unwrap_node(part) for part in (inner.then, inner.otherwise)]
    is_percentage = is_plain_number(figures[0], _HUNDRED) and is_plain_number(figures[1], 0)
    return inner.condition if is_percentage else None


def _find_spoken_share(node: Expression) -> tuple[Expression, ...]:
    """Return the parts of a share of a hundred, which has no word for the hundred."""
    if isinstance(node, Quotient):
        share = find_share(node)
        return () if share is None else (share.whole, share.percent)
    compared = find_compared_share(node) if isinstance(node, Compare) else None
    return () if compared is None else (compared.part, compared.share.whole, compared.share.percent)


def is_count(node: Expression) -> bool:
    """Return whether a number counts what its words name, so that it has no unit besides."""
    match unwrap_node(node):
        case Elapsed() | Workdays() | Size() | Aggregate(function=AggregateFunction.COUNT):
            return True
        case _:
            return False


def is_plain_number(node: Expression, number: int) -> bool:
    """Return whether a node is this number, written out or added by the language."""
    inner = unwrap_node(node)
    if not isinstance(inner, Constant) or inner.name or not isinstance(inner.type, NumberType):
        return False
    factor: int = 10**inner.type.places
    return inner.value == number * factor


def _is_at_least_one(node: Expression, count: Expression) -> bool:
    match unwrap_node(node):
        case Outermost(_, Extreme.MAXIMUM, (first, second)):
            return unwrap_node(first) == count and is_plain_number(second, 1)
        case _:
            return False
