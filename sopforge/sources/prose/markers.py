"""Words by which English prose binds, makes exceptions and denies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_BINDING = re.compile(
    r"^(?:accept|add|apply|approve|ask|bill|book|call|charge|check|close|compare|confirm|count"
    r"|decline|deduct|deny|do|enter|escalate|file|forward|give|grant|hold|issue|leave|look|make"
    r"|mark|offer"
    r"|pay|put|record|refer|refund|refuse|register|reject|release|return|send|set|state|stop|take|treat"
    r"|use|verify|wait|write)\b(?! (?:is|are|was|were)\b)"
    r"|\b(?:(?:nobody|no \w+)(?: \w+)? (?:may|must|can|is)|must|shall|should|has to|have to"
    r"|needs? to|required?|requires"
    r"|may not|may only|cannot|can't|never|always|only|unless|except(?:ions?)?|within"
    r"|at (?:least|most|the latest)"
    r"|no (?:later|earlier|more|less|fewer) than|(?:more|less|fewer|older|younger|later|earlier"
    r"|higher|lower|greater) than|exceed\w*|otherwise|else|if|when(?:ever)?|where(?!\w)"
    r"|regardless|in (?:all|any|every) (?:other )?cases?|by default"
    r"|(?:is|are|be|gets?) (?:\w+ )?(?:approved|rejected|declined|granted|denied|refused|waived"
    r"|escalated|closed|referred|forwarded|returned|accepted|cancelled|refunded|charged|paid"
    r"|exempt|allowed|entitled|eligible|forbidden))\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(
    r"\b(?:unless|except(?:ing)?(?: that| where| when| if| for| in)?|with the exception of"
    r"|other than|excluding|only (?:if|when|where)|provided(?: that)?|as long as|but not|save for"
    r"|even (?:if|when|where)|regardless of|apart from)\b(?! (?:this|that|these|those)[ ,.;:])",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;:.()]|\s[\u2013\u2014-]\s")
_CLAUSE = re.compile(r"[;:,.]\s|\s[\u2013\u2014-]\s|\b(?:but|while|whereas)\b")
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|neither|nor|cannot|none|lacks?|lacking)\b|n't\b", re.IGNORECASE
)
_DEFAULT = re.compile(
    r"\b(?:otherwise|else|in (?:all|any|every) other cases?|all others?|everything else"
    r"|any other|every other|by default|the rest|remaining|everyone else|all other)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence from a word that makes an exception to the end of what it excepts."""

    text: str
    start: int
    end: int


def is_binding(text: str) -> bool:
    """Return whether a sentence could be a rule.

    >>> is_binding("Refunds must be signed."), is_binding("The shop was founded by two brothers.")
    (True, False)
    """
    return _BINDING.search(text) is not None


def is_default(text: str) -> bool:
    """Return whether a text says what holds in all other cases."""
    return _DEFAULT.search(text) is not None


def count_negations(text: str) -> int:
    """Return how many words of a text deny something."""
    return len(_NEGATION.findall(text))


def iterate_exceptions(text: str) -> Iterator[Clause]:
    """Yield the clauses of a sentence that make an exception.

    >>> [clause.text for clause in iterate_exceptions("Pay, unless the lid is open, or so.")]
    ['unless the lid is open']
    """
    for found in _EXCEPTION.finditer(text):
        end = _CLAUSE_END.search(text, found.end())
        stop = end.start() if end else len(text)
        yield Clause(text[found.start() : stop].strip(), found.start(), stop)


def split_statements(text: str) -> Iterator[tuple[str, int]]:
    """Yield the parts of a text between full stops and semicolons, and where each begins."""
    start = 0
    for found in re.finditer(r"[;.]\s", text):
        yield text[start : found.start()], start
        start = found.end()
    yield text[start:], start


def split_clauses(text: str) -> Iterator[tuple[str, int]]:
    """Yield the clauses of a text between its marks, and where each begins."""
    start = 0
    for found in _CLAUSE.finditer(text):
        yield text[start : found.start()], start
        start = found.end()
    yield text[start:], start
