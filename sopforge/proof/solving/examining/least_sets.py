"""Why no case meets some conditions: a least set of facts that cannot hold together.

The facts are those conditions, what the names in them mean, the constraints, what the records
promise and the ranges of the fields. Facts are left out in a fixed order, as long as the others
still contradict each other; the solver's own choice of a core is never used.

No case meets ``amount > 900`` where a constraint says ``amount <= limit``, the limit is from 100 to
500 and the day is in 2026. All four facts contradict each other. Without the day the others still
do, so it is left out; without any other they do not. What stays is the reason: the amount is above
900, it is at most the limit, and the limit is at most 500.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import z3

from sopforge.language.domain.expressions.expressions import Expression, collect_all_read_fields
from sopforge.language.domain.fields import STORED, Entity, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import (
    EnumType,
    ListType,
    NumberType,
    OrderedType,
    ValueType,
)
from sopforge.language.english.nouns import conjugate_be
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.readings.solver_variables import Term, Variables
from sopforge.language.logic.readings.symbolic import Symbolic
from sopforge.proof.solving import budgets
from sopforge.proof.solving.naming import Naming
from sopforge.proof.solving.questions import list_record_conditions, make_steady_solver


@dataclass(frozen=True, slots=True)
class Fact:
    """A condition that holds, and the sentence that says so."""

    condition: Expression
    words: str


class Order(Enum):
    """What is left out first, where it can be: all else than the given facts, or those."""

    REST_FIRST = "rest first"
    GIVEN_FIRST = "given first"


@dataclass(slots=True)
class Budget:
    """What all proofs of a model may use together, in the solver's resource units."""

    left: int = budgets.LEAST_SETS


@dataclass(frozen=True, slots=True)
class _Term:
    words: str
    terms: tuple[z3.BoolRef, ...]


def find_least_set(
    model: DomainModel,
    naming: Naming,
    given: Sequence[Fact],
    order: Order = Order.REST_FIRST,
    budget: Budget | None = None,
) -> tuple[str, ...]:
    """Return the sentences of facts that contradict each other, of which none can be spared.

    Those of the ``given`` ones come first. There are none where it is not proved within the budget
    that all facts together contradict each other, and none where the budget ends later.
    """
    question = _Question(model, naming, budget or Budget())
    groups = question.group_terms(given)
    everything = [term for group in groups for term in group]
    if not question.is_contradiction(everything):
        return ()
    kept = everything
    for group in groups if order is Order.GIVEN_FIRST else (*groups[1:], groups[0]):
        kept = question.drop_spare_terms(kept, group)
    return () if question.budget.left <= 0 else tuple(dict.fromkeys(term.words for term in kept))


class _Limits(Variables):
    """Variables that keep apart what the types promise of each.

    A name has no limits of its own: its meaning says all of it.
    """

    def __init__(self, naming: Naming) -> None:
        super().__init__(z3.Context())
        self.naming = naming
        self.of: dict[str, list[z3.BoolRef]] = {}

    def get_variable(self, name: str, kind: ValueType) -> Term:
        before, patterned = len(self.limits), len(self.patterned)
        is_new = name not in self.values
        found = super().get_variable(name, kind)
        if is_new:
            self.of[name] = self.limits[before:]
        if name in self.naming.meanings:
            del self.limits[before:], self.patterned[patterned:]
            self.of[name] = []
        return found


class _Question:
    """The facts as terms of one context, and which of them contradict each other."""

    def __init__(self, model: DomainModel, naming: Naming, budget: Budget) -> None:
        self.model = model
        self.budget = budget
        self.used = 0
        self.naming = naming
        self.variables = _Limits(naming)
        self.reading = Symbolic(self.variables)
        self.solver = make_steady_solver(self.variables.context)
        self.flags: dict[int, tuple[z3.BoolRef, _Term]] = {}
        # Facts that contradict each other, and those without which the facts that are left do not.
        self.cores: list[set[int]] = []
        self.needed: set[int] = set()

    def group_terms(self, given: Sequence[Fact]) -> list[list[_Term]]:
        """Return the terms of all facts: given ones, meanings, constraints, records, ranges."""
        constraints = [
            Fact(item, f"constraint: {phrase_expression(item, self.model.fields)}")
            for item in self.model.constraints
        ]
        meanings = list(self.iterate_meanings(given))
        found = [
            [self.build_term(fact) for fact in facts]
            for facts in (given, reversed(meanings), constraints)
        ]
        present, variables = self.variables.present, self.variables
        records = [
            _Term(
                _describe_reference(self.model, item),
                tuple(list_record_conditions(self.model, item, variables)),
            )
            for item in reversed(self.model.references)
            if item.name in present
        ]
        ranges = list(self.iterate_ranges())
        self.solver.add(
            *self.variables.follow_patterns(),
            *(bit for name, bit in present.items() if self.is_always_there(name)),
            *(term for name in self.variables.of for term in self.list_unsaid_limits(name)),
        )
        return [*found, records, ranges]

    def build_term(self, fact: Fact) -> _Term:
        return _Term(fact.words, (self.reading.build_condition(fact.condition),))

    def iterate_meanings(self, given: Iterable[Fact]) -> Iterator[Fact]:
        """Return what the names mean that the facts and these meanings use."""
        seen: set[str] = set()
        waiting = [fact.condition for fact in given]
        while waiting:
            read = collect_all_read_fields(waiting)
            waiting = []
            for name, meaning in self.naming.meanings.items():
                if name in read and name not in seen:
                    seen.add(name)
                    waiting.append(meaning.condition)
                    yield Fact(meaning.condition, meaning.words)

    def is_always_there(self, name: str) -> bool:
        return name in self.model.fields and not self.model.fields[name].missing

    def iterate_ranges(self) -> Iterator[_Term]:
        """Return the ranges of the fields in question, in the model's order."""
        for item in self.model.fields.values():
            if item.role not in STORED:
                continue
            if isinstance(item.type, ListType):
                yield from self.iterate_list_ranges(item, item.type)
            elif (words := _describe_range(f"the {item.label}", item.label, item.type)) and (
                terms := self.variables.of.get(item.name)
            ):
                yield _Term(words, tuple(terms))

    def iterate_list_ranges(self, item: Field, kind: ListType) -> Iterator[_Term]:
        length = self.variables.lengths.get(item.name)
        if length is not None:
            words = f"the {item.label} {_conjugate_have(item.label)} from 0 to {kind.size} entries"
            yield _Term(words, (length >= 0, length <= kind.size))
        for part, inner in kind.fields:
            label = item.label_part(part)
            places = (f"{item.name}[{place}].{part}" for place in range(kind.size))
            terms = [term for name in places for term in self.variables.of.get(name, ())]
            words = _describe_range(f"the {label} of an entry in the {item.label}", label, inner)
            if terms and words:
                yield _Term(words, tuple(terms))

    def list_unsaid_limits(self, name: str) -> list[z3.BoolRef]:
        """Return the limits of a value that need no sentence: yes is yes, and a text a text."""
        field, _, part = name.partition("[")
        kind = self.naming.fields[field].type
        if isinstance(kind, ListType):
            kind = dict(kind.fields)[part.partition(".")[2]]
        is_stored = self.naming.fields[field].role in STORED
        return [] if not is_stored or _describe_range("", "", kind) else self.variables.of[name]

    def is_contradiction(self, facts: Sequence[_Term], among: Sequence[_Term] = ()) -> bool:
        """Return whether facts contradict each other; they are ``among`` some that do.

        Nothing is asked whose answer follows from an earlier one, whichever core or row the solver
        chose to show then.
        """
        asked = {id(fact) for fact in facts}
        if any(core <= asked for core in self.cores):
            return True
        if self.budget.left <= 0 or not self.needed <= asked:
            return False
        found = self.check(facts)
        if found == z3.unsat:
            core = {flag.get_id() for flag in self.solver.unsat_core()}
            self.cores.append({id(fact) for fact in facts if self.flag_fact(fact).get_id() in core})
        elif found == z3.sat:
            self.learn_needed_fact([fact for fact in among if id(fact) not in asked])
        return bool(found == z3.unsat)

    def check(self, facts: Sequence[_Term]) -> z3.CheckSatResult:
        """Return whether a case meets all facts."""
        flags = [self.flag_fact(fact) for fact in facts]
        self.solver.set("rlimit", budgets.LEAST_SET)
        found = self.solver.check(*flags)
        # This counts what the solver has used up to now.
        used = int(self.solver.statistics().get_key_value("rlimit count"))
        self.budget.left -= used - self.used
        self.used = used
        return found

    def flag_fact(self, fact: _Term) -> z3.BoolRef:
        """Return the flag that implies a fact, so that it can be assumed and dropped again."""
        if id(fact) not in self.flags:
            # The fact is kept, so that no other one gets its identity.
            flag = z3.Bool(f"?{len(self.flags)}", self.variables.context)
            self.solver.add(*(z3.Implies(flag, term) for term in fact.terms))
            self.flags[id(fact)] = flag, fact
        return self.flags[id(fact)][0]

    def learn_needed_fact(self, dropped: Sequence[_Term]) -> None:
        """Note the fact that alone fails on the solver's row: all others can hold together."""
        row = self.solver.model()
        failing = [fact for fact in dropped if not _holds_on(row, fact)]
        if len(failing) == 1:
            self.needed.add(id(failing[0]))

    def drop_spare_terms(self, kept: list[_Term], group: Sequence[_Term]) -> list[_Term]:
        """Return the facts without those of the group that can be spared, first ones first."""
        if not group:
            return kept
        dropped = set(map(id, group))
        rest = [fact for fact in kept if id(fact) not in dropped]
        if self.is_contradiction(rest, kept):
            return rest
        if len(group) == 1:
            return kept
        # By halves: most facts are spare, and large groups of them go with one question each.
        middle = len(group) // 2
        return self.drop_spare_terms(self.drop_spare_terms(kept, group[:middle]), group[middle:])


def _holds_on(row: z3.ModelRef, fact: _Term) -> bool:
    return all(z3.is_true(row.eval(term, model_completion=True)) for term in fact.terms)


def _describe_reference(model: DomainModel, entity: Entity) -> str:
    key = model.fields[entity.key].label
    # Of several references to one table, each record is known by its reference.
    name = key if entity.table else entity.name
    if not model.may_lack(entity):
        return f"every case has a record of the {name}"
    if entity.dangling_share:
        return f"there is no record of the {name} without the {key}"
    return f"the {key} always leads to a record of the {name}"


def _describe_range(what: str, label: str, kind: ValueType) -> str:
    """Return what a type promises of a value; nothing where it goes without saying."""
    match kind:
        case OrderedType():
            low, high = kind.bound_cells
            unit = f" {kind.unit}" if isinstance(kind, NumberType) and kind.unit else ""
            return f"{what} {conjugate_be(label)} from {low} to {high}{unit}"
        case EnumType():
            values = ", ".join(f'"{value}"' for value in kind.values)
            return f"{what} {conjugate_be(label)} one of {values}"
        case _:
            return ""


def _conjugate_have(label: str) -> str:
    return "have" if conjugate_be(label) == "are" else "has"
