"""How verbs are used: whether somebody does a thing, may do it, is to do it, or has it done.

Comparisons of words leave such verbs out, for a sentence may be put into the passive, and a command
into a duty. What they may not do is turn what is so into what may be, is due, or is done to others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from sopforge.reading.note_words import count_words

_BETWEEN = (
    r"(?:not |never |also |already |still |then |now |first |last |yet |only |always |just )*"
)
_MAY = re.compile(
    r"\b(?:can|could|may|might|(?:able|allowed|permitted|entitled|free) to)\b(?! not\b)"
)
_NOBODY = re.compile(r"\b(?:no|nobody|none|nothing|never|only|neither)\b")
"""What may not be is forbidden, and what only may be is a duty: these have words of their own."""
_DUE = re.compile(
    rf"\b(?:due|supposed|expected|meant|going|about|planned|likely) to (?=be\b|[a-z])"
    rf"|\bhaving {_BETWEEN}(?:had|been)\b"
)
_CLAUSE = re.compile(
    r"\b(?:who|which|whom|whose|that|how|what|why|when|where|by|for|on|through)\b([^.,;:]*)"
)
_DUTY = re.compile(
    rf"\b(?:must|shall|should|(?:has|have|had|needs?|ought|is|are|was|were) {_BETWEEN}to)\b"
    r"(?= (?:be|have|[a-z]+)\b)"
)
_OF_WHICH = re.compile(r"\b(by|under|for|through|to|with|about|against) (?:which|whom)\b")
_LIKE = {"under": "by"}
_DONE = re.compile(
    rf"\b([a-z'-]+) (?:is|are|was|were|be|been|being) {_BETWEEN}([a-z]+(?:ed|en|wn|ne|ght|ft|pt|nt"
    r"|ld|de|un|ut|et|id))\b"
)
_PAIR = re.compile(rf"\b(?=([a-z'-]+) {_BETWEEN}([a-z]+)(?<!able)\b)")


def has_same_verbs(text: str, known: str) -> bool:
    """Return whether what is done in one text is done in the other, by and to the same.

    >>> has_same_verbs("the desk can book the visit", "the desk books the visit")
    False
    >>> has_same_verbs("documents that the desk is to hold", "documents that the desk holds")
    False
    >>> has_same_verbs("company for which the plan is run", "company that runs the plan")
    False
    >>> has_same_verbs("what the member is given", "what the member gives")
    False
    >>> has_same_verbs("the form must be signed by the clerk", "the clerk signs the form")
    True
    """
    one, other = text.lower(), known.lower()
    return (
        _count_choices(one) == _count_choices(other)
        and len(_DUE.findall(one)) == len(_DUE.findall(other))
        and _count_duties(one) == _count_duties(other)
        and _count_relations(one) == _count_relations(other)
        and not _is_turned(one, other)
        and not _is_turned(other, one)
    )


def _count_choices(text: str) -> int:
    """Return how often a text says that something may be, but for what it forbids."""
    clauses = re.split(r"[.,;:]", text)
    return sum(len(_MAY.findall(part)) for part in clauses if not _NOBODY.search(part))


def _count_duties(text: str) -> int:
    """Return how often a text names things by what is to be done with them."""
    return sum(len(_DUTY.findall(clause)) for clause in _CLAUSE.findall(text))


def _count_relations(text: str) -> Counter[str]:
    return Counter(_LIKE.get(word, word) for word in _OF_WHICH.findall(text))


def _is_turned(text: str, known: str) -> bool:
    """Return whether something is done in a text to those who do it in another one."""
    does = {(who, stem) for who, verb in _PAIR.findall(known) for stem in _find_stems(verb)}
    done = {*_iterate_done(text)}
    return bool(does & done - {*_iterate_done(known)})


def _iterate_done(text: str) -> Iterator[tuple[str, str]]:
    """Yield to whom something is done, or the word before, with what is done to them."""
    for whom, verb in _DONE.findall(text):
        for stem in _find_stems(verb):
            yield whom, stem


def _find_stems(verb: str) -> frozenset[str]:
    return frozenset(count_words(verb))
