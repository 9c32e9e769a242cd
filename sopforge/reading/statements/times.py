"""When something is so: now, in the past, or only supposed.

Two texts of the same words differ where one says of now what the other says of before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sopforge.reading.note_words import count_words

_SUPPOSED = re.compile(r"\b(?:would|could|might)\b")
_HAS_HAD = re.compile(r"\bha(?:s|ve|d) had\b")
_NOW, _BEFORE = (
    re.compile(rf'\b(?:{be}) (?:(?:not|never|the|an?) )*("[^"]+"|[a-z]+)')
    for be in ("is|are", "was|were")
)
_PERFECT = re.compile(
    r"\bha(?:s|ve|d) (?:(?:not|never|already|also|just|been|the|a|an|its) )*(?:\w+ )??"
    r"([a-z]+(?:ed|en|wn|ne|ght|ft|pt|nt|ld|ut|et))\b"
)
_DONE = ("ed", "en", "wn", "ne", "ght", "ft", "pt", "nt", "ld")
"""How what has been done ends; "put" and "set" have one form for all times."""
_WHO_DOES, _WHO_DID = (re.compile(rf"\b(?:who|which|that) ([a-z]+{end})\b") for end in ("s", "ed"))


def has_same_times(text: str, known: str) -> bool:
    """Return whether neither text says of now what the other one says of before, or supposes.

    >>> has_same_times("the laboratory tests it", "the laboratory has tested it")
    False
    >>> has_same_times("the desk, which booked the visit", "the desk, which books the visit")
    False
    >>> has_same_times("the status was not given", "the status is not given")
    False
    >>> has_same_times("the missing paper", "the paper that is missing")
    True
    """
    one, other = text.lower(), known.lower()
    counted = (_SUPPOSED, _HAS_HAD)
    if any(len(sign.findall(one)) != len(sign.findall(other)) for sign in counted):
        return False
    if any(map(_is_moved, ((one, other), (other, one)))):
        return False
    return not _is_present(one, other) and not _is_present(other, one)


def _is_moved(pair: tuple[str, str]) -> bool:
    """Return whether one text says of before, or of what somebody did, what is now in the other."""
    before, now = pair
    was = {*_BEFORE.findall(before)} & {*_NOW.findall(now)} - {*_NOW.findall(before)}
    return bool(was or _find_stems(_WHO_DID.findall(before)) & _find_stems(_WHO_DOES.findall(now)))


def _find_stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(stem for word in words for stem in count_words(word))


def _is_present(text: str, known: str) -> bool:
    """Return whether a text says in the present what another one says in the perfect."""
    words = re.findall(r"[a-z]+", text)
    for done in _PERFECT.findall(known):
        meant = count_words(done)
        forms = [word for word in words if meant and count_words(word) == meant]
        if forms and not any(form == done or form.endswith(_DONE) for form in forms):
            return True
    return False
