"""Sentences as phrases: in one construction for all that mean it, cut where a phrase begins.

A phrase begins with a preposition, a conjunction or a relative pronoun. Its words are without
endings, and one stands for all of one meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias

import yaml

from sopforge.reading.note_words import find_stem, reword_constructions

_TABLE = Path(__file__).with_suffix(".yaml")
_SENTENCE = re.compile(r"(?<=[.;:])\s+")
_WORD = re.compile(r'"[^"]*"|[\w\'.-]*\w|,')
_STARTS = frozenset(
    {
        *("from", "to", "into", "onto", "for", "with", "without", "against", "of", "on", "in"),
        *("at", "under", "by", "through", "about", "before", "after", "until", "between", "than"),
        *("which", "whose", "how", "what", "why", "whether", "if", "unless", "because", "as"),
        *("and", "or", "nor", "but", "while", "aside"),
    }
)
_ARTICLES = {"a": "a", "an": "a", "the": "the"}
_SILENT = frozenset({"therefore", "thus", "hence"})
_UNSAID = frozenset({"must-do", "will"})
_DOING = frozenset({*_UNSAID, "not", "can", "may", "could", "to", "have", "let"})
"""Words before a verb, which has no ending there; those that are unsaid are not compared."""


@dataclass(frozen=True, slots=True, order=True)
class Word:
    """A word as it is compared, by its meaning; of a noun also by its number and its article."""

    meaning: str
    form: str = field(compare=False)
    article: str = field(compare=False, default="")
    is_verb: bool = field(compare=False, default=False)


Phrase: TypeAlias = tuple[Word, ...]


@lru_cache(maxsize=2048)
def cut_phrases(text: str) -> Sequence[Sequence[Phrase]]:
    """Return the phrases of each sentence of a text."""
    plain = " ".join(reword_constructions(text).lower().replace("\u2019", "'").split())
    return [[*_iterate_phrases(_reword(sentence))] for sentence in _SENTENCE.split(plain)]


def _reword(sentence: str) -> str:
    """Return a sentence in one construction for all that mean it."""
    sentence = sentence.rstrip(" .;:")
    for pattern, words in _load_turns():
        sentence = " ".join(pattern.sub(words, sentence).split())
    return sentence


def _iterate_phrases(sentence: str) -> Iterator[Phrase]:
    phrase: list[Word] = []
    article, is_verb = "", True
    for form in _WORD.findall(sentence):
        if form == "," or form in _STARTS:
            if phrase:
                yield tuple(phrase)
            phrase = [Word(form, form)] if form != "," else []
        elif form not in {*_ARTICLES, *_SILENT, *_UNSAID}:
            phrase.append(Word(_find_meaning(form), form, article, is_verb))
        article = _ARTICLES.get(form, "")
        is_verb = form in _DOING
    if phrase:
        yield tuple(phrase)


def _find_meaning(word: str) -> str:
    stem = find_stem(word)
    return _load_alike().get(stem, stem)


@cache
def _load_turns() -> Sequence[tuple[re.Pattern[str], str]]:
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
