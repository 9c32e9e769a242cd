"""The items of a model that have a source, by the names under which sources cite them.

``policy.x`` is a constant, ``decisions.d`` a decision and ``decisions.d.R1`` one of its rules,
``steps.s`` a step and ``steps.s.1`` its first edge, ``steps.s.code`` where it goes after a refusal,
``tools.t`` a tool and ``tools.t.G1`` one of its checks, ``fields.f`` a field, and so on for
``constraints.1``, ``predicates.p``, ``calendars.c`` and ``parts.p``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from sopforge.authors.sources.facts import (
    Facts,
    Figure,
    collect_facts,
    list_labels,
    list_type_figures,
    list_type_labels,
    make_figures,
)
from sopforge.authors.sources.prose.quantities import Quantity, read_quantities
from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, Edge, Step, Tool
from sopforge.language.domain.rules import Decision, Formula, HitPolicy, Table, is_first_given
from sopforge.language.domain.values.types import DateType

_NOTHING = Facts()


@dataclass(frozen=True, slots=True)
class Item:
    """Something that a model says: its name, and what prose can be compared with.

    One that ``needs_source`` must come from the brief or be an assumption. ``before`` are the
    figures of the rules that are tried before this one; ``described`` are those in the words of the
    fields that it reads, and of a step's instruction.
    """

    name: str
    facts: Facts = _NOTHING
    needs_source: bool = False
    before: tuple[Figure, ...] = ()
    described: tuple[Quantity, ...] = ()

    @property
    def own(self) -> tuple[Figure, ...]:
        """The figures that stand in it: not in the policy, in a range, or to convert units."""
        is_constant = self.name.startswith("policy.")
        is_field = self.name.startswith("fields.")
        found = (item for item in self.facts.figures if is_constant or not item.name)
        return tuple(item for item in found if not (is_field or item.is_factor))

    def has_figure(self, quantity: Quantity) -> bool:
        """Return whether it has a quantity of prose, itself or in the words that go with it."""
        if any(figure.is_said_by(quantity) for figure in (*self.facts.figures, *self.before)):
            return True
        said = {(item.value, item.unit) for item in self.described}
        return (quantity.value, quantity.unit) in said


def list_items(model: DomainModel) -> Mapping[str, Item]:
    """Return all items by name; one with parts has the facts of its parts, too."""
    found = {item.name: item for item in _Items(model).iterate()}
    return {name: _join_parts(item, found) for name, item in found.items()}


def _join_parts(item: Item, items: Mapping[str, Item]) -> Item:
    """Return an item with all that its parts say."""
    group, _, rest = item.name.partition(".")
    # What is decided is said where it is decided.
    owner = f"decisions.{rest}" if group == "fields" else item.name
    parts = [part.facts for name, part in items.items() if name.startswith(f"{owner}.")]
    parts += [items[owner].facts] if group == "fields" and owner in items else []
    return replace(item, facts=item.facts.join(parts)) if parts else item


@dataclass(frozen=True)
class _Items:
    """Lists the items of one model."""

    model: DomainModel

    @cached_property
    def introduced(self) -> Mapping[str, Field]:
        """All fields that texts may name."""
        return self.model.list_introduced_fields()

    def iterate(self) -> Iterator[Item]:
        model = self.model
        for name, item in model.policy.items():
            kind, value = item.constant.type, item.constant.value
            facts = Facts(make_figures(kind, value, name), list_labels(kind, value))
            yield Item(f"policy.{name}", facts, needs_source=True)
        for field in {item.written: item for item in self.introduced.values()}.values():
            figures, labels = tuple(list_type_figures(field.type)), list_type_labels(field.type)
            facts = Facts(figures, labels, frozenset({field.name}))
            yield self.make(f"fields.{field.written}", facts)
        for decision in model.decisions.values():
            if is_first_given(decision):
                yield from self.iterate_decision(decision)
        for step in model.steps.values():
            yield from self.iterate_step(step)
        for tool in model.offered.tools.values():
            yield from self.iterate_tool(tool)
        yield from self.iterate_others()

    def iterate_decision(self, decision: Decision) -> Iterator[Item]:
        name = f"decisions.{decision.name}"
        others = self.model.decisions.values()
        same = [item for item in others if item.shared and item.shared == decision.shared]
        shared = same or [decision]
        if isinstance(decision, Formula):
            values = [item.value for item in shared if isinstance(item, Formula)]
            yield self.make(name, collect_facts(*values), needs_source=True)
            return
        tables = [item for item in shared if isinstance(item, Table)]
        yield Item(name)
        before: tuple[Figure, ...] = ()
        for place, rule in enumerate(decision.rules):
            results = [table.rules[place].then for table in tables]
            facts = collect_facts(rule.when, *results)
            item = self.make(f"{name}.{rule.id}", facts, needs_source=True)
            yield replace(item, before=before) if decision.hit is HitPolicy.FIRST else item
            before += collect_facts(rule.when).figures

    def iterate_step(self, step: Step) -> Iterator[Item]:
        ends = self.collect_end(step)
        facts = replace(ends, fields=frozenset(step.end or {}))
        yield Item(f"steps.{step.id}", facts, described=read_quantities(step.instruction))
        for edge in (*step.edges, *step.refusals.values()):
            yield self.make_edge(edge)

    def make_edge(self, edge: Edge) -> Item:
        facts = collect_facts(edge.when)
        bound = () if edge.bound is None else (Figure(Fraction(edge.bound)),)
        target = self.collect_end(self.find_end(edge.to))
        whole = Facts((*facts.figures, *bound), facts.labels | target.labels, facts.fields)
        known = [self.model.fields[name] for name in facts.fields if name in self.model.fields]
        reads_record = any(item.role in STORED for item in known)
        return self.make(f"steps.{edge.id}", whole, needs_source=reads_record)

    def collect_end(self, step: Step) -> Facts:
        """Return the facts of the values that an end sets."""
        return collect_facts(*(step.end or {}).values())

    def find_end(self, name: str) -> Step:
        """Return the end to which a step leads by single edges, else the step itself."""
        step, seen = self.model.steps[name], {name}
        while step.end is None and len(step.edges) == 1 and step.edges[0].to not in seen:
            seen.add(step.edges[0].to)
            step = self.model.steps[step.edges[0].to]
        return step if step.end is not None else self.model.steps[name]

    def iterate_tool(self, tool: Tool) -> Iterator[Item]:
        effects = collect_facts(*tool.effects.values())
        facts = replace(effects, fields=effects.fields | frozenset(tool.effects))
        yield self.make(f"tools.{tool.name}", facts)
        for check in list_guard_checks(tool.guard):
            name = f"tools.{tool.name}.{check.id}"
            yield self.make(name, collect_facts(check.test), needs_source=True)

    def iterate_others(self) -> Iterator[Item]:
        model = self.model
        for number, condition in enumerate(model.constraints, start=1):
            yield self.make(f"constraints.{number}", collect_facts(condition))
        for name, predicate in model.predicates.items():
            yield self.make(f"predicates.{name}", collect_facts(*predicate.uses.values()))
        for name, (days, _) in model.calendars.items():
            figures = [make_figures(DateType(day, day), day) for day in days.holidays]
            yield Item(f"calendars.{name}", Facts(tuple(item for day in figures for item in day)))
        for name in model.parts:
            yield Item(f"parts.{name}")

    def make(self, name: str, facts: Facts, *, needs_source: bool = False) -> Item:
        """Return an item with what the words of its fields say."""
        fields = self.introduced
        read = [fields[item] for item in sorted(facts.fields) if item in fields]
        texts = (". ".join((item.label, item.description, *item.clauses)) for item in read)
        described = tuple(quantity for text in texts for quantity in read_quantities(text))
        return Item(name, facts, needs_source=needs_source, described=described)
