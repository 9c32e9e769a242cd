"""Who does what: in the passive after "by", in the active before the verb."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
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
