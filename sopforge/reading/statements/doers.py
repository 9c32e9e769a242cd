"""Who does what: in the passive after "by", in the active before the verb."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from sopforge.reading.statements.tokens import Marked

_PERSONS = ("er", "or", "ist", "ian", "ant", "dent", "ient", "gent", "ee", "man", "woman")
_OFFICES = frozenset(
    {
        *("desk", "team", "panel", "offic", "board", "clerk", "unit", "member", "lead", "staff"),
        *("nurs", "guest", "host", "guard", "child", "boss", "chief", "cook", "pupil", "crew"),
        *("landlord", "lodger", "parent", "spous", "widow", "friend", "judg", "coach", "heir"),
    }
)
_THINGS = frozenset(
    {
        *("order", "number", "letter", "paper", "answer", "register", "transfer", "offer", "water"),
        *("matter", "another", "further", "either", "cover", "takeover", "handover", "whether"),
        *("error", "for", "never", "however", "later", "earlier", "larger", "smaller", "younger"),
        *("computer", "calculator", "calendar", "meter", "container", "folder", "power"),
        *("relevant", "important", "significant", "constant", "instant", "per", "other", "over"),
    }
)
"""How words for people end, words for offices, and words that end so for other things."""
_PASSIVE = re.compile(
    r"\b(?:(?:is|are|was|were|been|be) (?:[a-z]+ly )?)?(?P<verb>[a-z]+(?:ed|en|ne|de|ld|ht|nt|pt)) "
    r"(?:over |out |back |off |up |down |on )?by (?:the |an? |one )(?:[a-z]+ ){0,2}?(?P<who>[a-z]+)"
    r"(?=[,.;:]| (?:and|or|if|when|where|who|which|that|to|for|with|on|at|in|of)\b|$)"
)
_GIVING = (
    "gives?|gave|given|hands?|handed|sends?|sent|pass(?:es|ed)?|offers?|offered|shows?|shown"
    "|pays?|paid|tells?|told|asks?|asked|informs?|informed|notif(?:y|ies|ied)|reminds?|reminded"
    "|advises?|advised"
)
_PROVIDING = "provides?|provided|suppl(?:y|ies|ied)|issues?|issued|furnish(?:es|ed)?"
_THING = r"(?:the|an?|its|their|our|your|his|her|each|every|any|that|this) "
_PLAIN = r"(?!(?:of|to|in|on|for|from|with|and|or|by|at)\b)[a-z'-]+"
_WHOM = rf"{_THING}(?P<who>(?:{_PLAIN} ){{0,2}}?{_PLAIN})"
_END = r"[,.;]| (?:with|for|if|when|and|at|on|in|by)\b|$"
_RECEIVING = (
    rf"\b(?:{_GIVING}) {_WHOM}(?= (?:about|that|why|how|when|what|which)\b| {_THING})",
    rf"\b(?:asks?|asked) {_WHOM}(?= for\b)",
    rf"\b(?:{_PROVIDING}) {_WHOM}(?= with\b)",
    rf"\b(?:{_GIVING}|{_PROVIDING}) [^,.;]*?\bto {_WHOM}(?={_END})",
)
"""Who is given something or informed: right after the verb, with a thing after them, or last."""
_REACH = 4
"""So far after somebody stands what they do, with others that they do."""


class Doing(NamedTuple):
    """What is done by whom; the verb is empty where it is a small word."""

    who: str
    verb: str


def find_passives(marked: Marked) -> list[Doing]:
    """Return what a text says in the passive, and of whom.

    >>> find_passives(Marked("the case is closed by the duty clerk.", {}))
    [Doing(who='clerk', verb='clos')]
    """
    return [
        Doing(*(next(marked.iterate_tokens(found[part]), "") for part in ("who", "verb")))
        for found in _PASSIVE.finditer(marked.text)
    ]


def find_receivers(marked: Marked) -> frozenset[str]:
    """Return to whom something is given or said, as far as the text shows it.

    >>> sorted(find_receivers(Marked("give the member the number of the clerk.", {})))
    ['member']
    >>> sorted(find_receivers(Marked("give the number of the clerk to the member.", {})))
    ['member']
    """
    found = {item["who"] for words in _RECEIVING for item in re.finditer(words, marked.text)}
    return frozenset(" ".join(marked.iterate_tokens(words)) for words in found) - {""}


def are_same_doers(
    said: Sequence[str], known: Sequence[str], passives: Sequence[Doing], others: Sequence[Doing]
) -> bool:
    """Return whether those who do something in a text do it in another one.

    ``said`` and ``known`` are the tokens of the texts, ``passives`` and ``others`` their passives.
    """
    for item in {*passives} - {*others}:
        places = [n for n, token in enumerate(known) if token == item.who]
        if not any(item.verb in {"", *known[n + 1 : n + _REACH]} for n in places):
            return False
    return bool(passives or others) or not _is_turned(said, known)


def _is_turned(said: Sequence[str], known: Sequence[str]) -> bool:
    """Return whether somebody who does something in a text has it done to them in another."""
    done = {*pairwise(known)}
    return any((two, one) in done for one, two in pairwise(said) if is_somebody(one))


def is_somebody(token: str) -> bool:
    """Return whether a token stands for a person or an office, by its ending."""
    return token in _OFFICES or (token.endswith(_PERSONS) and token not in _THINGS)


def is_in_turn(said: Sequence[str], known: Sequence[str]) -> bool:
    """Return whether most of the tokens that two texts share come in one order.

    >>> is_in_turn(["pay", "then", "judge", "look"], ["look", "judge", "pay"])
    False
    """
    places = [known.index(token) for token in said if token in known]
    pairs = list(combinations(places, 2))
    return 2 * sum(one <= other for one, other in pairs) >= len(pairs)
