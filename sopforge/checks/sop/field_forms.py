"""What a line on a field says after the description: its form and its words for none, no more.

A line can be worded anew, so what it says is compared by its words: each is one of the words that
the model's line has, or one with which forms are described.
"""

from __future__ import annotations

import re
from collections import Counter

from sopforge.domain.fields import Field
from sopforge.reading.field_line_words import WELL_FORMED, reword_form
from sopforge.rendering.sop.sections.fields import (
    list_explained_labels,
    phrase_answer_clauses,
    phrase_answers,
    phrase_asked_answers,
    render_definition,
    render_entry,
)

_OF_FORMS = frozenset(
    re.findall(
        r"\S+",
        "a also an and any are as at be by can case comma commas date day decimal decimals"
        " each either else entries entry figure for form format given if in integer is it list"
        " listed may means month no none nothing number of one or otherwise place places"
        " semicolon semicolons separated set shown stands text that the them there these this"
        " time to value values when where which whole with written year year-month-day yes",
    )
)
"""Words with which any form is described, and what stands where there is no value."""
_NOTHING = frozenset({"empty", "missing", "no", "none", "nothing"})
_TURNING = frozenset({"all", "but", "except", "never", "not", "only", "unless", "without"})
_TURNED = re.compile(r"\bif there (?:is|are) (?!no\b|none\b|nothing\b)|\bnone of\b")
_QUOTED = re.compile(r'"[^"]*"')


def has_more_than_form(item: Field, text: str) -> bool:
    """Return whether what follows the description in a line has words that no form has."""
    known, text = " ".join(item.description.split()), text.partition(": ")[2]
    if item.said is not None:
        answers = _find_answers(item, text)
        if not answers:
            return False  # other words for the answers are compared by themselves
        text = text.replace(answers, "")
    if item.malformed:
        text = WELL_FORMED.sub("", reword_form(text))  # its parts are compared one by one
    tail = _cut_description(text, known)
    lines = [
        render_entry(item),
        *(render_definition(item, may_be_none=may) for may in (False, True)),
    ]
    model = [_count_words(line.text) for line in lines]
    words = _count_words(tail)
    allowed = _OF_FORMS.union(*model)
    return (
        not allowed.issuperset(words)
        or _TURNED.search(_QUOTED.sub("", tail)) is not None
        or _count(words, _NOTHING) > max(1, *(_count(counts, _NOTHING) for counts in model))
        or any(words[word] > max(counts[word] for counts in model) for word in _TURNING)
    )


def has_other_clauses(item: Field, text: str) -> bool:
    """Return whether a line explains a label by a clause that stands for another one."""
    labels = list_explained_labels(item, getattr(item.type, "values", ()))
    return any(text.count(f"({words.said.yes})") > 1 for words in labels) or any(
        f'"{words.label}" ({words.said.yes})' not in text for words in labels
    )


def _find_answers(item: Field, text: str) -> str:
    """Return what a line says of yes and no in the words of the model, "" for other words."""
    if item.said is None:
        return ""
    known = phrase_answer_clauses(item.said), phrase_answers(item.said), phrase_asked_answers(item)
    return next((words for words in known if words and words in text), "")


def _cut_description(text: str, known: str) -> str:
    """Return what follows the description in a line, which may be in other words."""
    _, found, after = text.partition(known)
    return after if found else ";".join(text.split(";")[known.count(";") + 1 :])


def _count_words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[^\W\d][\w'-]*", _QUOTED.sub("", text).lower()))


def _count(words: Counter[str], some: frozenset[str]) -> int:
    return sum(words[word] for word in some)
