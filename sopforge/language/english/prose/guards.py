"""What a sentence keeps however it is worded: figures, units, labels, names, relations, denials.

No grammar is needed to see that one of them has changed. What stays the same may still mean
something else; that is for those to say who read it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from sopforge.language.english.nouns import trim_zeros
from sopforge.morphology import singularize_unit

_QUOTED = re.compile(r'"[^"]*"|[“”«»„][^“”«»„]*[“”«»]')
_REFERENCE = re.compile(r"\b(?:step|section)s? \d+(?:\.\d+)?(?: \([^)]*\))?|\b\d+\.\d+(?= \([A-Z])")
_TITLED = re.compile(r"\b(\d+(?:\.\d+)?) \(([A-Z][^)]*)\)")
_NAME = re.compile(r"\b\w*_\w+\b|\b[a-z]+[A-Z]\w*\b")
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d(?: \d\d:\d\d)?\b")
_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty",
)  # fmt: skip
_FIGURES = {
    **{word: str(figure) for figure, word in enumerate(_WORDS)},
    "once": "1", "twice": "2", "double": "2", "triple": "3", "half": "0.5", "thirty": "30",
    "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
    "hundred": "100",
}  # fmt: skip
_NUMBER = re.compile(
    r"(?<![\w.])(?P<figure>-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|"
    rf"(?:{'|'.join(_FIGURES)})\b)"
    r"(?:[ -](?P<unit>[^\W\d_]+|[%°]\w*))?",
    re.IGNORECASE,
)
_SMALL = frozenset({
    "of", "or", "and", "in", "if", "is", "are", "for", "to", "the", "a", "an", "from", "by", "as",
    "at", "before", "after", "times", "that", "plus", "minus", "divided", "divide", "multiplied",
    "multiply",
})  # fmt: skip
"""Words after a figure that are no unit."""
_MORE = "more|greater|larger|higher|longer|older|later|further"
_LESS = "less|fewer|smaller|lower|shorter|younger|earlier|sooner"
_SYMBOLS = {">=": "≥|>=", "<=": "≤|<=", ">": ">", "<": "<"}
_RELATIONS: Mapping[str, re.Pattern[str]] = {
    sign: re.compile(rf"{_SYMBOLS[sign]}|\b(?:{'|'.join(words)})\b", re.IGNORECASE)
    for sign, words in {
        ">=": (
            r"at (?:the )?(?:very )?least", rf"(?:no|not|never|n't) (?:{_LESS}) than",
            rf"or (?:{_MORE}|above|over)",
            "on or after", "at the earliest", "(?:a )?minimum(?: of)?", "not before", "not below",
            "not under", "reach(?:es)?",
        ),
        "<=": (
            r"at (?:the )?(?:very )?most", rf"(?:no|not|never|n't) (?:{_MORE}) than",
            rf"or (?:{_LESS}|below|under)",
            "on or before", "at the latest", "(?:a )?maximum(?: of)?", "not after", "not above",
            "not over", "up to", "until", "within", "(?:does|do)(?: not|n't) exceed",
        ),
        ">": (
            f"(?:{_MORE}) than", "exceeds?", "exceeding", "above", "over", "after", "past",
            "beyond",
        ),
        "<": (f"(?:{_LESS}) than", "below", "under", "before", "short of"),
    }.items()
}  # fmt: skip
_NEXT = re.compile(
    r"\s+(?:the (?:day|date|time|moment) (?:that|which) (?:is|lies|falls|comes)\s+)?"
    rf"(?:[^\W\d]+\s+){{0,2}}?(?:{_DAY.pattern}|{_NUMBER.pattern})",
    re.IGNORECASE,
)
"""The figure of a relation: "less than 5 days after", "before the day that is 5 days after"."""
_LAST = re.compile(rf"(?:{_NUMBER.pattern})\s*$", re.IGNORECASE)
_MEASURE = re.compile(
    r"(?:day|week|month|year|hour|minute|second|percent|point|dozen|thousand|million|billion|[mck]?m"
    r"|[mk]?g|[mc]?l|[A-Z]{3}|[%°]\w*)"
)
_ONE = re.compile(r"\b(?:an?|another) (?P<unit>second|minute|hour|day|week|month|year|dozen)\b")
_MIRRORED = {">=": "<=", "<=": ">=", ">": "<", "<": ">"}
_TYPED = str.maketrans("\u2018\u2019\u2212\u2013\u2010\u2011", "''----")
_NOT = re.compile(r"(?:\bnot|n't) $", re.IGNORECASE)
_NEAR = 40
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_WORD = re.compile(r"[a-z]+")
_PAIRS = (
    ("first", "last"), ("any", "all"), ("plus", "minus"), ("larger", "smaller"),
    ("largest", "smallest"), ("higher", "lower"), ("highest", "lowest"), ("earlier", "later"),
    ("earliest", "latest"), ("longest", "shortest"), ("most", "least"), ("add", "subtract"),
    ("added", "subtracted"), ("up", "down"), ("include", "exclude"), ("includes", "excludes"),
    ("before", "after"), ("always", "never"), ("with", "without"), ("open", "closed"),
)  # fmt: skip
_OPPOSITES = {**dict(_PAIRS), **{second: first for first, second in _PAIRS}}
_DENIAL = re.compile(
    r"\b(?:not|no|none|neither|nor|never|nobody|nothing|cannot|without|unless|except|lacks?|fails?"
    r"|other than|anything but|differs?|outside|besides|excluding|apart from|instead of"
    r"|rather than)\b|n't\b|≠|!=",
    re.IGNORECASE,
)


def compare_guards(before: str, after: str) -> list[str]:
    """Return what one sentence has and another one in its place has not, in words.

    >>> compare_guards("It is at least 5 days old.", "It is more than 5 days old.")
    ['relations: >= 5 became > 5']
    """
    found, before, after = [], _replace_marks(before), _replace_marks(after)
    for what, collect in _GUARDS.items():
        old, new = collect(before), collect(after)
        is_turned = what == "relations" and _are_turned_round(before, after)
        if what == "relations" and old == new and not is_turned:
            found.append("relations: the sides of a comparison are exchanged")
        elif not is_turned and not _ARE_ALIKE.get(what, set.__eq__)(old, new):
            found.append(f"{what}: {_show(old - new)} became {_show(new - old)}")
    return found


def _replace_marks(text: str) -> str:
    """Return a text with the apostrophes and dashes of a keyboard."""
    return text.translate(_TYPED)


def _have_same_units(old: set[str], new: set[str]) -> bool:
    """Return whether no unit became another one, and no measure came or went.

    What is counted may stand elsewhere in other words: "at least 2 complaints", "two or more were".
    """
    gone, come = old - new, new - old
    return not (gone and come) and not any(map(_MEASURE.fullmatch, gone | come))


def _have_same_references(old: set[str], new: set[str]) -> bool:
    """Return whether both have the same numbers, and no title became another one."""
    titles, others = ({x for x in found if x.endswith(")")} for found in (old, new))
    is_other = bool(titles - others) and bool(others - titles)
    return old - titles == new - others and not is_other


def _are_turned_round(before: str, after: str) -> bool:
    """Return whether relations are others for their sides are: "a is after b", "b is before a"."""
    old, new = ({x for x in _collect_relations(text) if " " in x} for text in (before, after))
    left, right = _list_sides(before), _list_sides(after)
    if old != new or len(left) != len(right):
        return False
    for sign, first, second in left:
        fitting = (
            item
            for item in right
            if (item[0] == sign and not _are_exchanged((first, second), item[1:]))
            or (item[0] == _MIRRORED[sign] and (first & item[2] or second & item[1]))
        )
        found = next(fitting, None)
        if found is None:
            return False
        right.remove(found)
    return True


def _are_exchanged(old: tuple[frozenset[str], ...], new: tuple[frozenset[str], ...]) -> bool:
    """Return whether each side has words that the other one had alone."""
    both = old[0] & old[1]
    first, second, left, right = (side - both for side in (*old, *new))
    return bool(first & right and second & left) and not (first & left or second & right)


def _list_sides(text: str) -> list[tuple[str, frozenset[str], frozenset[str]]]:
    """Return the relations that are to no figure, each with the words before and after it."""
    found, rest = [], _hide_labels(text)
    for sign, pattern in _RELATIONS.items():
        for match in pattern.finditer(rest):
            if _find_figure(rest, match) is None:
                sides = rest[: match.start()][-_NEAR:], rest[match.end() :][:_NEAR]
                first, second = (frozenset(_LONG_WORD.findall(side)) for side in sides)
                found.append((sign, first, second))
        rest = pattern.sub(lambda match: " " * len(match[0]), rest)
    return found


def _show(items: set[str]) -> str:
    return ", ".join(sorted(items)) or "nothing"


def _collect_labels(text: str) -> set[str]:
    return {found[1:-1].strip(".,") for found in _QUOTED.findall(text)}


def _collect_references(text: str) -> set[str]:
    """Return the numbers of steps and sections, and those with a title once more with it."""
    bare = _hide_labels(text)
    numbers = {x for found in _REFERENCE.findall(bare) for x in re.findall(r"\d+(?:\.\d+)?", found)}
    titled = {f"{number} ({title})" for number, title in _TITLED.findall(bare) if number in numbers}
    return numbers | titled


def _collect_names(text: str) -> set[str]:
    return set(_NAME.findall(_hide_labels(text)))


def _collect_figures(text: str) -> set[str]:
    bare = _REFERENCE.sub("", _NAME.sub("", _hide_labels(text)))
    days = set(_DAY.findall(bare))
    return days | {_read_figure(x["figure"]) for x in _NUMBER.finditer(_DAY.sub("", bare))}


def _collect_units(text: str) -> set[str]:
    bare = _DAY.sub("", _REFERENCE.sub("", _NAME.sub("", _hide_labels(text))))
    found = (*_NUMBER.finditer(bare), *_ONE.finditer(bare))
    units = (x["unit"] for x in found if x["unit"])
    return {singularize_unit(unit) for unit in units if unit.lower() not in _SMALL}


def _find_figure(text: str, relation: re.Match[str]) -> re.Match[str] | None:
    """Return the figure that a relation is to, before or after it, if it is to one."""
    is_before = relation[0].lower().startswith(("or ", "at the "))
    before = _LAST.search(text[: relation.start()]) if is_before else None
    return before or _NEXT.match(text[relation.end() :])


def _collect_relations(text: str) -> set[str]:
    """Return the relations of a text, those to a figure with it."""
    found, rest = set(), _hide_labels(text)
    for sign, pattern in _RELATIONS.items():
        for match in pattern.finditer(rest):
            figure = _find_figure(rest, match)
            named = figure and (figure["figure"] or figure[0].split()[-1])
            denied = "not " if _NOT.search(rest[: match.start()]) else ""
            found.add(f"{denied}{sign} {_read_figure(named)}" if named else f"{denied}{sign}")
        rest = pattern.sub("", rest)
    return found


def _collect_denials(text: str) -> set[str]:
    rest = _hide_labels(text)
    for pattern in _RELATIONS.values():
        rest = pattern.sub("", rest)
    return {"a denial"} if _DENIAL.search(rest) else set()


def _collect_opposites(text: str) -> set[str]:
    """Return the words of a text that have an opposite, but for those of relations."""
    rest = _hide_labels(text).lower()
    for pattern in _RELATIONS.values():
        rest = pattern.sub("", rest)
    return set(_WORD.findall(rest)) & _OPPOSITES.keys()


def _have_no_opposite(old: set[str], new: set[str]) -> bool:
    """Return whether no word became its opposite; one may go, or come, in other words."""
    return not any(_OPPOSITES[word] in new - old for word in old - new)


def _hide_labels(text: str) -> str:
    return _QUOTED.sub('""', text)


def _read_figure(text: str) -> str:
    return _FIGURES.get(text.lower()) or trim_zeros(text.replace(",", ""))


_GUARDS: Mapping[str, Callable[[str], set[str]]] = {
    "figures": _collect_figures,
    "units": _collect_units,
    "labels": _collect_labels,
    "names": _collect_names,
    "references": _collect_references,
    "relations": _collect_relations,
    "opposites": _collect_opposites,
    "denials": _collect_denials,
}
_ARE_ALIKE: Mapping[str, Callable[[set[str], set[str]], bool]] = {
    "units": _have_same_units,
    "references": _have_same_references,
    "opposites": _have_no_opposite,
}
"""How sets of a kind are compared that need not be equal."""
