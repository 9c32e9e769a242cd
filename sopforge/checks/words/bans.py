"""Bans: what words that an author or a reviewer adds to derived ones must not have.

No proof covers such words, so they explain and decide nothing. Numbers, names, characters and
lengths are looked for in any language, words that count, bound or oblige in English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from sopforge.checks.words.deciding_words import DECIDING, find_deciding_words
from sopforge.checks.words.model_names import find_names
from sopforge.checks.words.odd_characters import (
    find_digits,
    find_markup,
    find_odd_characters,
    find_quotations,
)
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.model import DomainModel
from sopforge.morphology import list_stems


@dataclass(frozen=True, slots=True)
class AddedText:
    """A text that was added, its greatest length, and the derived words beside it.

    What these say, it may say too.
    """

    model: DomainModel
    text: str
    longest: int
    derived: str


@dataclass(frozen=True, slots=True)
class Ban:
    """What a text must not have: ``search`` returns each place, ``what`` is said of the text."""

    code: str
    what: str
    hint: str
    search: Callable[[AddedText], Iterable[str]]


def check_added_text(said: AddedText, about: str, where: str) -> Iterator[Finding]:
    """Report what a text has that could be taken for a rule; messages say ``about`` which one."""
    for ban in _BANS:
        found = "; ".join(dict.fromkeys(ban.search(said)))
        if found:
            message = f"{about} {ban.what} ({found})"
            yield make_error_finding(
                ban.code, message, where=where, evidence=said.text, hint=ban.hint
            )


def _find_numbers(said: AddedText) -> list[str]:
    known = find_digits(said.derived)
    figures = [number for number in find_digits(said.text) if number not in known]
    return [*figures, *_find_words(said, "number")]


def _find_names(said: AddedText) -> list[str]:
    found = [*find_names(said.text, said.model), *find_quotations(said.text)]
    return [name for name in found if not _has_word(said.derived, name)]


def _find_deciding_words(said: AddedText) -> Iterator[str]:
    for kind in DECIDING:
        if kind != "number" and (words := _find_words(said, kind)):
            yield f"{kind}: {', '.join(words)}"


def _find_words(said: AddedText, kind: str) -> list[str]:
    """Return the words of a kind that the derived words do not have in any form.

    What obliges or makes a condition has no place beside them, whatever they say.
    """
    known = set() if kind in {"duty", "condition"} else {*list_stems(said.derived)}
    found = find_deciding_words(said.text, kind)
    return [words for words in found if not known.issuperset(list_stems(words))]


def _has_word(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _find_form_faults(said: AddedText) -> Iterator[str]:
    if not re.search(r"\w", said.text):
        yield "it says nothing"
    if len(said.text) > said.longest:
        yield f"{len(said.text)} characters, of at most {said.longest}"
    yield from (*find_odd_characters(said.text), *find_markup(said.text))


_BANS = (
    Ban("own-words-number", "counts or measures", "remove the number", _find_numbers),
    Ban(
        "own-words-name",
        "names something that the procedure decides with",
        "use words of the trade, and name no tool, field, code, label or quotation",
        _find_names,
    ),
    Ban(
        "own-words-decide",
        "could be taken for a rule",
        "explain what it is for; what is decided has words of its own",
        _find_deciding_words,
    ),
    Ban(
        "own-words-form",
        "is not plain prose",
        "write short prose in plain letters, without markup",
        _find_form_faults,
    ),
)
