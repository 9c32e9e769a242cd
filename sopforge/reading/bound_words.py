"""What bounds a value or opens a list, in other words: "capped at 90 EUR", "all three hold".

Bounds stand at the end of a formula, and bound all that stands before them. Fields have their marks
in the text by then.
"""

from __future__ import annotations

import re
from dataclasses import replace

from sopforge.reading.sop_passages import Passage
from sopforge.rendering.sop import frames

_FORMULAS = (
    re.compile(
        "(?P<head>(?:Calculate the \ue000\\d+\ue001 \\(\\w+\\)|The \ue000\\d+\ue001)"
        "(?:, in [^:,;]+)?: )"
        '(?P<value>[^"]+)(?P<end>\\.)'
    ),
    # A line of a list of cases, and a rule that names its field.
    re.compile('(?P<head>(?:if [^:;]+|otherwise): )(?P<value>[^":;]+)(?P<end>[.;])'),
    re.compile(
        "(?P<head>(?:(?:If|Where|When|In|Otherwise)\\b.*, t|T)he \ue000\\d+\ue001 (?:is|are) )"
        '(?P<value>(?:the \ue000|\\d|\\()[^":;]+)(?P<end>\\.)'
    ),
)
_MORE = "more|higher|greater|larger"
_LESS = "less|lower|smaller"
_MOST = (
    r"(?:capped at|limited to|restricted to|(?:with |subject to )?(?:a maximum|a cap|a ceiling"
    r"|an upper limit|a limit) of|up to(?: a maximum of| a limit of)?|to a maximum of"
    rf"|(?:never|not) (?:exceeding|above|over|to exceed|(?:{_MORE}) than)|no (?:{_MORE}) than"
    r"|at(?: the)? most|(?:must|may|can|shall) not exceed|does not exceed|never exceeds)"
)
_LEAST = (
    r"(?:(?:with |subject to )?(?:a minimum|a floor|a lower limit) of|at(?: the)? least"
    rf"|(?:never|not) (?:below|under|falling below|to fall below|(?:{_LESS}) than)"
    rf"|no (?:{_LESS}) than|raised to at least|floored at"
    r"|(?:must|may|can|shall) not (?:fall|be) below|does not fall below|never falls below)"
)
_JOINT = (
    r"(?:, and|, but|, with|, then|;|,| and| but| with| then)?"
    r"(?: it is| the result is| is| it| which)? (?:then )?"
)
_OPERAND = "(?:-?\\d[\\d.]*(?: [^ ,;.()]+)?|the \ue000\\d+\ue001)"
_ONE = rf"{_JOINT}(?:(?:{_MOST}|{_LEAST}) {_OPERAND}(?: at (?:the )?(?:most|least))?)"
_BOUNDED = re.compile(rf"(?P<value>.+?)(?P<bounds>(?:{_ONE})+)")
_BOUND = re.compile(rf"{_JOINT}(?:(?P<most>{_MOST})|(?P<least>{_LEAST})) (?P<limit>{_OPERAND})")
_NEGATIVE = re.compile(
    r",? (?:or|but) 0(?P<unit>(?: [^ ,;.()]+)?),? (?:if|where|when) (?:it|this|that|the (?:result"
    r"|difference|value|amount)) (?:is|would be) (?:negative|below 0|less than 0)(?P=unit)?"
)
_WHICHEVER = re.compile(
    rf"^(?P<value>(?:(?! or ).)+), or (?P<limit>{_OPERAND}), whichever is (?:the )?"
    rf"(?:(?P<most>{_LESS}|lesser)|(?P<least>{_MORE}))(?: (?:amount|number|value))?$"
)
_UNBRACKETED = re.compile(
    r".+(?:, rounded to (?:a whole number|\d decimal places?)| divided by .+)"
)
_CHOICE = re.compile(r" (?:if|where|when|unless) |, otherwise ")


def reword_bounds(text: str) -> str:
    """Return a formula with its bounds in the words of the rules; other texts as they are."""
    found = next((hit for form in _FORMULAS if (hit := form.fullmatch(text))), None)
    if found is None:
        return text
    value = _NEGATIVE.sub(r", but at least 0\g<unit>", found["value"])
    value = _WHICHEVER.sub(_say_whichever, value)
    bounded = _BOUNDED.fullmatch(value)
    if bounded is None or _CHOICE.search(bounded["value"]):
        return text
    bounds = [
        f"{'at most' if bound['most'] else 'at least'} {bound['limit']}"
        for bound in _BOUND.finditer(bounded["bounds"])
    ]
    inner = bounded["value"]
    if _UNBRACKETED.fullmatch(inner) and not _is_bracketed(inner):
        inner = f"({inner})"
    return f"{found['head']}{inner}, but {' and '.join(bounds)}{found['end']}"


def _say_whichever(found: re.Match[str]) -> str:
    """Return a value with the bound that the smaller or larger of both gives it."""
    return f"{found['value']}, but {'at most' if found['most'] else 'at least'} {found['limit']}"


def _is_bracketed(words: str) -> bool:
    """Return whether one pair of brackets holds all words."""
    depth = 0
    for place, letter in enumerate(words):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return place == len(words) - 1
    return False


_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNT = rf"(?:{'|'.join(_COUNTS)}|\d+)"
_NOUN = "(?:conditions|facts|points|cases|criteria|statements|requirements)"
_HOLD = (
    r"(?:holds?|appl(?:y|ies)|(?:is|are) (?:all )?(?:true|met|fulfilled|satisfied|given|so)"
    r"|(?:is|are) the case)"
)
_THESE = "(?:these|the following|those below|those listed below|the ones below)"
_BELOW = "(?:below|listed below|that follow)"
_COUNTED = (
    rf"(?: (?P<a>{_COUNT}))? of (?:{_THESE}(?: (?P<b>{_COUNT}))?(?: {_NOUN})?"
    rf"|the(?: (?P<c>{_COUNT}))? {_NOUN} {_BELOW}) {_HOLD}"
)
_OF_TWO = rf"of {_THESE}(?: two)?(?: {_NOUN})? {_HOLD}"
_NAMED = rf"(?<!of ){_THESE}(?: (?P<d>{_COUNT}))? {_NOUN} (?:all )?{_HOLD}"
_ALL = rf"(?:all|each|every one){_COUNTED}|(?P<both>both) {_OF_TWO}|{_NAMED}"
_ANY = rf"(?:any|at least one|one or more|any one){_COUNTED}|(?P<both>either) {_OF_TWO}"
_OPENINGS = ((_ALL, True), (_ANY, False))
_IN_CASES = re.compile(
    r"\bin (?:any|either|each)(?: one)? of (?:these|the following)"
    rf"(?: (?P<a>{_COUNT}))? cases(?=[,:])"
)
_LETTERS = re.compile(r"\(([a-z]{1,2})\) ")
_END = re.compile(r"(?:;|,)? (?P<joint>and|or)$|[;,.]$|$")
_LINK = re.compile(r"; (?P<joint>and|or) (?=\([a-z]{1,2}\) )")


def name_list(passage: Passage) -> Passage:
    """Return a passage whose list of conditions is opened as rules open one.

    A number of conditions is that of the list, and "and" or "or" before the last of them fits its
    opening: others stay as they are.
    """
    if passage.items:
        return _name_items(passage)
    items = [_name_lettered(item) for item in passage.items]
    return replace(passage, text=_name_lettered(passage.text), items=items)


def _name_items(passage: Passage) -> Passage:
    """Return a passage with the list of conditions below it."""
    inner = [_name_lettered(item) for item in passage.items]
    cases = _IN_CASES.search(passage.text)
    if cases is not None and _is_count(cases, len(inner)):
        text = _IN_CASES.sub(f"if {frames.ANY_HOLDS}", passage.text, count=1)
        passage = replace(passage, text=text)
    for opening, is_all in _OPENINGS:
        found = re.search(rf"\b(?:{opening})(?=[,:;])", passage.text)
        if found is None or not _is_count(found, len(inner)) or not passage.text.endswith(":"):
            continue
        ends = [_END.search(item) for item in inner]
        joints = {end["joint"] for end in ends if end and end["joint"]}
        if joints <= {"and" if is_all else "or"}:
            bare = [_END.sub("", item, count=1) for item in inner]
            said = frames.ALL_HOLD if is_all else frames.ANY_HOLDS
            text = f"{passage.text[: found.start()]}{said}{passage.text[found.end() :]}"
            items = [*(f"{item};" for item in bare[:-1]), f"{bare[-1]}."]
            return replace(passage, text=text, items=items)
    return replace(passage, items=inner)


def _name_lettered(text: str) -> str:
    """Return a text with the list "(a) one; (b) another" in it opened as rules open one."""
    for opening, is_all in _OPENINGS:
        found = re.search(rf"\b(?:{opening})(?=: \(a\) )", text)
        if found is None or not _is_count(found, len(_LETTERS.findall(text, found.end()))):
            continue
        rest = text[found.end() :]
        if {joint["joint"] for joint in _LINK.finditer(rest)} <= {"and" if is_all else "or"}:
            said = "all of these hold" if is_all else "at least one of these holds"
            return f"{text[: found.start()]}{said}{_LINK.sub('; ', rest)}"
    return text


def _is_count(found: re.Match[str], number: int) -> bool:
    """Return whether the opening of a list counts its conditions, if it does, as they are."""
    words = [words for name, words in found.groupdict().items() if words]
    counts = [2 if word in {"both", "either"} else _read_count(word) for word in words]
    return all(count == number for count in counts)


def _read_count(word: str) -> int:
    return _COUNTS.index(word) + 2 if word in _COUNTS else int(word)
