"""Characters that give text away as more than prose: figures, quotations, markup, unseen ones."""

from __future__ import annotations

import re
import unicodedata

from sopforge.language.domain.values.unseen import is_unseen

_MARKUP = re.compile(
    r"[<>{}|`\\^~*#]|^\s*(?:[-+•·\u2013\u2014]\s|\d+[.)]\s)|\[\s*\]|\w+://|\bwww\.|\S@\S+\.\S"
)
_NUMBER = re.compile(r"[^\W\d_]*\d(?:[\w.,:/]*\w)?")
_QUOTED = re.compile(
    r"\"[^\"]*\"?|[\u201c-\u201f\u00ab\u00bb\u2039\u203a\u300c-\u300f]"
    r"[^\u201c-\u201f\u00ab\u00bb\u2039\u203a\u300c-\u300f]*"
    r"[\u201c-\u201f\u00ab\u00bb\u2039\u203a\u300c-\u300f]?"
    r"|(?<!\w)['\u2018\u201a\u201b]\w[^'\u2018\u2019]*['\u2018\u2019](?!\w)"
)
_ALPHABETS = ("LATIN", "GREEK", "CYRILLIC")
_WORD = re.compile(r"[^\W\d_]+")


def find_digits(text: str) -> list[str]:
    """Return the numbers in figures of any script, with fractions and superscripts."""
    figures = _NUMBER.findall(text)
    # Fractions, superscripts and Roman numerals are numbers to a reader, and no digits to \d.
    others = [letter for letter in text if unicodedata.category(letter) in {"Nl", "No"}]
    return list(dict.fromkeys([*figures, *others]))


def find_quotations(text: str) -> list[str]:
    """Return what stands in quotation marks; an apostrophe is none."""
    return [found[0] for found in _QUOTED.finditer(text)]


def find_odd_characters(text: str) -> list[str]:
    """Return the names of characters that are not seen, and the words that mix alphabets."""
    unseen = [_name_letter(letter) for place, letter in enumerate(text) if _is_odd(text, place)]
    mixed = [f"'{word}', which mixes alphabets" for word in _WORD.findall(text) if _is_mixed(word)]
    return list(dict.fromkeys([*unseen, *mixed]))


def find_markup(text: str) -> list[str]:
    """Return the characters that set text apart: tags, braces, lists, headings, links."""
    return list(dict.fromkeys(found.strip() for found in _MARKUP.findall(text)))


def _is_odd(text: str, place: int) -> bool:
    """Return whether a character is unseen, or none that everybody has the same sign for."""
    return is_unseen(text, place) or unicodedata.category(text[place]) in {"Co", "Cn"}


def _name_letter(letter: str) -> str:
    return unicodedata.name(letter, f"U+{ord(letter):04X}").lower()


def _is_mixed(word: str) -> bool:
    """Return whether a word has letters of several alphabets that look alike."""
    # With one Cyrillic letter in it a word still reads as the Latin one, and no search finds it.
    names = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
    return len(names & {*_ALPHABETS}) > 1
