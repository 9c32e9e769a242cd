"""Lines on fields in other words: the form of an entry, and what yes and no stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from sopforge.domain.fields import Said
from sopforge.reading.clause_words import index_other_clauses, is_denied_verb
from sopforge.rendering.sop.sections.fields import is_plain_denial

_FORM = re.compile(
    r"(?:well formed only (?:(?:if|when|where) it (?:consists of|is made up of|is composed of"
    r"|has the form|has the pattern|is|reads|comprises)|as|in the form|with the form)"
    r"|(?:the )?only well[- ]formed (?:pattern|form) is"
    r"|(?:it )?(?:must|has to) (?:consist of|be made up of|have the form|be composed of)"
    r"|(?<=; )form:)"
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
_PLACES = re.compile(rf"\b({'|'.join(_COUNTS)}) (?:decimals|decimal places)\b")
_COUNTED = re.compile(rf"\b({'|'.join(_COUNTS)})(?= (?:digits|letters|capital|small|of the))")
_ANSWER = re.compile(r'"(yes|no)"([^"]*)')
_END = re.compile(r"^[,;.]?(?: and| or| but)?$|^[,;] (?:and |or )?|[,;.]?(?: and| or| but)?$")
_OTHERS = re.compile(r"[,;]?(?: and| but)? ?(?:otherwise|else|if not|in all other cases),?$")
_CASE = re.compile(
    r"(?:(?:if|where|when|in case|means(?: that)?) (?P<clause>.+)|(?:for|with) (?P<thing>.+))"
)
_WHETHER = re.compile(r"\bwhether ([^;]+)")
_TURNED_ANSWERS = re.compile(
    r'(?P<no>"no" (?:if|where|when) [^";.]+?),? (?:and |or )?'
    r'(?P<yes>"yes" (?:if|where|when) [^";.]+?)(?=[.;]|$)'
)
_UNSET = re.compile(
    r"[,;]? ?(?:and |or )?(?:if|where|when) (?P<early>no step (?:has )?set it|there is none"
    r'|it has no value),? (?P<first>"[^"]*")'
    r'|(?:,? or|[,;](?: and)?) (?P<last>"[^"]*") (?:if|where|when) (?P<late>no step (?:has )?set it'
    r"|there is none|it has no value)"
    r'|^(?P<only>"[^"]*") (?:if|where|when) (?P<then>no step (?:has )?set it)(?=[;,] )'
)
"""What is reported of a result that has no value, before or after it."""
_AFTER_UNSET = re.compile(r"[;,] (?:otherwise|else|in all other cases|if not),? ")
_ALIKE = (
    (r"(?<!any )\b(?:either|one of(?: these:?)?)(?= |$)", "or"),
    (r"\bdecimals\b", "decimal places"),
    (r"\b(?:an integer|integer)\b", "whole number"),
    (r"\b(?:amount|figure)\b", "number"),
    (
        r"(?:\bwith )?\b(?:a )?semicolons? between (?:them|each)|\bwith semicolons?\b",
        "separated semicolons",
    ),
)
_LINKING = frozenset(
    {
        *("a", "an", "the", "in", "of", "with", "to", "as", "and", "is", "are", "be", "by", "each"),
        *("kept", "given", "listed", "written", "form", "them", "expressed", "stated", "place"),
    }
)
_SO = frozenset({"so", "it is", "it does", "it was", "it has", "this is so", "that is the case"})
_NOT_SO = frozenset(
    {"not", "it is not", "it does not", "it was not", "it has not", "this is not so"}
)
_SMALL = frozenset(
    {"a", "an", "the", "is", "are", "was", "were", "for", "of", "in", "on", "with", "it", "that"}
)


_VALUE_FIRST = re.compile(
    r"(?P<form>(?:an? )?(?:whole number|number with \d decimal places?|date(?: \(year-month-day\))?"
    r'|(?:either |one of )?"[^"]*"(?:(?:, or |, and |, | or | and )"[^"]*")+)'
    r"(?:, in [^,;:.]+)?)[,;:] (?P<what>[^;.]+)\."
)


def reword_form(text: str) -> str:
    """Return a text with the form of an entry in the words that the rules have for it.

    What "yes" stands for comes first, and so does the description.

    >>> reword_form('number; well formed only if it consists of "D" followed by seven digits.')
    'number; well formed only as "D", then 7 digits.'
    """
    text = _PLACES.sub(lambda found: f"{_COUNTS[found[1]]} decimal places", text)
    first = _VALUE_FIRST.fullmatch(text)
    text = f"{first['what']}; {first['form']}." if first else text
    return _TURNED_ANSWERS.sub(r"\g<yes>, \g<no>", _FORM.sub(_say_form, text))


def _say_form(found: re.Match[str]) -> str:
    form = _COUNTED.sub(lambda count: _COUNTS[count[0]], _FILLER.sub("", found["form"]))
    return f"well formed only as {_THEN.sub(', then ', form)}."


WELL_FORMED = re.compile(r"well formed only as (?P<form>[^.]+?)(?:\.|$)")


def split_form(form: str) -> list[str]:
    """Return the parts of the form of an entry, in their order.

    >>> split_form('"D", then 7 digits')
    ['"D"', '7 digits']
    """
    parts = re.split(r",? (?:and )?then ", form.removesuffix("."))
    return [part.strip(" ,").removeprefix("by ").removeprefix("of ") for part in parts]


def are_same_values(text: str, known: str) -> bool:
    """Return whether a text says of the values of a result what another one does.

    >>> are_same_values("an integer, in EUR", "a whole number in EUR")
    True
    """
    return _parse_values(text) == _parse_values(known)


def _parse_values(text: str) -> tuple[list[str], set[str], set[tuple[str, str]]]:
    """Return the labels of values, what is said of their form, and what stands for none."""
    nothing = set()
    for found in _UNSET.finditer(text):
        reason = (found["early"] or found["late"] or found["then"]).replace(" has set", " set")
        nothing.add((found["first"] or found["last"] or found["only"], reason))
    rest = _UNSET.sub("", text)
    after = _AFTER_UNSET.match(rest)
    rest = rest[after.end() :] if after else rest
    if " if " in rest:  # it says what is so for which answer
        return [rest], set(), nothing
    form = re.sub(r'"[^"]*"', "", rest.lower())
    for pattern, words in _ALIKE:
        form = re.sub(pattern, words, form)
    said = (_COUNTS.get(word, word) for word in re.findall(r"[^\s,;.()]+", form))
    names = {word if word == "this" else word.removesuffix("s") for word in said}
    labels, names = re.findall(r'"[^"]*"', rest), names - _LINKING
    # The order of what is one of several is none; that of several entries is said.
    return (sorted(labels) if names == {"or"} else labels), names, nothing


def are_same_answers(text: str, said: Said, description: str) -> bool:
    """Return whether a line says of yes and of no what they stand for, in whatever words."""
    answers = _ANSWER.findall(reword_form(text))
    if [answer for answer, _ in answers] != ["yes", "no"]:
        return False
    yes, no = (words.strip() for _, words in answers)
    is_rest = _OTHERS.search(yes) is not None
    yes, no = _END.sub("", _OTHERS.sub("", yes)), _END.sub("", no)
    if not (yes or no or is_rest):
        return not _is_about(_find_question(text), said.no, said.yes)
    is_known = description == f"whether {said.yes}"
    is_bare = not yes or _read_case(yes) in _SO
    is_yes = is_known if is_bare else _is_case(yes, said.yes, said)
    if is_bare and _is_about(_find_question(text), said.no, said.yes):
        return False
    if (is_rest and not no) or _OTHERS.search(no) or _read_case(no) in _NOT_SO:
        is_denied = is_plain_denial(said) or is_denied_verb(said.yes, said.no)
        return is_yes and (is_known or not is_bare) and is_denied
    return is_yes and not is_rest and _is_case(no, said.no, said)


def _read_case(words: str) -> str:
    """Return the clause after "if", "" where there is none."""
    found = _CASE.fullmatch(words)
    return (found["clause"] or "") if found else ""


def _find_question(text: str) -> str:
    """Return what a line asks after "whether"."""
    found = _WHETHER.search(text)
    return found[1] if found else ""


def _is_case(words: str, clause: str, said: Said) -> bool:
    """Return whether words after an answer say what it stands for, or name what is so."""
    found = _CASE.fullmatch(words)
    if found is None:
        return False
    if found["thing"]:
        other = said.no if clause == said.yes else said.yes
        return _is_about(found["thing"], clause, other)
    return found["clause"] in _iterate_words(clause, said)


def _is_about(words: str, clause: str, other: str) -> bool:
    """Return whether words are all of one clause, and not of the other one.

    >>> _is_about("a first-class ticket", "the ticket is for first class", "the ticket is for none")
    True
    """
    meant, one, two = (
        {*re.findall(r"\w+", text.lower())} - _SMALL for text in (words, clause, other)
    )
    return bool(meant) and meant <= one and not meant <= two


def _iterate_words(clause: str, said: Said) -> Iterator[str]:
    """Yield a clause, others that say the same, and each with "it" for what both answers are of."""
    others = index_other_clauses([said.yes, said.no])
    shared = _list_shared_words(said.yes, said.no)
    for words in (clause, *(other for other, meant in others.items() if meant == clause)):
        yield words
        for place in range(2, len(shared) + 1):
            start = " ".join(shared[:place])
            if words.startswith(f"{start} "):
                yield from (f"{who}{words.removeprefix(start)}" for who in ("it", "they"))


def _list_shared_words(first: str, second: str) -> list[str]:
    """Return the words that two clauses begin with, from an article on."""
    pairs = zip(first.split(), second.split(), strict=False)
    shared = [one for one, two in takewhile(lambda pair: pair[0] == pair[1], pairs)]
    return shared if shared[:1] == ["the"] else []
