"""Rules that a procedure could have besides its own, in cases that another rule decides already.

Each is proved to change nothing where it stands: an earlier rule of the list has all its cases, or
the rules after it give the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest

from sopforge.artifacts.complexity.passages import AddedPassage, Where
from sopforge.artifacts.complexity.rules.known_values import (
    list_known_at_decision,
    list_known_at_transitions,
)
from sopforge.artifacts.complexity.rules.rule_statements import (
    RuleStatement,
    collect_rule_statements,
)
from sopforge.artifacts.complexity.rules.stricter_conditions import (
    RulePlace,
    Stricter,
    iterate_stricter,
)
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Statement
from sopforge.artifacts.rendering.sop.marks import REDUNDANT
from sopforge.language.domain.expressions.expressions import (
    Constant,
    Expression,
    collect_read_fields,
)
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.rules import HitPolicy, Rule, Table
from sopforge.language.domain.values.types import EnumType
from sopforge.language.english.terms import Term
from sopforge.proof.solving.needless_rules import changes_nothing
from sopforge.seeds import permute_items

_TURNS = 4
"""Of so many redundant rules, one stands before the rule whose cases it has."""
_MOST = 64
"""So many conditions are tried for one rule."""
_OTHERS = 4
"""Of so many redundant rules, one has the result of another rule than that whose cases it has.

It asks for something that the other rule asks for, too: any other result would be seen not to fit.
"""


@dataclass(frozen=True, slots=True)
class _RedundantKind:
    """Whether a redundant rule asks a further fact, and its number among those of one rule.

    One that ``may_bound`` has nothing but another limit.
    """

    has_further_fact: bool
    number: int
    may_bound: bool = False

    def is_of(self, other: Stricter) -> bool:
        """Return whether a condition is one for rules of the kind.

        "More than 25 days" beside "more than 21 days" would be seen to contradict it.
        """
        if other.limits and not (self.has_further_fact or self.may_bound):
            return False
        return other.has_further_fact == self.has_further_fact


_KINDS = (
    *(_RedundantKind(has_further_fact=False, number=number) for number in (0, 1)),
    *(_RedundantKind(has_further_fact=True, number=number) for number in range(4)),
    *(_RedundantKind(has_further_fact=False, number=number, may_bound=True) for number in (0, 1)),
)
"""In their order: more for one rule would be seen to repeat each other.

What has another limit alone comes last: it is seen to contradict the rule that it repeats.
"""


@dataclass(frozen=True)
class _RuleList:
    """Statements of which the first that applies decides, at a step; ``rules`` are all of it."""

    statements: Sequence[RuleStatement]
    place: RulePlace
    step: Step
    target: str
    rules: Sequence[Rule]


def iterate_redundant_rules(variant: Variant, seed: int) -> Iterator[AddedPassage]:
    """Yield rules and transitions that change nothing, one of each list in turn.

    Those that are as long as another come first: a further fact is what a reader would look for.
    """
    lists = permute_items(_collect_lists(variant), seed, "lists")
    said = {item.text for item in variant.sop.statements}
    for place, kind in enumerate(_KINDS):
        columns = [_iterate_redundant(variant, item, seed, kind) for item in lists]
        turns = zip_longest(*permute_items(columns, seed, "columns", place))
        for passage in filter(None, chain.from_iterable(turns)):
            if passage.line.text not in said:
                said.add(passage.line.text)
                yield passage


def _collect_lists(variant: Variant) -> list[_RuleList]:
    """Return the lists of rules and of transitions of which the first that applies decides."""
    found: dict[str, list[RuleStatement]] = {}
    for item in collect_rule_statements(variant):
        found.setdefault(item.states.rpartition(".")[0], []).append(item)
    lists = (_make_list(variant.model, name, items) for name, items in found.items())
    return [item for item in lists if item is not None]


def _make_list(
    model: DomainModel, name: str, statements: Sequence[RuleStatement]
) -> _RuleList | None:
    """Return a list of rules, None unless the first that applies decides, and at one step alone."""
    kind, _, owner = name.partition(" ")
    if kind == "rule":
        table = model.decisions[owner]
        steps = [step for step in model.steps.values() if owner in step.decide]
        if not isinstance(table, Table) or table.hit is not HitPolicy.FIRST or len(steps) != 1:
            return None
        rules, known, target = table.rules, list_known_at_decision(model, owner), owner
    else:
        steps, target = [model.steps[owner]], ""
        if any(edge.bound is not None for edge in steps[0].edges):
            return None  # one that is counted would be counted where another is taken
        ends = EnumType(tuple(model.steps))
        rules = tuple(
            Rule(edge.id, edge.when, Constant(ends, ends.values.index(edge.to)))
            for edge in steps[0].edges
        )
        known = list_known_at_transitions(model, steps[0])
    conditions = [rule.when for rule in rules if rule.when is not None]
    return _RuleList(statements, RulePlace(owner, known, conditions), steps[0], target, rules)


def _iterate_redundant(
    variant: Variant, rules: _RuleList, seed: int, kind: _RedundantKind
) -> Iterator[AddedPassage]:
    """Yield redundant rules of a list: each rule in turn has one that takes its cases."""
    number = 0
    for item in permute_items(rules.statements, seed, "taken", rules.statements[0].states):
        later = rules.statements[rules.statements.index(item) :]
        is_other = number % _OTHERS == 1
        result = _choose_other_result(item, rules) if is_other else item.result
        is_before = result == item.result and number % _TURNS == 0
        beside = item if is_before else permute_items(later, seed, "after", number, item.states)[0]
        place = replace(rules.place, name=item.states)
        found = iterate_stricter(variant.model, item.condition, place, seed)
        # With another limit, a rule with a further fact is not seen to be another rule and a fact.
        fitting = sorted(islice(filter(kind.is_of, found), _MOST), key=lambda x: not x.limits)
        made = _iterate_proved(
            variant, rules, item, beside, fitting, result=result, is_before=is_before
        )
        chosen = next(islice(made, kind.number, None), None)
        if chosen is not None:
            where = Where(precedes=item.states) if is_before else Where(joins=beside.states)
            yield AddedPassage(chosen, where)
            number += 1


def _iterate_proved(
    variant: Variant,
    rules: _RuleList,
    like: RuleStatement,
    beside: RuleStatement,
    conditions: Iterable[Stricter],
    *,
    result: Term,
    is_before: bool,
) -> Iterator[Statement]:
    """Yield statements with other conditions that change nothing beside one, each text once."""
    said = set[str]()
    name = beside.states.partition(" ")[2]
    ids = [f"{rules.target}.{rule.id}" if rules.target else rule.id for rule in rules.rules]
    place = ids.index(name) + (0 if is_before else beside.count)
    then = _find_result(variant, rules, like, result)
    for other in conditions:
        made = like.write_like(variant, other.condition, result, REDUNDANT)
        if made is None or then is None or made.text in said:
            continue
        said.add(made.text)
        rule = Rule("", other.condition, then)
        before, after = rules.rules[:place], rules.rules[place:]
        if changes_nothing(variant.model, rules.step, rule, before, after, target=rules.target):
            yield made


def _find_result(
    variant: Variant, rules: _RuleList, like: RuleStatement, result: Term
) -> Expression | None:
    """Return the value of a rule that has a result, or that stands for the step it leads to."""
    if not rules.target:
        ends = EnumType(tuple(variant.model.steps))
        return Constant(ends, ends.values.index(result[1]))
    known = {like.result: like.states, **{x.result: x.states for x in rules.statements}}
    name = known.get(result, "").partition(" ")[2]
    return next((rule.then for rule in rules.rules if f"{rules.target}.{rule.id}" == name), None)


def _choose_other_result(item: RuleStatement, rules: _RuleList) -> Term:
    """Return the result of the rule nearest to another that gives another one, else its own.

    The results of neighbours are of one kind; that of all other cases is often of the opposite.
    """
    place = rules.statements.index(item)
    order: list[tuple[int, RuleStatement]] = sorted(
        enumerate(rules.statements), key=lambda found: (abs(found[0] - place), -found[0])
    )
    others = (
        other.result
        for _, other in order
        if other.result != item.result and _ask_for_same(other.condition, item.condition)
    )
    return next(others, item.result)


def _ask_for_same(condition: Expression, other: Expression) -> bool:
    """Return whether two conditions have a field in common."""
    return not collect_read_fields(condition).isdisjoint(collect_read_fields(other))
