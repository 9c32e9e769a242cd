"""Whether a label reads well after "the", where sentences of the SOP put it.

A label is the noun by which a thing is called: "opinion of the officer", not "our opinion"; "answer
of the customer", not "what the customer says". Only what is surely amiss is reported: English has
more nouns than any list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ARTICLES = "the|a|an|this|these|those|each|every|any|no|some|all|both|either|neither"
_OWNERS = "our|my|your|his|her|its|their|whose"
_PERSONS = "i|we|you|he|she|it|they|there|that"
_QUESTIONS = "what|which|who|whom|whether|how|when|where|why|if"
_VERBS = (
    "(?:is|are|was|were|am|be|been|has|have|had|does|do|did|isn't|aren't|hasn't|doesn't|cannot"
    "|should|would|contains|exceeds|belongs|exists|requires)"
    # "Must weight" and "can size" are things.
    "|(?:can|could|may|must)"
    " (?:be|not|have|only|also|still|pay|drive|read|write|speak|work|use|sign)"
)
_ORDERS = "please|(?:enter|state|give|choose|select|describe|name) (?:the|a|an|your|all)"
# Of these a yes/no field is said: the case has a receipt, not: the has receipt.
_STATEMENTS = frozenset({"has", "had", "is", "was", "needs", "can", "may", "must"})
_NEVER_LAST = (
    "of|the|a|an|and|or|per|than|that|which|whose|between|into|during|because|our|my|your|their"
    "|its|his|is|are|was|were|has|have|if|whether|when|where|as|with|without|from|for|e\\.g\\.|etc"
)
_SELDOM_LAST = "to|in|on|at|by|about|under|over|until|since|within|through"
# "the check in" and "the add on" are things.
_WITH_PARTICLE = (
    "check|log|logged|sign|signed|add|stand|drop|hand|fill|pick|put|opt|buy|trade|cash|sit|plug"
    "|walk|drive|run|turn|carry|take|hold|roll|follow|break|phase|start|switch|move|left|mark|go"
)
_PREPOSITIONS = (
    "of|in|on|at|for|by|with|without|from|to|under|within|since|until|about|during|because|upon"
    "|between|among|against|through"
)
# Where a verb follows one of these, it says which thing is meant: the day it was sent.
_SUBORDINATES = (
    "that|which|who|whom|whose|what|where|when|whether|why|how|if|as|while|the|a|an|it|he"
    "|she|they|we|you|i|its|his|her|their|our|your|my|this|these|any|each|every|no"
)
_BEFORE_STATES = "not|never|already|still|yet|fully|partly|duly|properly|newly|currently|recently"
_STATES = (
    "overdue|valid|invalid|late|early|complete|incomplete|missing|present|absent|urgent|new|old"
    "|open|ready|clean|dirty|broken|sealed|empty|full|active|inactive|known|unknown|alive|dead"
    "|married|pregnant|due|given|taken|shown|written|worn|stolen|lost|sold|frozen|legible|correct"
    "|wrong|true|safe|unsafe|dry|wet|loose|intact|faulty|sober|fit|ill"
)


# Participles that keep their preposition: "amount applied for".
_VERBS_WITH_PREPOSITION = (
    "(?:applied|asked|paid|called|accounted|searched|provided|allowed|looked|cared) for"
    "|(?:referred|objected|agreed|appealed) to|(?:relied|agreed|decided|acted) on"
    "|(?:dealt|complied) with|disposed of"
)


@dataclass(frozen=True, slots=True)
class LabelFault:
    """Why a label does not read well, and what to write in its place."""

    reason: str
    hint: str


_NOUN = "use a noun: 'statement of the customer' instead of 'what the customer says'"
_CLAUSE = "use a noun, and write the clauses of a yes/no field under 'said'"
_FINISH = "complete the label so that it names a thing: 'number of parcels' instead of 'number of'"
_DROP = "delete its first word, and add the owner if it matters: 'opinion of the officer'"

_ENDS = (
    (r".*\b(\w+) \1\b", LabelFault("repeats a word", "write the word once")),
    (r".*(?:['\u2019]s|s['\u2019])$", LabelFault("ends after a possessive", _FINISH)),
    (r".*(?:[-\u2010-\u2015,:;/(&+=]|\.\.\.|\u2026)$", LabelFault("is cut off", _FINISH)),
    (r".*[.?!]$", LabelFault("ends like a sentence", _NOUN)),
    (
        rf"(?!.*\s(?:{_VERBS_WITH_PREPOSITION})$)(?:.*\s)?(?:{_NEVER_LAST})$",
        LabelFault("is cut off", _FINISH),
    ),
    (
        (
            rf"(?!.*\b(?:{_SUBORDINATES}|to (?!be\b)\w+)\b)"
            rf"(?!(?:.*\s)?(?:{_WITH_PARTICLE})\s\w+$).*\s(?:{_SELDOM_LAST})$"
        ),
        LabelFault("is cut off", _FINISH),
    ),
    (r".*_", LabelFault("contains an underscore", "replace the underscores with spaces")),
)
_BEGINNINGS = (
    (
        rf"(?:.*\bof the )?(?!a (?:la|priori|posteriori)\b)(?:{_ARTICLES})\s",
        LabelFault("begins with an article", _DROP),
    ),
    (rf"(?:.*\bthe )?(?:{_OWNERS})\s", LabelFault("begins with a possessive", _DROP)),
    (rf"(?:.*\bthe )?(?:{_PERSONS})\s", LabelFault("is a sentence", _NOUN)),
    (rf"(?:.*\bthe )?(?:{_QUESTIONS})\s", LabelFault("is a question", _NOUN)),
    (rf"(?:{_ORDERS})\b", LabelFault("asks for something", _NOUN)),
    (
        rf"(?:{_PREPOSITIONS})\s(?:(?:{_ARTICLES}|{_OWNERS})\s.*|[\w-]+$)",
        LabelFault("begins with a preposition and does not name a thing", _NOUN),
    ),
)
_VERB_FIRST = rf"(?:{_VERBS})\b"
_VERB_INSIDE = (
    rf"(?!(?:.*\s)?(?:{_SUBORDINATES})\s.*\s(?:is|are|was|were|has|have|does|did)\s)"
    r".+\s(?:is|are|was|were|has|have|does|did)\s.+"
)
_STATE = rf"(?:(?:{_BEFORE_STATES})\s.+|(?:{_STATES})|\w+(?:ed|able|ible))$"


_CLAUSES = (
    (_VERB_FIRST, LabelFault("begins with a verb", _CLAUSE)),
    (_VERB_INSIDE, LabelFault("is a sentence", _CLAUSE)),
)
_YES_NO = ((_STATE, LabelFault("describes a state and does not name a thing", _CLAUSE)),)


def find_label_fault(label: str, *, is_yes_no: bool = False) -> LabelFault | None:
    """Return why a label does not read well after "the", None if nothing is seen.

    A yes/no field may say what the case is or has; a verb then stands first.

    >>> find_label_fault("our opinion").reason
    'begins with a possessive'
    >>> find_label_fault("opinion of our officer") is None
    True
    """
    words = " ".join(label.split())
    first = words.split(" ", 1)[0]
    is_statement = is_yes_no and first in _STATEMENTS
    # "IT department" has no pronoun.
    is_acronym = len(first) > 1 and first.isupper()
    beginnings = () if is_statement or is_acronym else (*_BEGINNINGS, *_CLAUSES)
    states = _YES_NO if is_yes_no and not is_statement else ()
    found = (fault for pattern, fault in (*beginnings, *_ENDS, *states) if _match(pattern, words))
    return next(found, None)


def _match(pattern: str, words: str) -> bool:
    return re.match(pattern, words, re.IGNORECASE) is not None
