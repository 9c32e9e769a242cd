"""Coverage goals: what the tasks of a dataset must exercise, and the mistakes they guard against.

A condition of the model is looked at where it is read: at the step that is reached, with the rules
or edges before it that did not hold. Each is asked for with both results; each comparison in it
with either result where that alone decides (masking MC/DC), and at its boundary with the nearest
possible value to each side, also where it is about the items of a list; each quotient that is
rounded at a tie, and at one with an odd result. A case shows a goal only where a model with the
mistake that the goal guards against, such as the opposite decision at a boundary, answers
differently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial, reduce
from itertools import combinations

from sopforge.dataset.coverage.inner_places import InnerPlace, list_inner_places
from sopforge.dataset.coverage.least_gaps import compute_least_gap
from sopforge.dataset.mutants.about import About
from sopforge.dataset.mutants.mistakes import name_edge
from sopforge.dataset.mutants.mutants import (
    Mutant,
    list_other_bounds,
    list_other_results,
    list_other_targets,
)
from sopforge.dataset.mutants.ties import (
    build_odd_tie_condition,
    build_tie_condition,
    move_towards_zero,
)
from sopforge.domain.language import numbers
from sopforge.domain.language.expressions import (
    Aggregate,
    AllOf,
    AnyOf,
    Choice,
    Compare,
    Constant,
    Element,
    Expression,
    Not,
    Operation,
    Presence,
    Quotient,
    Read,
    Relation,
    Span,
    iterate_parts,
    list_ordered_parts,
)
from sopforge.domain.language.numbers import TypeRuleError
from sopforge.domain.language.operators import FUNCTIONS
from sopforge.domain.model import DomainModel, Edge, Step
from sopforge.domain.rules import Formula, HitPolicy, Rule, Table
from sopforge.domain.values.types import DateTimeType, DateType, NumberType, TextType, get_bounds
from sopforge.logic.english import phrase_expression
from sopforge.logic.tables import build_rule_condition
from sopforge.logic.variants.slots import Put, Slot, SlotKind, collect_slots, with_edge
from sopforge.logic.variants.substitution import replace_part
from sopforge.solving.unfolding import (
    FALSE,
    TRUE,
    Moment,
    Unfolded,
    build_conjunction,
    build_disjunction,
    find_decision_moments,
    negate_condition,
)

SIDES = {-1: "just below", 0: "at", 1: "just above"}


class Kind(StrEnum):
    """What a goal is about."""

    RULE = "rule"
    PAIR = "pair of rules"
    EDGE = "edge"
    PAIR_OF_EDGES = "pair of edges"
    CHOICE = "choice"
    GUARD = "guard"
    PART = "part of a condition"
    BOUNDARY = "boundary"
    TIE = "tie"
    MUTANT = "mutant"


@dataclass(frozen=True, slots=True)
class Goal:
    """A thing that some task must show: the rows on which it occurs, and what it is in words.

    A row shows it where one of the ``wrong`` models, each with the mistake that the goal guards
    against, gives another answer. A mutant occurs on every row. ``gap`` is, for a value beside a
    boundary, how far it lies from it, to be made as small as can be where ``condition`` never
    holds. ``about`` says what a mutant's mistake is about.
    """

    id: str
    condition: Expression
    words: str
    kind: Kind
    wrong: tuple[DomainModel, ...]
    gap: Gap | None = None
    about: About | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """How far one side of a comparison lies above the other, on one side of its boundary.

    ``meeting`` turns a condition on the gap into one on rows, ``deciding`` returns the model that
    reverses the comparison where such a condition holds, and ``least`` is the smallest
    gap that the scales of the two sides leave, in units of their places.
    """

    size: Expression
    least: int
    meeting: Callable[[Expression], Expression]
    deciding: Put

    def build_row_condition(self, most: int) -> Expression:
        """Return the rows on which the gap is from one unit to so many."""
        return self.meeting(self.build_gap_condition(most))

    def build_gap_condition(self, most: int) -> Expression:
        """Return the condition that the gap is from one unit to so many, where it is looked at."""
        low = Compare(Relation.GE, self.size, _make_constant_like(self.size, 1))
        return build_conjunction(
            low, Compare(Relation.LE, self.size, _make_constant_like(self.size, most))
        )


def move_to_nearest(goal: Goal, most: int) -> Goal:
    """Return a goal beside a boundary that asks for a gap of up to so many units, the least one.

    Its mistake, too, is to reverse the decision on such a value.
    """
    if goal.gap is None:
        return goal
    wrong = goal.gap.deciding(goal.gap.build_gap_condition(most))
    return replace(goal, condition=goal.gap.build_row_condition(most), wrong=(wrong,))


@dataclass(frozen=True, slots=True)
class _Site:
    """A condition, or a value, of the model where it is read; ``earlier`` holds there as well.

    That a rule or an edge ``is_taken`` is a goal of its own. ``inner`` is the place inside of a
    formula at which the condition stands, and ``put`` returns the model with another condition in
    its place.
    """

    id: str
    condition: Expression
    kind: Kind
    moments: Sequence[Moment]
    put: Put
    earlier: Expression = TRUE
    is_taken: bool = False
    inner: InnerPlace | None = None

    def build_meeting_condition(self, wanted: Expression) -> Expression:
        """Return the rows on which the condition is read while ``wanted`` holds."""
        found = FALSE
        wanted = wanted if self.inner is None else self.inner.build_condition(wanted)
        for moment in self.moments:
            here = build_conjunction(
                moment.resolve_expression(self.earlier), moment.resolve_expression(wanted)
            )
            found = build_disjunction(found, build_conjunction(moment.reached, here))
        return found


def collect_goals(model: DomainModel, places: Sequence[Unfolded]) -> tuple[Goal, ...]:
    """Return all goals of a model, those of rules and edges first."""
    slots = collect_slots(model)
    sites = list(_iterate_sites(model, places, slots))
    found = [
        *_build_rule_goals(model, places, slots),
        *_build_edge_goals(model, places),
        *_build_edge_pair_goals(model, places),
    ]
    found += _build_yes_no_goals(sites)
    for site in sites:
        found += _build_site_goals(model, site)
    found += _build_rounding_goals(model, places, slots)
    found += _build_formula_item_goals(model, places, slots)
    unique = {goal.id: goal for goal in found}
    # Where the shape of the procedure alone rules a goal out, there is nothing to prove.
    return tuple(goal for goal in unique.values() if goal.condition is not FALSE)


def make_mutant_goals(mutants: Iterable[Mutant]) -> Iterator[Goal]:
    """Return each mutant as a goal: the cases to which it and the model give other answers."""
    for mutant in mutants:
        yield Goal(mutant.id, TRUE, mutant.words, Kind.MUTANT, (mutant.model,), about=mutant.about)


def _build_rule_goals(
    model: DomainModel, places: Sequence[Unfolded], slots: Mapping[str, Slot]
) -> Iterator[Goal]:
    """Ask for each rule where it applies: its result is seen, or what comes of doing without it."""
    for target, decision in model.decisions.items():
        if not isinstance(decision, Table):
            continue
        moments = find_decision_moments(places, target)
        for rule in decision.rules:
            name, result = f"rule {target}.{rule.id}", slots[f"result {target}.{rule.id}"]
            wrong = [result.put(other) for other in _list_wrong_results(rule)]
            if rule.when is not None:
                wrong.append(slots[name].put(FALSE))
            condition = _build_meeting_condition(
                moments, build_rule_condition(decision, rule) or TRUE
            )
            words = f"rule {rule.id} of '{target}' applies"
            yield Goal(name, condition, words, Kind.RULE, tuple(wrong))
        if decision.hit in {HitPolicy.ANY, HitPolicy.COLLECT}:
            yield from _build_pair_goals(decision, moments, slots)


def _list_wrong_results(rule: Rule) -> Sequence[Constant]:
    """Return other results of a rule: where it has a formula, two of which one is another."""
    kind = rule.then.type
    if isinstance(rule.then, Constant):
        return list_other_results(rule)
    if isinstance(kind, TextType):
        return [Constant(kind, "")]
    # Whatever a formula gives, one of the two ends of its range is something else.
    return [Constant(kind, value) for value in dict.fromkeys(get_bounds(kind))]


def _build_pair_goals(
    table: Table, moments: Sequence[Moment], slots: Mapping[str, Slot]
) -> Iterator[Goal]:
    """Ask for two rules that apply together, where the hit policy lets them.

    Of rules that are collected, the mistake is to leave one of them out where the other applies; of
    rules that agree, that the first one has another result.
    """
    rules = [rule for rule in table.rules if rule.when is not None]
    for first, second in combinations(rules, 2):
        name, target = f"rules {table.target}.{first.id} and {second.id}", table.target
        one, two = first.when or TRUE, second.when or TRUE
        if table.hit is HitPolicy.COLLECT:
            wrong = [
                slots[f"rule {target}.{second.id}"].put(
                    build_conjunction(two, negate_condition(one))
                )
            ]
        else:
            result = slots[f"result {target}.{first.id}"]
            wrong = [result.put(other) for other in _list_wrong_results(first)]
        words = f"rules {first.id} and {second.id} of '{target}' apply together"
        yield Goal(
            name,
            _build_meeting_condition(moments, build_conjunction(one, two)),
            words,
            Kind.PAIR,
            tuple(wrong),
        )


def _build_edge_goals(model: DomainModel, places: Sequence[Unfolded]) -> Iterator[Goal]:
    """Ask for each edge where there are others: the mistake is to go elsewhere."""
    found: dict[tuple[str, bool], tuple[Step, Edge, Expression]] = {}
    for place in places:
        for transition in place.transitions if len(place.transitions) > 1 else ():
            # A used-up edge is taken as well, and is a goal of its own besides.
            for is_used_up in {False, transition.is_used_up}:
                key = transition.edge.id, is_used_up
                _, _, known = found.get(key, (place.step, transition.edge, FALSE))
                found[key] = (
                    place.step,
                    transition.edge,
                    build_disjunction(known, transition.condition),
                )
    for (name, is_used_up), (step, edge, condition) in found.items():
        words = f"{name_edge(edge)} is taken"
        last = ", used up" if is_used_up else ""
        wrong = _without_edge(model, step, edge, is_used_up=is_used_up)
        yield Goal(f"edge {name}{last}", condition, f"{words}{last}", Kind.EDGE, wrong)


def _without_edge(
    model: DomainModel, step: Step, edge: Edge, *, is_used_up: bool = False
) -> tuple[DomainModel, ...]:
    """Return the models in which a case does not take an edge, but goes elsewhere."""
    if is_used_up:
        bounds = list_other_bounds(edge)
        return tuple(with_edge(model, step.id, replace(edge, bound=bound)) for bound in bounds)
    targets = list_other_targets(step, edge)
    found = [with_edge(model, step.id, replace(edge, to=target)) for target in targets]
    if edge.when is not None:
        found.append(with_edge(model, step.id, replace(edge, when=FALSE)))
    if not found:  # to an end at least, so that no case goes round for ever
        ends = [name for name, other in model.steps.items() if other.end is not None]
        others = [name for name in ends if name != edge.to]
        found = [with_edge(model, step.id, replace(edge, to=name)) for name in others[:1]]
    return tuple(found)


def _build_edge_pair_goals(model: DomainModel, places: Sequence[Unfolded]) -> Iterator[Goal]:
    """Ask for each edge into a step with each edge out of it, where there are several of both."""
    found: dict[tuple[str, str], tuple[Step, Edge, Expression]] = {}
    for place in places:
        for came_by, arrival in place.arrivals if len(place.arrivals) > 1 else ():
            for transition in place.transitions if len(place.transitions) > 1 else ():
                pair = came_by, transition.edge.id
                _, _, known = found.get(pair, (place.step, transition.edge, FALSE))
                meeting = build_disjunction(known, build_conjunction(arrival, transition.condition))
                found[pair] = (place.step, transition.edge, meeting)
    for (first, second), (step, edge, condition) in found.items():
        words = f"a case comes by edge {first} and goes by edge {second}"
        wrong = _without_edge(model, step, edge)
        yield Goal(f"edges {first} and {second}", condition, words, Kind.PAIR_OF_EDGES, wrong)


def _build_meeting_condition(moments: Iterable[Moment], wanted: Expression) -> Expression:
    """Return the rows on which a condition holds at one of several moments."""
    found = FALSE
    for moment in moments:
        found = build_disjunction(
            found, build_conjunction(moment.reached, moment.resolve_expression(wanted))
        )
    return found


def _iterate_sites(
    model: DomainModel, places: Sequence[Unfolded], slots: Mapping[str, Slot]
) -> Iterator[_Site]:
    for target, decision in model.decisions.items():
        if isinstance(decision, Formula):
            slot, moments = slots[f"formula {target}"], _list_formula_moments(places, target)
            yield from _iterate_choice_sites(target, slot, moments)
        else:
            yield from _iterate_table_sites(
                target, decision, find_decision_moments(places, target), slots
            )
    for step in model.steps.values():
        after = [Moment(place.passed, place.after) for place in places if place.step is step]
        yield from _iterate_edge_sites(step, after, slots)
    yield from _iterate_guard_sites(places, slots)


def _iterate_edge_sites(
    step: Step, moments: Sequence[Moment], slots: Mapping[str, Slot]
) -> Iterator[_Site]:
    earlier: Expression = TRUE
    for edge in step.edges:
        if edge.when is not None:
            name = f"edge {edge.id}"
            put = slots[name].put
            yield _Site(name, edge.when, Kind.EDGE, moments, put, earlier, is_taken=True)
            earlier = build_conjunction(earlier, negate_condition(edge.when))


def _iterate_guard_sites(places: Sequence[Unfolded], slots: Mapping[str, Slot]) -> Iterator[_Site]:
    """Yield the checks of guards; what a tool checks by itself is no mistake of anybody's."""
    found: dict[str, _Site] = {}
    for place in places:
        for check in place.checks:
            name = f"guard {place.step.call}.{check.leaf.id}"
            if name in slots:
                new = _Site(name, check.leaf.test, Kind.GUARD, (), slots[name].put)
                known = found.get(name, new)
                found[name] = replace(known, moments=(*known.moments, check.moment))
    yield from found.values()


def _iterate_choice_sites(target: str, slot: Slot, moments: Sequence[Moment]) -> Iterator[_Site]:
    for number, (place, node) in enumerate(_list_choices(slot.expression), start=1):
        put = partial(_put_condition, slot, node)
        name = f"choice {target}.{number}"
        yield _Site(name, node.condition, Kind.CHOICE, moments, put, inner=place)


def _put_condition(slot: Slot, node: Choice, condition: Expression) -> DomainModel:
    return slot.put(replace_part(slot.expression, node, replace(node, condition=condition)))


def _list_choices(value: Expression) -> list[tuple[InnerPlace, Choice]]:
    inner = list_inner_places(value)
    return [(place, place.node) for place in inner if isinstance(place.node, Choice)]


def _iterate_table_sites(
    target: str, table: Table, moments: Sequence[Moment], slots: Mapping[str, Slot]
) -> Iterator[_Site]:
    earlier: Expression = TRUE
    for rule in table.rules:
        if rule.when is not None:
            name = f"rule {target}.{rule.id}"
            put = slots[name].put
            yield _Site(name, rule.when, Kind.RULE, moments, put, earlier, is_taken=True)
            # With any other hit policy a rule is read whatever the rules before it say.
            if table.hit is HitPolicy.FIRST:
                earlier = build_conjunction(earlier, negate_condition(rule.when))


def _build_yes_no_goals(sites: Iterable[_Site]) -> Iterator[Goal]:
    for site in sites:
        fails, held = (
            site.build_meeting_condition(negate_condition(site.condition)),
            (site.put(TRUE),),
        )
        yield Goal(f"{site.id}, no", fails, f"{site.id} does not hold", site.kind, held)
        # Else the goal that the rule or the edge is taken asks for the same.
        if not site.is_taken:
            holds, failed = site.build_meeting_condition(site.condition), (site.put(FALSE),)
            yield Goal(f"{site.id}, yes", holds, f"{site.id} holds", site.kind, failed)


def _build_site_goals(model: DomainModel, site: _Site) -> Iterator[Goal]:
    atoms = list(_iterate_atoms(site.condition))
    for number, atom in enumerate(atoms, start=1):
        words = phrase_expression(atom, model.fields)
        if len(atoms) > 1 or isinstance(atom, Presence):
            yield from _build_deciding_goals(site, number, atom, words)
        yield from _build_boundary_goals(model, site, number, atom, words)
    if site.inner is None:  # else the formula that it stands in is asked as a whole
        yield from _build_item_goals(model, site, list_inner_places(site.condition))


def _build_deciding_goals(site: _Site, number: int, atom: Expression, words: str) -> Iterator[Goal]:
    """Ask for both results of a part where it alone decides the whole.

    This is masking MC/DC: the part decides alone where the whole comes out differently with it true
    and with it false, whatever the other parts are. In ``urgent or (amount > 500 and is_new)`` the
    part ``amount > 500`` decides alone where ``not urgent and is_new``. So the two goals are such a
    case with an amount above 500 and one with another amount; their mistakes are the same condition
    with the part always false, and always true.
    """
    yes, no = (_replace_atom(site.condition, atom, value) for value in (TRUE, FALSE))
    decides = AnyOf((AllOf((yes, Not(no))), AllOf((Not(yes), no))))
    # What is read after a test for a missing value has none where the test fails.
    alone: Expression = TRUE if isinstance(atom, Presence) else decides
    for name, side, other in (("yes", atom, no), ("no", negate_condition(atom), yes)):
        text = f"in {site.id}, '{words}' alone decides: {name}"
        meeting = site.build_meeting_condition(build_conjunction(alone, side))
        goal = f"{site.id}, part {number} {name}"
        yield Goal(goal, meeting, text, Kind.PART, (site.put(other),))


def _build_boundary_goals(
    model: DomainModel, site: _Site, number: int, atom: Expression, words: str
) -> Iterator[Goal]:
    """Ask for a comparison at its boundary and beside it; the mistake is to decide differently."""
    there = _build_presence_condition(model, atom)
    for side, where in SIDES.items():
        beside = _build_beside_condition(atom, side)
        if beside is not None:
            deciding = partial(_build_mistaken_model, site, atom)
            yield Goal(
                f"{site.id}, part {number} at {side:+d}",
                site.build_meeting_condition(build_conjunction(there, beside)),
                f"in {site.id}, {where} the boundary of '{words}'",
                Kind.BOUNDARY,
                (deciding(beside),),
                _build_gap(site, there, atom, side),
            )


def _build_mistaken_model(site: _Site, atom: Expression, where: Expression) -> DomainModel:
    return site.put(_replace_atom(site.condition, atom, _flip_condition(atom, where)))


def _flip_condition(atom: Expression, where: Expression) -> Expression:
    """Return a condition that is reversed where another one holds."""
    return AnyOf((AllOf((where, Not(atom))), AllOf((Not(where), atom))))


def _build_gap(site: _Site, there: Expression, atom: Expression, side: int) -> Gap | None:
    """Return how far a number lies to a side of the boundary; it is none of a plain comparison."""
    if side == 0 or not isinstance(atom, Compare) or not isinstance(atom.left.type, NumberType):
        return None
    higher, lower = (atom.left, atom.right) if side > 0 else (atom.right, atom.left)
    try:
        size = numbers.build_arithmetic(Operation.SUBTRACT, higher, lower)
    except TypeRuleError:
        return None
    deciding = partial(_build_mistaken_model, site, atom)
    return Gap(
        size,
        compute_least_gap(size),
        lambda wanted: site.build_meeting_condition(build_conjunction(there, wanted)),
        deciding,
    )


def _build_beside_condition(atom: Expression, side: int) -> Expression | None:
    """Return the condition that a comparison's sides differ as little as their scales allow.

    There is none where the ranges of the two sides alone say that they never do.
    """
    match atom:
        case Compare(_, left, right) if isinstance(left.type, NumberType):
            places = numbers.require_number_type(left).places
            try:
                apart = compute_least_gap(
                    numbers.build_arithmetic(Operation.SUBTRACT, left, right), side
                )
                moved = numbers.build_arithmetic(
                    Operation.ADD, right, numbers.make_number_constant(apart, places)
                )
                return _build_equality(*numbers.align_places((left, moved)))
            except TypeRuleError:
                return None
        case Compare(_, left, right) if isinstance(left.type, DateType | DateTimeType):
            span = Span.DAYS if isinstance(left.type, DateType) else Span.MINUTES
            return _build_equality(
                FUNCTIONS[f"{span}_between"].build(right, left), numbers.make_number_constant(side)
            )
        case _:
            return None


def _make_constant_like(number: Expression, value: int) -> Constant:
    return numbers.make_number_constant(value, numbers.require_number_type(number).places)


def _build_equality(left: Expression, right: Expression) -> Expression | None:
    first, second = numbers.require_number_type(left), numbers.require_number_type(right)
    is_apart = first.maximum < second.minimum or second.maximum < first.minimum
    return None if is_apart else Compare(Relation.EQ, left, right)


def _build_item_goals(
    model: DomainModel, site: _Site, places: Iterable[InnerPlace]
) -> Iterator[Goal]:
    """Ask for a list with an item beside the boundary of each comparison of items."""
    compared = [place for place in places if _is_about_an_item(place.node)]
    for number, place in enumerate(compared, start=1):
        there = _build_presence_condition(model, place.node)
        words = phrase_expression(place.node, model.fields)
        for side, where in SIDES.items():
            beside = _build_beside_condition(place.node, side)
            if beside is not None:
                text = f"in {site.id}, for an entry {where} the boundary of '{words}'"
                name = f"{site.id}, item part {number} at {side:+d}"
                wanted = build_conjunction(there, place.build_condition(beside))
                wrong = replace_part(
                    site.condition, place.node, _flip_condition(place.node, beside)
                )
                meeting, kind = site.build_meeting_condition(wanted), Kind.BOUNDARY
                yield Goal(name, meeting, text, kind, (site.put(wrong),))


def _is_about_an_item(node: Expression) -> bool:
    return isinstance(node, Compare) and any(
        isinstance(part, Element) for part in list_ordered_parts([node])
    )


def _build_formula_item_goals(
    model: DomainModel, places: Sequence[Unfolded], slots: Mapping[str, Slot]
) -> Iterator[Goal]:
    for target, decision in model.decisions.items():
        if isinstance(decision, Formula):
            moments, put = _list_formula_moments(places, target), slots[f"formula {target}"].put
            name = f"formula {target}"
            site = _Site(name, decision.value, Kind.BOUNDARY, moments, put)
            yield from _build_item_goals(model, site, _list_unasked_places(decision))


def _list_unasked_places(formula: Formula) -> list[InnerPlace]:
    """Return the places of a formula but for the parts of its choices, which are sites."""
    choices = _list_choices(formula.value)
    asked = {id(atom) for _, node in choices for atom in _iterate_atoms(node.condition)}
    return [place for place in list_inner_places(formula.value) if id(place.node) not in asked]


def _build_rounding_goals(
    model: DomainModel, places: Sequence[Unfolded], slots: Mapping[str, Slot]
) -> Iterator[Goal]:
    """Ask for a half that is rounded, and for one with a result that shows to where."""
    for slot in slots.values():
        moments = _list_moments(model, places, slot)
        inner = list_inner_places(slot.expression)
        found = [(place, place.node) for place in inner if isinstance(place.node, Quotient)]
        for number, (place, node) in enumerate(found, start=1):
            half = build_tie_condition(node)
            if half is None:
                continue
            there, text = _build_presence_condition(model, node), f"{slot.words}, a half is rounded"
            odd = build_odd_tie_condition(half, node)
            for name, wanted, words in (
                ("", half, text),
                (" odd", odd, f"{text} to an odd result"),
            ):
                met = _build_meeting_condition(
                    moments, build_conjunction(there, place.build_condition(wanted))
                )
                wrong = slot.put(
                    replace_part(slot.expression, node, move_towards_zero(node, wanted))
                )
                goal = f"tie {slot.id} {number}{name}"
                yield Goal(goal, met, words, Kind.TIE, (wrong,))


def _list_moments(model: DomainModel, places: Sequence[Unfolded], slot: Slot) -> list[Moment]:
    """Return the moments at which what stands in a slot is worked out."""
    name, _, part = slot.name.partition(".")
    match slot.kind:
        case SlotKind.FORMULA:
            return _list_formula_moments(places, slot.name)
        case SlotKind.RULE | SlotKind.RESULT:
            table = model.decisions[name]
            rule = (
                next(item for item in table.rules if item.id == part)
                if isinstance(table, Table)
                else None
            )
            when = (
                build_rule_condition(table, rule) if rule and isinstance(table, Table) else None
            ) or TRUE
            reading = when if slot.kind is SlotKind.RESULT else TRUE
            return [
                Moment(
                    build_conjunction(item.reached, item.resolve_expression(reading)), item.known
                )
                for item in find_decision_moments(places, name)
            ]
        case SlotKind.EDGE:
            return [Moment(place.passed, place.after) for place in places if place.step.id == name]
        case SlotKind.GUARD | SlotKind.EFFECT:
            return [
                Moment(place.reached, {**place.after, **place.before})
                for place in places
                if place.step.call == name
            ]


def _list_formula_moments(places: Iterable[Unfolded], target: str) -> list[Moment]:
    """Return the moments at which a formula is worked out, by the agent or by a tool."""
    found = [{**place.worked_out, **place.moments}.get(target) for place in places]
    return [moment for moment in found if moment is not None]


def _iterate_atoms(condition: Expression) -> Iterator[Expression]:
    """Return the parts of a condition that are neither and, or nor not."""
    match condition:
        case AllOf() | AnyOf():
            for operand in condition.operands:
                yield from _iterate_atoms(operand)
        case Not():
            yield from _iterate_atoms(condition.operand)
        case _:
            yield condition


def _replace_atom(condition: Expression, atom: Expression, value: Expression) -> Expression:
    """Return a condition with another one in the place of a part."""
    # By identity: an equal part may stand elsewhere in the condition, and is another goal.
    if condition is atom:
        return value
    match condition:
        case AllOf() | AnyOf():
            changed = tuple(_replace_atom(operand, atom, value) for operand in condition.operands)
            return replace(condition, operands=changed)
        case Not():
            return negate_condition(_replace_atom(condition.operand, atom, value))
        case _:
            return condition


def _build_presence_condition(model: DomainModel, node: Expression) -> Expression:
    """Return the condition that all that an expression reads is there."""
    # A missing number is carried as 0, which could lie at the boundary without being there.
    read = {part.field for part in iterate_parts(node) if isinstance(part, Read)}
    read |= {part.list for part in iterate_parts(node) if isinstance(part, Aggregate | Element)}
    missing: Mapping[str, str] = {
        name: item.missing for name, item in model.fields.items() if item.missing
    }
    tests: list[Expression] = [Presence(name) for name in sorted(read & set(missing))]
    return reduce(build_conjunction, tests, TRUE)
