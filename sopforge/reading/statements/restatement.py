"""Whether one sentence is another one in a construction of the same meaning.

Words alone do not show who does what to whom: a sentence is cut into phrases, each of which begins
with a preposition, a conjunction or a relative pronoun. After each sentence is put into the active,
into one order of object and receiver, and into one word for all of one meaning, the phrases must
be the same ones in the same order. Only what says when, where or if may move, as a whole, to the
other end of its sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

import yaml

from sopforge.reading.note_words import find_stem, reword_constructions

_TABLE = Path(__file__).with_suffix(".yaml")
_SENTENCE = re.compile(r"(?<=[.;:])\s+")
_WORD = re.compile(r'"[^"]*"|[\w\'.-]*\w|,')
_STARTS = frozenset(
    {
        *("from", "to", "into", "onto", "for", "with", "without", "against", "of", "on", "in"),
        *(
            "at",
            "under",
            "by",
            "through",
            "about",
            "before",
            "after",
            "until",
            "between",
            "than",
            "as",
        ),
        *("which", "whose", "where", "how", "what", "why", "whether", "if", "unless", "because"),
        *("and", "or", "nor", "but", "than", "while", ","),
    }
)
"""Words that begin a phrase."""
_MOVED = frozenset(
    {
        *("if", "unless", "because", "before", "after", "until", "while", "where", "even"),
        *("at", "in", "on", "for", "with", "by", "from", "as", "without"),
    }
)
"""Words that begin what may stand at either end of a sentence."""
_JOINING = frozenset({"and", "or", "nor", "but"})
_PAST = re.compile(
    r"(?<!\bbe )(?<!\bhas )(?<!\bhave )(?<!\bhad )(?<!\bbeen )(?<!\bis )(?<!\bare )(?<!\bwas )"
    r"(?<!\bwere )\b(?!exceed|need|proceed|feed)[a-z]+ed "
    r"(?=(?:the|an?|its|their|it|them|any|each|every|all) )"
    r"|\b(?:was|were) (?:[a-z]+ly )?[a-z]+(?:ed|en|ne|wn|ld|ht|nt|pt|ft|id) (?:[a-z]+ )?by "
)
"""What somebody did."""
_NOUN = re.compile(
    r"\b(the|an?|its|their|your|his|her|any|each|every|no|of|for|with|first|last|new) ([a-z]{3,})\b"
)
"""A word that is a noun, with what shows it."""
_EMPTY = frozenset({"a", "an", "the", "also", "then", "therefore", "thus", "hence", "will"})


def is_restated(text: str, known: str, own: AbstractSet[str] = frozenset()) -> bool:
    """Return whether a text says what another one says, sentence by sentence.

    ``own`` are the words, without endings, of what the sentences are about: a text may name it.

    >>> is_restated("The key is passed by the porter to a guest.",
    ...             "The porter passes the key to a guest.")
    True
    >>> is_restated("The porter is passed the key by a guest.",
    ...             "The porter passes the key to a guest.")
    False
    >>> is_restated("At night, lock the shed.", "Lock the shed at night.")
    True
    """
    said, meant = _cut(text), _cut(known)
    if own:
        more = _count(said) - _count(meant)
        said = [_leave_out(phrases, {word for word in own if word in more}) for phrases in said]
    return (
        len(said) == len(meant)
        and all(map(_are_same_phrases, said, meant))
        and len(_PAST.findall(text.lower())) == len(_PAST.findall(known.lower()))
        and not _is_of_several(text, known)
        and not _is_of_several(known, text)
    )


def is_reordered(text: str, known: str) -> bool:
    """Return whether a text has the words of another one in an order that says something else.

    >>> is_reordered("Return them as used.", "Use them as returned.")
    True
    """
    is_same = _count(_cut(text)) == _count(_cut(known))
    return is_same and not is_restated(text, known)


def _is_of_several(text: str, known: str) -> bool:
    """Return whether a text speaks of several things where another one speaks of one only."""
    words = {*re.findall(r"[a-z]+", known.lower())}
    nouns = {noun for _, noun in _NOUN.findall(text.lower())}
    ones = {noun for _, noun in _NOUN.findall(known.lower())}
    return any(
        one in ones and noun not in words
        for noun in nouns
        for one in (noun.removesuffix("s"), noun.removesuffix("es"))
        if one != noun
    )


def _count(sentences: Iterable[Iterable[tuple[str, ...]]]) -> Counter[str]:
    return Counter(word for phrases in sentences for phrase in phrases for word in phrase)


def _leave_out(phrases: Iterable[tuple[str, ...]], own: AbstractSet[str]) -> list[tuple[str, ...]]:
    kept = (tuple(word for word in phrase if word not in own) for phrase in phrases)
    return [phrase for phrase in kept if phrase]


@lru_cache(maxsize=2048)
def _cut(text: str) -> list[list[tuple[str, ...]]]:
    """Return the phrases of each sentence."""
    plain = reword_constructions(text)
    plain = " ".join(plain.lower().replace("\u2019", "'").split())
    return [[*_iterate_phrases(_reword(sentence))] for sentence in _SENTENCE.split(plain)]


def _reword(sentence: str) -> str:
    """Return a sentence with one construction for all that mean it."""
    sentence = sentence.rstrip(" .;:")
    for pattern, words in _load_constructions():
        sentence = " ".join(pattern.sub(words, sentence).split())
    return sentence


def _iterate_phrases(sentence: str) -> Iterator[tuple[str, ...]]:
    phrase: list[str] = []
    for word in _WORD.findall(sentence):
        if word in _EMPTY:
            continue
        if word in _STARTS:
            if phrase:
                yield tuple(phrase)
            phrase = [] if word == "," else [word]
        else:
            phrase.append(_find_meaning(word))
    if phrase:
        yield tuple(phrase)


def _find_meaning(word: str) -> str:
    stem = find_stem(word)
    return _load_alike().get(stem, stem)


def _are_same_phrases(said: Sequence[tuple[str, ...]], known: Sequence[tuple[str, ...]]) -> bool:
    """Return whether two sentences have the same phrases, of which one group may have moved."""
    if [*chain.from_iterable(said)] == [*chain.from_iterable(known)]:
        return True
    if sorted(said) != sorted(known):
        return False
    return _is_moved(said, known) or _is_moved(known, said)


def _is_moved(front: Sequence[tuple[str, ...]], known: Sequence[tuple[str, ...]]) -> bool:
    """Return whether what stands first in one sentence stands last in the other.

    Of several things that are done, it would be said of others there.
    """
    if not front or front[0][0] not in _MOVED:
        return False
    return any(
        [*front[size:], *front[:size]] == list(known)
        and not any(phrase[0] in _JOINING for phrase in front[size:])
        for size in range(1, len(front))
    )


@cache
def _load_constructions() -> list[tuple[re.Pattern[str], str]]:
    table = yaml.safe_load(_TABLE.read_text(encoding="utf-8"))
    names: dict[str, str] = table["names"]
    return [(re.compile(_expand(pattern, names)), words) for pattern, words in table["turns"]]


def _expand(pattern: str, names: dict[str, str]) -> str:
    for name, expanded in names.items():
        pattern = pattern.replace(name, expanded)
    return pattern


@cache
def _load_alike() -> dict[str, str]:
    table = yaml.safe_load(_TABLE.read_text(encoding="utf-8"))
    return {find_stem(word): find_stem(group[0]) for group in table["alike"] for word in group}
