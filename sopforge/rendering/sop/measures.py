"""How long, how readable and how deep an SOP is, counted alike on any machine.

Words are what blanks separate; tokens are words, figures and marks, each one, so that they say
how texts compare and not what a provider bills. Readability is the Flesch-Kincaid grade over the
sentences outside headings and tables: 0.39 words per sentence plus 11.8 syllables per word less
15.59, a syllable being a run of vowels, without a silent "e" at the end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from fractions import Fraction

from sopforge.logic.phrasing.grammar import compute_bracket_depth, join_lettered
from sopforge.rendering.sop.document import Line, SopDocument, Style

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
_SENTENCE_END = re.compile(r"(?<=[.:;?!])\s+")
_WORD = re.compile(r"[^\W\d_]+")
_VOWELS = re.compile(r"[aeiouy]+")
_REFERENCE = re.compile(r"\b(?:step|section) \d")
_SPOKEN = frozenset({Style.PARAGRAPH, Style.BULLET, Style.NESTED})
_FIRST_LETTER = join_lettered([""]).strip()
_TENTHS = 10


def measure_sop(document: SopDocument) -> str:
    """Return the measures as JSON."""
    text = document.as_text()
    spoken = [line.text for line in document.lines if line.style in _SPOKEN]
    sentences = [part for line in spoken for part in _SENTENCE_END.split(line) if part]
    styles = [line.style for line in document.lines]
    measures = {
        "words": len(text.split()),
        "tokens": len(_TOKEN.findall(text)),
        "sentences": len(sentences),
        "longest_sentence": max((len(part.split()) for part in sentences), default=0),
        "reading_grade": _compute_reading_grade(sentences),
        "sections": styles.count(Style.SECTION),
        "steps": styles.count(Style.STEP),
        "references": sum(len(_REFERENCE.findall(line)) for line in spoken),
        "depth": _measure_depth(document.lines),
    }
    return json.dumps(measures, indent=1) + "\n"


def _compute_reading_grade(sentences: list[str]) -> float:
    """Return the school grade that the text asks for, to one place."""
    words = [word.lower() for part in sentences for word in _WORD.findall(part)]
    if not words:
        return 0.0
    per_sentence = Fraction(len(words), len(sentences))
    per_word = Fraction(sum(map(_count_syllables, words)), len(words))
    grade = Fraction("0.39") * per_sentence + Fraction("11.8") * per_word - Fraction("15.59")
    return round(grade * _TENTHS) / _TENTHS


def _count_syllables(word: str) -> int:
    runs = len(_VOWELS.findall(word))
    is_silent = word.endswith("e") and not word.endswith(("le", "ee", "ye"))
    return max(1, runs - is_silent)


def _measure_depth(lines: Iterable[Line]) -> dict[str, int]:
    """Return how many levels headings have, lists, and brackets inside a sentence."""
    found = {"headings": 0, "lists": 0, "brackets": 0}
    headings = {Style.SECTION: 1, Style.STEP: 2}
    lists = {Style.BULLET: 1, Style.NESTED: 2}
    for line in lines:
        letters = 1 if _FIRST_LETTER in line.text else 0
        found["headings"] = max(found["headings"], headings.get(line.style, 0))
        found["lists"] = max(found["lists"], lists.get(line.style, 0) + letters)
        found["brackets"] = max(found["brackets"], compute_bracket_depth(line.text))
    return found
