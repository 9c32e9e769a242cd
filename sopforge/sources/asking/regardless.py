"""Facts that make no difference by the brief's words, and rules that make one by them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sopforge.domain.language.expressions import Compare, Expression, Not, Relation
from sopforge.sources.account import Passage
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.asking.conditions import Condition
from sopforge.sources.asking.sides import Sides
from sopforge.sources.prose.markers import WHATEVER, split_statements
from sopforge.sources.prose.stems import list_stems

_WHATEVER = (
    rf"(?:{WHATEVER}|\b(?:regardless of|irrespective of|no matter(?: what| which| how)?)\b)"
    r"(?P<whatever>[^.;:()]*?)(?=[.;:()]|\b(?:where|if|when|unless)\b|$"
    # "Whatever the days say, both for fees and for grants" is no list.
    r"|,\s(?:both|either|for|with|without|but|so|then|also|even|only|in|on|at|it|they"
    r"|and (?:for|in))\b)"
)
_WHETHER = (
    # "Check whether it is open or shut" is no such thing.
    r"(?:[,(]|\band)\s*whether or not\b(?P<asked>[^.;:(),]*)"
    r"|(?:[,(]|\band)\s*whether\b(?P<either>[^.;:()]*?\bor\b[^.;:(),]*)"
    r"|(?P<said>(?:(?!\bwhether\b)[^.;:(),])+?),? or not\b"
)
_MAKES_NONE = r"(?P<what>[^.;:(),]+?)\b(?:makes?|made) no difference\b(?: to| for)?"
_REGARDLESS = re.compile(f"{_MAKES_NONE}|{_WHATEVER}|{_WHETHER}", re.IGNORECASE)
_AFTER = re.compile(r"[^.;:(),]*")


def find_read_regardless_of(sides: Sides) -> Iterator[Doubt]:
    """Yield the rules that ask about what makes no difference in cases that a passage is about.

    "Members wait, whether the pump is open or shut": the rule that cites it does not ask about the
    pump, and none of its decision does that decides a case of a member.
    """
    for passage in sides.passages:
        quoted = sides.account.quote(passage)
        for text, _ in split_statements(quoted):
            said = _REGARDLESS.search(text)
            if said is None:
                continue
            what = next(words for words in said.groupdict().values() if words is not None)
            names = _list_spoken_of(sides, what)
            for item in _list_making_one(sides, passage, _read_about(text, said), names):
                held = sides.call_all(item.names & names)
                yield Doubt(Kind.REGARDLESS, quoted, (item.name,), what.strip(), held)


def _read_about(text: str, said: re.Match[str]) -> str:
    """Return the words of a statement that say which cases it is about."""
    after = _AFTER.match(text, said.end()) if said["what"] is not None else None
    return text[: said.start()] if after is None else after[0]


def _list_spoken_of(sides: Sides, text: str) -> frozenset[str]:
    """Return the facts that a text names, or of which it has a word that no other has."""
    stems = list_stems(text)
    shared = sides.vocabulary.shared
    own = {
        name
        for name, called in sides.vocabulary.facts.items()
        if any(stem in stems and shared[stem] == 1 for stem in called.words)
    }
    return frozenset(own | {naming.name for naming in sides.vocabulary.find_named(text)})


def _list_making_one(
    sides: Sides, passage: Passage, about: str, names: frozenset[str]
) -> Iterator[Condition]:
    """Yield the rules by which facts make a difference in cases that some words are about."""
    cited = [item for item in sides.list_conditions(passage.items) if item.group]
    # Of several, another one may go by it.
    yield from (item for item in cited if item.names & names and len(cited) == 1)
    meanings = _list_meanings(sides, about)
    for group in dict.fromkeys(item.group for item in cited) if meanings else ():
        own = [item for item in cited if item.group == group]
        excepted = _list_excepted(own)
        for item in sides.conditions.list_group(group):
            # What gives the same result makes no difference.
            is_same = item.results and all(item.results == one.results for one in own)
            is_other = item not in cited and item.names & names and not is_same
            if is_other and sides.cases.has_case(item, [*meanings, *excepted]):
                yield item


def _list_meanings(sides: Sides, text: str) -> list[Expression]:
    """Return what is so in the cases that a text is about, none where it names no fact."""
    found = []
    for naming in sides.vocabulary.find_named(text):
        meaning = sides.conditions.build_meaning(naming.name, naming.label)
        is_so = naming.answer is not False and not sides.is_outcome(naming.name)
        if meaning is not None and is_so:
            found.append(meaning)
    return found


def _list_excepted(items: Sequence[Condition]) -> list[Expression]:
    """Return what rules exclude: who gets no concession may be a resident for all that."""
    asks = [ask for item in items for ask in item.asks]
    denied = [Not(ask.test) for ask in asks if ask.is_denied]
    unequal = [
        ask.test
        for ask in asks
        if isinstance(ask.test, Compare) and ask.test.relation is Relation.NE and not ask.is_denied
    ]
    return [*denied, *unequal]
