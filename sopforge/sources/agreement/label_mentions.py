"""Where a text names the labels of a field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sopforge.sources.facts import Labels
from sopforge.sources.prose.stems import list_stems_in_order

_ASSERTED = re.compile(
    r"(?:\b(?:is|are|be|becomes?|gets?|means?|as|gives?)|:|=|->|\u2192)"
    r"(?: (?:also|always|then|too|the))?\s*[\"']?$",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:if|unless|when|where|while|not|never|no|without|would|until|as long as|whether)\b",
    re.IGNORECASE,
)

_OTHER_WORDS = frozenset(
    {
        *("goods", "news", "means", "odds", "shorts", "customs", "damages", "works"),
        *("hardly", "highly", "lately", "nearly", "newly", "shortly"),
    }
)
"""Words that mean something else than those from which they are formed: "goods" and "good"."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place at which a text names a label."""

    label: str
    start: int
    end: int


def list_mentions(text: str, labels: Labels) -> tuple[Mention, ...]:
    """Return where a text names labels, by the stems of their words; the longest label counts.

    >>> [m.label for m in list_mentions("Pre-basic becomes basic.", ("basic", "pre-basic"))]
    ['pre-basic', 'basic']
    """
    words = list_stems_in_order(text)
    wanted = sorted(
        ((tuple(stem for stem, _, _ in list_stems_in_order(label)), label) for label in labels),
        key=lambda item: -len(item[0]),
    )
    found: list[Mention] = []
    place = 0
    while place < len(words):
        stems = tuple(stem for stem, _, _ in words[place:])
        hits = [(parts, label) for parts, label in wanted if parts and stems[: len(parts)] == parts]
        if not hits:
            place += 1
            continue
        parts, label = hits[0]
        mention = Mention(label, words[place][1], words[place + len(parts) - 1][2])
        # Labels whose words have the same stems cannot be held apart.
        if sum(other == parts for other, _ in wanted) == 1 and not _is_other_word(text, mention):
            found.append(mention)
        place += len(parts)
    return tuple(found)


def _is_other_word(text: str, mention: Mention) -> bool:
    """Return whether a word only looks like a label: an article as grade A, goods as good."""
    words = text[mention.start : mention.end]
    last, own = (text.lower().split()[-1] for text in (words, mention.label))
    if last != own and last in _OTHER_WORDS:
        return True
    if mention.label.lower() != "a":
        return mention.label.endswith("ing") and not words.endswith(("ing", "ings"))
    is_start = re.search(r"(?:^|[.:;!?]\s+)[\"'(]?$", text[: mention.start]) is not None
    is_before_noun = re.match(r"\s+[a-z]", text[mention.end :]) is not None
    return words != mention.label or (is_start and is_before_noun)


def find_labels(text: str, labels: Labels) -> frozenset[str]:
    """Return the labels that a text names.

    >>> sorted(find_labels("Declined after manual review.", ("decline", "review", "manual review")))
    ['decline', 'manual review']
    """
    found = list_mentions(text, labels)
    # Where a label stands in quotation marks, the same word without them is a word.
    quoted = [item for item in found if text[max(0, item.start - 1) : item.start] == '"']
    return frozenset(item.label for item in quoted or found)


def is_written(text: str, label: str) -> bool:
    """Return whether a text has a label as it is written, rather than a word of the same stem.

    >>> is_written('It is "Refund".', "Refund"), is_written("A refund is paid.", "Refund")
    (True, False)
    """
    return re.search(rf"(?<!\w){re.escape(label)}(?!\w)", text) is not None


def iterate_asserted(text: str, labels: Labels) -> Iterator[str]:
    """Yield the labels that a clause asserts: it says "is" before them, and no "if" or "not".

    >>> list(iterate_asserted("the crop is rejected", ("rejected", "held")))
    ['rejected']
    >>> list(iterate_asserted("a crop that is not rejected", ("rejected", "held")))
    []
    """
    for mention in list_mentions(text, labels):
        before = text[: mention.start]
        if _ASSERTED.search(before) and not _OPEN.search(before):
            yield mention.label


def join_labels(labels: Iterable[str]) -> str:
    """Return labels as a message shows them."""
    return ", ".join(f'"{label}"' for label in sorted(set(labels)))
