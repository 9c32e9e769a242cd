"""Coverage goals: what the tasks of a dataset must exercise, each as a condition on rows.

A condition of the model is looked at where it is read: at the step that is reached, with the rules
or edges before it that did not hold. Each is asked for both ways; each comparison in it with
either result where that alone decides (masking MC/DC), and at its boundary with one unit to each
side, also where it is about the items of a list; each quotient that is rounded at a tie, and at
one with an odd result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from itertools import combinations

from sopforge.dataset.inner_places import InnerPlace, inner_places
from sopforge.dataset.ties import has_odd_result, tie
from sopforge.domain import numbers
from sopforge.domain.expressions import (
    Aggregate,
    AllOf,
    AnyOf,
    Choice,
    Compare,
    Element,
    Expression,
    Not,
    Operation,
    Presence,
    Quotient,
    Read,
    Relation,
    Span,
    in_order,
    parts,
)
from sopforge.domain.model import DomainModel
from sopforge.domain.numbers import TypeRuleError
from sopforge.domain.operators import FUNCTIONS
from sopforge.domain.rules import Formula, HitPolicy, Table
from sopforge.domain.types import DateTimeType, DateType, NumberType
from sopforge.logic.english import english
from sopforge.logic.tables import applies
from sopforge.solving.unfolding import (
    FALSE,
    TRUE,
    Moment,
    Unfolded,
    both,
    moments_of,
    negated,
    some,
)

SIDES = {-1: "one unit below", 0: "at", 1: "one unit above"}


class Kind(StrEnum):
    """What a goal is about."""

    RULE = "rule"
    PAIR = "pair of rules"
    WAY = "way"
    PAIR_OF_WAYS = "pair of ways"
    CHOICE = "choice"
    GUARD = "guard"
    PART = "part of a condition"
    BOUNDARY = "boundary"
    TIE = "tie"
    MUTANT = "mutant"


@dataclass(frozen=True, slots=True)
class Goal:
    """A thing that some task must show: the rows that show it, and what it is in words."""

    id: str
    condition: Expression
    words: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class _Site:
    """A condition of the model where it is read; ``earlier`` holds there as well.

    That a rule or a way ``is_taken`` is a goal of its own. ``inner`` is the place inside of a
    formula at which the condition stands.
    """

    id: str
    condition: Expression
    kind: Kind
    moments: Sequence[Moment]
    earlier: Expression = TRUE
    is_taken: bool = False
    inner: InnerPlace | None = None

    def meeting(self, wanted: Expression) -> Expression:
        """Return the rows on which the condition is read while ``wanted`` holds."""
        found = FALSE
        wanted = wanted if self.inner is None else self.inner.meeting(wanted)
        for moment in self.moments:
            here = both(moment.there(self.earlier), moment.there(wanted))
            found = some(found, both(moment.reached, here))
        return found


def goals_of(model: DomainModel, places: Sequence[Unfolded]) -> tuple[Goal, ...]:
    """Return all goals of a model, those of rules and ways first."""
    sites = list(_sites(model, places))
    found = [*_rule_goals(model, places), *_way_goals(places), *_edge_pair_goals(places)]
    found += _both_ways(sites)
    for site in sites:
        found += _site_goals(model, site)
    found += _formula_goals(model, places)
    unique = {goal.id: goal for goal in found}
    return tuple(goal for goal in unique.values() if goal.condition is not FALSE)


def _rule_goals(model: DomainModel, places: Sequence[Unfolded]) -> Iterator[Goal]:
    for target, decision in model.decisions.items():
        if not isinstance(decision, Table):
            continue
        for rule in decision.rules:
            name = f"rule {target}.{rule.id}"
            site = _Site(name, TRUE, Kind.RULE, moments_of(places, target))
            condition = site.meeting(applies(decision, rule) or TRUE)
            yield Goal(name, condition, f"rule {rule.id} of '{target}' applies", Kind.RULE)
        if decision.hit in {HitPolicy.ANY, HitPolicy.COLLECT}:
            yield from _pair_goals(decision, moments_of(places, target))


def _pair_goals(table: Table, moments: Sequence[Moment]) -> Iterator[Goal]:
    """Ask for two rules that apply together, where the hit policy lets them."""
    rules = [rule for rule in table.rules if rule.when is not None]
    for first, second in combinations(rules, 2):
        name = f"rules {table.target}.{first.id} and {second.id}"
        together = both(first.when or TRUE, second.when or TRUE)
        condition = _Site(name, TRUE, Kind.PAIR, moments).meeting(together)
        words = f"rules {first.id} and {second.id} of '{table.target}' apply together"
        yield Goal(name, condition, words, Kind.PAIR)


def _way_goals(places: Sequence[Unfolded]) -> Iterator[Goal]:
    found: dict[str, Expression] = {}
    for place in places:
        for way in place.ways:
            names = [way.edge.id, f"{way.edge.id}, used up"] if way.is_used_up else [way.edge.id]
            for name in names:
                found[name] = some(found.get(name, FALSE), way.condition)
    for name, condition in found.items():
        step, _, last = name.rpartition(".")
        words = f"way {last} out of step '{step}' is taken"
        yield Goal(f"edge {name}", condition, words, Kind.WAY)


def _edge_pair_goals(places: Sequence[Unfolded]) -> Iterator[Goal]:
    """Ask for each way into a step with each way out of it, where there are several of both."""
    found: dict[tuple[str, str], Expression] = {}
    for place in places:
        for edge, arrival in place.arrivals if len(place.arrivals) > 1 else ():
            for way in place.ways if len(place.ways) > 1 else ():
                pair = edge, way.edge.id
                found[pair] = some(found.get(pair, FALSE), both(arrival, way.condition))
    for (first, second), condition in found.items():
        words = f"a case comes by way {first} and goes by way {second}"
        yield Goal(f"edges {first} and {second}", condition, words, Kind.PAIR_OF_WAYS)


def _sites(model: DomainModel, places: Sequence[Unfolded]) -> Iterator[_Site]:
    for target, decision in model.decisions.items():
        if isinstance(decision, Formula):
            yield from _formula_sites(target, decision, _worked_out(places, target))
        else:
            yield from _table_sites(target, decision, moments_of(places, target))
    for step in model.steps.values():
        after = [Moment(place.passed, place.after) for place in places if place.step is step]
        earlier: Expression = TRUE
        for edge in step.edges:
            if edge.when is not None:
                name = f"edge {edge.id}"
                yield _Site(name, edge.when, Kind.WAY, after, earlier, is_taken=True)
                earlier = both(earlier, negated(edge.when))
    guards: dict[str, _Site] = {}
    for place in places:
        for check in place.checks:
            name = f"guard {place.step.call}.{check.leaf.id}"
            known = guards.get(name, _Site(name, check.leaf.test, Kind.GUARD, ()))
            guards[name] = replace(known, moments=(*known.moments, check.moment))
    yield from guards.values()


def _formula_sites(target: str, formula: Formula, moments: Sequence[Moment]) -> Iterator[_Site]:
    for number, (place, node) in enumerate(_choices(formula), start=1):
        name = f"choice {target}.{number}"
        yield _Site(name, node.condition, Kind.CHOICE, moments, inner=place)


def _choices(formula: Formula) -> list[tuple[InnerPlace, Choice]]:
    inner = inner_places(formula.value)
    return [(place, place.node) for place in inner if isinstance(place.node, Choice)]


def _table_sites(target: str, table: Table, moments: Sequence[Moment]) -> Iterator[_Site]:
    earlier: Expression = TRUE
    for rule in table.rules:
        if rule.when is not None:
            name = f"rule {target}.{rule.id}"
            yield _Site(name, rule.when, Kind.RULE, moments, earlier, is_taken=True)
            if table.hit is HitPolicy.FIRST:
                earlier = both(earlier, negated(rule.when))


def _both_ways(sites: Iterable[_Site]) -> Iterator[Goal]:
    for site in sites:
        fails = site.meeting(negated(site.condition))
        yield Goal(f"{site.id}, no", fails, f"{site.id} does not hold", site.kind)
        if not site.is_taken:
            holds = site.meeting(site.condition)
            yield Goal(f"{site.id}, yes", holds, f"{site.id} holds", site.kind)


def _site_goals(model: DomainModel, site: _Site) -> Iterator[Goal]:
    atoms = list(_atoms(site.condition))
    for number, atom in enumerate(atoms, start=1):
        words = english(atom, model.fields)
        if len(atoms) > 1 or isinstance(atom, Presence):
            yield from _deciding(site, number, atom, words)
        yield from _boundaries(model, site, number, atom, words)
    if site.inner is None:  # else the formula that it stands in is asked as a whole
        yield from _item_goals(model, site, inner_places(site.condition))


def _deciding(site: _Site, number: int, atom: Expression, words: str) -> Iterator[Goal]:
    """Ask for both results of a part where it alone decides the whole."""
    yes, no = (_with(site.condition, atom, value) for value in (TRUE, FALSE))
    decides = AnyOf((AllOf((yes, Not(no))), AllOf((Not(yes), no))))
    # What is read behind a test for a missing value has none where the test fails.
    alone: Expression = TRUE if isinstance(atom, Presence) else decides
    for name, side in (("yes", atom), ("no", negated(atom))):
        told = f"in {site.id}, '{words}' alone decides: {name}"
        meeting = site.meeting(both(alone, side))
        yield Goal(f"{site.id}, part {number} {name}", meeting, told, Kind.PART)


def _boundaries(
    model: DomainModel, site: _Site, number: int, atom: Expression, words: str
) -> Iterator[Goal]:
    there = _present(model, atom)
    for side, where in SIDES.items():
        beside = _beside(atom, side)
        if beside is not None:
            told = f"in {site.id}, {where} the boundary of '{words}'"
            name = f"{site.id}, part {number} at {side:+d}"
            yield Goal(name, site.meeting(both(there, beside)), told, Kind.BOUNDARY)


def _beside(atom: Expression, side: int) -> Expression | None:
    """Return the condition that the sides of a comparison differ by so many units.

    There is none where the ranges of the two sides alone say that they never do.
    """
    match atom:
        case Compare(_, left, right) if isinstance(left.type, NumberType):
            places = numbers.number_type(left).places
            try:
                moved = numbers.arithmetic(Operation.ADD, right, numbers.constant(side, places))
                return _equal(*numbers.aligned((left, moved)))
            except TypeRuleError:
                return None
        case Compare(_, left, right) if isinstance(left.type, DateType | DateTimeType):
            span = Span.DAYS if isinstance(left.type, DateType) else Span.MINUTES
            return _equal(FUNCTIONS[f"{span}_between"].build(right, left), numbers.constant(side))
        case _:
            return None


def _equal(left: Expression, right: Expression) -> Expression | None:
    first, second = numbers.number_type(left), numbers.number_type(right)
    is_apart = first.maximum < second.minimum or second.maximum < first.minimum
    return None if is_apart else Compare(Relation.EQ, left, right)


def _item_goals(model: DomainModel, site: _Site, places: Iterable[InnerPlace]) -> Iterator[Goal]:
    """Ask for a list with an item beside the boundary of each comparison of items."""
    compared = [place for place in places if _is_about_an_item(place.node)]
    for number, place in enumerate(compared, start=1):
        there = _present(model, place.node)
        words = english(place.node, model.fields)
        for side, where in SIDES.items():
            beside = _beside(place.node, side)
            if beside is not None:
                told = f"in {site.id}, for an entry {where} the boundary of '{words}'"
                name = f"{site.id}, item part {number} at {side:+d}"
                wanted = both(there, place.meeting(beside))
                yield Goal(name, site.meeting(wanted), told, Kind.BOUNDARY)


def _is_about_an_item(node: Expression) -> bool:
    return isinstance(node, Compare) and any(isinstance(part, Element) for part in in_order([node]))


def _formula_goals(model: DomainModel, places: Sequence[Unfolded]) -> Iterator[Goal]:
    for target, decision in model.decisions.items():
        if isinstance(decision, Formula):
            moments = _worked_out(places, target)
            yield from _tie_goals(model, _Site(f"tie {target}", TRUE, Kind.TIE, moments), decision)
            site = _Site(f"formula {target}", TRUE, Kind.BOUNDARY, moments)
            yield from _item_goals(model, site, _unasked(decision))


def _unasked(formula: Formula) -> list[InnerPlace]:
    """Return the places of a formula but for the parts of its choices, which are sites."""
    asked = {id(atom) for _, node in _choices(formula) for atom in _atoms(node.condition)}
    return [place for place in inner_places(formula.value) if id(place.node) not in asked]


def _tie_goals(model: DomainModel, site: _Site, formula: Formula) -> Iterator[Goal]:
    """Ask for a half that is rounded, and for one with a result that tells to where."""
    inner = inner_places(formula.value)
    found = [(place, place.node) for place in inner if isinstance(place.node, Quotient)]
    for number, (place, node) in enumerate(found, start=1):
        half = tie(node)
        if half is None:
            continue
        there = _present(model, node)
        odd = AllOf((half, has_odd_result(node)))
        told = f"a half is rounded in '{site.id.removeprefix('tie ')}'"
        for name, wanted, words in (("", half, told), (" odd", odd, f"{told}, to an odd result")):
            met = site.meeting(both(there, place.meeting(wanted)))
            yield Goal(f"{site.id}.{number}{name}", met, words, Kind.TIE)


def _worked_out(places: Iterable[Unfolded], target: str) -> list[Moment]:
    """Return the moments at which a formula is worked out, by the agent or by a tool."""
    found = [{**place.worked_out, **place.moments}.get(target) for place in places]
    return [moment for moment in found if moment is not None]


def _atoms(condition: Expression) -> Iterator[Expression]:
    """Return the parts of a condition that are neither and, or nor not."""
    match condition:
        case AllOf() | AnyOf():
            for operand in condition.operands:
                yield from _atoms(operand)
        case Not():
            yield from _atoms(condition.operand)
        case _:
            yield condition


def _with(condition: Expression, atom: Expression, value: Expression) -> Expression:
    """Return a condition with another one in the place of a part."""
    if condition is atom:
        return value
    match condition:
        case AllOf() | AnyOf():
            changed = tuple(_with(operand, atom, value) for operand in condition.operands)
            return replace(condition, operands=changed)
        case Not():
            return negated(_with(condition.operand, atom, value))
        case _:
            return condition


def _present(model: DomainModel, node: Expression) -> Expression:
    """Return the condition that all that an expression reads is there."""
    read = {part.field for part in parts(node) if isinstance(part, Read)}
    read |= {part.list for part in parts(node) if isinstance(part, Aggregate | Element)}
    missing: Mapping[str, str] = {
        name: item.missing for name, item in model.fields.items() if item.missing
    }
    tests: list[Expression] = [Presence(name) for name in sorted(read & set(missing))]
    return reduce(both, tests, TRUE)
