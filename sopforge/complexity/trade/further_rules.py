"""Rules that a procedure could have besides its own, in cases that another rule decides already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
from sopforge.complexity.trade.stricter_conditions import Place, Stricter, iterate_stricter
from sopforge.complexity.variant import Variant
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import HitPolicy, Table
from sopforge.rendering.sop.added.redundant_rules import REDUNDANT
from sopforge.seeds import permute_items

_TURNS = 4
"""Of so many redundant rules, one stands before the rule whose cases it has."""
_MOST = 64
"""So many conditions are tried for one rule."""
_OTHERS = 4
"""Of so many redundant rules, one has the result of another rule than that whose cases it has."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """Whether a redundant rule asks a further fact, and its number among those of one rule.

    That a fact ``is_apart`` from what the rule is about is seen to matter to nothing there.
    """

    has_further_fact: bool
    number: int
    is_apart: bool = False

    def is_of(self, other: Stricter) -> bool:
        """Return whether a condition is one for rules of the kind."""
        return (other.has_further_fact, other.is_apart) == (self.has_further_fact, self.is_apart)


_KINDS = (
    *(_Kind(has_further_fact, number) for has_further_fact in (False, True) for number in (0, 1)),
    *(_Kind(has_further_fact=True, number=number, is_apart=True) for number in (0, 1)),
)
"""In their order: more for one rule would be seen to repeat each other."""


@dataclass(frozen=True, slots=True)
class _RuleList:
    """Lines of which the first that applies decides, and the place at which they stand."""

    lines: Sequence[RuleLine]
    place: Place


def iterate_redundant_rules(variant: Variant, seed: int) -> Iterator[Passage]:
    """Yield rules, transitions and alternatives that change nothing, one of each list in turn.

    Those that are as long as another come first: a further fact is what a reader would look for.
    """
    lists = permute_items(_collect_lists(variant), seed, "lists")
    alternatives = permute_items(_collect_alternatives(variant), seed, "alternatives")
    said = {line.text for line in variant.sop.lines}
    for place, kind in enumerate(_KINDS):
        columns = [
            *(_iterate_redundant(variant, item, seed, kind) for item in lists),
            *(_iterate_alternatives(variant, item, seed, kind) for item in alternatives),
        ]
        turns = zip_longest(*permute_items(columns, seed, "columns", place))
        for passage in filter(None, chain.from_iterable(turns)):
            if passage.line.text not in said:
                said.add(passage.line.text)
                yield passage


def _collect_lists(variant: Variant) -> list[_RuleList]:
    """Return the lists of rules and of transitions of which the first that applies decides."""
    return _group_lines(variant.model, collect_rule_lines(variant), _name_list)


def _collect_alternatives(variant: Variant) -> list[_RuleList]:
    """Return the lists of alternatives of which each leads to the same result."""
    found = collect_alternatives(variant)
    return _group_lines(variant.model, found, lambda item: f"{_name_list(item)} {item.result}")


def _name_list(item: RuleLine) -> str:
    """Return the table or the step that a rule or a transition belongs to."""
    return item.states.rpartition(".")[0]


def _group_lines(
    model: DomainModel, items: Iterable[RuleLine], key: Callable[[RuleLine], str]
) -> list[_RuleList]:
    found: dict[str, list[RuleLine]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    places = ((lines, _find_place(model, lines[0])) for lines in found.values())
    return [_RuleList(lines, place) for lines, place in places if place is not None]


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
    others = (other.result for _, other in order if other.result != item.result)
    return next(others, item.result)


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
