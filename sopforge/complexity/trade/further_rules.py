"""Rules that a procedure could have besides its own, in cases that another rule decides already."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from sopforge.complexity.passages import Passage, Where
from sopforge.complexity.rule_lines import RuleLine, collect_rule_lines, phrase_condition
from sopforge.complexity.variant import Variant
from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Constant,
    Contains,
    Element,
    Expression,
    OneOf,
    Read,
    Relation,
    collect_all_read_fields,
    collect_read_fields,
    iterate_parts,
    walk,
)
from sopforge.domain.model import DomainModel, collect_deciding_expressions
from sopforge.domain.rules import HitPolicy, Table
from sopforge.domain.values.types import EnumType, encode, require_integer, to_cell
from sopforge.logic.phrasing.idioms import flatten_group, unwrap_node
from sopforge.logic.variants.substitution import replace_part
from sopforge.material.earlier_values import draw_earlier_value
from sopforge.rendering.sop.added.redundant_rules import REDUNDANT
from sopforge.seeds import permute_items

_TARGET = re.compile(r"go (?:on )?to (step \d[^)]*\))")
_STRICTER = {Relation.GT: 1, Relation.GE: 1, Relation.LT: -1, Relation.LE: -1}
"""In which direction a limit on the right of a comparison makes it stricter."""
_TURNS = 4
"""So often a rule is the one that takes the cases; of so many, one gives the same result."""


@dataclass(frozen=True, slots=True)
class _RuleList:
    """Lines of which the first that applies decides, what they may give, and what they read."""

    lines: Sequence[RuleLine]
    results: Sequence[str]
    read: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Stricter:
    """A condition that fewer cases meet, and the limits of which it has another value."""

    condition: Expression
    limits: tuple[str, ...] = ()


def iterate_redundant_rules(variant: Variant, seed: int) -> Iterator[Passage]:
    """Yield rules and transitions that change nothing, one of each list in turn.

    Most stand after a rule that takes all their cases, and give another result; some stand before
    one that gives the same.
    """
    lists = permute_items(_collect_lists(variant), seed, "lists")
    turns = zip_longest(*(_iterate_redundant(variant, rules, seed) for rules in lists))
    said = set[str]()
    for passage in filter(None, chain.from_iterable(turns)):
        if passage.line.text not in said:
            said.add(passage.line.text)
            yield passage


def _collect_lists(variant: Variant) -> list[_RuleList]:
    """Return the lists of rules and of transitions of which the first that applies decides."""
    found: dict[tuple[str, str], list[RuleLine]] = {}
    for item in collect_rule_lines(variant):
        kind, _, name = item.states.partition(" ")
        found.setdefault((kind, name.rpartition(".")[0]), []).append(item)
    made = (
        _make_rule_list(variant.model, name, lines)
        if kind == "rule"
        else _make_transition_list(variant, name, lines)
        for (kind, name), lines in found.items()
    )
    return [rules for rules in made if rules is not None]


def _make_rule_list(model: DomainModel, name: str, lines: Sequence[RuleLine]) -> _RuleList | None:
    table = model.decisions[name]
    if not isinstance(table, Table) or table.hit is not HitPolicy.FIRST:
        return None
    labels = [
        f'"{to_cell(rule.then.type, rule.then.value)}"'
        for rule in table.rules
        if isinstance(rule.then, Constant) and isinstance(rule.then.type, EnumType)
    ]
    conditions = [rule.when for rule in table.rules if rule.when is not None]
    return _RuleList(lines, [*dict.fromkeys(labels)], collect_all_read_fields(conditions))


def _make_transition_list(
    variant: Variant, name: str, lines: Sequence[RuleLine]
) -> _RuleList | None:
    edges = variant.model.steps[name].edges
    if any(edge.bound is not None for edge in edges):
        return None  # one that is counted would be counted where another is taken
    stated = {f"edge {edge.id}" for edge in edges}
    targets = [
        f"go to {target}"
        for line in variant.sop.lines
        if stated & set(line.states)
        for target in _TARGET.findall(line.text)
    ]
    conditions = [edge.when for edge in edges if edge.when is not None]
    return _RuleList(lines, [*dict.fromkeys(targets)], collect_all_read_fields(conditions))


def _iterate_redundant(variant: Variant, rules: _RuleList, seed: int) -> Iterator[Passage]:
    """Yield redundant rules of a list: some that are taken already, then one that repeats."""
    number = 0
    for turn in range(_TURNS):
        for item in permute_items(rules.lines, seed, "taken", turn, rules.lines[0].states):
            said = _phrase_stricter(variant, item, rules, seed + turn)
            if said:
                number += 1
                yield _make_passage(item, rules, said, number, seed)


def _make_passage(
    item: RuleLine, rules: _RuleList, condition: str, number: int, seed: int
) -> Passage:
    others = [result for result in rules.results if result != item.result]
    if not others or number % _TURNS == 0:
        return Passage(
            item.write_like(condition, item.result, REDUNDANT), Where(precedes=item.states)
        )
    result = permute_items(others, seed, "result", condition)[0]
    later = rules.lines[rules.lines.index(item) :]
    after = permute_items(later, seed, "after", condition)[0]
    return Passage(item.write_like(condition, result, REDUNDANT), Where(joins=after.states))


def _phrase_stricter(variant: Variant, item: RuleLine, rules: _RuleList, seed: int) -> str:
    """Return a condition that fewer cases meet than that of a line, in words; "" for none."""
    whole = unwrap_node(item.condition)
    parts = flatten_group(whole) if isinstance(whole, AnyOf) else [whole]
    # Who meets one alternative meets the whole.
    part = permute_items(parts, seed, "alternative", item.states)[0]
    found = list(_iterate_stricter(variant.model, part, rules, seed))
    said = (
        phrase_condition(variant, other.condition, other.limits)
        for other in permute_items(found, seed, "stricter", item.states)
    )
    return next(filter(None, said), "")


def _iterate_stricter(
    model: DomainModel, condition: Expression, rules: _RuleList, seed: int
) -> Iterator[_Stricter]:
    """Yield what fewer cases meet: with a stricter limit, with a further fact, with both."""
    limited = list(_iterate_stricter_limits(model, condition, seed))
    yield from limited
    for fact in _list_further_facts(model, condition, rules):
        for other in (*limited, _Stricter(condition)):
            both = AllOf((*_list_operands(other.condition), fact))
            yield replace(other, condition=both)


def _list_operands(condition: Expression) -> Sequence[Expression]:
    return flatten_group(condition) if isinstance(condition, AllOf) else [condition]


def _iterate_stricter_limits(
    model: DomainModel, condition: Expression, seed: int
) -> Iterator[_Stricter]:
    for part in _list_operands(condition):
        if isinstance(part, Compare) and part.relation in _STRICTER:
            other = _draw_stricter_limit(model, part, seed)
            if other is not None:
                stricter = replace_part(condition, part, replace(part, right=other))
                yield _Stricter(stricter, (other.name,))


def _draw_stricter_limit(model: DomainModel, test: Compare, seed: int) -> Constant | None:
    limit = test.right
    if not isinstance(limit, Constant) or limit.name not in model.policy:
        return None
    constant = model.policy[limit.name].constant
    for turn in range(_TURNS):
        other = draw_earlier_value(model, constant, seed + turn)
        more = 0 if other is None else require_integer(other.value) - require_integer(limit.value)
        if other is not None and more * _STRICTER[test.relation] > 0:
            return replace(other, type=limit.type)
    return None


def _list_further_facts(
    model: DomainModel, condition: Expression, rules: _RuleList
) -> list[Expression]:
    """Return facts that a list could ask besides: known where it stands, and not asked there.

    They are those that the procedure asks somewhere, or else any label that a case states.
    """
    asked = collect_read_fields(condition)
    free = {
        name: item
        for name, item in model.fields.items()
        if name not in asked and _is_known(model, item, rules)
    }
    spoken: list[Expression] = [
        part
        for part in iterate_parts(*collect_deciding_expressions(model))
        if isinstance(part, Compare | OneOf | Contains)
        and (read := collect_read_fields(part))
        and read <= free.keys()
        # What is asked of the entries of a list is asked of nothing outside of it.
        and not any(isinstance(node, Element) for node in walk(part))
    ]
    return spoken or [
        Compare(Relation.EQ, Read(item.type, name), Constant(item.type, encode(item.type, label)))
        for name, item in free.items()
        if isinstance(item.type, EnumType)
        for label in item.type.values
    ]


def _is_known(model: DomainModel, item: Field, rules: _RuleList) -> bool:
    """Return whether a field is certain to have a value where a list stands."""
    is_stated = item in model.inputs and model.find_owner(item.name) is model.case
    is_there = item.name in rules.read or is_stated
    return is_there and not item.missing and item.malformed is None
