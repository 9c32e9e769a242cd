"""The items of a model that have a source, by the names under which sources cite them.

``policy.x`` is a constant, ``decisions.d`` a decision and ``decisions.d.R1`` one of its rules,
``steps.s`` a step and ``steps.s.1`` its first edge, ``steps.s.code`` where it goes after a refusal,
``tools.t`` a tool and ``tools.t.G1`` one of its checks, ``fields.f`` a field, and so on for
``constraints.1``, ``predicates.p``, ``calendars.c`` and ``parts.p``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from sopforge.domain.fields import STORED, Field, Role
from sopforge.domain.guards import list_guard_checks
from sopforge.domain.language.expressions import Constant, Expression
from sopforge.domain.model import DomainModel, Edge, Step, Tool
from sopforge.domain.rules import Decision, Formula, HitPolicy, Rule, Table, is_first_given
from sopforge.domain.values.types import BooleanType, DateType
from sopforge.sources.facts import (
    NO_FACTS,
    Facts,
    Figure,
    collect_facts,
    collect_result_facts,
    list_labels,
    list_type_figures,
    list_type_labels,
    make_figures,
    read_constant,
)
from sopforge.sources.prose.quantities import Quantity, read_quantities
from sopforge.sources.prose.stems import list_stems


@dataclass(frozen=True, slots=True)
class Item:
    """Something that a model says: its name, what prose can be compared with, and its words.

    ``own`` are the figures that stand in it rather than in the policy. One that ``needs_source``
    must come from the brief or be an assumption; one that ``is_default`` holds in all other cases.
    ``uses`` are the limits that a constant is in other items, by their names; ``before`` are the
    figures of the rules that are tried before this one; ``described`` are those in the words of the
    fields that it reads, and of a step's instruction. ``says`` is what a predicate is said to be,
    ``gives`` the constants that a rule gives as they are, ``answers`` the yes/no facts.
    """

    name: str
    facts: Facts = NO_FACTS
    own: tuple[Figure, ...] = ()
    needs_source: bool = False
    is_default: bool = False
    words: frozenset[str] = frozenset()
    uses: tuple[tuple[str, Figure], ...] = ()
    before: tuple[Figure, ...] = ()
    described: tuple[Quantity, ...] = ()
    says: str = ""
    gives: tuple[Figure, ...] = ()
    answers: frozenset[tuple[str, bool]] = frozenset()


def list_items(model: DomainModel) -> Mapping[str, Item]:
    """Return all items by name; one with parts has the facts of its parts, too."""
    found: dict[str, Item] = {}
    for item in _Items(model).iterate():
        found[item.name] = item
    return _with_uses(_with_parts(found))


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
            constant = item.constant
            figures = make_figures(constant.type, constant.value, name)
            facts = Facts(figures, list_labels(constant.type, constant.value))
            words = list_stems(f"{name} {item.meaning}")
            yield Item(f"policy.{name}", facts, figures, needs_source=True, words=words)
        for field_ in self._iterate_fields():
            yield self._make_field(field_)
        for decision in model.decisions.values():
            if is_first_given(decision):
                yield from self._iterate_decision(decision)
        for step in model.steps.values():
            yield from self._iterate_step(step)
        for tool in model.offered.tools.values():
            yield from self._iterate_tool(tool)
        yield from self._iterate_others()

    def _iterate_fields(self) -> Iterator[Field]:
        seen: set[str] = set()
        for item in self.introduced.values():
            if item.written not in seen:
                seen.add(item.written)
                yield item

    def _make_field(self, item: Field) -> Item:
        figures = tuple(list_type_figures(item.type))
        words = [item.missing] if item.missing else []
        labels = list_type_labels(item.type) | {(word, (word,)) for word in words}
        facts = Facts(figures, labels, fields=frozenset({item.name}))
        # Whether there is one hangs on the others: "unless the decision is ..., it is blank".
        others = self.model.outcomes if item.role is Role.OUTCOME else ()
        stems = frozenset[str]().union(*(self._collect_stems(other.name) for other in others))
        said = " ".join(label for other in others for label, _ in list_type_labels(other.type))
        stems |= list_stems(said)
        return self._make(f"fields.{item.written}", facts, stems, self.introduced)

    def _iterate_decision(self, decision: Decision) -> Iterator[Item]:
        name = f"decisions.{decision.shared.name if decision.shared else decision.target}"
        shared = [
            d for d in self.model.decisions.values() if d.shared and d.shared == decision.shared
        ] or [decision]
        words = list_stems(decision.description) | self._collect_stems(decision.target)
        if isinstance(decision, Formula):
            values = [item.value for item in shared if isinstance(item, Formula)]
            yield self._make(name, collect_result_facts(*values), words, is_required=True)
            return
        tables = [item for item in shared if isinstance(item, Table)]
        yield self._make(name, NO_FACTS, words)
        before: tuple[Figure, ...] = ()
        for place, rule in enumerate(decision.rules):
            results = [table.rules[place].then for table in tables]
            item = replace(
                self._make_rule(name, rule, results, words),
                answers=frozenset(
                    (table.target, bool(result.value))
                    for table, result in zip(tables, results, strict=True)
                    if isinstance(result, Constant) and isinstance(result.type, BooleanType)
                ),
            )
            yield replace(item, before=before) if decision.hit is HitPolicy.FIRST else item
            before += collect_facts(rule.when).figures

    def _make_rule(
        self, decision: str, rule: Rule, results: Sequence[Expression], words: frozenset[str]
    ) -> Item:
        facts = collect_facts(rule.when).join(collect_result_facts(*results))
        item = self._make(f"{decision}.{rule.id}", facts, words, is_required=True)
        gives = tuple(figure for result in results for figure in read_constant(result))
        return replace(item, is_default=rule.when is None, gives=gives)

    def _iterate_step(self, step: Step) -> Iterator[Item]:
        model = self.model
        ends = [list_labels(item.type, item.value) for item in (step.end or {}).values()]
        labels = frozenset[tuple[str, tuple[str, ...]]]().union(*ends)
        tool = model.tools.get(step.call or "")
        names = (
            f"{step.title} {step.instruction} {step.hand_to} {tool.offered_name if tool else ''}"
        )
        words = list_stems(names)
        for name in (*step.decide, *(step.end or {})):
            words |= self._collect_stems(name)
        values = [
            item for end in (step.end or {}).values() for item in make_figures(end.type, end.value)
        ]
        facts = Facts(tuple(values), labels, given=labels, fields=frozenset(step.end or {}))
        described = read_quantities(step.instruction)
        yield Item(f"steps.{step.id}", facts, words=words, described=described)
        for edge in (*step.edges, *step.refusals.values()):
            yield self._make_edge(edge, words)

    def _make_edge(self, edge: Edge, words: frozenset[str]) -> Item:
        facts = collect_facts(edge.when)
        bound = () if edge.bound is None else (Figure(Fraction(edge.bound)),)
        facts = replace(facts, figures=(*facts.figures, *bound))
        target = self._find_end(edge.to)
        ends = [list_labels(item.type, item.value) for item in (target.end or {}).values()]
        facts = replace(facts, given=frozenset[tuple[str, tuple[str, ...]]]().union(*ends))
        reads_record = any(
            self.model.fields[name].role in STORED
            for name in facts.fields
            if name in self.model.fields
        )
        words = words | list_stems(target.title)
        item = self._make(
            f"steps.{edge.id}", facts, words, is_required=bool(edge.when and reads_record)
        )
        return replace(item, is_default=edge.when is None)

    def _find_end(self, name: str) -> Step:
        """Return the end to which a step leads by single edges, else the step itself."""
        step, seen = self.model.steps[name], {name}
        while step.end is None and len(step.edges) == 1 and step.edges[0].to not in seen:
            seen.add(step.edges[0].to)
            step = self.model.steps[step.edges[0].to]
        return step if step.end is not None else self.model.steps[name]

    def _iterate_tool(self, tool: Tool) -> Iterator[Item]:
        words = list_stems(f"{tool.name} {tool.description}")
        effects = collect_result_facts(*tool.effects.values())
        offered = self.model.offered.fields
        facts = replace(effects, fields=effects.fields | frozenset(tool.effects))
        yield self._make(f"tools.{tool.name}", facts, words, offered)
        for check in list_guard_checks(tool.guard):
            own = words | list_stems(f"{check.says} {check.refusal}")
            yield self._make(
                f"tools.{tool.name}.{check.id}",
                collect_facts(check.test),
                own,
                offered,
                is_required=True,
            )

    def _iterate_others(self) -> Iterator[Item]:
        model = self.model
        for number, condition in enumerate(model.constraints, start=1):
            yield self._make(f"constraints.{number}", collect_facts(condition), frozenset())
        for name, predicate in model.predicates.items():
            facts = collect_facts(*predicate.uses.values())
            item = self._make(f"predicates.{name}", facts, list_stems(predicate.description))
            yield replace(item, says=predicate.description)
        for name, (days, meaning) in model.calendars.items():
            figures = tuple(
                item for day in days.holidays for item in make_figures(DateType(day, day), day)
            )
            yield Item(f"calendars.{name}", Facts(figures), words=list_stems(meaning))
        for name, part in model.parts.items():
            yield Item(f"parts.{name}", words=list_stems(part.title))

    def _make(
        self,
        name: str,
        facts: Facts,
        words: frozenset[str],
        fields: Mapping[str, Field] | None = None,
        *,
        is_required: bool = False,
    ) -> Item:
        own = tuple(item for item in facts.figures if not (item.name or item.is_factor))
        own = () if name.startswith("fields.") else own
        read = frozenset().union(*(self._collect_stems(item, fields) for item in facts.fields))
        said = list_stems(" ".join(label for label, _ in facts.labels | facts.given))
        return Item(
            name,
            facts,
            own,
            needs_source=is_required,
            words=words | read | said,
            described=tuple(
                quantity for item in sorted(facts.fields) for quantity in self._describe(item)
            ),
        )

    def _describe(self, name: str) -> tuple[Quantity, ...]:
        """Return the quantities in the words of a field, as of persons "of 16 or over"."""
        item = self.introduced.get(name)
        if item is None:
            return ()
        said = ". ".join(item.clauses)
        return read_quantities(f"{item.label}. {item.description}. {said}")

    def _collect_stems(
        self, name: str, fields: Mapping[str, Field] | None = None
    ) -> frozenset[str]:
        item = (fields or self.model.fields).get(name)
        if item is None:
            return list_stems(name)
        said = " ".join(item.clauses)
        return list_stems(f"{item.name} {item.label} {item.description} {item.missing} {said}")


def _with_parts(items: Mapping[str, Item]) -> dict[str, Item]:
    """Return the items, those with parts with all that their parts say."""
    found = dict(items)
    for name, item in items.items():
        group, _, rest = name.partition(".")
        # What is decided is said where it is decided.
        owner = f"decisions.{rest}" if group == "fields" else name
        parts = [part for other, part in items.items() if other.startswith(f"{owner}.")]
        parts += [items[owner]] if group == "fields" and owner in items else []
        if parts:
            words = item.words.union(*(part.words for part in parts))
            facts = item.facts.join(*(part.facts for part in parts))
            found[name] = replace(item, facts=facts, words=words)
    return found


def _with_uses(items: Mapping[str, Item]) -> Mapping[str, Item]:
    """Return the items, constants with the limits that they are elsewhere.

    A constant that a decision gives is a limit where something is compared with what is decided.
    """
    # What has parts shows what they say.
    whole = {name.rpartition(".")[0] for name in items if name.count(".") > 1}
    own = {name: item for name, item in items.items() if name not in whole}
    uses: dict[str, list[tuple[str, Figure]]] = {}
    for name, item in own.items():
        for figure in item.facts.figures:
            if figure.name and figure.side and not name.startswith("policy."):
                uses.setdefault(f"policy.{figure.name}", []).append((name, figure))
        for decided, side, is_upwards in item.facts.compared:
            for other, given in own.items():
                for figure in given.gives if _is_rule_of(other, decided) else ():
                    if figure.name:
                        limit = replace(figure, side=side, is_upwards=is_upwards)
                        uses.setdefault(f"policy.{figure.name}", []).append((name, limit))
    return {name: replace(item, uses=tuple(uses.get(name, ()))) for name, item in items.items()}


def _is_rule_of(name: str, decided: str) -> bool:
    """Return whether an item is a rule of the decision on a field."""
    return name.startswith(f"decisions.{decided}.")
