"""The rule, edge, check or formula that a reading decides a case by, in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sopforge.language.domain.expressions.expressions import (
    Expression,
    collect_named_constants,
    collect_read_fields,
)
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, Edge, Step
from sopforge.language.domain.rules import Decision, Formula, Rule, Table
from sopforge.language.domain.tool_checks import (
    INVALID_PARAMETER,
    OUT_OF_RANGE,
    SAME_RECORD,
    UNKNOWN_RECORD,
)
from sopforge.language.domain.values.types import BooleanType
from sopforge.language.english.nouns import join_items
from sopforge.language.english.words import phrase_expression
from sopforge.language.logic.walking import find_hits
from sopforge.proof.comparing.asking.tracing import Trace, name_check_item, name_edge_item

_OWN = {
    INVALID_PARAMETER: "what is stated is malformed",
    UNKNOWN_RECORD: "there is no such record",
    OUT_OF_RANGE: "a value would leave its range",
    SAME_RECORD: "two records are one",
}
Sources = Mapping[str, Sequence[str]]
"""Sentences of the brief, word for word, by the name of the item that rests on them."""


@dataclass(frozen=True, slots=True)
class Ground:
    """An item of a model in words; ``parts`` are the expressions that it is made of."""

    item: str
    words: str
    parts: tuple[Expression, ...] = ()

    def find_sources(self, sources: Sources) -> tuple[str, ...]:
        """Return what it rests on: what is said of itself, else of numbers that it names.

        Else it is what is said of the decision, step or tool that it is a part of, or of the facts
        that it reads.
        """
        group, name, *_ = self.item.split(".")
        around = [f"{group}.{name}", *([f"fields.{name}"] if group == "decisions" else [])]
        numbers = [f"policy.{name}" for part in self.parts for name in _sort_constants(part)]
        facts = [f"fields.{name}" for part in self.parts for name in _sort_fields(part)]
        for names in ([self.item], numbers, around, facts):
            found = [sentence for name in names for sentence in sources.get(name, ())]
            if found:
                return tuple(dict.fromkeys(found))
        return ()


def _sort_fields(part: Expression) -> list[str]:
    return sorted(collect_read_fields(part))


def _sort_constants(part: Expression) -> list[str]:
    return sorted(collect_named_constants(part))


@dataclass(slots=True)
class Grounds:
    """The grounds of one model, by the names under which sources and traces know them."""

    model: DomainModel
    sources: Sources = field(default_factory=dict)
    known: dict[str, Ground] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.known = {ground.item: ground for ground in self.iterate_grounds()}

    def iterate_grounds(self) -> Iterator[Ground]:
        """Yield what can decide a case."""
        for decision in self.model.decisions.values():
            yield from self.iterate_decision_grounds(decision)
        for step in self.model.steps.values():
            for edge in step.edges:
                tested: tuple[Expression, ...] = () if edge.when is None else (edge.when,)
                yield Ground(name_edge_item(edge), self.phrase_edge(step, edge), tested)
            for edge in step.refusals.values():
                yield Ground(name_edge_item(edge), self.phrase_refusal(step, edge))
        for tool in self.model.tools.values():
            for check in list_guard_checks(tool.guard):
                says = check.says.strip().rstrip(".")
                words = f"Unless {self.phrase(check.test)}, it is refused: {says}."
                yield Ground(name_check_item(tool, check), words, (check.test,))

    def iterate_decision_grounds(self, decision: Decision) -> Iterator[Ground]:
        if isinstance(decision, Formula):
            words = self.phrase_formula(decision)
            yield Ground(f"decisions.{decision.target}", words, (decision.value,))
            return
        for rule in decision.rules:
            parts = (rule.then,) if rule.when is None else (rule.when, rule.then)
            item = f"decisions.{decision.name}.{rule.id}"
            yield Ground(item, self.phrase_rule(decision, rule), parts)

    def phrase_rule(self, table: Table, rule: Rule) -> str:
        item = self.model.fields[table.target]
        gives = f"the {item.label} is {self.phrase(rule.then)}"
        if rule.when is None:
            return f"In every other case {gives}."
        return f"If {self.phrase(rule.when)}, {gives}."

    def phrase_formula(self, formula: Formula) -> str:
        item = self.model.fields[formula.target]
        if isinstance(item.type, BooleanType):
            return f'The {item.label} is "yes" if {self.phrase(formula.value)}, else "no".'
        return f"The {item.label} is {phrase_expression(formula.value, self.model.fields)}."

    def phrase_edge(self, step: Step, edge: Edge) -> str:
        onward = self.phrase_target(edge)
        if edge.when is None:
            return f"{'In every other case' if len(step.edges) > 1 else 'Then'} {onward}."
        return f"If {self.phrase(edge.when)}, {onward}."

    def phrase_refusal(self, step: Step, edge: Edge) -> str:
        tool = self.model.tools.get(step.call or "")
        checks = list_guard_checks(tool.guard) if tool else ()
        tests = [self.phrase(check.test) for check in checks if check.refusal == edge.name]
        # Other codes are those of what a tool checks by itself: forms, and records.
        reason = (
            f"Unless {' and '.join(tests)}"
            if tests
            else f"Where {_OWN.get(edge.name, 'it is refused')}"
        )
        return f"{reason}, {self.phrase_target(edge)}."

    def phrase_target(self, edge: Edge) -> str:
        target = self.model.steps[edge.to]
        if not target.end:
            return f'the case goes on with "{target.title}"'
        ends = [
            f"the {self.model.fields[name].label} is {self.phrase(value)}"
            for name, value in target.end.items()
        ]
        return join_items(ends)

    def phrase(self, expression: Expression) -> str:
        return phrase_expression(expression, self.model.fields)

    # which of them decided

    def find_changed(self, before: DomainModel, wrong: DomainModel, trace: Trace) -> Ground | None:
        """Return what a model with a mistake reads differently from the one ``before``."""
        return self.get_first(_Changes(before, wrong, trace).iterate_items())

    def find_by_facts(self, trace: Trace, facts: frozenset[str], answer: str) -> Ground | None:
        """Return what decided a case by some facts, else what gave it an answer."""
        reading = [item for item, read in trace.items.items() if read & facts]
        reading.sort(key=lambda item: len(trace.items[item] - facts))
        return self.get_first(reading) or self.find_decider(trace, answer)

    def find_decider(self, trace: Trace, answer: str) -> Ground | None:
        """Return what gave an answer: a rule or a formula, else the last fork of the path."""
        if trace.undecided:
            label = self.model.fields[trace.undecided].label
            return Ground(f"decisions.{trace.undecided}", f"No rule says what the {label} is here.")
        deciding = [item for item in trace.items if item not in trace.passed]
        given = [item for item in deciding if item.split(".")[1] == answer]
        forks = [item for item in deciding if item.startswith(("steps.", "tools."))]
        found = self.get_first([*given, *reversed(forks), *reversed(deciding)])
        return self._follow(found, trace) if found else None

    def _follow(self, ground: Ground, trace: Trace) -> Ground:
        """Return the rule by which a case came to a ground that only sums up what was decided.

        "A hold where the finding is one of ..." says less than the rule that gave the finding.
        """
        seen = {ground.item}
        while True:
            read = frozenset().union(*(collect_read_fields(part) for part in ground.parts))
            decided = [name for name in read if name in self.model.decisions]
            below = self.get_first(
                item for item in trace.items if item.split(".")[:2] == ["decisions", *decided]
            )
            if len(decided) != len(read) or len(decided) != 1 or below is None:
                return ground
            if below.item in seen:
                return ground
            seen.add(below.item)
            ground = below

    def list_turning(self, ground: Ground, trace: Trace) -> frozenset[str]:
        """Return the facts that a ground itself reads, those of what it reads that was decided too.

        What was tried before a rule is left out: that it did not apply is no reason for it.
        """
        facts: set[str] = set()
        seen, left = {ground.item}, [ground]
        while left:
            read = frozenset().union(*map(collect_read_fields, left.pop().parts))
            for name in read:
                if name not in self.model.decisions:
                    facts.add(name)
                    continue
                owner = self.model.decisions[name]
                table = owner.name if isinstance(owner, Table) else name
                below = [
                    item for item in trace.items if item.split(".")[:2] == ["decisions", table]
                ]
                left += [
                    self.known[item] for item in below if item in self.known and item not in seen
                ]
                seen |= set(below)
        return frozenset(facts)

    def get_first(self, items: Iterable[str]) -> Ground | None:
        return next((self.known[item] for item in items if item in self.known), None)


@dataclass(frozen=True, slots=True)
class _Changes:
    """What a model with a mistake reads otherwise, as it concerns one case."""

    model: DomainModel
    wrong: DomainModel
    trace: Trace

    def iterate_items(self) -> Iterator[str]:
        """Yield the items that the mistake is about, those on the path of the case first."""
        found = [*self.iterate_rules(), *self.iterate_edges(), *self.iterate_checks()]
        decided = {item.rpartition(".")[0] for item in self.trace.items}
        yield from (item for item in found if item.rpartition(".")[0] in decided)
        yield from found

    def iterate_checks(self) -> Iterator[str]:
        for name, tool in self.model.tools.items():
            other = self.wrong.tools[name]
            if other is not tool and other.guard != tool.guard:
                tests = {check.id: check.test for check in list_guard_checks(other.guard)}
                for check in list_guard_checks(tool.guard):
                    if tests.get(check.id) != check.test:
                        yield name_check_item(tool, check)

    def iterate_rules(self) -> Iterator[str]:
        for target, decision in self.model.decisions.items():
            other = self.wrong.decisions[target]
            if other is decision or other == decision:
                continue
            if not isinstance(decision, Table) or not isinstance(other, Table):
                yield f"decisions.{target}"
                continue
            for rule in self.list_concerned_rules(decision, other):
                yield f"decisions.{decision.name}.{rule.id}"

    def list_concerned_rules(self, table: Table, other: Table) -> list[Rule]:
        """Return the rules by which a table and one with a mistake part, the likeliest first."""
        hits = find_hits(table, self.trace.known)
        others = {rule.id for rule in find_hits(other, self.trace.known)}
        apart = [rule for rule in hits if rule.id not in others]
        apart += [rule for rule in table.rules if rule.id in others and rule not in hits]
        before = {rule.id: rule for rule in other.rules}
        changed = [rule for rule in table.rules if before.get(rule.id) != rule]
        ranked = [rule for rule in apart if rule in changed and rule.when is not None]
        # A rule that moved is not another one: the two that both apply part.
        ranked += [rule for rule in apart if rule.when is not None]
        return [*ranked, *(rule for rule in changed if rule in hits), *changed, *hits]

    def iterate_edges(self) -> Iterator[str]:
        for name, step in self.model.steps.items():
            other = self.wrong.steps[name]
            if other is step or other == step or name not in self.trace.path:
                continue
            edges = _list_edges(step)
            before = {edge.name: edge for edge in _list_edges(other)}
            changed = [edge for edge in edges if before.get(edge.name) != edge]
            taken = [edge for edge in edges if edge.id in self.trace.path]
            own = [edge for edge in changed if edge in taken]
            tested = [edge for edge in changed if edge.when is not None]
            yield from map(name_edge_item, (*own, *tested, *changed))
            if step.end != other.end:
                yield from self.iterate_edges_into(name)

    def iterate_edges_into(self, name: str) -> Iterator[str]:
        for step in self.model.steps.values():
            for edge in _list_edges(step):
                if edge.to == name and edge.id in self.trace.path:
                    yield name_edge_item(edge)


def _list_edges(step: Step) -> tuple[Edge, ...]:
    return (*step.edges, *step.refusals.values())


def read_sources(remarks: object) -> dict[str, tuple[str, ...]]:
    """Return the sentences of the brief by the items that rest on them, of a document's remarks.

    ``remarks`` is plain data, in which anything may be missing.

    >>> read_sources({"sources": [{"says": "Within 30 days.", "items": ["policy.days"]}]})
    {'policy.days': ('Within 30 days.',)}
    """
    listed = remarks.get("sources") if isinstance(remarks, Mapping) else None
    found: dict[str, tuple[str, ...]] = {}
    for part in listed if isinstance(listed, Sequence) and not isinstance(listed, str) else ():
        says, items = _read_source(part)
        for item in items:
            found[item] = (*found.get(item, ()), says)
    return found


def _read_source(part: object) -> tuple[str, Iterable[str]]:
    if not isinstance(part, Mapping):
        return "", ()
    says, items = part.get("says"), part.get("items")
    if not isinstance(says, str) or not isinstance(items, Sequence) or isinstance(items, str):
        return "", ()
    return says, [item for item in items if isinstance(item, str)]
