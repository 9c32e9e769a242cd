"""What descriptions of tools and fields may say: no more facts than those derived from the model.

A text that is word for word the derived one is sound; another one is compared with it, and with
what the same operation or field makes public: its parameters, limits, patterns and values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, TypeAlias

from sopforge.checks.api.refusal_claims import find_false_refusals
from sopforge.checks.sop.sop_marks import find_sample_answers
from sopforge.checks.words.bans import Ban, check_bans
from sopforge.checks.words.deciding_words import find_deciding_words, fold_text
from sopforge.checks.words.model_names import find_names, find_outcome_labels
from sopforge.checks.words.odd_characters import find_digits, find_odd_characters
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel, Tool
from sopforge.domain.values.types import (
    ANY_DAY,
    ANY_MINUTE,
    DateTimeType,
    DateType,
    NumberType,
    to_cell,
)
from sopforge.findings import Finding

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

    ``whole`` is what it is a part of, where that is more, and ``tool`` the one that it describes.
    """

    place: str
    text: str
    derived: str
    facts: str
    longest: int
    item: Field | None = None
    whole: str = ""
    tool: Tool | None = None


def iterate_texts(document: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:  # noqa: ANN401 - parsed
    """Return the summaries and descriptions of a document by their paths, examples left out."""
    match document:
        case dict():
            for name, part in document.items():
                if name in LONGEST and isinstance(part, str):
                    yield (*path, name), part
                elif name not in {"example", "examples"}:
                    yield from iterate_texts(part, (*path, name))
        case list():
            for place, part in enumerate(document):
                yield from iterate_texts(part, (*path, place))
        case _:
            pass


def render_facts(part: Any) -> str:  # noqa: ANN401 - parsed YAML or JSON
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


def iterate_changes(written: Any, derived: Any) -> Iterator[tuple[Path, str, str]]:  # noqa: ANN401 - parsed
    """Yield the texts of a document that are not the derived ones: path, text, derived text."""
    texts, plain = dict(iterate_texts(written)), dict(iterate_texts(derived))
    for path in dict.fromkeys([*texts, *plain]):
        text, before = texts.get(path, ""), plain.get(path, "")
        if text != before:
            yield path, text, before


@dataclass(frozen=True, slots=True)
class _Compared:
    """A description with the model, and with all that the derived document says."""

    model: DomainModel
    said: Description
    public: str


def check_description(
    model: DomainModel, said: Description, public: str, where: str
) -> Iterator[Finding]:
    """Report what a description adds to the derived one; ``public`` is the derived document."""
    text = _Compared(model, said, public)
    about, evidence = f"{said.place}: the text", said.whole or said.text
    return check_bans(_BANS, text, about, where=where, evidence=evidence)


def _find_all_names(text: _Compared) -> list[str]:
    model, said = text.model, text.said
    return [*_find_added_names(model, said), *_find_added_labels(model, said, text.public)]


def _find_all_numbers(text: _Compared) -> list[str]:
    model, said = text.model, text.said
    return [*_find_added_numbers(model, said), *_find_added_counts(model, said)]


def _find_added_names(model: DomainModel, said: Description) -> list[str]:
    known = find_names(said.facts, model)
    return [name for name in find_names(said.text, model) if name not in known]


def _find_added_labels(model: DomainModel, said: Description, public: str) -> list[str]:
    """Return the answers of the procedure that a text names, and that no derived text does."""
    known = find_outcome_labels(public, model)
    return [label for label in find_outcome_labels(said.text, model) if label not in known]


def _find_added_numbers(model: DomainModel, said: Description) -> list[str]:
    """Return the figures of a text that its facts do not have; limits of rules by their names."""
    known = set(map(_normalize_number, find_digits(said.facts)))
    limits = {
        _normalize_number(to_cell(item.constant.type, item.constant.value)): f", which is {name}"
        for name, item in model.policy.items()
    }
    found = [shown for shown in find_digits(said.text) if _normalize_number(shown) not in known]
    return [f"{shown}{limits.get(_normalize_number(shown), '')}" for shown in found]


def _normalize_number(number: str) -> str:
    """Return a number without marks between its thousands and zeros after its point."""
    bare = number.replace(",", "")
    try:
        return f"{Decimal(bare).normalize():f}"
    except InvalidOperation:
        return bare


def _find_added_counts(model: DomainModel, said: Description) -> list[str]:
    """Return the numbers in words that measure something, and that the facts do not have."""
    kinds = [item.type for item in model.fields.values()]
    units = [re.escape(fold_text(k.unit)) for k in kinds if isinstance(k, NumberType) and k.unit]
    measured = re.compile(rf"\b(?:\w+ )?(?:{'|'.join([_PERIODS, *units])})(?!\w)")
    text, known = fold_text(said.text), find_deciding_words(said.facts, "number")
    found = []
    for words in find_deciding_words(said.text, "number"):
        # "Two services" explains; "two days" may be a limit that no proof covers.
        is_plain = _PLAIN_COUNTS.fullmatch(words) is not None
        rest = text.partition(words)[2].lstrip()
        if words not in known and not (is_plain and measured.match(rest) is None):
            found.append(words)
    return found


def _find_added_orders(said: Description) -> list[str]:
    known = _ORDER.findall(fold_text(said.facts))
    return [words for words in _ORDER.findall(fold_text(said.text)) if words not in known]


def _find_refusal_faults(text: _Compared) -> list[str]:
    """Return what a text says of its tool's refusals that the tool's checks do not."""
    tool = text.said.tool
    return find_false_refusals(text.model, tool, text.said.text) if tool is not None else []


def _find_form_faults(said: Description) -> list[str]:
    """Return why a text is not a plain description."""
    if not _has_words(said):
        return ["the text is empty"]
    most = max(said.longest, len(said.derived))
    long = (
        [f"the text has {len(said.text)} characters; at most {most} are allowed"]
        if len(said.text) > most
        else []
    )
    samples = [item for item in find_sample_answers(said.text) if item not in said.derived]
    return [*long, *find_odd_characters(said.text), *samples]


def _has_words(said: Description) -> bool:
    return re.search(r"\w", said.text) is not None


def _find_lost_words(said: Description) -> list[str]:
    """Return what only the derived text has: unit, form, limits, missing and empty words."""
    if said.item is None or not _has_words(said):
        return []
    kept = [words for words in _iterate_needed_words(said.item) if words in said.derived]
    return [words for words in kept if words not in said.text]


def _iterate_needed_words(item: Field) -> Iterator[str]:
    kind = item.type
    yield from filter(None, (item.missing, getattr(kind, "empty", ""), getattr(kind, "unit", "")))
    if isinstance(kind, DateType | DateTimeType):
        yield "year-month-day"
        if kind not in {ANY_DAY, ANY_MINUTE}:
            yield from (to_cell(kind, bound) for bound in (kind.minimum, kind.maximum))


def find_at_path(document: Any, path: Path) -> Any:  # noqa: ANN401 - parsed YAML or JSON
    """Return what stands at a path of a document, None where there is nothing."""
    for step in path:
        try:
            document = document[step]
        except (LookupError, TypeError):
            return None
    return document


_BANS: tuple[Ban[_Compared], ...] = (
    Ban(
        "described-number",
        "states numbers that do not belong in it",
        "remove the numbers; the schema of each parameter states its limits",
        _find_all_numbers,
    ),
    Ban(
        "described-name",
        "names something that the tool neither takes nor returns",
        "name only parameters and results of this tool, and no answer of the procedure",
        _find_all_names,
    ),
    Ban(
        "described-order",
        "says when the tool must be called",
        "describe what the tool does; the procedure says when it is called",
        lambda text: _find_added_orders(text.said),
    ),
    Ban(
        "described-refusal",
        "describes refusals that the tool's checks do not make",
        "describe refusals in the words of the listed ones, or leave them out",
        _find_refusal_faults,
    ),
    Ban(
        "described-form",
        "is not a plain description",
        "write plain sentences without markup or samples, within the allowed length",
        lambda text: _find_form_faults(text.said),
    ),
    Ban(
        "described-lacks",
        "leaves out facts that callers need",
        "copy units, forms, date limits, 'missing' and 'empty' word for word",
        lambda text: _find_lost_words(text.said),
    ),
)
