"""Rules that a procedure could have besides its own, in cases that another rule decides already."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest

from sopforge.complexity.passages import Passage, Where
from sopforge.complexity.rule_lines import (
    RuleLine,
    collect_alternatives,
    collect_rule_lines,
    phrase_condition,
)
from sopforge.complexity.trade.known_values import (
    list_known_at_decision,
    list_known_at_transitions,
)
from sopforge.complexity.trade.stricter_conditions import (
    Place,
    Stricter,
    iterate_implying,
    iterate_stricter,
)
from sopforge.complexity.variant import Variant
from sopforge.domain.language.expressions import Expression, collect_read_fields
from sopforge.domain.model import DomainModel, Edge
from sopforge.domain.rules import HitPolicy, Table
from sopforge.rendering.sop.added.redundant_rules import REDUNDANT
from sopforge.rendering.sop.document import Style
from sopforge.seeds import permute_items
from sopforge.solving.arrivals import iterate_leaving_edges

_TARGET = re.compile(r"go to step \d[^)]*\)")
_TURNS = 4
"""Of so many redundant rules, one stands before the rule whose cases it has."""
_MOST = 64
"""So many conditions are tried for one rule."""
_OTHERS = 4
"""Of so many redundant rules, one has the result of another rule than that whose cases it has.

It asks for something that the other rule asks for, too: any other result would be seen not to fit.
"""


@dataclass(frozen=True, slots=True)
class _Kind:
    """Whether a redundant rule asks a further fact, and its number among those of one rule.

    That a fact ``is_apart`` from what the rule is about is seen to matter to nothing there. One
    that ``is_settled`` has the cases of an earlier step, of which none comes to its own.
    """

    has_further_fact: bool
    number: int
    is_apart: bool = False
    is_settled: bool = False
    may_bound: bool = False

    def is_of(self, other: Stricter) -> bool:
        """Return whether a condition is one for rules of the kind.

        "More than 25 days" beside "more than 21 days" would be seen to contradict it.
        """
        if other.limits and not (self.has_further_fact or self.may_bound):
            return False
        return (other.has_further_fact, other.is_apart) == (self.has_further_fact, self.is_apart)


_KINDS = (
    *(_Kind(has_further_fact=False, number=number) for number in (0, 1)),
    _Kind(has_further_fact=True, number=0),
    _Kind(has_further_fact=False, number=0, is_settled=True),
    _Kind(has_further_fact=True, number=1),
    _Kind(has_further_fact=False, number=1, is_settled=True),
    *(_Kind(has_further_fact=True, number=number, is_apart=True) for number in (0, 1)),
    *(_Kind(has_further_fact=False, number=number, may_bound=True) for number in (0, 1)),
)
"""In their order: more for one rule would be seen to repeat each other.

What is settled comes late: it asks for facts with which the rules around it have nothing to do.
What has another limit alone comes last: it is seen to contradict the rule that it repeats.
"""


@dataclass(frozen=True, slots=True)
class _RuleList:
    """Lines of which the first that applies decides, and the place at which they stand.

    ``settled`` are the edges on which an earlier step keeps cases from it, each with the words of
    its result, as far as it has any.
    """

    lines: Sequence[RuleLine]
    place: Place
    settled: Sequence[tuple[Edge, str]] = ()


def iterate_redundant_rules(variant: Variant, seed: int) -> Iterator[Passage]:
    """Yield rules, transitions and alternatives that change nothing, one of each list in turn.

    Those that are as long as another come first: a further fact is what a reader would look for.
    """
    lists = permute_items(_collect_lists(variant), seed, "lists")
    alternatives = permute_items(_collect_alternatives(variant), seed, "alternatives")
    said = {line.text for line in variant.sop.lines}
    for place, kind in enumerate(_KINDS):
        of_list = _iterate_settled if kind.is_settled else _iterate_redundant
        of_alternatives = _iterate_settled if kind.is_settled else _iterate_alternatives
        columns = [
            *(of_list(variant, item, seed, kind) for item in lists),
            *(of_alternatives(variant, item, seed, kind) for item in alternatives),
        ]
        turns = zip_longest(*permute_items(columns, seed, "columns", place))
        for passage in filter(None, chain.from_iterable(turns)):
            if passage.line.text not in said:
                said.add(passage.line.text)
                yield passage


def _collect_lists(variant: Variant) -> list[_RuleList]:
    """Return the lists of rules and of transitions of which the first that applies decides."""
    return _group_lines(variant, collect_rule_lines(variant), _name_list)


def _collect_alternatives(variant: Variant) -> list[_RuleList]:
    """Return the lists of alternatives of which each leads to the same result."""
    found = collect_alternatives(variant)
    return _group_lines(variant, found, lambda item: f"{_name_list(item)} {item.result}")


def _name_list(item: RuleLine) -> str:
    """Return the table or the step that a rule or a transition belongs to."""
    return item.states.rpartition(".")[0]


def _group_lines(
    variant: Variant, items: Iterable[RuleLine], key: Callable[[RuleLine], str]
) -> list[_RuleList]:
    found: dict[str, list[RuleLine]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    places = ((lines, _find_place(variant.model, lines[0])) for lines in found.values())
    said = _map_targets(variant)
    return [
        _RuleList(lines, place, _list_settled(variant.model, lines[0], said))
        for lines, place in places
        if place is not None
    ]


def _map_targets(variant: Variant) -> dict[str, str]:
    """Return how the text says where an edge leads, by step: "go to step 7.2 (Refuse)"."""
    edges = {
        f"edge {edge.id}": edge for step in variant.model.steps.values() for edge in step.edges
    }
    return {
        edges[name].to: phrases[0]
        for line in variant.sop.lines
        if len(phrases := _TARGET.findall(line.text)) == 1
        for name in line.states[:1]
        if name in edges
    }


def _list_settled(
    model: DomainModel, item: RuleLine, said: Mapping[str, str]
) -> list[tuple[Edge, str]]:
    """Return the edges on which earlier steps keep cases from a line, and the words of its result.

    A rule has those of its own list; of alternatives, one leads where the others lead.
    """
    kind, _, name = _name_list(item).partition(" ")
    steps = [
        step
        for step in model.steps.values()
        if (name in step.decide if kind == "rule" else name == step.id)
    ]
    # A value that several steps work out is stated once, for all of them.
    edges = [edge for step in steps[:1] for edge in iterate_leaving_edges(model, step)]
    if kind == "rule":
        return [(edge, "") for edge in edges] if len(steps) == 1 else []
    return [
        (edge, said[edge.to])
        for edge in edges
        if edge.to in said and (item.line.style is not Style.NESTED or said[edge.to] in item.result)
    ]


def _find_place(model: DomainModel, item: RuleLine) -> Place | None:
    """Return where a line stands, None where not the first that applies decides."""
    kind, _, name = _name_list(item).partition(" ")
    if kind == "rule":
        table = model.decisions[name]
        if not isinstance(table, Table) or table.hit is not HitPolicy.FIRST:
            return None
        conditions = [rule.when for rule in table.rules if rule.when is not None]
        return Place(name, list_known_at_decision(model, name), conditions)
    step = model.steps[name]
    if any(edge.bound is not None for edge in step.edges):
        return None  # one that is counted would be counted where another is taken
    conditions = [edge.when for edge in step.edges if edge.when is not None]
    return Place(name, list_known_at_transitions(model, step), conditions)


def _iterate_redundant(
    variant: Variant, rules: _RuleList, seed: int, kind: _Kind
) -> Iterator[Passage]:
    """Yield redundant rules of a list: each rule in turn has one that takes its cases."""
    number = 0
    for item in permute_items(rules.lines, seed, "taken", rules.lines[0].states):
        condition = _find_phrase(variant, item, rules, seed, kind)
        if condition:
            yield _make_passage(item, rules, condition, number, seed)
            number += 1


def _iterate_settled(
    variant: Variant, rules: _RuleList, seed: int, kind: _Kind
) -> Iterator[Passage]:
    """Yield rules for cases that an earlier step has sent elsewhere, as if they came here."""
    for edge, result in permute_items(rules.settled, seed, "settled", rules.lines[0].states):
        beside = _choose_beside(rules, edge, result, seed)
        if edge.when is None or beside is None:
            continue
        found = iterate_implying(variant.model, edge.when, replace(rules.place, name=edge.id), seed)
        is_line = beside.form.startswith("{condition}")
        phrases = _iterate_phrases(variant, islice(found, _MOST), is_line=is_line)
        condition = next(islice(phrases, kind.number, None), "")
        if condition:
            line = beside.write_like(condition, result or beside.result, REDUNDANT)
            yield Passage(line, Where(before=beside.line))


def _choose_beside(rules: _RuleList, edge: Edge, result: str, seed: int) -> RuleLine | None:
    """Return the line before which a settled rule stands; one with its result, where it has none.

    That asks for something that the settled rule asks for: no other result would be seen to fit.
    """
    order = permute_items(rules.lines, seed, "beside", edge.id)
    fitting = (
        item for item in order if result or (edge.when and _ask_for_same(item.condition, edge.when))
    )
    return next(fitting, None)


def _iterate_alternatives(
    variant: Variant, rules: _RuleList, seed: int, kind: _Kind
) -> Iterator[Passage]:
    """Yield an alternative more for each of a list: whoever meets it meets that one, too."""
    for item in permute_items(rules.lines, seed, "further", rules.lines[0].states):
        condition = _find_phrase(variant, item, rules, seed, kind)
        if condition:
            beside = permute_items(rules.lines, seed, "beside", condition)[0]
            # None stands last: the last one ends the sentence.
            yield Passage(item.write_like(condition, "", REDUNDANT), Where(before=beside.line))


def _make_passage(
    item: RuleLine, rules: _RuleList, condition: str, number: int, seed: int
) -> Passage:
    """Return a redundant rule: now and then with the result of another rule.

    What takes cases from another stands after it, what repeats it on either side.
    """
    later = rules.lines[rules.lines.index(item) :]
    after = permute_items(later, seed, "after", condition)[0]
    result = _choose_other_result(item, rules) if number % _OTHERS == 1 else item.result
    is_before = result == item.result and number % _TURNS == 0
    where = Where(precedes=item.states) if is_before else Where(joins=after.states)
    return Passage(item.write_like(condition, result, REDUNDANT), where)


def _choose_other_result(item: RuleLine, rules: _RuleList) -> str:
    """Return the result of the rule nearest to another that gives another one, else its own.

    The results of neighbours are of one kind; that of all other cases is often of the opposite.
    """
    place = rules.lines.index(item)
    order = sorted(enumerate(rules.lines), key=lambda found: (abs(found[0] - place), -found[0]))
    others = (
        other.result
        for _, other in order
        if other.result != item.result and _ask_for_same(other.condition, item.condition)
    )
    return next(others, item.result)


def _ask_for_same(condition: Expression, other: Expression) -> bool:
    """Return whether two conditions have a field in common."""
    return not collect_read_fields(condition).isdisjoint(collect_read_fields(other))


def _find_phrase(variant: Variant, item: RuleLine, rules: _RuleList, seed: int, kind: _Kind) -> str:
    """Return a condition of a kind that fewer cases meet than that of a line, in words, or ""."""
    place = replace(rules.place, name=item.states)
    found = iterate_stricter(variant.model, item.condition, place, seed)
    fitting = islice((other for other in found if kind.is_of(other)), _MOST)
    # With another limit, a rule with a further fact is not seen to be another rule and a fact.
    order = sorted(fitting, key=lambda other: not other.limits)
    is_line = item.form.startswith("{condition}")
    return next(islice(_iterate_phrases(variant, order, is_line=is_line), kind.number, None), "")


def _iterate_phrases(
    variant: Variant,
    conditions: Iterable[Stricter],
    *,
    is_line: bool,
) -> Iterator[str]:
    """Yield conditions in words, each once; some have none."""
    said = {""}
    for other in conditions:
        words = phrase_condition(variant, other.condition, other.limits, is_line=is_line)
        if words not in said:
            said.add(words)
            yield words
