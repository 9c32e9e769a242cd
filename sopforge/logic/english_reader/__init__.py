"""Reads the English of rules back into expressions, from the wording alone.

It knows the labels, types, words for missing and units of a domain, and the words of relations and
functions; it knows nothing of the tree that the words were written from.
"""

from __future__ import annotations

import re

from sopforge.logic.english_reader.choices import LookUp, Text
from sopforge.logic.english_reader.conditions import RELATIONS, Conditions
from sopforge.logic.english_reader.scanner import NotReadError
from sopforge.logic.english_reader.values import BOUNDS, Values
from sopforge.logic.english_reader.vocabulary import Vocabulary, build_vocabulary

__all__ = [
    "BOUNDS",
    "RELATIONS",
    "LookUp",
    "NotReadError",
    "Text",
    "Vocabulary",
    "build_vocabulary",
    "read_branch",
    "read_case",
    "read_condition",
    "read_labels",
    "read_options",
    "read_truth",
    "read_value",
]


class Reader(Conditions, Values):
    """A recursive descent over one text: conditions ask for values, and values for conditions."""


def read_condition(words: str, vocabulary: Vocabulary) -> str:
    """Return the source text of a condition."""
    reader = Reader(words, vocabulary)
    return reader.read_to_end(reader.read_condition)


def read_value(words: str, vocabulary: Vocabulary) -> Text:
    """Return the source text of a number, a date or a label, or a look-up."""
    reader = Reader(words, vocabulary)
    return reader.read_to_end(reader.read_value)


def read_labels(words: str, vocabulary: Vocabulary) -> list[str]:
    """Return the labels that are quoted one after the other, and nothing besides."""
    reader = Reader(words, vocabulary)
    return reader.read_to_end(lambda: reader.read_options("and")[0])


def read_options(words: str, vocabulary: Vocabulary) -> list[str]:
    """Return the labels that are quoted as alternatives, and nothing besides."""
    reader = Reader(words, vocabulary)
    return reader.read_to_end(lambda: reader.read_options("or")[0])


def read_branch(words: str, vocabulary: Vocabulary) -> tuple[str, str]:
    """Return the source texts of a value and of the condition after "if"."""
    reader = Reader(words, vocabulary)
    return reader.read_to_end(reader.read_branch)


def read_case(words: str, vocabulary: Vocabulary) -> tuple[str, str]:
    """Return the source texts of a value and of the condition before it, after "if"."""
    reader = Reader(words, vocabulary)
    return reader.read_to_end(reader.read_case)


def read_truth(words: str, vocabulary: Vocabulary) -> str:
    """Return the source text of what is yes or no by a condition."""
    found = re.fullmatch(r'\(?"yes" if (.+), otherwise "no"\)?', words)
    if found is None:
        raise NotReadError(words)
    return read_condition(found[1], vocabulary)
