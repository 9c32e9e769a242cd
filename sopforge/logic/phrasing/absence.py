"""The word for no value as a clause: "no blue badge" says that there is no blue badge.

A clause stands for a field where it can mean nothing else: the word names what the field is about,
and no other field has that word. Of other words, a sentence quotes the word itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from sopforge.domain.fields import Field, Role, Said
from sopforge.domain.values.types import EnumType, ListType, SetType
from sopforge.logic.phrasing.grammar import (
    add_article,
    conjugate_be,
    find_counted_item,
    find_noun,
    singularize_label,
)

_MOST_KEPT = 4_096
_NONE = re.compile(r"no (?P<thing>.+)")
_DENIED = re.compile(r"not (?P<done>\w+)")
_UNFINISHED = re.compile(r"(?P<thing>[\w ]+?) (?P<denial>not (?:yet )?\w+)")
_DONE = re.compile(r"(?P<thing>.+) (?P<done>\w{3,}ed|given|set|known|chosen|made|sent|held|found)")
_SAID_OF_VALUES = frozenset(
    {
        *("stated", "declared", "given", "known", "named", "recorded", "reported", "measured"),
        *("determined", "specified", "available", "calculable", "documented", "indicated"),
    }
)
"""What can be said of any value: of a date, that it is not stated, never that it is not insured."""
_AFTER_THINGS = (" on file", " on record", " yet", " so far")
_SMALL_WORDS = frozenset(
    {"the", "a", "an", "of", "by", "for", "in", "on", "at", "to", "with", "and"}
)
_UNCLEAR = frozenset(
    {
        *("other", "such", "more", "longer", "further", "current", "valid", "open", "active"),
        *("first", "last", "next", "this", "that"),
    }
)
"""Words of what may be there and yet not be so: a current permit that has expired."""
_ANY_THINGS = frozenset(
    {
        *("amount", "code", "date", "day", "figure", "hour", "item", "month", "name", "number"),
        *("person", "place", "reading", "reason", "time", "value", "week", "year"),
    }
)
"""What alone does not say which of a kind is meant."""
_MASS_NOUNS = frozenset(
    {
        *("access", "advice", "baggage", "consent", "cover", "coverage", "credit", "damage"),
        *("assistance", "equipment", "evidence", "experience", "guidance", "help", "information"),
        *("insurance", "leave", "luggage", "maintenance", "medication", "overtime", "proof"),
        *("protection", "security", "staff", "stock", "storage", "supervision", "support"),
        *("training", "transport", "treatment", "work"),
    }
)


def list_absence_clauses(fields: Mapping[str, Field]) -> dict[str, Said]:
    """Return, by the names of fields that may lack a value, what is said where there is one.

    ``yes`` of a field says that it has a value, and ``no`` that it has none. What is decided by
    the procedure has no clause: its word is an answer, and stands in quotes.
    """
    found = {name: said for name, item in fields.items() if (said := _derive_clauses(item))}
    times = Counter(clause for words in found.values() for clause in words.both)
    times.update(clause for item in fields.values() for clause in item.clauses)
    counted = set(_iterate_counted(fields))
    return {
        name: words
        for name, words in found.items()
        if times[words.yes] == times[words.no] == 1 and not _is_counted(words, counted)
    }


def _iterate_counted(fields: Mapping[str, Field]) -> Iterator[str]:
    """Yield what one of the things is called of which a sentence says how many there are."""
    for item in fields.values():
        is_list = isinstance(item.type, ListType | SetType)
        yield _name_counted(item.label, is_list=is_list)


@lru_cache(maxsize=_MOST_KEPT)
def _name_counted(label: str, *, is_list: bool) -> str:
    return singularize_label(label) if is_list else find_counted_item(label)


def _is_counted(words: Said, counted: set[str]) -> bool:
    """Return whether "there is no such thing" may be said of the number of these things."""
    thing = words.no.removeprefix("there is no ").removeprefix("there are no ")
    return any(item and (thing.startswith(item) or item.startswith(thing)) for item in counted)


def _derive_clauses(item: Field) -> Said | None:
    is_decided = item.role in {Role.DERIVED, Role.OUTCOME}
    if not item.missing or is_decided or isinstance(item.type, EnumType | ListType | SetType):
        return None
    return _derive_from_words(item.missing, item.label, item.description)


@lru_cache(maxsize=_MOST_KEPT)
def _derive_from_words(word: str, label: str, description: str) -> Said | None:
    """Return the clauses of a word for no value; many sentences ask for those of one field."""
    subject, about = f"the {label} {conjugate_be(label)}", f"{label} {description}"
    if (none := _NONE.fullmatch(word)) and _is_about(none["thing"], about):
        return _phrase_thing(none["thing"])
    if (denied := _DENIED.fullmatch(word)) and denied["done"] in _SAID_OF_VALUES:
        return Said(yes=f"{subject} {denied['done']}", no=f"{subject} {word}")
    unfinished = _UNFINISHED.fullmatch(word)
    if unfinished and _is_about(unfinished["thing"], about):
        thing = unfinished["thing"]
        denial = f"the {thing} {conjugate_be(thing)} {unfinished['denial']}"
        return Said(yes=f"{subject} given", no=denial)
    return None


def _is_about(thing: str, about: str) -> bool:
    """Return whether a word for none names what the label or the description of a field does."""
    done = _DONE.fullmatch(thing)
    named = done["thing"] if done else thing
    for ending in _AFTER_THINGS:
        named = named.removesuffix(ending)
    words = [word for word in named.split() if word.lower() not in _SMALL_WORDS]
    known = set(re.findall(r"[\w-]+", about))
    is_clear = _UNCLEAR.isdisjoint(words) and not _ANY_THINGS.issuperset(words)
    return bool(words) and known.issuperset(words) and is_clear


def _phrase_thing(thing: str) -> Said:
    """Return that there is such a thing, and that there is none."""
    done = _DONE.fullmatch(thing)
    if done and done["done"] != done["thing"]:
        named, be = done["thing"], conjugate_be(done["thing"])
        return Said(
            yes=f"{_name_one(named)} {be} {done['done']}", no=f"no {named} {be} {done['done']}"
        )
    be = conjugate_be(thing)
    return Said(yes=f"there {be} {_name_one(thing)}", no=f"there {be} no {thing}")


def _name_one(thing: str) -> str:
    """Return a thing that is there, with an article where it is one of several."""
    is_one = conjugate_be(thing) == "is" and find_noun(thing) not in _MASS_NOUNS
    return add_article(thing) if is_one else thing
