"""What the forms of a word have in common: "verified", "verify" and "verification" are one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from sopforge.sandbox.linting.rule import split_words

_WORD = re.compile(r"[^\W_]+(?:'t)?")
_ENDINGS = (
    *("ications", "ication", "ations", "ation", "itions", "ition", "ities", "ity", "ments"),
    *("ment", "ances", "ance", "ences", "ence", "able", "ible", "ings", "ing", "ions", "ion"),
    *("ness", "ied", "ies", "ive", "ed", "es", "er", "ly", "al", "e", "s", "y"),
)
_SHORT_PLURAL = re.compile(r"[a-z]{2}[^isu]s")
_SHORTEST_STEM, _LONGEST_STEM = 4, 7
_FUNCTION_WORDS = split_words("""
    a an the this that these those it its he she they them their his her is are was were be been
    being am has have had having do does did done doing if when where while whose which what who
    whom why how of on in at by for from to into onto with within as and or but so then than such
    any each all every either both some one ones there here also yet still already again just about
    because since upon per via case cases tool tools service services call calls called calling
    caller callers request requests answer answers return returns system once case time made make
    makes given gives give asked ask asks say says said name names exactly its only whether can
    could may might will would shall should code codes error errors reason reasons result results
    message instead otherwise else even anyone anything nothing event respective corresponding
    relevant itself currently listed not no never nor neither without cannot none only unless except
    until like try attempt others
    """)
# Words of everyday English that are one word here.
_ALIKE: Mapping[str, str] = {
    word: first
    for first, words in {
        "missing": "absent omitted lacking",
        "wrong": "incorrect invalid malformed unreadable misspelled misspelt bad",
        "unknown": "unlisted nonexistent",
        "known": "exists exist existing found listed",
        "match": (
            "matches matching agree agrees agreeing correspond corresponds same identical equal"
            " coincide coincides fit fits tally tallies consistent"
        ),
        "differ": (
            "differs differing different deviate deviates contradict contradicts mismatch"
            " mismatches inconsistent disagree disagrees"
        ),
        "blocked": "stopped held frozen locked suspended",
        "pay": "paid payment payable pays",
    }.items()
    for word in words.split()
}


@cache
def trim_word(word: str) -> str:
    """Return what the forms of a word have in common; numbers stay as they are."""
    plain = word.lower()
    if plain in _ALIKE:
        return trim_word(_ALIKE[plain])
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= _SHORTEST_STEM:
            plain = plain.removesuffix(ending)
            break
    else:
        plain = plain[:-1] if _SHORT_PLURAL.fullmatch(plain) else plain
    if len(plain) > _SHORTEST_STEM and plain[-1] == plain[-2]:
        plain = plain[:-1]
    return plain[:_LONGEST_STEM]


def split_plain_words(text: str) -> list[str]:
    """Return the words of a text in small letters.

    Names with underscores, and with capitals inside, are several words.
    """
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text.replace("\u2019", "'").replace("_", " "))
    return [found.lower() for found in _WORD.findall(parted)]


def is_function_word(word: str) -> bool:
    """Return whether a word holds a sentence together and says nothing of a case."""
    return word in _FUNCTION_WORDS


def trim_words(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that say something."""
    return frozenset(
        trim_word(word) for word in split_plain_words(text) if not is_function_word(word)
    )
