"""Forms of English words, which two libraries know: stems, plurals, infinitives, participles.

Stems are for comparing words and come from Snowball. Words that a text shows come from lemminflect,
whose dictionary takes long to load and is loaded with the first question.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from snowballstemmer import stemmer

_WORD = re.compile(r"[^\W\d_]+")
_INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PLURALS = {"data": "datum", "people": "person", "police": "police"}
"""Plurals that the dictionary has as singulars."""
_OTHERS = frozenset({"ADJ", "ADV", "AUX"})
_BE = {"is": "are", "was": "were"}


@cache
def find_stem(word: str) -> str:
    """Return what the forms of a word begin with, as far as their endings show them.

    >>> [find_stem(word) for word in ("Purchases", "purchasing", "deliveries")]
    ['purchas', 'purchas', 'deliveri']
    """
    # A stemmer holds the word that it works on, so that threads cannot share one.
    stem: str = stemmer("english").stemWord(word.lower())
    return stem


@lru_cache(maxsize=4_096)
def list_stems(text: str) -> tuple[str, ...]:
    """Return the stems of the words of a text in order; it may be the name of a tool or a field.

    >>> list_stems("memberIds insured")
    ('member', 'id', 'insur')
    """
    return tuple(map(find_stem, _WORD.findall(_INNER_CAPITAL.sub(" ", text).replace("_", " "))))


def is_plural_word(noun: str) -> bool:
    """Return whether a noun is a plural.

    >>> [is_plural_word(noun) for noun in ("criteria", "gas", "dangerous", "approvers")]
    [True, False, False, True]
    """
    return noun in _PLURALS or bool(_find_base(noun, "NOUN", "NNS"))


def singularize_word(noun: str) -> str:
    """Return the singular of a noun, or the noun if it is none that is known as a plural.

    >>> [singularize_word(noun) for noun in ("boxes", "people", "status")]
    ['box', 'person', 'status']
    """
    return _PLURALS.get(noun) or _find_base(noun, "NOUN", "NNS") or noun


@lru_cache(maxsize=1_024)
def singularize_unit(unit: str) -> str:
    """Return a unit as it stands after 1."""
    *others, last = unit.split(" ")
    plain = last.isalpha() and len(last) > 2  # noqa: PLR2004 - shorter ones are signs, as "ms"
    return " ".join([*others, singularize_word(last) if plain and last.islower() else last])


@cache
def pluralize_word(noun: str) -> str:
    """Return the plural of a noun, or the noun if it is one.

    >>> [pluralize_word(noun) for noun in ("delivery", "shelf", "series", "goods")]
    ['deliveries', 'shelves', 'series', 'goods']
    """
    from lemminflect import getInflection

    is_fixed = not noun or noun[1:] != noun[1:].lower() or is_plural_word(noun)
    forms: tuple[str, ...] = () if is_fixed else getInflection(noun, tag="NNS")
    return next((form for form in forms if form != noun), noun)


def find_infinitive(verb: str) -> str:
    """Return the infinitive of a verb in the third person; other words stay as they are.

    >>> [find_infinitive(verb) for verb in ("carries", "has", "may", "focus")]
    ['carry', 'have', 'may', 'focus']
    """
    return _find_base(verb, "VERB", "VBZ") or verb


def pluralize_verb(verb: str) -> str:
    """Return a verb of the third person as it stands after a plural.

    >>> [pluralize_verb(verb) for verb in ("is", "has", "carries", "was", "may")]
    ['are', 'have', 'carry', 'were', 'may']
    """
    return _BE.get(verb) or find_infinitive(verb)


def is_participle(word: str) -> bool:
    """Return whether a word may follow "has" or "have" as what was done.

    >>> [is_participle(word) for word in ("paid", "geocoded", "open", "hundred")]
    [True, True, False, False]
    """
    return bool(_find_base(word, "VERB", "VBN", may_be_same=True))


def is_modifier(word: str) -> bool:
    """Return whether a word says how something is, or what was done, and names no thing itself.

    >>> [is_modifier(word) for word in ("sent", "overdue", "set", "speed")]
    [True, True, False, False]
    """
    return not is_noun(word) and (is_adjective(word) or is_participle(word))


def is_noun(word: str) -> bool:
    """Return whether a word may name a thing.

    >>> is_noun("balance"), is_noun("to"), is_noun("sent")
    (True, False, False)
    """
    return _is_known(word, "NOUN")


def is_adjective(word: str) -> bool:
    """Return whether a word may say how something is.

    >>> is_adjective("original"), is_adjective("earliest"), is_adjective("rental")
    (True, True, False)
    """
    return _is_known(word, "ADJ")


@cache
def is_known_word(word: str) -> bool:
    """Return whether a dictionary has a word that is no function word, such as "with".

    >>> [is_known_word(word) for word in ("Receipts", "Beleg", "re\u00e7u")]
    [True, False, False]
    """
    from lemminflect import getAllLemmas

    return bool(getAllLemmas(word.lower()))


@cache
def _is_known(word: str, kind: str) -> bool:
    from lemminflect import getAllLemmas

    return kind in getAllLemmas(word)


@cache
def _find_base(word: str, kind: str, tag: str, *, may_be_same: bool = False) -> str:
    """Return the word of a kind of which another is the form that a tag names, "" for none."""
    from lemminflect import (
        getAllLemmas,
        getInflection,
        getLemma,
    )

    if not word[1:].islower():
        return ""  # signs and names, such as "SKUs"
    known = getAllLemmas(word)
    bases: tuple[str, ...] = known.get(kind, ())
    if not bases and _OTHERS.isdisjoint(known):
        bases = getLemma(word, upos=kind)  # a guess, by which an adjective could be a plural
    base = next((base for base in bases if word in getInflection(base, tag=tag)), "")
    return base if may_be_same or base != word else ""
