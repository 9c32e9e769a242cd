"""Rules for "everybody else" that are narrower than what another rule of the sentence leaves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sopforge.domain.language.expressions import AllOf, Expression, Not
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.asking.conditions import Condition
from sopforge.sources.asking.sides import CitedClause, Sides

_REST = re.compile(
    r"\b(?:(?:every(?:body|one|thing)|any(?:body|one|thing)|all) else|all (?:the )?others"
    r"|(?:all|any|every) other \w+|the (?:rest|others)|otherwise)\b",
    re.IGNORECASE,
)


def find_narrow_remainders(sides: Sides) -> Iterator[Doubt]:
    """Yield the rules that a passage gives all others, and that leave some of these out.

    Of "A for those over 16 without a card, B for everybody else" the rule that gives B asks about
    the age or the card no more than A leaves open.
    """
    for clause in sides.iterate_clauses():
        for item in clause.items if _REST.search(clause.text) else ():
            for other in _list_before(sides, clause, item):
                left = _list_left_out(sides, item, other)
                if left:
                    names, held = (item.name, other.name), sides.call_all(left)
                    yield Doubt(Kind.REST, clause.quoted, names, clause.text.strip(), held)


def _list_before(sides: Sides, clause: CitedClause, item: Condition) -> list[Condition]:
    """Return the rules tried before one that cite its sentence, and not this passage."""
    passage = clause.passage
    [first, *_] = sides.account.prose[passage.part].list_at(passage.start, passage.end)
    names = {
        name
        for other in sides.account.cited_passages
        if other.has_place_in(passage.part, first.start, first.end)
        for name in other.items
    }
    wanted = names - set(passage.items)
    return sides.list_conditions(name for name in item.tried if name in wanted)


def _list_left_out(sides: Sides, item: Condition, other: Condition) -> frozenset[str]:
    """Return the facts by which an item leaves out cases that another one leaves to it.

    What both ask is what the sentence is about.
    """
    mine, theirs = _list_parts(item.when), _list_parts(other.when)
    read = sides.conditions.list_names
    shared = [part for part in mine if part in theirs]
    asked = frozenset[str]().union(*(read(part) for part in theirs if part not in shared))
    narrowing = [part for part in mine if part not in shared and read(part) <= asked]
    if not shared or not narrowing:
        return frozenset()
    rest = [part for part in mine if part not in narrowing]
    left = [*sides.cases.list_passed(item), *rest, Not(AllOf(tuple(narrowing)))]
    return (
        frozenset[str]().union(*map(read, narrowing)) if sides.cases.is_met(left) else frozenset()
    )


def _list_parts(when: Expression | None) -> tuple[Expression, ...]:
    if when is None:
        return ()
    return when.operands if isinstance(when, AllOf) else (when,)
