"""Terms of a brief that a condition of the model stands for, and items that ask for other labels.

Where "risky cargo" is fuel and acid, what holds "with risky cargo" holds for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sopforge.domain.language.expressions import Expression, Not
from sopforge.domain.rules import Formula
from sopforge.domain.values.types import BooleanType
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.agreement.label_mentions import find_labels, join_labels
from sopforge.sources.asking.conditions import PREDICATE, Ask, Condition
from sopforge.sources.asking.sides import CitedClause, Sides
from sopforge.sources.facts import Labels, collect_facts


@dataclass(frozen=True, slots=True)
class _Term:
    """A fact with a name that stands for labels of a field."""

    name: str
    field: str
    meaning: Expression
    labels: frozenset[str]
    of: Labels


def find_other_terms(sides: Sides) -> Iterator[Doubt]:
    """Yield the items that ask for other labels than the term has that their passage names.

    Only where the passage names none of the labels itself.
    """
    terms = {term.name: term for term in _iterate_terms(sides)}
    for clause in sides.iterate_clauses() if terms else ():
        for term in _list_named(sides, clause, terms):
            stands = f"{sides.call(term.name)} is {join_labels(term.labels)}"
            for item in clause.items:
                for ask in _iterate_differing(sides, item, term):
                    asked = join_labels(label for label, _ in ask.facts.labels)
                    said, held = clause.text.strip(), f"{asked}, where {stands}"
                    yield Doubt(Kind.TERM, clause.quoted, (item.name,), said, held)


def _iterate_terms(sides: Sides) -> Iterator[_Term]:
    """Yield the predicates and yes/no formulas that ask for labels of one field."""
    for name in sides.vocabulary.facts:
        meaning = _find_meaning(sides, name)
        labels = frozenset() if meaning is None else collect_facts(meaning).labels
        fields, sets = sides.conditions.list_sources(name), {of for _, of in labels}
        if meaning is not None and len(fields) == len(sets) == 1:
            [field], [of] = fields, sets
            yield _Term(name, field, meaning, frozenset(label for label, _ in labels), of)


def _find_meaning(sides: Sides, name: str) -> Expression | None:
    if name.startswith(PREDICATE):
        return sides.conditions.build_meaning(name)
    decision = sides.model.decisions.get(name)
    if isinstance(decision, Formula) and isinstance(decision.value.type, BooleanType):
        return decision.value
    return None


def _list_named(sides: Sides, clause: CitedClause, terms: Mapping[str, _Term]) -> list[_Term]:
    """Return the terms that a clause names, and none of whose labels."""
    names = dict.fromkeys(naming.name for naming in sides.vocabulary.find_named(clause.text))
    named = [terms[name] for name in names if name in terms]
    return [term for term in named if not find_labels(clause.text, term.of)]


def _iterate_differing(sides: Sides, item: Condition, term: _Term) -> Iterator[Ask]:
    """Yield what an item asks of a term's field, where it is neither the term nor its opposite."""
    own = (item.name, *sides.conditions.list_targets(item.group))
    if term.name in own or term.name in item.names:
        return
    for ask in item.asks:
        is_about = ask.names == {term.field} and ask.facts.labels
        tests = (ask.test, Not(ask.test))
        if is_about and all(sides.cases.are_different(test, term.meaning) for test in tests):
            yield ask
