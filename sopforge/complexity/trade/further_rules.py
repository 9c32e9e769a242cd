"""Rules that a procedure could have besides its own, in cases that another rule decides already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from sopforge.complexity.passages import Passage, Where
from sopforge.complexity.rule_lines import RuleLine, collect_rule_lines, phrase_condition
from sopforge.complexity.trade.known_values import (
    list_known_at_decision,
    list_known_at_transitions,
)
from sopforge.complexity.trade.side_values import round_down
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
    collect_read_fields,
    iterate_parts,
    walk,
)
from sopforge.domain.model import DomainModel, collect_deciding_expressions
from sopforge.domain.rules import HitPolicy, Table
from sopforge.domain.values.types import (
    BooleanType,
    EnumType,
    NumberType,
    encode,
    require_integer,
)
from sopforge.logic.phrasing.idioms import flatten_group, unwrap_node
from sopforge.logic.variants.substitution import replace_part
from sopforge.material.earlier_values import draw_earlier_value
from sopforge.rendering.sop.added.redundant_rules import REDUNDANT
from sopforge.seeds import permute_items

_STRICTER = {Relation.GT: 1, Relation.GE: 1, Relation.LT: -1, Relation.LE: -1}
"""In which direction a limit on the right of a comparison makes it stricter."""
_TURNS = 4
"""So many limits are tried for a stricter one; of so many rules, one stands before another."""
_MOST = 64


@dataclass(frozen=True, slots=True)
class _RuleList:
    """Lines of which the first that applies decides, and what is known where they stand."""

    lines: Sequence[RuleLine]
    known: Sequence[Field]


@dataclass(frozen=True, slots=True)
class _Stricter:
    """A condition that fewer cases meet, and the limits of which it has another value."""

    condition: Expression
    limits: tuple[str, ...] = ()


def iterate_redundant_rules(variant: Variant, seed: int) -> Iterator[Passage]:
    """Yield rules and transitions that change nothing, one of each list in turn."""
    lists = permute_items(_collect_lists(variant), seed, "lists")
    turns = zip_longest(*(_iterate_redundant(variant, rules, seed) for rules in lists))
    said = {line.text for line in variant.sop.lines}
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
        else _make_transition_list(variant.model, name, lines)
        for (kind, name), lines in found.items()
    )
    return [rules for rules in made if rules is not None]


def _make_rule_list(model: DomainModel, name: str, lines: Sequence[RuleLine]) -> _RuleList | None:
    table = model.decisions[name]
    if not isinstance(table, Table) or table.hit is not HitPolicy.FIRST:
        return None
    return _RuleList(lines, list_known_at_decision(model, name))


def _make_transition_list(
    model: DomainModel, name: str, lines: Sequence[RuleLine]
) -> _RuleList | None:
    step = model.steps[name]
    if any(edge.bound is not None for edge in step.edges):
        return None  # one that is counted would be counted where another is taken
    return _RuleList(lines, list_known_at_transitions(model, step))


def _iterate_redundant(variant: Variant, rules: _RuleList, seed: int) -> Iterator[Passage]:
    """Yield redundant rules of a list: each rule in turn takes the cases of one."""
    lines = permute_items(rules.lines, seed, "taken", rules.lines[0].states)
    columns = [
        [(item, said) for said in _iterate_phrases(variant, item, rules, seed)] for item in lines
    ]
    found = filter(None, chain.from_iterable(zip_longest(*columns)))
    for number, (item, said) in enumerate(found, 1):
        yield _make_passage(item, rules, said, number, seed)


def _make_passage(
    item: RuleLine, rules: _RuleList, condition: str, number: int, seed: int
) -> Passage:
    """Return a redundant rule: in turn with the result of another rule, and with the same.

    What takes cases from another stands after it, what repeats it on either side.
    """
    later = rules.lines[rules.lines.index(item) :]
    after = permute_items(later, seed, "after", condition)[0]
    result = _choose_other_result(item, rules) if number % 2 else item.result
    is_before = result == item.result and number % _TURNS == 0
    where = Where(precedes=item.states) if is_before else Where(joins=after.states)
    return Passage(item.write_like(condition, result, REDUNDANT), where)


def _choose_other_result(item: RuleLine, rules: _RuleList) -> str:
    """Return the result of the rule nearest to another that gives another one, else its own.

    The results of neighbours are of one kind; that of all other cases is often of the opposite.
    """
    place = rules.lines.index(item)
    order = sorted(enumerate(rules.lines), key=lambda found: (abs(found[0] - place), -found[0]))
    others = (other.result for _, other in order if other.result != item.result)
    return next(others, item.result)


def _iterate_phrases(
    variant: Variant, item: RuleLine, rules: _RuleList, seed: int
) -> Iterator[str]:
    """Yield conditions that fewer cases meet than that of a line, in words."""
    whole = unwrap_node(item.condition)
    # Who meets one alternative meets the whole.
    parts = flatten_group(whole) if isinstance(whole, AnyOf) else [whole]
    model, stated = variant.model, {x.name: x for x in rules.known if x in variant.model.inputs}
    known = {x.name: x for x in rules.known}
    # What a case states goes with any other fact; what was found out may be at odds with it.
    for facts in (
        _list_facts_asked(model, stated),
        _list_facts_asked(model, known),
        _list_facts_stated(model, known),
    ):
        found = [other for part in parts for other in _iterate_stricter(model, part, facts, seed)]
        for other in permute_items(found, seed, "stricter", item.states)[:_MOST]:
            said = phrase_condition(variant, other.condition, other.limits)
            if said:
                yield said


def _iterate_stricter(
    model: DomainModel, condition: Expression, facts: Sequence[Expression], seed: int
) -> Iterator[_Stricter]:
    """Yield what fewer cases meet: with a stricter limit, with a further fact, with both."""
    asked = collect_read_fields(condition)
    limited = list(_iterate_stricter_limits(model, condition, seed))
    yield from limited
    for fact in facts:
        if asked.isdisjoint(collect_read_fields(fact)):
            for other in (*limited, _Stricter(condition)):
                yield replace(other, condition=AllOf((*_list_operands(other.condition), fact)))


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


def _list_facts_asked(model: DomainModel, known: Mapping[str, Field]) -> list[Expression]:
    """Return what the procedure asks somewhere of known fields alone."""
    return [
        part
        for part in iterate_parts(*collect_deciding_expressions(model))
        if isinstance(part, Compare | OneOf | Contains)
        and (read := collect_read_fields(part))
        and read <= known.keys()
        # What is asked of the entries of a list is asked of nothing outside of it.
        and not any(isinstance(node, Element) for node in walk(part))
    ]


def _list_facts_stated(model: DomainModel, known: Mapping[str, Field]) -> list[Expression]:
    """Return what known fields could be: yes, one of their labels, above a usual amount."""
    return [fact for item in known.values() for fact in _iterate_facts(model, item)]


def _iterate_facts(model: DomainModel, item: Field) -> Iterator[Expression]:
    kind = item.type
    read = Read(kind, item.name)
    match kind:
        case BooleanType():
            yield read
        case EnumType():
            labels = (Constant(kind, encode(kind, label)) for label in kind.values)
            yield from (Compare(Relation.EQ, read, label) for label in labels)
        case NumberType():
            usual = item.sampling.typical
            low, high = (usual.minimum, usual.maximum) if usual else (kind.minimum, kind.maximum)
            amount = round_down((low + high) // 2)
            # The amount of a limit would be taken for the limit.
            if low < amount and amount not in {x.constant.value for x in model.policy.values()}:
                exact = NumberType(amount, amount, kind.places, kind.unit)
                yield Compare(Relation.GT, read, Constant(exact, amount))
        case _:
            return
