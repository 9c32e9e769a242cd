"""Periods in English prose that measure nothing: rates, vague spans, and days as such.

"Within a day", "after a week" and "a day late" are bounds, as good as a figure. "Several times a
day", "a day or two" and "a day when the shop is closed" are none. A period is counted unless its
neighbours show that it is loose; where something beside a span bounds it, that prevails.
"""

from __future__ import annotations

import re

_UNIT = r"(?:minute|hour|day|week|fortnight|month|quarter|year|decade)\b"
_KIND = "(?:full |whole |calendar |working |business |single )?"
_ONE = rf"an? {_KIND}{_UNIT}"

# How often or how much: what stands before a period is counted, the period is not.
_OFTEN = "(?<!only )(?<!exactly )(?<!just )(?<!than )(?<!most )(?<!least )(?:once|twice)"
_SO_MANY = (
    r"(?:many|several|few|some|countless|numerous|dozens of|hundreds of|thousands of|number of"
    r"|lots of|plenty of)(?: [\w'-]+){1,3}"
)
_SO_MUCH = "(?:so much|how much|too much|as much|much|so little|as often|how often|often|times)"
_RATE = rf"(?P<rate>{_OFTEN}|{_SO_MANY}|{_SO_MUCH})(?P<link> in)? {_ONE}"

# What makes a bound of a span that stands beside it.
_BOUND_BEFORE = (
    r"(?<!within )(?<!after )(?<!before )(?<!by )(?<!until )(?<!till )(?<!than )(?<!over )"
    r"(?<!under )(?<!beyond )(?<!past )(?<!up to )(?<!least )(?<!most )(?<!exactly )(?<!inside )"
    r"(?<!in )(?<!for )(?<!only )(?<!every )"
)
_BOUND_AFTER = (
    r"(?! (?:too )?(?:late|later|early|earlier|ago|after|before|overdue|old|older|past|longer|less"
    r"|beyond|ahead|from|prior|notice|sooner)\b)(?! in (?:advance|arrears)\b)(?! of grace\b)"
    r"(?! at (?:the )?(?:latest|earliest|most|least)\b)(?!')(?! or (?:more|less|longer|later)\b)"
)
_HEDGE = r"(?:often |usually |easily |sometimes |about |around |roughly |almost |nearly |perhaps )"
_LASTING = "(?:takes?|took|taking|taken|spends?|spent|saves?|costs?|loses?|lost)"
_SPANS = (
    rf"{_BOUND_BEFORE}{_ONE} or (?:two|so){_BOUND_AFTER}",
    rf"(?P<verb>{_LASTING}) (?P<hedge>{_HEDGE}*){_ONE}(?! or ){_BOUND_AFTER}",
)

# A day, week or year as such, of which something is said.
_SUCH = (
    rf"(?P<such>on|such|during|throughout|many|what|at) {_ONE}{_BOUND_AFTER}",
    (
        r"(?P<part>(?:course|end|start|beginning|middle|rest|parts?|most|rhythm|peak|hours) of)"
        rf" {_ONE}(?! or ){_BOUND_AFTER}"
    ),
    (
        rf"{_BOUND_BEFORE}{_ONE} (?=(?:when|off|out|like|with|without|full of|at a time|at the"
        r"|on which|in which|that (?:is|was|has))\b)"
    ),
    rf"(?P<other>on|at|in) another {_KIND}{_UNIT}{_BOUND_AFTER}",
    rf"from (?:one|a) {_UNIT} to (?:the next|another)",
    rf"an? {_UNIT}'s (?=(?:work|business|trade|takings|travel|journey)\b)",
)
_LOOSE = tuple(re.compile(rf"(?<!\w){pattern}") for pattern in (_RATE, *_SPANS, *_SUCH))


def drop_loose_periods(text: str) -> str:
    """Return a folded text without the periods in it that measure nothing.

    >>> drop_loose_periods("rounds are made several times a day")
    'rounds are made several times'
    >>> drop_loose_periods("a claim comes in a day late")
    'a claim comes in a day late'
    """
    for pattern in _LOOSE:
        text = pattern.sub(_keep_named_parts, text)
    return " ".join(text.split())


def _keep_named_parts(found: re.Match[str]) -> str:
    """Return what stands beside a loose period: a count in a rate is still one."""
    return " ".join(part for part in found.groupdict().values() if part)
