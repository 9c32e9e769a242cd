"""The opposite of a clause: "the insurance covers the works" and "the insurance does not cover".

Only what has one meaning is turned round; of any other clause there is no opposite here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_NONE = re.compile(r"no (?P<rest>.+)")
_SOME = re.compile(r"an? (?P<rest>.+)")
_ANYBODY = {"nobody": "somebody", "somebody": "nobody", "nothing": "something", "no one": "someone"}
_UNCLEAR = re.compile(r"\b(?:must|shall|should|will|would|who|which|that|never|only|both|nor)\b")
"""Words of which it is not clear what denies them."""
_DENIED = re.compile(r"(?P<start>.+? (?:is|are|was|were|has|have|may)) not (?P<rest>.+)")
_PERFECT = re.compile(
    r"(?P<start>.+? (?:has|have)) (?P<rest>(?:already )?(?:been|had|\w{2,}(?:ed|en|own)"
    r"|left|lost|made|met|paid|sent|spent|sold|held|kept|found|brought|bought|run|come|gone"
    r"|begun|put)\b.*)"
)
_HAVING = re.compile(r"(?P<start>.+?) (?P<verb>has|have) (?P<rest>.+)")
_BEING = re.compile(r"(?P<start>.+?) (?P<verb>is|are|was|were|may|can) (?P<rest>.+)")
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
_ENDINGS = (("ies", "y"), ("es", ""), ("s", ""))


def negate_clause(clause: str) -> str:
    """Return the opposite of a clause, "" where it is not clear what that is.

    >>> negate_clause("the donor is too young to give")
    'the donor is not too young to give'
    >>> negate_clause("the carriageway is still protected")
    'the carriageway is no longer protected'
    >>> negate_clause("a deferral on file still runs")
    'no deferral on file still runs'
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
    do = "do" if word in {*_VERBS, "have"} else "does"
    yet = " yet" if start.endswith(_ALREADY.rstrip()) else ""
    subject = start.removesuffix(_ALREADY.rstrip()).rstrip()
    return f"{subject} {do} not{yet} {_strip_ending(word)} {rest}".rstrip()


def _find_verb(clause: str) -> tuple[str, str, str, bool] | None:
    """Return what stands before the verb of a clause, the verb, the rest, and if it takes "not"."""
    perfect = _PERFECT.fullmatch(clause)
    if perfect is not None:
        start, _, word = perfect["start"].rpartition(" ")
        return start, word, perfect["rest"], True
    being, having = _BEING.fullmatch(clause), _HAVING.fullmatch(clause)
    nearest = min((x for x in (being, having) if x), key=lambda x: len(x["start"]), default=None)
    if nearest is not None:
        return nearest["start"], nearest["verb"], nearest["rest"], nearest is being
    words = clause.split(" ")
    for place, word in enumerate(words[2:], start=2):
        if _strip_ending(word) in _VERBS and _is_verb(words, place):
            return " ".join(words[:place]), word, " ".join(words[place + 1 :]), False
    return None


def _is_verb(words: Sequence[str], place: int) -> bool:
    """Return whether a word that may be a verb is one: "the works end", never "the week end"."""
    before = words[place - 1]
    subject = words[place - 2] if before in _ADVERBS else before
    is_of = words[place + 1 : place + 2] == ["of"]
    agrees = subject.endswith("s") == (words[place] in _VERBS)
    return agrees and not is_of and subject not in _NO_NOUNS


def _strip_ending(word: str) -> str:
    """Return a verb as it stands after "does not"."""
    if word in {"has", "have"}:
        return "have"
    stems = [f"{word.removesuffix(end)}{new}" for end, new in _ENDINGS if word.endswith(end)]
    return next((stem for stem in [word, *stems] if stem in _VERBS), word)
