"""Words of a line as they are compared: names as they are, and one word for all of one meaning.

A token is a word's stem, a number, a sign, or a name with a letter for its kind and a colon: "l:"
for a label, "q:" for quoted words, "i:" for a tool or an entry, "s:" and "r:" for references.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from sopforge.reading.note_words import find_stem

RELATIONS = {
    "atleast": ">=",
    "atmost": "<=",
    "morethan": ">",
    "lessthan": "<",
    "isnot": "!=",
}
"""Words for relations, which stand before what something is compared with."""
TYING = frozenset(
    {
        "before",
        "after",
        "minus",
        "plus",
        "divide",
        "until",
        "than",
        "byamount",
        "from",
        "only",
        "no",
        "another",
    }
)
"""Words that say something of what comes next, and of nothing else."""
ENDS = frozenset({".", ";", ":"})
"""Signs at the end of a part of a sentence."""
_JOINING = frozenset({"and", "or", "if", "unless", "otherwise", "not", ","})
_KEPT = frozenset({*RELATIONS, *TYING, *ENDS, *_JOINING})
_TABLE = Path(__file__).with_name("alike_words.yaml")
_MARK = "\ue010"
"""A name: this character, a letter for its kind, and its number."""
_TOKEN = re.compile(rf"{_MARK}[a-z]\d+|-?\d[\d.,:/-]*(?<![.,:/-])|[^\W\d_][\w'-]*|[.;:,]")
_NAMED = re.compile(
    r'(?P<q>"[^"]*")|(?P<s>\bsteps? \d+(?:\.\d+)+(?: \([^()]*\))?)'
    r"|(?P<r>\(?\b[Ss]ections? \d+(?: \([^()]*\))?\)?)"
    r"|(?P<i>\b(?:[a-z]+[A-Z]\w*|[a-z]+_\w+)\b)"
)
_PATTERNS = {
    "NUM": r"-?\d[\d.,-]*(?<![.,-])",
    "MARK": rf"{_MARK}[a-z]\d+",
    "QUOTED": rf"{_MARK}q\d+",
    "LABEL": rf"{_MARK}l\d+",
}
_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
_DIGITS = {word: str(number) for number, word in enumerate(_NUMBERS) if word != "one"}


@dataclass(frozen=True, slots=True)
class _Words:
    """The table of words of one meaning."""

    turns: Sequence[tuple[re.Pattern[str], str]]
    alike: Mapping[str, str]
    small: frozenset[str]
    optional: frozenset[str]


@dataclass(frozen=True, slots=True)
class Marked:
    """A text in small letters with marks in place of its names, and the names by their marks."""

    text: str
    names: Mapping[str, str]

    def iterate_tokens(self, text: str) -> Iterator[str]:
        """Yield the tokens of a part of the text, without small words."""
        words = load_words()
        for word in _TOKEN.findall(text):
            if word.startswith(_MARK):
                yield f"{word[1]}:{self.names[word]}"
            elif word in _KEPT:
                yield word
            elif word in _DIGITS or word not in words.small:
                yield _DIGITS.get(word) or find_meaning(word)


def mark_names(text: str, labels: Sequence[str]) -> Marked:
    """Return a text with marks for what it quotes, refers to and names by one of some labels."""
    names: dict[str, str] = {}

    def mark(kind: str, words: str) -> str:
        known = {(key[1], name): key for key, name in names.items()}
        key = known.get((kind, words), f"{_MARK}{kind}{len(names)}")
        names[key] = words
        return f" {key} " if kind != "q" else key

    text = _NAMED.sub(lambda found: mark(found.lastgroup or "", found[0].strip("()")), text)
    if labels:
        known = re.compile(rf"(?<![\w{_MARK}])(?:{'|'.join(map(re.escape, labels))})(?!\w)")
        text = known.sub(lambda found: mark("l", found[0]), text)
    return Marked(" ".join(text.lower().replace("\u2019", "'").split()), names)


def put_in_turns(text: str) -> str:
    """Return a text with one turn of phrase for all that mean it."""
    for pattern, words in load_words().turns:
        text = " ".join(pattern.sub(words, text).split())
    return text


def find_meaning(word: str) -> str:
    """Return what stands for a word in all its forms, and for all words of its meaning."""
    stem = find_stem(word)
    return load_words().alike.get(stem, stem)


def is_value(token: str) -> bool:
    """Return whether a token is what something is compared with: a number or quoted words."""
    return token.startswith("q:") or (token[:1] in set("-0123456789") and token[-1:].isdigit())


@cache
def load_words() -> _Words:
    """Return the table of words."""
    table = yaml.safe_load(_TABLE.read_text(encoding="utf-8"))
    alike: dict[str, str] = {}
    for group in table["alike"]:
        stems = [find_stem(word) for word in group]
        first = alike.get(stems[0], stems[0])
        alike = {**dict.fromkeys(stems, first), **alike}
    optional = (find_stem(word) for word in table["optional"])
    return _Words(
        [(re.compile(_expand(pattern)), words) for pattern, words in table["turns"]],
        alike,
        frozenset(table["small"]),
        frozenset(alike.get(stem, stem) for stem in optional),
    )


def _expand(pattern: str) -> str:
    for name, expanded in _PATTERNS.items():
        pattern = pattern.replace(name, expanded)
    return pattern
