"""A sentence on refusals, read word by word: which states does it say lead to one?

A verb of refusing, of requiring or of accepting governs the states after it, and those before the
first of them. A negation turns a state, and so does "unless".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sopforge.checks.words.stems import is_function_word, trim_word
from sopforge.sandbox.linting.rule import split_words

_TOKEN = re.compile(r"[^\W_]+(?:[.,]\d+)*(?:'\w+)?|[,;:()\u2013\u2014]")
_REFUSING = split_words("""
    refuses refuse refused refusing refusal refusals rejects reject rejected rejecting rejection
    declines decline declined denies deny denied fails fail failed failing failure aborts disallows
    forbids errors impossible disallowed unavailable
    """)
_REQUIRING = split_words("""
    requires require required requiring requirement needs need needed must demands demand insists
    presupposes expects prerequisite precondition mandatory
    """)
_ACCEPTING = split_words("""
    accepts accept accepted allows allow allowed permits permitted succeeds succeed works proceeds
    possible processes processed
    """)
_ENDING = split_words("""answers returns gives reads shows reports sets writes changes""")
_NEGATING = split_words("""
    not no never without neither nor cannot lacks lack lacking can't won't isn't aren't hasn't
    doesn't don't wasn't haven't
""")
_MODALS = split_words("""can could will would do does may cannot can't won't doesn't don't""")
_AUXILIARIES = _MODALS | split_words(
    """is are was were has have had isn't aren't hasn't haven't wasn't"""
)
_SUBORDINATING = split_words(
    """if when whenever where while whose which that who because unless until"""
)
_LIMITING = split_words("""if when whenever where unless provided until only except""")
_STARTING = _SUBORDINATING | split_words(
    """a an the its their this these any no for not it they one another without"""
)
_JOINING = split_words("""and or but nor""")
_DEED = re.compile(
    r"\b(?:do|does) not\b"
    r"(?! (?:allow|permit|match|agree|fit|suffice|exist|correspond|cover|meet|reach|have|hold))"
)
_MARKS = frozenset(",;:()\u2013\u2014")
_PLAIN = split_words("""also then it that they""")


@dataclass(frozen=True, slots=True)
class Said:
    """A word, or a label, of what a sentence says leads to a refusal.

    ``holds`` says whether it is the state itself that does, or its contrary. ``part`` is the number
    of the stretch between commas and joining words.
    """

    text: str
    stem: str
    holds: bool
    part: int
    is_plain: bool


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What is known of the words of a tool: its labels of several words, its verbs, its states."""

    labels: frozenset[tuple[str, ...]]
    is_own_verb: Callable[[str], bool]
    is_state: Callable[[str], bool]


def read_sentence(sentence: str, vocabulary: Vocabulary) -> list[Said]:
    """Return the words of a sentence that says something of refusals; of another, nothing."""
    plain = sentence.lower().replace("\u2019", "'").replace("_", " ")
    texts = _join_labels(_TOKEN.findall(plain), vocabulary.labels)
    governed = _Governing(texts, vocabulary).list_signs()
    return _read_states(texts, governed, vocabulary) if governed else []


def read_statement(text: str, vocabulary: Vocabulary) -> list[Said]:
    """Return the words of a sentence that states a refusal, as "the goods have not been paid".

    What is denied of a deed, as in "such goods do not fly", is what the refused call would do.
    """
    plain = _DEED.sub(" ", text.lower().replace("\u2019", "'").replace("_", " "))
    texts = _join_labels(_TOKEN.findall(plain), vocabulary.labels)
    sign = -1 if texts[:1] == ["only"] else 1
    return _read_states(texts, [(sign, False)] * len(texts), vocabulary)


def _join_labels(texts: Sequence[str], labels: frozenset[tuple[str, ...]]) -> list[str]:
    """Return words with those of a label of several words as one, the longest label first."""
    found, place = [], 0
    while place < len(texts):
        sizes = [len(k) for k in labels if tuple(texts[place : place + len(k)]) == k]
        size = max(sizes, default=1)
        found.append(" ".join(texts[place : place + size]))
        place += size
    return found


class _Governing:
    """Finds the verbs that govern states, and how.

    A state after one that is 1 leads to a refusal, after -1 it keeps one off, and 0 ends this.
    """

    def __init__(self, texts: Sequence[str], vocabulary: Vocabulary) -> None:
        self._texts, self._vocabulary = texts, vocabulary
        # What has a sign of its own says nothing else: the verbs themselves.
        self.verbs: set[int] = set()

    def list_signs(self) -> list[tuple[int, bool]]:
        """Return for each word its sign and whether it is a governing verb; [] if there is none."""
        sign, first, starts_accepting = 0, 0, self._is_accepting_first()
        signs: list[int] = []
        relevant = False
        for place, word in enumerate(self._texts):
            found = self._find_sign(place, word, is_limited=starts_accepting)
            if found is not None:
                sign, relevant = found, relevant or found != 0
                first = first or found
                self.verbs.add(place)
            elif word in {"unless", "until"} or (word == "except" and sign):
                sign = -sign
            signs.append(sign)
        if not relevant:
            return []
        # What stands before the first verb is its subject or condition, but for what the tool does.
        opening = next(place for place, one in enumerate(signs) if one)
        if not starts_accepting:
            signs[:opening] = [first] * opening
        return [(one, place in self.verbs) for place, one in enumerate(signs)]

    def _is_accepting_first(self) -> bool:
        """Return whether a sentence starts with what the tool does, as in "Books a parcel"."""
        starts = [word for word in self._texts[:3] if word not in _PLAIN and word != "only"]
        first = starts[0] if starts else ""
        is_verb = first.endswith("s") and self._texts[1:2] and self._texts[1] in _STARTING
        known = first in _ACCEPTING | _ENDING or self._vocabulary.is_own_verb(first)
        return bool(known or (is_verb and first not in _REFUSING | _REQUIRING | _STARTING))

    def _find_sign(self, place: int, word: str, *, is_limited: bool) -> int | None:
        denied = -1 if self._is_denied(place) else 1
        if word in _REFUSING and not self._is_state(place, word):
            return denied
        if self._is_requiring(place, word):
            return -denied
        if word in _ACCEPTING and not self._is_subordinate(place):
            return 1 if denied < 0 else (-1 if self._is_restricted(place) else None)
        return self._find_indirect_sign(place, word, is_limited=is_limited)

    def _find_indirect_sign(self, place: int, word: str, *, is_limited: bool) -> int | None:
        """Return how states count after words that speak of no refusal by themselves."""
        if self._is_denied_deed(place, word):
            return 1
        if word in _ENDING and self._texts[place - 1 : place] in (["and"], ["then"], ["it"], [","]):
            return 0
        if word in _LIMITING and is_limited and not any(self.verbs):
            return self._find_limit_sign(place, word)
        return -1 if word == "only" and place == 0 and not is_limited else None

    def _is_requiring(self, place: int, word: str) -> bool:
        before = self._texts[max(0, place - 2) : place]
        is_duty = word == "to" and before[-1:] in (["has"], ["have"])
        is_ground = "only" in before and word in {"check", "checks", "condition", "conditions"}
        return word in _REQUIRING or is_duty or is_ground

    def _find_limit_sign(self, place: int, word: str) -> int | None:
        """Return how states count after what limits the deed that a sentence starts with."""
        if word == "only":
            return -1
        if word in {"unless", "until", "except"}:
            return 1
        before = self._texts[:place]
        return -1 if self._vocabulary.is_own_verb(before[0]) or before[0] in _ACCEPTING else None

    def _is_state(self, place: int, word: str) -> bool:
        """Return whether a word of refusing is a state that a refusal is about."""
        return self._vocabulary.is_state(word) and not (word.endswith("s") and place < 2)  # noqa: PLR2004

    def _is_denied(self, place: int) -> bool:
        return any(word in _NEGATING for word in self._texts[max(0, place - 2) : place])

    def _is_restricted(self, place: int) -> bool:
        return any(word in _LIMITING for word in self._texts[place:]) or "only" in self._texts

    def _is_denied_deed(self, place: int, word: str) -> bool:
        """Return whether it is said here that something cannot be done, in a main clause."""
        following = self._texts[place + 1 : place + 2]
        is_denied = word in _MODALS and (word in _NEGATING or following in (["not"], ["never"]))
        is_own = word in {"not", "never"} and self._texts[place - 1 : place] in (["is"], ["are"])
        is_own = is_own and self._vocabulary.is_own_verb("".join(following))
        return (is_denied or is_own) and not self._is_subordinate(place)

    def _is_subordinate(self, place: int) -> bool:
        """Return whether a verb belongs to "if", "whose" or the like, and none before it does."""
        before = list(self._texts[:place])
        while before and before[-1] in _AUXILIARIES | _NEGATING | {"be"}:
            before.pop()
        for word in reversed(before):
            if word in _SUBORDINATING:
                return True
            if word in _AUXILIARIES - {"cannot"} or word in _MARKS:
                return False
        return False


def _read_states(
    texts: Sequence[str], governed: Sequence[tuple[int, bool]], vocabulary: Vocabulary
) -> list[Said]:
    """Return the governed words, each turned by the negations before it in its clause."""
    said: list[Said] = []
    turn, part, is_without, after_deed = 1, 0, False, False
    for place, (word, (sign, is_verb)) in enumerate(zip(texts, governed, strict=True)):
        following = texts[place + 1] if place + 1 < len(texts) else ""
        is_new = word in _MARKS or (word in _JOINING and following in _STARTING)
        if is_new or is_verb or word in _SUBORDINATING:
            turn, is_without = 1, False
        part += is_new
        if is_verb:
            after_deed = word in _MODALS
            continue
        if word in _NEGATING:
            # After "cannot" and the like the negation is the verb's own.
            is_own = after_deed and governed[place - 1][1]
            turn = turn if is_own else _negate(turn, word)
            is_without = word == "without"
            continue
        if word in _AUXILIARIES and is_without:
            turn, is_without = 1, False
        if word in _MARKS or not sign:
            continue
        is_deed = after_deed and not is_function_word(word)
        after_deed = after_deed and is_function_word(word)
        stem, prefix = _trim_negated(word)
        is_aim = texts[place - 1 : place] == ["to"] and vocabulary.is_own_verb(word)
        is_plain = is_function_word(word) or is_deed or is_aim
        said.append(Said(word, stem, sign * turn * prefix > 0, part, is_plain))
    return said


def _negate(turn: int, word: str) -> int:
    return -1 if word == "nor" else -turn


_UNDONE = re.compile(r"(?:un|non|in)(?=[a-z]{5})")
_WHOLE = split_words("""unknown unit units united unique insurance insured input inside invalid""")


def _trim_negated(word: str) -> tuple[str, int]:
    """Return the stem of a word and -1 for one that denies it, as "unverified" does."""
    found = _UNDONE.match(word)
    if found is None or word in _WHOLE or not word.endswith(("ed", "able", "ible")):
        return trim_word(word), 1
    return trim_word(word[found.end() :]), -1
