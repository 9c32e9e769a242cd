"""Facts that a passage names and no condition that cites it asks about.

A condition that was dropped, an exception that was lost, or an addition that was applied too widely
leaves nothing that reads what the passage makes a difference of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sopforge.domain.language.expressions import Not
from sopforge.domain.values.types import NumberType, SetType
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.asking.conditions import Condition
from sopforge.sources.asking.sides import CitedClause, Sides
from sopforge.sources.asking.vocabulary import Naming
from sopforge.sources.prose.markers import MAKES_NONE, split_clauses

_MAKES_NONE = re.compile(
    r"\b(?:whatever|whichever|whether|no matter|regardless|irrespective|even|nor|needs? no"
    r"|also (?:for|if|when|where|with|in|on)"
    r"|however (?:many|much|long|old|late|high|thick|often|far|big|small|few|the)"
    r"|because|so that|although|though|such as|for (?:example|instance)|e\.g\.)(?!\w)",
    re.IGNORECASE,
)
"""Words after which what is named makes no difference, or is a reason or an example."""
_BOTH = re.compile(r"\bboth (for|in|of|with|on|when|where|if)\b[^.;]*\band \1\b", re.IGNORECASE)
_WHOEVER = re.compile(
    r"\W*(?:whoever|whichever|wherever|whenever|(?:every|any)(?:body|one) who)\b", re.IGNORECASE
)
_EVERY = re.compile(r"\b(?:every|any|all)(?: \w+)?\W*$", re.IGNORECASE)
_NO_DIFFERENCE = re.compile(rf"\b(?:{MAKES_NONE}|too|included|as well|likewise)\b", re.IGNORECASE)
"""Words before which it makes none; those of an inclusion stand beside it."""
_INCLUSIONS = frozenset({"too", "included", "as well", "likewise"})
_BESIDE = 2
_VERB = (
    r"(?:may|must|shall|can|cannot|will|is|are|was|were|has|have|had|gets?|goes|go|stands?|pays?"
    r"|needs?|takes?|counts?|costs?|comes?)"
)
_LEADING = re.compile(
    rf"\W*(?:(?:with|without|for|in|on|at)\s+(?P<all>[^,;:]+)$"
    rf"|(?:(?:an?|any|every|each|one|those|the|no|such|all)\s+)?(?:\w+\s+){{0,2}}?"
    rf"(?:with|without|that|which|who|whose)\s+(?P<some>.+?)\s+{_VERB}\b)",
    re.IGNORECASE,
)


def find_unread(sides: Sides) -> Iterator[Doubt]:
    """Yield the yes/no facts and labels of a passage of which nothing that cites it asks.

    Only where an item decides cases with them and without. What leads in a passage ("without a
    seal, ...") each rule has to ask that cites it, what stands elsewhere in it one of them.
    """
    for clause in sides.iterate_clauses():
        leading = _find_leading(clause.quoted)
        for naming in list_counting(sides, clause.text):
            lacking = _list_lacking(sides, clause, naming)
            is_leading = leading.start < clause.start + naming.end <= leading.stop
            is_all = is_leading or _is_about_all(clause, naming)
            is_wanted = is_all and _is_answer(sides, naming)
            if lacking and (is_wanted or not _is_read(sides, clause, naming)):
                names = tuple(item.name for item in lacking)
                said = clause.text[naming.start : naming.end]
                yield Doubt(Kind.UNREAD, clause.quoted, names, said, sides.call(naming.name))


def list_counting(sides: Sides, text: str) -> list[Naming]:
    """Return the facts that a clause names and that make a difference by its words.

    Of each fact and label the longest naming, and of a field its labels rather than itself.
    """
    found: dict[tuple[str, str], Naming] = {}
    for naming in sides.vocabulary.find_named(text):
        other = found.get((naming.name, naming.label))
        is_longest = other is None or naming.size > other.size
        if is_longest and not _is_irrelevant(text, naming):
            found[naming.name, naming.label] = naming
    labelled = {name for name, label in found if label}
    return [item for item in found.values() if item.label or item.name not in labelled]


def _is_irrelevant(text: str, naming: Naming) -> bool:
    before, after = text[: naming.start], text[naming.end :]
    # The label "no seal" begins within "needs no seal".
    none, found = _MAKES_NONE.search(text), _NO_DIFFERENCE.search(after)
    if _EVERY.search(before) or (none is not None and none.start() < naming.start):
        return True
    is_inclusion = found is not None and found[0].lower() in _INCLUSIONS
    is_beside = found is not None and len(after[: found.start()].split()) < _BESIDE
    return found is not None and (is_beside or not is_inclusion)


def _is_about_all(clause: CitedClause, naming: Naming) -> bool:
    """Return whether each item that cites a passage has to ask about what it names there.

    So it is of "whoever …", and before "both for A and for B".
    """
    is_both = _BOTH.search(clause.quoted, clause.start + naming.end) is not None
    return is_both or _WHOEVER.match(clause.quoted) is not None


def _list_lacking(sides: Sides, clause: CitedClause, naming: Naming) -> list[Condition]:
    """Return the items that do not ask about a fact, and decide cases with it and without.

    None where the same words name another fact about which an item asks.
    """
    meaning = sides.conditions.build_some_meaning(naming.name, naming.label)
    if meaning is None or sides.is_outcome(naming.name):
        return []
    for other in sides.vocabulary.find_named(clause.text):
        is_other = other.name != naming.name and other.has_place_in(naming)
        if is_other and _is_read(sides, clause, other):
            return []
    read = frozenset[str]().union(*(item.names for item in clause.items))
    return [
        item
        for item in clause.items
        if not (item.is_default or is_asked_about(sides, item, naming))
        # What another item reads is asked there.
        and read.isdisjoint(_list_derived(sides, item))
        and not _is_given(sides, item, naming)
        and sides.cases.is_known(item, naming.name)
        and sides.cases.has_case(item, [meaning])
        and sides.cases.has_case(item, [Not(meaning)])
    ]


def _is_read(sides: Sides, clause: CitedClause, naming: Naming) -> bool:
    """Return whether an item that cites a clause asks about a fact, or decides it."""
    targets = sides.conditions.list_targets
    return any(
        is_asked_about(sides, item, naming) or naming.name in targets(item.group)
        for item in clause.items
    )


def is_asked_about(sides: Sides, item: Condition, naming: Naming) -> bool:
    """Return whether an item asks about a fact; of a set, about the label that is named."""
    if naming.name in item.given:
        return True
    asks = [ask for ask in item.asks if naming.name in _collect_read(sides, ask.names)]
    field = sides.account.fields.get(naming.name)
    if field is None or not isinstance(field.type, SetType) or not naming.label:
        return bool(asks)
    labels = [{label for label, _ in ask.facts.labels} for ask in asks]
    return any(not found or naming.label in found for found in labels)


def _collect_read(sides: Sides, names: frozenset[str]) -> frozenset[str]:
    """Return facts with all from which they follow; of a result only itself is taken to be read."""
    own = frozenset(name for name in names if not sides.is_outcome(name))
    return names | sides.conditions.collect_sources(own)


def _is_given(sides: Sides, item: Condition, naming: Naming) -> bool:
    """Return whether a fact is what an item is or decides, or follows from what it reads."""
    conditions = sides.conditions
    if naming.name == item.name or naming.name in conditions.list_targets(item.group):
        return True
    if naming.words <= sides.vocabulary.list_title(item.name):
        return True
    sources = conditions.collect_sources(conditions.list_sources(naming.name))
    if bool(sources) and sources <= _collect_read(sides, item.names) | item.given:
        return True
    return _is_base(sides, item, naming)


def _list_derived(sides: Sides, item: Condition) -> list[str]:
    """Return what an item decides that is no result of the procedure."""
    targets = sides.conditions.list_targets(item.group)
    return [name for name in targets if not sides.is_outcome(name)]


def _is_base(sides: Sides, item: Condition, naming: Naming) -> bool:
    """Return whether an item decides a figure from which another one follows by the fact."""
    targets = sides.conditions.list_targets(item.group)
    numbers = {name for name in targets if isinstance(sides.model.fields[name].type, NumberType)}
    return any(
        naming.name in other.names and other.given & numbers
        for other in sides.conditions.by_name.values()
    )


def _is_answer(sides: Sides, naming: Naming) -> bool:
    """Return whether a label or a yes/no fact is named, rather than a field of several labels."""
    return sides.conditions.build_meaning(naming.name, naming.label) is not None


def _find_leading(quoted: str) -> range:
    """Return where the words stand by which a passage says what all of it is about."""
    found = [
        range(start + said.start(said.lastgroup), start + said.end(said.lastgroup))
        for clause, start in split_clauses(quoted)
        if (said := _LEADING.match(clause)) and said.lastgroup
    ]
    return found[0] if len(found) == 1 else range(0)
