"""Lines that a person worded anew and no check can read: a language model says what they say.

The reader gets each line with several statements: the derived lines in whose place it may be, and
statements that differ from these in a word. It does not know which is the procedure's. A line is
read as a derived line only if two readings, each with the statements in another order, choose it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from sopforge.authors.writers.repair import AskAll
from sopforge.language.domain.model import DomainModel
from sopforge.language.english.prose.guards import compare_guards
from sopforge.seeds import permute_items

TEMPLATE = "edited_lines"
_TOGETHER = 12
"""So many lines are asked about in one question."""
_MOST_WRONG = 4
_ENUMERATED = re.compile(r'"(?:,| or| and| nor) "')
"""Between labels whose order says nothing."""
_CONTRARIES: tuple[tuple[str, str], ...] = (
    ("at least", "more than"),
    ("exceeds", "is at least"),
    ("exceed", "are at least"),
    ("more than", "at least"),
    ("at most", "less than"),
    ("less than", "at most"),
    ("is not", "is"),
    ("do not", "do"),
    ("never", "always"),
    ("before", "after"),
    ("after", "before"),
    ("until", "from"),
    ("only", "also"),
    ("any", "all"),
    ("all", "some"),
    ("must", "may"),
    ("may", "must"),
    ("first", "last"),
    ("last", "first"),
    ("highest", "lowest"),
    ("lowest", "highest"),
    ("maximum", "minimum"),
    ("minimum", "maximum"),
    ("and", "or"),
    ("or", "and"),
    ("if", "unless"),
    ("is(?! not)", "is not"),
    ("are(?! not)", "are not"),
    ("the", "another"),
)
"""Words that stand for each other in wrong statements, those that are missed most easily first."""


@dataclass(frozen=True, slots=True)
class AskedLine:
    """A line in a person's words, the heading above it, and the derived lines it may be."""

    text: str
    heading: str
    meant: tuple[str, ...]
    others: tuple[str, ...] = ()
    """Lines like these that say something else."""


def read_edited_lines(
    ask_all: AskAll, model: DomainModel, lines: Sequence[AskedLine]
) -> dict[str, str]:
    """Return for each line, as far as both readings agree, the derived line that it says."""
    asked = [line for line in lines if _list_possible(line)]
    groups = [asked[start : start + _TOGETHER] for start in range(0, len(asked), _TOGETHER)]
    rounds = [(group, seed) for group in groups for seed in (1, 2)]
    answers = ask_all([(TEMPLATE, _build_values(model, *item)) for item in rounds])
    votes = [
        _read_answer(group, seed, answer)
        for (group, seed), answer in zip(rounds, answers, strict=True)
    ]
    found: dict[str, str] = {}
    for first, second in zip(votes[::2], votes[1::2], strict=True):
        found |= {text: said for text, said in first.items() if second.get(text) == said}
    return found


def _list_possible(line: AskedLine) -> list[str]:
    """Return the derived lines that have the labels, figures and relations of a line."""
    return [text for text in line.meant if not compare_guards(text, line.text)]


def _build_values(model: DomainModel, lines: Sequence[AskedLine], seed: int) -> dict[str, object]:
    fields = [{"name": item.name, "label": item.label} for item in model.fields.values()]
    sentences = [
        {
            "id": f"S{number}",
            "heading": line.heading,
            "sentence": line.text,
            "statements": [
                {"id": letter, "text": text} for letter, text in _list_statements(line, seed)
            ],
        }
        for number, line in enumerate(lines, start=1)
    ]
    return {"title": model.title, "fields": fields, "sentences": sentences}


def _list_statements(line: AskedLine, seed: int) -> list[tuple[str, str]]:
    """Return the derived lines and the wrong statements, with letters, in an order of their own."""
    possible = _list_possible(line)
    wrong = [text for known in possible for text in _iterate_wrong(known)]
    texts = list(dict.fromkeys([*possible, *wrong, *line.others]))[: len(ascii_lowercase)]
    return list(zip(ascii_lowercase, permute_items(texts, seed, line.text), strict=False))


def _iterate_wrong(text: str) -> Iterator[str]:
    """Yield statements that differ from a text in a word that decides."""
    count = 0
    labels = list(dict.fromkeys(re.findall(r'"[^"]*"', text)))
    if len(labels) > 1 and not _ENUMERATED.search(text):
        swapped = {labels[0]: labels[1], labels[1]: labels[0]}
        yield re.sub(r'"[^"]*"', lambda found: swapped.get(found[0], found[0]), text)
    for word, other in _CONTRARIES:
        changed = re.sub(rf'(?<![\w"-]){word}(?![\w"-])', other, text, count=1)
        if changed != text and count < _MOST_WRONG:
            count += 1
            yield changed


def _read_answer(
    lines: Sequence[AskedLine], seed: int, answer: Mapping[str, Any]
) -> dict[str, str]:
    """Return the derived line that each line was read as; wrong statements are no reading.

    Nor is what is answered of no line, or of one line twice.
    """
    known = {f"S{number}": line for number, line in enumerate(lines, start=1)}
    times = Counter(item["id"] for item in answer["sentences"])
    found = {}
    for item in answer["sentences"]:
        line = known.get(item["id"])
        if line is None or times[item["id"]] > 1 or item["differs"].strip():
            continue
        said = dict(_list_statements(line, seed)).get(item["says"])
        if said in _list_possible(line):
            found[line.text] = said
    return found
