"""Passages about a case of its own that are cited for the rule of all other cases alone.

That is what is left of a rule that was dropped: "members are always admitted", and no rule of
the decision asks about membership.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.asking.conditions import Condition
from sopforge.sources.asking.sides import CitedClause, Sides
from sopforge.sources.asking.unread import is_asked_about, list_counting
from sopforge.sources.asking.vocabulary import Naming
from sopforge.sources.prose.markers import is_default

_ALWAYS = re.compile(
    r"\b(?:always|never|in any case|in no case|without exception|however|whatever|no matter)\b",
    re.IGNORECASE,
)


def find_lost_cases(sides: Sides) -> Iterator[Doubt]:
    """Yield the facts of a passage by which no case of a decision goes, where others decide some.

    Only of passages that no other rule of the decision cites, and where another rule decides a case
    that has the fact. A label that no rule names may be the last one, which is left to all other
    cases, unless the passage says "always" or "never".
    """
    for clause in sides.iterate_clauses():
        for item in clause.items:
            beside = [other for other in clause.items if other is not item]
            is_alone = all(other.group != item.group for other in beside)
            if item.is_default and is_alone and not is_default(clause.quoted):
                yield from _compare(sides, clause, item, beside)


def _compare(
    sides: Sides, clause: CitedClause, item: Condition, beside: Sequence[Condition]
) -> Iterator[Doubt]:
    given = {label for label, _ in sides.account.items[item.name].facts.given}
    title = sides.vocabulary.list_title(item.name)
    others = [sides.conditions.by_name[name] for name in item.tried]
    for naming in list_counting(sides, clause.text):
        if naming.label in given or naming.words <= title:
            continue
        is_asked = any(is_asked_about(sides, other, naming) for other in beside)
        is_strict = _ALWAYS.search(clause.quoted) is not None
        is_open = not is_asked and _is_unasked(sides, item, others, naming, is_strict=is_strict)
        if is_open and _is_taken(sides, item, others, naming):
            said = clause.text[naming.start : naming.end]
            yield Doubt(Kind.LOST, clause.quoted, (item.name,), said, sides.call(naming.name))


def _is_unasked(
    sides: Sides,
    item: Condition,
    others: Sequence[Condition],
    naming: Naming,
    *,
    is_strict: bool,
) -> bool:
    """Return whether no rule asks for the label or the yes/no fact that is named."""
    is_result = sides.is_outcome(naming.name)
    # "Soft" is no case of the limit up to which a thing is soft.
    follows_from = sides.conditions.collect_sources([naming.name])
    if is_result or follows_from & set(sides.conditions.list_targets(item.group)):
        return False
    asking = [o for o in others if naming.name in sides.conditions.collect_sources(o.names)]
    labels = {label for other in asking for ask in other.asks for label, _ in ask.facts.labels}
    return not asking or bool(is_strict and naming.label and naming.label not in labels)


def _is_taken(sides: Sides, item: Condition, others: Sequence[Condition], naming: Naming) -> bool:
    """Return whether the default decides cases that are so, and another rule decides some, too."""
    meaning = sides.conditions.build_meaning(naming.name, naming.label)
    if meaning is None or not sides.cases.has_case(item, [meaning]):
        return False
    return any(sides.cases.has_case(other, [meaning]) for other in others)
