"""Small words that decide what is meant: whose, which one, who, and of how many."""

from __future__ import annotations

import re
from collections import Counter

from sopforge.reading.note_words import count_words

_OWNER = re.compile(r"\b([\w-]+)'s\b")
_OWNED_BEFORE = re.compile(r"\b[\w-]+'s(?=[.,;:]|$)")
_WHICH = re.compile(r"\b(first|last|new|old|next|same|only)\b(?: ([\w-]+))?")
_PRONOUN = re.compile(r"\b(?:it|them|they|him|her)\b")
_IT_DOES = re.compile(r"\bit ([a-z]{3,})s\b")
_EITHER, _OR = re.compile(r"\beither\b"), re.compile(r"\bor\b")


def has_same_small_words(text: str, known: str) -> bool:
    """Return whether the small words of two texts say the same.

    >>> has_same_small_words("the plan of the clinic's network", "the clinic of the plan's network")
    False
    >>> has_same_small_words("correct the error on the first day", "correct the first error")
    False
    >>> has_same_small_words("check them against it", "check it against them")
    False
    >>> has_same_small_words("change nothing and reply", "it changes nothing and replies")
    False
    >>> has_same_small_words("the first visit of a new patient", "a new patient's first visit")
    True
    """
    one, other = text.lower(), known.lower()
    return (
        _has_same_owners(one, other)
        and _is_of_the_same(one, other)
        and _has_pronouns_in_order(one, other)
        and not _is_command(one, other)
        and not _is_command(other, one)
        and not _is_both_for_either(one, other)
    )


def _has_same_owners(text: str, known: str) -> bool:
    """Return whether as many owners are the same ones, and what is theirs is left out as often."""
    said, meant = ({*_OWNER.findall(one)} for one in (text, known))
    left_out = {len(_OWNED_BEFORE.findall(one)) for one in (text, known)}
    return (len(said) != len(meant) or said == meant) and len(left_out) == 1


def _is_of_the_same(text: str, known: str) -> bool:
    """Return whether "first" and its like stand before the same words, where both have them."""
    said, meant = (_index_which(one) for one in (text, known))
    return all(said[word] == meant[word] for word in said.keys() & meant.keys())


def _index_which(text: str) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for word, thing in _WHICH.findall(text):
        found.setdefault(word, Counter()).update([next(iter(count_words(thing)), "")])
    return found


def _has_pronouns_in_order(text: str, known: str) -> bool:
    said, meant = (_PRONOUN.findall(one) for one in (text, known))
    return said == meant or Counter(said) != Counter(meant)


def _is_command(text: str, known: str) -> bool:
    """Return whether a text asks the reader to do what "it" does in another one."""
    return any(
        re.search(rf"\b{verb}\b", text) is not None and re.search(rf"\b{verb}s\b", text) is None
        for verb in _IT_DOES.findall(known)
    )


def _is_both_for_either(text: str, known: str) -> bool:
    has_either = _EITHER.search(text) is not None and _EITHER.search(known) is not None
    return has_either and len(_OR.findall(text)) != len(_OR.findall(known))
