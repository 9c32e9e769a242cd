"""The opposite of a clause: "the insurance covers the works" and "the insurance does not cover".

Only what has one meaning is turned round; of any other clause there is no opposite here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sopforge.morphology import find_infinitive, find_stem, is_participle, is_plural_word

_NONE = re.compile(r"no (?P<rest>.+)")
_SOME = re.compile(r"an? (?P<rest>.+)")
_ANYBODY = {"nobody": "somebody", "somebody": "nobody", "nothing": "something", "no one": "someone"}
_UNCLEAR = re.compile(r"\b(?:must|shall|should|will|would|who|which|that|never|only|both|nor)\b")
"""Words of which it is not clear what denies them."""
_DENIED = re.compile(r"(?P<start>.+? (?:is|are|was|were|has|have|may)) not (?P<rest>.+)")
_AUXILIARY = re.compile(r"(?P<start>.+?) (?P<verb>is|are|was|were|may|can|has|have) (?P<rest>.+)")
_STILL, _ALREADY = "still ", "already "
_VERBS = frozenset(
    {
        *("accept", "affect", "agree", "allow", "apply", "arrive", "ask", "belong", "carry"),
        *("come", "contain", "contradict", "cost", "count", "cover", "depart", "depend", "differ"),
        *("end", "exceed", "expire", "fail", "fall", "fit", "follow", "give", "go", "hold"),
        *("include", "involve", "lack", "last", "leave", "lie", "live", "lose", "match", "meet"),
        *("name", "need", "overlap", "owe", "own", "pass", "pay", "permit", "pose", "qualify"),
        *("reach", "remain", "report", "require", "request", "run", "seem", "serve", "share"),
        *("show", "start", "begin", "stay", "suffice", "take", "touch", "travel", "use", "want"),
        *("warrant", "weigh", "work"),
    }
)
"""Verbs by which the predicate of a clause is found where no form of "be" or "have" shows it."""
_ADVERBS = frozenset({"still", "already", "also", "wholly", "partly", "now", "clearly", "often"})
_NO_NOUNS = frozenset(
    {
        *("the", "a", "an", "of", "for", "in", "on", "at", "by", "to", "with", "without", "from"),
        *("per", "as", "its", "his", "their"),
    }
)
_BASES = {find_stem(verb): verb for verb in _VERBS}


def negate_clause(clause: str) -> str:
    """Return the opposite of a clause, "" where it is not clear what that is.

    >>> negate_clause("the donor is too young to give")
    'the donor is not too young to give'
    >>> negate_clause("the carriageway is still protected")
    'the carriageway is no longer protected'
    >>> negate_clause("a deferral on file still runs")
    'no deferral on file still runs'
    >>> negate_clause("it consists of glass")
    'it does not consist of glass'
    """
    if _UNCLEAR.search(clause):
        return ""
    for subject, opposite in _ANYBODY.items():
        if clause.startswith(f"{subject} ") and not re.search(r" (?:not|no)\b", clause[3:]):
            return f"{opposite}{clause.removeprefix(subject)}"
    none, some = _NONE.fullmatch(clause), _SOME.fullmatch(clause)
    denied = _DENIED.fullmatch(clause)
    if denied is not None:
        return "" if none else f"{denied['start']} {denied['rest']}"
    if re.search(r" (?:not|no)\b", clause):
        return ""
    if none or some:
        return _negate_subject(none, some) if _find_verb(clause) else ""
    return _negate_verb(clause)


def _negate_subject(none: re.Match[str] | None, some: re.Match[str] | None) -> str:
    """Return that there is none of what there is one of, or the reverse."""
    if none is not None:
        article = "an" if none["rest"][0] in "aeiou" else "a"
        return f"{article} {none['rest']}"
    return f"no {some['rest']}" if some is not None else ""


def _negate_verb(clause: str) -> str:
    verb = _find_verb(clause)
    if verb is None:
        return ""
    start, word, rest, is_auxiliary = verb
    if rest.startswith(_STILL):
        return f"{start} {word} no longer {rest.removeprefix(_STILL)}"
    if is_auxiliary and rest.startswith(_ALREADY):
        return f"{start} {word} not yet {rest.removeprefix(_ALREADY)}"
    if is_auxiliary:
        return f"{start} cannot {rest}" if word == "can" else f"{start} {word} not {rest}"
    if start.endswith(_STILL.rstrip()):
        return f"{start.removesuffix(_STILL.rstrip())}no longer {word} {rest}".rstrip()
    base = "have" if word in {"has", "have"} else _find_base(word) or find_infinitive(word)
    do = "do" if word == base else "does"
    yet = " yet" if start.endswith(_ALREADY.rstrip()) else ""
    subject = start.removesuffix(_ALREADY.rstrip()).rstrip()
    return f"{subject} {do} not{yet} {base} {rest}".rstrip()


def _find_verb(clause: str) -> tuple[str, str, str, bool] | None:
    """Return what stands before the verb of a clause, the verb, the rest, and if it takes "not"."""
    found = _AUXILIARY.fullmatch(clause)
    if found is not None:
        may_own = found["verb"] in {"has", "have"}
        is_auxiliary = not may_own or _is_perfect(found["rest"])
        return found["start"], found["verb"], found["rest"], is_auxiliary
    words = clause.split(" ")
    if words[0] == "it" and len(words) > 1 and find_infinitive(words[1]) != words[1]:
        # After "it" comes the verb, whichever it is.
        return "it", words[1], " ".join(words[2:]), False
    for place, word in enumerate(words[2:], start=2):
        if _find_base(word) and _is_verb(words, place):
            return " ".join(words[:place]), word, " ".join(words[place + 1 :]), False
    return None


def _is_verb(words: Sequence[str], place: int) -> bool:
    """Return whether a word that may be a verb is one: "the works end", never "the week end"."""
    before = words[place - 1]
    subject = words[place - 2] if before in _ADVERBS else before
    is_of = words[place + 1 : place + 2] == ["of"]
    if is_of or subject in _NO_NOUNS:
        return False
    return is_plural_word(subject) == (words[place] in _VERBS)


def _is_perfect(rest: str) -> bool:
    """Return whether what follows "has" or "have" is what was done, not what somebody has."""
    first = rest.removeprefix(_ALREADY).partition(" ")[0]
    return first == "been" or (first not in _NO_NOUNS and is_participle(first))


def _find_base(word: str) -> str:
    """Return the verb that a word is, as it stands after "does not", "" for none of the list."""
    # By its stem first: a dictionary takes long to load.
    verb = _BASES.get(find_stem(word), "")
    return verb if word == verb or (verb and find_infinitive(word) == verb) else ""
