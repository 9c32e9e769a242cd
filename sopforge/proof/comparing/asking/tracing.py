"""What a reading decides a case by: the rules and edges that it comes to, and their facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sopforge.language.domain.expressions.algebra import Interpretation
from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AllOf,
    AnyOf,
    Choice,
    Expression,
    Lookup,
    Presence,
    Read,
    Selection,
    collect_all_read_fields,
    list_children,
)
from sopforge.language.domain.fields import STORED
from sopforge.language.domain.guards import GuardLeaf, list_guard_checks
from sopforge.language.domain.model import DomainModel, Edge, Step, Tool, ToolKind, order_decisions
from sopforge.language.domain.rules import Formula, HitPolicy, Table
from sopforge.language.domain.values.malformed_inputs import find_marked_field
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import build_reading
from sopforge.language.logic.walking import Walk, find_hits, iterate_finished_steps
from sopforge.proof.dataset.oracle import label_row

Row = Mapping[str, Value | None]


@dataclass(frozen=True, slots=True)
class Trace:
    """What decided a case, in the order of its path, each with the facts that this took.

    Items are named as sources name them: ``decisions.fee.R1``, ``steps.go.1``, ``tools.book.G1``.
    ``answers`` has what is scored, None where the case came to no answer, and ``facts`` by answer
    the facts of the row that it takes. ``passed`` are the checks that let a call pass, and
    ``undecided`` is what no rule decides, which ends a case.
    """

    items: Mapping[str, frozenset[str]]
    facts: Mapping[str, frozenset[str]]
    answers: Mapping[str, Value | None]
    known: Row
    path: tuple[str, ...] = ()
    passed: frozenset[str] = frozenset()
    undecided: str = ""


def trace_case(model: DomainModel, row: Row, names: Iterable[str]) -> Trace:
    """Return what decides a case, and which facts of its row that takes."""
    done = label_row(model, row)
    tracer = _Tracer(model, {**row, **done.known})
    path = dict(tracer.iterate_path_items(done))
    has_ended = done.refusal is None and not done.undecided
    answers = {name: done.known.get(name) if has_ended else None for name in names}
    items, facts = path, {}
    decided = tracer.collect_targets(done)
    for name in answers:
        own = tracer.collect_items(name, decided)
        facts[name] = frozenset().union(*path.values(), *own.values())
        items = {**items, **own}
    passed, course = frozenset(tracer.passed), tuple(done.path)
    return Trace(items, facts, answers, tracer.known, course, passed, done.undecided)


@dataclass(slots=True)
class _Tracer:
    """Collects what a case was decided by; ``known`` is all that is known of it at its end."""

    model: DomainModel
    known: Row
    reading: Interpretation[Value] = field(init=False)
    supports: dict[str, frozenset[str]] = field(default_factory=dict)
    passed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.reading = build_reading(self.known)

    def iterate_path_items(self, done: Walk) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield the edges and refusals by which a case took its path, where there was a choice."""
        taken = set(done.path)
        for step in iterate_finished_steps(self.model, done.path):
            yield from self.iterate_refusals(step, taken)
            if len(step.edges) > 1:
                edge = next((item for item in step.edges if item.id in taken), None)
                if edge is not None:
                    yield name_edge_item(edge), self.collect_facts(_list_tested(step, edge))

    def iterate_refusals(self, step: Step, taken: set[str]) -> Iterator[tuple[str, frozenset[str]]]:
        tool = self.model.tools.get(step.call or "")
        if tool is None:
            return
        for check in list_guard_checks(tool.guard):
            item = name_check_item(tool, check)
            yield item, self.collect_facts([check.test])
            if not self.holds(check.test):
                self.passed.discard(item)
                break
            self.passed.add(item)
        for edge in step.refusals.values():
            if edge.id in taken:
                yield name_edge_item(edge), frozenset(self.iterate_form_facts(tool))

    def iterate_form_facts(self, tool: Tool) -> Iterator[str]:
        """Yield the inputs whose form a call checks, and the keys of records that it looks for."""
        able = {item.name for item in self.model.malformable}
        yield from (name for name in tool.takes if name in able)
        for entity in self.model.list_entities_read(tool):
            if self.model.may_lack(entity):
                yield entity.key

    def collect_items(self, name: str, decided: frozenset[str]) -> dict[str, frozenset[str]]:
        """Return the rules and formulas that a value follows from, and what these follow from."""
        found: dict[str, frozenset[str]] = {}
        waiting = [name]
        while waiting:
            target = waiting.pop()
            if target not in decided:
                continue
            for item, parts in self.iterate_decision_parts(target):
                if item not in found:
                    read = frozenset(self.iterate_reads(parts))
                    found[item] = self.expand_facts(read)
                    waiting += sorted(read & self.model.decisions.keys())
        return found

    def collect_targets(self, done: Walk) -> frozenset[str]:
        """Return what was decided on the path, by the agent or inside of a tool."""
        found = set(done.known) & self.model.decisions.keys()
        for step in iterate_finished_steps(self.model, done.path):
            tool = self.model.tools.get(step.call or "")
            if tool is not None and tool.kind is ToolKind.COMPUTE:
                found |= set(order_decisions(self.model, tool.returns, tool.takes))
        return frozenset(found)

    def iterate_decision_parts(self, target: str) -> Iterator[tuple[str, list[Expression]]]:
        """Yield what gives a decision its value, each with the expressions that were needed."""
        decision = self.model.decisions[target]
        if isinstance(decision, Formula):
            yield f"decisions.{target}", [decision.value]
            return
        hits = find_hits(decision, self.known)
        if decision.hit is HitPolicy.COLLECT:
            tested = [rule.when for rule in decision.rules if rule.when is not None]
        else:
            tested = _list_rules_tested(decision, {rule.id for rule in hits})
        for rule in hits:
            yield f"decisions.{decision.name}.{rule.id}", [*tested, rule.then]

    def collect_facts(self, parts: Iterable[Expression]) -> frozenset[str]:
        return self.expand_facts(frozenset(self.iterate_reads(parts)))

    def expand_facts(self, names: frozenset[str]) -> frozenset[str]:
        """Return the facts of the row that some names stand for."""
        return frozenset(fact for name in names for fact in self.find_support(name))

    def find_support(self, name: str) -> frozenset[str]:
        """Return the facts of the row that a value follows from."""
        if name not in self.supports:
            self.supports[name] = frozenset()  # while it is looked for
            self.supports[name] = self.derive_support(name)
        return self.supports[name]

    def derive_support(self, name: str) -> frozenset[str]:
        item = self.model.fields.get(name)
        if item is None:  # whether there is a record
            key = next((part.key for part in self.model.references if part.name == name), "")
            return frozenset({key} if key else ())
        if item.role in STORED:
            return frozenset({name})
        if name not in self.model.decisions:
            return frozenset()
        parts = [part for _, found in self.iterate_decision_parts(name) for part in found]
        return self.collect_facts(parts)

    def iterate_reads(self, parts: Iterable[Expression]) -> Iterator[str]:
        for part in parts:
            yield from self.list_reads(part)

    def list_reads(self, node: Expression) -> frozenset[str]:  # noqa: PLR0911 - one case per node
        """Return what an expression needs to be known for its value on this case."""
        match node:
            case Read(field=name) | Presence(field=name):
                return frozenset({find_marked_field(name) or name})
            case AllOf(operands=operands):
                return self.choose_reads(operands, deciding=False)
            case AnyOf(operands=operands):
                return self.choose_reads(operands, deciding=True)
            case Choice():
                side = node.then if self.holds(node.condition) else node.otherwise
                return self.list_reads(node.condition) | self.list_reads(side)
            case Lookup():
                return self.list_lookup_reads(node)
            case Aggregate() | Selection():
                # What is inside is about items, each of which has its own values.
                return collect_all_read_fields([node])
            case _:
                return frozenset().union(*(self.list_reads(part) for part in list_children(node)))

    def choose_reads(self, operands: tuple[Expression, ...], *, deciding: bool) -> frozenset[str]:
        """Return what one operand needs that decides alone, else what all of them need."""
        alone = [part for part in operands if self.holds(part) is deciding]
        if alone:
            return min((self.list_reads(part) for part in alone), key=len)
        return frozenset().union(*(self.list_reads(part) for part in operands))

    def list_lookup_reads(self, node: Lookup) -> frozenset[str]:
        code = self.reading.interpret_node(node.key)
        entry = node.entries[code] if isinstance(code, int) else node.entries[0]
        return self.list_reads(node.key) | self.list_reads(entry)

    def holds(self, condition: Expression) -> bool:
        return bool(self.reading.interpret_node(condition))


def _list_tested(step: Step, taken: Edge) -> list[Expression]:
    place = step.edges.index(taken)
    return [edge.when for edge in step.edges[: place + 1] if edge.when is not None]


def _list_rules_tested(table: Table, hits: set[str]) -> list[Expression]:
    """Return the conditions that had to be looked at for the rule that decided."""
    tested: list[Expression] = []
    for rule in table.rules:
        if rule.id in hits:
            return [*tested, rule.when] if rule.when is not None else tested
        if rule.when is not None and table.is_in_turn:
            tested.append(rule.when)
    return tested


def name_edge_item(edge: Edge) -> str:
    """Return what sources call an edge."""
    return f"steps.{edge.step}.{edge.name}"


def name_check_item(tool: Tool, check: GuardLeaf) -> str:
    """Return what sources call a check of a tool's guard."""
    return f"tools.{tool.offered_name}.{check.id}"
