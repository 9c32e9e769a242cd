"""Lines on fields in other words: the form of an entry, and what yes and no stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sopforge.domain.fields import Said
from sopforge.reading.clause_words import index_other_clauses
from sopforge.rendering.sop.sections.fields import is_plain_denial

_FORM = re.compile(
    r"(?:well formed only (?:(?:if|when|where) it (?:consists of|is made up of|is composed of"
    r"|has the form|has the pattern|is|reads|comprises)|as|in the form|with the form)"
    r"|(?:it )?(?:must|has to) (?:consist of|be made up of|have the form|be composed of))"
    r" (?P<form>[^.]+)\."
)
_THEN = re.compile(
    r",? (?:and )?(?:then|followed by|which is followed by|and after (?:it|that|them)) "
)
_FILLER = re.compile(
    r'\b(?:exactly |precisely )(?=\d)|\bthe (?:letters?|characters?|text|prefix) (?=")'
)
_COUNTS = {
    word: str(number)
    for number, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=2
    )
}
_COUNTED = re.compile(rf"\b({'|'.join(_COUNTS)})(?= (?:digits|letters|capital|small|of the))")
_ANSWERS = re.compile(
    r'"yes"(?: if (?P<yes>[^";]+?))?[,;]?(?: and| or)? '
    r'(?:"no" (?:if (?P<no>[^".;]+)|(?P<rest>otherwise))'
    r'|(?P<other>otherwise|else|if not|in all other cases),? "no")'
)
_SUBJECT = re.compile(
    r"(?P<who>the [\w -]+?) (?P<be>is|was|has|does|can|are|were|have|do) (?P<what>.+)"
)
_SO = frozenset({"so", "it is", "it does", "it was", "it has", "this is so", "that is the case"})
_NOT_SO = frozenset(
    {"not", "it is not", "it does not", "it was not", "it has not", "this is not so"}
)


def reword_form(text: str) -> str:
    """Return a text with the form of an entry in the words that the rules have for it.

    >>> reword_form('number; well formed only if it consists of "D" followed by seven digits.')
    'number; well formed only as "D", then 7 digits.'
    """
    return _FORM.sub(_say_form, text)


def _say_form(found: re.Match[str]) -> str:
    form = _COUNTED.sub(lambda count: _COUNTS[count[0]], _FILLER.sub("", found["form"]))
    return f"well formed only as {_THEN.sub(', then ', form)}."


def are_same_answers(text: str, said: Said, description: str) -> bool:
    """Return whether a line says of yes and of no what they stand for, in whatever words."""
    found = _ANSWERS.search(text)
    if found is None:
        return False
    is_known = description == f"whether {said.yes}"
    yes, no = found["yes"], found["no"]
    is_bare = yes is None or yes in _SO
    is_yes = is_known if is_bare else yes in _iterate_words(said.yes, said)
    if found["rest"] or found["other"] or no in _NOT_SO:
        return is_yes and (is_known or not is_bare) and is_plain_denial(said)
    return is_yes and no in _iterate_words(said.no, said)


def _iterate_words(clause: str, said: Said) -> Iterator[str]:
    """Yield a clause, others that say the same, and each with "it" for what both answers are of."""
    others = index_other_clauses([said.yes, said.no])
    subjects = [found["who"] for item in (said.yes, said.no) if (found := _SUBJECT.match(item))]
    is_shared = len(subjects) == len({said.yes, said.no}) and len(set(subjects)) == 1
    for words in (clause, *(other for other, meant in others.items() if meant == clause)):
        yield words
        found = _SUBJECT.fullmatch(words)
        if found is not None and is_shared:
            who = "they" if found["be"] in {"are", "were", "have", "do"} else "it"
            yield f"{who} {found['be']} {found['what']}"
