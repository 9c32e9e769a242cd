"""Bounds of a value in other words: "capped at 90 EUR", "never below 0 EUR".

They stand at the end of a formula, and bound all that stands before them. Fields have their marks
in the text by then.
"""

from __future__ import annotations

import re

_FORMULA = re.compile(
    "(?P<head>(?:Calculate the \ue000\\d+\ue001 \\(\\w+\\)|The \ue000\\d+\ue001)"
    "(?:, in [^:,;]+)?: )"
    '(?P<value>[^"]+)\\.'
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
_UNBRACKETED = re.compile(
    r".+(?:, rounded to (?:a whole number|\d decimal places?)| divided by .+)"
)
_CHOICE = re.compile(r" (?:if|where|when|unless) |, otherwise ")


def reword_bounds(text: str) -> str:
    """Return a formula with its bounds in the words of the rules; other texts as they are."""
    found = _FORMULA.fullmatch(text)
    if found is None:
        return text
    value = _NEGATIVE.sub(r", but at least 0\g<unit>", found["value"])
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
    return f"{found['head']}{inner}, but {' and '.join(bounds)}."


def _is_bracketed(words: str) -> bool:
    """Return whether one pair of brackets holds all words."""
    depth = 0
    for place, letter in enumerate(words):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return place == len(words) - 1
    return False
