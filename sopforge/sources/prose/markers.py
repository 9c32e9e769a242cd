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
    r"|other than|excluding|only (?:if|when|where)|provided(?: that)?|as long as"
    r"|but not(?! includ)|save for"
    r"|(?:does|do) not (?:apply|hold|count) (?:to|for|in|where|when|if)"
    r"|even (?:if|when|where)|regardless of|apart from)\b(?! (?:this|that|these|those)[ ,.;:])",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;:.()]|\s[\u2013\u2014-]\s")
_CLAUSE = re.compile(r"[;:,.]\s|\s[\u2013\u2014-]\s|\b(?:but|while|whereas)\b")
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|neither|nor|cannot|none|lacks?|lacking)\b|n't\b", re.IGNORECASE
)
_DEFAULT = re.compile(
    r"\b(?:otherwise|(?<!anybody )(?<!anyone )(?<!nobody )(?<!someone )"
    r"(?<!nothing )(?<!whatever )(?<!before anything )else"
    # "A fee and nothing else" is about what is owed, and not about other cases.
    r"|nothing else(?= (?:is|are|gets?|may|can)\b)"
    r"|in (?:all|any|every) other cases?|all others?|everything else"
    r"|any other|every other|by default|the rest|remaining|everyone else|all other|all else"
    r"|normally|usually|as a rule|in general|generally)\b"
    r"|^\W*(?:normal|usual|standard|regular)\b",
    re.IGNORECASE,
)


_LIST_END = re.compile(r"[.:;()\"|]|\s[\u2013\u2014-]\s")
_BETWEEN = re.compile(r",\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+")
_NO_THING = re.compile(
    r"(?:in|under|on|at|by|for|from|to|with|of|though|but|never|not|no|only|if|unless|when|where"
    r"|as|so|then|than|after|before|until|within|except|less|more|fewer|older|younger|later|earlier|it|they|he|she|we|you|that|which|who)\b",
    re.IGNORECASE,
)
_PAIR, _SHORT = 2, 4


_TAKES_OBJECT = (
    *("to", "of", "for", "from", "on", "with", "by", "in"),
    *("bear", "bears", "pay", "pays", "keep", "keeps", "take", "takes", "get", "gets"),
)
WHATEVER = (
    "".join(rf"(?<!\b{word} )" for word in _TAKES_OBJECT)
    + r"\bwhatever (?:the|its|his|her|their|it|they)\b"
)
"""A pattern of "whatever the reason", and not of "added to whatever the member pays"."""

MAKES_NONE = (
    r"(?:makes?|made|making) no difference|(?:does|do|did) not (?:matter|count)|or not"
    r"|chang\w+ nothing|plays? no part|irrelevant|not (?:needed|required|asked for)|never counts?"
)
"""A pattern of words before which what is named makes no difference: "a clean log or not"."""
_MAKES_NONE = re.compile(rf"\b(?:{MAKES_NONE})\b", re.IGNORECASE)
BEFORE_ALL = r"\b(?:before|ahead of) (?:any|every)thing else\b"
"""A pattern of "this comes before anything else"."""
_BEFORE_ALL = re.compile(BEFORE_ALL, re.IGNORECASE)
_MAKES_EXCEPTION = re.compile(r"(?<!\bno )(?<!\bwithout )\bexceptions?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence: an exception with what it excepts, or a thing of a list."""

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


def is_without_difference(text: str) -> bool:
    """Return whether a text says of what stands before it that it makes no difference."""
    return _MAKES_NONE.search(text) is not None


def is_before_all(text: str) -> bool:
    """Return whether a text says that something comes before anything else."""
    return _BEFORE_ALL.search(text) is not None


def has_exception(text: str) -> bool:
    """Return whether a text calls something an exception, and does not deny that there is one.

    >>> has_exception("The only exception is fish."), has_exception("There are no exceptions.")
    (True, False)
    """
    return _MAKES_EXCEPTION.search(text) is not None


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


def iterate_lists(text: str) -> Iterator[tuple[Clause, ...]]:
    """Yield the lists of three and more short things that a text names.

    >>> [[item.text for item in found] for found in iterate_lists("No fee: death, moves and age.")]
    [['death', 'moves', 'age']]
    """
    start = 0
    for end in [*(found.start() for found in _LIST_END.finditer(text)), len(text)]:
        things = tuple(_iterate_things(text, start, end))
        # What stands after the last thing may go on about it.
        if len(things) > _PAIR and all(_is_thing(item.text) for item in things[:-1]):
            yield things
        start = end + 1


def _is_thing(text: str) -> bool:
    return len(text.split()) <= _SHORT and not _NO_THING.match(text)


def _iterate_things(text: str, start: int, end: int) -> Iterator[Clause]:
    place = start
    for found in [*_BETWEEN.finditer(text, start, end), None]:
        stop = found.start() if found else end
        words = text[place:stop].strip()
        if words:
            yield Clause(words, place, stop)
        place = found.end() if found else end


def split_statements(text: str) -> Iterator[tuple[str, int]]:
    """Yield the parts of a text between full stops, semicolons and "but", and their starts."""
    start = 0
    for found in re.finditer(r"[;.]\s|,\s(?=but\b)", text):
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


def split_last_clause(text: str) -> str:
    """Return the last clause of a text, which may not be at its end yet."""
    return list(split_clauses(text))[-1][0]


def split_last_statement(text: str) -> str:
    """Return what stands in the last of the statements of a text."""
    return list(split_statements(text))[-1][0]
