"""Whether two of the sentences that no rule reads say the same: notes on order, rounding and so on.

A person who edits an SOP puts them into the passive, turns clauses round and takes another word of
the same meaning. What must not change is what is denied, bounded or opposed to what: "leave out the
first and include the last" is not "include the first and leave out the last".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import yaml

_TABLE = Path(__file__).with_suffix(".yaml")
_SMALL = frozenset(
    {
        *("a", "an", "the", "is", "are", "be", "been", "being", "was", "were"),
        *("do", "does", "done"),
        *("it", "its", "they", "them", "their", "you", "your", "one", "ones", "this", "that"),
        *("these", "those", "such", "which", "who", "whom", "whose", "what", "there", "here", "so"),
        *("of", "to", "in", "on", "at", "for", "by", "with", "as", "and", "but", "while", "out"),
        *("over", "off", "into", "through", "must", "shall", "itself", "also", "if"),
    }
)
_OPPOSED = frozenset(
    {
        *("first", "second", "last", "up", "down", "above", "below", "include", "leaveout"),
        *("zero", "negative", "earlier", "later", "another", "top", "bottom"),
    }
)
_ARTICLES = frozenset({"a", "an", "the"})
_JOINTS = frozenset({"and", "or", "to"})
_DENIED = frozenset({"not", "no", "n't"})
_WORD = re.compile(r'"[^"]*"|[\w\'.-]*\w')
_ENDING = re.compile(r"(?<=[a-z]{2})(?:ances?|able|ing|ed|es|e|(?<!s)s)$")
_IRREGULAR = {
    "given": "give",
    "forgiven": "forgive",
    "forbidden": "forbid",
    "held": "hold",
    "kept": "keep",
    "made": "make",
    "meant": "mean",
    "said": "say",
    "shown": "show",
    "taken": "take",
    "written": "write",
    "bought": "buy",
    "brought": "bring",
    "built": "build",
    "chosen": "choose",
    "drawn": "draw",
    "found": "find",
    "known": "know",
    "left": "leave",
    "lost": "lose",
    "met": "meet",
    "paid": "pay",
    "seen": "see",
    "sent": "send",
    "sold": "sell",
    "acceptance": "accept",
    "approval": "approve",
    "arrival": "arrive",
    "assessment": "assess",
    "burial": "bury",
    "calculation": "calculate",
    "cancellation": "cancel",
    "closure": "close",
    "collection": "collect",
    "completion": "complete",
    "confirmation": "confirm",
    "correction": "correct",
    "decision": "decide",
    "delivery": "deliver",
    "departure": "depart",
    "examination": "examine",
    "inspection": "inspect",
    "measurement": "measure",
    "notification": "notify",
    "payment": "pay",
    "receipt": "receive",
    "refusal": "refuse",
    "registration": "register",
    "rejection": "reject",
    "removal": "remove",
    "renewal": "renew",
    "replacement": "replace",
    "retention": "retain",
    "settlement": "settle",
    "signature": "sign",
    "storage": "store",
    "submission": "submit",
    "treatment": "treat",
    "verification": "verify",
    "worn": "wear",
    "torn": "tear",
    "begun": "begin",
    "driven": "drive",
    "fallen": "fall",
    "forgotten": "forget",
    "got": "get",
    "grown": "grow",
    "hidden": "hide",
    "laid": "lay",
    "led": "lead",
    "lent": "lend",
    "risen": "rise",
    "sought": "seek",
    "spoken": "speak",
    "spent": "spend",
    "stood": "stand",
    "stolen": "steal",
    "stuck": "stick",
    "taught": "teach",
    "thought": "think",
    "thrown": "throw",
    "told": "tell",
    "understood": "understand",
    "won": "win",
    "caught": "catch",
    "felt": "feel",
    "heard": "hear",
    "hung": "hang",
    "dealt": "deal",
    "fed": "feed",
    "frozen": "freeze",
    "broken": "break",
    "beaten": "beat",
    "bound": "bind",
    "bred": "breed",
    "blown": "blow",
    "worked": "work",
    "judgment": "judge",
    "judgement": "judge",
    "assurance": "assure",
    "advice": "advise",
    "belief": "believe",
    "choice": "choose",
    "complaint": "complain",
    "description": "describe",
    "entitlement": "entitle",
    "explanation": "explain",
    "identification": "identify",
    "information": "inform",
    "intention": "intend",
    "maintenance": "maintain",
    "permission": "permit",
    "preparation": "prepare",
    "reduction": "reduce",
    "repetition": "repeat",
    "reservation": "reserve",
    "responsibility": "responsible",
    "supervision": "supervise",
    "suspension": "suspend",
    "termination": "terminate",
    "usage": "use",
    "withdrawal": "withdraw",
}
"""Forms of verbs, and nouns of what they say, whose endings do not show the verb."""


@dataclass(frozen=True, slots=True)
class _Gist:
    """What is left of a sentence: its words, how often it says "if", and its opposites in order."""

    words: Mapping[str, int]
    conditions: int
    opposites: tuple[str, ...]


def is_same_note(text: str, known: str) -> bool:
    """Return whether a text says what a fixed sentence says, in its own words or in others.

    >>> is_same_note("Findings from another case must not be carried over.",
    ...              "Do not carry findings over from another case.")
    True
    >>> is_same_note("Findings from another case must be carried over.",
    ...              "Do not carry findings over from another case.")
    False
    """
    other, restated = reword_constructions(text), reword_constructions(known)
    if other == restated:
        return True
    said, meant = _find_gist(other), _find_gist(restated)
    return (
        said.words == meant.words
        and said.conditions == meant.conditions
        and (
            said.opposites == meant.opposites
            or _pair(said.opposites) == _pair(meant.opposites) is not None
        )
        and not _is_turned(text, known)
        and not _is_turned(other, restated)
    )


def _is_turned(text: str, known: str) -> bool:
    """Return whether a text has the words of a sentence and says something else with them.

    "The step that it follows" is not "the step that follows it", nor are Mondays and Fridays
    Mondays to Fridays. Whole clauses may change places, or be put between commas.
    """
    said, meant = (
        [word for word in _WORD.findall(part.lower()) if word not in _ARTICLES]
        for part in (text, known)
    )
    if Counter(said) == Counter(meant) and text.count(",") == known.count(","):
        return said != meant and _list_clauses(text) != _list_clauses(known)
    joints = [[word for word in part if word in _JOINTS] for part in (said, meant)]
    plain = [[word for word in part if word not in _SMALL] for part in (said, meant)]
    return plain[0] == plain[1] and joints[0] != joints[1]


def _list_clauses(text: str) -> list[str]:
    """Return the clauses of a text, in no order that says anything."""
    return sorted(part.strip(" ,;:.").lower() for part in re.split(r"[,;:.]", text))


def find_same_note(text: str, known: Iterable[str]) -> str | None:
    """Return the fixed sentence that a text says, None where it says none of them."""
    return next((note for note in known if is_same_note(text, note)), None)


@lru_cache(maxsize=2048)
def reword_constructions(text: str) -> str:
    """Return a text with one construction for all that mean it.

    >>> reword_constructions("The aim of this procedure is that nobody falls.")
    'this procedure makes sure that nobody falls.'
    """
    for pattern, other in _load_patterns("restated", re.IGNORECASE):
        text = pattern.sub(other, text)
    return text


def reword_meaning(words: str) -> str:
    """Return what a limit means in the words in which such lines are compared.

    >>> reword_meaning("the most that a clerk may pay as a refund")
    'highest refund that a clerk may pay'
    """
    for pattern, other in _load_patterns("meanings"):
        words = pattern.sub(other, words)
    return words


@cache
def _load_patterns(name: str, flags: int = 0) -> list[tuple[re.Pattern[str], str]]:
    table = yaml.safe_load(_TABLE.read_text(encoding="utf-8"))
    return [(re.compile(pattern, flags), words) for pattern, words in table[name]]


def count_words(text: str) -> Counter[str]:
    """Return how often a text has each word that says something, in one form for all its forms."""
    return Counter(_find_gist(text).words)


def _pair(opposites: tuple[str, ...]) -> Counter[tuple[str, ...]] | None:
    """Return opposites two by two, where they come so."""
    if len(opposites) % 2:
        return None
    return Counter(
        tuple(sorted(opposites[place : place + 2])) for place in range(0, len(opposites), 2)
    )


@lru_cache(maxsize=2048)
def _find_gist(text: str) -> _Gist:
    phrases, alike = _load_words()
    opposed = frozenset(alike.get(stem, stem) for stem in map(find_stem, _OPPOSED))
    plain = " ".join(text.lower().replace("\u2019", "'").replace("'s ", " ").split())
    for pattern, words in phrases:
        plain = " ".join(pattern.sub(words, plain).split())
    found: list[str] = []
    opposites: list[str] = []
    is_denied, conditions = False, 0
    for word in _WORD.findall(plain):
        conditions += word == "if"
        if word in _DENIED:
            found += ["not"] if is_denied else []
            is_denied = True
        elif word not in _SMALL:
            stem = find_stem(word)
            stem = alike.get(stem, stem)
            opposites += [stem] if stem in opposed else []
            found.append(f"not {stem}" if is_denied else stem)
            is_denied = False
    return _Gist(Counter([*found, *(["not"] if is_denied else [])]), conditions, tuple(opposites))


@cache
def _load_words() -> tuple[list[tuple[re.Pattern[str], str]], dict[str, str]]:
    table = yaml.safe_load(_TABLE.read_text(encoding="utf-8"))
    phrases = [(re.compile(pattern), words) for pattern, words in table["phrases"]]
    alike = {find_stem(word): find_stem(group[0]) for group in table["alike"] for word in group}
    return phrases, alike


def find_stem(word: str) -> str:
    """Return a word without the ending of its number or tense."""
    word = _IRREGULAR.get(word, word)
    if not word.isalpha() or len(word) < 3:  # noqa: PLR2004 - short words have none
        return word
    stem = _ENDING.sub("", word)
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls":  # noqa: PLR2004 - the same
        stem = stem[:-1]
    return f"{stem[:-1]}i" if stem.endswith("y") else stem
