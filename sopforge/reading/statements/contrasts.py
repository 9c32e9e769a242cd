"""What two texts of the same words must have in common: who does what, to whom, where and when.

Prose may be put into another construction. Where both texts show one of these things, they must
show the same; where only one does, the other says it by its construction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

from sopforge.reading.statements.doers import Doing, find_passives, find_receivers, is_somebody
from sopforge.reading.statements.statement import parse_statement
from sopforge.reading.statements.tokens import Marked, mark_names, put_in_turns

_THING = r"(?:the|an?|its|their|our|your|his|her|each|every|any|that|this) "
_PLACES = "from|to|into|onto|for|with|against|of|on|in|at|under|over|beside|by|through|about"
_THINGS_END = (
    rf"(?= (?:{_PLACES}|and|or|if|unless|when|where|while|before|after|until|that|which|who)\b"
    r"|[.,;:]|$)"
)
_PLACED = re.compile(rf"\b({_PLACES}) {_THING}([^.,;:]+?){_THINGS_END}")
_CLAUSE_AFTER = re.compile(r"\b(before|after|until) ([^.,;:]+)")
_MOST = 4
"""So many words of a clause after "before" may be the ones that another text has there."""
_SPEAKING = re.compile(
    r"\b(you|they|we|he|she|nobody|anybody|everybody) (?:(?:will|must|may|can|do|does|did|not|have"
    r"|has|had|to|are|is|was|were|been|be|also|only|never) )*([a-z]+)"
)
_DENIED = re.compile(rf"\bnot ([a-z]+) {_THING}([^.,;:]+?){_THINGS_END}")
_IF = re.compile(
    r"\b(?:if|unless|provided|in case|whenever|wherever|when|where|once|as soon as|should)\b"
)
_OWN = re.compile(r"\b(?:your|their|our)\b")
_MAY = re.compile(r"\b(?:may|can|could|might|(?:allowed|permitted|free|able) to)\b(?! not\b)")
_NEED_NOT = re.compile(
    r"\b(?:(?:do|does|did) not (?:have|need) to|need not|needs not|not (?:obliged|required) to)\b"
)


@dataclass(frozen=True, slots=True)
class Contrasts:
    """What a text shows.

    ``receivers`` are to whom something is given, ``placed`` the things after "from", "to" and their
    like, ``clauses`` the words after "before" and its like, ``denied`` the things after denied
    verbs, ``marked`` what "only" and "another" stand before, ``actors`` by verbs who does it,
    ``passives`` what is done by whom, ``owners`` whose things they are.
    """

    receivers: frozenset[str]
    placed: Mapping[str, Sequence[frozenset[str]]]
    denied: Mapping[str, Sequence[frozenset[str]]]
    clauses: Mapping[str, Sequence[frozenset[str]]]
    marked: frozenset[tuple[str, str]]
    actors: Mapping[str, frozenset[str]]
    passives: frozenset[Doing]
    owners: frozenset[str]
    has_condition: bool
    is_allowed: bool
    is_no_duty: bool
    tokens: Sequence[str]


def is_said_of_others(text: str, known: str) -> bool:
    """Return whether a text says of other things or people what another one says, in its words.

    >>> is_said_of_others("Provide the guard with the key.", "Give the member the key.")
    True
    >>> is_said_of_others("Provide the member with the key.", "Give the member the key.")
    False
    >>> is_said_of_others("Only crates are put in bays.", "Crates are put only in bays.")
    True
    >>> is_said_of_others("Before you pay, sign the form.", "Pay before you sign the form.")
    True
    """
    one, other = _find_contrasts(text), _find_contrasts(known)
    kinds = ("is_allowed", "is_no_duty", "has_condition")
    if any(getattr(one, kind) != getattr(other, kind) for kind in kinds):
        return True
    are_others = (
        _are_others(one.receivers, other.receivers),
        _are_others(one.owners, other.owners),
        _are_with_others(one.placed, other.placed),
        _are_with_others(one.denied, other.denied),
        _are_with_others(one.clauses, other.clauses),
        _has_other_marks(one.marked, other.marked),
        _has_other_doers(one.passives, other.passives),
    )
    return any(are_others) or (
        one.passives == other.passives
        and (_has_other_actors(one.actors, other.actors) or is_swapped(one.tokens, other.tokens))
    )


@lru_cache(maxsize=2048)
def _find_contrasts(text: str) -> Contrasts:
    marked = mark_names(text, ())
    turned = put_in_turns(marked.text)
    statement = parse_statement(text)
    tokens = list(chain.from_iterable(statement.order))
    return Contrasts(
        find_receivers(marked),
        _index_words(marked, _PLACED.findall(marked.text)),
        _index_words(marked, _DENIED.findall(turned)),
        _index_words(marked, _CLAUSE_AFTER.findall(turned)),
        frozenset(pair for pair in statement.tied if pair[0] in {"only", "another"}),
        _index_actors([*pairwise(tokens), *_iterate_speakers(marked)]),
        frozenset(find_passives(marked)),
        frozenset(_OWN.findall(marked.text)),
        bool(_IF.search(marked.text)),
        bool(_MAY.search(marked.text)),
        bool(_NEED_NOT.search(marked.text)),
        tokens,
    )


def _index_words(
    marked: Marked, found: Iterable[tuple[str, str]]
) -> dict[str, list[frozenset[str]]]:
    """Return the first words that say something of each thing that stands after some words."""
    things: dict[str, list[frozenset[str]]] = {}
    for word, rest in found:
        said = list(marked.iterate_tokens(rest))[:_MOST]
        things.setdefault(word, []).append(frozenset(said))
    return things


def _iterate_speakers(marked: Marked) -> Iterator[tuple[str, str]]:
    """Yield who does something where a pronoun says so, and what."""
    for found in _SPEAKING.finditer(marked.text):
        for verb in list(marked.iterate_tokens(found[2]))[:1]:
            yield f"p:{found[1]}", f"p:{verb}"


def _index_actors(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    actors: dict[str, set[str]] = {}
    for who, verb in pairs:
        if who.startswith("p:") or is_somebody(who):
            actors.setdefault(verb, set()).add(who)
    return {verb: frozenset(names) for verb, names in actors.items()}


def _are_others(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether both have as many things, and not the same ones."""
    return len(one) == len(other) and one != other


def _are_with_others(
    one: Mapping[str, Sequence[frozenset[str]]], other: Mapping[str, Sequence[frozenset[str]]]
) -> bool:
    """Return whether what stands after a word has no word of what does so in the other text."""
    return any(
        len(one[word]) == len(other[word])
        and any(not any(things & known for known in other[word]) for things in one[word])
        for word in one.keys() & other.keys()
    )


def _has_other_marks(one: frozenset[tuple[str, str]], other: frozenset[tuple[str, str]]) -> bool:
    words = {word for word, _ in one} & {word for word, _ in other}
    return any(
        {thing for mark, thing in one if mark == word}
        != {thing for mark, thing in other if mark == word}
        for word in words
    )


def _has_other_doers(one: frozenset[Doing], other: frozenset[Doing]) -> bool:
    """Return whether one thing is done by somebody in one text, and by another in the other."""
    by_verb = [
        {
            verb: {item.who for item in items if item.verb == verb}
            for verb in {x.verb for x in items}
        }
        for items in (one, other)
    ]
    first, second = by_verb
    return any(first[verb] != second[verb] for verb in first.keys() & second.keys() - {""})


def _has_other_actors(
    one: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]
) -> bool:
    return any(one[verb].isdisjoint(other[verb]) for verb in one.keys() & other.keys())


def is_swapped(said: Sequence[str], known: Sequence[str]) -> bool:
    """Return whether two texts differ in that two parts around a third have changed places.

    >>> is_swapped(["key", "open", "the red", "door"], ["door", "open", "the red", "key"])
    True
    >>> is_swapped(["cold", "close", "lid"], ["close", "lid", "cold"])
    False
    """
    if len(said) != len(known) or said == known:
        return False
    first = next(n for n, pair in enumerate(zip(said, known, strict=True)) if pair[0] != pair[1])
    last = next(n for n in range(len(said), 0, -1) if said[n - 1] != known[n - 1])
    one, other = list(said[first:last]), list(known[first:last])
    size = len(one)
    return any(
        one[:start] == other[size - start :]
        and one[start:end] == other[size - end : size - start]
        and one[end:] == other[: size - end]
        for start in range(1, size - 1)
        for end in range(start + 1, size)
    )
