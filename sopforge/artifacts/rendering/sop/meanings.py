"""What the limits and amounts of a step mean, in a note or a list at its end.

It repeats figures of the rules: a text that gives one in another manner does without it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from sopforge.artifacts.rendering.sop.document import ITEM, Statement, Style
from sopforge.artifacts.rendering.sop.limits import name_limit
from sopforge.artifacts.rendering.sop.marks import MEANING
from sopforge.language.domain.model import DomainModel
from sopforge.language.english.nouns import is_plural
from sopforge.language.english.vocabulary import is_noun
from sopforge.language.english.words import phrase_constant
from sopforge.morphology import find_stem

OPENING = "What these figures mean:"
_POLICY = "policy "
_FEW = 3
"""Of so many words, each says something of its own."""
_FILLERS = frozenset(
    [
        "a",
        "after",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "before",
        "by",
        "can",
        "counts",
        "day",
        "days",
        "for",
        "from",
        "highest",
        "in",
        "is",
        "it",
        "its",
        "least",
        "limit",
        "longest",
        "lowest",
        "maximum",
        "may",
        "minimum",
        "most",
        "must",
        "number",
        "of",
        "on",
        "or",
        "period",
        "per",
        "shortest",
        "so",
        "that",
        "the",
        "time",
        "to",
        "up",
        "usual",
        "what",
        "when",
        "which",
        "whose",
        "with",
        "within",
        "allowed",
    ]
)
"""Words of limits, and those that name nothing."""
_HEADINGS = frozenset({Style.SECTION, Style.STEP})


def add_meanings(model: DomainModel, statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the statements, after those of each step or section what its constants mean, once."""
    explained: set[str] = set()
    for part in split_at_headings(statements):
        yield from part
        named = [x for x in dict.fromkeys(_list_policy(model, part)) if x not in explained]
        explained.update(named)
        # Calendars say their meanings where their days stand.
        named = [name for name in named if model.policy[name].meaning]
        shown = [name for name in named if not _is_evident(model, name, part)]
        if shown:
            yield state_meanings(model, shown)


def split_at_headings(statements: Iterable[Statement]) -> Iterator[list[Statement]]:
    """Yield the statements of each step or section, its heading first."""
    part: list[Statement] = []
    for item in statements:
        if item.style in _HEADINGS and part:
            yield part
            part = []
        part.append(item)
    if part:
        yield part


def state_meanings(model: DomainModel, names: Sequence[str]) -> Statement:
    """Return what some constants mean, as one statement."""
    known = {
        name: (phrase_constant(item.constant, model.fields), " ".join(item.meaning.split()))
        for name, item in ((name, model.policy[name]) for name in names)
    }
    states = tuple(f"{_POLICY}{name}" for name in names)
    amount, meaning = next(iter(known.values()))
    name = name_limit(meaning)
    if len(known) == 1 and is_noun(name) and not is_plural(name):
        text = f"Note: the {name} is {amount}."
        return Statement(Style.PARAGRAPH, text, states, excused=MEANING)
    # What means much is no name: the amount stands first.
    text = OPENING + "".join(f"{ITEM}{amount}: {meaning}" for amount, meaning in known.values())
    return Statement(Style.PARAGRAPH, text, states, excused=MEANING)


def drop_meanings(text: str) -> str:
    """Return a text without these lines."""
    kept: list[str] = []
    is_list = False
    for line in text.split("\n"):
        is_list = line == OPENING or (is_list and line.startswith(ITEM.strip("\n")))
        if not is_list and not line.startswith("Note: the "):
            kept.append(line)
    return "\n".join(kept)


def drop_stated_meanings(
    model: DomainModel, statements: Iterable[Statement], stated: Collection[str]
) -> Iterator[Statement]:
    """Yield the statements without what they say of some constants."""
    for item in statements:
        if item.excused != MEANING:
            yield item
            continue
        kept = [x for state in item.states if (x := state.removeprefix(_POLICY)) not in stated]
        if len(kept) == len(item.states):
            yield item
        elif kept:
            yield state_meanings(model, kept)


def _is_evident(model: DomainModel, name: str, statements: Sequence[Statement]) -> bool:
    """Return whether the rules with a constant and the title have nearly all words of its meaning.

    After '"high" if the risk score is at least 14 points', nobody needs "Minimum risk score for a
    high risk: 14 points".
    """
    item = model.policy.get(name)
    meant = _find_stems(item.meaning) if item else frozenset()
    words = (model.title, *_iterate_words(f"{_POLICY}{name}", statements))
    said = _find_stems(" ".join(words))
    spare = 2 * len(meant) // 5 if len(meant) > _FEW else 0
    return bool(meant) and len(meant - said) <= spare


def _iterate_words(state: str, statements: Sequence[Statement]) -> Iterator[str]:
    """Yield the statements of a constant, with the opening and head of their list or table."""
    opening: list[str] = []
    for item, before in zip(statements, [None, *statements[:-1]], strict=True):
        is_head = item.style is Style.ROW and (before is None or before.style is not Style.ROW)
        if item.style is Style.PARAGRAPH:
            opening = [item.text]
        elif item.style is Style.BULLET:
            opening = [*opening[:1], item.text]
        elif is_head:
            opening.append(item.text)
        if state in item.states:
            yield from (*opening, item.text)


def _find_stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text that name something."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return frozenset(find_stem(word) for word in words if word not in _FILLERS)


def _list_policy(model: DomainModel, statements: Iterable[Statement]) -> list[str]:
    """Return the names of the constants in the rules of some statements, those of one as declared.

    A statement of nothing besides a constant says itself what that means.
    """
    return [
        name
        for item in statements
        if any(not state.startswith(_POLICY) for state in item.states)
        for name in model.policy
        if f"{_POLICY}{name}" in item.states
    ]
