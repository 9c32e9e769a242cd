"""Facts of one kind of which a passage names one, and the items that cite it read another.

Notice "before sailing" is not counted to the landing, and what is said of the length of the boat is
not asked of that of its hull.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sopforge.domain.fields import Field
from sopforge.domain.values.types import BooleanType, DateType, NumberType, TextType
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.asking.conditions import Condition
from sopforge.sources.asking.sides import CitedClause, Sides
from sopforge.sources.asking.unread import list_counting
from sopforge.sources.asking.vocabulary import DAYS, Naming
from sopforge.sources.prose.stems import has_shared_word, list_stems, list_stems_in_order


def find_swapped(sides: Sides) -> Iterator[Doubt]:
    """Yield the facts that a passage names and no item reads which cites it, with one in its place.

    What is read in its place is of the same type and unit, and the passage has nothing of what
    sets the two apart. What follows from the fact that is named may stand for it.
    """
    for clause in sides.iterate_clauses():
        read = {item.name: _list_read(sides, item) for item in clause.items}
        known = frozenset[str]().union(*read.values())
        taken = list_stems(" ".join(_list_labels(sides, clause)))
        decided = {n for i in clause.items for n in sides.conditions.list_targets(i.group)}
        called = [n for n in _iterate_called(sides, clause.text) if not n.words <= taken]
        for naming in [*list_counting(sides, clause.text), *called]:
            # What is decided may be a part of what is named.
            is_part = decided & sides.conditions.collect_sources([naming.name])
            is_read = naming.name in known or bool(naming.label) or bool(is_part)
            for name in () if is_read else sorted(_iterate_instead(sides, clause, naming, known)):
                names = tuple(item for item, own in read.items() if name in own)
                said = clause.text[naming.start : naming.end]
                yield Doubt(Kind.SWAPPED, clause.quoted, names, said, sides.call(name))


def _iterate_called(sides: Sides, text: str) -> Iterator[Naming]:
    """Yield the days of whose labels a text has each word: "the loss" of "day of the loss"."""
    said = list_stems(text)
    for item in sides.account.fields.values():
        words = list_stems(item.label) - DAYS if isinstance(item.type, DateType) else frozenset()
        if words and words <= said:
            places = [place for stem, *place in list_stems_in_order(text) if stem in words]
            yield Naming(item.name, places[0][0], places[-1][1], words=words)


def _list_labels(sides: Sides, clause: CitedClause) -> list[str]:
    """Return what the facts are called that the items read which cite a clause."""
    names = frozenset[str]().union(*(item.names | item.given for item in clause.items))
    return [item.label for name in names if (item := sides.account.fields.get(name))]


def _list_read(sides: Sides, item: Condition) -> frozenset[str]:
    """Return the facts that an item itself reads or gives, and what it decides."""
    return item.names | item.given | frozenset(sides.conditions.list_targets(item.group))


def _iterate_instead(
    sides: Sides, clause: CitedClause, naming: Naming, read: Iterable[str]
) -> Iterator[str]:
    """Yield what is read in the place of a fact that is named."""
    named = sides.account.fields.get(naming.name)
    if named is None or isinstance(named.type, TextType | BooleanType):
        return
    for name in read:
        other = sides.account.fields.get(name)
        if other is None or naming.name in sides.conditions.collect_sources([name]):
            continue
        if _are_alike(named, other) and _is_unsaid_beside(sides, clause, named, other):
            yield name


def _are_alike(one: Field, other: Field) -> bool:
    """Return whether one of two facts may be taken for the other."""
    if isinstance(one.type, NumberType) and isinstance(other.type, NumberType):
        return one.type.unit == other.type.unit
    labels = [getattr(item.type, "values", ()) for item in (one, other)]
    return type(one.type) is type(other.type) and labels[0] == labels[1]


def _is_unsaid_beside(sides: Sides, clause: CitedClause, named: Field, other: Field) -> bool:
    """Return whether nothing near a passage has a word by which another fact is set apart."""
    facts = sides.vocabulary.facts
    apart = facts[other.name].words - facts[named.name].words
    text = " ".join(sentence.text for sentence in sides.list_around(clause.passage))
    return bool(apart) and not has_shared_word(apart, list_stems(text))
