"""How long, how readable and how deep an SOP is, counted alike on any machine.

Words are what blanks separate; tokens are words, figures and marks, each one, so that they say
how texts compare and not what a provider bills. Readability is the Flesch-Kincaid grade over the
sentences outside headings and tables: 0.39 words per sentence plus 11.8 syllables per word less
15.59, a syllable being a run of vowels, without a silent "e" at the end.

``criteria`` are figures for the five by which the second SOP-Bench paper distinguishes two
procedures of one domain (table 1): length, ambiguity, step complexity, implicit knowledge and
modularity.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style

_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")
_SENTENCE_END = re.compile(r"(?<=[.:;?!])\s+")
_WORD = re.compile(r"[^\W\d_]+")
_VOWELS = re.compile(r"[aeiouy]+")
_REFERENCE = re.compile(r"\b(?:step|section) \d")
_SPOKEN = frozenset({Style.PARAGRAPH, Style.BULLET, Style.NESTED})
_FIRST_LETTER = "(a)"
_TENTHS = 10
_WORDS_OF_A_PAGE = 400
_ASKED = ("tool ", "rule ", "decision ", "edge ", "effect ")
_SECTION = re.compile(r"\bsection (\d+)")
_VAGUE = re.compile(
    r"\b(?:reasonabl[ey]|appropriat\w+|adequat\w+|sufficient\w*|prompt(?:ly)?|soon|usual(?:ly)?"
    r"|normal(?:ly)?|as needed|if necessary|where possible|significant(?:ly)?|suitabl[ey]|large"
    r"|small|high risk|timely|approximately|about|some|several|unusual(?:ly)?|generally|mostly)\b",
    re.IGNORECASE,
)
_COMMON = frozenset({"XML", "JSON", "ID"})


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
        "criteria": _measure_criteria(document.lines, text),
    }
    return json.dumps(measures, indent=1) + "\n"


def _measure_criteria(lines: Sequence[Statement], text: str) -> dict[str, float | int]:
    """Return the five criteria, each to one place.

    Pages of 400 words; words that leave a limit open, for each thousand; what a step asks for on
    average, in calls, rules, formulas and transitions; abbreviations that no passage explains; and
    the share of sections to which others refer, in percent.
    """
    words = text.split()
    steps = sum(line.style is Style.STEP for line in lines)
    asked = sum(any(item.startswith(_ASKED) for item in line.states) for line in lines)
    sections = {line.text.partition(".")[0] for line in lines if line.style is Style.SECTION}
    referred = sections & set(_SECTION.findall(text))
    return {
        "length": _to_tenths(len(words), _WORDS_OF_A_PAGE),
        "ambiguity": _to_tenths(1000 * len(_VAGUE.findall(text)), len(words)),
        "step_complexity": _to_tenths(asked, steps),
        "implicit_knowledge": len(_find_unexplained(text)),
        "modularity": _to_tenths(100 * len(referred), len(sections)),
    }


def _to_tenths(part: int, whole: int) -> float:
    return round(Fraction(part, whole) * _TENTHS) / _TENTHS if whole else 0.0


def _find_unexplained(text: str) -> set[str]:
    """Return the abbreviations that stand nowhere in brackets, before a colon or in quotes."""
    bare = re.sub(r'"[^"]*"', "", text)
    explained = set(re.findall(r"\(([A-Z]{2,})\)", bare)) | set(
        re.findall(r"\b([A-Z]{2,})\b(?: \([^)]*\))?:", bare)
    )
    return set(re.findall(r"(?<![\w-])[A-Z]{2,}(?![\w-])", bare)) - explained - _COMMON


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


def _measure_depth(lines: Iterable[Statement]) -> dict[str, int]:
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


def compute_bracket_depth(text: str) -> int:
    """Return how deep brackets stand within brackets.

    >>> compute_bracket_depth("a (b (c) d) (e)")
    2
    """
    depth = deepest = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        deepest = max(deepest, depth)
    return deepest
