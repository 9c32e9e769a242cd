"""Proofs in words: why no case shows a goal, or notices a mutant, as facts of the model.

A goal is taken apart: what must hold for its place to be reached, the rules before it that do not
apply, and what it asks for itself. A mutant is looked at where its mistake is made.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Expression,
    Not,
    Read,
    Relation,
)
from sopforge.language.domain.guards import GuardLeaf, list_guard_ids
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.rules import Table, is_first_given
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.variants.substitution import Substitution
from sopforge.parallel import map_in_processes
from sopforge.proof.dataset.coverage.covering import Covering, Unmet
from sopforge.proof.dataset.coverage.goals.goal import Goal
from sopforge.proof.dataset.coverage.goals.goals import collect_goals
from sopforge.proof.dataset.mutants.mistakes import (
    Mistake,
    build_difference_condition,
    find_mistake,
    name_edge,
)
from sopforge.proof.solving import budgets
from sopforge.proof.solving.conjunctions import fold_comparison, iterate_disjuncts, list_conjuncts
from sopforge.proof.solving.examining.least_sets import (
    Budget,
    Fact,
    Order,
    find_least_set,
)
from sopforge.proof.solving.naming import Naming, unfold_with_names
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.proof.solving.unfolding import TRUE, Moment, negate_condition

GROUP = 8
"""How many proofs share a budget, and are asked for together."""
MOST_CASES = 8
SHORT_ENOUGH = 3
ASKED = "asked for"
SHARED = "what several tools check"
MATTERS = "for the mistake to matter"
Proof: TypeAlias = tuple[str, ...]


def describe_proofs(model: DomainModel, covering: Covering) -> dict[str, Proof]:
    """Return for goals and mutants that no row can show the sentences that say why.

    One for which no such proof is found within the budget is left out.
    """
    try:
        naming = unfold_with_names(model)
    except TooManyStepsError:
        return {}
    prover = _Prover(model, naming, _collect_origins(naming, model))
    impossible = covering.collect_impossible_goals()
    asked = [goal for goal in collect_goals(model, naming.places) if goal.id in impossible]
    asked += [
        goal for goal in covering.all_goals if covering.unmet.get(goal.id) is Unmet.WITHOUT_EFFECT
    ]
    groups = [asked[first : first + GROUP] for first in range(0, len(asked), GROUP)]
    share = budgets.LEAST_SETS * GROUP // max(1, len(asked))
    prove = partial(_prove_group, prover, impossible, share)
    proofs = map_in_processes(prove, groups, "proofs put into words", len)
    return {name: sentences for group in proofs for name, sentences in group if sentences}


def _prove_group(
    prover: _Prover, impossible: Container[str], share: int, goals: Sequence[Goal]
) -> list[tuple[str, Proof]]:
    """Return the proofs of goals, which share a budget."""
    # By groups and not from one budget, so that who proves them together does not matter.
    prover = replace(prover, budget=Budget(share))
    return [
        (
            goal.id,
            prover.prove_goal(goal.condition)
            if goal.id in impossible
            else prover.prove_lone_mistake(goal),
        )
        for goal in goals
    ]


@dataclass(slots=True)
class _Origins:
    """Where conditions come from: how a case comes to a place, and what did not hold before.

    ``reached`` are the conditions of coming somewhere, by identity, and ``checked`` what tools
    check, each with the first that does.
    """

    on_path: dict[Expression, str] = field(default_factory=dict)
    before: dict[Expression, str] = field(default_factory=dict)
    reached: set[int] = field(default_factory=set)
    checked: dict[Expression, str] = field(default_factory=dict)

    def learn(self, part: Expression, seen: Substitution, words: tuple[str, str]) -> None:
        """Note what is said where a condition holds on the path, and where it did not before."""
        holds, fails = words
        for found in list_conjuncts(seen.apply_to(part)):
            self.on_path.setdefault(found, holds)
        for found in list_conjuncts(negate_condition(seen.apply_to(part))):
            self.on_path.setdefault(found, fails)
            self.before.setdefault(found, fails)

    def learn_check(
        self, part: Expression, seen: Substitution, words: tuple[str, str], *, is_shared: bool
    ) -> None:
        """Note what a tool checks; of what several check, none is named where it ``is_shared``."""
        holds, fails = words
        for found in list_conjuncts(seen.apply_to(part)) if is_shared else ():
            if self.checked.setdefault(found, holds) != holds:
                self.on_path[found] = f"{SHARED} holds"
        for found in list_conjuncts(negate_condition(seen.apply_to(part))) if is_shared else ():
            if self.checked.setdefault(found, fails) != fails:
                self.on_path[found] = self.before[found] = f"{SHARED} does not hold"
        self.learn(part, seen, words)


def _collect_origins(naming: Naming, model: DomainModel) -> _Origins:
    origins, is_shared = _Origins(), model.operations is not None
    for place in naming.places:
        moments = [*place.moments.values(), *place.worked_out.values()]
        moments += [check.moment for check in place.checks]
        origins.reached |= {id(moment.reached) for moment in moments}
        origins.reached |= {id(place.reached), id(place.passed)}
        seen = Substitution(place.after, TRUE)
        for edge in place.step.edges:
            if edge.when is not None:
                name = name_edge(edge)
                origins.learn(edge.when, seen, (f"{name} is taken", f"{name} is not taken"))
        for check in place.checks:
            there = Substitution(check.moment.known, TRUE)
            words = name_check(model, place.step, check.leaf)
            origins.learn_check(check.leaf.test, there, words, is_shared=is_shared)
        for target, moment in place.moments.items():
            _learn_rules(origins, model, target, moment)
    return origins


def name_check(model: DomainModel, step: Step, leaf: GuardLeaf) -> tuple[str, str]:
    """Return what is said where a check of a call holds, and where it does not.

    Where several steps call one tool, or several tools look for one record, none is named that the
    case may not have come to.
    """
    tool = model.tools[step.call or ""]
    if not tool.operation:
        name = f"guard {tool.name}.{leaf.id}"
        return f"{name} holds", f"{name} does not hold"
    if leaf.id in model.entities:
        return "a tool finds it", "no tool finds it"
    is_own = tool.guard is None or leaf.id not in list_guard_ids(tool.guard)
    name = f"check {leaf.refusal} of {tool.operation}"
    name = name if is_own else f"guard {tool.operation}.{leaf.id}"
    return f"{name} holds", f"{name} does not hold"


def _learn_rules(origins: _Origins, model: DomainModel, target: str, moment: Moment) -> None:
    decision = model.decisions[target]
    seen = Substitution(moment.known, TRUE)
    # Only where order decides does a rule imply that those before it do not apply.
    if not isinstance(decision, Table) or not decision.is_in_turn:
        return
    if not is_first_given(decision):
        return
    for rule in decision.rules:
        if rule.when is not None:
            name = f"rule {rule.id} of '{decision.name}'"
            origins.learn(rule.when, seen, (f"{name} applies", f"{name} does not apply"))


@dataclass(frozen=True, slots=True)
class _Prover:
    model: DomainModel
    naming: Naming
    origins: _Origins
    budget: Budget = field(default_factory=Budget)

    def prove_goal(self, condition: Expression) -> Proof:
        """Return why a condition of the named procedure never holds."""
        return self.prove_cases([self.collect_facts(case) for case in iterate_disjuncts(condition)])

    def prove_cases(self, cases: Sequence[Sequence[Fact]]) -> Proof:
        """Return the sentences of all cases, each of which must have some."""
        if not 0 < len(cases) <= MOST_CASES:
            return ()
        shortest: Proof = ()
        # Which facts may go first decides which stay: the shorter of both proofs is taken.
        for order in Order:
            proofs = [
                find_least_set(self.model, self.naming, case, order, self.budget) for case in cases
            ]
            joined = tuple(dict.fromkeys(sentence for proof in proofs for sentence in proof))
            if all(proofs) and (not shortest or len(joined) < len(shortest)):
                shortest = joined
            if len(shortest) <= SHORT_ENOUGH:
                break
        return shortest

    def collect_facts(self, condition: Expression) -> list[Fact]:
        reached, asked = TRUE, condition
        if id(condition) in self.origins.reached:
            reached, asked = condition, TRUE
        # `build_conjunction` puts the condition of coming there first.
        elif isinstance(condition, AllOf) and id(condition.operands[0]) in self.origins.reached:
            reached, asked = condition.operands[0], condition.operands[1]
        return [*self.iterate_reach_facts(reached), *self.iterate_asked_facts(asked, ASKED)]

    def iterate_reach_facts(self, reached: Expression) -> Iterator[Fact]:
        for part in list_conjuncts(reached):
            yield self.make_fact(part, self.origins.on_path.get(part, "on the path there"))

    def iterate_asked_facts(self, asked: Expression, otherwise: str) -> Iterator[Fact]:
        for part in list_conjuncts(asked):
            yield self.make_fact(part, self.origins.before.get(part, otherwise))

    def make_fact(self, part: Expression, origin: str) -> Fact:
        if isinstance(part, Read) and part.field in self.naming.steps:
            return Fact(part, f"the case comes to step '{self.naming.steps[part.field]}'")
        if _is_settled(part):
            how = "always" if isinstance(part, Not) else "never"
            return Fact(part, f"{origin}: what it asks for is {how} so by then")
        if _is_left_open(part):
            return Fact(part, f"{origin}: the rest of the condition does not decide it")
        return Fact(
            part, f"{origin}: {phrase_expression(fold_comparison(part), self.naming.fields)}"
        )

    # mistakes

    def prove_lone_mistake(self, goal: Goal) -> Proof:
        """Return why the mistake of a goal never matters, nothing where it has several."""
        mistakes = [find_mistake(self.model, wrong) for wrong in goal.wrong]
        if len(mistakes) != 1 or mistakes[0] is None:
            return ()
        return self.prove_mistake(mistakes[0])

    def prove_mistake(self, mistake: Mistake) -> Proof:
        """Return why a mistake never matters where it is made."""
        if len({rule.then for rule in mistake.rules}) < len(mistake.rules):
            first, second = mistake.rules
            names = f"rules {first.id} and {second.id}"
            same = phrase_expression(first.then, self.model.fields)
            return (
                f"{MATTERS}: {names} both apply, and come to different results",
                f"{names} come to the same result: {same}",
            )
        cases = [
            self.collect_mistake_facts(mistake, moment) for moment in self.iterate_moments(mistake)
        ]
        return self.prove_cases(cases)

    def iterate_moments(self, mistake: Mistake) -> Iterable[Moment]:
        for place in self.naming.places:
            if place.step.id == mistake.step and not place.is_before_part:
                yield Moment(place.passed, place.after)
            known: Mapping[str, Moment] = {**place.worked_out, **place.moments}
            if mistake.target in known:
                yield known[mistake.target]

    def collect_mistake_facts(self, mistake: Mistake, moment: Moment) -> list[Fact]:
        seen = Substitution(moment.known, TRUE)
        facts = list(self.iterate_reach_facts(moment.reached))
        for name, part in mistake.earlier:
            verb = "is not taken" if mistake.step else "does not apply"
            facts += self.iterate_asked_facts(
                negate_condition(seen.apply_to(part)), f"{name} {verb}"
            )
        for rule in mistake.rules:
            if rule.when is not None:
                facts += self.iterate_asked_facts(
                    seen.apply_to(rule.when), f"{MATTERS}, rule {rule.id} applies"
                )
        for part in mistake.siblings:
            facts += self.iterate_asked_facts(seen.apply_to(part), MATTERS)
        if mistake.differ is not None:
            facts.append(self.make_difference_fact(seen, *mistake.differ))
        return facts

    def make_difference_fact(
        self, seen: Substitution, right: Expression, wrong: Expression
    ) -> Fact:
        differ = build_difference_condition(right, wrong)
        condition = seen.apply_to(differ)
        is_plain = differ == Not(right) or (
            isinstance(differ, Compare) and differ.relation is Relation.EQ
        )
        if is_plain:
            return Fact(
                condition,
                f"{MATTERS}: {phrase_expression(fold_comparison(condition), self.naming.fields)}",
            )
        words = (
            phrase_expression(seen.apply_to(part), self.naming.fields) for part in (right, wrong)
        )
        return Fact(condition, f"{MATTERS}: '{next(words)}' and '{next(words)}' do not agree")


def _is_settled(part: Expression) -> bool:
    """Return whether a condition is but a value, as a fact of the session is once it is set."""
    inner = part.operand if isinstance(part, Not) else part
    return isinstance(inner, Constant)


def _is_left_open(part: Expression) -> bool:
    """Return whether a condition says that exactly one of two holds, as where a part decides."""
    match part:
        case AnyOf((AllOf((first, Not(second))), AllOf((Not(third), fourth)))):
            return bool(first == third and second == fourth)
        case _:
            return False
