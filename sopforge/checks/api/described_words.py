"""What descriptions of tools and fields may say: no more facts than those derived from the model.

A text that is word for word the derived one is sound; another one is held against it, and against
what the same operation or field makes public: its parameters, limits, patterns and values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

from sopforge.checks.sop.sop_marks import sample_answers
from sopforge.checks.words.deciding_words import deciding_words, folded
from sopforge.checks.words.model_names import names_in, outcome_labels_in
from sopforge.checks.words.odd_characters import digits_in, odd_characters
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import (
    ANY_DAY,
    ANY_MINUTE,
    DateTimeType,
    DateType,
    NumberType,
    to_cell,
)
from sopforge.findings import Finding, error

Path: TypeAlias = tuple[str | int, ...]
LONGEST = {"summary": 200, "description": 1200}
"""So many characters a text has at most, where the derived one is not longer."""
_PLAIN_COUNTS = re.compile(
    r"zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|thrice|doubl.*|tripl.*"
)
_PERIODS = "minutes?|hours?|days?|weeks?|months?|years?|percent|per cent|points?"
_ORDER = re.compile(
    r"\b(?:call|use|run|invoke|query) (?:it|this|the tool|this tool|the service|this service)\b"
    r"[^.]*?\b(?:before|after|first|next|last|finally)\b"
    r"|\b(?:is|are|be) (?:called|used|run|invoked|queried) (?:before|after|first|next|last|only)\b"
    r"|\b(?:before|after) (?:calling|using|deciding|any other|the (?:call|decision|procedure))\b"
    r"|\b(?:first|next|last|final|earlier|later|previous|following) (?:steps?|calls?|tools?)\b"
)


@dataclass(frozen=True, slots=True)
class Description:
    """A text with its place, the derived text there, and the facts that are public there.

    ``whole`` is what it is a part of, where that is more.
    """

    place: str
    text: str
    derived: str
    facts: str
    longest: int
    item: Field | None = None
    whole: str = ""


def texts_in(document: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:  # noqa: ANN401 - parsed
    """Return the summaries and descriptions of a document by their paths, examples left out."""
    match document:
        case dict():
            for name, part in document.items():
                if name in LONGEST and isinstance(part, str):
                    yield (*path, name), part
                elif name not in {"example", "examples"}:
                    yield from texts_in(part, (*path, name))
        case list():
            for place, part in enumerate(document):
                yield from texts_in(part, (*path, place))
        case _:
            pass


def facts_of(part: Any) -> str:  # noqa: ANN401 - parsed YAML or JSON
    """Return all that a part of a derived document says, its examples left out."""
    return json.dumps(_without_examples(part), ensure_ascii=False)


def _without_examples(part: Any) -> Any:  # noqa: ANN401 - parsed YAML or JSON
    match part:
        case dict():
            kept = {n: p for n, p in part.items() if n not in {"example", "examples", "links"}}
            return {name: _without_examples(inner) for name, inner in kept.items()}
        case list():
            return [_without_examples(inner) for inner in part]
        case _:
            return part


_SAYS = {
    "described-number": (
        "has numbers that it is not to say",
        "say it without numbers; limits are said where they belong",
    ),
    "described-name": (
        "names what is not its own",
        "name what it takes and returns alone, and no answer of the procedure",
    ),
    "described-order": (
        "tells when it is called",
        "say what it does; the procedure says when it is called",
    ),
    "described-form": (
        "is no plain description",
        "write plain sentences without markup and samples, of the length allowed",
    ),
    "described-lacks": (
        "leaves out what callers need",
        "keep units, forms, limits of dates and words for nothing word for word",
    ),
}


def description_findings(
    model: DomainModel, said: Description, public: str, where: str
) -> Iterator[Finding]:
    """Report what a description adds to the derived one; ``public`` is the derived document."""
    numbers = [*_numbers(model, said), *_counts(model, said)]
    names = [*_names(model, said), *_labels(model, said, public)]
    yield from _added("described-number", numbers, said, where)
    yield from _added("described-name", names, said, where)
    yield from _added("described-order", _orders(said), said, where)
    yield from _added("described-form", _unfit(said), said, where)
    yield from _added("described-lacks", _lost(said), said, where)


def _added(code: str, found: list[str], said: Description, where: str) -> Iterator[Finding]:
    what, hint = _SAYS[code]
    if found:
        message = f"{said.place}: the text {what} ({'; '.join(dict.fromkeys(found))})"
        yield error(code, message, where=where, evidence=said.whole or said.text, hint=hint)


def _names(model: DomainModel, said: Description) -> list[str]:
    known = names_in(said.facts, model)
    return [name for name in names_in(said.text, model) if name not in known]


def _labels(model: DomainModel, said: Description, public: str) -> list[str]:
    """Return the answers of the procedure that a text names, and that no derived text does."""
    known = outcome_labels_in(public, model)
    return [label for label in outcome_labels_in(said.text, model) if label not in known]


def _numbers(model: DomainModel, said: Description) -> list[str]:
    """Return the figures of a text that its facts do not have; limits of rules by their names."""
    known = set(map(_plain, digits_in(said.facts)))
    limits = {
        _plain(to_cell(item.constant.type, item.constant.value)): f", which is {name}"
        for name, item in model.policy.items()
    }
    found = [shown for shown in digits_in(said.text) if _plain(shown) not in known]
    return [f"{shown}{limits.get(_plain(shown), '')}" for shown in found]


def _plain(number: str) -> str:
    """Return a number without marks between its thousands and zeros behind its point."""
    bare = number.replace(",", "")
    try:
        return f"{Decimal(bare).normalize():f}"
    except InvalidOperation:
        return bare


def _counts(model: DomainModel, said: Description) -> list[str]:
    """Return the numbers in words that measure something, and that the facts do not have."""
    kinds = [item.type for item in model.fields.values()]
    units = [re.escape(folded(k.unit)) for k in kinds if isinstance(k, NumberType) and k.unit]
    measured = re.compile(rf"\b(?:\w+ )?(?:{'|'.join([_PERIODS, *units])})(?!\w)")
    text, known = folded(said.text), deciding_words(said.facts, "number")
    found = []
    for words in deciding_words(said.text, "number"):
        is_plain = _PLAIN_COUNTS.fullmatch(words) is not None
        behind = text.partition(words)[2].lstrip()
        if words not in known and not (is_plain and measured.match(behind) is None):
            found.append(words)
    return found


def _orders(said: Description) -> list[str]:
    known = _ORDER.findall(folded(said.facts))
    return [words for words in _ORDER.findall(folded(said.text)) if words not in known]


def _unfit(said: Description) -> list[str]:
    """Return what makes a text no plain description."""
    if not _says_something(said):
        return ["it is empty"]
    most = max(said.longest, len(said.derived))
    long = [f"{len(said.text)} characters, {most} at most"] if len(said.text) > most else []
    samples = [item for item in sample_answers(said.text) if item not in said.derived]
    return [*long, *odd_characters(said.text), *samples]


def _says_something(said: Description) -> bool:
    return re.search(r"\w", said.text) is not None


def _lost(said: Description) -> list[str]:
    """Return the unit, form, limits and words for nothing that the derived text has alone."""
    if said.item is None or not _says_something(said):
        return []
    kept = [words for words in _needed(said.item) if words in said.derived]
    return [words for words in kept if words not in said.text]


def _needed(item: Field) -> Iterator[str]:
    kind = item.type
    yield from filter(None, (item.missing, getattr(kind, "empty", ""), getattr(kind, "unit", "")))
    if isinstance(kind, DateType | DateTimeType):
        yield "year-month-day"
        if kind not in {ANY_DAY, ANY_MINUTE}:
            yield from (to_cell(kind, bound) for bound in (kind.minimum, kind.maximum))


def at(document: Any, path: Path) -> Any:  # noqa: ANN401 - parsed YAML or JSON
    """Return what stands at a path of a document, None where there is nothing."""
    for step in path:
        try:
            document = document[step]
        except (LookupError, TypeError):
            return None
    return document
