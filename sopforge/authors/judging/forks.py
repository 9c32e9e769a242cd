"""What items of a model decide: alternatives in order, of which the first that holds counts.

A fork is a table or a formula, the edges of a step, the checks of a tool, or a named condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from sopforge.language.domain.expressions.expressions import (
    Choice,
    Compare,
    Constant,
    Expression,
    Lookup,
    Missing,
    Not,
    Relation,
    collect_all_read_fields,
)
from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, Edge, Step
from sopforge.language.domain.rules import Decision, Formula, HitPolicy, collect_decision_inputs
from sopforge.language.domain.values.types import BooleanType, DateType, EnumType, NumberType, Value
from sopforge.language.logic.readings.scalar import evaluate, holds
from sopforge.language.logic.walking import Walk, decide
from sopforge.proof.comparing.asking.questions import NOTHING
from sopforge.proof.comparing.asking.tracing import name_check_item, name_edge_item

Known = Mapping[str, Value | None]
_SAID = (EnumType, BooleanType, NumberType, DateType)
"""Types of results that whoever reads a passage can name."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """When it applies, None for all other cases; what then follows; and the item that says so.

    ``entry`` is the label that an entry of a look-up is for.
    """

    item: str
    when: Expression | None
    then: Expression | str
    entry: str = ""


@dataclass(frozen=True, slots=True)
class Fork:
    """Something that is decided: what it is called, and its alternatives in their order.

    ``about`` names it in the model; ``field`` is what has the result, if it is a field.
    """

    about: str
    label: str
    alternatives: tuple[Alternative, ...]
    field: Field | None = None

    def find_place(self, known: Known) -> int | None:
        """Return which of the alternatives counts in a case."""
        places = range(len(self.alternatives))
        return next((n for n in places if holds(self.alternatives[n].when, known)), None)

    def answer(self, known: Known) -> str:
        """Return what follows in a case, in words."""
        place = self.find_place(known)
        return NOTHING if place is None else self.say(self.alternatives[place], known)

    def say(self, alternative: Alternative, known: Known) -> str:
        """Return what follows from an alternative in a case, in words."""
        then = alternative.then
        if isinstance(then, str):
            return then
        if self.field is None or isinstance(then, Missing):
            return (self.field.missing if self.field else "") or NOTHING
        return self.field.format_cell(evaluate(then, known))

    @property
    def results(self) -> tuple[str, ...]:
        """What can follow, in words; of a number or a day only the words for none."""
        if self.field is None:
            return tuple(dict.fromkeys(str(item.then) for item in self.alternatives))
        none = (self.field.missing,) if self.field.missing else ()
        match self.field.type:
            case EnumType(values=values):
                return (*values, *none)
            case BooleanType():
                return ("yes", "no", *none)
            case _:
                return none

    def describe_results(self) -> list[str]:
        """Return what can follow, as somebody is asked for it."""
        match self.field.type if self.field else None:
            case NumberType(unit=unit):
                return [f"a number of {unit}" if unit else "a number", *self.results]
            case DateType():
                return ["a day, such as 2026-03-31", *self.results]
            case _:
                return list(self.results)

    def list_reads(self, place: int) -> tuple[str, ...]:
        """Return the facts that an alternative and those before it turn on, each once."""
        read = [name for n in range(place + 1) for name in self.list_reads_of(n)]
        return tuple(dict.fromkeys(read))

    def list_reads_of(self, place: int) -> tuple[str, ...]:
        """Return the facts that an alternative itself reads."""
        parts = (self.alternatives[place].when, self.alternatives[place].then)
        read = [part for part in parts if part is not None and not isinstance(part, str)]
        return tuple(sorted(collect_all_read_fields(read)))


def list_forks(model: DomainModel) -> list[Fork]:
    """Return what the items of a model decide, as far as a passage can say it of one case."""
    return [*_iterate_decisions(model), *_iterate_others(model)]


def _iterate_decisions(model: DomainModel) -> Iterator[Fork]:
    for target, decision in model.decisions.items():
        item = model.fields[target]
        found = tuple(_iterate_alternatives(decision))
        if found and isinstance(item.type, _SAID):
            yield Fork(f"decisions.{target}", item.label, found, item)


def _iterate_alternatives(decision: Decision) -> Iterator[Alternative]:
    """Yield the alternatives of a decision; none where several rules make the result together."""
    if isinstance(decision, Formula):
        name = f"decisions.{decision.name}"
        yield from _iterate_formula(name, decision.value)
    elif decision.hit is not HitPolicy.COLLECT:
        for rule in decision.rules:
            yield Alternative(f"decisions.{decision.name}.{rule.id}", rule.when, rule.then)


def _iterate_formula(name: str, value: Expression) -> Iterator[Alternative]:
    match value:
        case Choice(condition=condition, then=then, otherwise=otherwise):
            yield Alternative(name, condition, then)
            rest = tuple(_iterate_formula(name, otherwise))
            yield from rest or (Alternative("", None, otherwise),)
        case Lookup(key=key, entries=entries) if isinstance(key.type, EnumType):
            for code, (label, entry) in enumerate(zip(key.type.values, entries, strict=True)):
                when = Compare(Relation.EQ, key, Constant(key.type, code))
                yield Alternative(name, when, entry, label)
        case _ if isinstance(value.type, BooleanType):
            yield from (Alternative(name, value, "yes"), Alternative("", None, "no"))
        case _:
            return


def _iterate_others(model: DomainModel) -> Iterator[Fork]:
    for step in model.steps.values():
        edges = [item for item in step.edges if item.bound is None]
        phrase = partial(_phrase_target, model)
        found = [Alternative(name_edge_item(edge), edge.when, phrase(edge)) for edge in edges]
        if len(found) == len(step.edges) > 1:
            yield Fork(f"steps.{step.id}", "next step", tuple(found))
    for tool in model.tools.values():
        checks = list_guard_checks(tool.guard)
        refused = [
            Alternative(name_check_item(tool, check), Not(check.test), "refused")
            for check in checks
        ]
        if refused:
            rest = Alternative("", None, "carried out")
            label = f'request "{tool.description}"'
            yield Fork(f"tools.{tool.name}", label, (*refused, rest))
    for name, predicate in model.predicates.items():
        for use in list(predicate.uses.values())[:1]:
            either = (
                Alternative(f"predicates.{name}", use, "true"),
                Alternative("", None, "false"),
            )
            yield Fork(f"predicates.{name}", f'statement "{predicate.description}"', either)


def _phrase_target(model: DomainModel, edge: Edge) -> str:
    """Return what an edge leads to: the title of a step, and what an end records."""
    step: Step = model.steps[edge.to]
    ends = {model.fields[name]: value.value for name, value in (step.end or {}).items()}
    said = [f"{item.label}: {item.format_cell(value)}" for item, value in ends.items()]
    return f"{step.title} ({'; '.join(said)})" if said else step.title


def work_out(model: DomainModel, row: Known) -> Known:
    """Return a row with all that is decided from it, whatever path a case takes."""
    done, seen = Walk(dict(row)), set[str]()

    def visit(name: str) -> None:
        if name in seen or name not in model.decisions:
            return
        seen.add(name)
        for needed in sorted(collect_decision_inputs(model.decisions[name])):
            visit(needed)
        decide(model, name, done)

    for name in model.decisions:
        visit(name)
    return done.known


def find_stored(model: DomainModel, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the recorded facts that some facts follow from; None where others are needed too.

    Whether there is a record, and whether an input is well formed, is nothing that a passage says.
    """
    left, found = list(names), dict[str, None]()
    while left:
        name = left.pop()
        item = model.fields.get(name)
        if item is None or not (item.role in STORED or name in model.decisions):
            return None
        if name not in found:
            found[name] = None
            left += (
                collect_decision_inputs(model.decisions[name]) if name in model.decisions else ()
            )
    return tuple(name for name in model.fields if name in found and name not in model.decisions)
